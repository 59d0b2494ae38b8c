/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_python_walk: the walker of Python frames over a damaged process.
 *
 * In: a byte that picks the family, one of options, then changes of 11 bytes: what (memory, an
 * offset of the plan, a register), where (16 bits), a value (64 bits). Every walk must end within
 * its bounds.
 */
#include "../unit/python_image.h"

#include "walk/python_task_capture.inc.h"

#include <stddef.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define CHANGE_BYTES 11

enum { MEMORY, FAR_MEMORY, PLAN, REGISTER, KINDS };

static struct image image;
static struct wp_python_captured captured;

static void change(const uint8_t *data)
{
	uint16_t *offsets = &image.walk.in.plan.interp_next, reg = 0;
	size_t n = (sizeof(image.walk.in.plan) - offsetof(struct wp_python_plan, interp_next)) / 2;
	uint64_t value;
	uint16_t where;

	memcpy(&where, data + 1, sizeof(where));
	memcpy(&value, data + 3, sizeof(value));
	switch (data[0] % KINDS) {
	case MEMORY: image_put64(&image, IMAGE_BASE + where, value); break;
	case FAR_MEMORY: image_put64(&image, IMAGE_BASE + where * 4ull, value); break;
	case PLAN: offsets[where % n] = (uint16_t)value; break;
	case REGISTER:
		reg = where / 4 % WP_PYTHON_REGS;
		image.walk.in.regs[reg] = value;
		if (image.walk.in.n_regs <= reg)
			image.walk.in.n_regs = reg + 1u;
		image.walk.in.ip = where % 4 == 0 ? value : image.walk.in.ip;
		image.walk.in.sp = where % 4 == 1 ? value : image.walk.in.sp;
		image.walk.in.cfa = where % 4 == 2 ? value : image.walk.in.cfa;
		image.walk.in.hint = where % 4 == 3 ? value : image.walk.in.hint;
		break;
	default: break;
	}
}

/*
 * A coroutine that calls the innermost frame, the task that runs it and one more that awaits it;
 * objects are 0x200 apart, their types in the same order behind them.
 */
static void add_task(void)
{
	static const char *const types[] = {"coroutine", "_asyncio.Task", "_asyncio.Task",
					    "builtin_function_or_method"};
	struct wp_python_plan *plan = &image.walk.in.plan;
	uint64_t objects = IMAGE_BASE + 0x28000, head = plan->object_type + 8u;

	plan->frame_locals = 80;
	plan->gen_qualname = (uint16_t)(head + 16);
	plan->gen_frame = (uint16_t)(head + 56);
	plan->task_coro = (uint16_t)(head + 104);
	plan->task_name = (uint16_t)(head + 112);
	image.walk.in.want_tasks = 1;
	for (uint64_t i = 0; i < 4; i++) {
		uint64_t object = objects + i * 0x200, type = object + 0x1000;

		image_put64(&image, object + plan->object_type, type);
		image_put64(&image, type + head + 8, type + 0x180);
		image_put(&image, type + 0x180, types[i], strlen(types[i]));
		image_put64(&image, object + plan->task_coro, objects);
		image_put64(&image, object + head + 8, objects + (i == 1 ? 0x600 : 0x400));
	}
	image_frame(&image, objects + plan->gen_frame, 1, 6, IMAGE_ON_STACK);
	image_put8(&image, objects + plan->gen_frame + plan->frame_owner, 1);
	if (plan->flags & WP_PYTHON_IS_ENTRY)
		image_put8(&image, objects + plan->gen_frame + plan->frame_is_entry, 1);
	image_put64(&image, IMAGE_FRAME(0) + plan->frame_previous, objects + plan->gen_frame);
	image_put64(&image, objects + 0x600 + head, objects + 0x2000);
	image_put64(&image, objects + 0x2000, objects + 0x2010);
	image_put(&image, objects + 0x2010, "task_wakeup", 12);
	image_put64(&image, IMAGE_ON_STACK + 0x100, objects + 0x200);
}

/* The loop is being entered, and only registers can tell from where. */
static void enter_loop(void)
{
	struct wp_python_plan *plan = &image.walk.in.plan;
	uint64_t top = plan->flags & WP_PYTHON_IS_ENTRY ? IMAGE_ON_STACK : IMAGE_ON_STACK + 0x60;

	plan->eval_cframe = 0x80;
	image.walk.in.ip = plan->eval_start + 0x20;
	image.walk.in.sp = top - plan->eval_cframe;
	image_cframe(&image, IMAGE_FAR_STACK + 0x60, IMAGE_FRAME(2), AT_THREAD + 0x100);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	image_two_runs(&image, data[0] % FAMILIES);
	image.walk.in.want_gil = data[1] & 1;
	if (data[1] & 4)
		add_task();
	if (data[1] & 8)
		enter_loop();
	if (data[1] & 2)
		image.walk.in.plan.tsd = 0;
	for (size_t at = 2; at + CHANGE_BYTES <= size && at < 4096; at += CHANGE_BYTES)
		change(data + at);
	image_walk(&image);
	if (image.steps > WP_PYTHON_STEPS || image.n > WP_PYTHON_SLOTS ||
	    image.walk.out.end >= WP_PYTHON_ENDS || image.slots[0].lasti != WP_PYTHON_THREAD)
		abort();
	for (uint32_t i = 0; i < 3; i++) {
		wp_python_capture(&image.walk, AT_CODE + i * 0x200, image_id(i), &captured);
		if (wp_python_captured_bytes(&captured) > sizeof(captured))
			abort();
	}
	for (uint32_t i = 0; i < image.n; i++) {
		uint64_t addr = image.slots[i].addr;

		if (image.slots[i].lasti == WP_PYTHON_TASK)
			wp_python_capture_met(&image.walk, addr, image.slots[i].id, &captured);
		if (wp_python_captured_bytes(&captured) > sizeof(captured))
			abort();
	}
	return 0;
}
