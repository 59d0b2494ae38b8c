/* SPDX-License-Identifier: BSD-3-Clause */
/* python_touches: see python_touches.h. */
#include "session/recorded/python_touches.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define STARTS_MOST 16	  /* that are looked at for one address; honest recordings have two */
#define BLOCK_MAX   16384 /* bytes: a pool */

static int compare_touches(const void *a, const void *b)
{
	const struct wp_perfdata_block *x = a, *y = b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->first_ns < y->first_ns ? -1 : x->first_ns > y->first_ns;
}

void wp_python_touches_init(struct wp_python_touches *touches,
			    const struct wp_recording_notes *notes)
{
	*touches = (struct wp_python_touches){.notes = notes};
	if (!notes)
		return;
	for (size_t i = 0; i < notes->types.n; i++)
		*wp_map_put(&touches->type_at, notes->types.v[i].number) = i + 1;
	touches->sorted = wp_calloc(notes->blocks.n + 1, sizeof(*touches->sorted));
	if (notes->blocks.n)
		memcpy(touches->sorted, notes->blocks.v,
		       notes->blocks.n * sizeof(*touches->sorted));
	qsort(touches->sorted, notes->blocks.n, sizeof(*touches->sorted), compare_touches);
}

void wp_python_touches_deinit(struct wp_python_touches *touches)
{
	free(touches->sorted);
	wp_map_deinit(&touches->type_at);
	*touches = (struct wp_python_touches){0};
}

/* The last one that is not behind this process, start and time; NULL: there is none. */
static const struct wp_perfdata_block *find_last(const struct wp_python_touches *touches,
						 const struct wp_perfdata_block *at)
{
	size_t low = 0, high = touches->notes->blocks.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (compare_touches(&touches->sorted[mid], at) <= 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low && touches->sorted[low - 1].pid == at->pid ? &touches->sorted[low - 1] : NULL;
}

/* Blocks that begin at or before the address, the nearest first. */
static const struct wp_perfdata_block *find_touch(const struct wp_python_touches *touches,
						  uint32_t pid, uint64_t addr, uint64_t time_ns)
{
	struct wp_perfdata_block at = {.pid = pid, .start = addr, .first_ns = UINT64_MAX};
	const struct wp_perfdata_block *near, *found;

	for (int i = 0; i < STARTS_MOST; i++) {
		near = find_last(touches, &at);
		if (!near || addr - near->start >= BLOCK_MAX)
			return NULL;
		at.start = near->start;
		at.first_ns = time_ns;
		found = find_last(touches, &at);
		if (found && found->start == at.start && found->last_ns >= time_ns &&
		    addr - found->start < found->bytes)
			return found;
		if (!at.start)
			return NULL;
		at.start--;
		at.first_ns = UINT64_MAX;
	}
	return NULL;
}

static const char *type_of_touch(const struct wp_python_touches *touches,
				 const struct wp_perfdata_block *block)
{
	const uint64_t *index = block->type == WP_PERFDATA_NO_TYPE
					? NULL
					: wp_map_get(&touches->type_at, block->type);

	return index ? touches->notes->types.v[*index - 1].name : NULL;
}

bool wp_python_touches_put(struct wp_python_touches *touches, uint32_t pid, uint64_t addr,
			   uint64_t time_ns, struct wp_str *out)
{
	const struct wp_perfdata_block *block =
		touches->notes ? find_touch(touches, pid, addr, time_ns) : NULL;
	const char *type = block ? type_of_touch(touches, block) : NULL;

	if (!block)
		return false;
	touches->found++;
	if (block->late_ns > touches->late_ns)
		touches->late_ns = block->late_ns;
	if (block->kind == WP_PYTHON_BLOCK_OBJECT && type)
		wp_str_printf(out, "Python %s", type);
	else if (block->kind == WP_PYTHON_BLOCK_POOL && type)
		wp_str_printf(out, "pymalloc pool head (Python %s)", type);
	else if (block->kind == WP_PYTHON_BLOCK_POOL)
		wp_str_puts(out, "pymalloc pool head");
	else if (block->kind == WP_PYTHON_BLOCK_REST)
		wp_str_puts(out, "pymalloc, not handed out");
	else
		wp_str_printf(out, "pymalloc block of %" PRIu32 " bytes", block->bytes);
	return true;
}
