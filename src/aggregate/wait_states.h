/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait_states: waits by the state of the thread: a CPU that was not there is no waiting, a disk is
 * not a lock.
 *
 * Aggregate stage. In: samples of offcpu-time (core/wait.h). Out: a table of an event's states.
 */
#ifndef WP_WAIT_STATES_H
#define WP_WAIT_STATES_H

#include "base/vec.h"
#include "core/doc.h"
#include "core/sink.h"
#include "core/wait.h"

struct wp_wait_sum {
	uint64_t waits, ns, longest_ns;
};

struct wp_wait_event {
	struct wp_wait_sum states[WP_WAIT_STATES];
	struct wp_wait_sum running; /* its samples that are no waits, where it has both (wall) */
	uint64_t ns, waits;
};

/* All-zero is empty. */
struct wp_wait_states {
	struct wp_sink sink;
	WP_VEC(struct wp_wait_event) events; /* grown to the highest event index seen */
};

/* Takes samples from then on. */
struct wp_sink *wp_wait_states_sink(struct wp_wait_states *states);
/* A table of the states that the event's waits were in; nothing where it has none. */
void wp_wait_states_doc(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_wait_states *states, uint32_t event);
void wp_wait_states_deinit(struct wp_wait_states *states);

#endif
