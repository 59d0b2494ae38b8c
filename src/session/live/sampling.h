/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling: what `sample` and `record` share: a source whose samples are resolved and counted while
 * they come, and the report at the end.
 *
 * Session stage. In: the words of the command line. Out: progress on io->out, then one document.
 */
#ifndef WP_SAMPLING_H
#define WP_SAMPLING_H

#include "base/priority.h"
#include "base/str.h"
#include "core/group_reads.h"
#include "core/sink.h"
#include "core/source.h"
#include "resolve/resolver.h"
#include "session/event_fields.h"
#include "session/live/held.h"
#include "session/live/kept_laps.h"
#include "session/live/waits.h"
#include "session/report/results.h"
#include "session/report/wall.h"
#include "session/live/sample_live.h"
#include "session/live/sampling_data.h"
#include "session/live/sampling_entry.h"
#include "session/live/sampling_image.h"
#include "session/live/sampling_python.h"
#include "session/live/sampling_stacks.h"
#include "session/recorded/recorded_parts.h"
#include "session/setup.h"
#include "session/live/stack_mode.h"
#include "session/follow/walk_feed.h"
#include "session/follow/windows_maps.h"
#include "session/targeting.h"
#include "source/pinned/pinned.h"
#include "source/proc/kept_output.h"
#include "source/proc/launch.h"

struct wp_lap;
struct wp_sampling;

/* Makes another report, on screens, of what this one is of; what is opened from it lives as long as
 * `arg`. */
struct wp_sampling_more {
	struct wp_err *(*make)(void *arg, enum wp_screen_more what, struct wp_doc **ret,
			       const struct wp_screen_opener **ret_opener);
	void *arg;
};

/*
 * Notes wait until the sampling runs: what is refused gets its one line and no notes about what
 * would have been.
 */
struct wp_sampling_notes {
	const struct wp_log *log; /* where everything goes in the end */
	struct wp_log held;	  /* what the stages are given: keeps notes, passes on the rest */
	struct wp_str lines;	  /* each with its newline */
	bool shown;   /* nothing can be refused any more and no progress line is being written */
	bool screens; /* nor may warnings be written now */
};

/* Where samples come from: what runs now, or a recording. All else is the same for both. */
struct wp_sampling_way {
	bool is_recording;
	/* Before everyone follows what a process does; NULL: nothing to do. */
	void (*record)(struct wp_sampling *s, const struct wp_record *record);
	/* False for samples that a filter keeps out; NULL: there is none. */
	bool (*wants)(struct wp_sampling *s, const struct wp_record *record, uint32_t symbol);
	/* Finds out what the sinks want. In *ret the record and its symbol are there already. */
	void (*make)(struct wp_sampling *s, const struct wp_record *record, struct wp_sample *ret);
};

/* What the run had come to; what of it is an interval's is the difference of two. */
struct wp_sampling_mark {
	uint64_t elapsed_ns, lost, throttled, seen;
	uint64_t unresolved, refused; /* Python frames; code objects */
};

/* Intervals that are shown one by one (sampling_laps.h). All-zero: one report, at the end. */
struct wp_sampling_laps {
	uint64_t length_ns;
	uint64_t most;	  /* how many; 0: until the run ends */
	uint64_t due_ns;  /* when the one that runs is over, on the clock of the source */
	uint64_t n;	  /* that were shown */
	uint64_t samples; /* of all that are over */
	struct wp_sampling_mark begun; /* where the one that runs began */
	struct wp_screen_live *live;   /* what they are shown on; NULL: as text */
	struct wp_kept_laps kept;      /* of screens */
	bool left;		       /* the user has seen enough */
	bool ended;		       /* what is still shown is text */
};

struct wp_sampling {
	const struct wp_session_options *options;
	struct wp_session_io *io;    /* &own_io */
	struct wp_session_io own_io; /* the caller's, with notes.held as its log */
	struct wp_sampling_notes notes;
	struct wp_setup setup;
	struct wp_targeting targeting;
	struct wp_event_set events;
	struct wp_wall wall; /* of these; off without --wall */
	struct wp_source *source;
	struct wp_worker *worker; /* loads modules; NULL with a recording */
	struct wp_priority priority;
	struct wp_patience patience;
	struct wp_budget *budget;      /* of what files and processes say */
	struct wp_processes processes; /* tells who follows them */
	struct wp_resolver *resolver;
	struct wp_windows_maps windows;
	struct wp_held held;
	struct wp_group_reads group_reads;
	struct wp_launch launch;       /* its pid is 0: there is no command of ours */
	struct wp_kept_output *output; /* of the command; NULL: the terminal has it */
	struct wp_sampling_entry entry;

	const struct wp_sampling_way *way;
	WP_VEC(struct wp_sink *) sinks;
	unsigned int wants; /* of all sinks together */
	bool folds_idle;    /* idle waits go to sinks that want them only */
	struct wp_results results;
	struct wp_results *seen; /* what documents are made of: these, or of an interval before */
	struct wp_sampling_laps laps;
	uint64_t branch_type; /* -b, -j; 0: no branches */
	struct wp_stack_mode stack_mode;
	char *stack_refusal; /* why stacks are not walked in the kernel, as `auto` would; or NULL */
	struct wp_walk_feed walk_feed;
	struct wp_pinned *pinned;	 /* NULL: nobody reads Python frames that way */
	struct wp_sampling_stack *stack; /* NULL without -g */
	struct wp_sampling_python python;
	struct wp_sampling_data data;
	struct wp_sample_live live;
	struct wp_sampling_recorded recorded;
	struct wp_event_fields fields;
	bool has_waits; /* offcpu-time is among the events, and threads stop now */
	struct wp_waits waits;
	uint64_t lost, throttled;
	struct wp_sampling_more more; /* all-zero: there is none */
	struct wp_sampling_image image;

	struct wp_str progress; /* the line so far */
	uint64_t seconds_shown, samples_seen, samples_shown;
	uint64_t elapsed_ns;
	bool ended;
	bool loads;   /* the worker is at something, or records are held */
	char *ending; /* for -v: how the process ended; NULL: it did not */
};

/* The machine and what is to be watched. *ret must not move until its end. The caller deinits, also
 * after a failure. */
struct wp_err *wp_sampling_init(const struct wp_session_options *options, struct wp_session_io *io,
				enum wp_targeting_verb verb, struct wp_sampling *ret) WP_MUST_CHECK;
void wp_sampling_deinit(struct wp_sampling *sampling);
#define wp_autosampling WP_CLEANUP(wp_sampling_deinit)

/* The first step of any run: what needs no machine. */
void wp_sampling_begin(const struct wp_session_options *options, struct wp_session_io *io,
		       const struct wp_sampling_way *way, struct wp_sampling *ret);
/* What is to be sampled, and who gives names to it. */
struct wp_err *wp_sampling_prepare(struct wp_sampling *sampling) WP_MUST_CHECK;
/* The sink gets every sample from then on. */
void wp_sampling_attach(struct wp_sampling *sampling, struct wp_sink *sink);
/* Attaches the sinks of a report of hot functions. */
void wp_sampling_attach_results(struct wp_sampling *sampling);
/* Unless --idle is given, waits of threads that have nothing to do are counted (results.idle)
 * instead of being handed to sinks, except those that want them. Of recordings before they are
 * read. */
void wp_sampling_fold_idle(struct wp_sampling *sampling);
/* The events that sinks get samples of, unless they want them as opened. */
const struct wp_event_set *wp_sampling_shown(const struct wp_sampling *sampling);
/* A table of threads, with their names and who holds the GIL, is wanted. */
bool wp_sampling_shows_threads(const struct wp_sampling *sampling);
/* Where the stack of the sample at hand is to be; NULL: no sink wants it. */
struct wp_sampling_stack *wp_sampling_wanted_stack(struct wp_sampling *sampling);
/* What a process does, to everyone who follows it. */
void wp_sampling_tell_record(struct wp_sampling *sampling, const struct wp_record *record);
/* A record that everyone else has followed. */
void wp_sampling_tell_sinks(struct wp_sampling *sampling, const struct wp_record *record);
/* s->resolver, which knows the world's symbols. */
void wp_sampling_make_resolver(struct wp_sampling *sampling,
			       const struct wp_resolver_options *options);
/* Nothing can be refused any more: notes are shown from now on. */
void wp_sampling_show_notes(struct wp_sampling *sampling);
/* A signal has come. */
bool wp_sampling_is_interrupted(const struct wp_sampling *sampling);
/* A record that the resolver can follow without waiting, or is to wait for. */
void wp_sampling_take_record(struct wp_sampling *sampling, const struct wp_record *record);
/* "base address of ..." of a Windows program, with -v of any; nothing when it is not known. */
void wp_sampling_print_base(struct wp_sampling *sampling);
/* With -v: the kind of sampling, the process and its modules. */
void wp_sampling_print_modules(struct wp_sampling *sampling);
/* Makes the document and hands it to the outputs. */
struct wp_err *wp_sampling_report(struct wp_sampling *sampling) WP_MUST_CHECK;
/* The document alone, for the caller to free; without lines and instructions. */
struct wp_doc *wp_sampling_report_doc(struct wp_sampling *sampling);
/* One interval, which the document tells of, and nothing about the whole run. */
struct wp_err *wp_sampling_report_lap(struct wp_sampling *sampling,
				      const struct wp_lap *lap) WP_MUST_CHECK;
/* The call graph of what is seen; false without -g. */
bool wp_sampling_callgraph(struct wp_sampling *sampling, struct wp_callgraph_report *ret);
/* What reports could not show, on stderr; for laps, behind the last one. */
void wp_sampling_tell_run(const struct wp_sampling *sampling);
/* Samples in the tables as they are now, of all events. */
uint64_t wp_sampling_count(const struct wp_sampling *sampling);

#endif
