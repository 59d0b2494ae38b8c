/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_probes: see perf_probes.h. */
#include "source/perf/perf_probes.h"

#include <errno.h>

struct wp_bpf_probes *wp_perf_probes_open(const struct wp_source_options *options)
{
	struct wp_bpf_probes *probes = NULL;
	int targets = options->walker ? wp_bpf_walker_targets(options->walker) : -1;
	bool wanted = false;

	wp_vec_each (struct wp_event, event, &options->events->events)
		wanted |= event->probe != NULL;
	if (!wanted || options->target->kind != WP_TARGET_PROCESSES || options->no_inherit ||
	    options->per_thread)
		return NULL;
	wp_autoerr struct wp_err *err = wp_bpf_probes_open(options->target, targets, &probes);
	if (err)
		wp_log(options->log, WP_LOG_WARNING,
		       "probes count in the threads that run already, not in those that are "
		       "started later: %s",
		       err->text);
	return probes;
}

/* Where a walker's program is attached, or what reads arguments, that asks itself. */
struct wp_err *wp_perf_probes_watch(struct wp_bpf_probes *probes,
				    const struct wp_source_options *options,
				    const struct wp_event *event, int fd)
{
	bool by_args = options->sampling && options->payloads && wp_event_has_args(event);

	if (!event->probe || !probes || options->walker || by_args ||
	    wp_bpf_probes_filter(probes, fd))
		return NULL;
	return wp_err_os(errno, "event '%s' cannot be kept to the processes that are watched",
			 event->name);
}

size_t wp_perf_probes_descriptors(const struct wp_event_set *events)
{
	size_t n = 1;

	wp_vec_each (struct wp_event, event, &events->events)
		n += event->probe ? event->probe->n_places * 2 : 1; /* and as many links */
	return n;
}
