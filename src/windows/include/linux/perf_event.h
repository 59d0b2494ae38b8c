/* SPDX-License-Identifier: BSD-3-Clause */
/* linux/perf_event.h for Windows: structures and numbers of perf_event_open(2) that stand in
 * recordings and in the tables of events. */
#ifndef WP_WINDOWS_PERF_EVENT_H
#define WP_WINDOWS_PERF_EVENT_H

#include <linux/types.h>

enum {
	PERF_TYPE_HARDWARE,
	PERF_TYPE_SOFTWARE,
	PERF_TYPE_TRACEPOINT,
	PERF_TYPE_HW_CACHE,
	PERF_TYPE_RAW,
	PERF_TYPE_BREAKPOINT,
};

enum {
	PERF_COUNT_HW_CPU_CYCLES,
	PERF_COUNT_HW_INSTRUCTIONS,
	PERF_COUNT_HW_CACHE_REFERENCES,
	PERF_COUNT_HW_CACHE_MISSES,
	PERF_COUNT_HW_BRANCH_INSTRUCTIONS,
	PERF_COUNT_HW_BRANCH_MISSES,
	PERF_COUNT_HW_BUS_CYCLES,
	PERF_COUNT_HW_STALLED_CYCLES_FRONTEND,
	PERF_COUNT_HW_STALLED_CYCLES_BACKEND,
	PERF_COUNT_HW_REF_CPU_CYCLES,
};

enum {
	PERF_COUNT_SW_CPU_CLOCK,
	PERF_COUNT_SW_TASK_CLOCK,
	PERF_COUNT_SW_PAGE_FAULTS,
	PERF_COUNT_SW_CONTEXT_SWITCHES,
	PERF_COUNT_SW_CPU_MIGRATIONS,
	PERF_COUNT_SW_PAGE_FAULTS_MIN,
	PERF_COUNT_SW_PAGE_FAULTS_MAJ,
	PERF_COUNT_SW_ALIGNMENT_FAULTS,
	PERF_COUNT_SW_EMULATION_FAULTS,
	PERF_COUNT_SW_DUMMY,
	PERF_COUNT_SW_BPF_OUTPUT,
	PERF_COUNT_SW_CGROUP_SWITCHES,
};

enum { PERF_ATTR_SIZE_VER0 = 64, PERF_ATTR_SIZE_VER5 = 112 };

enum {
	PERF_RECORD_LOST = 2,
	PERF_RECORD_COMM = 3,
	PERF_RECORD_EXIT = 4,
	PERF_RECORD_THROTTLE = 5,
	PERF_RECORD_FORK = 7,
	PERF_RECORD_SAMPLE = 9,
	PERF_RECORD_MMAP2 = 10,
	PERF_RECORD_AUX = 11,
	PERF_RECORD_SWITCH = 14,
	PERF_RECORD_SWITCH_CPU_WIDE = 15,
	PERF_RECORD_CGROUP = 19,
};

enum {
	PERF_RECORD_MISC_KERNEL = 1,
	PERF_RECORD_MISC_USER = 2,
	PERF_RECORD_MISC_HYPERVISOR = 3,
	PERF_RECORD_MISC_MMAP_DATA = 1 << 13,
	PERF_RECORD_MISC_COMM_EXEC = 1 << 13,
	PERF_RECORD_MISC_SWITCH_OUT = 1 << 13,
	PERF_RECORD_MISC_MMAP_BUILD_ID = 1 << 14,
};

enum {
	PERF_SAMPLE_IP = 1 << 0,
	PERF_SAMPLE_TID = 1 << 1,
	PERF_SAMPLE_TIME = 1 << 2,
	PERF_SAMPLE_ADDR = 1 << 3,
	PERF_SAMPLE_READ = 1 << 4,
	PERF_SAMPLE_CALLCHAIN = 1 << 5,
	PERF_SAMPLE_ID = 1 << 6,
	PERF_SAMPLE_CPU = 1 << 7,
	PERF_SAMPLE_PERIOD = 1 << 8,
	PERF_SAMPLE_STREAM_ID = 1 << 9,
	PERF_SAMPLE_RAW = 1 << 10,
	PERF_SAMPLE_BRANCH_STACK = 1 << 11,
	PERF_SAMPLE_REGS_USER = 1 << 12,
	PERF_SAMPLE_STACK_USER = 1 << 13,
	PERF_SAMPLE_WEIGHT = 1 << 14,
	PERF_SAMPLE_DATA_SRC = 1 << 15,
	PERF_SAMPLE_IDENTIFIER = 1 << 16,
};

#define PERF_CONTEXT_KERNEL ((__u64)-128)
#define PERF_CONTEXT_USER   ((__u64)-512)

struct perf_event_attr {
	__u32 type, size;
	__u64 config;
	union {
		__u64 sample_period, sample_freq;
	};
	__u64 sample_type, read_format;
	__u64 disabled : 1, inherit : 1, pinned : 1, exclusive : 1, exclude_user : 1,
		exclude_kernel : 1, exclude_hv : 1, exclude_idle : 1, mmap : 1, comm : 1, freq : 1,
		inherit_stat : 1, enable_on_exec : 1, task : 1, watermark : 1, precise_ip : 2,
		mmap_data : 1, sample_id_all : 1, exclude_host : 1, exclude_guest : 1,
		exclude_callchain_kernel : 1, exclude_callchain_user : 1, mmap2 : 1, comm_exec : 1,
		use_clockid : 1, context_switch : 1, write_backward : 1, namespaces : 1,
		ksymbol : 1, bpf_event : 1, aux_output : 1, cgroup : 1, text_poke : 1, build_id : 1,
		inherit_thread : 1, remove_on_exec : 1, sigtrap : 1, : 26;
	union {
		__u32 wakeup_events, wakeup_watermark;
	};
	__u32 bp_type;
	union {
		__u64 bp_addr, config1, kprobe_func, uprobe_path;
	};
	union {
		__u64 bp_len, config2, kprobe_addr, probe_offset;
	};
	__u64 branch_sample_type, sample_regs_user;
	__u32 sample_stack_user;
	__s32 clockid;
	__u64 sample_regs_intr;
	__u32 aux_watermark;
	__u16 sample_max_stack, reserved_2;
};

#endif
