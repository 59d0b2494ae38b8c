/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session: what the command line asks for, verb by verb; the only header the command line includes.
 *
 * A verb takes the words of the user as plain data, connects the stages it needs, and hands one
 * document to the outputs the user chose. Everything a person sees goes through `io`.
 */
#ifndef WP_SESSION_H
#define WP_SESSION_H

#include "base/err.h"
#include "base/log.h"
#include "base/vec.h"
#include "base/writer.h"
#include "core/place.h"
#include "core/sample_data.h"
#include "core/screen.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#define WP_SESSION_FREQ_MAX UINT64_MAX /* -F max: what the kernel allows */

/* --filter EXPR: of the event that ends at `at` in the list of events. */
struct wp_session_filter {
	const char *text;
	size_t at;
};
#define WP_SESSION_FILTERS 16

/* What is printed and written, and how. */
struct wp_options_output {
	bool json, quiet, verbose;
	bool closed;		 /* --json=strict */
	const char *color;	 /* --color: auto, always, never; NULL: auto */
	bool no_pager;		 /* --no-pager */
	bool stdio;		 /* --stdio */
	bool screens;		 /* text is shown on screens that one walks through */
	bool wide;		 /* --wide */
	uint64_t width;		 /* --width; 0: not given */
	struct wp_screen screen; /* what these, --color and the terminal have come to */
	const char *file;	 /* --output */
	bool file_is_data;	 /* which is a recording unless JSON is asked for */
	const char *csv_file;	 /* --output-csv */
	const char *prefix;	 /* --output-prefix, --cwd */
};

/* What is counted or sampled. */
struct wp_options_events {
	const char *list; /* -e */
	struct wp_session_filter filters[WP_SESSION_FILTERS];
	size_t n_filters;
	const char *metrics;	  /* -m */
	const char *extra;	  /* -E */
	const char *metric_file;  /* -C */
	bool topdown;		  /* --topdown */
	uint64_t count_period_ms; /* --config count.period */
	const char *data;	  /* --event-data */
};

/* Where it is counted or sampled. */
struct wp_options_target {
	const char *cpus;	 /* -c; NULL: not given */
	uint64_t dmc;		 /* --dmc; 255: all */
	const char *pids;	 /* -p; comma list, NULL: not given */
	bool all;		 /* -a */
	bool descendants;	 /* dump --children */
	const char *core;	 /* dump --core; NULL: not given */
	const char *cgroups;	 /* -G; comma list, NULL: not given */
	const char *each_cgroup; /* --for-each-cgroup; the same */
	const char *user;	 /* -u: a name or a number; NULL: not given */
	bool kernel;		 /* -k */
	const char *image_name, *pe_file, *pdb_file;
	char *const *command; /* behind --, NULL-terminated; NULL: none */
	uint64_t spawn_delay_ms;
	bool as_user; /* the command runs as who called sudo */
};

/* Of stat: how often, and in which form. */
struct wp_options_counting {
	uint64_t repeat;	    /* -r; 0: until Ctrl-C */
	bool table;		    /* --table */
	uint64_t interval_print_ms; /* -I; 0: not given */
	uint64_t interval_count;    /* --interval-count; 0: unlimited */
	const char *separator;	    /* -x; NULL: not given */
	bool append;		    /* --append */
	bool no_inherit;	    /* --no-inherit */
	enum wp_split split;	    /* -A, --per-core ... --per-thread */
	uint64_t delay_ms;	    /* -D */
	bool timeline;
	uint64_t interval_ns; /* -i */
	bool interval_given;
	uint64_t timeline_count; /* -n; 0: unlimited */
};

/* How samples are taken. */
struct wp_options_sampling {
	uint64_t freq_hz;     /* -F, or WP_SESSION_FREQ_MAX; 0: periods */
	bool call_graph;      /* -g */
	const char *stacks;   /* --call-graph; NULL: not given */
	const char *python;   /* --python: auto, bpf, pinned, off; NULL: auto */
	bool gil;	      /* --gil: only samples of threads that hold it */
	bool async;	      /* --async */
	bool wall;	      /* --wall: a clock and the waits are one event */
	bool waits;	      /* --waits: what threads wait for */
	bool wakers;	      /* --wakers: who ends their waits */
	bool idle;	      /* --idle: of threads that have nothing to do, too */
	const char *branches; /* -b, -j: which, a comma list; NULL: none */
	uint32_t carried;     /* -d, --phys-data, -W ...: enum wp_data_part, or'ed */
};

#define WP_SESSION_LEVEL_MAX 22 /* of zstd */

/* The recording that is kept of a run. */
struct wp_options_recording {
	const char *file;	   /* --data FILE: a recording */
	bool none;		   /* --no-data: nor the one that record makes unasked */
	bool compress;		   /* -z: there must be one */
	bool leveled;		   /* --compression-level was given: */
	unsigned int level;	   /* of zstd, 1 to 22; 0: not compressed */
	const char *switch_output; /* --switch-output; NULL: one recording */
	uint64_t switch_files;	   /* --switch-max-files; 0: all are kept */
	const char *snapshot;	   /* --snapshot; NULL: all is written as it comes */
	char *const *argv;	   /* the whole command line, NULL-terminated */
};

/* What the tables of hot functions show. */
struct wp_options_tables {
	uint64_t rows;
	bool rows_given;
	const char *sort_by; /* --sort-by: total, self; NULL: not given */
	bool native_first;   /* --native-first */
	bool long_names;
	const char *symbol_filter;
	const char *ratio; /* --ratio A/B; NULL: none */
	bool annotate, disassemble;
	const char *style;	 /* -M: att, intel; NULL: att */
	bool interpreter_frames; /* --interpreter-frames */
	bool threads;		 /* --threads */
};

/* Which recording is read, which samples of it, and how they are sorted. */
struct wp_options_report {
	const char *input;	   /* -i; NULL: perf.data */
	bool force;		   /* --force: recordings of other users are read */
	const char *symfs;	   /* --symfs: the root of the recording's paths */
	const char *sort;	   /* --sort; NULL: hot functions */
	bool children;		   /* --children */
	bool branches;		   /* --branch */
	bool memory;		   /* --mem */
	const char *function;	   /* annotate FUNCTION or FILE:LINE; NULL: the hottest */
	bool hottest;		   /* --hottest */
	bool bytecode;		   /* --bytecode */
	bool blocks;		   /* --blocks */
	bool dot;		   /* --dot: blocks as a graph */
	const char *source_prefix; /* --source-prefix OLD=NEW; NULL: none */
	const char *tids;	   /* --tid */
	const char *module_filter; /* --module */
	const char *time_range;	   /* --time FROM,TO */
	uint64_t time_slice_ns;	   /* --time-slice */
	bool csv;		   /* --csv */
	const char *event;	   /* --event; NULL: all, or the first one */
};

/* What export and script write. */
struct wp_options_exports {
	const char *format; /* --format; NULL: a flame graph */
	const char *frames; /* --frames: python, native, all; NULL: as the format has it */
	bool lines;	    /* --lines: functions are split by line */
	bool open;	    /* --open: the written file is shown */
	bool locals;	    /* --locals of dump */
	const char *fields; /* -F of script; NULL: the default ones */
};

/* How top goes on. */
struct wp_options_top {
	uint64_t delay_ns; /* -d: how long an interval is */
	uint64_t count;	   /* --count: how many; 0: until it ends */
};

/*
 * Words of the command line, checked only as far as they can be without knowing the machine.
 * Strings are borrowed.
 */
struct wp_session_options {
	struct wp_options_output output;
	struct wp_options_events events;
	struct wp_options_target target;
	struct wp_options_counting counting;
	struct wp_options_sampling sampling;
	struct wp_options_recording recording;
	struct wp_options_tables tables;
	struct wp_options_report report;
	struct wp_options_exports exports;
	struct wp_options_top top;

	bool force_lock;	/* --force-lock: the driver of Windows, from whoever has it */
	uint64_t timeout_ns;	/* 0: until it ends or Ctrl-C */
	uint64_t max_memory_mb; /* --max-memory; 0: as much as core/budget.h says */
	const char *man_topic;	/* man <topic> */
	const char *pattern;	/* list <pattern>; NULL: everything */
	const char *replay;	/* --replay SCRIPT: tests; of a recording, its symbols */
};

struct wp_session_io {
	const struct wp_log *log;
	struct wp_writer *out;	    /* progress and reports; the caller closes it */
	struct wp_writer *terminal; /* how far long work is; NULL: nobody looks */
	/* Set by the signal handler: 1 after Ctrl-C. */
	const volatile sig_atomic_t *interrupted;
	const volatile sig_atomic_t *switch_asked; /* how often SIGUSR2 came; NULL: nobody counts */
	/* Called before what a person reads at leisure; may lead standard output elsewhere. NULL:
	 * nobody. */
	void (*begin_report)(void *arg);
	void *begin_report_arg;
};

/* Defaults as documented: 50 rows, intervals of 2 s, spawn delay 1000 ms, count.period 100 ms. */
void wp_session_options_init(struct wp_session_options *options);

/*
 * One function per verb. ret_exit gets the exit status of a launched command (0 otherwise), so that
 * it can be passed on.
 */
struct wp_err *wp_session_stat(const struct wp_session_options *options, struct wp_session_io *io,
			       int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_sample(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_top(const struct wp_session_options *options, struct wp_session_io *io,
			      int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_dump(const struct wp_session_options *options, struct wp_session_io *io,
			       int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_record(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_report(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_mem(const struct wp_session_options *options, struct wp_session_io *io,
			      int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_annotate(const struct wp_session_options *options,
				   struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_export(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_script(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit) WP_MUST_CHECK;
/* True when output.screens may be asked for: standard input and output are such a terminal. */
bool wp_session_has_screens(void);
/* The formats of `export`, a line each. */
void wp_session_export_help(struct wp_writer *out);
/* What `report --help` says of the keys that --sort knows. */
void wp_session_report_help(struct wp_writer *out);
/* For completion: names, one a line, of what -e, -m, -G, -u, --format and --sort take. */
struct wp_err *wp_session_list_events(const struct wp_session_options *options,
				      struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_list_metrics(const struct wp_session_options *options,
				       struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_list_cgroups(const struct wp_session_options *options,
				       struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_list_users(const struct wp_session_options *options,
				     struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_list_programs(const struct wp_session_options *options,
					struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_export_formats(const struct wp_session_options *options,
					 struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_report_keys(const struct wp_session_options *options,
				      struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_mem_columns(const struct wp_session_options *options,
				      struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_script_fields(const struct wp_session_options *options,
					struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_list(const struct wp_session_options *options, struct wp_session_io *io,
			       int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_man(const struct wp_session_options *options, struct wp_session_io *io,
			      int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_test(const struct wp_session_options *options, struct wp_session_io *io,
			       int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_detect(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_cpuinfo(const struct wp_session_options *options,
				  struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_cmnlist(const struct wp_session_options *options,
				  struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_cmninfo(const struct wp_session_options *options,
				  struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;
struct wp_err *wp_session_version(const struct wp_session_options *options,
				  struct wp_session_io *io, int *ret_exit) WP_MUST_CHECK;

#endif
