/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * jit_code: what a process's JIT compiler put where, and since when.
 *
 * Addresses are used again for other code, so pieces overlap; the latest one that existed at the
 * sample's time is meant. Pieces without a time (perf maps) exist always, the one told last wins.
 */
#ifndef WP_JIT_CODE_H
#define WP_JIT_CODE_H

#include "base/arena.h"
#include "base/vec.h"
#include "core/budget.h"
#include "core/unwind_rows.h"

#include <stdbool.h>
#include <stdint.h>

/* How to unwind a piece, wherever it lies: the rows' pc is relative to its start. */
struct wp_jit_rules {
	size_t n;
	struct wp_unwind_rule v[];
};

struct wp_jit_piece {
	uint64_t start, end;
	uint64_t time_ns; /* 0: always */
	uint32_t order;	  /* of telling */
	uint32_t id;	  /* for the owner; 0 at first */
	const char *name;
	const struct wp_jit_rules *rules; /* the owner's, in its arena; NULL: none are known */
};

/*
 * What the code of all processes may cost: bytes of memory, and time to read their files, so that
 * nobody who writes them faster than we read keeps us from everything else.
 */
struct wp_jit_budget {
	struct wp_budget *memory; /* borrowed */
	uint64_t spent_ns;	  /* reading at one stretch */
	uint64_t read_ns;	  /* when it was read last (CLOCK_MONOTONIC) */
	uint64_t resume_ns;	  /* nothing is read until then */
};

/* True when some may be read now. */
bool wp_jit_budget_may_read(struct wp_jit_budget *budget, uint64_t now_ns);
/* So much time went into reading until now. */
void wp_jit_budget_spend(struct wp_jit_budget *budget, uint64_t spent_ns, uint64_t now_ns);

/* Empty, but for its budget. */
struct wp_jit_code {
	struct wp_jit_budget *budget;	    /* borrowed */
	WP_VEC(struct wp_jit_piece) pieces; /* sorted by start, then order */
	WP_VEC(struct wp_jit_piece) fresh;  /* told since they were sorted */
	uint64_t *reach;		    /* the highest end of pieces[0..i] */
	struct wp_arena names;
	uint32_t told;
};

/* One more piece; false (and ignored) when there are too many, there is no room or it is empty. */
bool wp_jit_code_add(struct wp_jit_code *code, uint64_t start, uint64_t size, uint64_t time_ns,
		     const char *name, size_t name_len);
/*
 * The piece at the address at that time; when all came later, the first of them (compilers write
 * their log after the fact). NULL if none covers it. Valid until the next add.
 */
struct wp_jit_piece *wp_jit_code_find(struct wp_jit_code *code, uint64_t addr, uint64_t time_ns);
/*
 * The rules in force now of the pieces that begin in [ret->base, end), as rows of one table; what
 * nothing is told of has none. Where pieces overlap, the newest counts. *ret is empty but for its
 * base.
 */
void wp_jit_code_rows(struct wp_jit_code *code, uint64_t end, struct wp_unwind_rows *ret);
void wp_jit_code_deinit(struct wp_jit_code *code);

#endif
