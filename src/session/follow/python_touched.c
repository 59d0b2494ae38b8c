/* SPDX-License-Identifier: BSD-3-Clause */
/* python_touched: see python_touched.h. */
#include "session/follow/python_touched.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/keyed.h"
#include "core/sample_data.h"
#include "source/proc/process_memory.h"

#include <inttypes.h>
#include <string.h>

#define BLOCKS_MOST (1u << 18) /* 16 MB of a recording */
#define TYPES_MOST  64	       /* interpreters whose types are kept */

static struct wp_python_block_types *types_of(struct wp_python_touched *touched, uint32_t life,
					      uint32_t plan)
{
	uint64_t key = (uint64_t)life << 32 | plan;

	if (touched->types.n >= TYPES_MOST && !wp_map_get(&touched->types_of, key)) {
		wp_vec_each (struct wp_python_touched_types, types, &touched->types)
			wp_python_block_types_deinit(&types->types);
		touched->types.n = 0;
		wp_map_deinit(&touched->types_of);
		touched->types_of = (struct wp_map){0};
	}
	return &wp_keyed_put(&touched->types, &touched->types_of, key,
			     (struct wp_python_touched_types){.life = life, .plan = plan})
			->types;
}

static bool read_touched_block(struct wp_python_touched *touched,
			       const struct wp_python_process *process, uint64_t addr,
			       struct wp_python_block *ret)
{
	struct wp_memory memory = wp_process_memory(process->pid);

	for (uint32_t i = 0; i < process->pythons.n; i++) {
		const struct wp_python_interpreter *python = &process->pythons.v[i];

		if (python->build &&
		    wp_python_block_read(types_of(touched, process->life, i), &memory,
					 &python->plan, python->build->version, addr, ret))
			return true;
	}
	return false;
}

/* Whether its memory is there no more: what never changes while an interpreter runs says so. */
static bool is_gone(const struct wp_python_process *process)
{
	const struct wp_python_plan *plan = &process->pythons.v[0].plan;
	uint64_t at = plan->code_type ? plan->code_type : plan->interpreters, word;
	struct wp_memory memory = wp_process_memory(process->pid);

	return process->ended_ns || (at && !memory.read(memory.arg, at, &word, sizeof(word)));
}

/* Seen again as it was. */
static bool extend_touch(struct wp_python_touch *known, const struct wp_python_touch *now)
{
	if (known->pid != now->pid || known->start != now->start || known->bytes != now->bytes ||
	    known->kind != now->kind || known->type != now->type)
		return false;
	if (now->first_ns < known->first_ns)
		known->first_ns = now->first_ns;
	if (now->last_ns > known->last_ns)
		known->last_ns = now->last_ns;
	if (now->late_ns > known->late_ns)
		known->late_ns = now->late_ns;
	return true;
}

static void keep_touch(struct wp_python_touched *touched, const struct wp_python_touch *now)
{
	uint64_t key = wp_hash_fnv1a(wp_hash_fnv1a(WP_HASH_FNV1A, now->pid), now->start);
	uint64_t *last = wp_map_put(&touched->last_of, key);

	if (*last && extend_touch(&touched->all.v[*last - 1], now))
		return;
	if (touched->all.n >= BLOCKS_MOST ||
	    !wp_budget_take(touched->budget, WP_BUDGET_PYTHON, sizeof(*now)))
		return;
	wp_vec_push(&touched->all, *now);
	*last = touched->all.n;
}

void wp_python_touched_see(struct wp_python_touched *touched,
			   const struct wp_python_process *process, const struct wp_record *sample)
{
	const struct wp_sample_data *data = sample->sample.data;
	struct wp_python_touch touch = {
		.pid = sample->pid, .first_ns = sample->time_ns, .last_ns = sample->time_ns};
	struct wp_python_block block;
	uint64_t now_ns;

	if (!touched->on || !process || !process->pythons.n || !data ||
	    !(data->has & WP_DATA_ADDR) || !data->addr)
		return;
	if (process->ended_ns || !read_touched_block(touched, process, data->addr, &block)) {
		touched->too_late += is_gone(process);
		return;
	}
	now_ns = wp_clock_now_ns();
	touch.late_ns = now_ns > sample->time_ns ? now_ns - sample->time_ns : 0;
	touch.kind = block.kind;
	touch.start = block.start;
	touch.bytes = block.bytes;
	touch.type = WP_PERFDATA_NO_TYPE;
	if (*block.type)
		touch.type = wp_strpool_id(&touched->type_names, block.type);
	keep_touch(touched, &touch);
}

void wp_python_touched_tell(const struct wp_python_touched *touched, const struct wp_log *log)
{
	if (touched->too_late)
		wp_log(log, WP_LOG_NOTE,
		       "types of Python objects are not known for %" PRIu64
		       " samples: their process had ended",
		       touched->too_late);
}

void wp_python_touched_deinit(struct wp_python_touched *touched)
{
	wp_vec_each (struct wp_python_touched_types, types, &touched->types)
		wp_python_block_types_deinit(&types->types);
	wp_vec_deinit(&touched->types);
	wp_map_deinit(&touched->types_of);
	wp_vec_deinit(&touched->all);
	wp_map_deinit(&touched->last_of);
	wp_strpool_deinit(&touched->type_names);
	*touched = (struct wp_python_touched){0};
}
