/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_instant: the registers of all threads of a process, whether they run or sleep, and the kernel
 * stacks of those that are on no CPU, without stopping them.
 *
 * Source stage; libbpf. A BPF program is run over all tasks (iter/task, Linux 5.15), which takes
 * some 2 ms on a machine with hundreds of them. Needs root, or CAP_BPF and CAP_PERFMON.
 */
#ifndef WP_BPF_INSTANT_H
#define WP_BPF_INSTANT_H

#include "base/err.h"
#include "base/vec.h"
#include "bpf/instant_wire.h"

#include <stdbool.h>
#include <stdint.h>

struct wp_bpf_instant;

struct wp_bpf_instant_threads {
	WP_VEC(struct wp_instant_record) v;
	WP_VEC(uint64_t) kernel; /* of record v.v[i] from v.v[i].kernel on */
};

void wp_bpf_instant_threads_deinit(struct wp_bpf_instant_threads *threads);
/* with_kernel: kernel stacks are wanted. With an error there is nothing to close. */
struct wp_err *wp_bpf_instant_open(bool with_kernel, struct wp_bpf_instant **ret) WP_MUST_CHECK;
void wp_bpf_instant_close(struct wp_bpf_instant *instant);
/* *ret gets the threads of a process anew; false: the kernel did not tell. The caller deinits. */
bool wp_bpf_instant_look(struct wp_bpf_instant *instant, uint32_t pid,
			 struct wp_bpf_instant_threads *ret);

#endif
