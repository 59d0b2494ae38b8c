/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * stack: where a thread was: the frames of one sample, innermost first.
 *
 * A sample brings a raw stack in whatever form its source could take it; the unwinder makes frames
 * of it. Every user frame has its stack pointer, since that is what binds Python frames to native
 * ones.
 */
#ifndef WP_STACK_H
#define WP_STACK_H

#include "core/addr.h"
#include "core/python_plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Frames kept of one sample; deeper stacks end as WP_STACK_TOO_DEEP. */
#define WP_STACK_MAX 1024

/* Why a user stack has no further frame. */
enum wp_stack_end {
	WP_STACK_COMPLETE,   /* the outermost frame: _start, a thread's start routine */
	WP_STACK_NO_MODULE,  /* an address outside every mapping */
	WP_STACK_NO_RULE,    /* a module without unwind information for the address */
	WP_STACK_UNREADABLE, /* stack memory that could not be read, or a rule that gave nonsense */
	WP_STACK_CUT,	     /* the copy of the stack ends before the stack does */
	WP_STACK_TOO_DEEP,
	WP_STACK_LOST, /* none came with the sample: it was lost, or never taken */
	WP_STACK_ENDS
};

struct wp_stack_frame {
	struct wp_va ip; /* user: of a caller, the return address; look its symbol up at ip - 1 */
	uint64_t sp; /* stack pointer in that frame (its CFA is the next frame's sp); 0: unknown */
};

/*
 * User registers of a sample; by DWARF number: x86-64 0-16 (16: rip), x86 0-8 (8: eip), arm64 0-30,
 * 31 sp, 32 pc.
 */
#define WP_REGS_MAX 33
struct wp_stack_regs {
	bool x86; /* 32-bit code, also on x86-64 */
	uint64_t r[WP_REGS_MAX];
	uint64_t valid; /* bit n: r[n] is known */
};

/* stack note flags */
#define WP_STACK_NOTE_PYTHON (1u << 0) /* a walker had a word about the thread's Python frames */
#define WP_STACK_NOTE_EARLY  (1u << 1) /* none: its interpreter was not known yet */
#define WP_STACK_NOTE_LOST   (1u << 2) /* none: it was lost */
#define WP_STACK_NOTE_EXACT  (1u << 3) /* the first native user frame is the innermost one */
#define WP_STACK_NOTE_STACK  (1u << 4) /* the native stack was taken; else only its top */
#define WP_STACK_NOTE_PINNED (1u << 5) /* Python frames were read by pinned readers */

/* The instruction that the innermost Python frame was at. */
struct wp_stack_instruction {
	uint32_t code; /* number of a code object, unlike that of any other of the run; 0: no frame
			*/
	int32_t lasti; /* as in struct wp_python_slot */
};

/*
 * What one of our recordings knows of a sample besides its call chain (user_ips), in which Python
 * frames stand where they belong.
 */
struct wp_stack_note {
	struct wp_stack_instruction instruction;
	uint32_t thread; /* as a THREAD slot's id: the worst end, and whether the GIL was held */
	uint32_t flags;
	uint32_t end;		   /* enum wp_stack_end */
	uint32_t unbound, missing; /* as the weaver counted them */
	const uint64_t *frames; /* Python frames in the order they were read; NULL: the chain's */
	size_t n_frames;
	const uint64_t *rest; /* of the call chain: what a record had no room for; outermost */
	size_t n_rest;
};

/* A call by the numbers of 32-bit programs. */
#define WP_STACK_CALL_OTHER (-2)

/* What a thread had left user code for. */
struct wp_stack_call {
	bool known;
	int32_t number;	    /* of a system call; -1: it was none; WP_STACK_CALL_OTHER */
	uint64_t argument;  /* its first one */
	uint64_t inode;	    /* of the file, if that is a descriptor; 0: not known */
	uint32_t file_kind; /* another one: that inode is of another file system or kind of file */
};

/* What a sample brings; all borrowed with its record. Absent parts are empty. */
struct wp_stack_raw {
	const uint64_t *kernel_ips; /* innermost first */
	size_t n_kernel;
	const uint64_t
		*user_ips; /* a frame-pointer walk by the kernel: as good as the frame pointers */
	size_t n_user;
	const struct wp_stack_regs *regs;
	const uint8_t *dump; /* copy of the user stack from regs' stack pointer upwards */
	size_t dump_bytes;
	const struct wp_stack_frame *walked; /* user frames, walked at the sample's instant */
	size_t n_walked;
	enum wp_stack_end walked_end;
	const struct wp_python_slot *python; /* Python frames; none: no interpreter was known */
	size_t n_python;
	struct wp_stack_call call;
	const struct wp_stack_note *note; /* NULL: it does not come from a recording of ours */
};

struct wp_stack {
	struct wp_stack_frame frames[WP_STACK_MAX]; /* kernel frames, then user frames */
	size_t n_kernel, n_user;
	enum wp_stack_end end; /* of the user part */
};

#endif
