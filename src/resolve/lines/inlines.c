/* SPDX-License-Identifier: BSD-3-Clause */
/* inlines: see inlines.h. In a damaged file an entry's sibling may be itself, or its own child, so
 * that each level is walked over and over again; but whoever walks entries in their order only ever
 * meets later ones. */
#include "resolve/lines/inlines.h"

#include "base/map.h"
#include "base/vec.h"
#include "resolve/lines/dwarf_entry.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>

#define MAX_PARTS  (1u << 20) /* of one function */
#define MAX_RANGES (4u << 20)
#define MAX_DEPTH  64

_Static_assert(WP_INLINES_MAX == WP_PDB_INLINES_MAX, "one bound");

struct function_range {
	uint64_t start, end;
	Dwarf_Off entry;
};

/* The functions of one unit, sorted by address. */
struct unit {
	WP_VEC(struct function_range) functions;
	Dwarf_Off last; /* entry, while it is read */
	size_t looked;	/* ranges, empty ones too */
};

struct range {
	uint64_t start, end;
};

/* An inlined call or a block of a function; those inside of it follow. */
struct part {
	Dwarf_Off entry;
	uint32_t next; /* index of the first part behind it that is not inside of it */
	uint32_t first_range, n_ranges;
	bool is_call, named, placed; /* named, placed: `call` says it */
	struct wp_inline call;	     /* its name is NULL when nothing says which function it is */
};

/* What is in one function, read once: addresses that are asked for often share functions. */
struct body {
	WP_VEC(struct part) parts;
	WP_VEC(struct range) ranges;
	Dwarf_Off last; /* entry, while it is read */
};

struct wp_inlines {
	struct wp_srclines *lines;
	Dwarf *dwarf;
	struct wp_map body_of; /* offset of a function's entry -> index in bodies + 1 */
	WP_VEC(struct body) bodies;
	struct wp_map unit_of; /* offset of the unit's entry -> index in units + 1 */
	WP_VEC(struct unit) units;
};

struct wp_inlines *wp_inlines_new(struct wp_srclines *lines)
{
	struct wp_inlines *inlines = wp_calloc(1, sizeof(*inlines));

	inlines->lines = lines;
	return inlines;
}

static void add_function_ranges(struct unit *unit, Dwarf_Die *entry)
{
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (unit->looked++ < MAX_RANGES &&
	       (at = dwarf_ranges(entry, at, &base, &start, &end)) > 0)
		if (start < end)
			wp_vec_push(&unit->functions,
				    (struct function_range){start, end, dwarf_dieoffset(entry)});
}

/* Whether an entry is later than the last one, which it becomes. */
static bool goes_on(Dwarf_Off *last, Dwarf_Die *entry)
{
	Dwarf_Off before = *last;

	*last = dwarf_dieoffset(entry);
	return *last > before;
}

/* Functions stand in the unit, in namespaces and in classes. */
static void index_entries(struct unit *unit, Dwarf_Die *parent, int depth)
{
	Dwarf_Die entry;
	int more = dwarf_child(parent, &entry);

	while (more == 0 && goes_on(&unit->last, &entry)) {
		int tag = dwarf_tag(&entry);

		if (tag == DW_TAG_subprogram)
			add_function_ranges(unit, &entry);
		else if (depth < MAX_DEPTH &&
			 (tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
			  tag == DW_TAG_structure_type || tag == DW_TAG_module))
			index_entries(unit, &entry, depth + 1);
		more = dwarf_siblingof(&entry, &entry);
	}
}

static int by_code_start(const void *a, const void *b)
{
	const struct function_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static const struct unit *dwarf_unit_of(struct wp_inlines *inlines, Dwarf_Die *entry)
{
	uint64_t *at = wp_map_put(&inlines->unit_of, dwarf_dieoffset(entry));

	if (!*at) {
		struct unit unit = {0};

		index_entries(&unit, entry, 0);
		if (unit.functions.n)
			qsort(unit.functions.v, unit.functions.n, sizeof(*unit.functions.v),
			      by_code_start);
		wp_vec_push(&inlines->units, unit);
		*at = inlines->units.n;
	}
	return &inlines->units.v[*at - 1];
}

static const struct function_range *function_at(const struct unit *unit, uint64_t addr)
{
	size_t lo = 0, hi = unit->functions.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (unit->functions.v[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr < unit->functions.v[lo - 1].end ? &unit->functions.v[lo - 1] : NULL;
}

static void add_body_part(struct body *body, Dwarf_Die *entry)
{
	struct part part = {
		.entry = dwarf_dieoffset(entry),
		.first_range = (uint32_t)body->ranges.n,
		.is_call = dwarf_tag(entry) == DW_TAG_inlined_subroutine,
	};
	Dwarf_Addr base, start, end;
	ptrdiff_t at = 0;

	while (body->ranges.n < MAX_RANGES &&
	       (at = dwarf_ranges(entry, at, &base, &start, &end)) > 0)
		wp_vec_push(&body->ranges, (struct range){start, end});
	part.n_ranges = (uint32_t)body->ranges.n - part.first_range;
	wp_vec_push(&body->parts, part);
}

static void read_body_parts(struct body *body, Dwarf_Die *parent, int depth)
{
	Dwarf_Die entry;
	int more = depth < MAX_DEPTH ? dwarf_child(parent, &entry) : 1;

	while (more == 0 && goes_on(&body->last, &entry) && body->parts.n < MAX_PARTS) {
		int tag = dwarf_tag(&entry);
		size_t at = body->parts.n;

		if (tag == DW_TAG_inlined_subroutine || tag == DW_TAG_lexical_block ||
		    tag == DW_TAG_try_block || tag == DW_TAG_catch_block) {
			add_body_part(body, &entry);
			read_body_parts(body, &entry, depth + 1);
			body->parts.v[at].next = (uint32_t)body->parts.n;
		}
		more = dwarf_siblingof(&entry, &entry);
	}
}

static struct body *inlined_body_of(struct wp_inlines *inlines, Dwarf_Die *function)
{
	uint64_t *at = wp_map_put(&inlines->body_of, dwarf_dieoffset(function));

	if (!*at) {
		struct body body = {0};

		read_body_parts(&body, function, 0);
		wp_vec_push(&inlines->bodies, body);
		*at = inlines->bodies.n;
	}
	return &inlines->bodies.v[*at - 1];
}

static bool covers(const struct body *body, const struct part *part, uint64_t addr)
{
	for (uint32_t i = 0; i < part->n_ranges; i++) {
		const struct range *range = &body->ranges.v[part->first_range + i];

		if (addr >= range->start && addr < range->end)
			return true;
	}
	return false;
}

static uint32_t dwarf_number_of(Dwarf_Die *entry, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	if (dwarf_formudata(dwarf_attr_integrate(entry, name, &attr), &number) != 0)
		return 0;
	return number <= UINT32_MAX ? (uint32_t)number : 0;
}

/* A file's number 0 is the unit's own since DWARF 5, and "???" for libdw before. */
static const char *call_file(struct wp_inlines *inlines, Dwarf_Die *unit, Dwarf_Die *call)
{
	uint32_t number = dwarf_number_of(call, DW_AT_call_file);
	Dwarf_Files *files;
	const char *file;
	size_t n;

	if (!dwarf_hasattr(call, DW_AT_call_file) ||
	    !wp_srclines_may_decode(inlines->lines, unit) ||
	    dwarf_getsrcfiles(unit, &files, &n) != 0 || number >= n)
		return NULL;
	file = dwarf_filesrc(files, number, NULL, NULL);
	return file && *file != '?' ? wp_srclines_path(inlines->lines, unit, file) : NULL;
}

static void place_call(struct wp_inlines *inlines, Dwarf_Die *unit, struct part *part)
{
	Dwarf_Die call;

	part->placed = true;
	if (!dwarf_offdie(inlines->dwarf, part->entry, &call))
		return;
	part->call.call_file = call_file(inlines, unit, &call);
	part->call.call_line = dwarf_number_of(&call, DW_AT_call_line);
	part->call.first_line = dwarf_number_of(&call, DW_AT_decl_line);
}

static void name_call(struct wp_inlines *inlines, struct part *part)
{
	Dwarf_Attribute attr;
	Dwarf_Die call, origin;
	const char *name;

	part->named = true;
	if (!dwarf_offdie(inlines->dwarf, part->entry, &call) ||
	    !dwarf_formref_die(dwarf_attr(&call, DW_AT_abstract_origin, &attr), &origin))
		return;
	name = wp_dwarf_entry_text(&origin, DW_AT_linkage_name);
	if (!name)
		name = wp_dwarf_entry_text(&origin, DW_AT_name);
	if (!name || !*name)
		return;
	part->call.name = name;
	part->call.key = (uintptr_t)name;
}

/* Each is called on the line that the one around it has there. */
static size_t find_inlines_in_pdb(struct wp_pdb *pdb, struct wp_rva rva,
				  struct wp_inline ret[WP_INLINES_MAX])
{
	struct wp_pdb_inline found[WP_PDB_INLINES_MAX];
	size_t n = wp_pdb_inlines(pdb, rva, found);
	struct wp_pdb_line around = {0};

	if (n && !wp_pdb_line(pdb, rva, &around))
		around = (struct wp_pdb_line){0};
	for (size_t i = 0; i < n; i++) {
		ret[i] = (struct wp_inline){.key = found[i].key,
					    .name = found[i].name,
					    .call_file = around.file,
					    .call_line = around.line};
		around = found[i].line;
	}
	return n;
}

/* The entry of the function whose code covers the address. */
static bool find_dwarf_function(struct wp_inlines *inlines, struct wp_rva rva, Dwarf_Die *ret_unit,
				uint64_t *ret_addr, Dwarf_Die *ret)
{
	const struct function_range *function;

	if (!wp_srclines_unit(inlines->lines, rva, ret_unit, ret_addr))
		return false;
	inlines->dwarf = wp_srclines_dwarf(inlines->lines);
	function = function_at(dwarf_unit_of(inlines, ret_unit), *ret_addr);
	return function && dwarf_offdie(inlines->dwarf, function->entry, ret);
}

/* False when nothing says which function it is. */
static bool tell_inlined(struct wp_inlines *inlines, Dwarf_Die *unit, struct part *part, bool calls,
			 struct wp_inline *ret)
{
	if (!part->named)
		name_call(inlines, part);
	if (calls && !part->placed)
		place_call(inlines, unit, part);
	*ret = part->call;
	return part->call.name;
}

size_t wp_inlines_find(struct wp_inlines *inlines, struct wp_rva rva, bool calls,
		       struct wp_inline ret[WP_INLINES_MAX])
{
	Dwarf_Die unit, function;
	struct body *body;
	uint64_t addr, base;
	size_t n = 0;
	struct wp_pdb *pdb = wp_srclines_pdb(inlines->lines, &base);

	if (pdb)
		return find_inlines_in_pdb(pdb, (struct wp_rva){rva.v - base}, ret);
	if (!find_dwarf_function(inlines, rva, &unit, &addr, &function))
		return 0;
	body = inlined_body_of(inlines, &function);
	for (size_t i = 0, end = body->parts.n; i < end;) {
		struct part *part = &body->parts.v[i];

		if (!covers(body, part, addr)) {
			i = part->next;
			continue;
		}
		if (part->is_call && n < WP_INLINES_MAX)
			n += tell_inlined(inlines, &unit, part, calls, &ret[n]);
		end = part->next; /* what is inside */
		i++;
	}
	return n;
}

uint32_t wp_inlines_function_line(struct wp_inlines *inlines, struct wp_rva rva)
{
	Dwarf_Die unit, entry;
	uint64_t addr, base;
	struct wp_pdb *pdb = wp_srclines_pdb(inlines->lines, &base);
	struct wp_pdb_function function;
	struct wp_pdb_line line;

	if (pdb)
		return wp_pdb_function(pdb, (struct wp_rva){rva.v - base}, &function) &&
				       wp_pdb_line(pdb, function.start, &line)
			       ? line.line
			       : 0;
	if (!find_dwarf_function(inlines, rva, &unit, &addr, &entry))
		return 0;
	return dwarf_number_of(&entry, DW_AT_decl_line);
}

void wp_inlines_free(struct wp_inlines *inlines)
{
	if (!inlines)
		return;
	wp_vec_each (struct unit, unit, &inlines->units)
		wp_vec_deinit(&unit->functions);
	wp_vec_each (struct body, body, &inlines->bodies) {
		wp_vec_deinit(&body->parts);
		wp_vec_deinit(&body->ranges);
	}
	wp_vec_deinit(&inlines->bodies);
	wp_vec_deinit(&inlines->units);
	wp_map_deinit(&inlines->body_of);
	wp_map_deinit(&inlines->unit_of);
	free(inlines);
}
