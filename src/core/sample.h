/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sample: a sample with the meaning of its addresses, as sinks get it (core/sink.h).
 *
 * Core. Made of what comes live (session/live/sample_live) or of a recording
 * (session/recorded/sample_recorded); whoever takes it cannot tell which. What it points at is
 * borrowed until the next sample.
 */
#ifndef WP_SAMPLE_H
#define WP_SAMPLE_H

#include "core/record.h"
#include "core/stack.h"

enum wp_frame_kind { WP_FRAME_NATIVE, WP_FRAME_KERNEL, WP_FRAME_PYTHON };

/* A frame of the stack, in which Python frames stand where they belong. */
struct wp_frame {
	enum wp_frame_kind kind;
	uint32_t symbol;
	uint32_t line;	    /* of Python code; 0: not known */
	bool is_caller;	    /* ip is its return address; rva, as of its call, 1 less */
	bool is_trampoline; /* CPython's own code for the Python frame next to it, which says all */
	struct wp_va ip;    /* of Python code what stands for it in a recording; 0: nothing */
	struct wp_rva rva;  /* in its module; of the kernel, the address; of Python code 0 */
	uint32_t slot;	    /* live, of Python code: in the stack's slots (core/stack.h) */
};

/* A Python frame as it was read. */
struct wp_spot_frame {
	uint32_t symbol; /* outside of the set (UINT32_MAX): its code object is not known */
	uint32_t line;	 /* 0: none known */
};

/* What the walker of Python frames had to say. */
enum wp_python_word {
	WP_PYTHON_NO_WORD, /* the process has no interpreter */
	WP_PYTHON_WALKED,
	WP_PYTHON_EARLY, /* its interpreter was not known yet */
	WP_PYTHON_LOST,
};

struct wp_sample {
	const struct wp_record *record; /* a SAMPLE */
	uint32_t symbol;		/* where it happened */
	bool is_wait;			/* its event is offcpu-time: the thread did not run */
	struct wp_rva rva;		/* the same; if it is wanted (WP_SAMPLE_RVA) */

	/* Innermost first; if they are wanted (WP_SAMPLE_STACK). */
	bool has_stack;
	const struct wp_frame *frames;
	size_t n, n_kernel; /* n_kernel of the n; they come first */
	enum wp_stack_end end;
	uint64_t unbound, missing; /* as in struct wp_woven */

	/* Innermost first, also where no stack is wanted. */
	const struct wp_spot_frame *python;
	size_t n_python;
	struct wp_stack_instruction instruction; /* of the first one; code 0: it is not kept */
	enum wp_python_word word;
	uint32_t thread; /* as the id of a THREAD slot: the worst end, all flags */
};

#endif
