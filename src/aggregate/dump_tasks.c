/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_tasks: see dump_tasks.h. */
#include "aggregate/dump_tasks.h"

#include "base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define NAMES 3 /* of a group that are told */

/* In JSON, in words: of one, of several. */
static const char *const task_states[WP_DUMP_TASK_STATES][3] = {
	[WP_DUMP_TASK_WAITS] = {"waits", "waits", "wait"},
	[WP_DUMP_TASK_IS_NEW] = {"new", "has not begun", "have not begun"},
	[WP_DUMP_TASK_RUNS] = {"runs", "runs: its frames are a thread's",
			       "run: their frames are threads'"},
	[WP_DUMP_TASK_NOT_KNOWN] = {"not_known", "is at", "are at"},
};

static void put_task_json(struct wp_dump_tasks *tasks, const struct wp_dump_task *task)
{
	struct wp_doc *doc = tasks->dump->doc;
	struct wp_node *object = wp_doc_object(doc, tasks->tasks, NULL), *array;

	wp_doc_str(doc, object, "name", task->name);
	wp_doc_str(doc, object, "state", task_states[task->state][0]);
	array = wp_doc_array(doc, object, "frames");
	for (size_t i = 0; i < task->n; i++)
		wp_dump_frame_json(doc, array, &task->frames[i]);
	if (!task->n_awaited_by)
		return;
	array = wp_doc_array(doc, object, "awaited_by");
	for (size_t i = 0; i < task->n_awaited_by; i++)
		wp_doc_str(doc, array, NULL, task->awaited_by[i]);
	if (task->several)
		wp_doc_bool(doc, object, "several_await", true);
}

/* The group of that state and those frames, made when it is new. */
static struct wp_dump_tasks_group *task_group(struct wp_dump_tasks *tasks,
					      const struct wp_dump_task *task)
{
	wp_autostr struct wp_str text = {0};
	struct wp_dump_tasks_group group = {.state = task->state};
	uint64_t *at;

	for (size_t i = 0; i < task->n; i++)
		wp_dump_frame_text(&task->frames[i], &text);
	at = wp_map_put(&tasks->group_of,
			(uint64_t)wp_strpool_id(&tasks->texts, text.s ? text.s : "") *
					WP_DUMP_TASK_STATES +
				task->state);
	if (!*at) {
		group.frames = wp_arena_strdup(&tasks->arena, text.s ? text.s : "");
		wp_vec_push(&tasks->groups, group);
		*at = tasks->groups.n;
	}
	return &tasks->groups.v[*at - 1];
}

static void put_awaiter_text(const struct wp_dump_task *task, struct wp_str *ret)
{
	wp_str_printf(ret, "%s%s", task->awaited_by[0], task->several ? ", one of several," : "");
}

static void add_to_group(struct wp_dump_tasks *tasks, const struct wp_dump_task *task)
{
	struct wp_dump_tasks_group *group = task_group(tasks, task);
	wp_autostr struct wp_str awaiter = {0};

	if (task->n_awaited_by)
		put_awaiter_text(task, &awaiter);
	if (!group->n && awaiter.s)
		group->awaits = wp_arena_strdup(&tasks->arena, awaiter.s);
	group->n_awaited += awaiter.s != NULL;
	group->differ |= !awaiter.s || !group->awaits || strcmp(group->awaits, awaiter.s) != 0;
	if (group->n < NAMES)
		group->names =
			wp_arena_printf(&tasks->arena, "%s%s%s", group->n ? group->names : "",
					group->n ? ", " : "", task->name);
	group->n++;
}

void wp_dump_tasks_add(struct wp_dump_tasks *tasks, const struct wp_dump_task *task)
{
	if (!tasks->tasks)
		tasks->tasks = wp_doc_array(tasks->dump->doc, tasks->dump->process, "tasks");
	put_task_json(tasks, task);
	add_to_group(tasks, task);
	tasks->n++;
}

/* Many come first. */
static int compare_task_groups(const void *a, const void *b)
{
	const struct wp_dump_tasks_group *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return strcmp(x->names, y->names);
}

/* "\n2 tasks wait: a (f), b (f); main (main) awaits each\n    f (x.py:3)\n" */
static void put_group_text(const struct wp_dump_tasks_group *group, struct wp_str *ret)
{
	wp_autostr struct wp_str line = {0};
	bool one = group->n == 1;

	if (one)
		wp_str_printf(&line, "task %s %s", group->names, task_states[group->state][1]);
	else
		wp_str_printf(&line, "%zu tasks %s: %s", group->n, task_states[group->state][2],
			      group->names);
	if (group->n > NAMES)
		wp_str_printf(&line, " and %zu others", group->n - NAMES);
	if (group->awaits && !group->differ)
		wp_str_printf(&line, "; %s awaits %s", group->awaits, one ? "it" : "each");
	else if (group->n_awaited == group->n)
		wp_str_puts(&line, "; other tasks await them");
	else if (group->n_awaited)
		wp_str_printf(&line, "; other tasks await %zu of them", group->n_awaited);
	wp_utf8_hide_controls(line.s, "");
	wp_str_printf(ret, "\n%s\n%s", line.s, group->frames);
}

void wp_dump_tasks_end(struct wp_dump_tasks *tasks, enum wp_instant_proof proof, bool cut)
{
	struct wp_doc *doc = tasks->dump->doc;
	wp_autostr struct wp_str text = {0};

	if (tasks->n) {
		wp_doc_str(doc, tasks->dump->process, "tasks_proof", wp_dump_proof_word(proof));
		wp_str_printf(&text, "\n%s%zu asyncio task%s; %s\n", cut ? "more than " : "",
			      tasks->n, tasks->n == 1 ? "" : "s", wp_dump_proof_text(proof));
		qsort(tasks->groups.v, tasks->groups.n, sizeof(*tasks->groups.v),
		      compare_task_groups);
		wp_vec_each (struct wp_dump_tasks_group, group, &tasks->groups)
			put_group_text(group, &text);
		wp_doc_prose(doc, tasks->dump->process, "%s", text.s);
	}
	if (cut)
		wp_doc_bool(doc, tasks->dump->process, "tasks_cut", true);
	wp_vec_deinit(&tasks->groups);
	wp_map_deinit(&tasks->group_of);
	wp_strpool_deinit(&tasks->texts);
	wp_arena_deinit(&tasks->arena);
}
