/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_args: the arguments of probes, read in the kernel when one is hit (src/bpf/args.bpf.c), and
 * put into the samples of those hits as payloads (format/trace/probe_format.h).
 *
 * Source stage; libbpf. It needs root, or CAP_BPF and CAP_PERFMON, and Linux 5.15. What was read of
 * a hit lies in the ring of its sample, before it; between the two there may be what other threads
 * or events wrote, so it waits until a sample of its event and thread comes. Built without libbpf
 * or clang, opening it is refused (bpf_walker_none.c).
 */
#ifndef WP_BPF_ARGS_H
#define WP_BPF_ARGS_H

#include "core/record.h"
#include "source/perf/perf_set.h"

struct wp_bpf_args;

/* *ret NULL when no event of the set has arguments. The set outlives it. */
struct wp_err *wp_bpf_args_open(const struct wp_perf_set *set,
				struct wp_bpf_args **ret) WP_MUST_CHECK;
/* successor: the program that is to run behind it; -1: none. */
struct wp_err *wp_bpf_args_attach(struct wp_bpf_args *args, int successor) WP_MUST_CHECK;
void wp_bpf_args_close(struct wp_bpf_args *args);

/* True when the record of a ring is of arguments; then it is taken. */
bool wp_bpf_args_take(struct wp_bpf_args *args, size_t ring, const void *bytes, size_t size);
/*
 * Gives a SAMPLE record of that ring its payload, which is the callee's and valid until its next
 * call; that of an event with arguments whose hit was not read has none.
 */
void wp_bpf_args_join(struct wp_bpf_args *args, size_t ring, struct wp_record *sample);
#endif
