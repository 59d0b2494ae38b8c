/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_callgrind: a profile in the format of valgrind's callgrind: what KCachegrind, QCachegrind
 * and callgrind_annotate read.
 *
 * A function's own cost stands at the lines that ran; what it called at the lines that called, with
 * the cost of all that ran below. A sample whose stack has a function twice gives it that cost
 * once, where it was entered first; its other entries are calls of cost 0. "calls" are samples,
 * since nobody counts calls. Columns are the events,
 * then the measures (latency, who answered). Format: "Callgrind Format Specification" of the
 * valgrind manual.
 */
#include "base/strpool.h"
#include "base/utf8.h"
#include "view/frame_text.h"
#include "view/stack_sums.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct function {
	uint32_t frame;		       /* the first of the profile's frames of it */
	uint32_t entered;	       /* in the stack of this number + 1 */
	bool told;		       /* its name was written */
	WP_VEC(uint32_t) costs, calls; /* indexes */
};

struct cost {
	uint32_t line;
};

struct call {
	uint32_t line, callee;
	uint64_t samples;
};

struct callgrind {
	const struct wp_profile *profile;
	struct wp_writer *out;
	size_t n_columns;	      /* events, then measures */
	struct wp_map function_of;    /* symbol -> index in functions + 1 */
	struct wp_strpool identities; /* of functions, by index */
	WP_VEC(struct function) functions;
	struct wp_map cost_of; /* function and line -> index in costs + 1 */
	WP_VEC(struct cost) costs;
	struct wp_map pair_of; /* caller and callee -> number of the pair + 1 */
	uint64_t pairs;
	struct wp_map call_of; /* pair and line -> index in calls + 1 */
	WP_VEC(struct call) calls;
	WP_VEC(uint64_t) own, below; /* n_columns for each of costs, of calls */
	struct wp_strpool names;     /* of objects and files */
	WP_VEC(uint8_t) told;	     /* for each of names, as what it was written */
	WP_VEC(uint32_t) path;	     /* frames, innermost first */
	uint32_t stacks;	     /* that were added */
};

static const char *file_of_frame(const struct wp_profile_frame *frame)
{
	return frame->file && *frame->file ? frame->file : "???";
}

static const char *object_of(const struct callgrind *c, const struct wp_profile_frame *frame)
{
	return frame->module == WP_NO_MODULE ? "???" : c->profile->modules.v[frame->module].path;
}

/* Readers know a function by its name, file and object: an inlined one is that of the same name. */
static uint32_t identity_of(struct callgrind *c, uint32_t frame)
{
	const struct wp_profile_frame *at = &c->profile->frames.v[frame];
	wp_autostr struct wp_str text = {0};

	wp_frame_text(c->profile, at, &text);
	wp_str_printf(&text, "\n%s\n%s", file_of_frame(at), object_of(c, at));
	return wp_strpool_id(&c->identities, text.s);
}

/* All frames of a symbol are of the function that its first one made. */
static uint32_t callgrind_function_of(struct callgrind *c, uint32_t frame)
{
	uint64_t *at = wp_map_put(&c->function_of, c->profile->frames.v[frame].symbol);
	uint32_t id;

	if (*at)
		return (uint32_t)(*at - 1);
	id = identity_of(c, frame);
	if (id == c->functions.n)
		wp_vec_push(&c->functions, (struct function){.frame = frame});
	*at = id + UINT64_C(1);
	return id;
}

/* A line belongs to the function's file: one of another file (an included one) is line 0. */
static uint32_t line_in(const struct callgrind *c, uint32_t function, uint32_t frame)
{
	const struct wp_profile_frame *at = &c->profile->frames.v[frame];
	const struct wp_profile_frame *first =
		&c->profile->frames.v[c->functions.v[function].frame];

	return strcmp(file_of_frame(at), file_of_frame(first)) == 0 ? at->line : 0;
}

/* The numbers of all columns, the one at hand added. */
#define ADD(vec, c, index, column, weight)                                         \
	do {                                                                       \
		while ((vec)->n < ((size_t)(index) + 1) * (c)->n_columns)          \
			wp_vec_push((vec), 0);                                     \
		(vec)->v[(size_t)(index) * (c)->n_columns + (column)] += (weight); \
	} while (0)

static void add_own(struct callgrind *c, uint32_t frame, const struct wp_stack_sum *sum)
{
	uint32_t function = callgrind_function_of(c, frame);
	uint32_t line = line_in(c, function, frame);
	uint64_t *at = wp_map_put(&c->cost_of, (uint64_t)function << 32 | line);

	if (!*at) {
		wp_vec_push(&c->functions.v[function].costs, (uint32_t)c->costs.n);
		wp_vec_push(&c->costs, (struct cost){line});
		*at = c->costs.n;
	}
	ADD(&c->own, c, *at - 1, sum->of, sum->weight);
}

static uint32_t call_of(struct callgrind *c, uint32_t caller, uint32_t line, uint32_t callee)
{
	uint64_t *pair = wp_map_put(&c->pair_of, (uint64_t)caller << 32 | callee);
	uint64_t *at;

	if (!*pair)
		*pair = ++c->pairs;
	at = wp_map_put(&c->call_of, *pair << 32 | line);
	if (!*at) {
		wp_vec_push(&c->functions.v[caller].calls, (uint32_t)c->calls.n);
		wp_vec_push(&c->calls, (struct call){.line = line, .callee = callee});
		*at = c->calls.n;
	}
	return (uint32_t)(*at - 1);
}

/* Marks a function as entered by the stack at hand; false: it was before. */
static bool enter(struct callgrind *c, uint32_t function)
{
	bool first = c->functions.v[function].entered != c->stacks;

	c->functions.v[function].entered = c->stacks;
	return first;
}

static void add_call(struct callgrind *c, uint32_t caller_frame, uint32_t callee_frame,
		     const struct wp_stack_sum *sum)
{
	uint32_t caller = callgrind_function_of(c, caller_frame),
		 callee = callgrind_function_of(c, callee_frame);
	uint32_t call = call_of(c, caller, line_in(c, caller, caller_frame), callee);

	c->calls.v[call].samples += sum->samples;
	ADD(&c->below, c, call, sum->of, enter(c, callee) ? sum->weight : 0);
}

static void add_callgrind_stack(struct callgrind *c, const struct wp_stack_sum *sum)
{
	const struct wp_profile *profile = c->profile;

	if (sum->stack == WP_NO_STACK)
		return;
	c->stacks++;
	c->path.n = 0;
	for (uint32_t at = sum->stack; at != WP_NO_STACK; at = profile->stacks.v[at].caller)
		wp_vec_push(&c->path, profile->stacks.v[at].frame);
	enter(c, callgrind_function_of(c, c->path.v[c->path.n - 1]));
	for (size_t i = c->path.n - 1; i-- > 0;)
		add_call(c, c->path.v[i + 1], c->path.v[i], sum);
	add_own(c, c->path.v[0], sum);
}

enum told {
	TOLD_OBJECT = 1,
	TOLD_FILE = 2,
};

/* A line of the format ends at a newline. */
static void put_plain(struct callgrind *c, const char *text)
{
	wp_autofree char *plain = wp_strdup(text);

	wp_utf8_hide_controls(plain, "");
	wp_writer_puts(c->out, plain);
}

/* "(7) text" the first time, then "(7)". */
static void put_short_name(struct callgrind *c, const char *key, uint32_t id, const char *text)
{
	wp_writer_printf(c->out, "%s=(%" PRIu32 ")", key, id + 1);
	if (text) {
		wp_writer_puts(c->out, " ");
		put_plain(c, text);
	}
	wp_writer_puts(c->out, "\n");
}

/* Objects and files are numbered apart. */
static void put_numbered_path(struct callgrind *c, const char *key, enum told as, const char *path)
{
	uint32_t id = wp_strpool_id(&c->names, path);

	while (c->told.n <= id)
		wp_vec_push(&c->told, 0);
	put_short_name(c, key, id, c->told.v[id] & as ? NULL : path);
	c->told.v[id] |= as;
}

/* A function's number is its own, since readers tie it to object and file. */
static void put_callgrind_function(struct callgrind *c, uint32_t id, const char *const keys[3])
{
	struct function *function = &c->functions.v[id];
	const struct wp_profile_frame *frame = &c->profile->frames.v[function->frame];
	wp_autostr struct wp_str text = {0};

	wp_frame_text(c->profile, frame, &text);
	put_numbered_path(c, keys[0], TOLD_OBJECT, object_of(c, frame));
	put_numbered_path(c, keys[1], TOLD_FILE, file_of_frame(frame));
	put_short_name(c, keys[2], id, function->told ? NULL : text.s);
	function->told = true;
}

static void put_costs(struct callgrind *c, uint32_t line, const uint64_t *costs)
{
	wp_writer_printf(c->out, "%" PRIu32, line);
	for (size_t i = 0; i < c->n_columns; i++)
		wp_writer_printf(c->out, " %" PRIu64, costs[i]);
	wp_writer_puts(c->out, "\n");
}

static void put_body(struct callgrind *c, uint32_t id)
{
	static const char *const own[] = {"ob", "fl", "fn"}, *const called[] = {"cob", "cfi",
										"cfn"};
	const struct function *function = &c->functions.v[id];

	wp_writer_puts(c->out, "\n");
	put_callgrind_function(c, id, own);
	wp_vec_each (uint32_t, at, &function->costs)
		put_costs(c, c->costs.v[*at].line, &c->own.v[*at * c->n_columns]);
	wp_vec_each (uint32_t, at, &function->calls) {
		const struct call *call = &c->calls.v[*at];
		uint32_t callee = c->functions.v[call->callee].frame;

		put_callgrind_function(c, call->callee, called);
		wp_writer_printf(c->out, "calls=%" PRIu64 " %" PRIu32 "\n", call->samples,
				 c->profile->frames.v[callee].first_line);
		put_costs(c, call->line, &c->below.v[*at * c->n_columns]);
	}
}

/* Names are words: what is between them is blank. */
static void put_column_name(struct callgrind *c, const char *name)
{
	for (const char *at = name; *at; at++)
		wp_writer_put(c->out, (unsigned char)*at <= ' ' ? "_" : at, 1);
}

static void put_callgrind_events(struct callgrind *c)
{
	wp_writer_puts(c->out, "events:");
	wp_vec_each (struct wp_profile_event, event, &c->profile->events) {
		wp_writer_puts(c->out, " ");
		put_column_name(c, event->name);
	}
	wp_vec_each (struct wp_profile_measure, measure, &c->profile->measures) {
		wp_writer_puts(c->out, " ");
		put_column_name(c, measure->name);
	}
	wp_writer_puts(c->out, "\n");
}

static void put_unit(struct callgrind *c, const char *name, const char *unit)
{
	wp_writer_puts(c->out, "desc: ");
	put_column_name(c, name);
	wp_writer_printf(c->out, ": %s\n", unit);
}

static void put_callgrind_head(struct callgrind *c)
{
	wp_writer_puts(c->out, "# callgrind format\nversion: 1\ncreator: wperf\ncmd: ");
	put_plain(c, c->profile->command);
	wp_writer_puts(c->out, "\n");
	wp_vec_each (struct wp_profile_event, event, &c->profile->events)
		if (event->is_time)
			put_unit(c, event->name, "nanoseconds");
	wp_vec_each (struct wp_profile_measure, measure, &c->profile->measures)
		put_unit(c, measure->name, measure->level ? "samples" : measure->unit);
	wp_writer_puts(c->out, "positions: line\n");
	put_callgrind_events(c);
}

static void put_totals(struct callgrind *c)
{
	wp_autofree uint64_t *totals = wp_calloc(c->n_columns + 1, sizeof(*totals));

	for (size_t i = 0; i < c->own.n; i++)
		totals[i % c->n_columns] += c->own.v[i];
	wp_writer_puts(c->out, "\ntotals:");
	for (size_t i = 0; i < c->n_columns; i++)
		wp_writer_printf(c->out, " %" PRIu64, totals[i]);
	wp_writer_puts(c->out, "\n");
}

static void deinit_callgrind(struct callgrind *c)
{
	wp_vec_each (struct function, function, &c->functions) {
		wp_vec_deinit(&function->costs);
		wp_vec_deinit(&function->calls);
	}
	wp_map_deinit(&c->function_of);
	wp_strpool_deinit(&c->identities);
	wp_vec_deinit(&c->functions);
	wp_map_deinit(&c->cost_of);
	wp_vec_deinit(&c->costs);
	wp_map_deinit(&c->pair_of);
	wp_map_deinit(&c->call_of);
	wp_vec_deinit(&c->calls);
	wp_vec_deinit(&c->own);
	wp_vec_deinit(&c->below);
	wp_strpool_deinit(&c->names);
	wp_vec_deinit(&c->told);
	wp_vec_deinit(&c->path);
}

/* What is measured of samples whose calls were counted. */
static void add_measures(struct callgrind *c)
{
	struct wp_stack_sums sums;

	wp_stack_sums_make(c->profile, WP_SUM_BY_MEASURE, &sums);
	wp_vec_each (struct wp_stack_sum, sum, &sums.sums) {
		struct wp_stack_sum column = *sum;

		column.of += (uint32_t)c->profile->events.n;
		column.samples = 0;
		add_callgrind_stack(c, &column);
	}
	wp_stack_sums_deinit(&sums);
}

static void render_callgrind(const struct wp_profile *profile, struct wp_writer *out)
{
	struct callgrind c = {.profile = profile,
			      .out = out,
			      .n_columns = profile->events.n + profile->measures.n};
	struct wp_stack_sums sums;

	wp_stack_sums_make(profile, WP_SUM_BY_EVENT, &sums);
	wp_vec_each (struct wp_stack_sum, sum, &sums.sums)
		add_callgrind_stack(&c, sum);
	wp_stack_sums_deinit(&sums);
	add_measures(&c);
	put_callgrind_head(&c);
	for (uint32_t i = 0; i < c.functions.n; i++)
		put_body(&c, i);
	put_totals(&c);
	deinit_callgrind(&c);
}

const struct wp_export_ops wp_export_callgrind = {
	.name = "callgrind",
	.suffix = ".callgrind.out",
	.text = "functions, lines and calls: KCachegrind, callgrind_annotate",
	.render = render_callgrind,
};
