/* SPDX-License-Identifier: BSD-3-Clause */
/* thread_shares: see thread_shares.h. */
#include "aggregate/thread_shares.h"

#include "base/keyed.h"
#include "core/python_plan.h"

#include <inttypes.h>
#include <stdlib.h>

static void count_thread_share(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_thread_shares *shares = (struct wp_thread_shares *)sink;
	const struct wp_record *record = sample->record;
	struct wp_thread_shares_event *event;
	struct wp_thread_share *thread;

	while (shares->events.n <= record->sample.event)
		wp_vec_push(&shares->events, (struct wp_thread_shares_event){0});
	event = &shares->events.v[record->sample.event];
	thread = wp_keyed_put(&event->threads, &event->by_tid, record->tid,
			      (struct wp_thread_share){.pid = record->pid, .tid = record->tid});
	event->weight += record->sample.period;
	thread->samples++;
	thread->weight += record->sample.period;
	thread->python += sample->n_python > 0;
	if (sample->thread & WP_PYTHON_GIL_KNOWN) {
		thread->gil_known++;
		thread->gil_held += (sample->thread & WP_PYTHON_GIL_HELD) != 0;
	}
}

struct wp_sink *wp_thread_shares_sink(struct wp_thread_shares *shares)
{
	static const struct wp_sink_ops ops = {.sample = count_thread_share};

	shares->sink = (struct wp_sink){.ops = &ops};
	return &shares->sink;
}

static int compare_thread_shares(const void *a, const void *b)
{
	const struct wp_thread_share *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	return (x->tid > y->tid) - (x->tid < y->tid);
}

void wp_thread_shares_sort(struct wp_thread_shares *shares)
{
	wp_vec_each (struct wp_thread_shares_event, event, &shares->events)
		if (event->threads.n)
			qsort(event->threads.v, event->threads.n, sizeof(*event->threads.v),
			      compare_thread_shares);
}

void wp_thread_shares_deinit(struct wp_thread_shares *shares)
{
	wp_vec_each (struct wp_thread_shares_event, event, &shares->events) {
		wp_map_deinit(&event->by_tid);
		wp_vec_deinit(&event->threads);
	}
	wp_vec_deinit(&shares->events);
}

static struct wp_table *begin_shares(struct wp_doc *doc, struct wp_node *parent, bool data)
{
	struct wp_table *table = wp_doc_table(doc, parent, "threads");

	parent->last->only = data ? WP_DATA_ONLY : WP_TEXT_ONLY;
	wp_table_share_column(table, "share");
	wp_table_column(table, "count", WP_ALIGN_RIGHT);
	wp_table_column(table, "python", WP_ALIGN_RIGHT);
	wp_table_column(table, data ? "gil_held" : "gil", WP_ALIGN_RIGHT);
	if (data) {
		wp_table_column(table, "thread", WP_ALIGN_LEFT);
		wp_table_column(table, "tid", WP_ALIGN_RIGHT);
		wp_table_column(table, "pid", WP_ALIGN_RIGHT);
	} else {
		wp_table_symbol_column(table, "thread", WP_ALIGN_RAGGED);
	}
	return table;
}

static void put_share(struct wp_doc *doc, struct wp_table *table,
		      const struct wp_thread_names *names, const struct wp_thread_share *thread,
		      uint64_t whole, bool data)
{
	const char *name = wp_thread_names_get(names, thread->tid);
	struct wp_cell cells[7] = {
		wp_cell_real(wp_percent(thread->weight, whole), 2),
		wp_cell_number(thread->samples),
		wp_cell_number(thread->python),
	};

	if (thread->gil_known)
		cells[3] = wp_cell_real(wp_percent(thread->gil_held, thread->gil_known), 0);
	if (data) {
		cells[4] = wp_cell_str(wp_arena_strdup(&doc->arena, name ? name : ""));
		cells[5] = wp_cell_number(thread->tid);
		cells[6] = wp_cell_number(thread->pid);
	} else {
		cells[4] = wp_cell_str(wp_thread_names_text(names, thread->tid, &doc->arena));
	}
	wp_table_add(table, cells);
}

static void put_shares(struct wp_doc *doc, struct wp_node *parent,
		       const struct wp_thread_shares_report *report,
		       const struct wp_thread_shares_event *event, bool data)
{
	uint64_t limit = data ? report->rows : report->text_rows, n = event->threads.n;
	struct wp_table *table = begin_shares(doc, parent, data);

	for (uint64_t i = 0; i < n && i < limit; i++)
		put_share(doc, table, report->names, &event->threads.v[i], event->weight, data);
	if (!data && n > limit)
		wp_doc_prose(doc, parent, "        %" PRIu64 " more %s\n", n - limit,
			     n - limit == 1 ? "thread" : "threads");
}

void wp_thread_shares_doc(struct wp_doc *doc, struct wp_node *parent,
			  const struct wp_thread_shares_report *report, uint32_t event,
			  const char *name)
{
	static const struct wp_thread_shares_event none;
	const struct wp_thread_shares_event *of =
		event < report->shares->events.n ? &report->shares->events.v[event] : &none;

	put_shares(doc, parent, report, of, true);
	if (!of->threads.n)
		return;
	wp_doc_prose(doc, parent,
		     "\n======================== threads: %s ========================\n", name);
	put_shares(doc, parent, report, of, false);
}
