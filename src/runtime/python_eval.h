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

#include "runtime/python_build.h"
#include "runtime/python_elf.h"

/* Fills build->eval (sorted, disjoint) and layout.eval_start; false when the file does not tell. */
bool wp_python_eval_read(const struct wp_python_elf *elf, struct wp_python_build *build);

#endif
