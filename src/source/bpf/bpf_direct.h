/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_direct: where the kernel has all of the machine's memory mapped.
 *
 * Source stage. The walker reads user memory there (bpf/walk_memory.h), which is faster. It is not
 * told: the kernel moves it at each boot.
 */
#ifndef WP_BPF_DIRECT_H
#define WP_BPF_DIRECT_H

#include "bpf/wire.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes from physical address 0 to the end of memory, as zoneinfo (proc_zoneinfo(5)) tells. */
uint64_t wp_bpf_direct_end(FILE *zoneinfo);
/* Runs the program wp_walk_find_direct; false when it cannot be. */
typedef bool wp_bpf_direct_ask(void *arg, struct wp_walk_search *asked);
/* Lets it look for memory of ours. False: it was not found, and *ret is all zero. */
bool wp_bpf_direct_find(wp_bpf_direct_ask *ask, void *arg, struct wp_walk_direct *ret);

#endif
