/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_jit: tells the BPF walker how JIT code is unwound, as far as its compilers' jitdumps say.
 *
 * Session stage. In: executable memory without a file, and what the resolver read of the jitdumps.
 * Out: a table for each GiB of addresses of a process that has such code, made again when there is
 * more of it. A jitdump is read when a sample hits JIT code, so that rules come a little late.
 */
#ifndef WP_WALK_JIT_H
#define WP_WALK_JIT_H

#include "resolve/resolver.h"
#include "source/bpf/bpf_maps.h"

/* The code of a process in one GiB of addresses. */
struct wp_walk_jit_window {
	uint32_t pid, table;
	uint64_t base;
	uint32_t told; /* pieces of code that its table was made of */
};

/* All-zero is empty. */
struct wp_walk_jit {
	WP_VEC(struct wp_walk_jit_window) windows;
	uint32_t tables;  /* ids given */
	uint64_t next_ns; /* when to look for more code */
};

/* Executable memory without a file was mapped (and is in no other range). */
void wp_walk_jit_map(struct wp_walk_jit *jit, struct wp_bpf_maps *maps, uint32_t pid,
		     struct wp_va start, uint64_t len);
/* Makes the tables of code that was told of since the last time; before each commit. */
void wp_walk_jit_refresh(struct wp_walk_jit *jit, struct wp_bpf_maps *maps,
			 struct wp_resolver *resolver);
/* The process ended, or became another program. */
void wp_walk_jit_drop(struct wp_walk_jit *jit, struct wp_bpf_maps *maps, uint32_t pid);
void wp_walk_jit_deinit(struct wp_walk_jit *jit);

#endif
