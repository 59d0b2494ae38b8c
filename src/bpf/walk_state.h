/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_state: what the parts of walk.bpf.c have in common: registers, maps, the walk in progress.
 */
#ifndef WP_BPF_WALK_STATE_H
#define WP_BPF_WALK_STATE_H

#include <linux/bpf.h>
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <stddef.h>

#include "bpf/kernel_structs.h"
#include "bpf/wire.h"
#include "walk/code_exit.h"

/* Filled in by the loader before the program is loaded; the only variable in .rodata. */
const volatile struct wp_walk_config config SEC(".rodata") = {.frames = WP_WALK_FRAMES};

#include "walk/python_walk.inc.h"
#include "walk/python_task_capture.inc.h"

/* The verifier knows what .rodata holds, and does not follow what is never asked for. */
static __always_inline int wp_python_may_task(void)
{
	return config.tasks;
}

#define PF_KTHREAD	   0x00200000
#define PERF_SAMPLE_TIME   (1u << 2)
#define LINE		   4096 /* bytes of stack that are read at once, at most; a page */
#define LINE_MIN	   512
#define LINE_BEFORE	   64	/* of them below a word that is far from sp */
#define LINE_BEHIND	   1024 /* so far it may be from sp */
#define ADDRESS_BITS(addr) ((addr) & ((1ull << 48) - 1))

/*
 * Frames that are walked in one turn of bpf_loop(): where the kernel guards its returns against
 * speculation, returning from a turn takes as long as half a frame.
 */
#define TURN 4

/* Bytes of stack copied in that time are bounded, and so is how often the reader is woken. */
#define DUMPS_NS  20000000
#define URGENT_NS 2000000

/* struct pt_regs as user space sees it (uapi asm/ptrace.h): an array of words. */
#if defined(__TARGET_ARCH_x86)
enum { REG_FP = 4, REG_BX = 5, REG_IP = 16, REG_MODE = 17, REG_SP = 19, REGS = 21 };
enum { REG_LR = REG_BX }; /* what else a walk begins with */
/* Where DWARF's registers 0 to 15 are in it, four bits each; rsp (15 here) has its own rules. */
#define WORD_OF(reg) (0x01236789f4ed5bcaull >> 4 * ((reg)&15) & 15)
enum { GENERAL_REGS = 15 }; /* the first ones */
/* What a system call was called by, and its first argument; futex(2). */
enum { REG_CALL = 15, REG_ARGUMENT = 14, CALL_FUTEX = 202 };
/* What the kernel saves of a thread that enters it; -1: not by a system call. */
enum { SAVED_REGS = REGS };
#define CALL_OF(saved) ((__s32)(saved)[REG_CALL])
/* TS_COMPAT of arch/x86/include/asm/thread_info.h: it is in a call by 32-bit programs' numbers. */
#define IS_COMPAT(task) (BPF_CORE_READ(task, thread_info.status) & 2)
#define IS_USER(mode)	(((mode)&3) == 3)
/* Selectors of the kernel's arch/x86/include/asm/segment.h: __USER_CS, __USER32_CS. */
#define IS_NATIVE(mode) ((mode) == 0x33)
#define IS_X86(mode)	((mode) == 0x23)
#define MAY_READ_CODE	1 /* by walk/code_exit.h */
/* At a signal frame sp points to struct ucontext; its sigcontext is at 40. */
enum { SIGNAL_FP = 40 + 10 * 8, SIGNAL_BX = 40 + 11 * 8, SIGNAL_SP = 40 + 15 * 8 };
enum { SIGNAL_IP = 40 + 16 * 8, SIGNAL_LR = SIGNAL_IP };
#elif defined(__TARGET_ARCH_arm64)
enum { REG_FP = 29, REG_LR = 30, REG_SP = 31, REG_IP = 32, REG_MODE = 33, REGS = 34 };
enum { REG_BX = -1 };
#define WORD_OF(reg)	0 /* no rule needs them */
enum { GENERAL_REGS = 30 };
enum { REG_CALL = 8, REG_ARGUMENT = 0, CALL_FUTEX = 98 };
/* Behind what user space sees: orig_x0, syscallno and pmr (arch/arm64/include/asm/ptrace.h). */
enum { SAVED_REGS = 36 };
#define CALL_OF(saved)	((__s32)(saved)[SAVED_REGS - 1])
#define IS_COMPAT(task) 0
#define IS_USER(mode)	(((mode)&15) == 0)
#define IS_NATIVE(mode) (((mode)&16) == 0)
#define IS_X86(mode)	0
#define MAY_READ_CODE	0
/* At a signal frame sp points to struct rt_sigframe: siginfo 128, ucontext up to sigcontext 176,
 * fault address 8, then the registers. */
enum { SIGNAL_FP = 312 + 29 * 8, SIGNAL_LR = 312 + 30 * 8, SIGNAL_SP = 312 + 31 * 8 };
enum { SIGNAL_IP = 312 + 32 * 8, SIGNAL_BX = SIGNAL_LR };
#else
#error "no register layout for this architecture"
#endif

/* The only variable in .data. */
volatile struct wp_walk_values values SEC(".data") = {.dumps_bytes = 1 << 20};

struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, __u32);
	__type(value, struct wp_walk_process);
} processes SEC(".maps");

#define CHUNKS(name, type_)                               \
	struct name##_chunk {                             \
		__uint(type, BPF_MAP_TYPE_ARRAY);         \
		__uint(map_flags, BPF_F_MMAPABLE);        \
		__uint(max_entries, 1);                   \
		__uint(key_size, 4);                      \
		__uint(value_size, sizeof(type_));        \
	};                                                \
	struct {                                          \
		__uint(type, BPF_MAP_TYPE_ARRAY_OF_MAPS); \
		__uint(max_entries, WP_WALK_CHUNKS);      \
		__type(key, __u32);                       \
		__array(values, struct name##_chunk);     \
	} name SEC(".maps")

CHUNKS(row_chunks, struct wp_walk_rows);
CHUNKS(bucket_chunks, struct wp_walk_buckets);
CHUNKS(range_chunks, struct wp_walk_ranges);

/* The interpreters of processes, by tgid. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(map_flags, BPF_F_NO_PREALLOC);
	__uint(max_entries, 65536);
	__type(key, __u32);
	__type(value, struct wp_walk_pythons);
} pythons SEC(".maps");

/* Code objects that have been captured. An older generation's are forgotten when it is full. */
struct seen_key {
	__u64 code;
	__u32 id; /* with the generation of the plan */
	__u32 tgid;
};

struct seen {
	__u32 times; /* SEEN, or how often its name could not be read */
	__u32 rest;  /* of its id: another one has another */
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 65536);
	__type(key, struct seen_key);
	__type(value, struct seen);
} seen SEC(".maps");

/* Thread states that were found by looking through their list. */
struct thread_key {
	__u32 tid, generation;
};

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 16384);
	__type(key, struct thread_key);
	__type(value, __u64);
} threads SEC(".maps");

#define FRESH  512  /* code objects that one piece of a walk captures at most */
#define RECENT 1024 /* code objects that a CPU remembers as seen */

struct fresh {
	__u64 code;
	__u64 recent; /* its place among the recent ones */
	__u32 id, rest;
};

#define RULES 512 /* rules of callers that a CPU remembers */

/* Holds for whatever has the ranges of that version. */
struct known_rule {
	__u64 pc;
	__u32 version;
	struct wp_unwind_rule rule;
};

/* A code record: what perf_event_output gets. */
struct code_record {
	struct wp_walk_code_head head;
	struct wp_python_captured captured;
};

/* A byte of user memory, as the kernel has it. */
struct mapped {
	__u64 at; /* the kernel's address of it */
	__u64 entry_at, entry;
};

#define PAGES 256 /* pages of user memory whose place a CPU remembers; a power of two */

struct known_page {
	__u64 page, tables;   /* its number, in the process with these page tables */
	struct mapped mapped; /* its first byte */
};

/* A walk in progress, one per CPU: programs do not nest there, but while that of a probe runs. */
struct walk {
	__u64 ip, sp, fp, lr;
	volatile __u64 busy; /* what follows is in use */
	__u32 n;
	__u32 end;
	__u32 exact; /* ip is where it was interrupted, not a return address */
	__u32 lr_valid;
	__u32 inner;	/* the innermost frame: regs are its */
	__u32 bx_known; /* rbx of this frame (x86-64) */
	__u64 bx;
	__u64 regs[16];		/* the first words of struct pt_regs */
	__u64 user[SAVED_REGS]; /* all of them: half of a program's stack on arm64 */
	/*
	 * The bounds of a search, kept in memory because the verifier knows nothing of what it
	 * reads from there: else it would follow every way that the search can take.
	 */
	volatile __u32 lo, hi;
	struct wp_walk_process process;
	struct wp_walk_range range; /* the one that was hit last */
	struct wp_unwind_rule rule; /* found last by wp_walk_search_rule() */
	__u64 dumps_since_ns, dumped_bytes;
	__u64 urgent_ns; /* when the reader of the ring was woken last */
	__u64 serial;	 /* of the walk on this CPU */
	__u32 at;	 /* bytes of record.data that are filled */
	__u32 slots;	 /* of them Python's */
	__u32 paused;	 /* the record is full */
	__u32 n_fresh;
	__u32 n_captured; /* of the fresh ones */
	__u32 looked_at;  /* native frames in record.data before Python's were walked */
	__u32 looked_end; /* how they end */
	__u32 failed;	  /* the ring was full */
	__u32 inherited;  /* the interpreters are those of the process it was forked from */
	__u32 tgid;
	__u32 epoch; /* unlike that of any other program that has or had this tgid */
	__u32 capture_status;
	__u64 table, table_from, table_end; /* of the code object captured last: what is left */
	struct wp_code_exit exit;
	struct mapped mapped;	   /* found last by wp_walk_find_mapped() */
	struct mapped copied;	   /* by wp_walk_map_user() */
	__u64 tables;		   /* the process's page tables; 0: they are not looked at */
	__u64 word;		   /* read last by wp_walk_python_word() */
	__u64 line_at, line_bytes; /* what `line` is a copy of */
	__u64 reach;		   /* bytes of stack that the last walk looked at, and some */
	__u8 line[LINE];
	struct wp_python_walk python;
	__u64 woken_tail; /* the ring's, when its reader was woken last */
	__u64 whole; /* 0, or the sample's identifier, which was written: the kernel is to drop it
		      */
	/* What is large comes last: BPF reaches only 32 KB with one instruction. */
	__u32 unused;
	struct wp_walk_sample sample; /* the record's, right before it */
	struct wp_walk_record record;
	struct wp_walk_alike alike; /* being made, or compared */
	struct wp_walk_pythons pythons;
	struct known_rule rules[RULES];
	struct known_page pages[PAGES];
	__u64 recent[RECENT]; /* hashes of seen_keys */
	struct fresh fresh[FRESH];
	struct code_record code;
	struct wp_walk_lines lines;
};

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY); /* a per-CPU array's values are limited to 32 KB */
	__uint(max_entries, 1);		  /* the loader makes it the number of CPUs */
	__type(key, __u32);
	__type(value, struct walk);
} walks SEC(".maps");

/* The compiler may compare one copy of an index and use another; this one it cannot. */
#define MASK(index, mask) asm volatile("%0 &= %1" : "+r"(index) : "i"(mask))

static __always_inline void *chunk_of(void *outer, __u32 chunk)
{
	__u32 zero = 0;
	void *inner = bpf_map_lookup_elem(outer, &chunk);

	return inner ? bpf_map_lookup_elem(inner, &zero) : NULL;
}

static __always_inline struct walk *walk_of_cpu(void)
{
	__u32 cpu = bpf_get_smp_processor_id();

	return bpf_map_lookup_elem(&walks, &cpu);
}

#endif
