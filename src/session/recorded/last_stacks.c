/* SPDX-License-Identifier: BSD-3-Clause */
/* last_stacks: see last_stacks.h. */
#include "session/recorded/last_stacks.h"

#include <stdio.h>
#include <stdlib.h>

static struct wp_last_stack *last_of_thread(struct wp_last_stacks *last, uint32_t pid, uint32_t tid)
{
	uint64_t *at = wp_map_put(&last->thread_of, (uint64_t)pid << 32 | tid);

	if (!*at) {
		wp_vec_push(&last->threads, (struct wp_last_stack){.pid = pid, .tid = tid});
		*at = last->threads.n;
	}
	return &last->threads.v[*at - 1];
}

static void keep_last_frames(const struct wp_last_stacks *last, const struct wp_sample *sample,
			     struct wp_last_stack *thread)
{
	thread->frames.n = 0;
	for (size_t i = 0; i < last->places.at.n; i++) {
		const struct wp_frame *frame = &sample->frames[i];
		bool python = frame->kind == WP_FRAME_PYTHON;

		if (!frame->is_trampoline && (python ? last->python : last->native))
			wp_vec_push(&thread->frames,
				    (struct wp_last_frame){last->places.at.v[i], frame->kind,
							   frame->ip});
	}
}

static void take_last_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_last_stacks *last = (struct wp_last_stacks *)sink;
	const struct wp_record *record = sample->record;
	struct wp_last_stack *thread;

	switch (wp_frame_places_find(&last->places, last->s->resolver, &last->filter, sample)) {
	case WP_FRAMES_FILTERED: return;
	case WP_FRAMES_NO_ROOM: last->left_out++; return;
	default: break;
	}
	thread = last_of_thread(last, record->pid, record->tid);
	last->end_ns = record->time_ns > last->end_ns ? record->time_ns : last->end_ns;
	if (record->time_ns < thread->time_ns)
		return;
	thread->time_ns = record->time_ns;
	thread->exit_ns = 0;
	thread->event = record->sample.event;
	thread->weight = record->sample.period;
	thread->is_wait = sample->is_wait;
	thread->has_stack = sample->has_stack;
	thread->end = sample->end;
	thread->python = last->python ? sample->thread : 0;
	keep_last_frames(last, sample, thread);
}

static void take_last_exit(struct wp_sink *sink, const struct wp_record *record)
{
	struct wp_last_stacks *last = (struct wp_last_stacks *)sink;
	const uint64_t *at;

	if (record->kind != WP_RECORD_EXIT)
		return;
	at = wp_map_get(&last->thread_of, (uint64_t)record->pid << 32 | record->tid);
	if (at)
		last->threads.v[*at - 1].exit_ns = record->time_ns;
}

void wp_last_stacks_attach(struct wp_last_stacks *last, struct wp_sampling *s)
{
	static const struct wp_sink_ops ops = {.record = take_last_exit,
					       .sample = take_last_sample};

	last->s = s;
	last->sink = (struct wp_sink){.ops = &ops, .wants = WP_SAMPLE_STACK | WP_SAMPLE_IDLE};
	wp_sampling_attach(s, &last->sink);
}

static int compare_last_stacks(const void *a, const void *b)
{
	const struct wp_last_stack *x = a, *y = b;

	return x->pid != y->pid ? (x->pid > y->pid) - (x->pid < y->pid)
				: (x->tid > y->tid) - (x->tid < y->tid);
}

static void list_last_frames(struct wp_last_stacks *last, const struct wp_last_stack *thread)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(last->s->resolver);

	last->frames.n = 0;
	wp_vec_each (const struct wp_last_frame, at, &thread->frames) {
		const struct wp_frame_place *place = &last->places.places.v[at->place];

		for (uint32_t j = place->n; j-- > 0;) {
			bool placeless = j > 0 || at->kind == WP_FRAME_PYTHON;
			const struct wp_frame_point *point =
				&last->places.points.v[place->first + j];

			wp_vec_push(&last->frames,
				    wp_dump_frame_of(set, &point->frame, placeless ? 0 : at->ip.v));
		}
	}
}

static void put_last_process(struct wp_last_stacks *last, uint32_t pid, struct wp_dump_doc *dump)
{
	const char *name = wp_thread_names_comm(&last->s->python.threads, pid);
	struct wp_dump_process process = {.pid = pid, .name = name ? name : "?"};

	wp_dump_doc_process(dump, &process);
}

static void put_last_stack(struct wp_last_stacks *last, const struct wp_last_stack *thread,
			   struct wp_dump_doc *dump)
{
	const struct wp_event_set *set = wp_sampling_shown(last->s);
	const char *name = wp_thread_names_get(&last->s->python.threads, thread->tid);
	struct wp_instant at = {.pid = thread->pid, .tid = thread->tid, .has_place = true};
	struct wp_dump_seen seen = {
		.event = set->events.v[thread->event].name,
		.before_end_ns = last->end_ns - thread->time_ns,
		.waited_ns = thread->is_wait ? thread->weight : 0,
	};
	struct wp_dump_thread put = {
		.at = &at,
		.seen = &seen,
		.has_native = thread->has_stack && last->native,
		.end = thread->end,
		.python = thread->python,
	};

	snprintf(at.name, sizeof(at.name), "%s", name ? name : "");
	list_last_frames(last, thread);
	put.frames = last->frames.v;
	put.n = last->frames.n;
	wp_dump_doc_thread(dump, &put);
}

void wp_last_stacks_put(struct wp_last_stacks *last, struct wp_dump_doc *dump)
{
	const struct wp_last_stack *before = NULL;

	dump->recorded = true;
	if (last->threads.n)
		qsort(last->threads.v, last->threads.n, sizeof(*last->threads.v),
		      compare_last_stacks);
	wp_vec_each (const struct wp_last_stack, thread, &last->threads) {
		if (thread->exit_ns && thread->exit_ns < last->end_ns)
			continue;
		if (!before || before->pid != thread->pid)
			put_last_process(last, thread->pid, dump);
		put_last_stack(last, thread, dump);
		before = thread;
	}
}

void wp_last_stacks_deinit(struct wp_last_stacks *last)
{
	wp_vec_each (struct wp_last_stack, thread, &last->threads)
		wp_vec_deinit(&thread->frames);
	wp_vec_deinit(&last->threads);
	wp_vec_deinit(&last->frames);
	wp_map_deinit(&last->thread_of);
	wp_frame_places_deinit(&last->places);
}
