/* SPDX-License-Identifier: BSD-3-Clause */
/* pinned_plans: see pinned_plans.h. */
#include "source/pinned/pinned_plans.h"

#include "base/clock.h"

#include <string.h>

void wp_pinned_plans_init(struct wp_pinned_plans *plans)
{
	*plans = (struct wp_pinned_plans){.table = wp_calloc(1, sizeof(*plans->table))};
}

void wp_pinned_plans_readers(struct wp_pinned_plans *plans, size_t readers)
{
	free(plans->in_use);
	plans->in_use = wp_calloc(readers, sizeof(*plans->in_use));
	plans->readers = readers;
}

static void free_table(struct wp_pinned_table *table)
{
	wp_map_deinit(&table->by_pid);
	free(table);
}

static bool used(const struct wp_pinned_plans *plans, const struct wp_pinned_table *table)
{
	for (size_t i = 0; i < plans->readers; i++)
		if (__atomic_load_n(&plans->in_use[i], __ATOMIC_SEQ_CST) == table)
			return true;
	return false;
}

/* In the order they were retired: an older table may hold what a younger one still held. */
static void free_retired(struct wp_pinned_plans *plans)
{
	size_t n = 0;

	while (n < plans->retired.n && !used(plans, plans->retired.v[n].table)) {
		free_table(plans->retired.v[n].table);
		free(plans->retired.v[n].process);
		n++;
	}
	plans->retired.n -= n;
	if (n)
		memmove(plans->retired.v, plans->retired.v + n,
			plans->retired.n * sizeof(*plans->retired.v));
}

static struct wp_pinned_process *process_at_value(uint64_t value)
{
	return (struct wp_pinned_process *)(uintptr_t)value;
}

void wp_pinned_plans_deinit(struct wp_pinned_plans *plans)
{
	if (!plans->table)
		return;
	free_retired(plans);
	for (size_t i = 0; i < plans->table->by_pid.cap; i++)
		if (plans->table->by_pid.slots[i].used)
			free(process_at_value(plans->table->by_pid.slots[i].value));
	free_table(plans->table);
	free(plans->in_use);
	wp_vec_deinit(&plans->retired);
	*plans = (struct wp_pinned_plans){0};
}

/* All of the current table but one process. */
static struct wp_pinned_table *copy_without(const struct wp_pinned_table *from, uint32_t pid)
{
	struct wp_pinned_table *table = wp_calloc(1, sizeof(*table));

	for (size_t i = 0; i < from->by_pid.cap; i++) {
		const struct wp_map_slot *slot = &from->by_pid.slots[i];

		if (slot->used && slot->key != pid)
			*wp_map_put(&table->by_pid, slot->key) = slot->value;
	}
	return table;
}

static struct wp_pinned_process *make_process(struct wp_pinned_plans *plans, uint32_t pid,
					      const struct wp_python_plan *v, size_t n)
{
	struct wp_pinned_process *process = wp_calloc(1, sizeof(*process));

	if (n > WP_PYTHON_PLANS)
		n = WP_PYTHON_PLANS;
	process->pid = pid;
	process->n = (uint32_t)n;
	process->version = plans->version;
	process->since_ns = wp_clock_now_ns();
	memcpy(process->plans, v, n * sizeof(*v));
	return process;
}

void wp_pinned_plans_set(struct wp_pinned_plans *plans, uint32_t pid,
			 const struct wp_python_plan *v, size_t n)
{
	const uint64_t *before = wp_map_get(&plans->table->by_pid, pid);
	struct wp_pinned_retired retired = {plans->table,
					    before ? process_at_value(*before) : NULL};
	struct wp_pinned_table *table;

	plans->version++;
	if (!before && n == 0)
		return;
	table = copy_without(plans->table, pid);
	table->version = plans->version;
	if (n)
		*wp_map_put(&table->by_pid, pid) = (uintptr_t)make_process(plans, pid, v, n);
	__atomic_store_n(&plans->table, table, __ATOMIC_SEQ_CST);
	wp_vec_push(&plans->retired, retired);
	free_retired(plans);
}

const struct wp_pinned_process *wp_pinned_table_find(const struct wp_pinned_table *table,
						     uint32_t pid)
{
	const uint64_t *value = wp_map_get(&table->by_pid, pid);

	return value ? process_at_value(*value) : NULL;
}

const struct wp_pinned_process *wp_pinned_plans_find(const struct wp_pinned_plans *plans,
						     uint32_t pid)
{
	return wp_pinned_table_find(plans->table, pid);
}

const struct wp_pinned_table *wp_pinned_plans_enter(struct wp_pinned_plans *plans, size_t reader)
{
	const struct wp_pinned_table *table;

	/* Once it is said to be in use, and still the current one, it cannot be freed. */
	do {
		table = __atomic_load_n(&plans->table, __ATOMIC_SEQ_CST);
		__atomic_store_n(&plans->in_use[reader], table, __ATOMIC_SEQ_CST);
	} while (__atomic_load_n(&plans->table, __ATOMIC_SEQ_CST) != table);
	return table;
}

void wp_pinned_plans_leave(struct wp_pinned_plans *plans, size_t reader)
{
	__atomic_store_n(&plans->in_use[reader], NULL, __ATOMIC_SEQ_CST);
}
