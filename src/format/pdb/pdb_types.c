/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb_types: see pdb_types.h. Bounds: a record is at most 64 KB; scopes are not nested. */
#include "format/pdb/pdb_types.h"

#include "base/bytes.h"
#include "format/pdb/pdb_bound.h"

#include <stdlib.h>
#include <string.h>

#define TYPE_STREAM   2
#define ID_STREAM     4
#define HEADER_BYTES  56
#define MAX_SPAN      (1u << 17) /* bytes read to find a record: places are 8 KB apart */
#define MAX_NAME      65535
#define NUMERIC_FIRST 0x8000

/* Kinds of record: LF_... */
enum {
	LF_CLASS = 0x1504,
	LF_STRUCTURE = 0x1505,
	LF_UNION = 0x1506,
	LF_ENUM = 0x1507,
	LF_INTERFACE = 0x1519,
	LF_FUNC_ID = 0x1601,
	LF_MFUNC_ID = 0x1602,
	LF_STRING_ID = 0x1605,
	LF_CLASS2 = 0x1608,
	LF_STRUCTURE2 = 0x1609,
	LF_UNION2 = 0x160a,
};

/* A record's bytes, in memory of their own. */
struct record {
	char *memory;
	uint16_t kind;
	struct wp_bytes body;
};

static void read_places(struct wp_pdb_type_stream *s, const struct wp_pdb_msf *msf, uint32_t stream,
			uint32_t offset, uint32_t bytes)
{
	wp_autofree void *memory = wp_pdb_msf_load(msf, stream, offset, bytes);
	struct wp_bytes b = wp_bytes_of(memory, memory ? bytes : 0);

	while (wp_bytes_left(&b) >= 8) {
		struct wp_pdb_type_offset place = {wp_bytes_u32(&b), 0};

		place.offset = wp_bytes_u32(&b);
		if (!s->places.n || place.type > s->places.v[s->places.n - 1].type)
			wp_vec_push(&s->places, place);
	}
}

/* Without an index every record is looked at once. */
static void index_type_records(struct wp_pdb_type_stream *s, const struct wp_pdb_msf *msf)
{
	wp_autofree void *memory = wp_pdb_msf_load(msf, s->stream, s->header, s->bytes);
	struct wp_bytes b = wp_bytes_of(memory, memory ? s->bytes : 0);

	for (uint32_t type = s->first; wp_bytes_left(&b) >= 4; type++) {
		if ((type - s->first) % 128 == 0)
			wp_vec_push(&s->places, (struct wp_pdb_type_offset){type, (uint32_t)b.pos});
		wp_bytes_skip(&b, wp_bytes_u16(&b));
	}
}

static void open_stream(struct wp_pdb_type_stream *s, const struct wp_pdb_msf *msf, uint32_t stream)
{
	uint8_t header[HEADER_BYTES] = {0};
	struct wp_bytes b = wp_bytes_of(header, sizeof(header));

	s->tried = true;
	s->stream = stream;
	if (!wp_pdb_msf_read(msf, stream, 0, header, sizeof(header)))
		return;
	wp_bytes_u32(&b); /* version */
	s->header = wp_bytes_u32(&b);
	s->first = wp_bytes_u32(&b);
	s->end = wp_bytes_u32(&b);
	s->bytes = wp_bytes_u32(&b);
	uint16_t index = wp_bytes_u16(&b);
	wp_bytes_skip(&b, 18); /* hashes */
	uint32_t offset = wp_bytes_u32(&b), bytes = wp_bytes_u32(&b);
	if (index != UINT16_MAX)
		read_places(s, msf, index, offset, bytes);
	if (!s->places.n)
		index_type_records(s, msf);
}

/* The last place at or before the record, or NULL. */
static const struct wp_pdb_type_offset *type_place_before(const struct wp_pdb_type_stream *s,
							  uint32_t type)
{
	size_t n = wp_pdb_bound(s->places.v, s->places.n, sizeof(*s->places.v), type);

	return n ? &s->places.v[n - 1] : NULL;
}

/* Finds a record from a place on; *ret is untouched when it is not there. */
static bool find_record(const struct wp_pdb_type_stream *s, const struct wp_pdb_msf *msf,
			uint32_t type, struct record *ret)
{
	const struct wp_pdb_type_offset *place = type_place_before(s, type);
	const struct wp_pdb_type_offset *last = s->places.n ? &s->places.v[s->places.n - 1] : NULL;

	if (!place || type >= s->end || place->offset > s->bytes)
		return false;
	uint32_t stop = place < last ? place[1].offset : s->bytes;
	uint32_t span = stop > place->offset ? stop - place->offset : 0;
	span = span < MAX_SPAN ? span : MAX_SPAN;
	char *memory = wp_pdb_msf_load(msf, s->stream, (uint64_t)s->header + place->offset, span);
	struct wp_bytes b = wp_bytes_of(memory, memory ? span : 0);
	for (uint32_t at = place->type; at < type && !b.failed; at++)
		wp_bytes_skip(&b, wp_bytes_u16(&b));
	struct wp_bytes body = wp_bytes_sub(&b, wp_bytes_u16(&b));
	uint16_t kind = wp_bytes_u16(&body);
	if (body.failed || b.failed) {
		free(memory);
		return false;
	}
	*ret = (struct record){memory, kind, body};
	return true;
}

/* A number of any size: small ones as they are, others behind a word that says their size. */
static void skip_numeric(struct wp_bytes *b)
{
	static const uint8_t sizes[] = {1, 2, 2, 4, 4, 4, 8, 10, 16, 8, 8};
	uint16_t word = wp_bytes_u16(b);

	if (word < NUMERIC_FIRST)
		return;
	if (word - NUMERIC_FIRST < (int)sizeof(sizes))
		wp_bytes_skip(b, sizes[word - NUMERIC_FIRST]);
	else
		b->failed = true;
}

/* Moves to the name of a class and returns it, or NULL. */
static const char *class_name(struct record *r)
{
	switch (r->kind) {
	case LF_CLASS:
	case LF_STRUCTURE:
	case LF_INTERFACE: wp_bytes_skip(&r->body, 16); break;
	case LF_UNION: wp_bytes_skip(&r->body, 8); break;
	case LF_CLASS2:
	case LF_STRUCTURE2:
		/* Flags, three types, then a number that the size follows. */
		wp_bytes_skip(&r->body, 16);
		skip_numeric(&r->body);
		break;
	case LF_UNION2:
		wp_bytes_skip(&r->body, 8);
		skip_numeric(&r->body);
		break;
	case LF_ENUM: wp_bytes_skip(&r->body, 12); return wp_bytes_str(&r->body, MAX_NAME);
	default: return NULL;
	}
	skip_numeric(&r->body);
	return wp_bytes_str(&r->body, MAX_NAME);
}

/* What a function stands in: a namespace (an id) or a class (a type); NULL: nothing. */
static char *scope_name(struct wp_pdb_types *types, const struct wp_pdb_msf *msf, bool is_class,
			uint32_t number)
{
	struct record r;
	const char *name;

	if (!number || !find_record(is_class ? &types->types : &types->ids, msf, number, &r))
		return NULL;
	if (is_class) {
		name = class_name(&r);
	} else {
		wp_bytes_u32(&r.body); /* strings in front of it */
		name = r.kind == LF_STRING_ID ? wp_bytes_str(&r.body, MAX_NAME) : NULL;
	}
	char *copy = name ? wp_strdup(name) : NULL;
	free(r.memory);
	return copy;
}

/* "Box<int>" of "ns::Box<int>": the name that its constructor has. */
static const char *last_class_part(const char *class)
{
	const char *last = class;
	int depth = 0;

	for (; *class; class ++) {
		depth += (*class == '<') - (*class == '>');
		if (!depth && class[0] == ':' && class[1] == ':')
			last = class + 2;
	}
	return last;
}

/* Constructors and destructors have no name of their own in these streams. */
static char *in_class(const char *class, const char *name)
{
	bool makes = strcmp(name, "{ctor}") == 0;

	if (!makes && strcmp(name, "{dtor}") != 0)
		return wp_asprintf("%s::%s", class, name);
	return wp_asprintf("%s::%s%s", class, makes ? "" : "~", last_class_part(class));
}

static uint32_t make_inlinee_name(struct wp_pdb_types *types, const struct wp_pdb_msf *msf,
				  uint32_t id)
{
	uint32_t number = 0;
	struct record r;

	if (!find_record(&types->ids, msf, id, &r))
		return 0;
	uint32_t scope = wp_bytes_u32(&r.body);
	wp_bytes_u32(&r.body); /* its type */
	const char *name = wp_bytes_str(&r.body, MAX_NAME);
	if (name && *name && (r.kind == LF_FUNC_ID || r.kind == LF_MFUNC_ID)) {
		wp_autofree char *in = scope_name(types, msf, r.kind == LF_MFUNC_ID, scope);
		wp_autofree char *whole = in ? in_class(in, name) : wp_strdup(name);

		number = wp_strpool_id(&types->names, whole) + 1;
	}
	free(r.memory);
	return number;
}

const char *wp_pdb_types_function(struct wp_pdb_types *types, const struct wp_pdb_msf *msf,
				  uint32_t id)
{
	uint64_t *known = wp_map_get(&types->name_of, id);

	if (!types->ids.tried) {
		open_stream(&types->ids, msf, ID_STREAM);
		open_stream(&types->types, msf, TYPE_STREAM);
	}
	if (!known) {
		known = wp_map_put(&types->name_of, id);
		*known = make_inlinee_name(types, msf, id);
	}
	return *known ? wp_strpool_get(&types->names, (uint32_t)*known - 1) : NULL;
}

void wp_pdb_types_deinit(struct wp_pdb_types *types)
{
	wp_vec_deinit(&types->types.places);
	wp_vec_deinit(&types->ids.places);
	wp_map_deinit(&types->name_of);
	wp_strpool_deinit(&types->names);
	*types = (struct wp_pdb_types){0};
}
