/* SPDX-License-Identifier: BSD-3-Clause */
/* stat_runs: see stat_runs.h. */
#include "aggregate/stat_runs.h"

#include "base/clock.h"
#include "base/str.h"

#include <math.h>
#include <stdlib.h>

/* Of some numbers, one after the other (Welford). */
struct spread {
	size_t n;
	double mean, squares;
};

static void add_number(struct spread *spread, double number)
{
	double delta = number - spread->mean;

	spread->n++;
	spread->mean += delta / (double)spread->n;
	spread->squares += delta * (number - spread->mean);
}

static double deviation(const struct spread *spread)
{
	return spread->n > 1 ? sqrt(spread->squares / (double)(spread->n - 1)) : 0;
}

static double deviation_of_mean(const struct spread *spread)
{
	return spread->n ? deviation(spread) / sqrt((double)spread->n) : 0;
}

static double pct_of_mean(const struct spread *spread)
{
	return spread->mean != 0 ? 100 * deviation_of_mean(spread) / spread->mean : 0;
}

void wp_stat_runs_add(struct wp_stat_runs *runs, const struct wp_stat_run *run)
{
	wp_vec_push(&runs->v, *run);
}

void wp_stat_runs_deinit(struct wp_stat_runs *runs)
{
	wp_vec_each (struct wp_stat_run, run, &runs->v)
		wp_stat_rows_deinit(&run->rows);
	wp_vec_deinit(&runs->v);
}

/* The row of a run that stands for what the nth of the first run does; NULL: a CPU that is gone. */
static const struct wp_stat_row *row_in(const struct wp_stat_runs *runs,
					const struct wp_stat_run *run, size_t i)
{
	const struct wp_stat_row *like = &runs->v.v[0].rows.v.v[i];

	wp_vec_each (const struct wp_stat_row, row, &run->rows.v)
		if (row->event == like->event &&
		    wp_stat_place_compare(&row->place, &like->place) == 0)
			return row;
	return NULL;
}

static struct spread spread_of_row(const struct wp_stat_runs *runs, size_t i)
{
	struct spread spread = {0};

	wp_vec_each (const struct wp_stat_run, run, &runs->v) {
		const struct wp_stat_row *row = row_in(runs, run, i);

		if (row && row->kind == WP_CELL_COUNT)
			add_number(&spread, row->count);
	}
	return spread;
}

static struct spread spread_of_time(const struct wp_stat_runs *runs)
{
	struct spread spread = {0};

	wp_vec_each (const struct wp_stat_run, run, &runs->v)
		add_number(&spread, (double)run->elapsed_ns);
	return spread;
}

/* The mean of the nth row. */
static struct wp_stat_row mean_row(const struct wp_stat_runs *runs, size_t i)
{
	struct spread spread = spread_of_row(runs, i);
	const struct wp_stat_row *first = &runs->v.v[0].rows.v.v[i];
	struct wp_stat_row row = {.event = first->event, .place = first->place};

	row.kind = spread.n ? WP_CELL_COUNT : first->kind;
	row.count = spread.mean;
	row.deviation_pct = pct_of_mean(&spread);
	wp_vec_each (const struct wp_stat_run, run, &runs->v) {
		const struct wp_stat_row *one = row_in(runs, run, i);

		row.enabled_ns += one ? one->enabled_ns : 0;
		row.running_ns += one ? one->running_ns : 0;
	}
	row.enabled_ns /= runs->v.n;
	row.running_ns /= runs->v.n;
	return row;
}

void wp_stat_runs_mean(const struct wp_stat_runs *runs, struct wp_stat_rows *ret)
{
	for (size_t i = 0; runs->v.n && i < runs->v.v[0].rows.v.n; i++)
		wp_vec_push(&ret->v, mean_row(runs, i));
	wp_stat_rows_rate(ret, spread_of_time(runs).mean);
}

/* Two digits more than the first one that is not sure, nanoseconds at most. */
static int decimals_of(double sure_to_s)
{
	double digits = sure_to_s > 0 ? ceil(-log10(sure_to_s)) + 2 : 9;

	return digits < 2 ? 2 : digits > 9 ? 9 : (int)digits;
}

/* How far each run is from the mean, with a # more for every 5 percent. */
static void add_runs_table(struct wp_doc *doc, const struct wp_stat_runs *runs, double mean_s,
			   int decimals)
{
	wp_doc_prose(doc, doc->root, "%9s# Table of individual measurements:\n", "");
	wp_vec_each (const struct wp_stat_run, run, &runs->v) {
		double seconds = (double)run->elapsed_ns / (double)WP_NS_PER_S,
		       away = seconds - mean_s;
		wp_autostr struct wp_str bar = {0};

		wp_str_pad(&bar, '#', 1 + (size_t)(seconds > 0 ? fabs(away) / seconds * 20 : 0));
		wp_doc_prose(doc, doc->root, "%9s%.*f (%+.*f) %s\n", "", decimals, seconds,
			     decimals, away, bar.s);
	}
	wp_doc_prose(doc, doc->root, "\n%9s# Final result:\n", "");
}

void wp_stat_runs_text(struct wp_doc *doc, const struct wp_stat_runs *runs,
		       const struct wp_stat_info *info, bool table)
{
	const struct wp_stat_style style = {.deviates = true};
	struct spread time = spread_of_time(runs);
	double mean_s = time.mean / WP_NS_PER_S, sure_s = deviation_of_mean(&time) / WP_NS_PER_S;
	int decimals = decimals_of(sure_s);
	struct wp_stat_rows rows = {0};

	wp_stat_runs_mean(runs, &rows);
	wp_stat_rows_heading(doc, info, runs->v.n);
	wp_stat_rows_text(doc, &rows, &style);
	wp_doc_prose(doc, doc->root, "\n");
	if (table)
		add_runs_table(doc, runs, mean_s, decimals);
	wp_doc_prose(doc, doc->root, "%18.*f +- %.*f seconds time elapsed  ( +- %5.2f%% )\n",
		     decimals, mean_s, decimals, sure_s, pct_of_mean(&time));
	wp_stat_rows_deinit(&rows);
}

/* mean, stddev, deviation_pct; of what `decimals` says. */
static void add_spread(struct wp_doc *doc, struct wp_node *object, const struct spread *spread,
		       double unit, int decimals)
{
	const double none = spread->n ? 0 : NAN; /* null: it was never counted */

	wp_doc_real(doc, object, "mean", spread->mean / unit + none, decimals);
	wp_doc_real(doc, object, "stddev", deviation(spread) / unit + none, decimals);
	wp_doc_real(doc, object, "deviation_pct", pct_of_mean(spread) + none, 3);
}

static void add_place_field(struct wp_doc *doc, struct wp_node *object,
			    const struct wp_stat_place *place)
{
	wp_autostr struct wp_str name = {0};

	if (!place->split)
		return;
	wp_stat_place_name(&name, place);
	if (place->split == WP_SPLIT_CPU)
		wp_doc_int(doc, object, wp_stat_place_key(place->split), place->id);
	else
		wp_doc_str(doc, object, wp_stat_place_key(place->split), name.s);
	if (wp_stat_place_is_many(place))
		wp_doc_int(doc, object, "cpus", (int64_t)place->cpus);
}

static void add_event_spread(struct wp_doc *doc, struct wp_node *events,
			     const struct wp_stat_runs *runs, size_t i)
{
	struct wp_node *object = wp_doc_object(doc, events, NULL), *each;
	const struct wp_event *event = runs->v.v[0].rows.v.v[i].event;
	struct spread spread = spread_of_row(runs, i);

	add_place_field(doc, object, &runs->v.v[0].rows.v.v[i].place);
	wp_doc_str(doc, object, "event_name", event->name);
	if (event->cgroup)
		wp_doc_str(doc, object, "cgroup", event->cgroup_name);
	add_spread(doc, object, &spread, 1, 2);
	each = wp_doc_array(doc, object, "runs");
	wp_vec_each (const struct wp_stat_run, run, &runs->v) {
		const struct wp_stat_row *row = row_in(runs, run, i);
		bool counted = row && row->kind == WP_CELL_COUNT;

		wp_doc_real(doc, each, NULL, counted ? row->count : NAN, 0);
	}
}

void wp_stat_runs_json(struct wp_doc *doc, const struct wp_stat_runs *runs)
{
	struct spread time = spread_of_time(runs);
	struct wp_node *elapsed, *each, *status, *events;

	wp_doc_int(doc, doc->root, "repeat", (int64_t)runs->v.n);
	elapsed = wp_doc_object(doc, doc->root, "Time_elapsed");
	add_spread(doc, elapsed, &time, WP_NS_PER_S, 9);
	each = wp_doc_array(doc, elapsed, "runs");
	status = wp_doc_array(doc, doc->root, "exit_status");
	wp_vec_each (const struct wp_stat_run, run, &runs->v) {
		wp_doc_real(doc, each, NULL, (double)run->elapsed_ns / WP_NS_PER_S, 9);
		wp_doc_int(doc, status, NULL, run->exit_status);
	}
	events = wp_doc_array(doc, doc->root, "events");
	for (size_t i = 0; runs->v.n && i < runs->v.v[0].rows.v.n; i++)
		add_event_spread(doc, events, runs, i);
}
