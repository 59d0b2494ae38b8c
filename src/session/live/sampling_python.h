/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_python: what a run has to do with Python, besides the sample at hand. */
#ifndef WP_SAMPLING_PYTHON_H
#define WP_SAMPLING_PYTHON_H

#include "aggregate/thread_names.h"
#include "session/follow/python_feed.h"
#include "session/live/python_source.h"

struct wp_sampling_python {
	struct wp_python_feed feed;
	char *refusal; /* why the better way to read frames was refused, until it is told; or NULL
			*/
	struct wp_thread_names threads;
	struct wp_python_source source;
};

void wp_sampling_python_deinit(struct wp_sampling_python *python);
/* Before a run: where its source lines will come from. */
void wp_sampling_python_sources(struct wp_sampling_python *python, const struct wp_target *target);

#endif
