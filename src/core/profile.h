/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile: the samples of a run with their whole stacks, as plain data: what `wperf export`
 * renders.
 *
 * Between aggregation and views, as a document is. In: samples whose frames are named. Out: tables
 * that point to one another by index, in the order in which they were met. A stack is a node of one
 * tree of callers, so stacks that share their outer frames share memory. Strings belong to the
 * profile or to the resolver it was made with, and are never NULL unless it says so.
 */
#ifndef WP_PROFILE_H
#define WP_PROFILE_H

#include "base/vec.h"
#include "core/symbol.h"

#include <stdbool.h>
#include <stdint.h>

#define WP_NO_STACK UINT32_MAX

struct wp_profile_module {
	/* Base name; "[kernel]", "[vdso]"; of Python's source files with as much of the path as
	 * tells them apart. */
	const char *name;
	const char *path;
	const char *build_id; /* in hex; "" when it is not known; as of its PDB if it has one */
	/* Of a Windows image the PDB that was made with it: its name and where the linker put it;
	 * its id is the GUID and age as symbol servers write them. NULL: it is none. */
	const char *pdb_name, *pdb_path;
};

/* A function at a point of it: the same function called from two lines is two frames. */
struct wp_profile_frame {
	const char *name; /* demangled or qualified; of an unknown one "unknown" */
	enum wp_symbol_kind kind;
	enum wp_symbol_reason reason; /* WP_SYMBOL_KNOWN: it has a name */
	uint32_t symbol;	      /* equal for frames of the same function */
	uint32_t module;	      /* index of modules, or WP_NO_MODULE */
	const char *file;	      /* source file; NULL when it is not known */
	uint32_t line;		      /* that runs or calls there; 0: not known */
	uint32_t first_line;	      /* of the function; 0: not known */
	struct wp_rva rva;	      /* in the module, of the instruction; 0: of Python code */
	struct wp_rva start;	      /* of the function; size 0: not known, or it is inlined */
	uint64_t size;
};

/* A frame and who called it; a stack comes behind its callers. */
struct wp_profile_stack {
	uint32_t caller; /* index of stacks; WP_NO_STACK: frame is the outermost one */
	uint32_t frame;
};

struct wp_profile_thread {
	uint32_t pid, tid;
	const char *name;	    /* of the thread; "" when it is not known */
	const char *process;	    /* name of the process; "" when it is not known */
	uint64_t first_ns, last_ns; /* times of its first and last sample */
};

struct wp_profile_event {
	const char *name; /* as -e has it */
	bool is_time;	  /* weights are nanoseconds of a thread, up to the sample's time */
	const char *unit; /* of weights that are a field: "bytes"; NULL: of periods, or unknown */
	bool waits;	  /* is_time, but a thread need not have run in it */
};

struct wp_profile_sample {
	uint64_t time_ns; /* since the profile's first sample */
	uint64_t weight;  /* events it stands for: its period */
	uint32_t event, thread, cpu;
	uint32_t stack;	  /* of its innermost frame; WP_NO_STACK: the sample has none */
	uint64_t wake;	  /* what a wait and the sample of who ended it have in common; 0: none */
	uint32_t latency; /* cycles that a load or store took; 0: none, or not measured */
	uint8_t level;	  /* who answered it, from 1; 0: none, or it is not said */
};

/* What samples of loads and stores count for besides: their latency, or one for each of a level. */
struct wp_profile_measure {
	const char *name; /* "latency", "l3"; with several events behind their names and a dot */
	const char *unit; /* "cycles", "count" */
	uint32_t event;
	uint8_t level; /* 0: the latency */
};

struct wp_profile {
	const char *command; /* what was run, words with blanks between; "" when not known */
	const char *host, *arch;
	uint64_t start_unix_ns; /* when sampling began; 0: not known */
	WP_VEC(struct wp_profile_module) modules;
	WP_VEC(struct wp_profile_frame) frames;
	WP_VEC(struct wp_profile_stack) stacks;
	WP_VEC(struct wp_profile_thread) threads;
	WP_VEC(struct wp_profile_event) events;
	WP_VEC(struct wp_profile_measure) measures; /* by event; those that any sample has */
	WP_VEC(struct wp_profile_sample) samples;   /* by time, ascending */
	uint64_t lost;				    /* samples that the kernel had no room for */
	bool start_is_cut; /* stacks begin with a program's <module>, not with its interpreter */
	bool by_line;	   /* a function is one line of it: first_line is the line that runs */
};

static inline uint64_t wp_profile_measured(const struct wp_profile_measure *measure,
					   const struct wp_profile_sample *sample)
{
	if (sample->event != measure->event)
		return 0;
	return measure->level ? sample->level == measure->level : sample->latency;
}

#endif
