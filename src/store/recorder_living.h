/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder_living: what is mapped, and what threads are called, in the processes that live now: a
 * recording that begins in the middle of a run is told it first.
 *
 * Store stage. In: the records of the run, but samples. Memory is that of what lives, and of each
 * path and name once; those of what has ended are let go when they are most of them.
 */
#ifndef WP_RECORDER_LIVING_H
#define WP_RECORDER_LIVING_H

#include "base/map.h"
#include "base/strpool.h"
#include "core/record.h"

struct wp_recorder;
struct wp_recorder_process;

/* All-zero is empty. */
struct wp_recorder_living {
	struct wp_strpool texts;
	size_t sift_at;	  /* texts: so many make it worth to look for those of what has ended */
	struct wp_map at; /* pid -> index in processes + 1 */
	WP_VEC(struct wp_recorder_process *) processes;
};

void wp_recorder_living_record(struct wp_recorder_living *living, const struct wp_record *record);
/* Adds it all, without times: it was so before the recording began. */
void wp_recorder_living_tell(const struct wp_recorder_living *living, struct wp_recorder *recorder);
void wp_recorder_living_deinit(struct wp_recorder_living *living);

#endif
