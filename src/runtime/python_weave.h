/*
 * python_weave: native frames and Python frames of one sample as one stack.
 *
 * Runtime stage, pure. 3.11 and newer: a run of Python frames belongs to the native frame that
 * holds its mark (sp <= mark < the caller's sp), which is an activation of the evaluation loop; it
 * is shown in its place. 3.10 and older: one Python frame per activation, matched from the
 * outermost one inwards. No counting where there are marks, so that stacks which are cut, several
 * interpreters and callbacks come out right.
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
	const struct wp_python_eval *v; /* sorted */
	size_t n;
	uint32_t flags[WP_PYTHON_PLANS]; /* of the plans */
};

enum wp_woven_kind { WP_WOVEN_NATIVE, WP_WOVEN_PYTHON };

struct wp_woven_frame {
	enum wp_woven_kind kind;
	uint32_t index; /* in stack.frames, or in the slots */
};

struct wp_woven {
	struct wp_woven_frame *frames; /* innermost first */
	size_t n, cap;
	size_t unbound; /* runs of Python frames without a native frame of theirs: put where their
			   neighbours allow, and counted */
	size_t missing; /* activations without Python frames, but the innermost one */
};

/*
 * Weaves stack (kernel and user frames) and slots into *ret, whose memory grows and belongs to the
 * caller. With interpreter_frames the native frames of evaluation loops stay, behind (outside of)
 * the Python frames they run.
 */
void wp_python_weave(const struct wp_stack *stack, const struct wp_python_slot *slots, size_t n,
		     const struct wp_python_evals *evals, bool interpreter_frames,
		     struct wp_woven *ret);
void wp_woven_deinit(struct wp_woven *woven);

#endif
