/* SPDX-License-Identifier: BSD-3-Clause */
/* python_asyncio: see python_asyncio.h. */
#include "runtime/python_asyncio.h"

#include "base/mem.h"
#include "format/elf/elf_image.h"
#include "format/elf/elf_sections.h"

#include <endian.h>

#define SECTION	   ".AsyncioDebug"
#define MAX	   8192 /* bytes of any structure that is read, but for an interpreter's */
#define INTERP_MAX (1u << 24)

/* Words of the section: three structures, each led by its size. */
enum {
	TASK_SIZE = 0,
	TASK_NAME = 1,
	TASK_AWAITED_BY = 2,
	TASK_CORO = 5,
	TASK_NODE = 6,
	INTERP_SIZE = 7,
	INTERP_TASKS = 8,
	THREAD_SIZE = 9,
	THREAD_TASK = 11,
	THREAD_TASKS = 12,
	WORDS = 13,
};

/* Bytes behind an object's head (3.11: PyGenObject has one member more), and of a frame. */
struct layout {
	uint32_t version;
	uint16_t gen_frame, gen_qualname;
	uint16_t task_coro, task_name;
};

static const struct layout layouts[] = {
	{0x030b, .gen_frame = 64, .gen_qualname = 24, .task_coro = 120, .task_name = 128},
	{0x030c, .gen_frame = 56, .gen_qualname = 16, .task_coro = 120, .task_name = 128},
	{0x030d, .gen_frame = 56, .gen_qualname = 16, .task_coro = 104, .task_name = 112},
};

/* An offset of a pointer in a structure; 0, which none of them has: it cannot be one. */
static uint32_t pointer_within(const uint64_t *words, size_t size, size_t index, uint64_t max)
{
	uint64_t at = le64toh(words[index]), bytes = le64toh(words[size]);

	return bytes <= max && at % 8 == 0 && at < bytes && bytes - at >= 8 ? (uint32_t)at : 0;
}

static uint16_t pointer(const uint64_t *words, size_t size, size_t index)
{
	return (uint16_t)pointer_within(words, size, index, MAX);
}

bool wp_python_asyncio_read(int fd, struct wp_python_asyncio *ret)
{
	struct wp_python_asyncio asyncio;
	struct wp_python_elf elf;
	uint64_t words[WORDS];
	GElf_Shdr header;
	bool there;

	if (!wp_python_elf_open(fd, &elf))
		return false;
	there = wp_elf_section(elf.elf, SECTION, &header) && header.sh_size >= sizeof(words) &&
		wp_python_elf_read(&elf, header.sh_addr, words, sizeof(words));
	wp_python_elf_close(&elf);
	if (!there)
		return false;
	asyncio = (struct wp_python_asyncio){
		.task_coro = pointer(words, TASK_SIZE, TASK_CORO),
		.task_name = pointer(words, TASK_SIZE, TASK_NAME),
		.task_awaited_by = pointer(words, TASK_SIZE, TASK_AWAITED_BY),
		.ts_task = pointer(words, THREAD_SIZE, THREAD_TASK),
		.ts_tasks = pointer(words, THREAD_SIZE, THREAD_TASKS),
		.task_node = pointer(words, TASK_SIZE, TASK_NODE),
		.interp_tasks = pointer_within(words, INTERP_SIZE, INTERP_TASKS, INTERP_MAX),
	};
	if (!asyncio.task_coro || !asyncio.task_name || !asyncio.task_awaited_by ||
	    !asyncio.ts_task)
		return false;
	*ret = asyncio;
	return true;
}

void wp_python_asyncio_layout(uint32_t version, struct wp_python_plan *layout)
{
	uint16_t head = layout->object_type + 8;

	for (size_t i = 0; i < WP_ARRAY_LEN(layouts); i++) {
		if (layouts[i].version != version >> 16)
			continue;
		layout->gen_frame = head + layouts[i].gen_frame;
		layout->gen_qualname = head + layouts[i].gen_qualname;
		layout->task_coro = head + layouts[i].task_coro;
		layout->task_name = head + layouts[i].task_name;
		if (!layout->frame_locals)
			layout->frame_locals = 72;
	}
}

void wp_python_asyncio_apply(const struct wp_python_asyncio *asyncio, struct wp_python_plan *plan)
{
	if (!(plan->flags & WP_PYTHON_TAGGED) || !plan->gen_frame)
		return;
	plan->task_coro = asyncio->task_coro;
	plan->task_name = asyncio->task_name;
	plan->task_awaited_by = asyncio->task_awaited_by;
	plan->ts_task = asyncio->ts_task;
	plan->ts_tasks = asyncio->ts_tasks;
	plan->task_node = asyncio->task_node;
	plan->interp_tasks = asyncio->interp_tasks;
}
