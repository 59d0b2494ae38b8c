/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_prologue: how far into the evaluation loop of 3.11 and 3.12 a thread's cframe may say
 * nothing yet.
 *
 * Runtime stage, private to python_*.c; pure. The loop makes a _PyCFrame on its stack, hangs it on
 * the thread state and then stores in it which frame runs; compilers put some instructions between
 * the two. Found by the three instructions that do it: the address of the cframe, the store of that
 * address in the thread state, the store of the frame in the cframe.
 */
#ifndef WP_PYTHON_PROLOGUE_H
#define WP_PYTHON_PROLOGUE_H

#include "core/python_plan.h"
#include "runtime/python_operands.h"

#include <stdbool.h>

/*
 * Tells a plan how many bytes it is to the last of the three, and where above the stack pointer the
 * cframe is, unless the loop has a frame pointer to find it by, and below it what a call of x86-64
 * pushes. False: not found, nothing is told.
 */
bool wp_python_prologue(const struct wp_python_code_bytes *code, struct wp_python_plan *plan);

#endif
