/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_build: samples whose frames have symbols become a profile.
 *
 * Aggregate stage. In: frames, stacks and samples, one by one. Out: the tables of core/profile.h,
 * in the order in which things were met, so that the same samples make the same profile. Memory is
 * bounded: samples that find no room are counted.
 */
#ifndef WP_PROFILE_BUILD_H
#define WP_PROFILE_BUILD_H

#include "base/map.h"
#include "base/strpool.h"
#include "core/profile.h"

#define WP_PROFILE_SAMPLES (1u << 24)
#define WP_PROFILE_STACKS  (1u << 23)

/* All-zero is empty. */
struct wp_profile_builder {
	struct wp_profile profile;
	struct wp_map stack_of;		/* caller and frame -> index in stacks + 1 */
	struct wp_map thread_of;	/* pid and tid -> index in threads + 1 */
	struct wp_map module_of;	/* module of the symbol set -> index in modules + 1 */
	WP_VEC(uint32_t) set_modules;	/* for each of modules, that of the symbol set */
	struct wp_strpool names;	/* of threads */
	uint64_t left_out;		/* samples that found no room */
	uint64_t first_ns;		/* at the end: the first sample's time by its own clock */
	size_t samples_max, stacks_max; /* 0: the above; tests set them */
};

/* A frame whose name, kind, reason and module its symbol (an id of the set of the end) tells. */
uint32_t wp_profile_add_frame(struct wp_profile_builder *b, const struct wp_profile_frame *frame);
/* The stack of a frame called by that of caller, made when it is new; WP_NO_STACK: no room. */
uint32_t wp_profile_add_stack(struct wp_profile_builder *b, uint32_t caller, uint32_t frame);
/* Names are those of the sample at hand, and copied; the last ones stay. */
uint32_t wp_profile_add_thread(struct wp_profile_builder *b, uint32_t pid, uint32_t tid,
			       const char *name, const char *process);
/* Adds a sample. Times may be of any clock, if it is one for all samples. */
void wp_profile_add_sample(struct wp_profile_builder *b, const struct wp_profile_sample *sample);
/* After the last sample: names from the set, which outlives the profile, times from the first. */
void wp_profile_finish(struct wp_profile_builder *b, const struct wp_symbol_set *set);
void wp_profile_builder_deinit(struct wp_profile_builder *b);

#endif
