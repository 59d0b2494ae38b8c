/*
 * export_profile: the samples of a recording become a profile, for `wperf export`.
 *
 * Session stage. In: samples that the filters keep (sampling_recorded). Out: struct wp_profile.
 * Every address is named once: lines and inlined functions are kept by symbol and address.
 */
#ifndef WP_EXPORT_PROFILE_H
#define WP_EXPORT_PROFILE_H

#include "aggregate/profile_build.h"
#include "base/arena.h"
#include "session/sampling.h"

#define WP_EXPORT_ALL_EVENTS UINT32_MAX

/* A symbol at an address or line, and what stands there: a range of points. */
struct wp_export_place {
	uint32_t symbol, line;
	struct wp_rva rva;
	uint32_t first, n;
	uint32_t next; /* place with the same hash + 1, or 0 */
};

/* A function there; the outermost one first. */
struct wp_export_point {
	struct wp_profile_frame frame;
	uint32_t id;  /* in the profile's frames + 1; 0: no sample that is kept has it */
	bool matches; /* the symbol filter */
};

/* All-zero but for what the session sets: event and the filters. */
struct wp_export_profile {
	uint32_t event;		   /* of the samples that are kept */
	const char *symbol_filter; /* NULL: all; else one of a sample's functions must match */
	bool gil_only;		   /* only samples of threads that held the GIL */
	struct wp_profile_builder builder;
	struct wp_map place_of; /* hash -> index of the first place + 1 */
	WP_VEC(struct wp_export_place) places;
	WP_VEC(struct wp_export_point) points;
	WP_VEC(uint32_t) at; /* places of the sample at hand, innermost first */
	struct wp_arena arena;
};

/* A taker (sampling_recorded.h); arg is the struct wp_export_profile. */
void wp_export_profile_take(void *arg, struct wp_sampling *s, const struct wp_record *sample);
/* After the last sample. The profile lives as long as both. */
const struct wp_profile *wp_export_profile_finish(struct wp_export_profile *e,
						  struct wp_sampling *s);
void wp_export_profile_deinit(struct wp_export_profile *e);
#define wp_autoexport_profile WP_CLEANUP(wp_export_profile_deinit)

#endif
