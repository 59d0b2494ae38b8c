/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_object: the compiled BPF program that walks stacks, taken into the kernel.
 *
 * Source stage; libbpf. What walks Python frames takes the kernel some tenths of a second to
 * verify, so it may come later than the rest: a second copy of the same object then, with the maps
 * of the first, which hands its samples over.
 */
#ifndef WP_BPF_OBJECT_H
#define WP_BPF_OBJECT_H

#include "base/err.h"
#include "base/log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* When the part that walks Python frames is loaded. */
enum wp_bpf_python {
	WP_BPF_PYTHON_NOW,
	WP_BPF_PYTHON_LATER, /* when the first interpreter is told of */
	WP_BPF_PYTHON_NEVER,
};

struct wp_bpf_walker_options {
	const struct wp_log *log;
	/*
	 * Bytes of stack to copy, up to WP_WALK_DUMP_MAX, when a walk meets an address that no
	 * mapping is known for (yet): the first moments of a program. 0: none.
	 */
	uint32_t dump_bytes;
	bool no_probes;	     /* none of the events is one, as below */
	bool no_tracepoints; /* none of the events is one: their program need not be loaded */
	/* Tracepoints also call the program in processes that nobody asked for. */
	bool only_mapped;
	bool bounded;	/* as on kernels before 5.17, without bpf_loop(); for tests */
	bool no_direct; /* user memory is read by bpf_probe_read_user() only; for tests */
	bool native;	/* walk native frames; else only Python's */
	bool tasks;	/* look for asyncio's tasks: some ten to some hundred reads more */
	bool calls;	/* say which system call it is by whose numbers */
	bool files;	/* and of which file; a walk of each hit, if only for that */
	bool wakers;	/* say who wakes threads that met a tracepoint */
	bool gil; /* say of each sample whether its thread held the GIL: up to three reads more */
	enum wp_bpf_python python;
};

struct bpf_program;
/* Its maps, programs and variables, by name (bpftool gen skeleton). */
struct walk_bpf;

struct wp_bpf_object {
	struct wp_bpf_walker_options options;
	struct walk_bpf *first;	 /* NULL: not loaded */
	struct walk_bpf *python; /* what came later; NULL: nothing */
	bool bounded;		 /* without bpf_loop() */
	bool old;		 /* maps are preallocated */
	bool names;		 /* the kernel tells a program which sample it runs for */
	bool direct;		 /* user memory may be read where the kernel has it */
	bool refused;		 /* the kernel is new enough for these two, its verifier is not */
	uint64_t ring_bytes;	 /* 0: walks go into perf's rings */
};

/* WP_ERR_UNSUPPORTED or WP_ERR_PERMISSION with one line. *object is all-zero before. */
struct wp_err *wp_bpf_object_load(struct wp_bpf_object *object,
				  const struct wp_bpf_walker_options *options) WP_MUST_CHECK;
/* What was to come later; on a thread of its own, if need be. 0, or the kernel's refusal. */
int wp_bpf_object_load_python(struct wp_bpf_object *object);
void wp_bpf_object_close(struct wp_bpf_object *object);

/* The programs for the three kinds of events; until Python's part comes, those that wait for it. */
struct bpf_program *wp_bpf_object_event(const struct wp_bpf_object *object);
struct bpf_program *wp_bpf_object_tracepoint(const struct wp_bpf_object *object);
struct bpf_program *wp_bpf_object_probe(const struct wp_bpf_object *object);
/* And the one that says who wakes threads; not loaded unless that is asked for. */
struct bpf_program *wp_bpf_object_waking(const struct wp_bpf_object *object);
/* The PID namespace that processes are named in; 0: the first one. */
uint32_t wp_bpf_object_pid_namespace(void);
/* libbpf's own messages are for nobody. */
void wp_bpf_object_silence(void);
/* A map of one value of so many bytes, which the program and we share; -1 without memory. */
int wp_bpf_object_make_chunk(size_t bytes);

#endif
