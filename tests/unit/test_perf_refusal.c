/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_refusal: what the kernel's errno means for whom. */
#include "source/perf/perf_refusal.h"

#include "core/record.h"

#include "check.h"

#include <errno.h>

static struct wp_machine machine;
static struct wp_event event;

static struct wp_perf_attempt attempt(int os_errno)
{
	machine = (struct wp_machine){
		.has_hw_pmu = true,
		.gpc_total = 6,
		.gpc_free = 5,
		.limits = {.perf_event_paranoid = 2, .perf_event_max_sample_rate = 100000},
	};
	event = (struct wp_event){.name = "ev", .source = WP_EVENT_HW, .group = WP_EVENT_NO_GROUP};
	return (struct wp_perf_attempt){
		.machine = &machine,
		.event = &event,
		.name = "ev",
		.os_errno = os_errno,
		.pid = 12,
		.cpu = WP_ANY_CPU,
	};
}

static void check_refusal(const struct wp_perf_attempt *a, enum wp_err_code code, const char *words)
{
	struct wp_err *err = wp_perf_refusal(a);

	CHECK_U64(err->code, code);
	CHECK_U64(err->os_errno, a->os_errno);
	CHECK(strstr(err->text, "event 'ev'"));
	CHECK(!strchr(err->text, '\n'));
	CHECK_ERR(err, words);
}

static void test_paranoid(void)
{
	struct wp_perf_attempt a = attempt(EACCES);

	event.in_kernel = true;
	check_refusal(&a, WP_ERR_PERMISSION,
		      "happens in the kernel, which needs perf_event_paranoid <= 1 (it is 2) or "
		      "CAP_PERFMON");
	event.in_kernel = false;
	a.kernel = true;
	check_refusal(&a, WP_ERR_PERMISSION, "kernel needs perf_event_paranoid <= 1 (it is 2)");
	a.pid = -1;
	check_refusal(&a, WP_ERR_PERMISSION, "whole CPUs needs perf_event_paranoid <= 0 (it is 2)");
	event.unit = "power";
	check_refusal(&a, WP_ERR_PERMISSION,
		      "whatever runs on them, which needs perf_event_paranoid <= 0");
	event.unit = NULL;
	a.pid = 12;
	a.kernel = false;
	machine.limits.perf_event_paranoid = 3;
	check_refusal(&a, WP_ERR_PERMISSION, "needs perf_event_paranoid <= 2 (it is 3)");
	a.os_errno = EPERM;
	check_refusal(&a, WP_ERR_PERMISSION, "sysctl kernel.perf_event_paranoid=2");
}

static void test_foreign_and_forbidden(void)
{
	struct wp_perf_attempt a = attempt(EACCES);

	a.foreign = true;
	check_refusal(&a, WP_ERR_PERMISSION, "process 12 belongs to another user");
	a.foreign = false;
	check_refusal(&a, WP_ERR_PERMISSION, "seccomp");
	machine.limits.cap_perfmon = true;
	machine.limits.perf_event_paranoid = 4;
	machine.limits.lockdown = "confidentiality";
	check_refusal(&a, WP_ERR_PERMISSION, "lockdown: confidentiality");
	a.foreign = true;
	check_refusal(&a, WP_ERR_PERMISSION, "process 12 belongs to another user");
	machine.limits.cap_sys_ptrace = true;
	check_refusal(&a, WP_ERR_PERMISSION, "--security-opt seccomp=unconfined");
}

static void test_no_such_event(void)
{
	struct wp_perf_attempt a = attempt(ENOENT);

	check_refusal(&a, WP_ERR_UNSUPPORTED, "not one of the events of its PMU");
	machine.has_hw_pmu = false;
	machine.hw_pmu_why = "a virtual machine without one";
	check_refusal(&a, WP_ERR_UNSUPPORTED,
		      "no hardware PMU here: a virtual machine without one; software events");
	a.os_errno = EOPNOTSUPP;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "no hardware PMU here");
	machine.has_hw_pmu = true;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "does not support it");
	a.sampling = true;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "no overflow interrupt");
	a.os_errno = ENOENT;
	event.source = WP_EVENT_TRACEPOINT;
	check_refusal(&a, WP_ERR_NOT_FOUND, "no such tracepoint");
	event.source = WP_EVENT_BREAKPOINT;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "no hardware breakpoints");
}

static void test_groups(void)
{
	struct wp_perf_attempt a = attempt(EINVAL);

	event.group = 0;
	a.group_size = 6;
	check_refusal(
		&a, WP_ERR_UNSUPPORTED,
		"event group size(6) exceeds number of free hardware PMU counters(5) out of a "
		"total of (6)");
	a.group_size = 7;
	check_refusal(&a, WP_ERR_UNSUPPORTED,
		      "event group size(7) exceeds number of hardware PMU counters(6)");
	a.group_size = 5;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "without the braces");
}

static void test_config(void)
{
	struct wp_perf_attempt a = attempt(EINVAL);

	event.config = 0x123;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "does not accept the configuration 0x123");
	a.sampling = true;
	event.freq_hz = 100001;
	check_refusal(&a, WP_ERR_USAGE, "perf_event_max_sample_rate allows (100000)");
	event.freq_hz = 0;
	event.source = WP_EVENT_PMU;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "counted but not sampled");
	a.sampling = false;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "not for a process; use -a or -c");
	event.source = WP_EVENT_SW;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "this kernel does not accept it");
}

static void test_others(void)
{
	struct wp_perf_attempt a = attempt(EMFILE);

	a.descriptors = 4711;
	check_refusal(&a, WP_ERR_LIMIT, "4711 descriptors");
	a.os_errno = ESRCH;
	check_refusal(&a, WP_ERR_NOT_FOUND, "process 12 is gone");
	a.os_errno = EBUSY;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "nmi_watchdog");
	a.os_errno = ENODEV;
	a.cpu = 3;
	check_refusal(&a, WP_ERR_NOT_FOUND, "CPU 3 is offline");
	a.os_errno = ENOSYS;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "without perf events");
	a.os_errno = E2BIG;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "too old");
	a.os_errno = ENOSPC;
	event.source = WP_EVENT_BREAKPOINT;
	check_refusal(&a, WP_ERR_UNSUPPORTED, "debug register");
	a.os_errno = EMSGSIZE;
	check_refusal(&a, WP_ERR_OS, "Message too long");
	a.event = NULL;
	check_refusal(&a, WP_ERR_OS, "event 'ev': Message too long");
}

int main(void)
{
	RUN(test_paranoid);
	RUN(test_foreign_and_forbidden);
	RUN(test_no_such_event);
	RUN(test_groups);
	RUN(test_config);
	RUN(test_others);
	return check_done();
}
