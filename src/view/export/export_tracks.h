/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_tracks: the samples of a profile by event and thread, for exports that show each apart.
 *
 * A track is one event on one thread. The samples of a track stay in the order of time.
 */
#ifndef WP_EXPORT_TRACKS_H
#define WP_EXPORT_TRACKS_H

#include "base/str.h"
#include "core/profile.h"

struct wp_export_track {
	uint32_t event, thread;
	size_t first, n; /* its part of `samples` */
	uint64_t weight; /* of all of them */
};

struct wp_export_tracks {
	WP_VEC(struct wp_export_track) tracks; /* with samples; by event, then thread */
	uint32_t *samples; /* indexes of the profile's samples, track by track */
};

void wp_export_tracks_init(struct wp_export_tracks *tracks, const struct wp_profile *profile);
void wp_export_tracks_deinit(struct wp_export_tracks *tracks);

/* The track of the first event that has the greatest weight; 0 when there is none. */
size_t wp_export_tracks_main(const struct wp_export_tracks *tracks);
/* Appends the thread's name for people. */
void wp_export_thread_name(struct wp_str *name, const struct wp_profile_thread *thread);
/* Likewise of its track, with " (EVENT)" when there are several events. */
void wp_export_track_name(struct wp_str *name, const struct wp_profile *profile,
			  const struct wp_export_track *track);
/* Appends the name of the thread's process for people. */
void wp_export_process_name(struct wp_str *name, const struct wp_profile_thread *thread);

#endif
