/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * idle_rules: which waits are those of a thread that has nothing to do: an event loop, a worker of
 * a pool, whoever waits for a client or a signal.
 *
 * Aggregate stage. In: a wait with its kind (core/wait_kind.h) and stack, nothing else: what came
 * before and after does not matter, so that live and recorded runs decide alike. Out: the rule that
 * it fits. In doubt it fits none: a wait of a request must not be hidden.
 */
#ifndef WP_IDLE_RULES_H
#define WP_IDLE_RULES_H

#include "core/sample.h"
#include "core/symbol.h"

#define WP_IDLE_FRAMES 4

/* A place in Python code. */
struct wp_idle_frame {
	const char *file; /* how its path ends: "/queue.py"; NULL: any */
	/* The name without class; NULL: any. Leading underscores of private names are left out. */
	const char *function;
};

struct wp_idle_rule {
	const char *name;  /* "event loop" */
	const char *kinds; /* of waits, words of core/wait_kind.h; "epoll" is a poll of such */
	/* Files of which innermost frames are passed over, words; NULL: none. */
	const char *through;
	/* The frames that follow, innermost first; none: whatever the stack is. */
	struct wp_idle_frame frames[WP_IDLE_FRAMES];
	/* What stands for the thread's work: no such frame may be farther out. */
	bool outside_work;
	/* Of threads that run no Python code at the time. */
	bool native;
	/* Beneath libc's wait for a condition stands the thread's outermost function: of threads
	 * whose native stack is known. */
	bool condition;
};

/* NULL: none. */
const struct wp_idle_rule *wp_idle_rule_of(const struct wp_sample *sample,
					   const struct wp_symbol_set *symbols);
/* The table; NULL behind its end. */
const struct wp_idle_rule *wp_idle_rule_at(size_t i);

#endif
