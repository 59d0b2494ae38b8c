/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_names: see sampling_names.h. */
#include "session/live/sampling_names.h"

#include "session/live/sampling.h"

bool wp_sampling_wants_names(const struct wp_sampling *s)
{
	return wp_sampling_shows_threads(s) || wp_sampling_data_keeps(&s->data);
}

static void tell_names(struct wp_sampling *s, struct wp_records *names)
{
	wp_vec_each (struct wp_record, record, &names->records) {
		wp_processes_take(&s->processes, record);
		wp_sampling_tell_sinks(s, record);
	}
	wp_records_deinit(names);
}

void wp_sampling_name_threads(struct wp_sampling *s, const struct wp_records *processes)
{
	void (*read_names)(pid_t, struct wp_records *) = s->setup.world->ops->thread_names;
	struct wp_records names = {0};

	if (!read_names || !wp_sampling_wants_names(s))
		return;
	wp_vec_each (struct wp_record, record, &processes->records)
		if (record->kind == WP_RECORD_COMM)
			read_names((pid_t)record->pid, &names);
	tell_names(s, &names);
}

void wp_sampling_name_python_threads(struct wp_sampling *s, bool all)
{
	struct wp_records names = {0};

	wp_python_feed_names(&s->python.feed, all, &names);
	tell_names(s, &names);
}
