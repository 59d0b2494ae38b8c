/* SPDX-License-Identifier: BSD-3-Clause */
/* counting: see counting.h. */
#include "session/stat/counting.h"

#include "base/clock.h"
#include "base/str.h"
#include "event/event_presence.h"
#include "event/event_units.h"
#include "session/emit.h"
#include "session/event_filters.h"

#include <stdlib.h>

/* How late a Ctrl-C or the end of a command may be noticed at worst. */
#define TICK_NS (100 * WP_NS_PER_MS)
/* A command that got the same Ctrl-C may want to say its last words. */
#define FAREWELL_NS WP_NS_PER_S

static struct wp_err *parse_counted_piece(void *arg, const char *list, struct wp_event_set *ret)
{
	struct wp_counting *c = arg;

	return wp_event_parse_counting(c->setup.catalogue, list, ret);
}

static struct wp_err *parse_counted_events(struct wp_counting *c)
{
	const struct wp_session_options *options = c->options;

	if (options->events.list)
		TRY(wp_event_filters_apply(options, parse_counted_piece, c, &c->events));
	if (options->events.metrics)
		TRY(wp_event_parse_metrics(c->setup.catalogue, options->events.metrics,
					   &c->events));
	if (options->events.topdown)
		TRY(wp_topdown_plan(c->setup.catalogue, &c->events, &c->topdown));
	wp_event_warn_absent(c->setup.catalogue, &c->events);
	if (c->setup.machine->has_hw_pmu)
		wp_event_add_fixed(c->setup.catalogue, &c->events);
	return wp_metric_plan_make(c->setup.catalogue, &c->events, &c->metrics);
}

/* As perf does, the kernel's part too where that is permitted. */
static struct wp_err *take_default_counting(struct wp_counting *c)
{
	struct wp_target *target = &c->targeting.target;

	TRY(wp_event_default_counting(c->setup.catalogue, target->kind == WP_TARGET_CPUS,
				      &c->events));
	if (c->setup.world->ops->try_events)
		c->setup.world->ops->try_events(&c->events);
	target->kernel |= wp_event_may_count_kernel(c->setup.machine);
	return wp_metric_plan_make(c->setup.catalogue, &c->events, &c->metrics);
}

/* "core 1", "cores 0,2", "all cores". The caller frees. */
static char *cpus_text(const struct wp_cpuset *cpus)
{
	struct wp_str text = {0};

	if (!cpus->cpus.n)
		return wp_strdup("all cores");
	wp_str_puts(&text, cpus->cpus.n == 1 ? "core " : "cores ");
	for (size_t i = 0; i < cpus->cpus.n; i++)
		wp_str_printf(&text, "%s%u", i ? "," : "", cpus->cpus.v[i]);
	return text.s;
}

/* How many CPUs are counted: those asked for, else all. */
static size_t cores_of(const struct wp_counting *c)
{
	const struct wp_target *target = &c->targeting.target;

	return target->cpus.cpus.n ? target->cpus.cpus.n : c->setup.machine->online.cpus.n;
}

/*
 * Notes that a usual row is missing: worth it to who sees a table, but not in front of a
 * refusal, which is one line only; so it comes when nothing can be refused any more.
 */
static void note_missing(struct wp_counting *c)
{
	if (c->unnamed && !c->noted && wp_emit_wants_text(c->options))
		wp_event_note_refused(c->setup.catalogue, &c->events);
	else if (!c->setup.machine->has_hw_pmu && !c->noted && wp_emit_wants_text(c->options))
		wp_event_add_fixed(c->setup.catalogue, &c->events);
	c->noted = true;
}

static struct wp_err *launch(struct wp_counting *c)
{
	struct wp_world *world = c->setup.world;

	TRY(world->ops->launch(world, c->targeting.command, NULL, &c->targeting.target,
			       &c->launch));
	if (c->launch.pid)
		wp_log(c->io->log, WP_LOG_VERBOSE, "%s pid is %d", c->targeting.command[0],
		       (int)c->launch.pid);
	return NULL;
}

/* Whole CPUs need a privilege that not everybody has; who did not ask for them wants to know. */
static struct wp_err *advise(const struct wp_counting *c, struct wp_err *err)
{
	const struct wp_session_options *options = c->options;
	bool by_default = !options->target.cpus && !options->target.all && !options->target.pids &&
			  !options->target.cgroups && !options->target.each_cgroup &&
			  !options->target.user && !c->launch.pid;

	if (!err || err->code != WP_ERR_PERMISSION || !by_default)
		return err;
	wp_autofree char *text = err->text;
	err->text = wp_asprintf("%s (all cores are counted unless a command is given behind -- or"
				" a process with -p)",
				text);
	return err;
}

/* What its threads are called now; a script knows but the name of a process. */
static void name_process(struct wp_counting *c, pid_t pid)
{
	const struct wp_world_ops *world = c->setup.world->ops;
	struct wp_records records = {0};
	wp_autofree char *comm = NULL;

	if (world->thread_names)
		world->thread_names(pid, &records);
	wp_vec_each (const struct wp_record, record, &records.records)
		wp_thread_names_record(&c->names, record);
	wp_records_deinit(&records);
	if (!world->thread_names && world->process(c->setup.world, pid, NULL, &comm) && comm)
		wp_thread_names_record(&c->names, &(struct wp_record){.kind = WP_RECORD_COMM,
								      .pid = (uint32_t)pid,
								      .tid = (uint32_t)pid,
								      .comm.name = comm});
}

static void name_threads(struct wp_counting *c)
{
	wp_vec_each (pid_t, pid, &c->targeting.target.pids)
		name_process(c, *pid);
}

static struct wp_err *open_counting_source(struct wp_counting *c)
{
	struct wp_world *world = c->setup.world;
	struct wp_source_options options = {
		.events = &c->events,
		.target = &c->targeting.target,
		.machine = c->setup.machine,
		.log = c->io->log,
		.per_thread = c->split.by == WP_SPLIT_THREAD,
		.count_period_ms = c->options->events.count_period_ms,
		.no_inherit = c->options->counting.no_inherit,
		.delayed = c->options->counting.delay_ms != 0,
	};

	if (c->targeting.command)
		TRY(launch(c));
	if (options.per_thread)
		name_threads(c);
	TRY(advise(c, world->ops->open(world, &options, &c->source)));
	/* A command that we start again with less would gain the rest by its exec, and the kernel
	 * takes away the events of what gains rights. */
	if (c->options->counting.repeat == 1)
		wp_setup_reduce_rights(&c->setup, c->options, NULL, c->launch.pid != 0);
	return NULL;
}

/* Lines of intervals say themselves that it goes on; runs that are repeated are many. */
static bool wants_progress(const struct wp_session_options *options)
{
	return wp_emit_wants_text(options) && !options->counting.interval_print_ms &&
	       options->counting.repeat == 1;
}

/* What is counted for whole CPUs is split by CPUs, as perf has it. */
static struct wp_err *split_counts(struct wp_counting *c)
{
	const struct wp_cpuset *online = &c->setup.machine->online;
	struct wp_world *world = c->setup.world;
	enum wp_split by = c->options->counting.split;
	uint32_t n = online->cpus.n ? online->cpus.v[online->cpus.n - 1] + 1 : 0;

	if (by == WP_SPLIT_NONE)
		return NULL;
	c->split.by = by;
	c->split.names = &c->names;
	c->split.omits_zero =
		by == WP_SPLIT_THREAD && !c->options->target.pids && !c->options->target.user;
	if (by == WP_SPLIT_THREAD)
		return NULL;
	if (c->targeting.target.kind != WP_TARGET_CPUS)
		return wp_err_new(
			WP_ERR_USAGE,
			"-A, --per-core, --per-die, --per-socket and --per-node split what "
			"whole CPUs count: give -a or -c, too, or no process");
	for (uint32_t cpu = 0; cpu < n; cpu++)
		wp_vec_push(&c->places, world->ops->place(world, cpu));
	c->split.places = c->places.v;
	c->split.n_places = c->places.n;
	return NULL;
}

/* core_N/.../: only those cores are counted when nothing else is. */
static struct wp_err *choose_cores(struct wp_counting *c)
{
	struct wp_target *target = &c->targeting.target;
	struct wp_cpuset cores = {0};
	bool all = true;

	wp_vec_each (const struct wp_event, event, &c->events.events) {
		all &= event->core || event->is_fixed;
		if (!event->core)
			continue;
		if (target->kind != WP_TARGET_CPUS ||
		    (target->cpus.cpus.n && !wp_cpuset_has(&target->cpus, event->core - 1))) {
			wp_cpuset_deinit(&cores);
			return wp_err_new(
				WP_ERR_USAGE,
				"core_%u/%s/ is counted on that core: give -a or a -c that "
				"has it, too, or no process",
				event->core - 1, event->name);
		}
		wp_cpuset_add(&cores, event->core - 1);
	}
	if (all && !target->cpus.cpus.n)
		wp_vec_each (uint32_t, cpu, &cores.cpus)
			wp_cpuset_add(&target->cpus, *cpu);
	wp_cpuset_deinit(&cores);
	return NULL;
}

struct wp_err *wp_counting_init(struct wp_counting *c, const struct wp_session_options *options,
				struct wp_session_io *io)
{
	*c = (struct wp_counting){.options = options, .io = io};
	c->unnamed = !options->events.list && !options->events.metrics && !options->events.topdown;
	TRY(wp_setup_init(options, io, &c->setup));
	if (c->setup.world->ops->ready)
		TRY(c->setup.world->ops->ready(c->setup.world));
	wp_catalogue_choose_dmc(c->setup.catalogue, options->target.dmc);
	TRY(wp_event_check_dmc(c->setup.catalogue));
	if (!c->unnamed)
		TRY(parse_counted_events(c));
	TRY(wp_targeting_init(options, &c->setup, WP_TARGETING_STAT, &c->targeting));
	if (c->unnamed)
		TRY(take_default_counting(c));
	TRY(choose_cores(c));
	TRY(wp_setup_find_probes(&c->setup, &c->targeting.target, &c->events));
	if (options->target.each_cgroup)
		wp_event_set_each_cgroup(&c->events, options->target.each_cgroup);
	else if (wp_targeting_pairs_cgroups(options))
		TRY(wp_event_set_pair_cgroups(&c->events, options->target.cgroups));
	c->cpus_text = cpus_text(&c->targeting.target.cpus);
	TRY(split_counts(c));
	TRY(wp_emit_prepare(options));
	c->info = (struct wp_stat_info){
		.events = &c->events,
		.vendor = c->setup.machine->vendor ? c->setup.machine->vendor : "unknown",
		.label = c->targeting.label,
		.cpus = c->cpus_text,
		.kernel = c->targeting.target.kernel,
		.cores = cores_of(c),
		.machine = c->setup.machine,
		.metrics = &c->metrics,
		.topdown = options->events.topdown ? &c->topdown : NULL,
	};
	c->progress = (struct wp_progress){
		.out = wants_progress(options) ? io->out : NULL,
		.on_terminal = wp_writer_is_terminal(c->io->out),
		.deferred = c->targeting.command,
	};
	return open_counting_source(c);
}

void wp_counting_deinit(struct wp_counting *c)
{
	if (c->source)
		c->source->ops->close(c->source);
	wp_launch_finish(&c->launch);
	wp_targeting_deinit(&c->targeting);
	free(c->cpus_text);
	wp_vec_deinit(&c->places);
	wp_thread_names_deinit(&c->names);
	wp_event_set_deinit(&c->events);
	wp_metric_plan_deinit(&c->metrics);
	wp_topdown_deinit(&c->topdown);
	wp_setup_deinit(&c->setup);
}

bool wp_counting_interrupted(const struct wp_counting *c)
{
	return *c->io->interrupted;
}

static bool command_ended(struct wp_counting *c)
{
	return c->launch.pid && wp_launch_ended(&c->launch);
}

/* Asked between two periods, when the source does not look. */
static bool target_gone(struct wp_counting *c)
{
	const struct wp_target *target = &c->targeting.target;

	if (c->launch.pid || target->kind != WP_TARGET_PROCESSES)
		return command_ended(c);
	wp_vec_each (pid_t, pid, &target->pids)
		if (c->setup.world->ops->process(c->setup.world, *pid, NULL, NULL))
			return false;
	return true;
}

static struct wp_err *let_go(struct wp_counting *c)
{
	struct wp_err *err;

	if (!c->launch.pid || c->let_go)
		return NULL;
	c->let_go = true;
	err = wp_launch_go(&c->launch);
	if (err)
		err->exit_status = wp_launch_exit_status(&c->launch);
	return err;
}

/* `shows`: with progress. */
static void sleep_watching(struct wp_counting *c, uint64_t ns, bool shows)
{
	uint64_t begin_ns = wp_clock_now_ns(), now_ns = begin_ns;
	uint64_t end_ns = begin_ns + (c->setup.world->ops->time ? ns : 0);

	while (!wp_counting_interrupted(c) && now_ns < end_ns && !c->ended) {
		uint64_t left_ns = end_ns - now_ns;

		wp_clock_sleep_until_ns(now_ns + (left_ns < TICK_NS ? left_ns : TICK_NS));
		now_ns = wp_clock_now_ns();
		if (shows)
			wp_progress_tick(&c->progress, now_ns - begin_ns);
		c->ended = target_gone(c);
	}
}

/* -D: a first count begins that much later; of a command, while it runs. */
static struct wp_err *delay(struct wp_counting *c)
{
	uint64_t delay_ms = c->options->counting.delay_ms;

	if (!delay_ms || c->delayed)
		return NULL;
	c->delayed = true;
	TRY(let_go(c));
	sleep_watching(c, delay_ms * WP_NS_PER_MS, false);
	return NULL;
}

static struct wp_err *start_counting(struct wp_counting *c)
{
	TRY(delay(c));
	TRY(c->source->ops->start(c->source));
	return let_go(c);
}

/* Ctrl-C goes to the command as well: of several runs, the current one ends by itself. */
static bool breaks_off(const struct wp_counting *c)
{
	return wp_counting_interrupted(c) &&
	       (c->options->counting.repeat == 1 || !c->targeting.command);
}

static struct wp_err *wait_while_counting(struct wp_counting *c, uint64_t limit_ns)
{
	const struct wp_source_ops *ops = c->source->ops;
	uint64_t begin_ns = wp_clock_now_ns() - ops->elapsed_ns(c->source), elapsed_ns;
	struct wp_batch batch;

	while (!breaks_off(c) && !c->ended) {
		elapsed_ns = ops->elapsed_ns(c->source);
		wp_progress_tick(&c->progress, elapsed_ns);
		if (limit_ns && elapsed_ns >= limit_ns)
			break;
		uint64_t until_ns = elapsed_ns + TICK_NS;
		if (limit_ns && until_ns > limit_ns)
			until_ns = limit_ns;
		TRY(ops->next(c->source, begin_ns + until_ns, &batch));
		c->ended = batch.ended || command_ended(c);
		if (batch.paused && !limit_ns)
			break;
	}
	return NULL;
}

static struct wp_err *read_counts(struct wp_counting *c, struct wp_counts *ret)
{
	struct wp_batch batch;

	ret->elapsed_ns = c->source->ops->elapsed_ns(c->source);
	TRY(c->source->ops->counts(c->source, &batch));
	wp_counts_add(ret, &batch);
	return NULL;
}

struct wp_err *wp_counting_period(struct wp_counting *c, uint64_t limit_ns, struct wp_counts *ret)
{
	wp_counts_init(ret, c->events.events.n);
	ret->of_threads = c->split.by == WP_SPLIT_THREAD;
	TRY(start_counting(c));
	note_missing(c);
	wp_progress_begin(&c->progress, "counting");
	TRY(wait_while_counting(c, limit_ns));
	TRY(c->source->ops->stop(c->source));
	TRY(read_counts(c, ret));
	wp_progress_done(&c->progress, wp_counting_interrupted(c));
	return NULL;
}

struct wp_err *wp_counting_begin(struct wp_counting *c)
{
	TRY(start_counting(c));
	note_missing(c);
	return NULL;
}

bool wp_counting_over(const struct wp_counting *c)
{
	return c->ended || wp_counting_interrupted(c);
}

struct wp_err *wp_counting_lap(struct wp_counting *c, uint64_t limit_ns, struct wp_counts *ret)
{
	wp_counts_init(ret, c->events.events.n);
	ret->of_threads = c->split.by == WP_SPLIT_THREAD;
	TRY(wait_while_counting(c, limit_ns));
	if (wp_counting_over(c))
		TRY(c->source->ops->stop(c->source));
	TRY(read_counts(c, ret));
	if (!wp_counting_over(c))
		c->source->ops->lap(c->source);
	return NULL;
}

bool wp_counting_has_more(const struct wp_counting *c)
{
	return c->launch.pid || !c->ended;
}

struct wp_err *wp_counting_again(struct wp_counting *c)
{
	c->source->ops->close(c->source);
	c->source = NULL;
	c->targeting.target.pids.n = 0;
	c->launch = (struct wp_launch){0};
	c->let_go = c->ended = c->delayed = false;
	return open_counting_source(c);
}

static struct wp_world_end end_counted_program(struct wp_counting *c)
{
	return c->setup.world->ops->end(c->setup.world, &c->launch);
}

struct wp_stat_times wp_counting_times(struct wp_counting *c)
{
	struct wp_world_end end = end_counted_program(c);

	return (struct wp_stat_times){
		.known = c->targeting.command && end.timed,
		.user_ns = end.user_ns,
		.system_ns = end.system_ns,
	};
}

void wp_counting_pause(struct wp_counting *c, uint64_t ns)
{
	wp_progress_begin(&c->progress, "sleeping");
	sleep_watching(c, ns, true);
	wp_progress_done(&c->progress, wp_counting_interrupted(c));
}

int wp_counting_finish(struct wp_counting *c)
{
	uint64_t until_ns = wp_clock_now_ns() + FAREWELL_NS;
	bool by_itself = c->targeting.command;

	if (c->launch.pid) {
		while (wp_counting_interrupted(c) && !command_ended(c) &&
		       wp_clock_now_ns() < until_ns)
			wp_clock_sleep_until_ns(wp_clock_now_ns() + 10 * WP_NS_PER_MS);
		by_itself = command_ended(c) || wp_counting_interrupted(c);
		wp_launch_finish(&c->launch);
	}
	return by_itself ? end_counted_program(c).status : 0;
}
