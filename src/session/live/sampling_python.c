/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_python: see sampling_python.h. */
#include "session/live/sampling_python.h"

#include <stdlib.h>
#include <unistd.h>

void wp_sampling_python_deinit(struct wp_sampling_python *python)
{
	wp_python_feed_deinit(&python->feed);
	free(python->refusal);
	wp_thread_names_deinit(&python->threads);
	wp_python_source_deinit(&python->source);
}

void wp_sampling_python_sources(struct wp_sampling_python *python, const struct wp_target *target)
{
	struct wp_python_owners *owners = &python->feed.owners;

	wp_python_source_init(&python->source, target);
	python->source.owners = &owners->met;
	if (target->launched)
		wp_owners_add_uid(&owners->met, geteuid());
}
