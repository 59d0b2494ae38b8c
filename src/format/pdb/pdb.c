/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb: see pdb.h. */
#include "format/pdb/pdb.h"

#include "base/str.h"
#include "format/pdb/pdb_frames.h"
#include "format/pdb/pdb_info.h"
#include "format/pdb/pdb_lines.h"
#include "format/pdb/pdb_publics.h"
#include "format/pdb/pdb_sites.h"
#include "format/pdb/pdb_symbols.h"
#include "format/pdb/pdb_types.h"
#include "format/pdb/undname.h"

#include <stdlib.h>
#include <string.h>

#define MACHINE_X86	0x14c
#define NAMES_HEADER	12
#define NAMES_SIGNATURE 0xeffeeffeu
#define CROSS_MODULE	(1u << 31)
#define NAMELESS	"unknown" /* an inlined function of a module that is not found */
#define MAX_FOLDED	64	  /* names looked at to find the one of a function */

/* What was read of a module. */
struct module {
	bool symbols_tried, lines_tried;
	struct wp_pdb_symbols symbols;
	struct wp_pdb_lines lines;
	struct wp_pdb_sites **sites; /* of each procedure that was asked for */
};

/* Where an address leads to. */
struct spot {
	uint32_t rva; /* in the source image */
	uint32_t number;
	struct module *module; /* NULL: of no module */
	const struct wp_pdb_proc *proc;
};

struct wp_pdb {
	struct wp_pdb_input input;
	struct wp_pdb_msf msf;
	struct wp_pdb_info info;
	struct wp_pdb_dbi dbi;
	struct wp_pdb_id id;
	struct module *modules;
	bool publics_tried, names_tried;
	struct wp_pdb_publics publics;
	char *names; /* the strings of "/names", the last of them ended */
	uint32_t names_size;
	struct wp_pdb_types types;
	struct spot last; /* functions, lines and inlined calls are asked for one after the other */
	struct wp_strpool made; /* names that are in no stream */
	uint64_t damage;
};

static struct wp_err *read_info_head(struct wp_pdb *pdb)
{
	TRY(wp_pdb_msf_open(&pdb->input, &pdb->msf));
	TRY(wp_pdb_info_read(&pdb->msf, &pdb->info));
	if (pdb->info.is_fastlink)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "%s: made by /DEBUG:FASTLINK, its symbols are in the object "
				  "files; link with /DEBUG:FULL, or run mspdbcmf.exe on it",
				  pdb->input.path);
	TRY(wp_pdb_dbi_read(&pdb->msf, &pdb->dbi));
	memcpy(pdb->id.guid, pdb->info.guid, sizeof(pdb->id.guid));
	pdb->id.age = pdb->dbi.age ? pdb->dbi.age : pdb->info.age;
	pdb->id.info_age = pdb->info.age;
	return NULL;
}

struct wp_err *wp_pdb_open(const struct wp_pdb_input *input, struct wp_pdb **ret)
{
	struct wp_pdb *pdb = wp_calloc(1, sizeof(*pdb));

	pdb->input = *input;
	struct wp_err *err = read_info_head(pdb);
	if (err) {
		wp_pdb_close(pdb);
		return err;
	}
	pdb->modules = wp_calloc(pdb->dbi.modules.n + 1, sizeof(*pdb->modules));
	*ret = pdb;
	return NULL;
}

const struct wp_pdb_id *wp_pdb_id(const struct wp_pdb *pdb)
{
	return &pdb->id;
}

uint16_t wp_pdb_machine(const struct wp_pdb *pdb)
{
	return pdb->dbi.machine;
}

bool wp_pdb_matches(const struct wp_pdb *pdb, const uint8_t guid[16], uint32_t age)
{
	return memcmp(pdb->id.guid, guid, sizeof(pdb->id.guid)) == 0 && pdb->id.age == age;
}

/* The procedures of a module, read once; NULL for a number that is none. */
static struct module *module_numbered(struct wp_pdb *pdb, uint32_t number)
{
	if (number >= pdb->dbi.modules.n)
		return NULL;
	struct module *module = &pdb->modules[number];
	if (!module->symbols_tried)
		pdb->damage += !wp_pdb_symbols_read(&pdb->msf, &pdb->dbi,
						    &pdb->dbi.modules.v[number], &module->symbols);
	module->symbols_tried = true;
	return module;
}

static struct wp_pdb_lines *module_lines_of(struct wp_pdb *pdb, uint32_t number)
{
	struct module *module = &pdb->modules[number];

	if (!module->lines_tried)
		pdb->damage += !wp_pdb_lines_read(&pdb->msf, &pdb->dbi, &pdb->dbi.modules.v[number],
						  &module->lines);
	module->lines_tried = true;
	return &module->lines;
}

/* By a source address. */
static struct spot find_spot(struct wp_pdb *pdb, uint32_t rva)
{
	const struct wp_pdb_contribution *at;
	struct spot spot = {.rva = rva};

	if (pdb->last.module && pdb->last.rva == rva)
		return pdb->last;
	at = wp_pdb_dbi_contribution(&pdb->dbi, rva);
	spot.number = at ? at->module : WP_PDB_NO_STREAM;
	spot.module = module_numbered(pdb, spot.number);
	if (spot.module)
		spot.proc = wp_pdb_symbols_find(&spot.module->symbols, rva);
	return pdb->last = spot;
}

static const char *keep_made_name(struct wp_pdb *pdb, const char *name)
{
	return wp_strpool_get(&pdb->made, wp_strpool_id(&pdb->made, name));
}

static void read_publics(struct wp_pdb *pdb)
{
	if (!pdb->publics_tried)
		pdb->damage += !wp_pdb_publics_read(&pdb->msf, &pdb->dbi, &pdb->publics);
	pdb->publics_tried = true;
}

/* On x86 names of C have a prefix, and behind '@' the size of their arguments. */
static const char *plain_name(struct wp_pdb *pdb, const char *name)
{
	const char *end = strchr(name + 1, '@');

	if (pdb->dbi.machine != MACHINE_X86 || (*name != '_' && *name != '@') || !name[1])
		return name;
	if (end == name + 1 || (*name == '@' && !end))
		return name;
	wp_autofree char *plain =
		end ? wp_strndup(name + 1, (size_t)(end - name - 1)) : wp_strdup(name + 1);
	return keep_made_name(pdb, plain);
}

static uint32_t end_of_public(const struct wp_pdb *pdb, const struct wp_pdb_public *one)
{
	const struct wp_pdb_section *section = wp_pdb_dbi_section(&pdb->dbi, one->start);
	const struct wp_pdb_contribution *from = wp_pdb_dbi_contribution(&pdb->dbi, one->start);
	const struct wp_pdb_public *next = wp_pdb_publics_after(&pdb->publics, one->start);
	uint32_t end = section ? section->start + section->size : one->start;

	if (next < pdb->publics.all.v + pdb->publics.all.n && next->start < end)
		end = next->start;
	return from && from->end < end ? from->end : end;
}

static bool find_public(struct wp_pdb *pdb, uint32_t rva, struct wp_pdb_function *ret)
{
	read_publics(pdb);
	const struct wp_pdb_public *one = wp_pdb_publics_find(&pdb->publics, rva);
	uint32_t end = one ? end_of_public(pdb, one) : 0;
	/* Behind a procedure that says its size there is padding. */
	if (rva >= end || find_spot(pdb, one->start).proc)
		return false;
	*ret = (struct wp_pdb_function){
		.name = plain_name(pdb, wp_pdb_publics_name(&pdb->publics, one)),
		.start = {wp_pdb_dbi_image(&pdb->dbi, one->start)},
		.size = end - one->start,
		.is_public = true,
	};
	return true;
}

static const char *name_of_target(struct wp_pdb *pdb, uint32_t target)
{
	struct wp_pdb_function function;
	struct spot spot = find_spot(pdb, target);

	if (spot.proc && spot.proc->name)
		return spot.proc->name;
	return find_public(pdb, target, &function) ? function.name : NULL;
}

/* A trampoline is named as debuggers do it: by its place in the table of such jumps. */
static const char *proc_name_of(struct wp_pdb *pdb, const struct wp_pdb_proc *proc)
{
	if (proc->name)
		return proc->name;
	const char *target = name_of_target(pdb, proc->target);
	if (!target || !proc->is_trampoline)
		return target;
	const struct wp_pdb_contribution *table = wp_pdb_dbi_contribution(&pdb->dbi, proc->start);
	uint32_t at = table ? proc->start - table->start : 0;
	wp_autofree char *name = wp_asprintf("ILT+%u(%s)", at, target);
	return keep_made_name(pdb, name);
}

bool wp_pdb_function(struct wp_pdb *pdb, struct wp_rva rva, struct wp_pdb_function *ret)
{
	uint32_t source;

	if (!wp_pdb_dbi_source(&pdb->dbi, rva.v, &source))
		return false;
	struct spot spot = find_spot(pdb, source);
	const char *name = spot.proc ? proc_name_of(pdb, spot.proc) : NULL;
	if (!name)
		return find_public(pdb, source, ret);
	*ret = (struct wp_pdb_function){
		.name = name,
		.start = {wp_pdb_dbi_image(&pdb->dbi, spot.proc->start)},
		.size = spot.proc->size,
	};
	return true;
}

static bool is_name_of(const char *decorated, const char *name)
{
	wp_autofree char *plain = wp_undname(decorated);

	return strcmp(plain ? plain : decorated, name) == 0;
}

/* Functions with the same code may have been folded: of several names that of this one. */
const char *wp_pdb_decorated(struct wp_pdb *pdb, const struct wp_pdb_function *function)
{
	uint32_t source;

	read_publics(pdb);
	if (!wp_pdb_dbi_source(&pdb->dbi, function->start.v, &source))
		return NULL;
	const struct wp_pdb_public *first = wp_pdb_publics_find(&pdb->publics, source);
	if (!first || first->start != source)
		return NULL;
	const struct wp_pdb_public *after = wp_pdb_publics_after(&pdb->publics, source);
	after = after - first > MAX_FOLDED ? first + MAX_FOLDED : after;
	for (const struct wp_pdb_public *one = first; one < after; one++)
		if (is_name_of(wp_pdb_publics_name(&pdb->publics, one), function->name))
			return wp_pdb_publics_name(&pdb->publics, one);
	return wp_pdb_publics_name(&pdb->publics, first);
}

static void read_pdb_names(struct wp_pdb *pdb)
{
	uint8_t header[NAMES_HEADER] = {0};
	struct wp_bytes b = wp_bytes_of(header, sizeof(header));

	pdb->names_tried = true;
	if (!wp_pdb_msf_read(&pdb->msf, pdb->info.names, 0, header, sizeof(header)) ||
	    wp_bytes_u32(&b) != NAMES_SIGNATURE) {
		pdb->damage++;
		return;
	}
	wp_bytes_u32(&b); /* which hash */
	pdb->names_size = wp_bytes_u32(&b);
	pdb->names = wp_pdb_msf_load(&pdb->msf, pdb->info.names, NAMES_HEADER, pdb->names_size);
	pdb->damage += !pdb->names;
}

/* A string of "/names", or NULL. */
static const char *pdb_string_at(struct wp_pdb *pdb, uint32_t offset)
{
	if (!pdb->names_tried)
		read_pdb_names(pdb);
	if (!pdb->names || offset >= pdb->names_size || !pdb->names[offset])
		return NULL;
	return pdb->names + offset;
}

static bool make_line(struct wp_pdb *pdb, const struct wp_pdb_lines *lines, uint32_t file,
		      uint32_t line, struct wp_pdb_line *ret)
{
	uint32_t offset;
	const char *name =
		line && wp_pdb_lines_file(lines, file, &offset) ? pdb_string_at(pdb, offset) : NULL;

	if (!name)
		return false;
	*ret = (struct wp_pdb_line){name, line};
	return true;
}

bool wp_pdb_line(struct wp_pdb *pdb, struct wp_rva rva, struct wp_pdb_line *ret)
{
	uint32_t source;

	if (!wp_pdb_dbi_source(&pdb->dbi, rva.v, &source))
		return false;
	struct spot spot = find_spot(pdb, source);
	if (!spot.module)
		return false;
	const struct wp_pdb_lines *lines = module_lines_of(pdb, spot.number);
	const struct wp_pdb_row *row = wp_pdb_lines_find(lines, source);
	return row && make_line(pdb, lines, row->file, row->line, ret);
}

bool wp_pdb_has_lines(const struct wp_pdb *pdb)
{
	wp_vec_each (struct wp_pdb_module_info, info, &pdb->dbi.modules)
		if (info->c13_bytes)
			return true;
	return false;
}

/* The id for all modules of a function that a module calls; 0 when it leads nowhere. */
static uint32_t global_id(struct wp_pdb *pdb, const struct wp_pdb_lines *lines, uint32_t id)
{
	uint32_t name, local, global;

	if (!(id & CROSS_MODULE))
		return id;
	if (!wp_pdb_lines_import(lines, id, &name, &local))
		return 0;
	const char *module = pdb_string_at(pdb, name);
	uint32_t number = module ? wp_pdb_dbi_module(&pdb->dbi, module) : WP_PDB_NO_STREAM;
	if (number == WP_PDB_NO_STREAM ||
	    !wp_pdb_lines_export(module_lines_of(pdb, number), local, &global))
		return 0;
	return global;
}

static const struct wp_pdb_sites *sites_of(struct wp_pdb *pdb, const struct spot *spot)
{
	struct wp_pdb_symbols *symbols = &spot->module->symbols;
	size_t number = (size_t)(spot->proc - symbols->procs.v);
	struct wp_pdb_sites **sites = spot->module->sites;

	if (!sites)
		sites = spot->module->sites =
			wp_calloc(symbols->procs.n, sizeof(struct wp_pdb_sites *));
	if (!sites[number]) {
		sites[number] = wp_calloc(1, sizeof(struct wp_pdb_sites));
		wp_pdb_sites_read(symbols, spot->proc, module_lines_of(pdb, spot->number),
				  sites[number]);
	}
	return sites[number];
}

/* One whose name cannot be had has its line all the same. */
static void make_inline(struct wp_pdb *pdb, const struct spot *spot, const struct wp_pdb_site *site,
			const struct wp_pdb_site_row *row, struct wp_pdb_inline *ret)
{
	const struct wp_pdb_lines *lines = &spot->module->lines;
	uint32_t id = global_id(pdb, lines, site->inlinee);

	*ret = (struct wp_pdb_inline){.key = id};
	ret->name = id ? wp_pdb_types_function(&pdb->types, &pdb->msf, id) : NULL;
	if (!ret->name) {
		ret->key = ((uint64_t)spot->number + 1) << 32 | site->inlinee;
		ret->name = NAMELESS;
	}
	make_line(pdb, lines, row->file, row->line, &ret->line);
}

size_t wp_pdb_inlines(struct wp_pdb *pdb, struct wp_rva rva,
		      struct wp_pdb_inline ret[WP_PDB_INLINES_MAX])
{
	const struct wp_pdb_site_row *row;
	const struct wp_pdb_site *site;
	uint32_t source, from = 0;
	size_t n = 0;

	if (!wp_pdb_dbi_source(&pdb->dbi, rva.v, &source))
		return 0;
	struct spot spot = find_spot(pdb, source);
	if (!spot.proc || !spot.proc->inside)
		return 0;
	const struct wp_pdb_sites *sites = sites_of(pdb, &spot);
	uint32_t end = (uint32_t)sites->sites.n;
	while (n < WP_PDB_INLINES_MAX &&
	       (site = wp_pdb_sites_find(sites, from, end, source - spot.proc->start, &row))) {
		make_inline(pdb, &spot, site, row, &ret[n++]);
		from = (uint32_t)(site - sites->sites.v) + 1;
		end = site->next;
	}
	return n;
}

void wp_pdb_frames(const struct wp_pdb *pdb, struct wp_unwind_rows *rows)
{
	if (pdb->dbi.machine == MACHINE_X86)
		wp_pdb_frames_read(&pdb->msf, &pdb->dbi, &pdb->info, rows);
}

uint64_t wp_pdb_damage(const struct wp_pdb *pdb)
{
	return pdb->damage;
}

static void deinit_module(struct module *module)
{
	for (size_t i = 0; module->sites && i < module->symbols.procs.n; i++)
		if (module->sites[i]) {
			wp_pdb_sites_deinit(module->sites[i]);
			free(module->sites[i]);
		}
	free(module->sites);
	wp_pdb_symbols_deinit(&module->symbols);
	wp_pdb_lines_deinit(&module->lines);
}

void wp_pdb_close(struct wp_pdb *pdb)
{
	if (!pdb)
		return;
	for (size_t i = 0; pdb->modules && i < pdb->dbi.modules.n; i++)
		deinit_module(&pdb->modules[i]);
	free(pdb->modules);
	wp_pdb_publics_deinit(&pdb->publics);
	wp_pdb_types_deinit(&pdb->types);
	wp_strpool_deinit(&pdb->made);
	free(pdb->names);
	wp_pdb_dbi_deinit(&pdb->dbi);
	wp_pdb_msf_deinit(&pdb->msf);
	free(pdb);
}
