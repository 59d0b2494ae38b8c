/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_walker: the BPF program that walks user stacks, native and Python's, loaded and attached to
 * the events of a run.
 *
 * Source stage; libbpf. It needs Linux 5.15 with BTF, and root or CAP_BPF and CAP_PERFMON. Whoever
 * makes one keeps its maps up to date and hands it to the perf source, which attaches it and joins
 * what it writes to the samples (sample.stack->walked). Built without libbpf or clang, opening one
 * is refused (bpf_walker_none.c).
 */
#ifndef WP_BPF_WALKER_H
#define WP_BPF_WALKER_H

#include "source/bpf/bpf_maps.h"
#include "source/bpf/bpf_object.h"
#include "source/bpf/bpf_ring.h"
#include "source/perf/perf_set.h"

#include <sys/stat.h>

struct wp_bpf_walker;

/* Why this wperf was built without the program ("no clang"), or NULL: it has it. */
const char *wp_bpf_walker_missing(void);
/* WP_ERR_UNSUPPORTED or WP_ERR_PERMISSION with one line that says what is missing. */
struct wp_err *wp_bpf_walker_open(const struct wp_bpf_walker_options *options,
				  struct wp_bpf_walker **ret) WP_MUST_CHECK;
/* After the events it was attached to are closed. NULL is fine. */
void wp_bpf_walker_close(struct wp_bpf_walker *walker);
/* To be told of tables, mappings, forks, execs and exits. */
struct wp_bpf_maps *wp_bpf_walker_maps(struct wp_bpf_walker *walker);

/*
 * The interpreters of a process, whose Python frames are walked from the next commit of the maps
 * on; n 0: none. Copied. like, unless it is NULL: by what the only one is found in processes of the
 * same program that nobody has told of yet; it must have a generation of its build's. Forks have
 * their parent's until they are told otherwise, also those that nobody has told of yet.
 */
void wp_bpf_walker_set_python(struct wp_bpf_walker *walker, uint32_t pid,
			      const struct wp_python_plan *plans, size_t n,
			      const struct wp_python_like *like);

/*
 * A program that may begin: what is told here of its interpreter (addresses as linked; code: where
 * the program's code begins, minus like->debug) is how its processes are found from then on.
 */
void wp_bpf_walker_expect(struct wp_bpf_walker *walker, const struct stat *program, uint64_t code,
			  const struct wp_python_plan *plan, const struct wp_python_like *like);

/*
 * Where Python's part comes later (WP_BPF_PYTHON_LATER), it is loaded beside us from here on, as it
 * is from the first interpreter on that is set. No effect the second time.
 */
void wp_bpf_walker_want_python(struct wp_bpf_walker *walker);
/* Waits for it, if it is on its way. */
void wp_bpf_walker_await_python(struct wp_bpf_walker *walker);
/* Since when Python frames are walked (CLOCK_MONOTONIC); 0: they are not. */
uint64_t wp_bpf_walker_python_ns(const struct wp_bpf_walker *walker);

/*
 * Lets every event of the set call the program, which writes into the set's rings and its own. An
 * event that cannot have one is named in a note; its samples come without a stack.
 */
struct wp_err *wp_bpf_walker_attach(struct wp_bpf_walker *walker,
				    const struct wp_perf_set *set) WP_MUST_CHECK;
/* The program for events that are no tracepoints', a descriptor. */
int wp_bpf_walker_event(const struct wp_bpf_walker *walker);
/* The program for probes, a descriptor: what reads arguments hands over to it. */
int wp_bpf_walker_probe(const struct wp_bpf_walker *walker);
/* True when the identifier is that of an event that walks are written with into the set's ring. */
bool wp_bpf_walker_wrote(const struct wp_bpf_walker *walker, size_t ring, uint64_t identifier);

/*
 * The walks of that ring's samples; where the kernel does not name samples (before 6.3), or they
 * are a tracepoint's, walks are in the set's ring. Borrowed.
 */
struct wp_bpf_ring *wp_bpf_walker_ring(struct wp_bpf_walker *walker, size_t ring);

struct wp_bpf_walker_cost {
	uint64_t runs, ns; /* 0 unless kernel.bpf_stats_enabled */
};

struct wp_bpf_walker_cost wp_bpf_walker_cost(const struct wp_bpf_walker *walker);

#endif
