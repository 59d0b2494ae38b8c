/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned_plans: the walk plans of processes, set by the main thread while readers look them up.
 *
 * Source stage. Readers never wait: each change makes a new table; a reader says which one it is
 * using, and tables that nobody uses any more are freed at a later change. What they hold is never
 * changed once it is in a table.
 */
#ifndef WP_PINNED_PLANS_H
#define WP_PINNED_PLANS_H

#include "base/map.h"
#include "base/vec.h"
#include "core/python_plan.h"

struct wp_pinned_process {
	uint32_t pid;
	uint32_t n;
	uint64_t version;  /* the larger the later it was set */
	uint64_t since_ns; /* when it was set */
	struct wp_python_plan plans[WP_PYTHON_PLANS];
};

struct wp_pinned_table {
	uint64_t version;     /* of the newest of them, or of what was dropped last */
	struct wp_map by_pid; /* -> struct wp_pinned_process * */
};

/* No longer current: freed when it, and all that were retired before it, are not in use. */
struct wp_pinned_retired {
	struct wp_pinned_table *table;
	struct wp_pinned_process *process; /* that only it and older ones hold; or NULL */
};

struct wp_pinned_plans {
	struct wp_pinned_table *table;	       /* the current one */
	const struct wp_pinned_table **in_use; /* by each reader; NULL: none */
	size_t readers;
	uint64_t version;
	WP_VEC(struct wp_pinned_retired) retired;
};

void wp_pinned_plans_init(struct wp_pinned_plans *plans);
/* How many readers there will be; none of them runs yet. */
void wp_pinned_plans_readers(struct wp_pinned_plans *plans, size_t readers);
/* When no reader uses it any more. */
void wp_pinned_plans_deinit(struct wp_pinned_plans *plans);

/* Main thread: n 0 drops the process. Copied. */
void wp_pinned_plans_set(struct wp_pinned_plans *plans, uint32_t pid,
			 const struct wp_python_plan *v, size_t n);
/* Main thread: valid until the next set. NULL: none are known. */
const struct wp_pinned_process *wp_pinned_plans_find(const struct wp_pinned_plans *plans,
						     uint32_t pid);

/* Reader: the current table, which stays until the reader leaves it. */
const struct wp_pinned_table *wp_pinned_plans_enter(struct wp_pinned_plans *plans, size_t reader);
void wp_pinned_plans_leave(struct wp_pinned_plans *plans, size_t reader);
const struct wp_pinned_process *wp_pinned_table_find(const struct wp_pinned_table *table,
						     uint32_t pid);

#endif
