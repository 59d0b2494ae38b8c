/* SPDX-License-Identifier: BSD-3-Clause */
/* A frame that is the current one before it says who called it: the caller is in a register. */
#include "check.h"
#include "python_image.h"

static struct image image;

#define PUSHED	  (AT_FRAMES + 0x800)
#define CALLER	  IMAGE_FRAME(1) /* in code object 1 */
#define ENDED	  (AT_HEAP + 0x100)
#define GENERATOR (AT_HEAP + 0x800)

/* How many words a code object's frames have behind what all have. */
static void set_size(uint32_t i, uint32_t words)
{
	uint64_t line = AT_CODE + i * 0x200ull + image.walk.in.plan.code_first_line;

	image_put32(&image, line - 4, words - 3); /* co_stacksize */
	image_put32(&image, line + 4, 3);	  /* co_nlocalsplus */
}

/* A frame of code object 3 was pushed; where it lies, a generator's frame (code object 4) called.
 */
static void push(enum family family)
{
	struct wp_python_plan *plan = &image.walk.in.plan;

	image_two_runs(&image, family);
	plan->eval_end = plan->eval_start + 0x1000;
	plan->frame_locals = 0x48;
	image.walk.in.ip = plan->eval_start + 0x300;
	image.walk.in.n_regs = 4;
	image.walk.in.regs[0] = PUSHED;
	image.walk.in.regs[1] = CALLER + 0x48;
	image_frame(&image, PUSHED, 3, family >= PY313 ? 0 : -2, ENDED);
	image_frame(&image, ENDED, 4, 30, IMAGE_FRAME(2));
	image_put8(&image, ENDED + plan->frame_owner, 1);
	image_put32(&image, ENDED - 8, 4u << 24);
	set_size(1, (PUSHED - CALLER - 0x48) / 8);
	if (family <= PY312)
		image_cframe(&image, IMAGE_ON_STACK + (family == PY312 ? 0x60 : 0), PUSHED,
			     IMAGE_FAR_STACK + (family == PY312 ? 0x60 : 0));
	else
		image_top(&image, PUSHED);
}

static void check_caller(uint32_t code)
{
	image_walk(&image);
	CHECK(image.n > 3);
	CHECK_U64(image.slots[1].addr, AT_CODE + 3 * 0x200ull);
	CHECK_U64(image.slots[2].addr, AT_CODE + code * 0x200ull);
}

static void test_frame_below(void)
{
	for (enum family family = PY311; family < FAMILIES; family++) {
		push(family);
		check_caller(4);
		image.walk.in.regs[2] = CALLER;
		check_caller(1);
		CHECK_U64(image.walk.out.end, WP_PYTHON_COMPLETE);
		/* The caller was stored a moment ago. */
		image.walk.in.regs[3] = ENDED;
		check_caller(4);
		/* A frame that has ended is left in the register. */
		push(family);
		image.walk.in.regs[2] = CALLER;
		set_size(1, 9);
		check_caller(4);
		/* The pushed frame has begun. */
		push(family);
		image.walk.in.regs[2] = CALLER;
		image_frame(&image, PUSHED, 3, 8, ENDED);
		check_caller(4);
		/* What runs is no code of the loop. */
		push(family);
		image.walk.in.regs[2] = CALLER;
		image.walk.in.ip = image.walk.in.plan.eval_end;
		check_caller(4);
	}
}

static void test_generator(void)
{
	for (enum family family = PY311; family < FAMILIES; family++) {
		push(family);
		image_frame(&image, GENERATOR, 5, 12, CALLER);
		image_put8(&image, GENERATOR + image.walk.in.plan.frame_owner, 1);
		image.walk.in.regs[3] = GENERATOR;
		check_caller(5);
		CHECK_U64(image.slots[3].addr, AT_CODE + 0x200ull);
		image_put32(&image, GENERATOR - 8, 0xffu << 24); /* suspended */
		check_caller(4);
		image.walk.in.plan.gen_executing = 4;
		image_put32(&image, GENERATOR - 8, 4u << 24);
		check_caller(5);
	}
}

int main(void)
{
	RUN(test_frame_below);
	RUN(test_generator);
	return check_done();
}
