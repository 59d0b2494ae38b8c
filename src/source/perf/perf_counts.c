/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_counts: see perf_counts.h. */
#include "source/perf/perf_counts.h"

#include <errno.h>
#include <unistd.h>

/* A group's reading: 3 numbers, then 3 for each member; no PMU has as many counters. */
#define GROUP_MAX 512

static struct wp_err *read_failed(const struct wp_perf_set *set,
				  const struct wp_perf_counter *counter, int why)
{
	const struct wp_event *events = set->options->events->events.v;

	return wp_err_os(why, "event '%s' cannot be read",
			 counter->event == WP_PERF_DUMMY ? "dummy" : events[counter->event].name);
}

static void store_readings(struct wp_perf_set *set, size_t index,
			   const struct wp_perf_reading *readings, size_t n)
{
	uint64_t *found;

	if (n && !(set->counters.v[index].read_format & WP_PERF_READ_GROUP)) {
		set->counters.v[index].last = readings[0];
		return;
	}
	for (size_t i = 0; i < n; i++) {
		found = wp_map_get(&set->counter_of_id, readings[i].id);
		if (found)
			set->counters.v[*found].last = readings[i];
	}
}

/* A counter in the kernel's error state gives 0 bytes and keeps its last reading. */
static struct wp_err *read_counter(struct wp_perf_set *set, size_t index)
{
	const struct wp_perf_counter *counter = &set->counters.v[index];
	const struct wp_perf_counter *leader = &set->counters.v[counter->leader];
	struct wp_perf_reading readings[GROUP_MAX];
	uint64_t bytes[3 + 3 * GROUP_MAX];
	ssize_t n;

	if (counter != leader && (leader->read_format & WP_PERF_READ_GROUP))
		return NULL; /* came with its leader */
	n = read(counter->fd, bytes, sizeof(bytes));
	if (n < 0)
		return read_failed(set, counter, errno);
	store_readings(
		set, index, readings,
		wp_perf_reading_parse(counter->read_format, bytes, (size_t)n, readings, GROUP_MAX));
	return NULL;
}

struct wp_err *wp_perf_counts_read(struct wp_perf_set *set)
{
	for (size_t i = 0; i < set->counters.n; i++)
		TRY(read_counter(set, i));
	return NULL;
}

void wp_perf_counts_lap(struct wp_perf_set *set)
{
	wp_vec_each (struct wp_perf_counter, counter, &set->counters)
		counter->base = counter->last;
}

struct wp_err *wp_perf_counts_begin(struct wp_perf_set *set)
{
	TRY(wp_perf_counts_read(set));
	wp_perf_counts_lap(set);
	return NULL;
}

/*
 * An event of a thread on one CPU is "enabled" also while the thread runs elsewhere, which would
 * look like multiplexing. The dummy of that context runs whenever the thread is there, so what it
 * did not run is what the thread was away.
 */
static uint64_t away_ns(const struct wp_perf_set *set, const struct wp_perf_context *context)
{
	const struct wp_perf_counter *dummy;
	uint64_t enabled, running;

	if (!context->residence)
		return 0;
	dummy = &set->counters.v[context->residence - 1];
	enabled = dummy->last.enabled_ns - dummy->base.enabled_ns;
	running = dummy->last.running_ns - dummy->base.running_ns;
	return enabled > running ? enabled - running : 0;
}

static void add_reading(const struct wp_perf_set *set, const struct wp_perf_counter *counter,
			struct wp_record_count *count)
{
	const struct wp_perf_reading *base = &counter->base, *last = &counter->last;
	uint64_t enabled = last->enabled_ns - base->enabled_ns;
	uint64_t running = last->running_ns - base->running_ns;
	uint64_t away = away_ns(set, &set->contexts.v.v[counter->context]);

	enabled = enabled > away ? enabled - away : 0;
	count->value += last->value - base->value;
	count->enabled_ns += enabled > running ? enabled : running;
	count->running_ns += running;
}

/* tid 0: it is not of one thread. */
static struct wp_record_count *count_like_record(struct wp_perf_count_records *ret,
						 struct wp_map *index, const struct wp_record *like)
{
	uint32_t who = like->tid ? like->tid : like->cpu;
	uint64_t *at = wp_map_put(index, (uint64_t)like->count.event << 32 | who);

	if (*at == 0) {
		wp_vec_push(&ret->v, *like);
		*at = ret->v.n;
	}
	return &ret->v.v[*at - 1].count;
}

/* Whose count it is: a CPU's, a thread's, or that of all that are watched. */
static struct wp_record record_of_counter(const struct wp_perf_set *set,
					  const struct wp_perf_counter *counter, uint64_t time_ns)
{
	const struct wp_perf_context *context = &set->contexts.v.v[counter->context];
	bool per_cpu = set->options->target->kind == WP_TARGET_CPUS ||
		       set->options->events->events.v[counter->event].unit;
	struct wp_record record = {
		.kind = WP_RECORD_COUNT,
		.cpu = per_cpu ? (uint32_t)context->cpu : WP_ANY_CPU,
		.time_ns = time_ns,
		.count.event = counter->event,
	};

	if (set->options->per_thread && context->tid > 0) {
		record.pid = (uint32_t)context->pid;
		record.tid = (uint32_t)context->tid;
	}
	return record;
}

void wp_perf_counts_records(const struct wp_perf_set *set, uint64_t time_ns,
			    struct wp_perf_count_records *ret)
{
	const struct wp_event_set *events = set->options->events;
	bool summed = set->options->target->kind != WP_TARGET_CPUS && !set->options->per_thread;
	struct wp_map index = {0};

	/* Every event has its record, also when the thread it was opened on is gone at once. */
	for (uint32_t i = 0; summed && i < events->events.n; i++)
		if (!events->events.v[i].unit)
			count_like_record(ret, &index,
					  &(struct wp_record){.kind = WP_RECORD_COUNT,
							      .cpu = WP_ANY_CPU,
							      .time_ns = time_ns,
							      .count.event = i});
	wp_vec_each (struct wp_perf_counter, counter, &set->counters) {
		if (counter->event == WP_PERF_DUMMY)
			continue;
		struct wp_record like = record_of_counter(set, counter, time_ns);

		add_reading(set, counter, count_like_record(ret, &index, &like));
	}
	wp_map_deinit(&index);
}

uint64_t wp_perf_counts_lost(const struct wp_perf_set *set)
{
	uint64_t lost = 0;

	wp_vec_each (struct wp_perf_counter, counter, &set->counters)
		lost += counter->last.lost;
	return lost;
}
