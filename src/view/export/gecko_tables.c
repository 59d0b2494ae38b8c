/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gecko_tables: the tables that all threads of a Firefox profile share: strings, stacks, frames,
 * functions, libraries, native symbols, source files.
 *
 * Each is an object of columns of the same length. Cells refer to rows of other tables by index,
 * null or -1 is none.
 */
#include "view/export/gecko_tables.h"

#include "base/strpool.h"
#include "view/json_text.h"

#define RESOURCE_LIBRARY "1"
#define NONE		 INT64_MIN

struct state {
	const struct wp_profile *profile;
	const struct wp_export_funcs *funcs;
	struct wp_strpool strings;
	WP_VEC(uint32_t) sources; /* their names in strings */
	struct wp_map source_of;  /* string id -> index of sources + 1 */
	uint32_t *depths;	  /* for each frame: how many inlined ones it is in, with itself */
	WP_VEC(uint32_t) natives; /* functions that lie at an address */
	uint32_t *native_of;	  /* for each frame: index of natives + 1 of its code; 0: none */
	struct wp_writer *out;
};

static void put_json_number(struct wp_writer *out, int64_t number)
{
	if (number < 0)
		wp_writer_puts(out, "-");
	wp_json_u64(out, (uint64_t)(number < 0 ? -number : number));
}

/* A column of n cells: what cell(s, i) says, NONE: null. */
static void put_column(struct state *s, const char *name, size_t n,
		       int64_t (*cell)(struct state *s, size_t i))
{
	bool any = false;

	wp_writer_printf(s->out, ",\n\"%s\":[", name);
	for (size_t i = 0; i < n; i++) {
		int64_t number = cell(s, i);

		wp_json_comma(s->out, &any);
		if (number == NONE)
			wp_writer_puts(s->out, "null");
		else
			put_json_number(s->out, number);
	}
	wp_writer_puts(s->out, "]");
}

static void put_same(struct state *s, const char *name, size_t n, const char *cell)
{
	bool any = false;

	wp_writer_printf(s->out, ",\n\"%s\":[", name);
	for (size_t i = 0; i < n; i++) {
		wp_json_comma(s->out, &any);
		wp_writer_puts(s->out, cell);
	}
	wp_writer_puts(s->out, "]");
}

static void open_table(struct state *s, const char *name, size_t n)
{
	wp_writer_printf(s->out, ",\n\"%s\":{\"length\":%zu", name, n);
}

static void close_table(struct state *s)
{
	wp_writer_puts(s->out, "}");
}

static const struct wp_profile_frame *frame_at(struct state *s, size_t i)
{
	return &s->profile->frames.v[i];
}

static int64_t stack_frame(struct state *s, size_t i)
{
	return s->profile->stacks.v[i].frame;
}

static int64_t stack_prefix(struct state *s, size_t i)
{
	uint32_t caller = s->profile->stacks.v[i].caller;

	return caller == WP_NO_STACK ? NONE : caller;
}

static void put_stacks(struct state *s)
{
	size_t n = s->profile->stacks.n;

	open_table(s, "stackTable", n);
	put_column(s, "frame", n, stack_frame);
	put_column(s, "prefix", n, stack_prefix);
	close_table(s);
}

/* JavaScript's numbers are exact up to 2^53: the top half of an address space is not said. */
static bool can_be_said(uint64_t number)
{
	return !(number >> 53);
}

static int64_t frame_address(struct state *s, size_t i)
{
	const struct wp_profile_frame *frame = frame_at(s, i);

	if (frame->kind == WP_SYMBOL_PYTHON || frame->module == WP_NO_MODULE || frame->rva.v >> 53)
		return -1;
	return (int64_t)frame->rva.v;
}

static int64_t frame_depth(struct state *s, size_t i)
{
	return s->depths[i];
}

static int64_t frame_category(struct state *s, size_t i)
{
	return (int64_t)frame_at(s, i)->kind + 1;
}

static int64_t frame_func(struct state *s, size_t i)
{
	return s->funcs->of_frame[i];
}

static int64_t frame_native(struct state *s, size_t i)
{
	return s->native_of[i] ? (int64_t)s->native_of[i] - 1 : NONE;
}

static int64_t frame_line(struct state *s, size_t i)
{
	uint32_t line = frame_at(s, i)->line;

	return line ? line : NONE;
}

static void put_gecko_frames(struct state *s)
{
	size_t n = s->profile->frames.n;

	open_table(s, "frameTable", n);
	put_column(s, "address", n, frame_address);
	put_column(s, "inlineDepth", n, frame_depth);
	put_column(s, "category", n, frame_category);
	put_same(s, "subcategory", n, "0");
	put_column(s, "func", n, frame_func);
	put_column(s, "nativeSymbol", n, frame_native);
	put_same(s, "innerWindowID", n, "0");
	put_column(s, "line", n, frame_line);
	put_same(s, "column", n, "null");
	close_table(s);
}

static const struct wp_export_func *func_at(struct state *s, size_t i)
{
	return &s->funcs->funcs.v[i];
}

/* Every string is in the pool before the tables are written; asking again gives the same id. */
static int64_t gecko_string_id(struct state *s, const char *text)
{
	return wp_strpool_id(&s->strings, text);
}

static int64_t func_name(struct state *s, size_t i)
{
	return gecko_string_id(s, func_at(s, i)->name);
}

/* Resources are the libraries. */
static int64_t func_resource(struct state *s, size_t i)
{
	const struct wp_export_func *func = func_at(s, i);

	if (func->kind == WP_SYMBOL_PYTHON || func->module == WP_NO_MODULE)
		return -1;
	return s->funcs->lib_of[func->module];
}

static int64_t func_source(struct state *s, size_t i)
{
	const struct wp_export_func *func = func_at(s, i);

	if (!func->file)
		return NONE;
	return (int64_t)*wp_map_get(&s->source_of, (uint64_t)gecko_string_id(s, func->file)) - 1;
}

static int64_t func_line(struct state *s, size_t i)
{
	const struct wp_export_func *func = func_at(s, i);

	return func->line ? func->line : NONE;
}

static void put_is_script(struct state *s)
{
	bool any = false;

	wp_writer_puts(s->out, ",\n\"isJS\":[");
	wp_vec_each (struct wp_export_func, func, &s->funcs->funcs) {
		wp_json_comma(s->out, &any);
		wp_writer_puts(s->out, func->kind == WP_SYMBOL_PYTHON ? "true" : "false");
	}
	wp_writer_puts(s->out, "]");
}

static void put_funcs(struct state *s)
{
	size_t n = s->funcs->funcs.n;

	open_table(s, "funcTable", n);
	put_column(s, "name", n, func_name);
	put_is_script(s);
	put_same(s, "relevantForJS", n, "false");
	put_column(s, "resource", n, func_resource);
	put_column(s, "source", n, func_source);
	put_column(s, "lineNumber", n, func_line);
	put_same(s, "columnNumber", n, "null");
	close_table(s);
}

static int64_t itself(struct state *s, size_t i)
{
	(void)s;
	return (int64_t)i;
}

static int64_t library_name(struct state *s, size_t i)
{
	return gecko_string_id(s, s->profile->modules.v[s->funcs->libs.v[i]].name);
}

static void put_resources(struct state *s)
{
	size_t n = s->funcs->libs.n;

	open_table(s, "resourceTable", n);
	put_column(s, "lib", n, itself);
	put_column(s, "name", n, library_name);
	put_same(s, "host", n, "null");
	put_same(s, "type", n, RESOURCE_LIBRARY);
	close_table(s);
}

static int64_t source_name(struct state *s, size_t i)
{
	return s->sources.v[i];
}

static void put_sources(struct state *s)
{
	open_table(s, "sources", s->sources.n);
	put_same(s, "uuid", s->sources.n, "null");
	put_column(s, "filename", s->sources.n, source_name);
	close_table(s);
}

static const struct wp_export_func *native_at(struct state *s, size_t i)
{
	return func_at(s, s->natives.v[i]);
}

static int64_t native_library(struct state *s, size_t i)
{
	return s->funcs->lib_of[native_at(s, i)->module];
}

static int64_t native_address(struct state *s, size_t i)
{
	return (int64_t)native_at(s, i)->start.v;
}

static int64_t native_name(struct state *s, size_t i)
{
	return gecko_string_id(s, native_at(s, i)->name);
}

static int64_t native_size(struct state *s, size_t i)
{
	return (int64_t)native_at(s, i)->size;
}

static void put_native_symbols(struct state *s)
{
	size_t n = s->natives.n;

	open_table(s, "nativeSymbols", n);
	put_column(s, "libIndex", n, native_library);
	put_column(s, "address", n, native_address);
	put_column(s, "name", n, native_name);
	put_column(s, "functionSize", n, native_size);
	close_table(s);
}

static void put_strings(struct state *s)
{
	bool any = false;

	wp_writer_puts(s->out, "\"stringArray\":[");
	wp_vec_each (const char *, string, &s->strings.strings) {
		wp_json_comma(s->out, &any);
		wp_json_string(s->out, *string);
	}
	wp_writer_puts(s->out, "]");
}

static void put_tables(struct state *s)
{
	wp_writer_puts(s->out, "{");
	put_strings(s);
	put_stacks(s);
	put_gecko_frames(s);
	put_funcs(s);
	put_resources(s);
	put_native_symbols(s);
	put_sources(s);
	wp_writer_puts(s->out, "}");
}

static void gather_strings(struct state *s)
{
	wp_vec_each (uint32_t, lib, &s->funcs->libs)
		wp_strpool_id(&s->strings, s->profile->modules.v[*lib].name);
	wp_vec_each (struct wp_export_func, func, &s->funcs->funcs) {
		uint64_t *at;

		wp_strpool_id(&s->strings, func->name);
		if (!func->file)
			continue;
		at = wp_map_put(&s->source_of, wp_strpool_id(&s->strings, func->file));
		if (!*at) {
			wp_vec_push(&s->sources, wp_strpool_id(&s->strings, func->file));
			*at = s->sources.n;
		}
	}
}

static bool has_address(const struct wp_export_func *func)
{
	return func->kind != WP_SYMBOL_PYTHON && func->kind != WP_SYMBOL_INLINE &&
	       func->module != WP_NO_MODULE && func->size && can_be_said(func->size) &&
	       can_be_said(func->start.v);
}

static bool is_within(const struct wp_profile_frame *frame)
{
	return frame->rva.v >= frame->start.v && frame->rva.v - frame->start.v < frame->size;
}

/* The functions that lie at an address, and for each frame the one that its own is. */
static void find_natives(struct state *s)
{
	uint32_t *of_func = wp_calloc(s->funcs->funcs.n + 1, sizeof(*of_func));

	for (uint32_t i = 0; i < s->funcs->funcs.n; i++)
		if (has_address(func_at(s, i))) {
			wp_vec_push(&s->natives, i);
			of_func[i] = (uint32_t)s->natives.n;
		}
	s->native_of = wp_calloc(s->profile->frames.n + 1, sizeof(*s->native_of));
	for (size_t i = 0; i < s->profile->frames.n; i++)
		if (is_within(frame_at(s, i)))
			s->native_of[i] = of_func[s->funcs->of_frame[i]];
	free(of_func);
}

/* An inlined frame is in the code of its caller. A stack comes behind its callers. */
static void find_inlined(struct state *s)
{
	s->depths = wp_calloc(s->profile->frames.n + 1, sizeof(*s->depths));
	wp_vec_each (struct wp_profile_stack, stack, &s->profile->stacks) {
		uint32_t caller;

		if (stack->caller == WP_NO_STACK ||
		    frame_at(s, stack->frame)->kind != WP_SYMBOL_INLINE)
			continue;
		caller = s->profile->stacks.v[stack->caller].frame;
		s->depths[stack->frame] = s->depths[caller] + 1;
		s->native_of[stack->frame] = s->native_of[caller];
	}
}

void wp_gecko_tables_put(const struct wp_profile *profile, const struct wp_export_funcs *funcs,
			 struct wp_writer *out)
{
	struct state s = {.profile = profile, .funcs = funcs, .out = out};

	gather_strings(&s);
	find_natives(&s);
	find_inlined(&s);
	put_tables(&s);
	free(s.depths);
	free(s.native_of);
	wp_vec_deinit(&s.natives);
	wp_vec_deinit(&s.sources);
	wp_map_deinit(&s.source_of);
	wp_strpool_deinit(&s.strings);
}
