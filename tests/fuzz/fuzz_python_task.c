/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_python_task: an asyncio task out of memory: the first byte says of which kind its slot is
 * (1: written in Python), the rest is the memory, in which the task is the first thing.
 */
#include "runtime/python_code.h"
#include "walk/python_task_capture.inc.h"
#include "../unit/python_texts.h"
#include "python_memory.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct wp_python_plan plan = {
	.generation = 2,
	.task_coro = 8,
	.task_name = 16,
	.gen_qualname = 24,
	.gen_frame = 32,
	CODE_PARTS,
	PYTHON_312_TEXTS,
};

/* What a walker needs, to tell the task's identity. */
struct walker {
	struct wp_python_walk walk;
	struct wp_bytes *image;
};

static int wp_python_read(struct wp_python_walk *w, void *to, __u32 bytes, __u64 from)
{
	return bytes && !read_image(((struct walker *)w)->image, from, to, bytes) ? -1 : 0;
}

static void wp_python_put(struct wp_python_walk *w, __u64 addr, __s32 lasti, __u32 id)
{
	(void)w, (void)addr, (void)lasti, (void)id;
}

static void wp_python_meet(struct wp_python_walk *w, __u64 code, __u32 id)
{
	(void)w, (void)code, (void)id;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_bytes image = wp_bytes_of(data + 1, size ? size - 1 : 0);
	struct walker walker = {.walk.in.plan = plan, .image = &image};
	struct wp_memory memory = {read_image, &image};
	struct wp_python_codes codes = {0};
	uint64_t slot = BASE | WP_PYTHON_TASK_BIT;

	if (!size)
		return 0;
	if (data[0] & 1)
		slot = wp_python_task_pure_slot(BASE + 8, BASE + 16);
	uint32_t id = wp_python_task_id(&walker.walk, slot);
	wp_python_codes_read(&codes, &memory, &plan, WP_PYTHON_LOCATIONS, slot, id);
	if (wp_python_codes_read(&codes, &memory, &plan, WP_PYTHON_LOCATIONS, slot, id + 1))
		abort();
	wp_vec_each (struct wp_python_code, code, &codes.all) {
		if (strncmp(code->name, "task ", 5) != 0)
			abort();
		check_text(code->name);
		check_text(code->filename);
	}
	wp_python_codes_deinit(&codes);
	return 0;
}
