/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_held: takes a sampling's records in, without waiting for modules that are being loaded.
 *
 * Session stage. A sample whose modules are not loaded is held back with everything behind it
 * (session/live/held.h), so that rings are drained while a worker loads. Only when more than 64 MiB
 * are held, and at the end, does the session wait.
 */
#ifndef WP_SAMPLING_HELD_H
#define WP_SAMPLING_HELD_H

#include "base/err.h"
#include "core/record.h"

struct wp_sampling;

/* While something is loaded the session looks up this often. */
#define WP_SAMPLING_LOAD_NS (5 * 1000000ull)

/* A module that was just mapped will be needed. */
void wp_sampling_expect(struct wp_sampling *sampling, const struct wp_record *record);
/* A record from the source. */
void wp_sampling_accept(struct wp_sampling *sampling, const struct wp_record *record);
/* Nothing more comes: threads that do not run are taken to wait up to that time. */
void wp_sampling_end_waits(struct wp_sampling *sampling, uint64_t end_ns);
/* After each batch: takes what need not be held any longer; true when the worker is idle. */
bool wp_sampling_release(struct wp_sampling *sampling);
/*
 * The end: waits for everything. True when a terminal was shown how far that is, so that its line
 * is empty now.
 */
bool wp_sampling_release_all(struct wp_sampling *sampling);

#endif
