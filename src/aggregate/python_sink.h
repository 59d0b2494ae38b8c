/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_sink: the Python frames of samples by function and line, and how they came out.
 *
 * Aggregate stage. A sample counts by the worst of its interpreters.
 */
#ifndef WP_PYTHON_SINK_H
#define WP_PYTHON_SINK_H

#include "aggregate/python_doc.h"
#include "aggregate/spots.h"
#include "core/sink.h"

/* All-zero is empty. */
struct wp_python_sink {
	struct wp_sink sink;
	bool by_thread;
	struct wp_spots spots; /* spots.symbols is to be set before the first sample */
	struct wp_python_counts counts;
};

/* Takes samples from then on. */
struct wp_sink *wp_python_sink(struct wp_python_sink *sink);
void wp_python_sink_deinit(struct wp_python_sink *sink);

#endif
