/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_processes: the interpreters in each process, and the plans to walk them by.
 *
 * Session stage. Listens to the table of processes; keeps what is mapped until somebody asks for
 * the process. A plan has a generation, by which its code objects are told from others at the same
 * address; a forked process has its parent's plans until it becomes another program.
 */
#ifndef WP_PYTHON_PROCESSES_H
#define WP_PYTHON_PROCESSES_H

#include "core/process.h"
#include "runtime/python_like.h"
#include "runtime/python_weave.h"
#include "session/follow/python_files.h"

struct wp_python_mapped {
	uint32_t file;
	struct wp_va start;
	uint64_t bytes;
	struct wp_off pgoff;
};

/* One interpreter of a process. */
struct wp_python_interpreter {
	const struct wp_python_build *build; /* belongs to the files */
	uint64_t delta;
	struct wp_python_plan plan;
};

struct wp_python_process {
	uint32_t pid;
	bool due;   /* something was mapped since it was looked at */
	bool news;  /* one of them is a CPython by its name, and of no other process known yet */
	bool fresh; /* its plans are not those that were handed out */
	bool looked_twice; /* at its interpreters, the second time when they had run for a while */
	uint64_t told_ns;  /* when they were handed out (CLOCK_MONOTONIC); 0: never */
	uint64_t ended_ns; /* or of a sample since; 0: it lives */
	uint64_t stood_ns; /* nothing of an interpreter had run until then */
	uint32_t life;	   /* of this program in this process: unlike that of any other */
	uint32_t sampled;  /* samples since it was looked at first */
	WP_VEC(struct wp_python_mapped) mapped; /* not looked at yet */
	struct wp_python_libc libc;
	struct wp_python_asyncio asyncio;	      /* of the module that was mapped last */
	WP_VEC(struct wp_python_interpreter) pythons; /* at most WP_PYTHON_PLANS */
	WP_VEC(struct wp_python_eval) evals;	      /* sorted */
};

/* What a generation stands for. */
struct wp_python_generation {
	uint32_t flags;
	enum wp_python_lines_form lines;
	uint32_t version; /* of its bytecode, as in struct wp_python_bytecode */
	char *name;	  /* of the build: "3.11.2" */
};

/* All-zero is empty, but for files.log. */
struct wp_python_processes {
	struct wp_python_files files;
	struct wp_map by_pid; /* -> index in all + 1 */
	WP_VEC(struct wp_python_process) all;
	WP_VEC(struct wp_python_generation) generations; /* the first one is number 1 */
	bool by_build;		     /* all interpreters of one build have one generation */
	struct wp_map generation_of; /* builds, by address */
	struct wp_map expected;	     /* builds, by address */
	uint32_t lives;
	uint64_t now_ns; /* of the youngest record */
};

/* Listens to the table of processes. arg: a struct wp_python_processes. */
void wp_python_processes_changed(void *arg, const struct wp_process_change *change);
/* Makes it when nothing was said about it yet. Valid until the next record. */
struct wp_python_process *wp_python_processes_get(struct wp_python_processes *set, uint32_t pid);
/* NULL when nothing was said about it. Valid until the next record. */
struct wp_python_process *wp_python_processes_find(struct wp_python_processes *set, uint32_t pid);
/* Looks at what the process has mapped since the last time. */
void wp_python_processes_look(struct wp_python_processes *set, struct wp_python_process *process);
/* Told of a sample of the process: looks now and then for what its interpreters did not tell yet.
 */
void wp_python_processes_sampled(struct wp_python_process *process, uint64_t time_ns);
/*
 * The plan of an interpreter that does not run yet, with addresses as linked: of a file that
 * wp_python_files_expect() gave. libc may be NULL. False: there is none.
 */
bool wp_python_processes_expect(struct wp_python_processes *set, const struct wp_python_file *file,
				const struct wp_python_libc *libc, struct wp_python_plan *ret);
/* Is the process's only interpreter one of these? */
bool wp_python_processes_expected(const struct wp_python_processes *set,
				  const struct wp_python_process *process);
/* By what the only interpreter of the process is found in others; false: by nothing. */
bool wp_python_processes_like(const struct wp_python_process *process, struct wp_python_like *ret);
/* Forgets those that ended some time ago: no sample of theirs is still to come. */
void wp_python_processes_sweep(struct wp_python_processes *set);
/* NULL when there is no such one. */
const struct wp_python_generation *wp_python_processes_generation(
	const struct wp_python_processes *set, uint32_t number);
/*
 * An interpreter that a script tells of: what is known of its plan, and its evaluation loop (end 0:
 * not known). Its generation is the next number.
 */
void wp_python_processes_script(struct wp_python_processes *set, uint32_t pid,
				const struct wp_python_generation *generation,
				const struct wp_python_range *eval);
void wp_python_processes_deinit(struct wp_python_processes *set);

#endif
