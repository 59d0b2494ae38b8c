/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_like: by what the interpreter of one process is found in others that run the same program.
 *
 * Core noun, shared with BPF: made by runtime/python_like.c from a process that is known, used by
 * bpf/walk_alike.h for those that nobody has told of yet.
 */
#ifndef WP_PYTHON_LIKE_H
#define WP_PYTHON_LIKE_H

#include <linux/types.h>

#define WP_PYTHON_PROOF_WORDS 8

struct wp_python_like {
	__u64 delta; /* of the plan's addresses: run-time minus linked */
	/*
	 * Of the word in which the program has the address of struct r_debug (DT_DEBUG), the
	 * linker's list of libraries; 0: the interpreter is part of the program itself.
	 */
	__u64 debug;
	__u64 dynamic; /* linked address of the library's dynamic section; else 0 */
	/*
	 * What no other build has there: how _PyRuntime begins (3.13 and newer), or the evaluation
	 * loop. 0: nothing is known.
	 */
	__u64 proof_at; /* run-time address */
	__u64 proof[WP_PYTHON_PROOF_WORDS];
};

/* struct link_map: l_addr, l_name, l_ld, l_next; struct r_debug's r_map (elf/link.h). */
#define WP_PYTHON_LINK_WORDS 4
#define WP_PYTHON_LINK_ADDR  0
#define WP_PYTHON_LINK_LD    2
#define WP_PYTHON_LINK_NEXT  3
#define WP_PYTHON_DEBUG_MAP  8
#define WP_PYTHON_LINKS	     16 /* that are looked through */

#endif
