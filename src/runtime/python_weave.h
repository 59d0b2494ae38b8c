/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_weave: native frames and Python frames of one sample as one stack.
 *
 * Runtime stage, pure. 3.11 and newer: a run of Python frames belongs to the native frame that
 * holds its mark (sp <= mark < the caller's sp), which is an activation of the evaluation loop; it
 * is shown in its place. 3.10 and older: one Python frame per activation, matched from the
 * outermost one inwards. No counting where there are marks, so that stacks which are cut, several
 * interpreters and callbacks come out right.
 *
 * What a run belongs to where that does not say it all:
 * - the rest of a chain that was lost behind its last mark: the next activation outwards;
 * - native frames without stack pointers (chains of frame pointers), or 3.10 and older: the
 *   activations are numbered, from the innermost one outwards when either stack lacks its outer
 *   end, or when there are more activations than Python frames explain (greenlets, thread states of
 *   other interpreters on this stack);
 * - a mark outside of every known frame: what its neighbours allow, else outside of all.
 * With -X perf, CPython puts a piece of machine code per function between its activations; these
 * are native frames like others here, the caller knows them by name (py::).
 */
#ifndef WP_PYTHON_WEAVE_H
#define WP_PYTHON_WEAVE_H

#include "core/stack.h"

/* An evaluation loop as mapped in the process, and the plan that goes with it. */
struct wp_python_eval {
	uint64_t start, end;
	uint32_t plan;
};

struct wp_python_evals {
	const struct wp_python_eval *v; /* sorted, without overlap */
	size_t n;
	uint32_t flags[WP_PYTHON_PLANS]; /* of the plans */
};

enum wp_woven_kind { WP_WOVEN_NATIVE, WP_WOVEN_PYTHON };

struct wp_woven_frame {
	enum wp_woven_kind kind;
	uint32_t index; /* in stack.frames, or in the slots */
};

/* Every kernel frame, then every FRAME slot and every user frame that is not folded away. */
struct wp_woven {
	struct wp_woven_frame *frames; /* innermost first */
	size_t n, cap;
	size_t unbound; /* runs of Python frames without a native frame of theirs: put where their
			   neighbours allow, and counted; all of them when there are no user frames
			 */
	size_t missing; /* activations without Python frames, but the innermost one */
};

/*
 * Weaves stack (kernel and user frames) and slots into *ret, whose memory grows and belongs to the
 * caller. A thread state's chain starts with its THREAD slot; several of one plan may follow each
 * other. With interpreter_frames the native frames of evaluation loops stay, behind (outside of)
 * the Python frames they run; without, they stay only where Python frames that would stand for them
 * could not be read. Linear in the frames and the slots (times the logarithm of the frames).
 */
void wp_python_weave(const struct wp_stack *stack, const struct wp_python_slot *slots, size_t n,
		     const struct wp_python_evals *evals, bool interpreter_frames,
		     struct wp_woven *ret);
void wp_woven_deinit(struct wp_woven *woven);

#endif
