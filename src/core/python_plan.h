/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_plan: what a walker must know to read the Python frames of a thread, and what it brings
 * back.
 *
 * The runtime stage makes a plan per interpreter and process (plain data: addresses and offsets);
 * sources carry it to the interrupt (BPF) or to the pinned reader, both of which run the walker of
 * walk/python_walk.inc.h, and bring back slots; only the runtime gives these meaning. Shared with
 * BPF: fixed-width types only. Offsets are bytes; their names are CPython's (Include/internal).
 */
#ifndef WP_PYTHON_PLAN_H
#define WP_PYTHON_PLAN_H

#include <linux/types.h>

/* plan.flags */
#define WP_PYTHON_FRAME_OBJECTS                                                                   \
	(1u << 0)			  /* <= 3.10: tstate->frame -> f_back; frames on the heap \
					   */
#define WP_PYTHON_CFRAME	(1u << 1) /* 3.11, 3.12: tstate->cframe->current_frame */
#define WP_PYTHON_IS_ENTRY	(1u << 2) /* 3.11: frame.is_entry ends the run of a cframe */
#define WP_PYTHON_ENTRY_FRAMES	(1u << 3) /* 3.12 and newer: frames with owner >= 3 end a run */
#define WP_PYTHON_TAGGED	(1u << 4) /* 3.14 and newer: the code pointer is a _PyStackRef */
#define WP_PYTHON_LASTI_UNITS	(1u << 5) /* 3.10: f_lasti counts 2-byte units */
#define WP_PYTHON_INSTR_POINTER (1u << 6) /* 3.11 and newer: instr is a pointer, not an int */
#define WP_PYTHON_FREE_THREADED (1u << 7) /* instr may point into co_tlbc[tlbc_index] */
#define WP_PYTHON_BYTES_NAMES	(1u << 8) /* 2.7: names are `str`: ob_size at bytes_size */
#define WP_PYTHON_TLS_KEY_INT \
	(1u << 9)		     /* tss_key is the key itself, not Py_tss_t's _key (2.7, 3.6) */
#define WP_PYTHON_WINDOWS (1u << 10) /* threads are Windows': their slots are in the TEB */

struct wp_python_plan {
	/* Run-time addresses; 0: not known. */
	__u64 tss_key;	    /* of the int that is the pthread key of the thread states */
	__u64 current;	    /* <= 3.11: of the pointer to the thread state that holds the GIL */
	__u64 interpreters; /* of the pointer to the first interpreter */
	__u64 code_type;    /* PyCode_Type: what code objects point to; 0: not known */
	__u64 code_count; /* of the 32-bit count of code objects made (walk/python_known.inc.h); 0:
			     not known, or none is kept */
	__u64 eval_start; /* _PyEval_EvalFrameDefault: a cframe is not filled in before its prologue
			     is over (3.11, 3.12) */
	/* The end of the evaluation loop, and its other part if there is one (gcc's .cold). */
	__u64 eval_end, eval_cold_start, eval_cold_end;
	__u32 flags;
	__u32 generation;    /* unlike that of any other plan of the run: code seen under one is new
				under the other */
	__u16 eval_prologue; /* bytes */
	/* Where the loop has its cframe, above sp, and the return address of what it called, below
	 * it; 0: not known. */
	__u16 eval_cframe, eval_return;
	/*
	 * Where a thread's pthread_specific blocks hang, relative to the thread pointer (fs base,
	 * tpidr_el0): glibc: pointers to blocks of 32 {sequence, data}; 0: not known, search the
	 * list of thread states.
	 */
	__s32 tsd;
	__s32 thread_id_bias; /* pthread_self() minus the thread pointer */
	__s32 tid; /* of the int that is the kernel's id of a thread, in its own PID namespace,
		      relative to the thread pointer; 0: not known */

	__u16 interp_next, interp_threads; /* next interpreter; first thread state */
	__u16 interp_gil;		   /* 3.12 and newer: pointer to the GIL's state; 0: none */
	__u16 gil_holder, gil_locked;
	__u16 ts_next, ts_interp, ts_thread_id;
	__u16 ts_frame; /* frame, cframe or current_frame */
	__u16 ts_state; /* free-threaded: int, 1: attached; else 0 */
	__u16 cframe_current, cframe_previous;
	__u16 frame_code, frame_previous, frame_instr, frame_owner, frame_is_entry,
		frame_tlbc_index;
	__u16 object_type; /* ob_type */
	__u16 code_first_line, code_name, code_qualname /* 0: none */, code_filename, code_lines;
	__u16 code_version; /* 3.12 and newer: a number that no other code object has; else 0 */
	__u16 code_first_instr, code_tlbc;
	__u16 code_bytes; /* of a code object that hold all of the above; <= WP_PYTHON_CODE_MAX */
	__u16 str_length, str_state, str_ascii, str_compact; /* data of the two compact forms */
	__u16 str_kind_shift, str_ascii_shift, str_compact_shift; /* in the 32-bit state */
	__u16 bytes_size, bytes_data;
	/* asyncio's tasks; task_coro 0: not known. */
	__u16 task_coro, task_name;
	__u16 task_awaited_by; /* 3.14 and newer; else 0: by its callbacks */
	__u16 ts_task;	       /* the running one; 3.14 and newer, else 0 */
	/* 3.14 and newer, else 0: a list of those that are not done; of a task, its node there. */
	__u16 ts_tasks, task_node;
	__u32 interp_tasks;	       /* the same, of threads that have ended; 0: not known */
	__u16 gen_frame, gen_qualname; /* gi_iframe, gi_qualname */
	__u16 frame_locals;	       /* localsplus */
	__u16 gen_executing;	       /* gi_frame_state of one that runs */
};

/* Moves every address that is known; BPF programs need it inlined. */
static inline __attribute__((always_inline, unused)) void wp_python_plan_move(
	struct wp_python_plan *plan, __u64 by)
{
	__u64 *const addresses[] = {
		&plan->tss_key,	  &plan->current,	  &plan->interpreters,
		&plan->code_type, &plan->code_count,	  &plan->eval_start,
		&plan->eval_end,  &plan->eval_cold_start, &plan->eval_cold_end,
	};

#pragma GCC unroll 9
	for (unsigned int i = 0; i < sizeof(addresses) / sizeof(*addresses); i++)
		if (*addresses[i])
			*addresses[i] += by;
}

#define WP_PYTHON_CODE_MAX 256
#define WP_PYTHON_PLANS	   4 /* interpreters (libpythons) in one process */

/* Why the chain of a thread's Python frames has no further one. */
enum wp_python_end {
	WP_PYTHON_COMPLETE,
	WP_PYTHON_NO_THREAD,  /* the thread has no thread state: not one of Python's */
	WP_PYTHON_NO_FRAME,   /* it has one, but runs no Python code */
	WP_PYTHON_PARTIAL,    /* caught while a frame was being entered or left: some are missing */
	WP_PYTHON_UNREADABLE, /* memory that could not be read */
	WP_PYTHON_DAMAGED,    /* nonsense: misaligned, a cycle, no code object */
	WP_PYTHON_CUT,	      /* more frames than a walk keeps, or a part of it was lost */
	WP_PYTHON_LATE,	      /* pinned: read, but not proven to be of the sample's instant */
	WP_PYTHON_ENDS
};

/*
 * What a walk leaves, innermost first, for each plan: one THREAD slot, then FRAME slots and MARKs.
 * A mark stands behind the run of frames that one activation of the evaluation loop executes and is
 * an address in the stack frame of that activation (3.11 and newer).
 */
#define WP_PYTHON_MARK	 (-0x7fffffff - 1)
#define WP_PYTHON_THREAD (-0x7fffffff)
/*
 * asyncio's tasks come behind the outermost coroutine of a run (that they run, or await with): addr
 * is the task object with this bit. TASK_ONE: it is one of several tasks that await the one before.
 */
#define WP_PYTHON_TASK	   (-0x7ffffffe)
#define WP_PYTHON_TASK_ONE (-0x7ffffffd)
#define WP_PYTHON_TASK_BIT 1ull
/*
 * A task written in Python has its attributes in no fixed places: addr is where its coroutine is,
 * with this bit too; its name is so many words behind that as bits 57 to 62, signed, say.
 */
#define WP_PYTHON_TASK_PURE 2ull
/* What else awaits is missing: id says why, addr is 0. The thread's flags say it too. */
#define WP_PYTHON_TASK_END (-0x7ffffffc)
#define WP_PYTHON_TASK_UNKNOWN \
	0u		      /* something is told when the task is done, but who awaits that? */
#define WP_PYTHON_TASK_CUT 1u /* more than a walk follows */
/*
 * Behind the last mark come the frames of greenlets that wait for the one that runs: this slot ends
 * the frames of a greenlet, and its parent's follow.
 */
#define WP_PYTHON_GREENLET (-0x7ffffffb)

struct wp_python_slot {
	__u64 addr;  /* FRAME: the code object; MARK: the address; THREAD: the thread state */
	__s32 lasti; /* FRAME: byte offset of the instruction in the bytecode, negative before the
			first one; else WP_PYTHON_MARK, WP_PYTHON_THREAD */
	/* FRAME: identity of the code object (walk/python_id.h); THREAD: see below. */
	__u32 id;
};

/* id of a THREAD slot */
#define WP_PYTHON_THREAD_PLAN(id)      ((id)&0xffu)
#define WP_PYTHON_THREAD_END(id)       ((id) >> 8 & 0xffu) /* enum wp_python_end */
#define WP_PYTHON_THREAD_ID(plan, end) ((plan) | (end) << 8)
#define WP_PYTHON_GIL_KNOWN	       (1u << 16)
#define WP_PYTHON_GIL_HELD	       (1u << 17)
#define WP_PYTHON_REPAIRED	       (1u << 18) /* PARTIAL: only the innermost frame may be missing */

#define WP_PYTHON_GIL_AWAITED (1u << 21) /* the thread waits for it, in a system call */

#define WP_PYTHON_TASKS_UNKNOWN (1u << 19) /* a TASK_END slot says so */
#define WP_PYTHON_TASKS_CUT	(1u << 20)

#define WP_PYTHON_SLOTS 16384 /* of one sample, at most */

#endif
