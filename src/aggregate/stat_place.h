/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stat_place: whose counts a row of `stat` has, when they are split: a CPU's, a core's, a thread's.
 *
 * Aggregate stage. Written as perf writes it.
 */
#ifndef WP_STAT_PLACE_H
#define WP_STAT_PLACE_H

#include "base/str.h"
#include "core/place.h"

#include <stdbool.h>
#include <stddef.h>

/* All-zero: everybody's. */
struct wp_stat_place {
	enum wp_split split;
	struct wp_cpu_place at;
	uint32_t id;	  /* of a CPU or a thread */
	const char *comm; /* of a thread, borrowed; NULL: not known */
	size_t cpus;	  /* of a core, die, socket or node: how many of its CPUs counted */
};

/* < 0, 0, > 0: by node, socket, die, core, then number; `cpus` is not looked at. */
int wp_stat_place_compare(const struct wp_stat_place *a, const struct wp_stat_place *b);
/* "core", "thread": its name in JSON. */
const char *wp_stat_place_key(enum wp_split split);
/* "S0-D0-C1", "3", "bash-77", appended. */
void wp_stat_place_name(struct wp_str *out, const struct wp_stat_place *place);
/* True when it is of several CPUs, whose number is shown. */
bool wp_stat_place_is_many(const struct wp_stat_place *place);
/* What a line of text begins with. */
void wp_stat_place_text(struct wp_str *out, const struct wp_stat_place *place);
/* The fields that a line of CSV begins with, each with the separator behind it. */
void wp_stat_place_csv(struct wp_str *out, const struct wp_stat_place *place,
		       const char *separator);
/* What stands over the lines of an interval, between the time and the counts. */
const char *wp_stat_place_heading(enum wp_split split);

#endif
