/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe: what tools have in common that sample straight through the source stage: a machine, its
 * events, a target which may be a command of their own, and a source that hands over its batches.
 */
#ifndef WP_PROBE_H
#define WP_PROBE_H

#include "base/clock.h"
#include "event/event_parse.h"
#include "source/proc/launch.h"
#include "machine/machine_probe.h"
#include "source/perf/perf_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct probe {
	struct wp_machine machine;
	struct wp_catalogue *catalogue;
	struct wp_event_set events;
	struct wp_target target;
	struct wp_launch launch;
	struct wp_source_options options;
	struct wp_source *source;
	const char *event_list;
	uint64_t freq_hz, rounds;
	double seconds; /* 0: until the target ends */
	bool announce;	/* "ready" on standard error once it samples */
	bool started, ended;
	void (*take)(struct probe *probe, const struct wp_batch *batch);
};

static inline void print_log(void *arg, enum wp_log_level level, const char *line)
{
	(void)arg;
	fprintf(stderr, "log %d: %s\n", (int)level, line);
}

static const struct wp_log stderr_log = {.sink = print_log};

/* Options that all have; false: it is none of them. */
static inline bool probe_option(struct probe *p, int option, const char *arg)
{
	switch (option) {
	case 'e': p->event_list = arg; return true;
	case 'F': p->freq_hz = strtoull(arg, NULL, 10); return true;
	case 'p': wp_vec_push(&p->target.pids, atoi(arg)); return true;
	case 't': p->seconds = atof(arg); return true;
	case 'n': p->rounds = strtoull(arg, NULL, 10); return true;
	case 'r': p->options.ring_bytes = strtoull(arg, NULL, 10); return true;
	default: return false;
	}
}

static inline struct wp_err *probe_parse(struct probe *p)
{
	wp_machine_probe("", &p->machine);
	p->catalogue = wp_catalogue_new(&p->machine, &stderr_log);
	if (p->options.sampling)
		return wp_event_parse_sampling(p->catalogue, p->event_list, p->freq_hz, &p->events);
	return wp_event_parse_counting(p->catalogue, p->event_list, &p->events);
}

/* The command (NULL, or none in it: the target is there) waits until the first round. */
static inline struct wp_err *probe_open(struct probe *p, char **command)
{
	if (command && *command) {
		TRY(wp_launch_start(command, NULL, NULL, &p->launch));
		wp_vec_push(&p->target.pids, p->launch.pid);
		p->target.launched = true;
	}
	p->options.events = &p->events;
	p->options.target = &p->target;
	p->options.machine = &p->machine;
	p->options.log = &stderr_log;
	return wp_perf_source_open(&p->options, &p->source);
}

static inline struct wp_err *probe_next(struct probe *p, uint64_t until_ns, struct wp_batch *ret)
{
	TRY(p->source->ops->next(p->source, until_ns, ret));
	p->take(p, ret);
	return NULL;
}

static inline struct wp_err *probe_round(struct probe *p)
{
	const struct wp_source_ops *ops = p->source->ops;
	uint64_t until = WP_FOREVER;
	struct wp_batch batch = {0};

	TRY(ops->start(p->source));
	if (p->launch.pid && !p->started)
		TRY(wp_launch_go(&p->launch));
	if (p->announce && !p->started)
		fprintf(stderr, "ready\n");
	p->started = true;
	if (p->seconds > 0)
		until = wp_clock_now_ns() + (uint64_t)(p->seconds * 1e9);
	while (!p->ended && wp_clock_now_ns() < until) {
		TRY(probe_next(p, until, &batch));
		p->ended = batch.ended;
	}
	TRY(ops->stop(p->source));
	do
		TRY(probe_next(p, until, &batch));
	while (batch.n);
	return NULL;
}

static inline void probe_close(struct probe *p)
{
	if (p->source)
		p->source->ops->close(p->source);
	wp_launch_finish(&p->launch);
	wp_event_set_deinit(&p->events);
	if (p->catalogue)
		wp_catalogue_free(p->catalogue);
	wp_machine_deinit(&p->machine);
	wp_target_deinit(&p->target);
}

#endif
