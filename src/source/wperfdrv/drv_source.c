/* SPDX-License-Identifier: BSD-3-Clause */
/* drv_source: see drv_source.h. */
#include "source/wperfdrv/drv_source.h"

#include "base/clock.h"
#include "source/wperfdrv/drv_plan.h"

/* RESET does not wait for what it has asked of the cores: one that comes late would stop them
 * behind the START that follows. */
#define RESET_NS (20 * WP_NS_PER_MS)

/* How late it may be noticed that another program took the driver. */
#define CHECK_NS WP_NS_PER_S

struct counted_core {
	uint32_t core;
	struct wp_drv_plan plan;
	struct wp_drv_counted last, base; /* as read; where `lap` was called */
};

struct driver_source {
	struct wp_source source;
	struct wp_drv *drv;
	const struct wp_source_options *options; /* not behind the opening */
	const struct wp_log *log;
	WP_VEC(struct counted_core) cores;
	struct wp_cpuset numbers; /* of the cores */
	struct wp_drv_scope scope;
	WP_VEC(struct wp_record) batch;
	uint64_t started_ns, stopped_ns; /* stopped_ns 0: it runs */
	uint64_t checked_ns;		 /* when the driver was ours */
	bool told;
};

static struct wp_err *assign_cores(struct driver_source *s)
{
	wp_vec_each (struct counted_core, core, &s->cores) {
		const struct wp_drv_list lists[WP_DRV_CLASSES] = {
			[WP_DRV_CORE] = {core->plan.numbers.v, core->plan.numbers.n},
		};

		TRY(wp_drv_assign(s->drv, core->core, core->plan.filter_bits, lists));
	}
	return NULL;
}

/* Events are assigned each time: RESET leaves the row that was last on the counters. */
static struct wp_err *start_driver(struct wp_source *source)
{
	struct driver_source *s = (struct driver_source *)source;

	TRY(wp_drv_stop(s->drv, &s->scope));
	TRY(assign_cores(s));
	TRY(wp_drv_reset(s->drv, &s->scope));
	wp_clock_sleep_until_ns(wp_clock_now_ns() + RESET_NS);
	wp_vec_each (struct counted_core, core, &s->cores)
		core->base.values.n = core->base.round = 0;
	TRY(wp_drv_start(s->drv, &s->scope));
	s->started_ns = s->checked_ns = wp_clock_now_ns();
	s->stopped_ns = 0;
	return NULL;
}

/* Nothing comes but the end of the time, or another program that takes the driver. */
static struct wp_err *wait_for_driver(struct wp_source *source, uint64_t until_ns,
				      struct wp_batch *ret)
{
	struct driver_source *s = (struct driver_source *)source;

	wp_clock_sleep_until_ns(until_ns);
	*ret = (struct wp_batch){0};
	if (wp_clock_now_ns() < s->checked_ns + CHECK_NS)
		return NULL;
	s->checked_ns = wp_clock_now_ns();
	return wp_drv_check(s->drv);
}

static uint64_t driver_elapsed_ns(struct wp_source *source)
{
	const struct driver_source *s = (const struct driver_source *)source;

	return (s->stopped_ns ? s->stopped_ns : wp_clock_now_ns()) - s->started_ns;
}

/* From one reading of a core's counters to the next. */
static uint32_t step_ms(const struct driver_source *s, const struct counted_core *core)
{
	return core->plan.takes_turns ? s->scope.period_ms : 2 * s->scope.period_ms;
}

static uint64_t count_since(uint64_t now, uint64_t base)
{
	return now > base ? now - base : 0;
}

/* A value of the last reading as a record; its times are whole periods. */
static void push_driver_count(struct driver_source *s, const struct counted_core *core, size_t i,
			      size_t event)
{
	const struct wp_drv_value none = {0}, *now = &core->last.values.v[i];
	const struct wp_drv_value *base = core->base.values.n ? &core->base.values.v[i] : &none;
	uint64_t period_ns = step_ms(s, core) * WP_NS_PER_MS;
	uint64_t round = count_since(core->last.round, core->base.round);
	uint64_t scheduled = count_since(now->scheduled, base->scheduled);
	struct wp_record record = {.kind = WP_RECORD_COUNT, .cpu = core->core};

	/* A driver may answer anything: what it tells of a year in periods is no time. */
	if (round > UINT32_MAX || scheduled > UINT32_MAX)
		round = scheduled = 0;
	record.count = (struct wp_record_count){
		.event = (uint32_t)event,
		.value = count_since(now->value, base->value),
		.enabled_ns = (round > scheduled ? round : scheduled) * period_ns,
		.running_ns = scheduled * period_ns,
	};
	wp_vec_push(&s->batch, record);
}

static struct wp_err *read_driver_core(struct driver_source *s, struct counted_core *core)
{
	const struct wp_drv_list list = {core->plan.numbers.v, core->plan.numbers.n};

	TRY(wp_drv_read_core(s->drv, core->core, &list, &core->last));
	if (core->plan.cycle != WP_DRV_NO_EVENT)
		push_driver_count(s, core, 0, core->plan.cycle);
	for (size_t i = 0; i < core->plan.events.n; i++)
		if (core->plan.events.v[i] != WP_DRV_NO_EVENT)
			push_driver_count(s, core, i + 1, core->plan.events.v[i]);
	return NULL;
}

/* The longest time that something was counted for. */
static uint64_t counted_ns(const struct driver_source *s)
{
	uint64_t ns = 0;

	wp_vec_each (const struct wp_record, record, &s->batch)
		if (record->count.enabled_ns > ns)
			ns = record->count.enabled_ns;
	return ns;
}

/* Once, to whom it matters: it looks like a failure otherwise, or like counts of all the time. */
static void tell_lost_part(struct driver_source *s)
{
	uint64_t ns = counted_ns(s), elapsed_ns = driver_elapsed_ns(&s->source);
	uint32_t longest_ms = 0;

	wp_vec_each (const struct counted_core, core, &s->cores)
		if (step_ms(s, core) > longest_ms)
			longest_ms = step_ms(s, core);
	if (s->told || (ns && (!s->stopped_ns || ns >= elapsed_ns - elapsed_ns / 10)))
		return;
	s->told = true;
	if (!ns)
		wp_log(s->log, WP_LOG_NOTE,
		       "nothing was counted yet: the wperf driver reads its counters every %u ms, "
		       "count for longer",
		       longest_ms);
	else
		wp_log(s->log, WP_LOG_NOTE,
		       "counts are of %llu ms out of %llu: the wperf driver reads its counters "
		       "every %u ms, and loses what comes behind",
		       (unsigned long long)(ns / WP_NS_PER_MS),
		       (unsigned long long)(elapsed_ns / WP_NS_PER_MS), longest_ms);
}

static struct wp_err *read_driver_counts(struct wp_source *source, struct wp_batch *ret)
{
	struct driver_source *s = (struct driver_source *)source;

	s->batch.n = 0;
	wp_vec_each (struct counted_core, core, &s->cores)
		TRY(read_driver_core(s, core));
	tell_lost_part(s);
	*ret = (struct wp_batch){.records = s->batch.v, .n = s->batch.n};
	return NULL;
}

static void lap_driver(struct wp_source *source)
{
	struct driver_source *s = (struct driver_source *)source;

	wp_vec_each (struct counted_core, core, &s->cores) {
		core->base.round = core->last.round;
		core->base.values.n = 0;
		wp_vec_each (const struct wp_drv_value, value, &core->last.values)
			wp_vec_push(&core->base.values, *value);
	}
	s->started_ns = wp_clock_now_ns();
}

static struct wp_err *stop_driver(struct wp_source *source)
{
	struct driver_source *s = (struct driver_source *)source;

	s->stopped_ns = wp_clock_now_ns();
	return wp_drv_stop(s->drv, &s->scope);
}

static void close_driver_source(struct wp_source *source)
{
	struct driver_source *s = (struct driver_source *)source;

	wp_vec_each (struct counted_core, core, &s->cores) {
		wp_drv_plan_deinit(&core->plan);
		wp_vec_deinit(&core->last.values);
		wp_vec_deinit(&core->base.values);
	}
	wp_vec_deinit(&s->cores);
	wp_vec_deinit(&s->batch);
	wp_cpuset_deinit(&s->numbers);
	free(s);
}

static const struct wp_source_ops ops = {
	.name = "wperfdrv",
	.start = start_driver,
	.next = wait_for_driver,
	.counts = read_driver_counts,
	.lap = lap_driver,
	.stop = stop_driver,
	.elapsed_ns = driver_elapsed_ns,
	.close = close_driver_source,
};

static bool has_cycle(const struct wp_event_set *set)
{
	wp_vec_each (const struct wp_event, event, &set->events)
		if (event->is_fixed)
			return true;
	return false;
}

static struct wp_err *check_target(const struct wp_source_options *options)
{
	if (options->sampling)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "wperf for Windows counts, and reads recordings: it samples "
				  "nothing yet");
	if (options->target->kind != WP_TARGET_CPUS || options->target->cgroups.n)
		return wp_err_new(
			WP_ERR_UNSUPPORTED,
			"the wperf driver counts whole cores, no processes: leave out -p, "
			"or name cores with -c");
	if (options->target->kernel && has_cycle(options->events))
		wp_log(options->log, WP_LOG_NOTE,
		       "'cycle' is of user mode all the same: the wperf driver does not count the "
		       "kernel's; the event cpu_cycles has them");
	return NULL;
}

static struct wp_err *plan_core(struct driver_source *s, uint32_t number)
{
	struct counted_core core = {.core = number};
	struct wp_err *err = wp_drv_plan_make(s->options->events, number, s->drv->hw.gpc_num,
					      s->options->target->kernel, &core.plan);

	wp_vec_push(&s->cores, core);
	wp_cpuset_add(&s->numbers, number);
	return err;
}

static struct wp_err *plan_cores(struct driver_source *s)
{
	const struct wp_cpuset *asked = &s->options->target->cpus;

	wp_vec_each (uint32_t, core, &asked->cpus)
		TRY(plan_core(s, *core));
	for (uint32_t core = 0; !asked->cpus.n && core < s->drv->hw.core_num; core++)
		TRY(plan_core(s, core));
	return NULL;
}

struct wp_err *wp_drv_source_open(struct wp_drv *drv, const struct wp_source_options *options,
				  struct wp_source **ret)
{
	struct driver_source *s;
	struct wp_err *err;

	TRY(check_target(options));
	s = wp_calloc(1, sizeof(*s));
	s->source.ops = &ops;
	s->drv = drv;
	s->options = options;
	s->log = options->log;
	err = plan_cores(s);
	s->options = NULL;
	s->scope = (struct wp_drv_scope){
		.cores = &s->numbers,
		.units = WP_DRV_OF_CORE,
		.period_ms = options->count_period_ms >= WP_DRV_PERIOD_MIN &&
					     options->count_period_ms <= WP_DRV_PERIOD
				     ? (uint32_t)options->count_period_ms
				     : WP_DRV_PERIOD,
	};
	if (err)
		close_driver_source(&s->source);
	else
		*ret = &s->source;
	return err;
}
