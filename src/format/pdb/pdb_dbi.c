/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb_dbi: see pdb_dbi.h. */
#include "format/pdb/pdb_dbi.h"

#include "base/hash.h"
#include "base/str.h"
#include "format/pdb/pdb_bound.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define DBI_STREAM	3
#define HEADER_BYTES	64
#define SIGNATURE	UINT32_MAX
#define MAX_SAME	64 /* modules of one name that are looked at */
#define MAX_PARTS	64 /* of a path */
#define MODULE_HEADER	64
#define CONTRIBUTION_V1 (0xeffe0000u + 19970605)
#define CONTRIBUTION_V2 (0xeffe0000u + 20140516)
#define SECTION_BYTES	40
#define SECTION_EXEC	0x20000020u /* contains code, may be executed */
#define MAX_SECTIONS	65535

/* Places in the list of further streams. */
enum {
	DEBUG_FPO = 0,
	DEBUG_OMAP_TO_SOURCE = 3,
	DEBUG_OMAP_FROM_SOURCE = 4,
	DEBUG_SECTIONS = 5,
	DEBUG_FRAMES = 9,
	DEBUG_SOURCE_SECTIONS = 10,
	DEBUG_STREAMS = 11,
};

/* Where the parts of the stream are. */
struct layout {
	uint64_t modules, contributions, debug;
	uint32_t module_bytes, contribution_bytes, debug_bytes;
};

static uint32_t stream_number(uint16_t number)
{
	return number == UINT16_MAX ? WP_PDB_NO_STREAM : number;
}

static struct wp_err *no_dbi(const struct wp_pdb_msf *msf)
{
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "%s: a PDB of the compiler (vc140.pdb), which knows types but no "
			  "addresses; take the PDB that the linker writes",
			  msf->input.path);
}

static struct wp_err *read_dbi_header(const struct wp_pdb_msf *msf, struct wp_pdb_dbi *dbi,
				      struct layout *ret)
{
	uint8_t header[HEADER_BYTES] = {0};
	struct wp_bytes b = wp_bytes_of(header, sizeof(header));
	uint64_t at = HEADER_BYTES;
	uint32_t sizes[5];

	if (!wp_pdb_msf_size(msf, DBI_STREAM))
		return no_dbi(msf);
	if (!wp_pdb_msf_read(msf, DBI_STREAM, 0, header, sizeof(header)) ||
	    wp_bytes_u32(&b) != SIGNATURE)
		return wp_err_new(WP_ERR_FORMAT,
				  "%s: damaged PDB: no list of modules; copy it again",
				  msf->input.path);
	wp_bytes_u32(&b); /* version */
	dbi->age = wp_bytes_u32(&b);
	wp_bytes_u32(&b); /* the stream of globals, the linker's version */
	dbi->publics = stream_number(wp_bytes_u16(&b));
	wp_bytes_u16(&b);
	dbi->records = stream_number(wp_bytes_u16(&b));
	wp_bytes_u16(&b);
	for (size_t i = 0; i < WP_ARRAY_LEN(sizes); i++)
		sizes[i] = wp_bytes_u32(&b);
	wp_bytes_u32(&b);
	ret->debug_bytes = wp_bytes_u32(&b);
	uint32_t edit_bytes = wp_bytes_u32(&b);
	wp_bytes_u16(&b); /* flags */
	dbi->machine = wp_bytes_u16(&b);
	ret->modules = at;
	ret->module_bytes = sizes[0];
	ret->contributions = at + sizes[0];
	ret->contribution_bytes = sizes[1];
	for (size_t i = 0; i < WP_ARRAY_LEN(sizes); i++)
		at += sizes[i];
	ret->debug = at + edit_bytes;
	return NULL;
}

static bool read_module(struct wp_bytes *b, struct wp_pdb_module_info *ret)
{
	wp_bytes_skip(b, 34); /* its first contribution, flags */
	ret->stream = stream_number(wp_bytes_u16(b));
	ret->symbol_bytes = wp_bytes_u32(b);
	ret->c11_bytes = wp_bytes_u32(b);
	ret->c13_bytes = wp_bytes_u32(b);
	wp_bytes_skip(b, MODULE_HEADER - 48); /* files, numbers of names */
	ret->name = (uint32_t)b->pos;
	if (!wp_bytes_str(b, b->size) || !wp_bytes_str(b, b->size))
		return false;
	wp_bytes_skip(b, -b->pos & 3);
	return true;
}

static void read_modules(const struct wp_pdb_msf *msf, const struct layout *layout,
			 struct wp_pdb_dbi *dbi)
{
	struct wp_pdb_module_info info;

	dbi->module_bytes = wp_pdb_msf_load(msf, DBI_STREAM, layout->modules, layout->module_bytes);
	struct wp_bytes b =
		wp_bytes_of(dbi->module_bytes, dbi->module_bytes ? layout->module_bytes : 0);
	while (wp_bytes_left(&b) >= MODULE_HEADER && read_module(&b, &info))
		wp_vec_push(&dbi->modules, info);
}

static int by_section_start(const void *a, const void *b)
{
	const struct wp_pdb_contribution *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void read_contributions(const struct wp_pdb_msf *msf, const struct layout *layout,
			       struct wp_pdb_dbi *dbi)
{
	wp_autofree void *bytes =
		wp_pdb_msf_load(msf, DBI_STREAM, layout->contributions, layout->contribution_bytes);
	struct wp_bytes b = wp_bytes_of(bytes, bytes ? layout->contribution_bytes : 0);
	uint32_t version = wp_bytes_u32(&b), last = 0;
	size_t more = version == CONTRIBUTION_V2 ? 4 : 0;
	bool sorted = true;

	if (version != CONTRIBUTION_V1 && version != CONTRIBUTION_V2)
		return;
	while (wp_bytes_left(&b) >= 28 + more) {
		struct wp_pdb_contribution one;
		uint32_t section = wp_bytes_u32(&b) & 0xffff;
		uint32_t offset = wp_bytes_u32(&b), size = wp_bytes_u32(&b);

		wp_bytes_u32(&b); /* characteristics */
		one.module = wp_bytes_u32(&b) & 0xffff;
		wp_bytes_skip(&b, 8 + more);
		if (!size || !wp_pdb_dbi_rva(dbi, (uint16_t)section, offset, &one.start) ||
		    size > UINT32_MAX - one.start)
			continue;
		one.end = one.start + size;
		sorted = sorted && one.start >= last;
		last = one.start;
		wp_vec_push(&dbi->contributions, one);
	}
	if (!sorted)
		qsort(dbi->contributions.v, dbi->contributions.n, sizeof(*dbi->contributions.v),
		      by_section_start);
}

static void read_pdb_sections(const struct wp_pdb_msf *msf, uint32_t stream, struct wp_pdb_dbi *dbi)
{
	uint32_t size = wp_pdb_msf_size(msf, stream);
	wp_autofree void *bytes =
		size <= MAX_SECTIONS * SECTION_BYTES ? wp_pdb_msf_load(msf, stream, 0, size) : NULL;
	struct wp_bytes b = wp_bytes_of(bytes, bytes ? size : 0);

	while (wp_bytes_left(&b) >= SECTION_BYTES) {
		struct wp_pdb_section section;

		wp_bytes_skip(&b, 8); /* name */
		section.size = wp_bytes_u32(&b);
		section.start = wp_bytes_u32(&b);
		wp_bytes_skip(&b, 20);
		section.exec = wp_bytes_u32(&b) & SECTION_EXEC;
		wp_vec_push(&dbi->sections, section);
	}
}

static int by_from(const void *a, const void *b)
{
	const struct wp_pdb_omap *x = a, *y = b;

	return x->from < y->from ? -1 : x->from > y->from;
}

/* Pairs of addresses; each holds until the next one. */
static void read_omap(const struct wp_pdb_msf *msf, uint32_t stream, struct wp_pdb_omaps *map)
{
	uint32_t size = wp_pdb_msf_size(msf, stream);
	wp_autofree void *bytes = wp_pdb_msf_load(msf, stream, 0, size);
	struct wp_bytes b = wp_bytes_of(bytes, bytes ? size : 0);

	while (wp_bytes_left(&b) >= 8) {
		uint32_t from = wp_bytes_u32(&b);

		wp_vec_push(map, (struct wp_pdb_omap){from, wp_bytes_u32(&b)});
	}
	if (map->n)
		qsort(map->v, map->n, sizeof(*map->v), by_from);
}

/* The streams that the optional debug header names. */
static struct wp_err *read_debug(const struct wp_pdb_msf *msf, const struct layout *layout,
				 struct wp_pdb_dbi *dbi)
{
	uint32_t streams[DEBUG_STREAMS];
	wp_autofree void *bytes =
		wp_pdb_msf_load(msf, DBI_STREAM, layout->debug, layout->debug_bytes);
	struct wp_bytes b = wp_bytes_of(bytes, bytes ? layout->debug_bytes : 0);

	for (size_t i = 0; i < DEBUG_STREAMS; i++) {
		uint16_t number = wp_bytes_u16(&b);

		streams[i] = b.failed ? WP_PDB_NO_STREAM : stream_number(number);
	}
	dbi->fpo = streams[DEBUG_FPO];
	dbi->frames = streams[DEBUG_FRAMES];
	/* Where no code was moved there is one list of sections; all symbols speak of that. */
	bool moved = wp_pdb_msf_size(msf, streams[DEBUG_OMAP_TO_SOURCE]) > 0;
	uint32_t source = streams[DEBUG_SOURCE_SECTIONS];
	read_pdb_sections(
		msf, moved && source != WP_PDB_NO_STREAM ? source : streams[DEBUG_SECTIONS], dbi);
	if (moved) {
		read_omap(msf, streams[DEBUG_OMAP_TO_SOURCE], &dbi->to_source);
		read_omap(msf, streams[DEBUG_OMAP_FROM_SOURCE], &dbi->from_source);
	}
	return dbi->sections.n ? NULL : no_dbi(msf);
}

struct wp_err *wp_pdb_dbi_read(const struct wp_pdb_msf *msf, struct wp_pdb_dbi *ret)
{
	struct wp_pdb_dbi dbi = {0};
	struct layout layout = {0};

	TRY(read_dbi_header(msf, &dbi, &layout));
	struct wp_err *err = read_debug(msf, &layout, &dbi);
	if (err) {
		wp_pdb_dbi_deinit(&dbi);
		return err;
	}
	read_modules(msf, &layout, &dbi);
	read_contributions(msf, &layout, &dbi);
	*ret = dbi;
	return NULL;
}

void wp_pdb_dbi_deinit(struct wp_pdb_dbi *dbi)
{
	free(dbi->module_bytes);
	wp_vec_deinit(&dbi->modules);
	wp_vec_deinit(&dbi->sections);
	wp_vec_deinit(&dbi->contributions);
	wp_vec_deinit(&dbi->to_source);
	wp_vec_deinit(&dbi->from_source);
	wp_map_deinit(&dbi->by_name);
	*dbi = (struct wp_pdb_dbi){0};
}

bool wp_pdb_dbi_rva(const struct wp_pdb_dbi *dbi, uint16_t section, uint32_t offset, uint32_t *ret)
{
	if (!section || section > dbi->sections.n ||
	    offset > UINT32_MAX - dbi->sections.v[section - 1].start)
		return false;
	*ret = dbi->sections.v[section - 1].start + offset;
	return true;
}

const struct wp_pdb_contribution *wp_pdb_dbi_contribution(const struct wp_pdb_dbi *dbi,
							  uint32_t rva)
{
	const struct wp_pdb_contribution *all = dbi->contributions.v;
	size_t n = wp_pdb_bound(all, dbi->contributions.n, sizeof(*all), rva);

	return n && rva < all[n - 1].end ? &all[n - 1] : NULL;
}

const struct wp_pdb_section *wp_pdb_dbi_section(const struct wp_pdb_dbi *dbi, uint32_t rva)
{
	wp_vec_each (struct wp_pdb_section, section, &dbi->sections)
		if (rva >= section->start && rva - section->start < section->size)
			return section;
	return NULL;
}

/* The last pair at or before the address, or NULL. */
static const struct wp_pdb_omap *omap_at(const struct wp_pdb_omaps *map, uint32_t rva)
{
	size_t n = wp_pdb_bound(map->v, map->n, sizeof(*map->v), rva);

	return n ? &map->v[n - 1] : NULL;
}

bool wp_pdb_dbi_source(const struct wp_pdb_dbi *dbi, uint64_t image_rva, uint32_t *ret)
{
	uint32_t rva = (uint32_t)image_rva;

	if (image_rva > UINT32_MAX)
		return false;
	if (dbi->to_source.n) {
		const struct wp_pdb_omap *at = omap_at(&dbi->to_source, rva);

		if (!at || !at->to)
			return false;
		rva = at->to + (rva - at->from);
	}
	*ret = rva;
	return true;
}

uint32_t wp_pdb_dbi_image(const struct wp_pdb_dbi *dbi, uint32_t rva)
{
	const struct wp_pdb_omap *at = omap_at(&dbi->from_source, rva);

	return at && at->to ? at->to + (rva - at->from) : rva;
}

static uint64_t hash_module_name(const char *name)
{
	uint64_t hash = WP_HASH_FNV1A;

	for (; *name; name++)
		hash = wp_hash_fnv1a(hash, (uint8_t)tolower((uint8_t)*name));
	return hash;
}

static const char *get_module_name(const struct wp_pdb_dbi *dbi, uint32_t module)
{
	return dbi->module_bytes + dbi->modules.v[module].name;
}

static void index_modules(struct wp_pdb_dbi *dbi)
{
	for (uint32_t i = 0; i < dbi->modules.n; i++) {
		uint64_t hash = hash_module_name(get_module_name(dbi, i));
		const uint64_t *before = wp_map_get(&dbi->by_name, hash);

		dbi->modules.v[i].same = before ? (uint32_t)*before : WP_PDB_NO_STREAM;
		*wp_map_put(&dbi->by_name, hash) = i;
	}
}

/* How many characters two paths begin alike with. */
static size_t common_prefix(const char *a, const char *b)
{
	size_t n = 0;

	while (a[n] && tolower((uint8_t)a[n]) == tolower((uint8_t)b[n]))
		n++;
	return n;
}

/* Of the modules of that name the one whose library lies nearest to the path. */
static uint32_t find_module(const struct wp_pdb_dbi *dbi, const char *name, const char *path)
{
	const uint64_t *first = wp_map_get(&dbi->by_name, hash_module_name(name));
	uint32_t best = WP_PDB_NO_STREAM;
	size_t most = 0, left = MAX_SAME;

	for (uint32_t i = first ? (uint32_t)*first : WP_PDB_NO_STREAM;
	     i != WP_PDB_NO_STREAM && left; i = dbi->modules.v[i].same, left--) {
		const char *its = get_module_name(dbi, i);
		size_t alike = 1 + common_prefix(its + strlen(its) + 1, path);

		if (alike > most && wp_str_eq_nocase(its, name)) {
			best = i;
			most = alike;
		}
	}
	return best;
}

uint32_t wp_pdb_dbi_module(struct wp_pdb_dbi *dbi, const char *path)
{
	uint32_t found = WP_PDB_NO_STREAM;
	const char *name = path, *slash;

	if (!dbi->by_name.n)
		index_modules(dbi);
	for (size_t n = 0; name && found == WP_PDB_NO_STREAM && n < MAX_PARTS; n++) {
		found = find_module(dbi, name, path);
		slash = strchr(name, '\\');
		name = slash ? slash + 1 : NULL;
	}
	return found;
}
