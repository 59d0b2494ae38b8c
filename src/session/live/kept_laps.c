/* SPDX-License-Identifier: BSD-3-Clause */
/* kept_laps: see kept_laps.h. */
#include "session/live/kept_laps.h"

#include <stdlib.h>

static void free_lap(struct wp_kept_lap *lap)
{
	wp_doc_free(lap->doc);
	wp_results_deinit(&lap->results);
	free(lap->opener);
	free(lap);
}

/* The newest one, and what is looked at, stay whatever they take. */
static bool is_let_go(const struct wp_kept_laps *laps, size_t i)
{
	const struct wp_kept_lap *newest = laps->all.v[laps->all.n - 1];
	bool too_old = laps->all.v[i]->ended_ns + WP_KEPT_LAPS_NS < newest->ended_ns;

	return (too_old || laps->bytes > WP_KEPT_LAPS_BYTES) && i + 1 < laps->all.n &&
	       !(laps->is_looked_at && i == laps->at);
}

static void let_old_go(struct wp_kept_laps *laps)
{
	size_t kept = 0, at = laps->at;

	for (size_t i = 0; i < laps->all.n; i++) {
		struct wp_kept_lap *lap = laps->all.v[i];

		if (is_let_go(laps, i)) {
			laps->bytes -= lap->bytes;
			free_lap(lap);
			continue;
		}
		if (i == laps->at)
			at = kept;
		laps->all.v[kept++] = lap;
	}
	laps->all.n = kept;
	laps->at = at;
}

struct wp_kept_lap *wp_kept_laps_add(struct wp_kept_laps *laps, struct wp_doc *doc,
				     struct wp_results *results, uint64_t ended_ns)
{
	struct wp_kept_lap *lap = wp_calloc(1, sizeof(*lap));

	lap->doc = doc;
	lap->ended_ns = ended_ns;
	wp_results_take(results, &lap->results);
	lap->bytes = wp_doc_bytes(doc) + wp_results_bytes(&lap->results);
	laps->bytes += lap->bytes;
	wp_vec_push(&laps->all, lap);
	let_old_go(laps);
	return lap;
}

static bool go_to_lap(void *arg, long by, struct wp_screen_moment *ret)
{
	struct wp_kept_laps *laps = arg;
	size_t last = laps->all.n - 1, to = laps->at;

	if (by < 0)
		to -= (size_t)-by < to ? (size_t)-by : to;
	else
		to = (size_t)by < last - to ? to + (size_t)by : last;
	if (laps->is_looked_at && to == laps->at)
		return false;
	laps->at = to;
	laps->is_looked_at = true;
	*ret = (struct wp_screen_moment){
		.doc = laps->all.v[to]->doc,
		.opener = laps->all.v[to]->opener,
	};
	return true;
}

static size_t count_newer_laps(void *arg)
{
	const struct wp_kept_laps *laps = arg;

	return laps->all.n - 1 - laps->at;
}

static struct wp_err *write_laps(void *arg, const char *path, char **ret)
{
	const struct wp_kept_laps *laps = arg;

	return wp_sampling_data_write(laps->data, path, ret);
}

void wp_kept_laps_begin(struct wp_kept_laps *laps, struct wp_sampling_data *data)
{
	*laps = (struct wp_kept_laps){
		.data = data,
		.moments =
			{
				.go = go_to_lap,
				.count_newer = count_newer_laps,
				.write = write_laps,
				.arg = laps,
			},
	};
}

void wp_kept_laps_deinit(struct wp_kept_laps *laps)
{
	wp_vec_each (struct wp_kept_lap *, lap, &laps->all)
		free_lap(*lap);
	wp_vec_deinit(&laps->all);
}
