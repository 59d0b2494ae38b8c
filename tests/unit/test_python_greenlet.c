/* SPDX-License-Identifier: BSD-3-Clause */
/* Greenlets that wait for the one that runs, over made processes: found, passed over, damaged. */
#define IMAGE_BYTES (1 << 20)
#include "python_image.h"

#include "check.h"

#include <stdbool.h>

static struct image image;

/* Objects, their implementations and their frame objects. */
#define AT_GREENLET(i) (IMAGE_BASE + 0x60000 + (i)*0x100ull)
#define AT_IMPL(i)     (IMAGE_BASE + 0x70000 + (i)*0x400ull)
#define AT_FRAME(i)    (IMAGE_BASE + 0x80000 + (i)*0x100ull)
#define ON_STACK       (IMAGE_ON_STACK + 0x208)
#define STACK_ENDS     (IMAGE_ON_STACK + 0x300)

enum { MAIN, HUB, WORKER };

/* Of implementations as they are laid out for 3.11 to 3.13; the old ones end with _self. */
static uint32_t shift, main_at;

static void put_word(uint32_t i, uint32_t offset, uint64_t value)
{
	image_put64(&image, AT_IMPL(i) + offset - shift, value);
}

/* frame: the innermost one of a greenlet that is suspended, else 0. */
static void put_greenlet(uint32_t i, uint32_t parent, uint64_t stop, uint64_t frame)
{
	uint32_t head = image.walk.in.plan.object_type + 8u;

	image_put64(&image, AT_GREENLET(i) + head + 16, AT_IMPL(i));
	image_put64(&image, AT_IMPL(i) + (shift ? 160 : 8), AT_GREENLET(i));
	put_word(i, 56, 1);
	put_word(i, 64, stop);
	put_word(i, 104, frame ? AT_FRAME(i) : 0);
	image_put64(&image, AT_FRAME(i) + head + 8, frame);
	if (i == MAIN)
		return;
	image_put64(&image, AT_IMPL(i) + main_at, AT_GREENLET(MAIN));
	image_put64(&image, AT_IMPL(i) + main_at + 16, AT_GREENLET(parent));
}

/* The worker runs two runs of frames; the hub waits in code 1, the main greenlet in 2 and 0. */
static void init(enum family family, bool old)
{
	shift = old ? 8 : 0;
	main_at = family == PY314T ? 208 : 168;
	image_two_runs(&image, family);
	image.walk.in.want_tasks = 1;
	image_frame(&image, AT_HEAP, 1, 8, 0);
	image_frame(&image, AT_HEAP + 0x100, 2, 10, AT_HEAP + 0x200);
	image_frame(&image, AT_HEAP + 0x200, 0, 12, 0);
	put_greenlet(MAIN, MAIN, ~0ull, AT_HEAP + 0x100);
	put_greenlet(HUB, MAIN, STACK_ENDS + 0x2000, AT_HEAP);
	put_greenlet(WORKER, HUB, IMAGE_FAR_STACK + 0x300, 0);
	image_put64(&image, IMAGE_FAR_STACK + 0x208, AT_IMPL(WORKER));
}

/* Behind the thread, four frames and two marks. */
#define FIRST 7

static void check_greenlet(uint32_t slot)
{
	CHECK(image.slots[slot].lasti == WP_PYTHON_GREENLET);
}

static void check_frame(uint32_t slot, uint32_t code, int32_t lasti)
{
	CHECK_U64(image.slots[slot].addr, AT_CODE + code * 0x200);
	CHECK(image.slots[slot].lasti == lasti);
}

static void check_all(void)
{
	check_greenlet(FIRST);
	check_frame(FIRST + 1, 1, 8);
	check_greenlet(FIRST + 2);
	check_frame(FIRST + 3, 2, 10);
	check_frame(FIRST + 4, 0, 12);
	CHECK_U64(image.n, FIRST + 5);
	CHECK_U64(image.walk.out.end, WP_PYTHON_COMPLETE);
}

static void check_none(void)
{
	CHECK_U64(image.n, FIRST);
	CHECK_U64(image.walk.out.end, WP_PYTHON_COMPLETE);
}

static void test_parents(void)
{
	for (enum family family = PY311; family < FAMILIES; family++)
		for (int old = 0; old <= (family <= PY312); old++) {
			uint32_t reads;

			init(family, old);
			image_walk(&image);
			check_all();
			reads = image.reads;
			image_walk(&image); /* it knows where to look */
			check_all();
			CHECK(image.reads + 60 < reads);
		}
}

static void test_none(void)
{
	init(PY312, false);
	image.walk.in.want_tasks = 0;
	image_walk(&image);
	check_none();
	/* The main greenlet is not searched for again where it was not found. */
	init(PY312, false);
	put_greenlet(WORKER, HUB, IMAGE_FAR_STACK + 0x8000, 0);
	image_walk(&image);
	check_none();
	uint32_t reads = image.reads;
	image_walk(&image);
	check_none();
	CHECK(image.reads + 400 < reads);
	/* What begins there with other code is looked at. */
	image_frame(&image, IMAGE_FRAME(3), 2, -2, IMAGE_FAR_STACK);
	image_walk(&image);
	CHECK(image.reads + 10 > reads);
	/* Another thread's walk has no part in that. */
	image.walk.in.audience++;
	image_walk(&image);
	CHECK(image.reads + 10 > reads);
}

/* Control goes on to the parent of a greenlet that has ended. */
static void test_ended(void)
{
	init(PY313, false);
	put_greenlet(HUB, MAIN, STACK_ENDS, 0);
	put_word(HUB, 56, 0);
	image_walk(&image);
	check_greenlet(FIRST);
	check_frame(FIRST + 1, 2, 10);
	CHECK_U64(image.n, FIRST + 3);
}

static void check_end(uint32_t slot, uint32_t why)
{
	CHECK(image.slots[slot].lasti == WP_PYTHON_TASK_END);
	CHECK_U64(image.slots[slot].id, why);
	CHECK_U64(image.n, slot + 1);
	CHECK(image.walk.out.flags &
	      (why == WP_PYTHON_TASK_CUT ? WP_PYTHON_TASKS_CUT : WP_PYTHON_TASKS_UNKNOWN));
	CHECK_U64(image.walk.out.end, WP_PYTHON_COMPLETE);
}

static void test_unknown(void)
{
	/* While greenlets are switched, that of the stack is suspended; and that is not remembered.
	 */
	init(PY312, false);
	put_greenlet(WORKER, HUB, IMAGE_FAR_STACK + 0x300, AT_HEAP);
	image_walk(&image);
	check_end(FIRST, WP_PYTHON_TASK_UNKNOWN);
	put_greenlet(WORKER, HUB, IMAGE_FAR_STACK + 0x300, 0);
	image_walk(&image);
	check_all();
	/* No main greenlet among what it names. */
	init(PY313, false);
	image_put64(&image, AT_IMPL(WORKER) + main_at, AT_NOTHING);
	image_walk(&image);
	check_end(FIRST + 1, WP_PYTHON_TASK_UNKNOWN);
	/* A parent that is none. */
	init(PY313, false);
	image_put64(&image, AT_IMPL(WORKER) + main_at + 16, AT_HEAP);
	image_walk(&image);
	check_end(FIRST + 1, WP_PYTHON_TASK_UNKNOWN);
	/* One that runs too: in another thread, which greenlet forbids. */
	init(PY313, false);
	put_greenlet(HUB, MAIN, STACK_ENDS, 0);
	image_walk(&image);
	check_end(FIRST + 1, WP_PYTHON_TASK_UNKNOWN);
	/* An entry frame is on a stack that is no longer there. */
	init(PY313, false);
	image_entry(&image, AT_HEAP, 0);
	image_walk(&image);
	check_end(FIRST + 1, WP_PYTHON_TASK_UNKNOWN);
}

/* Each is the other's parent; a frame is its own caller. */
static void test_cycles(void)
{
	init(PY313, false);
	put_greenlet(HUB, HUB, STACK_ENDS, AT_HEAP);
	image_walk(&image);
	CHECK(image.walk.out.flags & WP_PYTHON_TASKS_CUT);
	CHECK_U64(image.walk.out.end, WP_PYTHON_COMPLETE);
	init(PY313, false);
	image_frame(&image, AT_HEAP, 1, 8, AT_HEAP);
	image_walk(&image);
	CHECK(image.walk.out.flags & WP_PYTHON_TASKS_CUT);
	CHECK(image.steps <= WP_PYTHON_STEPS && image.n < WP_PYTHON_TASK_STEPS + 16);
}

int main(void)
{
	RUN(test_parents);
	RUN(test_none);
	RUN(test_ended);
	RUN(test_unknown);
	RUN(test_cycles);
	return check_done();
}
