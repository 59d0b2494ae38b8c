/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_like: makes of an interpreter that is known what others of the same program are found by
 * (core/python_like.h).
 *
 * Runtime stage. In: the process's memory. The process runs on and is not to be trusted.
 */
#ifndef WP_RUNTIME_PYTHON_LIKE_H
#define WP_RUNTIME_PYTHON_LIKE_H

#include "core/memory.h"
#include "core/python_like.h"
#include "runtime/python_build.h"

/* A program as the kernel told it of itself (auxv). */
struct wp_python_program {
	uint64_t phdr, phnum; /* AT_PHDR: run-time address; AT_PHNUM */
};

/*
 * False when there is nothing that others could be found by: no evaluation loop, or a library that
 * the dynamic linker did not load with the program.
 */
bool wp_python_like_make(const struct wp_python_build *build, uint64_t delta,
			 const struct wp_python_program *program, const struct wp_memory *memory,
			 struct wp_python_like *ret);

/*
 * Makes the same, addresses as linked, before any process runs: of an open program, and of the
 * library that its interpreter is in (the program itself, too: the same descriptor). *ret_code:
 * where the program's code begins, minus ret->debug.
 */
bool wp_python_like_of_files(const struct wp_python_build *build, int program, int library,
			     struct wp_python_like *ret, uint64_t *ret_code);

#endif
