/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_data: keeps what is sampled in a perf.data file (--data FILE, -o FILE; record: unasked).
 */
#ifndef WP_SAMPLING_DATA_H
#define WP_SAMPLING_DATA_H

#include "core/sink.h"
#include "resolve/find/build_ids.h"
#include "session/live/python_source.h"
#include "session/live/sampling_image.h"
#include "session/live/sampling_snapshot.h"
#include "session/live/sampling_switch.h"
#include "session/targeting.h"
#include "store/recorder.h"
#include "store/recorder_living.h"
#include "store/recorder_window.h"

struct wp_session_options;

/* What is said of the run, in the file or to its user; all of it outlives it. */
struct wp_sampling_data_parts {
	const struct wp_session_options *options;
	const struct wp_log *log;
	const struct wp_event_set *events;
	const struct wp_machine *machine;
	struct wp_resolver *resolver;
	const struct wp_sampling_image *image;
	const struct wp_python_source *source;
	const struct wp_python_bytecodes *bytecodes;
	const struct wp_python_touched *touched;
	const struct wp_str *tracepoints; /* what describes payloads of samples; empty: none come */
	uint64_t branch_type;		  /* which branches, if these are among them */
	uint32_t carried;		  /* enum wp_data_part: what else samples have */
	struct wp_perf_aux_clock clock;	  /* of Arm SPE, if an event is of it */
	bool stacks;			  /* samples have stacks, of native or of Python code */
	bool pinned;			  /* pinned readers read Python frames */
	const volatile sig_atomic_t *switch_asked; /* how often SIGUSR2 came; NULL: nobody counts */
	bool offline;				   /* a replay: its files are none */
};

/* All-zero does nothing. */
struct wp_sampling_data {
	struct wp_sink sink;
	struct wp_sampling_data_parts of;
	struct wp_recorder *recorder;
	char *path;    /* of the file that is to be kept, below --output-prefix; NULL: none */
	bool unasked;  /* it is only kept because record does: a failure ends the keeping */
	bool replaces; /* a former file becomes FILE.old */
	bool holds;    /* nothing is written but what wp_sampling_data_write() asks for */
	struct wp_sampling_switch sw;
	const char *file;		  /* of the recording at hand: path, or the switch's */
	struct wp_recorder_living living; /* empty without switching */
	struct wp_sampling_snapshot snapshot;
	struct wp_recorder_window window; /* of snapshots; there is a recorder only for moments */
	const struct wp_symbol_set *symbols;
	/* Of the sample at hand. */
	WP_VEC(uint64_t) chain, frames;
	struct wp_build_ids ids;
};

/* What is to be kept, as far as the options say. */
void wp_sampling_data_init(struct wp_sampling_data *data, const struct wp_session_options *options,
			   enum wp_targeting_verb verb);
/* Instead: keeps in memory, within both bounds, what may be written later. Before it is opened. */
void wp_sampling_data_hold(struct wp_sampling_data *data, uint64_t span_ns, uint64_t limit_bytes);
/* Writes what is held to a new file; *ret says how much it was, for the caller to free. */
struct wp_err *wp_sampling_data_write(struct wp_sampling_data *data, const char *path,
				      char **ret) WP_MUST_CHECK;
/* Creates the file, when one is asked for; then something is kept, and the sink is to be attached.
 */
struct wp_err *wp_sampling_data_open(struct wp_sampling_data *data,
				     const struct wp_sampling_data_parts *of) WP_MUST_CHECK;
/* Whether samples are kept, now. */
bool wp_sampling_data_keeps(const struct wp_sampling_data *data);
/* After each batch; may end the recording and begin the next one. */
struct wp_err *wp_sampling_data_round(struct wp_sampling_data *data) WP_MUST_CHECK;
/* Ends the file and says in a note how large it is. Nothing to do a second time. */
struct wp_err *wp_sampling_data_close(struct wp_sampling_data *data) WP_MUST_CHECK;
/* After a failure, what was written stays. */
void wp_sampling_data_deinit(struct wp_sampling_data *data);

#endif
