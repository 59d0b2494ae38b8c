/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_refusal: see perf_refusal.h. */
#include "source/perf/perf_refusal.h"

#include "base/file.h"
#include "base/str.h"
#include "core/record.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define SOFTWARE_WORKS "software events such as cpu-clock, task-clock or page-faults work"

static struct wp_err *refuse_with(const struct wp_perf_attempt *a, enum wp_err_code code,
				  const char *fmt, ...) WP_PRINTF(3, 4);

static struct wp_err *refuse_with(const struct wp_perf_attempt *a, enum wp_err_code code,
				  const char *fmt, ...)
{
	wp_autostr struct wp_str why = {0};
	struct wp_err *err;
	va_list ap;

	va_start(ap, fmt);
	wp_str_vprintf(&why, fmt, ap);
	va_end(ap);
	err = wp_err_new(code, "event '%s': %s", a->name, why.s);
	err->os_errno = a->os_errno;
	return err;
}

static bool happens_in_kernel(const struct wp_perf_attempt *a)
{
	return a->event && a->event->in_kernel && !a->event->user_only;
}

static bool counts_kernel(const struct wp_perf_attempt *a)
{
	return a->event && !a->event->user_only && (a->kernel || a->event->kernel_only);
}

/* The highest perf_event_paranoid that lets a user without capabilities do this. */
static int64_t paranoid_needed(const struct wp_perf_attempt *a)
{
	if (a->pid < 0)
		return 0;
	return happens_in_kernel(a) || counts_kernel(a) ? 1 : 2;
}

static struct wp_err *too_paranoid(const struct wp_perf_attempt *a, int64_t now)
{
	int64_t needed = paranoid_needed(a);
	wp_autofree char *fix = wp_asprintf("needs perf_event_paranoid <= %" PRId64
					    " (it is %" PRId64 ") or CAP_PERFMON; as root: sysctl "
					    "kernel.perf_event_paranoid=%" PRId64,
					    needed, now, needed);

	if (a->event && a->event->unit)
		return refuse_with(a, WP_ERR_PERMISSION,
				   "CPUs share what counts it, whatever runs on them, which %s",
				   fix);
	if (needed == 0)
		return refuse_with(
			a, WP_ERR_PERMISSION,
			"watching whole CPUs %s; a process of your own can be watched with "
			"less (-p PID, or -- COMMAND)",
			fix);
	if (happens_in_kernel(a))
		return refuse_with(a, WP_ERR_PERMISSION, "it happens in the kernel, which %s", fix);
	if (counts_kernel(a))
		return refuse_with(a, WP_ERR_PERMISSION,
				   "looking into the kernel %s; without -k it is not needed", fix);
	return refuse_with(a, WP_ERR_PERMISSION, "an ordinary user %s", fix);
}

static struct wp_err *refuse_permission(const struct wp_perf_attempt *a)
{
	const struct wp_machine_limits *limits = &a->machine->limits;
	bool privileged = limits->cap_perfmon || limits->cap_sys_admin;

	if (a->event && a->event->probe && !privileged)
		return refuse_with(a, WP_ERR_PERMISSION,
				   "probes need root or CAP_PERFMON, whatever perf_event_paranoid "
				   "allows");
	if (!privileged && limits->perf_event_paranoid > paranoid_needed(a))
		return too_paranoid(a, limits->perf_event_paranoid);
	if (a->foreign && !(privileged && limits->cap_sys_ptrace))
		return refuse_with(
			a, WP_ERR_PERMISSION,
			"process %d belongs to another user; run as that user or as root "
			"(CAP_PERFMON and CAP_SYS_PTRACE)",
			(int)a->pid);
	return refuse_with(
		a, WP_ERR_PERMISSION,
		"the system forbids it although perf_event_paranoid does not: a container's "
		"seccomp filter (start it with --security-opt seccomp=unconfined) or a "
		"security module (kernel lockdown: %s)",
		limits->lockdown ? limits->lockdown : "unknown");
}

static struct wp_err *refuse_unknown(const struct wp_perf_attempt *a)
{
	const struct wp_machine *machine = a->machine;

	switch (a->event->source) {
	case WP_EVENT_HW:
		if (machine->has_hw_pmu)
			break;
		return refuse_with(a, WP_ERR_UNSUPPORTED, "there is no hardware PMU here%s%s; %s",
				   machine->hw_pmu_why && *machine->hw_pmu_why ? ": " : "",
				   machine->hw_pmu_why ? machine->hw_pmu_why : "", SOFTWARE_WORKS);
	case WP_EVENT_TRACEPOINT:
		return refuse_with(a, WP_ERR_NOT_FOUND,
				   "this kernel has no such tracepoint (any more)");
	case WP_EVENT_BREAKPOINT:
		return refuse_with(a, WP_ERR_UNSUPPORTED,
				   "this kernel has no hardware breakpoints");
	case WP_EVENT_PROBE:
		return refuse_with(a, WP_ERR_NOT_FOUND, "the kernel does not find what is probed");
	default: break;
	}
	return refuse_with(a, WP_ERR_UNSUPPORTED,
			   "not one of the events of its PMU; `wperf list` shows those that exist");
}

static struct wp_err *refuse_not_for_process(const struct wp_perf_attempt *a)
{
	return refuse_with(a, WP_ERR_UNSUPPORTED,
			   "its PMU counts for whole CPUs, not for a process; use -a or -c");
}

static struct wp_err *refuse_unsupported(const struct wp_perf_attempt *a)
{
	bool hw = a->event->source == WP_EVENT_HW || a->event->source == WP_EVENT_PMU;

	if (a->event->source == WP_EVENT_HW && !a->machine->has_hw_pmu)
		return refuse_unknown(a);
	if (a->event->source == WP_EVENT_PMU && a->pid >= 0)
		return refuse_not_for_process(a);
	if (a->sampling && hw)
		return refuse_with(a, WP_ERR_UNSUPPORTED,
				   "its PMU has no overflow interrupt: it can be counted but not "
				   "sampled; cpu-clock can be sampled anywhere");
	return refuse_with(
		a, WP_ERR_UNSUPPORTED,
		"its PMU does not support it in this form; `wperf list` shows what it has");
}

/* In WindowsPerf's words. */
static struct wp_err *refuse_group(const struct wp_perf_attempt *a)
{
	uint32_t total = a->machine->gpc_total, available = a->machine->gpc_free;

	if ((uint32_t)a->group_size > total)
		return refuse_with(
			a, WP_ERR_UNSUPPORTED,
			"event group size(%d) exceeds number of hardware PMU counters(%u)",
			a->group_size, total);
	return refuse_with(
		a, WP_ERR_UNSUPPORTED,
		"event group size(%d) exceeds number of free hardware PMU counters(%u) out "
		"of a total of (%u)",
		a->group_size, available, total);
}

static struct wp_err *refuse_config(const struct wp_perf_attempt *a)
{
	const struct wp_event *event = a->event;
	int64_t rate = a->machine->limits.perf_event_max_sample_rate;

	if (a->sampling && rate > 0 && event->freq_hz > (uint64_t)rate)
		return refuse_with(a, WP_ERR_USAGE,
				   "%" PRIu64 " samples a second are more than "
				   "perf_event_max_sample_rate allows (%" PRId64 ")",
				   event->freq_hz, rate);
	if (event->source == WP_EVENT_HW && a->group_size > 1 && a->machine->gpc_total &&
	    (uint32_t)a->group_size > a->machine->gpc_free)
		return refuse_group(a);
	if (event->source == WP_EVENT_PROBE)
		return refuse_with(a, WP_ERR_UNSUPPORTED,
				   "the kernel does not take a probe there: an instruction that it "
				   "cannot step over, or a file system without executable files");
	if (event->source == WP_EVENT_PMU && a->sampling)
		return refuse_with(
			a, WP_ERR_UNSUPPORTED,
			"its PMU can be counted but not sampled; cpu-clock can be sampled");
	if (event->source == WP_EVENT_PMU && a->pid >= 0)
		return refuse_not_for_process(a);
	if (event->group != WP_EVENT_NO_GROUP)
		return refuse_with(a, WP_ERR_UNSUPPORTED,
				   "it cannot be counted together with the others of its {group}; "
				   "without the braces it is counted on its own");
	if (event->source != WP_EVENT_HW && event->source != WP_EVENT_PMU)
		return refuse_with(a, WP_ERR_UNSUPPORTED, "this kernel does not accept it");
	return refuse_with(a, WP_ERR_UNSUPPORTED,
			   "its PMU does not accept the configuration 0x%" PRIx64
			   "; the folder format/ of the PMU in sysfs says what there is",
			   event->config);
}

/* Arm SPE; the checks are those of arm_spe_pmu_event_init(), drivers/perf/arm_spe_pmu.c. */
static struct wp_err *refuse_traced(const struct wp_perf_attempt *a)
{
	switch (a->os_errno) {
	case EBUSY:
		return refuse_with(a, WP_ERR_UNSUPPORTED,
				   "someone else uses Arm SPE (another perf or wperf): it serves "
				   "one, of whole CPUs or of processes");
	case EOPNOTSUPP:
		return refuse_with(a, WP_ERR_UNSUPPORTED,
				   "the CPU does not have one of its filters; leave out "
				   "event_filter bits, min_latency or inv_event_filter");
	case ENOENT:
		return refuse_with(a, WP_ERR_UNSUPPORTED,
				   "CPU %d has no such Arm SPE; arm_spe// is that of all CPUs",
				   (int)a->cpu);
	case EACCES:
		return refuse_with(a, WP_ERR_PERMISSION,
				   "pa_enable, pct_enable and the kernel are for root, CAP_PERFMON "
				   "or a perf_event_paranoid of at most 1 (it is %lld)",
				   (long long)a->machine->limits.perf_event_paranoid);
	default: return NULL;
	}
}

static struct wp_err *refuse_busy(const struct wp_perf_attempt *a)
{
	if (a->event->source == WP_EVENT_BREAKPOINT)
		return refuse_with(
			a, WP_ERR_UNSUPPORTED,
			"every debug register is in use (most CPUs have 4, and a debugger "
			"takes some); watch fewer addresses");
	return refuse_with(a, WP_ERR_UNSUPPORTED,
			   "the counter is held by someone else; if it is the NMI watchdog: sysctl "
			   "kernel.nmi_watchdog=0");
}

static struct wp_err *refuse_event(const struct wp_perf_attempt *a)
{
	switch (a->os_errno) {
	case ENOENT: return refuse_unknown(a);
	case EOPNOTSUPP: return refuse_unsupported(a);
	case EINVAL: return refuse_config(a);
	case EBUSY:
	case ENOSPC: return refuse_busy(a);
	case E2BIG:
		return refuse_with(a, WP_ERR_UNSUPPORTED,
				   "this kernel (%s) is too old for one of its settings",
				   a->machine->kernel ? a->machine->kernel : "unknown");
	default: return refuse_with(a, WP_ERR_OS, "cannot be opened: %s", strerror(a->os_errno));
	}
}

struct wp_err *wp_perf_refusal(const struct wp_perf_attempt *a)
{
	struct wp_err *traced = a->event && a->event->is_spe ? refuse_traced(a) : NULL;

	if (traced)
		return traced;
	if (a->event && a->branches && (a->os_errno == EOPNOTSUPP || a->os_errno == EINVAL))
		return refuse_with(
			a, WP_ERR_UNSUPPORTED,
			"no such branches come with its samples: the CPU remembers none, not "
			"those of -j, or the event is none of its PMU; leave out -b and -j");
	switch (a->os_errno) {
	case EACCES:
		if (a->physical && a->machine->limits.perf_event_paranoid > 1 &&
		    !a->machine->limits.cap_perfmon)
			return refuse_with(a, WP_ERR_PERMISSION,
					   "--phys-data is for root, CAP_PERFMON or a "
					   "perf_event_paranoid of at "
					   "most 1; leave it out");
		return refuse_permission(a);
	case EPERM: return refuse_permission(a);
	case EMFILE:
	case ENFILE:
		return refuse_with(
			a, WP_ERR_LIMIT,
			"%" PRIu64 " descriptors are needed and the limit on open files is "
			"lower; raise it (ulimit -n), or watch fewer events, CPUs or threads",
			a->descriptors);
	case ESRCH: return refuse_with(a, WP_ERR_NOT_FOUND, "process %d is gone", (int)a->pid);
	case ENODEV:
		if (a->cpu != WP_ANY_CPU)
			return refuse_with(a, WP_ERR_NOT_FOUND,
					   "CPU %u is offline or not one that this PMU counts on",
					   a->cpu);
		break;
	case ENOSYS:
		return refuse_with(a, WP_ERR_UNSUPPORTED,
				   "this kernel was built without perf events");
	default: break;
	}
	if (a->event)
		return refuse_event(a);
	return refuse_with(a, WP_ERR_OS, "%s", strerror(a->os_errno));
}

/* "fd, buf, count": what the file `format` of a tracepoint has in "field:TYPE NAME; ...". */
static void list_format_fields(const char *format, struct wp_str *ret)
{
	for (const char *at = format; (at = strstr(at, "field:")); at++) {
		const char *end = at + strcspn(at, ";["), *name = end;

		while (name > at && name[-1] != ' ' && name[-1] != '*')
			name--;
		if (strncmp(name, "common_", strlen("common_")) != 0)
			wp_str_printf(ret, "%s%.*s", ret->len ? ", " : "", (int)(end - name), name);
	}
}

static void find_fields(const char *events, const char *tracepoint, struct wp_str *ret)
{
	const char *colon = strchr(tracepoint, ':');
	wp_autofree char *path = NULL, *format = NULL;

	if (!events || !colon)
		return;
	path = wp_asprintf("%s/%.*s/%.*s/format", events, (int)(colon - tracepoint), tracepoint,
			   (int)strcspn(colon + 1, ":"), colon + 1);
	wp_autoerr struct wp_err *err = wp_file_read(path, 1 << 20, &format, NULL);
	if (!err)
		list_format_fields(format, ret);
}

struct wp_err *wp_perf_refuse_filter(const struct wp_machine *machine, const struct wp_event *event,
				     int os_errno)
{
	wp_autostr struct wp_str fields = {0};

	if (os_errno != EINVAL)
		return wp_err_os(os_errno, "event '%s': --filter %s", event->name, event->filter);
	find_fields(machine->limits.tracefs_events, event->name, &fields);
	return wp_err_new(WP_ERR_USAGE,
			  "event '%s': --filter %s: the kernel does not take it; want something "
			  "like 'FIELD == 1 && (FIELD > 2 || FIELD ~ \"a*\")'%s%s",
			  event->name, event->filter, fields.len ? " of its fields " : "",
			  fields.len ? fields.s : "");
}
