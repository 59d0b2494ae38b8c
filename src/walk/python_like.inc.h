/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_like: where the interpreter lies in a process that runs a known program.
 *
 * Walk, shared with BPF: used by bpf/walk_alike.h and source/pinned/pinned_alike.c, which define
 * how the process's memory is read.
 */
#ifndef WP_PYTHON_LIKE_INC_H
#define WP_PYTHON_LIKE_INC_H

#include "core/python_like.h"

/* 0, or not 0 when it cannot be read. */
static int wp_python_like_read(void *process, void *to, __u32 bytes, __u64 from);

/* Whether the interpreter lies there. words: room for WP_PYTHON_PROOF_WORDS of the process's. */
static inline __attribute__((always_inline)) int wp_python_like_is_there(
	void *process, const struct wp_python_like *like, __u64 delta, __u64 *words)
{
	__u64 differ = 0;

	if (wp_python_like_read(process, words, WP_PYTHON_PROOF_WORDS * sizeof(*words),
				like->proof_at + delta))
		return 0;
#pragma GCC unroll 8
	for (int i = 0; i < WP_PYTHON_PROOF_WORDS; i++)
		differ |= words[i] ^ like->proof[i];
	return !differ;
}

/* Where the library lies, by the dynamic linker's list. 0: it has not been mapped yet. */
static inline __attribute__((always_inline)) __u64 wp_python_like_library(
	void *process, const struct wp_python_like *like, __u64 debug)
{
	__u64 link[WP_PYTHON_LINK_WORDS], at = 0;

	if (wp_python_like_read(process, &at, sizeof(at), debug) || !at ||
	    wp_python_like_read(process, &at, sizeof(at), at + WP_PYTHON_DEBUG_MAP))
		return 0;
	for (int i = 0; i < WP_PYTHON_LINKS; i++) {
		if (!at || wp_python_like_read(process, link, sizeof(link), at))
			return 0;
		if (link[WP_PYTHON_LINK_LD] - link[WP_PYTHON_LINK_ADDR] == like->dynamic)
			return link[WP_PYTHON_LINK_ADDR];
		at = link[WP_PYTHON_LINK_NEXT];
	}
	return 0;
}

#endif
