/*
 * python_processes: the interpreters in each process, and the plans to walk them by.
 *
 * Session stage. Told of MAP, FORK, COMM and EXIT; keeps what is mapped until somebody asks for the
 * process. A plan has a generation, by which its code objects are told from others at the same
 * address; a forked process has its parent's plans until it becomes another program.
 */
#ifndef WP_PYTHON_PROCESSES_H
#define WP_PYTHON_PROCESSES_H

#include "core/record.h"
#include "runtime/python_weave.h"
#include "session/python_files.h"

struct wp_python_mapped {
	uint32_t file;
	struct wp_va start;
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
	bool due;	  /* something was mapped since it was looked at */
	bool fresh;	  /* its plans are not those that were handed out */
	uint64_t told_ns; /* when they were handed out (CLOCK_MONOTONIC); 0: never */
	uint32_t sampled; /* samples since it was looked at first */
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
	char *name; /* of the build: "3.11.2" */
};

/* All-zero is empty, but for files.log. */
struct wp_python_processes {
	struct wp_python_files files;
	struct wp_map by_pid; /* -> index in all + 1 */
	WP_VEC(struct wp_python_process) all;
	WP_VEC(struct wp_python_generation) generations; /* the first one is number 1 */
};

void wp_python_processes_record(struct wp_python_processes *set, const struct wp_record *record);
/* NULL when nothing was said about it. Valid until the next record. */
struct wp_python_process *wp_python_processes_find(struct wp_python_processes *set, uint32_t pid);
/* Looks at what the process has mapped since the last time. */
void wp_python_processes_look(struct wp_python_processes *set, struct wp_python_process *process);
/* Told of a sample of the process: looks now and then for what its interpreters did not tell yet.
 */
void wp_python_processes_sampled(struct wp_python_process *process);
/* NULL when there is no such one. */
const struct wp_python_generation *wp_python_processes_generation(
	const struct wp_python_processes *set, uint32_t number);
/*
 * An interpreter that a script tells of: what is known of its plan, and its evaluation loop (end 0:
 * not known). Its generation is the next number.
 */
void wp_python_processes_script(struct wp_python_processes *set, uint32_t pid, uint32_t flags,
				enum wp_python_lines_form lines,
				const struct wp_python_range *eval);
void wp_python_processes_deinit(struct wp_python_processes *set);

#endif
