/* SPDX-License-Identifier: BSD-3-Clause */
/* dump_locals: see dump_locals.h. */
#include "session/live/dump_locals.h"

#include "source/proc/process_memory.h"

/* Of one thread state. */
static const char *look_at_chain(struct wp_dump_locals *locals,
				 const struct wp_python_process *process,
				 const struct wp_instant *at, size_t first)
{
	uint32_t id = at->python[first].id, end = WP_PYTHON_THREAD_END(id);
	struct wp_memory memory = wp_process_memory(at->pid);
	const struct wp_python_interpreter *python;

	if (end == WP_PYTHON_NO_THREAD || end == WP_PYTHON_NO_FRAME)
		return NULL;
	locals->has_frames = true;
	if (end != WP_PYTHON_COMPLETE)
		return "frames are missing";
	if (WP_PYTHON_THREAD_PLAN(id) >= process->pythons.n)
		return "the interpreter is not known";
	python = &process->pythons.v[WP_PYTHON_THREAD_PLAN(id)];
	if (!python->build || !python->build->locals.frame)
		return "not read of this CPython: 3.8 to 3.13 with a GIL";
	return wp_python_locals_read(&python->build->locals, &python->plan, &memory, at->python,
				     at->n_python, first, &locals->found)
		       ? NULL
		       : "they could not be read";
}

void wp_dump_locals_look(void *arg, const struct wp_instant *at)
{
	struct wp_dump_locals *locals = arg;
	const struct wp_python_process *process =
		wp_python_processes_find(&locals->python->processes, at->pid);

	wp_python_locals_deinit(&locals->found);
	locals->why = NULL;
	locals->has_frames = false;
	for (size_t i = 0; process && i < at->n_python; i++) {
		const char *why = at->python[i].lasti == WP_PYTHON_THREAD
					  ? look_at_chain(locals, process, at, i)
					  : NULL;

		if (why)
			locals->why = why;
	}
}

void wp_dump_locals_settle(struct wp_dump_locals *locals, const struct wp_instant *at)
{
	if (!locals->python)
		return;
	if (at->proof != WP_INSTANT_PROVEN && locals->has_frames) {
		wp_python_locals_deinit(&locals->found);
		locals->why = at->proof == WP_INSTANT_RAN ? "it ran meanwhile" : "not proven";
	} else if (locals->found.cut && !locals->why) {
		locals->why = "more than 64 in a frame, or of more than 256 frames, are left out";
	}
}

const struct wp_python_local *wp_dump_locals_of(const struct wp_dump_locals *locals, uint32_t slot,
						size_t *ret_n)
{
	const struct wp_python_local *all = locals->found.v.v;
	size_t n = locals->found.v.n, low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all[middle].slot < slot)
			low = middle + 1;
		else
			high = middle;
	}
	for (high = low; high < n && all[high].slot == slot;)
		high++;
	*ret_n = high - low;
	return *ret_n ? all + low : NULL;
}

void wp_dump_locals_deinit(struct wp_dump_locals *locals)
{
	wp_python_locals_deinit(&locals->found);
}
