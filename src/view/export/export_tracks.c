/* SPDX-License-Identifier: BSD-3-Clause */
/* export_tracks: see export_tracks.h. */
#include "view/export/export_tracks.h"

#include "base/map.h"

static uint64_t key_of_track(const struct wp_profile_sample *sample)
{
	return (uint64_t)sample->event << 32 | sample->thread;
}

static int by_event_and_thread(const void *a, const void *b)
{
	const struct wp_export_track *x = a, *y = b;

	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return x->thread < y->thread ? -1 : x->thread > y->thread;
}

/* Where each track's samples begin; map: key -> index of tracks + 1. */
static void lay_out_tracks(struct wp_export_tracks *tracks, struct wp_map *map)
{
	size_t first = 0;

	if (tracks->tracks.n)
		qsort(tracks->tracks.v, tracks->tracks.n, sizeof(*tracks->tracks.v),
		      by_event_and_thread);
	for (size_t i = 0; i < tracks->tracks.n; i++) {
		struct wp_export_track *track = &tracks->tracks.v[i];

		*wp_map_put(map, (uint64_t)track->event << 32 | track->thread) = i + 1;
		track->first = first;
		first += track->n;
		track->n = 0; /* counts again as they are put there */
	}
}

static void count_track_sample(struct wp_export_tracks *tracks, struct wp_map *map,
			       const struct wp_profile_sample *sample)
{
	uint64_t *at = wp_map_put(map, key_of_track(sample));

	if (!*at) {
		wp_vec_push(&tracks->tracks, (struct wp_export_track){.event = sample->event,
								      .thread = sample->thread});
		*at = tracks->tracks.n;
	}
	tracks->tracks.v[*at - 1].n++;
	tracks->tracks.v[*at - 1].weight += sample->weight;
}

void wp_export_tracks_init(struct wp_export_tracks *tracks, const struct wp_profile *profile)
{
	struct wp_map map = {0};

	*tracks = (struct wp_export_tracks){0};
	tracks->samples = wp_calloc(profile->samples.n + 1, sizeof(*tracks->samples));
	wp_vec_each (struct wp_profile_sample, sample, &profile->samples)
		count_track_sample(tracks, &map, sample);
	lay_out_tracks(tracks, &map);
	for (size_t i = 0; i < profile->samples.n; i++) {
		size_t at = (size_t)*wp_map_get(&map, key_of_track(&profile->samples.v[i])) - 1;
		struct wp_export_track *track = &tracks->tracks.v[at];

		tracks->samples[track->first + track->n++] = (uint32_t)i;
	}
	wp_map_deinit(&map);
}

void wp_export_tracks_deinit(struct wp_export_tracks *tracks)
{
	wp_vec_deinit(&tracks->tracks);
	free(tracks->samples);
}

size_t wp_export_tracks_main(const struct wp_export_tracks *tracks)
{
	size_t main = 0;

	for (size_t i = 1; i < tracks->tracks.n; i++) {
		const struct wp_export_track *track = &tracks->tracks.v[i];

		if (track->event == tracks->tracks.v[0].event &&
		    track->weight > tracks->tracks.v[main].weight)
			main = i;
	}
	return main;
}

void wp_export_thread_name(struct wp_str *name, const struct wp_profile_thread *thread)
{
	if (*thread->name)
		wp_str_puts(name, thread->name);
	else
		wp_str_printf(name, "thread %d", (int)thread->tid);
}

void wp_export_track_name(struct wp_str *name, const struct wp_profile *profile,
			  const struct wp_export_track *track)
{
	wp_export_thread_name(name, &profile->threads.v[track->thread]);
	if (profile->events.n > 1)
		wp_str_printf(name, " (%s)", profile->events.v[track->event].name);
}

void wp_export_process_name(struct wp_str *name, const struct wp_profile_thread *thread)
{
	if (*thread->process)
		wp_str_puts(name, thread->process);
	else
		wp_str_printf(name, "process %d", (int)thread->pid);
}
