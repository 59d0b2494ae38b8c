/* sampling_python: see sampling_python.h. */
#include "session/sampling_python.h"

#include "session/sampling.h"

#include <stdlib.h>
#include <string.h>

void wp_sampling_python_deinit(struct wp_sampling_python *python)
{
	wp_python_feed_deinit(&python->feed);
	free(python->refusal);
	wp_spots_deinit(&python->spots);
	wp_thread_names_deinit(&python->threads);
	wp_python_source_deinit(&python->source);
	wp_vec_deinit(&python->frames);
	wp_vec_deinit(&python->spot_frames);
	wp_woven_deinit(&python->woven);
	wp_vec_deinit(&python->places);
}

static const struct wp_stack_raw *raw_of(const struct wp_record *sample)
{
	static const struct wp_stack_raw none;

	return sample->sample.stack ? sample->sample.stack : &none;
}

/* One entry per slot; those of marks and threads say nothing. */
static void resolve_frames(struct wp_sampling *s, const struct wp_record *sample)
{
	struct wp_sampling_python *python = &s->python;
	const struct wp_stack_raw *raw = raw_of(sample);
	uint32_t plan = 0;

	python->frames.n = 0;
	for (size_t i = 0; i < raw->n_python; i++) {
		const struct wp_python_slot *slot = &raw->python[i];
		struct wp_python_frame frame = {.symbol = WP_PYTHON_UNRESOLVED};

		if (slot->lasti == WP_PYTHON_THREAD) {
			plan = WP_PYTHON_THREAD_PLAN(slot->id);
		} else if (slot->lasti != WP_PYTHON_MARK) {
			frame = wp_python_feed_frame(&python->feed, sample->pid, plan, slot);
			if (frame.symbol == WP_PYTHON_UNRESOLVED)
				frame.symbol = wp_resolver_python_unknown(s->resolver);
		}
		wp_vec_push(&python->frames, frame);
	}
}

/* A chain that is none says less than any other one. */
static int badness(enum wp_python_end end)
{
	switch (end) {
	case WP_PYTHON_NO_THREAD: return -2;
	case WP_PYTHON_NO_FRAME: return -1;
	default: return (int)end;
	}
}

/*
 * In a process with two libpythons the thread may be one of either's only; of those of its thread
 * states that are in other interpreters, some run nothing.
 */
static enum wp_python_end worst_end(const struct wp_stack_raw *raw, uint32_t *ret_id)
{
	enum wp_python_end worst = WP_PYTHON_NO_THREAD;

	for (size_t i = 0; i < raw->n_python; i++) {
		enum wp_python_end end =
			(enum wp_python_end)WP_PYTHON_THREAD_END(raw->python[i].id);

		if (raw->python[i].lasti != WP_PYTHON_THREAD || end == WP_PYTHON_NO_THREAD)
			continue;
		if (badness(end) > badness(worst))
			worst = end;
		*ret_id |= raw->python[i].id & ~0xffffu;
	}
	return worst;
}

static enum wp_spot_gil gil_of(uint32_t id)
{
	if (!(id & WP_PYTHON_GIL_KNOWN))
		return WP_SPOT_GIL_UNKNOWN;
	return id & WP_PYTHON_GIL_HELD ? WP_SPOT_GIL_HELD : WP_SPOT_GIL_RELEASED;
}

void wp_sampling_count_spots(struct wp_sampling *s, const struct wp_record *sample, uint32_t id)
{
	struct wp_sampling_python *python = &s->python;
	struct wp_spot_sample add = {
		.event = sample->sample.event,
		.thread = s->options->threads ? sample->tid : 0,
		.gil = gil_of(id),
		.period = sample->sample.period,
		.frames = python->spot_frames.v,
		.n = python->spot_frames.n,
	};

	python->spots.symbols = wp_resolver_symbols(s->resolver);
	wp_spots_add(&python->spots, &add);
}

bool wp_sampling_shows_frame(const struct wp_sampling_python *python,
			     const struct wp_stack_raw *raw, size_t i)
{
	return raw->python[i].lasti != WP_PYTHON_THREAD && raw->python[i].lasti != WP_PYTHON_MARK &&
	       python->frames.v[i].symbol != WP_PYTHON_HIDDEN;
}

static void list_spots(struct wp_sampling_python *python, const struct wp_stack_raw *raw)
{
	python->spot_frames.n = 0;
	for (size_t i = 0; i < python->frames.n; i++)
		if (wp_sampling_shows_frame(python, raw, i))
			wp_vec_push(&python->spot_frames,
				    (struct wp_spot_frame){python->frames.v[i].symbol,
							   python->frames.v[i].line});
}

void wp_sampling_count_tasks(struct wp_sampling_python *python, uint32_t thread)
{
	python->counts.tasks_unknown += (thread & WP_PYTHON_TASKS_UNKNOWN) != 0;
	python->counts.tasks_cut += (thread & WP_PYTHON_TASKS_CUT) != 0;
}

/* A sample without any word of a walker. */
static void count_absent(struct wp_sampling_python *python)
{
	python->counts.lost += python->expected == WP_PYTHON_EXPECTED;
	python->counts.early += python->expected == WP_PYTHON_EARLY;
}

void wp_sampling_add_python(struct wp_sampling *s, const struct wp_record *sample)
{
	const struct wp_stack_raw *raw = raw_of(sample);
	struct wp_sampling_python *python = &s->python;
	enum wp_python_end end;
	uint32_t id = 0;

	if (python->feed.mode.way == WP_PYTHON_OFF)
		return;
	wp_python_feed_sample(&python->feed, sample);
	resolve_frames(s, sample);
	end = worst_end(raw, &id);
	python->thread = id | (uint32_t)WP_PYTHON_THREAD_ID(0, end);
	python->expected = WP_PYTHON_NOT_EXPECTED;
	if (raw->n_python)
		python->counts.ends[end]++;
	else
		python->expected = wp_python_feed_expects(&python->feed, sample);
	wp_sampling_count_tasks(python, id);
	count_absent(python);
	list_spots(python, raw);
	wp_sampling_count_spots(s, sample, id);
	python->counts.with_frames += python->spot_frames.n > 0;
	python->counts.samples += raw->n_python > 0;
}

static uint32_t place_of(struct wp_sampling *s, const struct wp_woven_frame *frame,
			 const uint32_t *places)
{
	if (frame->kind == WP_WOVEN_NATIVE)
		return places[frame->index];
	return wp_callgraph_place(&s->graph, s->python.frames.v[frame->index].symbol,
				  (struct wp_rva){0});
}

/*
 * Code outside of files that called the evaluation loop itself: CPython's piece for one function
 * (-X perf), whose name may not be published yet. It says what the Python frame next to it says.
 */
static bool is_trampoline(struct wp_sampling *s, const struct wp_woven_frame *frame,
			  const uint32_t *places)
{
	const struct wp_symbol *symbol;
	uint32_t place;

	if (s->options->interpreter_frames || frame->kind != WP_WOVEN_NATIVE ||
	    frame[-1].kind != WP_WOVEN_PYTHON)
		return false;
	place = places[frame->index];
	if (place >= s->graph.places.n)
		return false;
	symbol = &wp_resolver_symbols(s->resolver)->symbols.v[s->graph.places.v[place].symbol];
	return symbol->kind == WP_SYMBOL_JIT &&
	       (!symbol->name || strncmp(symbol->name, "py::", 4) == 0);
}

/* Frames that no traceback shows have had their part in the weaving: they have marks. */
static void drop_hidden(struct wp_sampling_python *python)
{
	struct wp_woven *woven = &python->woven;
	size_t n = 0;

	for (size_t i = 0; i < woven->n; i++)
		if (woven->frames[i].kind != WP_WOVEN_PYTHON ||
		    python->frames.v[woven->frames[i].index].symbol != WP_PYTHON_HIDDEN)
			woven->frames[n++] = woven->frames[i];
	woven->n = n;
}

void wp_sampling_weave(struct wp_sampling *s, const struct wp_record *sample,
		       const struct wp_stack *stack, const uint32_t *places)
{
	struct wp_sampling_python *python = &s->python;
	const struct wp_stack_raw *raw = raw_of(sample);
	struct wp_python_evals evals = wp_python_feed_evals(&python->feed, sample->pid);

	wp_python_weave(stack, raw->python, raw->n_python, &evals, s->options->interpreter_frames,
			&python->woven);
	drop_hidden(python);
	python->unbound += python->woven.unbound;
	python->missing += python->woven.missing;
	python->places.n = 0;
	for (size_t i = 0; i < python->woven.n; i++)
		if (!i || !is_trampoline(s, &python->woven.frames[i], places))
			wp_vec_push(&python->places, place_of(s, &python->woven.frames[i], places));
	wp_callgraph_add(&s->graph, sample->sample.event, python->places.v, python->places.n,
			 sample->sample.period, stack->end);
}

static const char *source_line(void *arg, const char *file, uint32_t line)
{
	struct wp_sampling *s = arg;

	return s->setup.replay ? wp_replay_pytext(s->setup.replay, file, line)
			       : wp_python_source_line(&s->python.source, file, line);
}

static enum wp_spots_by sorted_by(const struct wp_session_options *options)
{
	if (!options->sort_by)
		return WP_SPOTS_BY_DEFAULT;
	return strcmp(options->sort_by, "total") == 0 ? WP_SPOTS_BY_TOTAL : WP_SPOTS_BY_SELF;
}

bool wp_sampling_python_report(struct wp_sampling *s, struct wp_python_report *ret)
{
	struct wp_sampling_python *python = &s->python;

	if (!python->feed.met)
		return false;
	wp_spots_sort(&python->spots, sorted_by(s->options));
	python->counts.samples += python->counts.lost + python->counts.early;
	python->counts.unresolved = python->feed.unresolved;
	*ret = (struct wp_python_report){
		.transport = s->recorded.on ? s->recorded.transport
					    : wp_python_mode_name(python->feed.mode.way),
		.spots = &python->spots,
		.symbols = wp_resolver_symbols(s->resolver),
		.counts = python->counts,
		.threads = s->options->threads ? &python->threads : NULL,
		.rows = s->options->display_rows,
		.text_rows = s->options->display_rows_given ? s->options->display_rows
							    : WP_PYTHON_TEXT_ROWS,
		.native_first = s->options->native_first,
		.symbol_filter = s->options->symbol_filter,
		.source = source_line,
		.source_arg = s,
	};
	return true;
}
