/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_data: keeps what is sampled in a perf.data file (--data FILE, -o FILE; record: unasked).
 */
#ifndef WP_SAMPLING_DATA_H
#define WP_SAMPLING_DATA_H

#include "core/sink.h"
#include "resolve/find/build_ids.h"
#include "session/targeting.h"
#include "store/recorder.h"

struct wp_sampling;
struct wp_session_options;

/* All-zero does nothing. */
struct wp_sampling_data {
	struct wp_sink sink;
	struct wp_recorder *recorder;
	char *path;    /* of the file that is to be kept, below --output-prefix; NULL: none */
	bool unasked;  /* it is only kept because record does: a failure ends the keeping */
	bool replaces; /* a former file becomes FILE.old */
	const struct wp_symbol_set *symbols;
	uint32_t pinned; /* WP_STACK_NOTE_PINNED, or 0 */
	bool offline;	 /* a replay: its files are none */
	/* Of the sample at hand. */
	WP_VEC(uint64_t) chain, frames;
	struct wp_build_ids ids;
};

/* What is to be kept, as far as the options say. */
void wp_sampling_data_init(struct wp_sampling_data *data, const struct wp_session_options *options,
			   enum wp_targeting_verb verb);
/* Creates the file, and makes it a sink of the run, when one is asked for. s->events must be known.
 */
struct wp_err *wp_sampling_data_open(struct wp_sampling *s) WP_MUST_CHECK;
/* After each batch. */
struct wp_err *wp_sampling_data_round(struct wp_sampling *s) WP_MUST_CHECK;
/* Ends the file and says in a note how large it is. Nothing to do a second time. */
struct wp_err *wp_sampling_data_close(struct wp_sampling *s) WP_MUST_CHECK;
/* After a failure, what was written stays. */
void wp_sampling_data_deinit(struct wp_sampling *s);

#endif
