/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code_join: gives a code object the whole of its line table.
 *
 * Source stage. The BPF program's code record has the first 32 KB of a table; the rest comes in
 * pieces behind it in the ring (bpf/wire.h). The code object is delivered as it came, and once more
 * when the last piece is there. When a piece was lost that second time never comes, and the reader
 * asks the process for the table.
 */
#ifndef WP_CODE_JOIN_H
#define WP_CODE_JOIN_H

#include "base/arena.h"
#include "base/vec.h"
#include "core/record.h"
#include "format/perf/bpf_walk.h"

#include <stdint.h>

/* The code object of a ring whose pieces come next. */
struct wp_code_waiting {
	bool used;
	struct wp_record record; /* borrows `texts` and `lines` */
	struct wp_arena texts;
	WP_VEC(uint8_t) lines; /* so far */
};

/* All zero is empty; one for all rings of a run. */
struct wp_code_join {
	WP_VEC(struct wp_code_waiting) rings;
	uint64_t joined, unused; /* tables made whole; pieces of none that waits */
};

/* Takes a copy of a CODE record of that ring, if pieces of its table may follow. */
void wp_code_join_code(struct wp_code_join *join, size_t ring, const struct wp_record *record);
/*
 * Takes a piece. The code object with its whole table when that was the last one: the join's own,
 * valid until the ring's next CODE record; else NULL.
 */
const struct wp_record *wp_code_join_lines(struct wp_code_join *join, size_t ring,
					   const struct wp_bpf_lines *lines);
void wp_code_join_deinit(struct wp_code_join *join);

#endif
