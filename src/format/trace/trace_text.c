/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_text: see trace_text.h. */
#include "format/trace/trace_text.h"

#include "base/mem.h"
#include "base/vec.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define ID_WORD	   "ID: "
#define NAME_WORD  "name: "
#define FIELD_WORD "field:"
#define PRINT_WORD "print fmt: "
#define LINE_MAX_  1024 /* of a field */

/* The next line, without its end; NULL: there is none. */
static char *next_line(char **rest)
{
	return *rest ? strsep(rest, "\n") : NULL;
}

static char *copy_trace_text(const char *text, size_t bytes)
{
	return bytes <= WP_TRACE_TEXT_MAX && !memchr(text, '\0', bytes) ? wp_strndup(text, bytes)
									: NULL;
}

static bool read_format_id(const char *line, uint32_t *ret)
{
	uint64_t id;

	if (!wp_str_has_prefix(line, ID_WORD) ||
	    !wp_str_to_u64(line + strlen(ID_WORD), 10, UINT32_MAX, &id))
		return false;
	*ret = (uint32_t)id;
	return true;
}

bool wp_trace_text_id(const char *text, size_t bytes, uint32_t *ret)
{
	wp_autofree char *copy = copy_trace_text(text, bytes);
	char *rest = copy, *line;

	while ((line = next_line(&rest)) && !wp_str_has_prefix(line, PRINT_WORD))
		if (read_format_id(line, ret))
			return true;
	return false;
}

/* "offset:8;" anywhere in the line. */
static bool read_part(const char *line, const char *word, uint32_t max, uint32_t *ret)
{
	const char *at = strstr(line, word);
	uint64_t value = 0;
	size_t n = 0;

	if (!at)
		return false;
	for (at += strlen(word); isdigit((unsigned char)*at) && n < 9; at++, n++)
		value = value * 10 + (uint64_t)(*at - '0');
	if (!n || *at != ';' || value > max)
		return false;
	*ret = (uint32_t)value;
	return true;
}

/* Words of C that say how wide an element of a dynamic array is. */
static const struct {
	const char *word;
	uint32_t bytes;
} widths[] = {
	{"char", 1}, {"u8", 1},	  {"s8", 1},	 {"bool", 1}, {"short", 2}, {"u16", 2},
	{"s16", 2},  {"le16", 2}, {"u32", 4},	 {"s32", 4},  {"le32", 4},  {"u64", 8},
	{"s64", 8},  {"long", 8}, {"size_t", 8}, {"le64", 8}, {"int", 4},
};

static uint32_t type_width_of(const char *type)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(widths); i++)
		if (strstr(type, widths[i].word))
			return widths[i].bytes;
	return 1;
}

/* What C has in a declaration; nothing that would end a line or be a word of another grammar. */
static bool is_declaration(const char *text)
{
	return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789_ *[]()+-<>.,&/:")];
}

/* The name is the last word: "unsigned long args[6]", "__data_loc char[] name". */
static bool split_declaration(char *declaration, char **ret_name, uint32_t *ret_count)
{
	char *bracket = strrchr(declaration, '['), *space = strrchr(declaration, ' ');
	char *end = declaration + strlen(declaration), *name;
	uint64_t count;

	*ret_count = 0;
	if (bracket && (!space || bracket > space)) {
		char *close = strchr(bracket, ']');

		if (!close)
			return false;
		*bracket = *close = '\0';
		*ret_count = wp_str_to_u64(bracket + 1, 0, WP_PAYLOAD_MAX, &count) && count
				     ? (uint32_t)count
				     : 1;
		end = bracket;
	}
	for (name = end;
	     name > declaration && (isalnum((unsigned char)name[-1]) || name[-1] == '_');)
		name--;
	if (name == end || name == declaration)
		return false;
	*ret_name = name;
	return true;
}

static void describe_type(const char *type, uint32_t count, struct wp_field *field)
{
	bool text = strstr(type, "char") && !strstr(type, "unsigned char") && !strchr(type, '*');

	field->is_relative = strstr(type, "__rel_loc");
	field->is_dynamic = field->is_relative || strstr(type, "__data_loc");
	field->is_array = count || field->is_dynamic;
	field->is_string = field->is_array && text;
	field->is_pointer = strchr(type, '*');
	field->element = field->is_dynamic ? type_width_of(type) : count ? field->size / count : 0;
}

/* "field:TYPE NAME[N];\toffset:8;\tsize:16;\tsigned:0;" */
static bool read_format_field(struct wp_arena *arena, const char *line, struct wp_field *ret)
{
	const char *end = strchr(line, ';');
	struct wp_field field = {0};
	uint32_t is_signed = 0, count;
	char *name;

	if (!end || strlen(line) > LINE_MAX_)
		return false;
	wp_autofree char *declaration = wp_strndup(line, (size_t)(end - line));
	if (!is_declaration(declaration) ||
	    !read_part(end, "offset:", WP_PAYLOAD_MAX, &field.offset) ||
	    !read_part(end, "size:", WP_PAYLOAD_MAX, &field.size))
		return false;
	read_part(end, "signed:", 1, &is_signed);
	field.is_signed = is_signed;
	if (!split_declaration(declaration, &name, &count))
		return false;
	field.name = wp_arena_strdup(arena, name);
	*name = '\0';
	describe_type(declaration, count, &field);
	*ret = field;
	return true;
}

/* What was taken over so far. */
struct reading {
	struct wp_arena *arena;
	WP_VEC(struct wp_field) fields;
	struct wp_str lines;
	struct wp_trace_description *to;
	bool has_id, good;
};

static void deinit_reading(struct reading *r)
{
	wp_vec_deinit(&r->fields);
	wp_str_deinit(&r->lines);
}

static bool is_system_word(const char *text)
{
	return *text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					   "0123456789_-.")];
}

static void take_line(struct reading *r, const char *line)
{
	const char *text = line + strspn(line, "\t ");
	struct wp_field field;

	if (wp_str_has_prefix(line, NAME_WORD) && is_system_word(line + strlen(NAME_WORD)))
		r->to->name = wp_arena_strdup(r->arena, line + strlen(NAME_WORD));
	else if (wp_str_has_prefix(line, PRINT_WORD))
		r->to->print = wp_arena_strdup(r->arena, line + strlen(PRINT_WORD));
	else if (read_format_id(line, &r->to->id))
		r->has_id = true;
	if (!wp_str_has_prefix(text, FIELD_WORD))
		return;
	r->good = r->good && r->fields.n < WP_FIELDS_MAX &&
		  read_format_field(r->arena, text + strlen(FIELD_WORD), &field);
	if (!r->good)
		return;
	wp_vec_push(&r->fields, field);
	wp_str_printf(&r->lines, "\t%s\n", text);
	if (strcmp(field.name, "common_pid") == 0) /* as the kernel divides them */
		wp_str_puts(&r->lines, "\n");
}

static void keep_fields(struct reading *r)
{
	size_t bytes = r->fields.n * sizeof(*r->fields.v);
	struct wp_field *own = wp_arena_alloc(r->arena, bytes + 1);

	if (bytes)
		memcpy(own, r->fields.v, bytes);
	r->to->fields = (struct wp_fields){own, r->fields.n};
	r->to->lines = wp_arena_strdup(r->arena, r->lines.s ? r->lines.s : "");
}

bool wp_trace_text_read(struct wp_arena *arena, const char *text, size_t bytes,
			struct wp_trace_description *ret)
{
	wp_autofree char *copy = copy_trace_text(text, bytes);
	struct wp_trace_description description = {.print = ""};
	WP_CLEANUP(deinit_reading)
	struct reading r = {.arena = arena, .to = &description, .good = true};
	char *rest = copy, *line;

	while ((line = next_line(&rest)))
		take_line(&r, line);
	if (!r.good || !r.has_id || !description.name)
		return false;
	keep_fields(&r);
	*ret = description;
	return true;
}

void wp_trace_text_put(const struct wp_trace_description *description, struct wp_str *out)
{
	wp_str_printf(out, "name: %s\nID: %u\nformat:\n%s\nprint fmt: %s\n", description->name,
		      description->id, description->lines, description->print);
}
