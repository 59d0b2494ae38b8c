/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_eval: the machine code of the evaluation loop: which addresses are in it.
 *
 * Runtime stage, private to python_*.c. Compilers cut the loop into parts: a cold one that stands
 * far away (FUNCTION.cold; nameless when stripped), partial copies, and since 3.14 one function per
 * instruction (_TAIL_CALL_*). A nameless cold part is known by its call frame information, which
 * begins amid a function, and by the jumps between it and the loop.
 */
#ifndef WP_PYTHON_EVAL_H
#define WP_PYTHON_EVAL_H

#include "base/vec.h"
#include "runtime/python_elf.h"

#include <stdbool.h>
#include <stdint.h>

/* Linked addresses. */
struct wp_python_range {
	uint64_t start, end;
};

/* All-zero is empty. */
struct wp_python_eval_loop {
	uint64_t start; /* of the function itself */
	WP_VEC(struct wp_python_range)
	parts; /* hot and cold ones, tail-call handlers; sorted, disjoint */
};

/*
 * The loop of an interpreter of that version (as Py_Version). Returns false when the file does not
 * tell. The caller deinits *ret in any case.
 */
bool wp_python_eval_read(const struct wp_python_elf *elf, uint32_t version,
			 struct wp_python_eval_loop *ret);
void wp_python_eval_deinit(struct wp_python_eval_loop *eval);

#endif
