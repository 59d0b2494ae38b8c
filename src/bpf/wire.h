/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wire: what the BPF walker and its loader tell each other: maps in, one record per sample out.
 *
 * Shared by the kernel and user sides, so only fixed-width types and constants. Rules, buckets and
 * ranges lie in chunks: maps of one large value each, made when they are needed, so that the
 * program finds its chunk once and then indexes memory.
 */
#ifndef WP_BPF_WIRE_H
#define WP_BPF_WIRE_H

#include "core/python_like.h"
#include "core/python_plan.h"
#include "core/python_text.h"
#include "core/unwind_rule.h"

#include <linux/types.h>

/* Frames of one walk. Powers of two, here and below: indexes are masked for the verifier. */
#define WP_WALK_FRAMES 1024

#define WP_WALK_ROWS	(1 << 16) /* rules per chunk */
#define WP_WALK_BUCKETS (1 << 15) /* buckets per chunk */
#define WP_WALK_RANGES	(1 << 13) /* ranges per chunk; a process has no more */
#define WP_WALK_CHUNKS	128	  /* of each kind at most */

/* Steps that a binary search over 2^16 rows (a bucket covers 64 KB) or 2^13 ranges may need. */
#define WP_WALK_ROW_STEPS   17
#define WP_WALK_RANGE_STEPS 14
#define WP_WALK_SHIFT_MAX   16

/* The rules in force in one piece of 2^shift bytes of a module: the first one may begin before. */
struct wp_walk_bucket {
	__u32 row; /* over all chunks: chunk * WP_WALK_ROWS + index */
	__u32 rows;
};

/* Code of the range without a rule keeps frame pointers (JITs). */
#define WP_WALK_RANGE_FP 1
/* The compiler of the range tells rules, but late: a walk that ends here is as in unknown memory.
 */
#define WP_WALK_RANGE_LATE 2

/* Executable addresses of a process. */
struct wp_walk_range {
	__u64 start, end;
	__u64 origin; /* the address at which its rules' pc is 0 */
	__u32 bucket; /* the first, over all chunks */
	__u32 buckets;
	__u32 shift;
	__u32 flags;
};

/* Keyed by tgid: ranges first .. first + n - 1 of a chunk, sorted. */
struct wp_walk_process {
	__u32 chunk, first, n;
	__u32 version; /* unlike that of any other ranges of the run; not 0 */
	/*
	 * Which address space they describe: set by the program at the first sample. After an exec
	 * there is another one, and until the loader knows it the process has no ranges.
	 */
	__u64 mm;
};

struct wp_walk_rows {
	struct wp_unwind_rule v[WP_WALK_ROWS];
};

struct wp_walk_buckets {
	struct wp_walk_bucket v[WP_WALK_BUCKETS];
};

struct wp_walk_ranges {
	struct wp_walk_range v[WP_WALK_RANGES];
};

/*
 * x86: where each CPU has its preempt_count (bpf/walk_wakers.h). offsets is 0 where that is not
 * known.
 */
struct wp_walk_counts {
	__u64 offsets; /* the kernel's address of __per_cpu_offset[] */
	__u64 at;      /* of the variable, less the CPU's offset */
	__u64 in_hot;  /* the variable is a struct pcpu_hot, of which the count is a member */
};

/* Fixed when the program is loaded. */
struct wp_walk_config {
	__u32 frames;	   /* at most; <= WP_WALK_FRAMES */
	__u32 dump_bytes;  /* of stack that could not be walked for want of a map; whole pages */
	__u32 only_mapped; /* tracepoints: leave processes alone that the loader never named */
	__u32 native;	   /* walk native frames */
	__u32 gil;	   /* say whether the thread held the GIL */
	__u32 tasks;	   /* look for asyncio's tasks */
	__u32 python;	   /* walk Python frames */
	__u32 pid_ns;	   /* the PID namespace that processes are named in; 0: the first one */
	__u32 names;	   /* the kernel names the sample that a program runs for (Linux 6.3) */
	__u32 ring_bytes;  /* of struct wp_walk_ring; a power of two, or 0: there are none */
	__u32 direct;	   /* the kernel lets a program read what it computes the address of */
	__u32 calls;	   /* system calls are told, other numbers (int 0x80) for what they are */
	__u32 files;	   /* and what they are about; also where nothing else is walked */
	__u32 wakers;	   /* say who wakes the threads that were met at a tracepoint */
	struct wp_walk_counts counts;
};

/*
 * Where the kernel has all of the machine's memory mapped, one address after the other, so that
 * user memory can be read there (bpf/walk_memory.h). end is 0 where that is not known.
 */
struct wp_walk_direct {
	__u64 base;   /* the kernel's address of physical address 0 */
	__u64 end;    /* of physical memory */
	__u64 levels; /* of page tables: 4 or 5 */
};

/* What is said when the program is loaded already. */
struct wp_walk_values {
	__u64 dumps_bytes; /* of copies of stacks on a CPU in some time: as its ring is large */
	/* Of a sample in user mode the kernel writes what struct wp_walk_sample has, no more. */
	__u64 whole;
	struct wp_walk_direct direct;
	__u64 alike;	     /* the loader has told of a struct wp_python_like */
	__u64 probe_targets; /* only processes of that map are wanted at probes */
};

#define WP_WALK_MAGIC_WORDS 8

/* Asked of wp_walk_find_direct: where is this memory of the caller, which begins with `magic`? */
struct wp_walk_search {
	__u64 addr;
	__u64 magic[WP_WALK_MAGIC_WORDS];
	struct wp_walk_direct direct; /* in: end and levels; base 0 when it was not found */
};

/* Keyed by tgid: the interpreters of a process. */
struct wp_walk_pythons {
	__u64 mm; /* as in struct wp_walk_process */
	__u32 n;
	__u32 epoch;		     /* the program's own (bpf/walk_alike.h) */
	__u32 keys[WP_PYTHON_PLANS]; /* the program's: the pthread key + 1, when it was read */
	struct wp_python_plan plans[WP_PYTHON_PLANS];
	struct wp_python_like like; /* of the only one; proof_at 0: of none */
};

/* A file as the kernel knows it. */
struct wp_walk_program {
	__u64 inode;
	__s64 size; /* it may be written anew */
	__u64 device;
};

/* Keyed by program: its interpreter as all of its processes have it, addresses as linked. */
struct wp_walk_alike {
	struct wp_python_like like;
	__u64 code; /* where the program's code begins, minus like.debug, or delta where that is 0
		     */
	struct wp_python_plan plan;
};

/* Processes that are watched at once. */
#define WP_PROBE_TARGETS 16384
/* What is said of them. */
#define WP_PROBE_TARGET	 1
#define WP_PROBE_WAITING 2 /* for its exec */

/* Fixed when bpf/probe.bpf.c is loaded. */
struct wp_probe_config {
	__u32 pid_ns; /* as in struct wp_walk_config */
};

/* enum wp_stack_end, value by value. */
enum wp_walk_end {
	WP_WALK_COMPLETE,
	WP_WALK_NO_MODULE,
	WP_WALK_NO_RULE,
	WP_WALK_UNREADABLE,
	WP_WALK_CUT,
	WP_WALK_TOO_DEEP,
};

struct wp_walk_frame {
	__u64 ip, sp; /* struct wp_stack_frame */
};

#define WP_WALK_PAGE	 4096
#define WP_WALK_DUMP_MAX (8 * WP_WALK_PAGE)

/* A call by the numbers of 32-bit programs, of which 64-bit code makes some, too (int 0x80). */
#define WP_WALK_CALL_OTHER (-2)

/* What a record is: the raw data of a perf sample begins with it. */
enum wp_walk_kind {
	WP_WALK_STACK, /* a walk, or its beginning */
	WP_WALK_MORE,  /* what did not fit in the record before */
	WP_WALK_CODE,  /* a code object that a walk met for the first time */
	WP_WALK_WAKE,  /* nothing but a reason to look: the ring of walks is half full */
	WP_WALK_LINES, /* the next piece of a long line table, behind its code object */
};

/*
 * A walk: this head, n native frames, dump_bytes of the stack from sp upwards (x86: from the
 * multiple of 8 below), Python slots. The perf sample that it belongs to is written later, code
 * records are before.
 */
struct wp_walk_head {
	__u32 kind;
	__u32 piece; /* 0, 1 ...: of the walk */
	/* Event id and time of the perf sample; 0 where the kernel (before 6.3) does not tell. */
	__u64 id, time;
	__u64 ip, sp, fp; /* the user registers it began with */
	__u64 lr;	  /* x86-64: rbx */
	__u64 serial;	  /* of the walk, among those of its CPU */
	__u32 n;
	__u32 end; /* enum wp_walk_end */
	__u32 dump_bytes;
	__u32 slots;
	__u32 more; /* another piece follows */
	__u32 plans;
	__u32 x86; /* 32-bit code on x86-64: not walked, but a copy of its stack is brought */
	/* The system call it left user code for; -1: for none; WP_WALK_CALL_OTHER. */
	__s32 call;
	__u64 argument;	 /* the first one of that call */
	__u64 inode;	 /* of the file, if that is a descriptor; 0: it is none */
	__u32 file_kind; /* tells files of one inode number apart: kind and file system, hashed */
	__u32 unused;
	/* In the last piece: the ids of each plan's last THREAD slot (walk/python_settle.h). */
	__u32 threads[WP_PYTHON_PLANS];
};

/* Bytes of a record; with its head and perf's, a perf record must be smaller than 64 KB. */
#define WP_WALK_DATA (60 * 1024)

_Static_assert(WP_WALK_FRAMES * sizeof(struct wp_walk_frame) + WP_WALK_DUMP_MAX + WP_WALK_PAGE <
		       WP_WALK_DATA,
	       "native frames, a dump and room for one page that is read in vain");

struct wp_walk_record {
	struct wp_walk_head head;
	__u8 data[WP_WALK_DATA];
};

/* A PERF_RECORD_SAMPLE of WP_PERF_SAMPLE_TYPE up to its raw data (uapi linux/perf_event.h). */
struct wp_walk_sample {
	__u32 type;
	__u16 misc, size;
	__u64 identifier; /* in a ring of walks 0: perf's ring has the sample, this is its walk */
	__u64 ip;
	__u32 pid, tid;
	__u64 time;
	__u32 cpu, reserved;
	__u64 period;
	__u32 raw_bytes;
} __attribute__((packed, aligned(4)));

/*
 * The walks of a CPU, as perf would have written them, in a ring that costs a tenth as much: each
 * a struct wp_walk_sample and its record, in one piece from the position that its predecessor ended
 * at, modulo ring_bytes. What begins near the end goes on behind it. With an identifier it is the
 * sample, too, and perf's ring has none.
 */
struct wp_walk_ring {
	__u64 head; /* bytes written so far; the program's */
	__u64 unused[7];
	__u64 tail; /* bytes taken so far; the loader's */
	__u64 unused2[7];
	__u8 data[]; /* ring_bytes and WP_WALK_RING_SLACK */
};

#define WP_WALK_RING_SLACK (64 * 1024)
#define WP_WALK_RING_MIN   (512 * 1024)
#define WP_WALK_RING_MAX   (8 * 1024 * 1024)

#define WP_WALK_RING_MAP_BYTES(ring_bytes) \
	(sizeof(struct wp_walk_ring) + (ring_bytes) + WP_WALK_RING_SLACK)

/* A code object: this head, then struct wp_python_captured as far as it is filled. */
struct wp_walk_code_head {
	__u32 kind;
	__u32 uid;  /* the thread's real user */
	__u64 time; /* as in struct wp_walk_head */
};

/*
 * A line table that is longer than what its code record has goes on in pieces, which come behind
 * that record in perf's ring, in order. One that is longer than this has none: they would fill half
 * of the smallest ring.
 */
#define WP_WALK_TABLE_MAX (256 * 1024)

/* A piece: this head and so many bytes. */
struct wp_walk_lines_head {
	__u32 kind;
	__u32 bytes;
	__u64 code;
	__u64 from; /* where in the table it begins */
	__u32 id, generation;
};

struct wp_walk_lines {
	struct wp_walk_lines_head head;
	__u8 data[WP_PYTHON_LINES_MASK + 1];
};

#endif
