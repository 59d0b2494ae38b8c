/* SPDX-License-Identifier: BSD-3-Clause */
/* Code objects that are not looked at again while the interpreter says that it made none. */
#include "python_image.h"

#include "check.h"

#include <stdbool.h>

#define AT_COUNT (AT_ROOTS + 0x80)
#define CODES	 3 /* of image_two_runs() */
#define ID_AT	 1 /* slot of the innermost frame, which runs code object 0 */

static struct image image;

/* A process that counts its code objects, walked once for an audience that was told of all. */
static void begin(void)
{
	image_two_runs(&image, PY312);
	image.walk.in.plan.code_count = AT_COUNT;
	image_put64(&image, image.walk.in.plan.interpreters + 8, AT_INTERP);
	image_put32(&image, AT_COUNT, 100);
	image.walk.in.audience = 7;
	image.walk.in.now = 1000;
	image.tells = 1;
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	CHECK_U64(image.met, CODES);
}

/* Reads of the next walk. */
static uint32_t walk(void)
{
	CHECK_U64(image_walk(&image), WP_PYTHON_COMPLETE);
	CHECK_U64(image.n, 7);
	return image.reads;
}

/* Makes another code object in the place of number 0. */
static void replace(void)
{
	image_put32(&image, AT_CODE + image.walk.in.plan.code_first_line, 99);
}

static bool is_new(void)
{
	return image.slots[ID_AT].id != image_id(0);
}

static void test_same_count(void)
{
	begin();
	uint32_t next = walk();

	image.walk.in.now += WP_PYTHON_KNOWN_NS;
	CHECK_U64(walk(), next);
	CHECK_U64(image.met, 0);
	CHECK(!is_new());
	image_put32(&image, AT_COUNT, 101);
	CHECK_U64(walk(), next + CODES);
}

static void test_other_count(void)
{
	begin();
	replace();
	image_put32(&image, AT_COUNT, 101);
	walk();
	CHECK(is_new());
	CHECK_U64(image.met, 1);
	CHECK_U64(image.slots[ID_AT + 1].id, image_id(1));
}

/* Nothing is taken on trust... */
static void check_looks(void)
{
	replace();
	walk();
	CHECK(is_new());
}

static void test_no_trust(void)
{
	begin(); /* ... after a while: the interpreter may have begun anew */
	image.walk.in.now += WP_PYTHON_KNOWN_NS + 1;
	check_looks();
	begin(); /* ... where the count ran over */
	image_put32(&image, AT_COUNT, 0);
	walk();
	check_looks();
	begin(); /* ... with another interpreter, which counts for itself */
	image_put64(&image, AT_INTERP + 0x400, AT_INTERP);
	image_put64(&image, image.walk.in.plan.interpreters, AT_INTERP + 0x400);
	check_looks();
	begin(); /* ... where the count cannot be read */
	image.walk.in.plan.code_count = AT_NOTHING;
	check_looks();
	begin(); /* ... without a clock */
	image.walk.in.now = 0;
	check_looks();
}

/* Another process may have the same addresses. */
static void test_other_audience(void)
{
	begin();
	image.walk.in.audience = 8;
	check_looks();
	CHECK_U64(image.met, CODES);
}

/* What the audience does not know yet it is told again. */
static void test_not_told(void)
{
	begin();
	image.tells = 0;
	wp_python_tell_again(&image.walk, AT_CODE);
	for (int i = 0; i < 2; i++) {
		walk();
		CHECK_U64(image.met, 1);
	}
	image.tells = 1;
	walk();
	CHECK_U64(image.met, 1);
	walk();
	CHECK_U64(image.met, 0);
}

int main(void)
{
	RUN(test_same_count);
	RUN(test_other_count);
	RUN(test_no_trust);
	RUN(test_other_audience);
	RUN(test_not_told);
	return check_done();
}
