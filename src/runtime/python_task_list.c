/* SPDX-License-Identifier: BSD-3-Clause */
/* python_task_list: see python_task_list.h. Offsets are from ob_type on. */
#include "runtime/python_task_list.h"

#include "base/bytes.h"
#include "runtime/python_frame_state.h"

#include <stdlib.h>

#define READS_MAX	 (1u << 18) /* of one call */
#define INTERPRETERS_MAX 64
#define THREADS_MAX	 4096
#define SET_CHUNK	 64			   /* entries that are read at once */
#define SLOTS_MAX	 (4 * WP_PYTHON_TASKS_MAX) /* of a set */

enum {
	SET_MASK = 24,
	SET_TABLE = 32,
	WEAKREF_OBJECT = 8,
};

struct task_reader {
	struct wp_python_dict_reader dicts;
	struct wp_python_task_list *list;
};

static void add_listed_task(struct task_reader *r, uint64_t task)
{
	if (r->list->tasks.n >= WP_PYTHON_TASKS_MAX)
		r->list->cut = true;
	else if (task)
		wp_vec_push(&r->list->tasks, task);
}

/* Entries {key, hash}; keys are tasks, or weak references of them. */
static void add_set(struct task_reader *r, uint64_t set, bool weak)
{
	struct wp_python_objects *o = &r->dicts.objects;
	uint64_t mask = wp_python_object_field(o, set, SET_MASK);
	uint64_t table = wp_python_object_field(o, set, SET_TABLE);
	uint8_t entries[16 * SET_CHUNK];

	r->list->cut |= table && mask >= SLOTS_MAX;
	if (!table || mask >= SLOTS_MAX)
		return;
	for (uint64_t i = 0; i <= mask && o->left; i++) {
		uint64_t key, at = i % SET_CHUNK, n = mask + 1 - i;

		n = n < SET_CHUNK ? n : SET_CHUNK;
		if (!at && !wp_python_object_bytes(o, table + 16 * i, entries, 16 * n))
			return;
		key = wp_u64_at(entries + 16 * at);
		if (key)
			add_listed_task(r, weak ? wp_python_object_field(o, key, WEAKREF_OBJECT)
						: key);
	}
}

/* WeakSet.data of Lib/_weakrefset.py. */
static void add_weak_set(struct task_reader *r, uint64_t weak_set)
{
	struct wp_python_dict_key key = {"data", 0};
	struct wp_python_dict_cursor c;
	uint64_t data;

	if (weak_set && wp_python_dict_attributes(&r->dicts, weak_set, &c) &&
	    wp_python_dict_find_values(&r->dicts, &c, &key, 1, &data))
		add_set(r, data, true);
}

static void add_module_tasks(struct task_reader *r, uint64_t interpreter)
{
	uint64_t module = wp_python_dict_module(&r->dicts, interpreter, "asyncio.tasks");

	if (!module)
		return;
	add_weak_set(r, wp_python_dict_find(&r->dicts, module, "_all_tasks"));
	add_weak_set(r, wp_python_dict_find(&r->dicts, module, "_scheduled_tasks"));
	add_set(r, wp_python_dict_find(&r->dicts, module, "_eager_tasks"), false);
}

/* struct llist_node {next, prev}; the head is a node of no task. */
static void add_linked(struct task_reader *r, uint64_t head)
{
	struct wp_python_objects *o = &r->dicts.objects;
	uint64_t node = wp_python_object_word(o, head);

	while (node && node != head && !r->list->cut && o->left) {
		add_listed_task(r, node - o->plan->task_node);
		node = wp_python_object_word(o, node);
	}
}

static void add_linked_tasks(struct task_reader *r, uint64_t interpreter)
{
	struct wp_python_objects *o = &r->dicts.objects;
	uint64_t state = wp_python_object_word(o, interpreter + o->plan->interp_threads);

	for (int i = 0; state && i < THREADS_MAX; i++) {
		add_linked(r, state + o->plan->ts_tasks);
		state = wp_python_object_word(o, state + o->plan->ts_next);
	}
	if (o->plan->interp_tasks) /* of threads that have ended */
		add_linked(r, interpreter + o->plan->interp_tasks);
}

static int compare_listed_tasks(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

void wp_python_task_list_read(const struct wp_python_dict_layout *layout,
			      const struct wp_python_plan *plan, const struct wp_memory *memory,
			      struct wp_python_task_list *ret)
{
	struct task_reader r = {{layout, {memory, plan, READS_MAX}, 0}, ret};
	uint64_t interpreter;

	ret->tasks.n = 0;
	ret->cut = false;
	if (layout->dicts == WP_PYTHON_DICTS_UNKNOWN || !plan->interpreters || !plan->gen_frame)
		return;
	interpreter = wp_python_object_word(&r.dicts.objects, plan->interpreters);
	for (int i = 0; interpreter && i < INTERPRETERS_MAX; i++) {
		add_module_tasks(&r, interpreter);
		if (plan->task_node && plan->ts_tasks)
			add_linked_tasks(&r, interpreter);
		interpreter =
			wp_python_object_word(&r.dicts.objects, interpreter + plan->interp_next);
	}
	ret->cut |= !r.dicts.objects.left;
	/* Neighbours are read at once. */
	if (ret->tasks.n)
		qsort(ret->tasks.v, ret->tasks.n, sizeof(*ret->tasks.v), compare_listed_tasks);
}

/* gi_frame_state is the fourth of the bytes in front of gi_iframe. */
enum wp_python_task_does wp_python_task_does(uint32_t version, const struct wp_python_plan *plan,
					     const struct wp_memory *memory, uint64_t coro)
{
	struct wp_python_frame_states states = wp_python_frame_states(version);
	uint64_t at = coro + plan->gen_frame - 5;
	int8_t state;

	if (!coro || !states.known || !memory->read(memory->arg, at, &state, sizeof(state)))
		return WP_PYTHON_TASK_NOT_KNOWN;
	if (state == states.created)
		return WP_PYTHON_TASK_IS_NEW;
	if (state == states.executing)
		return WP_PYTHON_TASK_RUNS;
	return state < states.executing ? WP_PYTHON_TASK_WAITS : WP_PYTHON_TASK_IS_DONE;
}
