/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_set: see perf_set.h. */
#include "source/perf/perf_set.h"

#include "event/event_spe.h"
#include "source/perf/perf_entry.h"
#include "source/perf/perf_intervals.h"
#include "source/perf/perf_probes.h"
#include "source/perf/perf_program.h"
#include "source/perf/perf_refusal.h"
#include "source/perf/perf_ring_size.h"
#include "source/proc/procfs.h"

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

/* How often opening starts again because threads were born meanwhile. */
#define ATTACH_TRIES 5
/* Descriptors for everything that is not an event. */
#define SPARE_DESCRIPTORS 128

/* What this kernel can do is found out with an event on ourselves that counts nothing. */
static bool kernel_takes(const struct perf_event_attr *attr)
{
	wp_autoclose int fd = wp_perf_attr_open(attr, 0, -1, -1);

	return fd >= 0;
}

static void probe_features(struct wp_perf_set *set)
{
	struct wp_perf_mode plain = {0};
	struct perf_event_attr attr;

	wp_perf_attr_dummy(&plain, &attr);
	attr.read_format |= WP_PERF_READ_LOST;
	set->mode.has_lost = kernel_takes(&attr);
	wp_perf_attr_dummy(&plain, &attr);
	attr.inherit = 1;
	attr.read_format |= WP_PERF_READ_GROUP;
	set->group_reads = kernel_takes(&attr);
	attr.sample_type = WP_PERF_SAMPLE_TID | WP_PERF_SAMPLE_READ;
	set->inherits_reads = kernel_takes(&attr);
}

/* Raises our own limit on open files; only root can go above the hard one. */
static void allow_descriptors(uint64_t wanted)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= wanted)
		return;
	if (limit.rlim_max < wanted) {
		struct rlimit more = {wanted, wanted};

		if (setrlimit(RLIMIT_NOFILE, &more) == 0)
			return;
	}
	limit.rlim_cur = limit.rlim_max < wanted ? limit.rlim_max : wanted;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static const struct wp_event *opened_event_of(const struct wp_perf_set *set, uint32_t index)
{
	return index == WP_PERF_DUMMY ? NULL : &set->options->events->events.v[index];
}

static int hw_group_size(const struct wp_perf_set *set, const struct wp_event *event)
{
	int n = 0;

	if (!event || event->group == WP_EVENT_NO_GROUP)
		return 0;
	wp_vec_each (struct wp_event, other, &set->options->events->events)
		n += other->group == event->group && other->source == WP_EVENT_HW;
	return n;
}

static struct wp_err *refuse_opening(const struct wp_perf_set *set,
				     const struct wp_perf_context *context, uint32_t event,
				     int os_errno)
{
	/* What the dummy is refused, the events are: the user knows those by name. */
	uint32_t named = event == WP_PERF_DUMMY ? 0 : event;
	struct wp_perf_attempt attempt = {
		.machine = set->options->machine,
		.event = opened_event_of(set, event),
		.name = set->options->events->events.v[named].name,
		.os_errno = os_errno,
		.sampling = set->mode.sampling,
		.kernel = set->mode.kernel,
		.branches = (set->mode.carried & WP_DATA_BRANCHES) != 0,
		.physical = (set->mode.carried & WP_DATA_PHYS_ADDR) != 0,
		.pid = context->pid,
		.foreign = context->pid > 0 && wp_procfs_foreign(context->pid),
		.cpu = context->cpu < 0 ? WP_ANY_CPU : (uint32_t)context->cpu,
		.group_size = hw_group_size(set, opened_event_of(set, event)),
		.descriptors = set->descriptors,
	};

	return wp_perf_refusal(&attempt);
}

/* Threads of a cgroup are woken by whoever it may be: that event is of all that runs. event: NULL
 * of the dummy. */
static int open_at(const struct wp_perf_set *set, const struct wp_perf_context *context,
		   const struct wp_event *event, const struct perf_event_attr *attr, int group_fd)
{
	if (!context->cgroup || (event && event->waking_id))
		return wp_perf_attr_open(attr, context->tid, context->cpu, group_fd);
	return wp_perf_attr_open_cgroup(attr, set->options->target->cgroups.v[context->cgroup - 1],
					context->cpu, group_fd);
}

/*
 * Opens one event in a context and appends its counter. A thread that ended meanwhile is no error:
 * *ret_gone says so. leader is the index of the group's leader, or SIZE_MAX.
 */
static struct wp_err *open_counter(struct wp_perf_set *set, uint32_t place_index, uint32_t event,
				   struct perf_event_attr *attr, size_t leader, bool *ret_gone)
{
	const struct wp_perf_context *context = &set->contexts.v.v[place_index];
	struct wp_perf_counter counter = {.event = event, .context = place_index};
	int group_fd = -1;
	uint64_t id;

	if (leader != SIZE_MAX)
		group_fd = set->counters.v[leader].fd;
	counter.leader = leader == SIZE_MAX ? set->counters.n : leader;
	counter.read_format = attr->read_format;
	counter.fd = open_at(set, context, opened_event_of(set, event), attr, group_fd);
	if (counter.fd < 0 && errno == ESRCH) {
		*ret_gone = true;
		return NULL;
	}
	if (counter.fd < 0)
		return refuse_opening(set, context, event, errno);
	if (event != WP_PERF_DUMMY)
		counter.walked = wp_perf_program_set(
			set->program, &set->options->events->events.v[event], counter.fd);
	if (ioctl(counter.fd, PERF_EVENT_IOC_ID, &id) == 0) {
		*wp_map_put(&set->counter_of_id, id) = set->counters.n;
		if (event != WP_PERF_DUMMY)
			*wp_map_put(&set->event_of_id, id) = event;
	}
	wp_vec_push(&set->counters, counter);
	return NULL;
}

/* Which hits of the newest counter's event count. */
static struct wp_err *set_counter_filter(struct wp_perf_set *set, const struct wp_event *event)
{
	int fd = set->counters.v[set->counters.n - 1].fd;

	if (event->filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, event->filter) < 0)
		return wp_perf_refuse_filter(set->options->machine, event, errno);
	return wp_perf_probes_watch(set->probes, set->options, event, fd);
}

/* Lets the newest counter write into the ring of its CPU. */
static struct wp_err *redirect(struct wp_perf_set *set)
{
	const struct wp_perf_counter *counter = &set->counters.v[set->counters.n - 1];
	const struct wp_perf_context *context = &set->contexts.v.v[counter->context];
	const struct wp_perf_counter *owner = &set->counters.v[context->ring];

	if (!set->mode.sampling)
		return NULL;
	if (ioctl(counter->fd, PERF_EVENT_IOC_SET_OUTPUT, owner->fd) < 0)
		return refuse_opening(set, context, counter->event, errno);
	return NULL;
}

/* The dummy that tracks mappings (sampling), or measures how long a thread is on a CPU. */
static struct wp_err *open_dummy(struct wp_perf_set *set, uint32_t place_index, bool *ret_gone)
{
	struct wp_perf_context *context = &set->contexts.v.v[place_index];
	bool residence = !set->mode.sampling && context->tid >= 0 && context->cpu >= 0;
	struct perf_event_attr attr;

	if (!set->mode.sampling && !residence)
		return NULL;
	if (set->contexts.of_processes && context->tid < 0)
		return NULL; /* whoever else runs there is not watched */
	/* The first counters are the rings' owners, which are such dummies themselves. */
	for (size_t i = 0; i < set->rings.n; i++)
		if (set->counters.v[i].context == place_index)
			return NULL;
	wp_perf_attr_dummy(&set->mode, &attr);
	TRY(open_counter(set, place_index, WP_PERF_DUMMY, &attr, SIZE_MAX, ret_gone));
	if (*ret_gone)
		return NULL;
	if (residence)
		context->residence = set->counters.n;
	return redirect(set);
}

/* How many units count the same group, each as a group of its own. */
static size_t units_of_set(const struct wp_event_set *events)
{
	size_t n = 1;

	wp_vec_each (struct wp_event, event, &events->events)
		if ((size_t)event->unit_index >= n)
			n = (size_t)event->unit_index + 1;
	return n;
}

/* leaders: per group and unit, the index + 1 of the leader in this context. */
static struct wp_err *open_event_in_context(struct wp_perf_set *set, uint32_t place_index,
					    uint32_t index, const struct wp_probe_place *place,
					    size_t *leaders, bool *ret_gone)
{
	const struct wp_event *event = opened_event_of(set, index);
	bool shared = set->contexts.of_processes && wp_perf_contexts_shares(&set->contexts, event);
	bool grouped = event->group != WP_EVENT_NO_GROUP;
	size_t *slot = grouped ? &leaders[(size_t)event->unit_index *
						  (size_t)set->options->events->groups +
					  (size_t)event->group]
			       : NULL;
	size_t leader = grouped && *slot ? *slot - 1 : SIZE_MAX;
	union wp_perf_attr_wide wide;
	struct perf_event_attr *attr = &wide.attr;

	wp_perf_attr_wide(event, &set->mode, &wide);
	if (event->every_spe)
		attr->type = wp_event_spe_type(set->options->machine,
					       set->contexts.v.v[place_index].cpu);
	if (shared)
		attr->enable_on_exec = 0;
	if (place)
		wp_perf_attr_place(event->probe, place, attr);
	if (leader != SIZE_MAX) {
		attr->disabled = 0;
		attr->enable_on_exec = 0;
	} else if (grouped && set->group_reads) {
		attr->read_format |= WP_PERF_READ_GROUP;
	}
	TRY(open_counter(set, place_index, index, attr, leader, ret_gone));
	if (*ret_gone)
		return NULL;
	set->counters.v[set->counters.n - 1].place = place;
	TRY(set_counter_filter(set, event));
	if (grouped && leader == SIZE_MAX)
		*slot = set->counters.n;
	return redirect(set);
}

/* A probe may be at several places: whichever is hit, it is the same event. */
static struct wp_err *open_places(struct wp_perf_set *set, uint32_t place_index, uint32_t index,
				  size_t *leaders, bool *ret_gone)
{
	const struct wp_probe *probe = opened_event_of(set, index)->probe;

	if (!probe)
		return open_event_in_context(set, place_index, index, NULL, leaders, ret_gone);
	for (size_t i = 0; i < probe->n_places && !*ret_gone; i++)
		TRY(open_event_in_context(set, place_index, index, &probe->places[i], leaders,
					  ret_gone));
	return NULL;
}

static struct wp_err *open_place(struct wp_perf_set *set, uint32_t place_index)
{
	const struct wp_source_options *options = set->options;
	size_t groups = (size_t)options->events->groups * units_of_set(options->events);
	wp_autofree size_t *leaders = wp_calloc(groups + 1, sizeof(*leaders));
	bool gone = false;

	TRY(open_dummy(set, place_index, &gone));
	for (uint32_t i = 0; !gone && i < options->events->events.n; i++)
		if (wp_perf_contexts_wants(&set->contexts, options->machine,
					   opened_event_of(set, i),
					   &set->contexts.v.v[place_index]))
			TRY(open_places(set, place_index, i, leaders, &gone));
	return NULL;
}

static struct wp_err *process_gone(const struct wp_perf_set *set)
{
	const struct wp_target *target = set->options->target;
	int pid = target->pids.n ? (int)target->pids.v[0] : -1;
	struct wp_err *err = wp_err_new(WP_ERR_NOT_FOUND, "process %d does not exist", pid);

	err->os_errno = ESRCH;
	return err;
}

/* The owner of a CPU's ring: a dummy on the first thread that still lives. */
static struct wp_err *open_owner(struct wp_perf_set *set, uint32_t ring)
{
	struct perf_event_attr attr;

	wp_perf_attr_dummy(&set->mode, &attr);
	for (uint32_t i = 0; i < set->contexts.v.n; i++) {
		bool gone = false;

		if (set->contexts.v.v[i].ring != ring)
			continue;
		TRY(open_counter(set, i, WP_PERF_DUMMY, &attr, SIZE_MAX, &gone));
		if (!gone)
			return NULL;
	}
	return process_gone(set);
}

static bool map_rings(struct wp_perf_set *set, uint64_t bytes)
{
	for (size_t i = 0; i < set->rings.n; i++)
		if (!wp_perf_ring_map(&set->rings.v[i], set->counters.v[i].fd, bytes))
			return false;
	return true;
}

/* All rings get the same size: the one that fits into what this user may lock. */
static struct wp_err *size_rings(struct wp_perf_set *set)
{
	const struct wp_source_options *options = set->options;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), bytes = page, wanted;

	wanted = options->ring_bytes;
	if (!wanted)
		wanted = wp_perf_ring_size(options->events, set->rings.n,
					   wp_perf_attr_sample_bytes(&set->mode));
	while (bytes < wanted && bytes < WP_PERF_RINGS_BYTES)
		bytes *= 2;
	wanted = bytes;
	while (!map_rings(set, bytes)) {
		int why = errno;

		wp_vec_each (struct wp_perf_ring, ring, &set->rings)
			wp_perf_ring_unmap(ring);
		if ((why != EPERM && why != ENOMEM) || bytes <= page)
			return wp_err_os(why, "no memory for the rings that samples arrive in "
					      "(perf_event_mlock_kb, ulimit -l)");
		bytes /= 2;
	}
	/* Pinned readers say when a ring fills: the smallest one does. */
	if (bytes < wanted && !(set->mode.pinned && bytes >= WP_PERF_RING_MIN_BYTES))
		wp_log(options->log, WP_LOG_NOTE,
		       "the sampling buffers are %llu KB per CPU, not %llu KB: this user may not "
		       "lock more (perf_event_mlock_kb, ulimit -l); samples may be lost",
		       (unsigned long long)bytes >> 10, (unsigned long long)wanted >> 10);
	return NULL;
}

static struct wp_err *open_rings(struct wp_perf_set *set)
{
	wp_vec_each (uint32_t, cpu, &set->contexts.cpus.cpus) {
		TRY(open_owner(set, (uint32_t)set->rings.n));
		wp_vec_push(&set->rings, (struct wp_perf_ring){.cpu = *cpu});
	}
	return size_rings(set);
}

static struct wp_err *check_cpus(const struct wp_perf_set *set)
{
	const struct wp_cpuset *online = &set->options->machine->online;

	wp_vec_each (uint32_t, cpu, &set->contexts.asked.cpus) {
		if (online->cpus.n && !wp_cpuset_has(online, *cpu))
			return wp_err_new(WP_ERR_NOT_FOUND, "CPU %u does not exist or is offline",
					  *cpu);
	}
	return NULL;
}

static bool is_wanted_anywhere(const struct wp_perf_set *set, const struct wp_event *event)
{
	wp_vec_each (struct wp_perf_context, context, &set->contexts.v)
		if (wp_perf_contexts_wants(&set->contexts, set->options->machine, event, context))
			return true;
	return false;
}

/* Of what several units count, those that serve none of the CPUs asked for are left out. */
static bool another_unit_is(const struct wp_perf_set *set, const struct wp_event *event)
{
	if (!event->unit)
		return false;
	wp_vec_each (struct wp_event, other, &set->options->events->events)
		if (other->unit && other->class == event->class && other->group == event->group &&
		    strcmp(other->name, event->name) == 0 && is_wanted_anywhere(set, other))
			return true;
	return false;
}

/* Refuses events whose PMU counts on none of the CPUs asked for. */
static struct wp_err *check_places(const struct wp_perf_set *set)
{
	wp_vec_each (struct wp_event, event, &set->options->events->events) {
		if (event->unit && set->options->target->cgroups.n &&
		    (event->cgroup || !set->options->target->pairs))
			return wp_err_new(
				WP_ERR_UNSUPPORTED,
				"event '%s': CPUs share what counts it, which cannot tell "
				"what runs in a cgroup",
				event->name);
		if (event->unit && set->options->per_thread)
			return wp_err_new(
				WP_ERR_UNSUPPORTED,
				"event '%s': CPUs share what counts it, which cannot tell "
				"threads apart",
				event->name);
		if (event->presence != WP_EVENT_REFUSED && !is_wanted_anywhere(set, event) &&
		    !another_unit_is(set, event))
			return wp_err_new(WP_ERR_UNSUPPORTED,
					  "event '%s': its PMU counts on other CPUs than those "
					  "asked for; `wperf detect` lists them",
					  event->name);
	}
	return NULL;
}

static void close_all(struct wp_perf_set *set)
{
	wp_vec_each (struct wp_perf_ring, ring, &set->rings)
		wp_perf_ring_unmap(ring);
	/* Members first: closing a leader would make each of them one of its own. */
	while (set->counters.n)
		close(set->counters.v[--set->counters.n].fd);
	set->rings.n = 0;
	wp_perf_contexts_deinit(&set->contexts);
	wp_map_deinit(&set->event_of_id);
	wp_map_deinit(&set->counter_of_id);
	memset(&set->contexts, 0, sizeof(set->contexts));
	set->contexts.filters_probes = set->probes != NULL;
}

static struct wp_err *open_all(struct wp_perf_set *set)
{
	const struct wp_source_options *options = set->options;

	wp_perf_contexts_list(&set->contexts, options->events, options->target, options->machine,
			      set->mode.sampling);
	if (set->contexts.v.n == 0)
		return process_gone(set);
	TRY(check_cpus(set));
	TRY(check_places(set));
	set->descriptors =
		set->contexts.v.n * wp_perf_probes_descriptors(options->events) + SPARE_DESCRIPTORS;
	allow_descriptors(set->descriptors);
	if (set->mode.sampling)
		TRY(open_rings(set));
	for (uint32_t i = 0; i < set->contexts.v.n; i++)
		TRY(open_place(set, i));
	return set->counters.n ? NULL : process_gone(set);
}

/* Of several processes some may have ended before we looked. */
static void warn_of_gone(const struct wp_perf_set *set)
{
	const struct wp_target *target = set->options->target;

	if (target->kind != WP_TARGET_PROCESSES)
		return;
	wp_vec_each (pid_t, pid, &target->pids) {
		bool found = false;

		wp_vec_each (struct wp_perf_context, context, &set->contexts.v)
			found |= context->pid == *pid;
		if (!found)
			wp_log(set->options->log, WP_LOG_WARNING, "process %d does not exist",
			       (int)*pid);
	}
}

/*
 * A thread born while we attach has the events that its parent had by then, which nobody can ask
 * for. So everything is opened again until no thread is born meanwhile; opening events on the new
 * thread alone would count it twice.
 */
static struct wp_err *attach_threads(struct wp_perf_set *set)
{
	for (int i = 0; i < ATTACH_TRIES; i++) {
		close_all(set);
		TRY(open_all(set));
		if (!wp_perf_contexts_outdated(&set->contexts, set->options->target))
			return NULL;
	}
	wp_log(set->options->log, WP_LOG_VERBOSE,
	       "threads were started all the time while attaching; a few of them may be missed");
	return NULL;
}

/* Kernels before 6.12 read no groups of events that children inherit. */
static void follow_groups(struct wp_perf_set *set)
{
	set->mode.groups = set->mode.sampling && set->options->events->groups;
	if (!set->mode.groups || !set->mode.inherit || set->inherits_reads)
		return;
	set->mode.inherit = false;
	wp_log(set->options->log, WP_LOG_NOTE,
	       "{group}:S: this kernel reads groups only of threads that are there when sampling "
	       "begins (Linux 6.12 reads those of others too)");
}

struct wp_err *wp_perf_set_open(const struct wp_source_options *options, int program,
				struct wp_perf_set *ret)
{
	const struct wp_target *target = options->target;
	struct wp_perf_set set = {.options = options, .program = program};
	struct wp_err *err;

	set.mode = (struct wp_perf_mode){
		.sampling = options->sampling,
		.inherit = target->kind == WP_TARGET_PROCESSES && !options->no_inherit,
		.enable_on_exec = target->kind == WP_TARGET_PROCESSES && target->launched &&
				  !options->delayed,
		.kernel = target->kernel,
		.pinned = options->sampling && options->pinned,
		.walked = options->walker != NULL,
		.waits = options->sampling && wp_event_set_has_off_cpu(options->events),
		.traced = options->sampling && wp_event_set_has_spe(options->events),
		.payloads = options->sampling && options->payloads,
		.entries = wp_perf_entry_wanted(options),
		.carried = options->sampling ? options->carried : 0,
		.branch_type = options->branch_type,
		.unsaid_periods = wp_perf_intervals_unsaid(options),
		.stacks = options->sampling ? options->stacks : WP_STACKS_NONE,
		.stack_bytes =
			(uint32_t)(options->stack_bytes ? options->stack_bytes : WP_STACK_BYTES),
	};
	set.mode.traced_wide = set.mode.traced && target->kind != WP_TARGET_PROCESSES;
	probe_features(&set);
	follow_groups(&set);
	set.probes = wp_perf_probes_open(options);
	err = attach_threads(&set);
	if (err) {
		wp_perf_set_deinit(&set);
		return err;
	}
	warn_of_gone(&set);
	wp_perf_intervals_warn(options, &set.mode);
	*ret = set;
	return NULL;
}

void wp_perf_set_deinit(struct wp_perf_set *set)
{
	close_all(set);
	wp_bpf_probes_close(set->probes);
	set->probes = NULL;
	wp_vec_deinit(&set->counters);
	wp_vec_deinit(&set->rings);
}

static struct wp_err *switch_one(const struct wp_perf_set *set,
				 const struct wp_perf_counter *counter, unsigned long request)
{
	const struct wp_event *event = opened_event_of(set, counter->event);

	if (ioctl(counter->fd, request, 0) == 0)
		return NULL;
	return wp_err_os(errno, "event '%s' cannot be %s", event ? event->name : "dummy",
			 request == PERF_EVENT_IOC_ENABLE ? "started" : "stopped");
}

/* Each leader of events, or of dummies. */
static struct wp_err *switch_all(const struct wp_perf_set *set, bool dummies, unsigned long request)
{
	for (size_t i = 0; i < set->counters.n; i++) {
		const struct wp_perf_counter *counter = &set->counters.v[i];

		if (counter->leader == i && (counter->event == WP_PERF_DUMMY) == dummies)
			TRY(switch_one(set, counter, request));
	}
	return NULL;
}

struct wp_err *wp_perf_set_enable_dummies(struct wp_perf_set *set)
{
	return switch_all(set, true, PERF_EVENT_IOC_ENABLE);
}

struct wp_err *wp_perf_set_enable(struct wp_perf_set *set)
{
	return switch_all(set, false, PERF_EVENT_IOC_ENABLE);
}

struct wp_err *wp_perf_set_enable_shared(struct wp_perf_set *set)
{
	for (size_t i = 0; i < set->counters.n; i++) {
		const struct wp_perf_counter *counter = &set->counters.v[i];

		if (counter->leader == i && set->contexts.v.v[counter->context].tid < 0)
			TRY(switch_one(set, counter, PERF_EVENT_IOC_ENABLE));
	}
	return NULL;
}

struct wp_err *wp_perf_set_disable(struct wp_perf_set *set)
{
	return switch_all(set, false, PERF_EVENT_IOC_DISABLE);
}
