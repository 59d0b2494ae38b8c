/* The walker over made processes: every family of layouts, transients, lists, and damage. */
#include "python_image.h"

#include "check.h"

static struct image image;

#define FRAME(i)   (AT_FRAMES + (i)*0xa0ull)
#define ON_STACK   (AT_STACK + 0x100)
#define FAR_STACK  (AT_STACK + 0x2000)
#define SECOND_RUN 3

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

/* Two runs: frames 0, 1 (codes 0, 1) and frames 2, 3 (codes 2, 0), outermost last. */
static void two_runs(enum family family)
{
	uint64_t outer = FRAME(2);

	image_init(&image, family);
	image_frame(&image, FRAME(3), 0, -2, 0);
	image_frame(&image, FRAME(2), 2, 40, FRAME(3));
	if (family >= PY312) {
		outer = ON_STACK;
		image_entry(&image, FAR_STACK, 0);
		image_put64(&image, FRAME(3) + image.walk.plan.frame_previous, FAR_STACK);
		image_entry(&image, ON_STACK, FRAME(2));
	}
	image_frame(&image, FRAME(1), 1, 6, outer);
	image_frame(&image, FRAME(0), 0, 20, FRAME(1));
	if (family == PY311) {
		image_put8(&image, FRAME(1) + 68, 1);
		image_put8(&image, FRAME(3) + 68, 1);
		image_cframe(&image, FAR_STACK, FRAME(2), AT_THREAD + 0x100);
		image_cframe(&image, ON_STACK, FRAME(0), FAR_STACK);
	}
	if (family == PY312)
		image_cframe(&image, ON_STACK + 0x60, FRAME(0), FAR_STACK + 0x60);
	if (family == PY312)
		image_cframe(&image, FAR_STACK + 0x60, FRAME(2), 0);
	image_top(&image, family == PY311   ? ON_STACK
			  : family == PY312 ? ON_STACK + 0x60
					    : FRAME(0));
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
		CHECK_U64(image.walk.key, 36);
		/* Again, with what the first walk left. */
		CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
		check_two_runs(family);
	}
}

int main(void)
{
	RUN(test_families);
	return check_done();
}
