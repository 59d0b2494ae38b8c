/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sink: takes the samples of a run, one after the other, and makes something of them: a table, a
 * call graph, a file.
 *
 * Core. The first member of whatever is one.
 */
#ifndef WP_SINK_H
#define WP_SINK_H

#include "core/sample.h"

/* What of a sample a sink wants besides what costs nothing. */
enum wp_sample_want {
	WP_SAMPLE_RVA = 1,
	WP_SAMPLE_STACK = 2,
	WP_SAMPLE_DATA = 4,    /* record->sample.data */
	WP_SAMPLE_PAYLOAD = 8, /* the event's fields */
	WP_SAMPLE_OPENED = 16, /* samples are of the events as opened, not as reports show them */
	WP_SAMPLE_IDLE = 32,   /* waits of threads that have nothing to do, too */
};

struct wp_sink;

struct wp_sink_ops {
	/* Everything but samples, when all who follow it know; NULL: it does not care. */
	void (*record)(struct wp_sink *sink, const struct wp_record *record);
	void (*sample)(struct wp_sink *sink, const struct wp_sample *sample);
};

struct wp_sink {
	const struct wp_sink_ops *ops;
	unsigned int wants; /* enum wp_sample_want, or'ed */
};

#endif
