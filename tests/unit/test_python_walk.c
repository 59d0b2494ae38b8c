/* SPDX-License-Identifier: BSD-3-Clause */
/* The walker over made processes: every family of layouts, transients, lists, and damage. */
#define IMAGE_BYTES (2 << 20)
#include "python_image.h"

#include "walk/python_capture.inc.h"
#include "walk/python_settle.h"

#include "check.h"

static struct image image;

#define FRAME(i)   IMAGE_FRAME(i)
#define ON_STACK   IMAGE_ON_STACK
#define FAR_STACK  IMAGE_FAR_STACK
#define AT_DEEP	   (IMAGE_BASE + 0x40000)
#define AT_STRINGS (IMAGE_BASE + 0x28000)

static void check_frame(uint32_t slot, uint32_t code, int32_t lasti)
{
	CHECK_U64(image.slots[slot].addr, AT_CODE + code * 0x200ull);
	CHECK(image.slots[slot].lasti == lasti);
	CHECK_U64(image.slots[slot].id, image_id(code));
}

static void check_mark(uint32_t slot, uint64_t addr)
{
	CHECK_U64(image.slots[slot].addr, addr);
	CHECK(image.slots[slot].lasti == WP_PYTHON_MARK);
}

static void two_runs(enum family family)
{
	image_two_runs(&image, family);
}

static void check_two_runs(enum family family)
{
	uint32_t i = 1;

	CHECK_U64(image.slots[0].addr, AT_THREAD);
	CHECK(image.slots[0].lasti == WP_PYTHON_THREAD);
	check_frame(i++, 0, 20);
	check_frame(i++, 1, 6);
	if (family >= PY311)
		check_mark(i++, ON_STACK);
	check_frame(i++, 2, 40);
	check_frame(i++, 0, -1);
	if (family >= PY311)
		check_mark(i++, FAR_STACK);
	CHECK_U64(image.n, i);
}

static void test_families(void)
{
	for (enum family family = PY27; family < FAMILIES; family++) {
		two_runs(family);
		CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
		check_two_runs(family);
		CHECK_U64(image.met, 3);
		CHECK_U64(wp_python_thread_slot_id(&image.walk), WP_PYTHON_COMPLETE << 8);
		CHECK_U64(image.walk.in.key, 36);
		/* Again, with what the first walk left. */
		CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
		check_two_runs(family);
	}
}

/* Key 35 is in the second block of the thread's own data. */
static void test_own_slot(void)
{
	two_runs(PY313);
	image_put64(&image, AT_TLS + 0x800 + 3 * 16 + 8, 0);
	CHECK_U64(image_walk(&image), WP_PYTHON_NO_THREAD);
	CHECK_U64(image.n, 1);
	CHECK(image.slots[0].lasti == WP_PYTHON_THREAD && image.slots[0].addr == 0);
	image_put64(&image, AT_TLS + 0x510 + 8, 0);
	CHECK_U64(image_walk(&image), WP_PYTHON_NO_THREAD);
	image_put64(&image, AT_TLS + 0x510 + 8, AT_NOTHING);
	CHECK_U64(image_walk(&image), WP_PYTHON_UNREADABLE);
	CHECK_U64(image.n, 1);

	/* The interpreter has not made its key. */
	two_runs(PY313);
	image_put32(&image, image.walk.in.plan.tss_key - 4, 0);
	CHECK_U64(image_walk(&image), WP_PYTHON_NO_THREAD);
	CHECK_U64(image.walk.in.key, 0);
	image_put32(&image, image.walk.in.plan.tss_key - 4, 1);
	image_put32(&image, image.walk.in.plan.tss_key, 4096);
	CHECK_U64(image_walk(&image), WP_PYTHON_NO_THREAD);
	image.walk.in.plan.tss_key = AT_NOTHING;
	CHECK_U64(image_walk(&image), WP_PYTHON_UNREADABLE);

	/* A key that was read before needs no reading. */
	image.walk.in.key = 36;
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_two_runs(PY313);

	/* 2.7's key is 0 until it is made: something of somebody's. */
	two_runs(PY27);
	image_put64(&image, AT_TLS + 0x510, AT_TLS + 0xa00);
	image_put64(&image, AT_TLS + 0xa00 + 8, AT_CODE);
	image_put32(&image, image.walk.in.plan.tss_key, 0);
	image_put64(&image, image.walk.in.plan.current, 0);
	CHECK_U64(image_walk(&image), WP_PYTHON_NO_THREAD);
}

/* Where the kernel does not know the thread pointer yet, the only thread's state is in the list. */
static void test_alone(void)
{
	two_runs(PY313);
	image.walk.in.thread_pointer = 0;
	CHECK_U64(image_walk(&image), WP_PYTHON_UNREADABLE);
	image.walk.in.alone = 1;
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_two_runs(PY313);
	image.walk.in.plan.interpreters = 0;
	CHECK_U64(image_walk(&image), WP_PYTHON_UNREADABLE);
	CHECK_U64(image.n, 1);
}

/*
 * A second interpreter with a thread state of this thread, which runs frame 9 (code 3) and what it
 * hangs on, FAR_STACK + 0x800.
 */
static uint64_t second_interpreter(enum family family)
{
	const struct wp_python_plan *plan = &image.walk.in.plan;
	uint64_t second = AT_THREAD + 0x400, interp = AT_INTERP + 0x800, on = FAR_STACK + 0x800;
	uint64_t top = family == PY311 ? on : family == PY312 ? on + 0x60 : FRAME(9);

	image_put64(&image, plan->interpreters, interp);
	image_put64(&image, plan->interpreters + 8, AT_INTERP);
	image_put64(&image, interp + plan->interp_next, AT_INTERP);
	image_put64(&image, interp + plan->interp_threads, second);
	image_put64(&image, second + plan->ts_interp, interp);
	image_put64(&image, second + plan->ts_thread_id, AT_TLS);
	image_frame(&image, FRAME(9), 3, 12, family >= PY312 ? on : 0);
	if (family >= PY312)
		image_entry(&image, on, 0);
	if (family == PY311)
		image_put8(&image, FRAME(9) + plan->frame_is_entry, 1);
	if (family == PY311 || family == PY312)
		image_cframe(&image, top, FRAME(9), 0);
	image_put64(&image, second + plan->ts_frame, top);
	return second;
}

/* The one that is inside first; both chains, each with the word of how it ends. */
static void check_nested(enum family family, uint64_t inner, uint64_t outer)
{
	uint32_t size = family >= PY311 ? 7 : 5, at = inner == AT_THREAD ? size : 0;

	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	wp_python_settle(image.slots, image.n, wp_python_thread_slot_id(&image.walk));
	CHECK_U64(image.n, size + (family >= PY311 ? 3 : 2));
	CHECK_U64(image.slots[0].addr, inner);
	check_frame(at + 1, 3, 12);
	at = inner == AT_THREAD ? size : image.n - size;
	CHECK_U64(image.slots[at].addr, outer);
	for (uint32_t i = 0; i <= at; i += at)
		CHECK_U64(WP_PYTHON_THREAD_END(image.slots[i].id), WP_PYTHON_COMPLETE);
}

static void test_nested(void)
{
	for (enum family family = PY27; family < FAMILIES; family++) {
		uint64_t second, slot = AT_TLS + 0x800 + 3 * 16 + 8;

		two_runs(family);
		second = second_interpreter(family);
		/* 3.12 and newer name the one that is inside. */
		check_nested(family, AT_THREAD, second);
		CHECK_U64(image.walk.out.found, AT_THREAD);
		if (family >= PY312) {
			image_put64(&image, slot, second);
			check_nested(family, second, AT_THREAD);
			continue;
		}
		image_put64(&image, image.walk.in.plan.current, second);
		check_nested(family, second, AT_THREAD);
		/* The GIL is released: what the slot names is outside. */
		image_put64(&image, image.walk.in.plan.current, 0);
		check_nested(family, second, AT_THREAD);
		CHECK_U64(image.walk.out.found, AT_THREAD);
	}
}

/* Another thread's, one that another thread has borrowed, one that runs nothing, a damaged one. */
static void test_no_others(void)
{
	uint64_t second;
	uint32_t reads;

	two_runs(PY311);
	second = second_interpreter(PY311);
	image_put64(&image, second + image.walk.in.plan.ts_thread_id, AT_TLS + 0x9000);
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_two_runs(PY311);
	image_put64(&image, second + image.walk.in.plan.ts_thread_id, AT_TLS);
	image.walk.in.sp = FAR_STACK + 0x900;
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_two_runs(PY311);
	image.walk.in.sp = AT_STACK;
	image_put64(&image, second + image.walk.in.plan.ts_frame, 0);
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_two_runs(PY311);
	image_put64(&image, AT_INTERP + 0x800 + image.walk.in.plan.interp_threads, AT_NOTHING);
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_two_runs(PY311);
	/* One interpreter costs one read. */
	image_put64(&image, image.walk.in.plan.interpreters, AT_INTERP);
	image_walk(&image);
	reads = image.reads;
	image.walk.in.plan.interpreters = 0;
	image_walk(&image);
	CHECK_U64(image.reads + 1, reads);
	check_two_runs(PY311);
}

/* More than are walked, and a list without end. */
static void test_many_others(void)
{
	uint64_t second, at = AT_DEEP, next;
	uint32_t threads = 0;

	two_runs(PY313);
	second = second_interpreter(PY313);
	next = image.walk.in.plan.ts_next;
	image_put64(&image, second + next, at);
	for (uint32_t i = 0; i < 20; i++, at += 0x400) {
		image_put64(&image, at + image.walk.in.plan.ts_thread_id, AT_TLS);
		image_put64(&image, at + image.walk.in.plan.ts_frame, FRAME(9));
		image_put64(&image, at + next, i < 19 ? at + 0x400 : second);
	}
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	for (uint32_t i = 0; i < image.n; i++)
		threads += image.slots[i].lasti == WP_PYTHON_THREAD;
	CHECK_U64(threads, WP_PYTHON_CHAINS - 1);
	/* None of them runs anything. */
	for (at -= 0x400; at >= AT_DEEP; at -= 0x400)
		image_put64(&image, at + image.walk.in.plan.ts_frame, 0);
	image_put64(&image, second + image.walk.in.plan.ts_frame, 0);
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_two_runs(PY313);
	CHECK(image.steps < WP_PYTHON_OTHERS_MAX + 20);
}

/* A second thread state of the same thread, which runs; the slot names the first one. */
static void test_subinterpreter(void)
{
	uint64_t second = AT_THREAD + 0x400;

	two_runs(PY310);
	image_put64(&image, second + image.walk.in.plan.ts_thread_id, AT_TLS);
	image_put64(&image, second + image.walk.in.plan.ts_frame, FRAME(2));
	image_put64(&image, image.walk.in.plan.current, second);
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	CHECK_U64(image.slots[0].addr, second);
	check_frame(1, 2, 40);
	/* It is another thread that holds the GIL. */
	image_put64(&image, second + image.walk.in.plan.ts_thread_id, AT_TLS + 0x9000);
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_two_runs(PY310);
}

/* Two interpreters with two threads each; ours is the last. */
static void test_list(void)
{
	const struct wp_python_plan *plan = &image.walk.in.plan;
	uint64_t other = AT_THREAD + 0x400, interp = AT_INTERP + 0x800;
	uint32_t reads;

	two_runs(PY313);
	image.walk.in.plan.tsd = 0;
	image_put64(&image, plan->interpreters, interp);
	image_put64(&image, interp + plan->interp_next, AT_INTERP);
	image_put64(&image, interp + plan->interp_threads, other);
	image_put64(&image, AT_INTERP + plan->interp_threads, other + 0x400);
	image_put64(&image, other + 0x400 + plan->ts_next, AT_THREAD);
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_two_runs(PY313);
	reads = image.reads;
	image.walk.in.hint = AT_THREAD;
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_two_runs(PY313);
	CHECK(image.reads + 4 < reads);
	/* One of the thread's that is gone, and one that never was. */
	image.walk.in.hint = other;
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	image.walk.in.hint = AT_NOTHING;
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	image.walk.in.thread_pointer = AT_HEAP;
	CHECK_U64(image_walk(&image), WP_PYTHON_NO_THREAD);
	CHECK_U64(image.n, 1);
	/* The thread's pointer and pthread_self() differ. */
	image.walk.in.plan.thread_id_bias = (int32_t)(AT_TLS - AT_HEAP);
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);

	image_put64(&image, AT_THREAD + plan->ts_thread_id, 1);
	image_put64(&image, AT_THREAD + plan->ts_next, other + 0x400);
	CHECK_U64(image_walk(&image), WP_PYTHON_DAMAGED);
	CHECK(image.steps < WP_PYTHON_STEPS);
}

static void test_no_frame(void)
{
	for (enum family family = PY27; family < FAMILIES; family++) {
		two_runs(family);
		image_top(&image, 0);
		CHECK_U64(image_walk(&image), WP_PYTHON_NO_FRAME);
		CHECK_U64(image.n, 1);
		CHECK_U64(image.slots[0].addr, AT_THREAD);
	}
}

/* The innermost cframe holds a leftover; frames 2 and 3 are what is known. */
static void check_repaired(uint32_t flag)
{
	CHECK_U64(image_walk(&image), WP_PYTHON_PARTIAL);
	CHECK_U64(image.n, 4);
	check_frame(1, 2, 40);
	check_mark(3, FAR_STACK);
	CHECK_U64(wp_python_thread_slot_id(&image.walk) & WP_PYTHON_REPAIRED, flag);
}

static void test_prologue(void)
{
	for (enum family family = PY311; family <= PY312; family++) {
		two_runs(family);
		image.walk.in.sp = ON_STACK - 0x80;
		image.walk.in.ip = image.walk.in.plan.eval_start + 0x20;
		check_repaired(0); /* or more than one frame is missing */
		image.walk.in.cfa = ON_STACK + 0x200;
		check_repaired(WP_PYTHON_REPAIRED);
		/* The cframe is a caller's. */
		image.walk.in.cfa = ON_STACK - 0x40;
		CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
		check_two_runs(family);
		image.walk.in.cfa = 0;
		image.walk.in.ip += image.walk.in.plan.eval_prologue;
		CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
		/* Not in the prologue, but a frame that is none. */
		image_put64(&image, AT_CODE + image.walk.in.plan.object_type, AT_CODE);
		image_frame(&image, FRAME(0), 5, 20, FRAME(1));
		image_put64(&image, AT_CODE + 5 * 0x200 + image.walk.in.plan.object_type, AT_CODE);
		image_code(&image, 0);
		check_repaired(WP_PYTHON_REPAIRED);
		image_put64(&image, AT_CODE + 2 * 0x200 + image.walk.in.plan.object_type, AT_CODE);
		CHECK_U64(image_walk(&image), WP_PYTHON_PARTIAL);
		CHECK_U64(wp_python_thread_slot_id(&image.walk), WP_PYTHON_PARTIAL << 8);
		CHECK_U64(image.n, 1);
	}
	/* Nothing is outside. */
	two_runs(PY312);
	image_cframe(&image, ON_STACK + 0x60, AT_NOTHING, 0);
	CHECK_U64(image_walk(&image), WP_PYTHON_PARTIAL);
	CHECK_U64(image.n, 1);
}

/* The loop is being entered from frame 2, whose cframe it returns; what hangs there is a leftover.
 */
static uint64_t enter_from_outer(enum family family)
{
	uint64_t extra = family == PY312 ? 0x60 : 0, outer = FAR_STACK + extra;

	two_runs(family);
	image.walk.in.plan.eval_end = image.walk.in.plan.eval_start + 0x1000;
	image.walk.in.plan.eval_cframe = 0x80;
	image.walk.in.ip = image.walk.in.plan.eval_start + 0x20;
	image.walk.in.sp = ON_STACK + extra - image.walk.in.plan.eval_cframe;
	image.walk.in.n_regs = 4;
	image_cframe(&image, outer, FRAME(2), AT_THREAD + 0x100);
	image_cframe(&image, outer - 0x800, FRAME(2), AT_NOTHING);
	image_cframe(&image, ON_STACK + extra, FRAME(0), AT_NOTHING);
	return outer;
}

static void check_outer(void)
{
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	CHECK_U64(image.n, 4);
	check_frame(1, 2, 40);
	check_frame(2, 0, -1);
	check_mark(3, FAR_STACK);
}

static void check_partial(void)
{
	CHECK_U64(image_walk(&image), WP_PYTHON_PARTIAL);
}

/* Without native frames: registers tell who called the loop that is being entered. */
static void test_registers(void)
{
	for (enum family family = PY311; family <= PY312; family++) {
		uint64_t outer = enter_from_outer(family);

		check_partial();
		image.walk.in.regs[2] = outer;
		check_outer();
		/* Two of them. */
		image_cframe(&image, outer - 0x400, FRAME(2), outer);
		image.walk.in.regs[3] = outer - 0x400;
		check_partial();
		/* The cframe hangs on the thread's own first one. */
		enter_from_outer(family);
		image.walk.in.regs[1] = AT_THREAD + 0x200;
		CHECK_U64(image_walk(&image), WP_PYTHON_NO_FRAME);
		CHECK_U64(image.n, 1);
		/* The frame that is entered, too. */
		enter_from_outer(family);
		image.walk.in.regs[0] = FRAME(0);
		image.walk.in.regs[2] = outer;
		image_frame(&image, FRAME(0), 0, -2, AT_NOTHING);
		CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
		CHECK_U64(image.n, 6);
		check_frame(1, 0, -1);
		check_mark(2, image.walk.in.sp + image.walk.in.plan.eval_cframe);
		check_frame(3, 2, 40);
		/* Not hung there yet: it is the caller's. */
		enter_from_outer(family);
		image.walk.in.sp -= 0x10;
		image_top(&image, outer);
		check_outer();
	}
}

/* The same by the frame that the cframe names, when that is in a register instead. */
static void test_named(void)
{
	for (enum family family = PY311; family <= PY312; family++) {
		uint64_t outer = enter_from_outer(family);

		image.walk.in.regs[1] = FRAME(2);
		check_outer();
		image.walk.in.plan.code_type = 0;
		check_outer();
		image.walk.in.plan.code_type = AT_TYPE;
		/* A loop that has ended ran something at the same place, for the same caller. */
		image_cframe(&image, outer - 0x400, FRAME(2), outer);
		check_outer();
		/* And one that nobody called: which of them is it? */
		image_cframe(&image, outer - 0x600, FRAME(2), AT_THREAD + 0x100);
		check_partial();
		image.walk.in.plan.eval_return = 8;
		check_partial();
		image_put64(&image, outer - image.walk.in.plan.eval_cframe - 24,
			    image.walk.in.plan.eval_start + 0x300);
		check_outer();
		/* The leftover names what the caller runs. */
		image_cframe(&image, image.walk.in.sp + image.walk.in.plan.eval_cframe, FRAME(2),
			     AT_NOTHING);
		check_outer();
		/* A frame that is only being entered was run by a loop that has ended. */
		enter_from_outer(family);
		image_frame(&image, FRAME(0), 0, -2, AT_NOTHING);
		image_cframe(&image, outer - 0x400, FRAME(0), AT_THREAD + 0x100);
		image.walk.in.regs[0] = FRAME(0);
		image.walk.in.regs[1] = FRAME(2);
		CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
		check_frame(1, 0, -1);
		check_frame(3, 2, 40);
		/* No end of them. */
		image_cframe(&image, outer, FRAME(2), outer + 16);
		for (uint64_t at = outer + 16; at < outer + 0x8000; at += 16)
			image_cframe(&image, at, FRAME(2), at + 16);
		check_partial();
	}
}

/* 3.12: by then the caller's frame is only in the entry frame that the entered one leads to. */
static void test_entry_names(void)
{
	(void)enter_from_outer(PY312);
	image_frame(&image, FRAME(0), 0, -2, ON_STACK + 0x70);
	image_entry(&image, ON_STACK + 0x70, FRAME(2));
	image.walk.in.regs[3] = FRAME(0);
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	CHECK_U64(image.n, 6);
	check_frame(1, 0, -1);
	check_frame(3, 2, 40);
	/* It leads to the one of an outer loop. */
	image_put64(&image, FRAME(0) + image.walk.in.plan.frame_previous, FAR_STACK);
	check_partial();
}

/* 3.12 leaves a generator: its frame is still the innermost, but leads nowhere. */
static void test_yield(void)
{
	two_runs(PY312);
	image_frame(&image, FRAME(0), 0, 20, 0);
	CHECK_U64(image_walk(&image), WP_PYTHON_PARTIAL);
	CHECK_U64(image.n, 2);
	check_frame(1, 0, 20);
	CHECK(!(wp_python_thread_slot_id(&image.walk) & WP_PYTHON_REPAIRED));
}

static void test_free_threaded(void)
{
	const struct wp_python_plan *plan = &image.walk.in.plan;
	uint64_t copies = AT_HEAP, bytecode = AT_HEAP + 0x400;

	two_runs(PY314T);
	image_put64(&image, AT_CODE + plan->code_tlbc, copies);
	image_put64(&image, copies, 3);
	image_put64(&image, copies + 8 + 2 * 8, bytecode);
	image_put64(&image, FRAME(0) + plan->frame_instr, bytecode + 66);
	image_put32(&image, FRAME(0) + plan->frame_tlbc_index, 2);
	/* The code pointer is borrowed. */
	image_put64(&image, FRAME(0) + plan->frame_code, AT_CODE | 1);
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_frame(1, 0, 66);
	image_put32(&image, FRAME(0) + plan->frame_tlbc_index, 3);
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_frame(1, 0, -1);
	for (uint64_t tag = 0; tag < 4; tag++) {
		image_put64(&image, FRAME(0) + plan->frame_code, tag < 2 ? tag : AT_CODE | 3);
		CHECK_U64(image_walk(&image), WP_PYTHON_DAMAGED);
		CHECK_U64(image.n, 1);
	}
	/* 3.15: the last frame lies in the thread state. */
	two_runs(PY314T);
	image_entry(&image, FAR_STACK, AT_THREAD + 0x180);
	image_entry(&image, AT_THREAD + 0x180, 0);
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	check_two_runs(PY314T);
	image_top(&image, AT_THREAD + 0x180);
	CHECK_U64(image_walk(&image), WP_PYTHON_NO_FRAME);
	CHECK_U64(image.n, 1);
}

static void test_damage(void)
{
	for (enum family family = PY27; family < FAMILIES; family++) {
		uint64_t previous;

		two_runs(family);
		previous = FRAME(3) + image.walk.in.plan.frame_previous;
		image_put8(&image, FRAME(3) + 68, 0);
		image_put64(&image, previous, FRAME(1));
		CHECK_U64(image_walk(&image), WP_PYTHON_DAMAGED);
		CHECK(image.n > 5 && image.n < 30);
		image_put64(&image, previous, FRAME(1) + 4);
		CHECK_U64(image_walk(&image), WP_PYTHON_DAMAGED);
		image_put64(&image, previous, AT_NOTHING);
		CHECK_U64(image_walk(&image), WP_PYTHON_UNREADABLE);
		image_put64(&image, previous, 1ull << 60);
		CHECK_U64(image_walk(&image), WP_PYTHON_DAMAGED);
		two_runs(family);
		image_put64(&image, FRAME(3) + image.walk.in.plan.frame_code, AT_FRAMES);
		CHECK_U64(image_walk(&image), WP_PYTHON_DAMAGED);
		two_runs(family);
		image.walk.in.plan.frame_instr = 300;
		CHECK_U64(image_walk(&image), WP_PYTHON_DAMAGED);
	}
}

/* A recursion's frames, 80 bytes each, growing upwards. */
static uint64_t make_deep(uint32_t n)
{
	two_runs(PY313);
	image_entry(&image, FAR_STACK, 0);
	image_frame(&image, AT_DEEP, 2, 0, FAR_STACK);
	for (uint32_t i = 1; i < n; i++)
		image_frame(&image, AT_DEEP + i * 80, i & 1, (int32_t)(i & 0xff),
			    AT_DEEP + (i - 1) * 80);
	image_top(&image, AT_DEEP + (n - 1) * 80);
	return image_walk(&image);
}

static void test_deep(void)
{
	CHECK_U64(make_deep(5000), WP_PYTHON_COMPLETE);
	CHECK_U64(image.n, 5002);
	check_frame(1, 1, 4999 & 0xff);
	check_frame(5000, 2, 0);
	/* A page serves fifty frames; each code object is read once. */
	CHECK(image.reads < 5000 / 50 * 4);
	CHECK_U64(image.met, 3);
	CHECK_U64(make_deep(20000), WP_PYTHON_CUT);
	CHECK(image.n <= WP_PYTHON_SLOTS && image.n > WP_PYTHON_SLOTS - 8);
	check_frame(1, 1, 19999 & 0xff);
}

static void test_gil(void)
{
	for (enum family family = PY27; family < FAMILIES; family++) {
		const uint32_t known = WP_PYTHON_GIL_KNOWN, held = WP_PYTHON_GIL_HELD;
		const struct wp_python_plan *plan = &image.walk.in.plan;

		two_runs(family);
		image.walk.in.want_gil = 1;
		image_walk(&image);
		CHECK_U64(image.walk.out.flags, known | held);
		if (plan->current)
			image_put64(&image, plan->current, AT_THREAD + 0x400);
		else if (plan->ts_state)
			image_put32(&image, AT_THREAD + plan->ts_state, 0);
		else
			image_put32(&image, AT_GIL + plan->gil_locked, 0);
		CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
		CHECK_U64(image.walk.out.flags, known);
		image.walk.in.want_gil = 0;
		image_walk(&image);
		CHECK_U64(image.walk.out.flags, 0);
	}
}

static struct wp_python_captured captured;

/* Points code object 0 at strings and captures it. */
static int capture(enum family family, uint32_t state, const void *name, uint64_t length)
{
	const struct wp_python_plan *plan = &image.walk.in.plan;
	uint64_t code;

	image_init(&image, family);
	code = image_code(&image, 0);
	image_str(&image, AT_STRINGS, state, name, length);
	image_str(&image, AT_STRINGS + 0x4000, IMAGE_STR_ASCII, "file.py", 7);
	image_bytes(&image, AT_STRINGS + 0x6000, "\1\2\3\4\5", 5);
	image_put64(&image, code + plan->code_name, AT_STRINGS);
	image_put64(&image, code + plan->code_filename, AT_STRINGS + 0x4000);
	image_put64(&image, code + plan->code_lines, AT_STRINGS + 0x6000);
	if (plan->code_qualname)
		image_put64(&image, code + plan->code_qualname, AT_STRINGS);
	memset(&captured, 0xee, sizeof(captured));
	return wp_python_capture(
		&image.walk, code,
		wp_python_id(AT_STRINGS, AT_STRINGS + 0x4000, AT_STRINGS + 0x6000, 10, 0),
		&captured);
}

static void check_captured(uint32_t name_bytes, uint32_t width, uint64_t length)
{
	const struct wp_python_captured_head *head = &captured.head;
	const uint8_t *at = captured.data;

	CHECK_U64(head->name.bytes, name_bytes);
	CHECK_U64(head->name.width, width);
	CHECK_U64(head->name.length, length);
	CHECK_U64(head->addr, AT_CODE);
	CHECK_U64(head->first_line, 10);
	at += name_bytes + head->qualname.bytes;
	CHECK(head->filename.bytes == 7 && memcmp(at, "file.py", 7) == 0);
	CHECK(head->lines_bytes == 5 && memcmp(at + 7, "\1\2\3\4\5", 5) == 0);
	CHECK_U64(wp_python_captured_bytes(&captured),
		  sizeof(*head) + name_bytes + head->qualname.bytes + 12);
}

static void test_capture(void)
{
	static uint8_t long_name[4096];

	for (enum family family = PY27; family < FAMILIES; family++) {
		CHECK_U64(capture(family, IMAGE_STR_ASCII, "main", 4), 0);
		check_captured(4, 1, 4);
		CHECK(memcmp(captured.data, "main", 4) == 0);
		CHECK_U64(captured.head.qualname.bytes, image.walk.in.plan.code_qualname ? 4 : 0);
		CHECK_U64(capture(family, IMAGE_STR_ASCII, long_name, 3000), 0);
		check_captured(WP_PYTHON_NAME_MASK, 1, 3000);
	}
	CHECK_U64(capture(PY312, IMAGE_STR_WIDE(1), "\xe9t\xe9", 3), 0);
	check_captured(3, 1, 3);
	CHECK_U64(capture(PY312, IMAGE_STR_WIDE(2), L"ab", 3), 0);
	check_captured(6, 2, 3);
	CHECK_U64(capture(PY312, IMAGE_STR_WIDE(4), L"ab", 2), 0);
	check_captured(8, 4, 2);
	CHECK_U64(capture(PY312, IMAGE_STR_WIDE(4), long_name, 700), 0);
	check_captured(WP_PYTHON_NAME_MASK & ~3u, 4, 700);
	/* Another object, no object, a name that is not in one piece or not there. */
	CHECK(wp_python_capture(&image.walk, AT_CODE, 1, &captured) == -1);
	CHECK(wp_python_capture(&image.walk, AT_NOTHING, 1, &captured) == -1);
	CHECK_U64(capture(PY310, 1u << 2, "abc", 3), 1);
	CHECK_U64(captured.head.name.width, 0);
	CHECK_U64(capture(PY310, IMAGE_STR_ASCII, "abc", 1ull << 40), 0);
	check_captured(WP_PYTHON_NAME_MASK, 1, 1ull << 40);
}

/* The id of code object 0, whose name has that hash, whose file and line table are these. */
static uint32_t id_of(const char *file, const void *lines, size_t n, uint64_t hash)
{
	const struct wp_python_plan *plan = &image.walk.in.plan;
	uint64_t length = plan->flags & WP_PYTHON_BYTES_NAMES ? plan->bytes_size : plan->str_length;

	image_put64(&image, AT_STRINGS + length + 8, hash);
	image_put(&image, AT_STRINGS + 0x4000, (uint8_t[128]){0}, 128);
	image_str(&image, AT_STRINGS + 0x4000, IMAGE_STR_ASCII, file, strlen(file) + 1);
	image_put64(&image, AT_STRINGS + 0x4000 + length, strlen(file)); /* the 0 is not counted */
	image_bytes(&image, AT_STRINGS + 0x6000, lines, n);
	image_walk(&image);
	return image.slots[1].id;
}

static void point_at_texts(void)
{
	const struct wp_python_plan *plan = &image.walk.in.plan;

	image_put64(&image, AT_CODE + plan->code_name, AT_STRINGS);
	image_put64(&image, AT_CODE + plan->code_filename, AT_STRINGS + 0x4000);
	image_put64(&image, AT_CODE + plan->code_lines, AT_STRINGS + 0x6000);
}

/* Another code object takes the place of one, its texts the places of texts. */
static void test_reused(void)
{
	static const char path[] = "/a/path/of/more/than/four/words/a.py";
	static const char other[] = "/a/path/of/more/than/four/words/b.py";
	uint8_t lines[100] = {2, 1};

	for (enum family family = PY27; family < FAMILIES; family++) {
		image_two_runs(&image, family);
		point_at_texts();
		uint32_t id = id_of(path, lines, 2, 7);
		CHECK_U64(id_of(path, lines, 2, 7), id);
		CHECK(id_of(path, lines, 2, 8) != id);
		CHECK(id_of(other, lines, 2, 7) != id);
		CHECK(id_of("a.py", lines, 2, 7) != id_of("b.py", lines, 2, 7));
		CHECK(id_of(path, lines, 4, 7) != id);
		lines[1]++;
		CHECK(id_of(path, lines, 2, 7) != id);
		id = id_of(path, lines, sizeof(lines), 7);
		lines[sizeof(lines) - 1]++;
		CHECK(id_of(path, lines, sizeof(lines), 7) != id);
		lines[1]--;
	}
}

/* The whole name of a file counts, but for what is before its last 127 characters. */
static void test_reused_files(void)
{
	char path[256];

	for (enum family family = PY27; family <= PY311; family++) {
		image_two_runs(&image, family);
		point_at_texts();
		for (size_t length = 1; length < 200; length++) {
			size_t first = length < 128 ? 0 : length - 127;
			memset(path, 'x', length);
			path[length] = 0;
			uint32_t id = id_of(path, "\2\1", 2, 7);
			for (size_t i = first; i < length; i += 1 + length / 9) {
				path[i] = 'y';
				CHECK(id_of(path, "\2\1", 2, 7) != id);
				path[i] = 'x';
			}
			CHECK_U64(id_of(path, "\2\1", 2, 7), id);
		}
	}
}

/* 3.12 and newer say by a number which one it is; texts are not looked at then. */
static void test_numbered(void)
{
	uint32_t id;

	image_two_runs(&image, PY312);
	image.walk.in.plan.code_version = 92;
	image_put32(&image, AT_CODE + 92, 5);
	image_walk(&image);
	id = image.slots[1].id;
	point_at_texts();
	image_walk(&image);
	CHECK(image.slots[1].id != id);
	id = image.slots[1].id;
	CHECK_U64(id_of("a.py", "\2\1", 2, 7), id);
	image_put32(&image, AT_CODE + 92, 6);
	CHECK(id_of("a.py", "\2\1", 2, 7) != id);
}

/* What cannot be read for a while does not make another one of it. */
static void test_unreadable_texts(void)
{
	const struct wp_python_plan *plan = &image.walk.in.plan;
	uint32_t id, met;

	image_two_runs(&image, PY311);
	image.walk.in.audience = image.tells = 1;
	point_at_texts();
	id = id_of("a.py", "\2\1", 2, 7);
	met = image.met;
	CHECK(met > 0);
	image_put64(&image, AT_STRINGS + 0x6000 + plan->bytes_size, sizeof(image.bytes));
	image_walk(&image);
	CHECK_U64(image.slots[1].id, id);
	CHECK_U64(image.met, 0);
	CHECK_U64(id_of("a.py", "\2\1", 2, 7), id);
	CHECK_U64(image.met, 0);
	CHECK(id_of("a.py", "\2\2", 2, 7) != id);
	CHECK_U64(image.met, 1);
}

int main(void)
{
	RUN(test_families);
	RUN(test_own_slot);
	RUN(test_alone);
	RUN(test_subinterpreter);
	RUN(test_nested);
	RUN(test_no_others);
	RUN(test_many_others);
	RUN(test_list);
	RUN(test_no_frame);
	RUN(test_prologue);
	RUN(test_registers);
	RUN(test_named);
	RUN(test_entry_names);
	RUN(test_yield);
	RUN(test_free_threaded);
	RUN(test_damage);
	RUN(test_deep);
	RUN(test_gil);
	RUN(test_capture);
	RUN(test_reused);
	RUN(test_reused_files);
	RUN(test_numbered);
	RUN(test_unreadable_texts);
	return check_done();
}
