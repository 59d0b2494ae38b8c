/* SPDX-License-Identifier: BSD-3-Clause */
/* The count of code objects, found by the table behind it in a made interpreter. */
#include "runtime/python_code_count.h"

#include "check.h"

#include <string.h>

#define BASE	  0x10000000ull
#define AT_INTERP (BASE + 0x100)
#define AT_CODES  (BASE + 0x40000)
#define AT_TYPE	  0x5000
#define COUNT	  (0x4000 / 8) /* word of the interpreter */
#define TABLE	  (COUNT + 1)
#define NUMBER	  5000 /* of the next code object */
#define CODES	  40

static uint64_t image[0x60000 / 8];

static const struct wp_python_plan plan = {
	.interpreters = BASE, .code_type = AT_TYPE, .object_type = 8, .code_version = 92};

static bool read_image(void *arg, uint64_t addr, void *ret, size_t n)
{
	(void)arg;
	if (addr < BASE || addr - BASE > sizeof(image) || n > sizeof(image) - (addr - BASE))
		return false;
	memcpy(ret, (char *)image + (addr - BASE), n);
	return true;
}

static const struct wp_memory memory = {read_image, NULL};

static uint64_t *word(uint64_t addr)
{
	return &image[(addr - BASE) / 8];
}

static uint64_t *interp(size_t i)
{
	return word(AT_INTERP) + i;
}

/* Code object i has number NUMBER - 1 - 3 * i: not all were made for functions. */
static void begin(void)
{
	memset(image, 0, sizeof(image));
	*word(BASE) = AT_INTERP;
	*interp(COUNT) = NUMBER;
	for (uint32_t i = 0; i < CODES; i++) {
		uint64_t code = AT_CODES + i * 256, number = NUMBER - 1 - 3 * i;

		*word(code + 8) = AT_TYPE;
		*word(code + 88) = number << 32; /* co_version at 92 */
		*interp(TABLE + number % 4096 * 2 + 1) = code;
	}
}

static uint64_t find(void)
{
	return wp_python_code_count_find(&plan, &memory);
}

static void test_found(void)
{
	begin();
	CHECK_U64(find(), AT_INTERP + COUNT * 8);
	/* One that was made in this moment. */
	*interp(TABLE + (NUMBER - 1) % 4096 * 2 + 1) = AT_CODES + 256;
	CHECK_U64(find(), AT_INTERP + COUNT * 8);
}

static void test_not_found(void)
{
	begin();
	*interp(COUNT) = NUMBER + 1;
	CHECK_U64(find(), AT_INTERP + COUNT * 8); /* one more was made, for no function */
	for (uint32_t i = 5; i < CODES; i++)
		*interp(TABLE + (NUMBER - 1 - 3 * i) % 4096 * 2 + 1) = 0;
	CHECK_U64(find(), 0); /* too few */
	begin();
	for (uint32_t i = 0; i < CODES; i++)
		*word(AT_CODES + i * 256 + 8) = AT_TYPE + 8;
	CHECK_U64(find(), 0); /* no code objects */
	begin();
	*interp(TABLE + 1) = 77;
	*interp(COUNT) = 4097;
	CHECK_U64(find(), 0); /* no pointers */
	begin();
	*word(BASE) = BASE + sizeof(image);
	CHECK_U64(find(), 0); /* no interpreter */
}

static void test_kept(void)
{
	struct wp_python_plan threaded = {.flags = WP_PYTHON_FREE_THREADED};

	CHECK(!wp_python_code_count_is_kept(0x030c00f0, &plan));
	CHECK(wp_python_code_count_is_kept(0x030d00f0, &plan));
	CHECK(wp_python_code_count_is_kept(0x030f02f0, &plan));
	CHECK(!wp_python_code_count_is_kept(0x030d00f0, &threaded));
	CHECK(!wp_python_code_count_is_kept(0x031000f0, &plan));
}

int main(void)
{
	RUN(test_found);
	RUN(test_not_found);
	RUN(test_kept);
	return check_done();
}
