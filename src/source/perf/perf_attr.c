/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_attr: see perf_attr.h. */
#include "source/perf/perf_attr.h"

#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(WP_PERF_SAMPLE_IDENTIFIER == PERF_SAMPLE_IDENTIFIER, "uapi/linux/perf_event.h");
_Static_assert(WP_PERF_SAMPLE_IP == PERF_SAMPLE_IP, "uapi/linux/perf_event.h");
_Static_assert(WP_PERF_SAMPLE_TID == PERF_SAMPLE_TID, "uapi/linux/perf_event.h");
_Static_assert(WP_PERF_SAMPLE_TIME == PERF_SAMPLE_TIME, "uapi/linux/perf_event.h");
_Static_assert(WP_PERF_SAMPLE_CPU == PERF_SAMPLE_CPU, "uapi/linux/perf_event.h");
_Static_assert(WP_PERF_SAMPLE_PERIOD == PERF_SAMPLE_PERIOD, "uapi/linux/perf_event.h");
_Static_assert(WP_PERF_SAMPLE_CALLCHAIN == PERF_SAMPLE_CALLCHAIN, "uapi/linux/perf_event.h");
_Static_assert(WP_PERF_SAMPLE_REGS_USER == PERF_SAMPLE_REGS_USER, "uapi/linux/perf_event.h");
_Static_assert(WP_PERF_SAMPLE_STACK_USER == PERF_SAMPLE_STACK_USER, "uapi/linux/perf_event.h");
_Static_assert(WP_PERF_SAMPLE_READ == PERF_SAMPLE_READ, "uapi/linux/perf_event.h");
_Static_assert(WP_PERF_READ_GROUP == PERF_FORMAT_GROUP, "uapi/linux/perf_event.h");

#ifdef __aarch64__
static const struct wp_perf_regs host_regs = {true, WP_PERF_REGS_ARM64};
#else
static const struct wp_perf_regs host_regs = {false, WP_PERF_REGS_X86_64};
#endif

/* config:32-63 of the uprobe PMU (kernel/events/core.c). */
#define PERF_UPROBE_REF_CTR_OFFSET_SHIFT 32

/* Entries of a call chain that room is planned for: the default of perf_event_max_stack. */
#define CHAIN_ENTRIES 127
#define CPU_BRANCHES  64  /* that a CPU remembers: 32 on x86, up to 64 with BRBE of Arm */
#define PAYLOAD_BYTES 128 /* of one of a tracepoint: few have more */
/* Of a walk of 40 native and 40 Python frames: its own sample, its head, and 16 bytes a frame. */
#define WALK_BYTES (WP_PERF_SAMPLE_BYTES + 4 + 64 + 80 * 16)

/* Of a group of four, with its times, ids and lost samples. */
#define READING_BYTES (3 * 8 + 4 * 3 * 8)

static uint64_t plain_type(const struct wp_perf_mode *mode)
{
	uint64_t type = WP_PERF_SAMPLE_TYPE | (mode->groups ? WP_PERF_SAMPLE_READ : 0);

	return mode->unsaid_periods ? type & ~(uint64_t)WP_PERF_SAMPLE_PERIOD : type;
}

uint64_t wp_perf_attr_sample_type(const struct wp_perf_mode *mode)
{
	uint64_t type = plain_type(mode) | (mode->payloads ? PERF_SAMPLE_RAW : 0) |
			wp_perf_data_bits(mode->carried) | wp_perf_data_sized(mode->carried);

	if (mode->stacks == WP_STACKS_FP || (mode->stacks && mode->kernel))
		type |= WP_PERF_SAMPLE_CALLCHAIN;
	if (mode->stacks == WP_STACKS_DUMP)
		type |= WP_PERF_SAMPLE_REGS_USER | WP_PERF_SAMPLE_STACK_USER;
	/* Whether a frame is just being entered is told by them. */
	if (mode->entries || (mode->stacks == WP_STACKS_NONE && mode->pinned))
		type |= WP_PERF_SAMPLE_REGS_USER;
	return type;
}

uint64_t wp_perf_attr_read_format(const struct wp_perf_mode *mode)
{
	uint64_t format = WP_PERF_READ_ENABLED | WP_PERF_READ_RUNNING | WP_PERF_READ_ID;

	if (mode->has_lost && mode->sampling)
		format |= WP_PERF_READ_LOST;
	/* Also of events that are in none: one layout for all. */
	if (mode->groups)
		format |= WP_PERF_READ_GROUP;
	return format;
}

bool wp_perf_attr_is_plain(const struct wp_perf_mode *mode)
{
	return !mode->pinned && !mode->groups && !mode->payloads && !mode->entries &&
	       !mode->carried && mode->stacks != WP_STACKS_FP && mode->stacks != WP_STACKS_DUMP;
}

struct wp_perf_regs wp_perf_attr_regs(void)
{
	return host_regs;
}

uint64_t wp_perf_attr_regs_intr(const struct wp_perf_mode *mode)
{
	if (!(mode->carried & WP_DATA_INTR_REGS))
		return 0;
	return host_regs.arm64 ? WP_PERF_REGS_ARM64 : WP_PERF_REGS_INTR_X86_64;
}

uint64_t wp_perf_attr_sample_bytes(const struct wp_perf_mode *mode)
{
	uint64_t type = wp_perf_attr_sample_type(mode), bytes = WP_PERF_SAMPLE_BYTES;

	if (mode->groups)
		bytes += READING_BYTES;
	bytes += 8 * (uint64_t)__builtin_popcountll(wp_perf_data_bits(mode->carried));
	if (mode->carried & WP_DATA_BRANCHES)
		bytes += 8 + CPU_BRANCHES * sizeof(struct wp_branch);
	if (mode->walked)
		bytes += WALK_BYTES;
	if (mode->payloads)
		bytes += PAYLOAD_BYTES;
	if (type & WP_PERF_SAMPLE_CALLCHAIN)
		bytes += 8 * CHAIN_ENTRIES;
	if (type & WP_PERF_SAMPLE_REGS_USER)
		bytes += 8 + 8 * (uint64_t)__builtin_popcountll(wp_perf_attr_regs().mask);
	if (type & WP_PERF_SAMPLE_REGS_INTR)
		bytes += 8 + 8 * (uint64_t)__builtin_popcountll(wp_perf_attr_regs_intr(mode));
	if (type & WP_PERF_SAMPLE_STACK_USER)
		bytes += 16 + mode->stack_bytes;
	return bytes;
}

static void stacks(const struct wp_perf_mode *mode, struct perf_event_attr *attr)
{
	attr->sample_type = wp_perf_attr_sample_type(mode);
	attr->exclude_callchain_kernel = !mode->kernel;
	attr->exclude_callchain_user = mode->stacks != WP_STACKS_FP;
	if (attr->sample_type & WP_PERF_SAMPLE_REGS_USER)
		attr->sample_regs_user = wp_perf_attr_regs().mask;
	attr->sample_regs_intr = wp_perf_attr_regs_intr(mode);
	if (mode->carried & WP_DATA_BRANCHES)
		attr->branch_sample_type = mode->branch_type;
	if (mode->stacks == WP_STACKS_DUMP)
		attr->sample_stack_user = mode->stack_bytes;
}

static void fill_common_attr(const struct wp_perf_mode *mode, struct perf_event_attr *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->size = sizeof(*attr);
	attr->disabled = 1;
	attr->inherit = mode->inherit;
	attr->enable_on_exec = mode->enable_on_exec;
	attr->read_format = wp_perf_attr_read_format(mode);
	if (!mode->sampling)
		return;
	attr->sample_type = plain_type(mode);
	attr->sample_id_all = 1;
	attr->use_clockid = 1;
	attr->clockid = CLOCK_MONOTONIC;
	/* With watermark 0 the kernel wakes us when a ring is half full. */
	attr->watermark = 1;
}

static void exclude(const struct wp_event *event, bool kernel, struct perf_event_attr *attr)
{
	/* PMUs outside the CPUs know no modes, and most refuse to be told any. */
	if (event->source == WP_EVENT_PMU && !event->is_spe)
		return;
	attr->exclude_user = event->kernel_only;
	attr->exclude_kernel =
		event->user_only || (!kernel && !event->kernel_only && !event->in_kernel);
	attr->exclude_hv = attr->exclude_kernel || event->kernel_only;
}

void wp_perf_attr_event(const struct wp_event *event, const struct wp_perf_mode *mode,
			struct perf_event_attr *ret)
{
	fill_common_attr(mode, ret);
	ret->type = event->type;
	ret->config = event->config;
	ret->config1 = event->config1;
	ret->config2 = event->config2;
	if (event->switch_id) {
		ret->type = PERF_TYPE_TRACEPOINT;
		ret->config = event->switch_id;
	}
	if (event->source == WP_EVENT_BREAKPOINT) {
		ret->bp_type = event->bp_type;
		ret->bp_addr = event->bp_addr;
		ret->bp_len = event->bp_len;
	}
	exclude(event, mode->kernel, ret);
	if (event->waking_id) /* it belongs to no thread */
		ret->inherit = 0;
	if (event->probe) /* who inherits it cannot fork any more: src/bpf/probe.bpf.c */
		ret->inherit = 0;
	if (!mode->sampling && event->unit) { /* belongs to no thread */
		ret->inherit = 0;
		ret->enable_on_exec = 0;
	}
	if (!mode->sampling)
		return;
	ret->freq = event->freq_hz != 0;
	if (event->is_member)
		ret->sample_period = 0;
	else if (event->freq_hz)
		ret->sample_freq = event->freq_hz;
	else
		ret->sample_period = event->period ? event->period : 1;
	if (mode->stacks || mode->pinned || mode->payloads || mode->entries || mode->carried)
		stacks(mode, ret);
	if (mode->pinned) {
		ret->watermark = 0;
		ret->wakeup_events = 1;
	}
}

#define CONFIG3_WORD 16
#define CONFIG4_WORD 17

void wp_perf_attr_wide(const struct wp_event *event, const struct wp_perf_mode *mode,
		       union wp_perf_attr_wide *ret)
{
	memset(ret, 0, sizeof(*ret));
	wp_perf_attr_event(event, mode, &ret->attr);
	if (!event->config3 && !event->config4)
		return;
	ret->words[CONFIG3_WORD] = event->config3;
	ret->words[CONFIG4_WORD] = event->config4;
	ret->attr.size = 8 * (event->config4 ? CONFIG4_WORD + 1 : CONFIG3_WORD + 1);
}

void wp_perf_attr_dummy(const struct wp_perf_mode *mode, struct perf_event_attr *ret)
{
	fill_common_attr(mode, ret);
	ret->type = PERF_TYPE_SOFTWARE;
	ret->config = PERF_COUNT_SW_DUMMY;
	ret->exclude_kernel = 1;
	ret->exclude_hv = 1;
	if (!mode->sampling)
		return;
	ret->mmap = 1;
	ret->mmap2 = 1;
	ret->mmap_data = (mode->carried & WP_DATA_ADDR) != 0; /* whose addresses they are */
	ret->comm = 1;
	ret->comm_exec = 1;
	ret->task = 1;
	ret->context_switch = mode->pinned || mode->waits || mode->traced_wide;
	ret->cgroup = (mode->carried & WP_DATA_CGROUP) != 0; /* PERF_RECORD_CGROUP of new ones */
}

void wp_perf_attr_place(const struct wp_probe *probe, const struct wp_probe_place *place,
			struct perf_event_attr *attr)
{
	attr->config |= place->semaphore << PERF_UPROBE_REF_CTR_OFFSET_SHIFT;
	attr->uprobe_path = (uintptr_t)probe->file;
	attr->probe_offset = place->offset;
}

int wp_perf_attr_open(const struct perf_event_attr *attr, int pid, int cpu, int group_fd)
{
	return (int)syscall(SYS_perf_event_open, attr, pid, cpu, group_fd, PERF_FLAG_FD_CLOEXEC);
}

int wp_perf_attr_open_cgroup(const struct perf_event_attr *attr, int cgroup, int cpu, int group_fd)
{
	return (int)syscall(SYS_perf_event_open, attr, cgroup, cpu, group_fd,
			    PERF_FLAG_FD_CLOEXEC | PERF_FLAG_PID_CGROUP);
}
