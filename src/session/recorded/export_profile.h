/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * export_profile: the samples of a recording become a profile, for `wperf export`.
 *
 * Session stage. In: samples that the filters keep (sampling_recorded). Out: struct wp_profile.
 */
#ifndef WP_EXPORT_PROFILE_H
#define WP_EXPORT_PROFILE_H

#include "aggregate/profile_build.h"
#include "aggregate/profile_frames.h"
#include "base/arena.h"
#include "session/recorded/frame_places.h"

/* All-zero but for the filter and the frames to keep. */
struct wp_export_profile {
	struct wp_sink sink;
	struct wp_sampling *s; /* whose samples it takes */
	struct wp_frame_filter filter;
	enum wp_keep_frames keep;
	struct wp_profile_builder builder;
	struct wp_frame_places places; /* a point's owner: its frame in the profile + 1 */
	struct wp_arena arena;
};

/* Makes it a sink of the run. */
void wp_export_profile_attach(struct wp_export_profile *e, struct wp_sampling *s);
/* After the last sample. The profile lives as long as both. */
const struct wp_profile *wp_export_profile_finish(struct wp_export_profile *e);
void wp_export_profile_deinit(struct wp_export_profile *e);
#define wp_autoexport_profile WP_CLEANUP(wp_export_profile_deinit)

#endif
