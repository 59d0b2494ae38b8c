/* SPDX-License-Identifier: BSD-3-Clause */
/* traced_python: see traced_python.h. */
#include "session/recorded/traced_python.h"

#include "aggregate/mem_access.h"
#include "base/mem.h"
#include "base/str.h"
#include "resolve/resolver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define HELD_MOST     ((size_t)1 << 17)	 /* some 40 MB */
#define RETIRED	      (UINT64_C(1) << 1) /* an event of Arm SPE: the operation was not undone */
#define IS_LOOP	      1
#define IS_OTHER_CODE 2

struct held {
	struct wp_record record;
	struct wp_sample_data data;
	uint32_t symbol;
	struct wp_rva rva;
};

/* Where a thread was seen. */
struct sight {
	bool known; /* in a Python frame: */
	struct wp_spot_frame frame;
};

struct wp_traced_thread {
	struct sight before;
	WP_VEC(struct held) held; /* since then */
};

void wp_traced_python_init(struct wp_traced_python *traced, struct wp_sink *to,
			   struct wp_resolver *resolver, const struct wp_recording_notes *notes)
{
	*traced = (struct wp_traced_python){
		.to = to,
		.resolver = resolver,
		.held_most = HELD_MOST,
	};
	wp_python_places_init(&traced->places, notes);
}

void wp_traced_python_deinit(struct wp_traced_python *traced)
{
	wp_vec_each (struct wp_traced_thread *, thread, &traced->threads) {
		wp_vec_deinit(&(*thread)->held);
		free(*thread);
	}
	wp_vec_deinit(&traced->threads);
	wp_map_deinit(&traced->thread_of);
	wp_map_deinit(&traced->seen);
	wp_map_deinit(&traced->loops);
	wp_map_deinit(&traced->symbol_of);
	wp_python_places_deinit(&traced->places);
	*traced = (struct wp_traced_python){0};
}

static struct wp_traced_thread *traced_thread_of(struct wp_traced_python *traced,
						 const struct wp_record *record)
{
	uint64_t *index = wp_map_put(&traced->thread_of, (uint64_t)record->pid << 32 | record->tid);

	if (!*index) {
		wp_vec_push(&traced->threads, wp_calloc(1, sizeof(struct wp_traced_thread)));
		*index = traced->threads.n;
	}
	return traced->threads.v[*index - 1];
}

/* A compiler may have put parts of it elsewhere, or have made a function of each opcode. */
static bool is_loop_name(const char *name)
{
	static const char loop[] = "_PyEval_EvalFrameDefault";
	char behind;

	if (!name)
		return false;
	if (wp_str_has_prefix(name, "_TAIL_CALL_") || strcmp(name, "PyEval_EvalFrameEx") == 0)
		return true;
	if (!wp_str_has_prefix(name, loop))
		return false;
	behind = name[sizeof(loop) - 1];
	return !behind || behind == '.';
}

static bool is_in_loop(struct wp_traced_python *traced, uint32_t symbol)
{
	uint64_t *known = wp_map_put(&traced->loops, symbol);

	if (!*known)
		*known = is_loop_name(wp_resolver_symbol_of(traced->resolver, symbol)->raw)
				 ? IS_LOOP
				 : IS_OTHER_CODE;
	return *known == IS_LOOP;
}

static uint32_t symbol_of_told(struct wp_traced_python *traced,
			       const struct wp_recording_function *function)
{
	uint64_t *symbol = wp_map_put(&traced->symbol_of, function->number);

	if (!*symbol)
		*symbol = wp_resolver_python_symbol(traced->resolver, function->name,
						    function->file, function->first_line) +
			  UINT64_C(1);
	return (uint32_t)(*symbol - 1);
}

static bool loads_unit(struct wp_traced_python *traced, const struct wp_sample *sample,
		       struct wp_python_unit *ret)
{
	const struct wp_record *record = sample->record;
	const struct wp_sample_data *data = record->sample.data;
	struct wp_mem_access access;

	return record->sample.mode == WP_MODE_USER && data->has & WP_DATA_ADDR &&
	       data->operation.events & RETIRED && wp_mem_access_read(data, &access) &&
	       access.load && !access.store && is_in_loop(traced, sample->symbol) &&
	       wp_python_places_find(&traced->places, record->pid, data->addr, record->time_ns,
				     ret);
}

static void hand_on(struct wp_traced_python *traced, const struct wp_sample *sample,
		    enum wp_traced_how how, struct wp_spot_frame frame,
		    struct wp_stack_instruction at)
{
	struct wp_sample told = *sample;

	traced->counts[how]++;
	told.python = &frame;
	told.n_python = 1;
	told.instruction = at;
	traced->to->ops->sample(traced->to, &told);
}

static void hand_on_between(struct wp_traced_python *traced, const struct wp_sample *sample)
{
	struct wp_spot_frame frame = {
		.symbol = wp_resolver_python_symbol(traced->resolver, WP_TRACED_BETWEEN_NAME,
						    WP_TRACED_BETWEEN_NAME, 0),
	};

	hand_on(traced, sample, WP_TRACED_BETWEEN, frame, (struct wp_stack_instruction){0});
}

static enum wp_traced_how agree(const struct sight *a, const struct sight *b)
{
	if (!a->known || !b->known || a->frame.symbol != b->frame.symbol)
		return WP_TRACED_BETWEEN;
	return a->frame.line && a->frame.line == b->frame.line ? WP_TRACED_LINE
							       : WP_TRACED_FUNCTION;
}

static void release_one(struct wp_traced_python *traced, struct held *held, enum wp_traced_how how,
			const struct sight *sight)
{
	struct wp_sample sample = {
		.record = &held->record, .symbol = held->symbol, .rva = held->rva};
	struct wp_spot_frame frame = sight->frame;

	held->record.sample.data = &held->data;
	if (how == WP_TRACED_BETWEEN) {
		hand_on_between(traced, &sample);
		return;
	}
	if (how == WP_TRACED_FUNCTION)
		frame.line = 0;
	hand_on(traced, &sample, how, frame, (struct wp_stack_instruction){0});
}

/* The thread was seen, or will not be seen again. */
static void release_held(struct wp_traced_python *traced, struct wp_traced_thread *thread,
			 const struct sight *sight)
{
	enum wp_traced_how how = agree(&thread->before, sight);

	wp_vec_each (struct held, held, &thread->held)
		release_one(traced, held, how, sight);
	traced->held -= thread->held.n;
	thread->held.n = 0;
	thread->before = *sight;
}

static void see_thread(struct wp_traced_python *traced, const struct wp_record *record,
		       struct sight sight)
{
	if (sight.known)
		*wp_map_put(&traced->seen, record->pid) = 1;
	release_held(traced, traced_thread_of(traced, record), &sight);
}

/* All of one thread at once, so that nothing is done for each sample that finds no room. */
static void release_most(struct wp_traced_python *traced, struct wp_traced_thread *thread)
{
	static const struct sight nowhere;

	if (traced->held < traced->held_most)
		return;
	wp_vec_each (struct wp_traced_thread *, other, &traced->threads)
		if ((*other)->held.n > thread->held.n)
			thread = *other;
	traced->beyond += thread->held.n;
	release_held(traced, thread, &nowhere);
}

static void hold(struct wp_traced_python *traced, struct wp_traced_thread *thread,
		 const struct wp_sample *sample)
{
	struct held held = {
		.record = *sample->record,
		.data = *sample->record->sample.data,
		.symbol = sample->symbol,
		.rva = sample->rva,
	};

	held.record.sample.stack = NULL;
	held.record.sample.payload = NULL;
	held.record.sample.payload_bytes = 0;
	release_most(traced, thread);
	wp_vec_push(&thread->held, held);
	traced->held++;
}

static void take_operation(struct wp_traced_python *traced, const struct wp_sample *sample)
{
	const struct wp_record *record = sample->record;
	struct wp_traced_thread *thread = traced_thread_of(traced, record);
	struct wp_python_unit unit;

	if (loads_unit(traced, sample, &unit)) {
		struct sight sight = {true, {symbol_of_told(traced, unit.function), unit.line}};

		see_thread(traced, record, sight);
		hand_on(traced, sample, WP_TRACED_EXACT, sight.frame, unit.at);
	} else if (thread->before.known) {
		hold(traced, thread, sample);
	} else if (wp_python_places_has(&traced->places, record->pid) ||
		   wp_map_get(&traced->seen, record->pid)) {
		hand_on_between(traced, sample);
	} else {
		traced->to->ops->sample(traced->to, sample);
	}
}

/* Whose frames were lost, or read late, says nothing about where the thread was. */
static void take_walked_sample(struct wp_traced_python *traced, const struct wp_sample *sample)
{
	struct sight sight = {.known = sample->n_python > 0};
	enum wp_python_end end = (enum wp_python_end)WP_PYTHON_THREAD_END(sample->thread);

	if (sample->word != WP_PYTHON_WALKED || sample->is_wait ||
	    (end != WP_PYTHON_COMPLETE && end != WP_PYTHON_NO_FRAME && end != WP_PYTHON_NO_THREAD))
		return;
	if (sight.known)
		sight.frame = sample->python[0];
	see_thread(traced, sample->record, sight);
}

static void take_traced_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_traced_python *traced = (struct wp_traced_python *)sink;
	const struct wp_sample_data *data = sample->record->sample.data;

	if (data && data->has & WP_DATA_OPERATION) {
		take_operation(traced, sample);
		return;
	}
	take_walked_sample(traced, sample);
	traced->to->ops->sample(traced->to, sample);
}

static void take_traced_record(struct wp_sink *sink, const struct wp_record *record)
{
	struct wp_traced_python *traced = (struct wp_traced_python *)sink;

	if (traced->to->ops->record)
		traced->to->ops->record(traced->to, record);
}

struct wp_sink *wp_traced_python_sink(struct wp_traced_python *traced)
{
	static const struct wp_sink_ops ops = {.record = take_traced_record,
					       .sample = take_traced_sample};

	if (!traced->places.notes)
		return traced->to;
	traced->sink = (struct wp_sink){.ops = &ops, .wants = traced->to->wants | WP_SAMPLE_DATA};
	return &traced->sink;
}

void wp_traced_python_end(struct wp_traced_python *traced)
{
	static const struct sight nowhere;

	wp_vec_each (struct wp_traced_thread *, thread, &traced->threads)
		release_held(traced, *thread, &nowhere);
}

void wp_traced_python_note(const struct wp_traced_python *traced, struct wp_doc *doc,
			   struct wp_node *parent)
{
	static const char *const names[] = {"exact", "agreed_line", "agreed_function", "between"};
	struct wp_node *object;
	double all = 0;

	_Static_assert(WP_ARRAY_LEN(names) == WP_TRACED_HOWS, "a name for each");
	for (size_t i = 0; i < WP_TRACED_HOWS; i++)
		all += (double)traced->counts[i];
	if (all == 0)
		return;
	object = wp_doc_object(doc, parent, "python_operations");
	for (size_t i = 0; i < WP_TRACED_HOWS; i++)
		wp_doc_int(doc, object, names[i], (int64_t)traced->counts[i]);
	wp_doc_prose(doc, doc->root,
		     "\nnote: Python lines of operations: %.1f %% exact (they load the code that "
		     "runs), %.1f %% agreed on by what was seen of their thread before and after, "
		     "%.1f %% only their function, %.1f %% between\n",
		     100 * (double)traced->counts[WP_TRACED_EXACT] / all,
		     100 * (double)traced->counts[WP_TRACED_LINE] / all,
		     100 * (double)traced->counts[WP_TRACED_FUNCTION] / all,
		     100 * (double)traced->counts[WP_TRACED_BETWEEN] / all);
}
