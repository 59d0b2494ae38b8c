/* SPDX-License-Identifier: BSD-3-Clause */
/* python_block: blocks and objects out of memory, and what is not believed of it. What real
 * interpreters have is in tests/live/test_mem_objects.sh. */
#include "check.h"
#include "python_block_image.h"

#define V38  0x030812f0
#define V313 0x030d00f0

static struct block_image image;
static struct wp_python_block_types types;
static struct wp_python_block found;

static bool read_at(uint64_t addr)
{
	struct wp_memory memory = {block_read, &image};

	found = (struct wp_python_block){.kind = WP_PYTHON_BLOCK_KINDS};
	return wp_python_block_read(&types, &memory, &image.plan, image.version, addr, &found);
}

/* "KIND TYPE BYTES" of what lies there. */
static const char *text_at(uint64_t addr)
{
	static const char *const kinds[] = {"bare", "pool", "rest", "object"};
	static char text[300];

	if (!read_at(addr))
		return "none";
	snprintf(text, sizeof(text), "%s %s %u", kinds[found.kind], found.type, found.bytes);
	return text;
}

static void test_objects(void)
{
	block_make(&image, V38, 48);
	block_put_object(&image, 1, 0, BLOCK_FLOAT); /* too small for blocks of 48 */
	block_put_object(&image, 2, 16, BLOCK_ROW);
	block_put_object(&image, 3, 16, BLOCK_TUPLE);
	CHECK_STR(text_at(block_at(&image, 1)), "bare  48");
	CHECK_STR(text_at(block_at(&image, 2)), "object Row 48");
	CHECK_U64(found.start, block_at(&image, 2));
	CHECK_STR(text_at(block_at(&image, 2) + 47), "object Row 48");
	CHECK_STR(text_at(block_at(&image, 3) + 20), "object tuple 48");
	CHECK_STR(text_at(block_at(&image, 0)), "bare  48");
	CHECK_STR(text_at(block_at(&image, 10)), "rest  3568");
	CHECK_STR(text_at(BLOCK_BASE + 40), "pool  48");
	block_make(&image, V38, 32);
	block_put_object(&image, 0, 0, BLOCK_FLOAT);
	CHECK_STR(text_at(BLOCK_BASE), "pool float 48");
	CHECK_STR(text_at(block_at(&image, 0) + 31), "object float 32");
	block_make(&image, V313, 48);
	block_put_object(&image, 4, 32, BLOCK_ROW);
	block_put_object(&image, 5, 16, BLOCK_ROW); /* not where its flags say */
	CHECK_STR(text_at(block_at(&image, 4)), "object Row 48");
	CHECK_STR(text_at(block_at(&image, 5)), "bare  48");
	CHECK_STR(text_at(BLOCK_BASE + 16383), "rest  15856");
}

/* Free blocks keep the type, but not the count. */
static void test_free(void)
{
	block_make(&image, V38, 32);
	block_put_object(&image, 0, 0, BLOCK_FLOAT);
	block_put(&image, block_at(&image, 0), block_at(&image, 3));
	CHECK_STR(text_at(block_at(&image, 0)), "bare  32");
	block_put(&image, block_at(&image, 0), 0);
	CHECK_STR(text_at(block_at(&image, 0)), "bare  32");
	block_put(&image, block_at(&image, 0), UINT32_MAX); /* 3.12: it never dies */
	CHECK_STR(text_at(block_at(&image, 0)), "object float 32");
}

/* Keys of a dict of 8 slots, 2 of 5 entries used: head, index and entries are the block. */
static void put_keys(uint32_t version, uint32_t block, uint64_t slots)
{
	uint64_t at = block_at(&image, 0);
	uint64_t kind = block == 128; /* of strings only */

	block_make(&image, version, block);
	block_put(&image, at, 1);
	if (version >= 0x030b0000) {
		block_put(&image, at + 8, slots | slots << 8 | kind << 16 | UINT64_C(77) << 32);
		block_put(&image, at + 16, 3);
		block_put(&image, at + 24, 2);
		return;
	}
	block_put(&image, at + 8, slots);
	block_put(&image, at + 16, BLOCK_TYPES);
	block_put(&image, at + 24, 3);
	block_put(&image, at + 32, 2);
}

static void test_keys(void)
{
	put_keys(V38, 176, 8);
	CHECK_STR(text_at(block_at(&image, 0) + 100), "object dict keys 176");
	CHECK_STR(text_at(BLOCK_BASE), "pool dict keys 48");
	put_keys(V313, 160, 3);
	CHECK_STR(text_at(block_at(&image, 0)), "object dict keys 160");
	put_keys(V313, 128, 3);
	CHECK_STR(text_at(block_at(&image, 0)), "object dict keys 128");
	put_keys(V313, 144, 3); /* of no kind */
	CHECK_STR(text_at(block_at(&image, 0)), "bare  144");
	put_keys(V38, 176, 16);
	CHECK_STR(text_at(block_at(&image, 0)), "bare  176");
	put_keys(V38, 176, 8);
	block_put(&image, block_at(&image, 0) + 32, 3); /* more entries than there is room for */
	CHECK_STR(text_at(block_at(&image, 0)), "bare  176");
	put_keys(V38, 176, 8);
	block_put(&image, block_at(&image, 0), 0);
	CHECK_STR(text_at(block_at(&image, 0)), "bare  176");
	put_keys(0x02070000, 176, 8); /* they are not apart from the dict */
	CHECK_STR(text_at(block_at(&image, 0)), "bare  176");
}

/* Another type in its place is another type; one that nothing proves is none. */
static void test_types(void)
{
	block_make(&image, V38, 32);
	block_put_object(&image, 0, 0, BLOCK_FLOAT);
	CHECK_STR(text_at(block_at(&image, 0)), "object float 32");
	block_put_type(&image, BLOCK_FLOAT, BLOCK_TYPE, "other", 24, 0, 1);
	CHECK_STR(text_at(block_at(&image, 0)), "object other 32");
	block_put(&image, block_type(BLOCK_FLOAT) + 8, block_type(BLOCK_TUPLE));
	block_put(&image, block_type(BLOCK_TUPLE) + 8, block_type(BLOCK_FLOAT)); /* a circle */
	CHECK_STR(text_at(block_at(&image, 0)), "bare  32");
	block_put_type(&image, BLOCK_FLOAT, BLOCK_META, "a\x1b[0m", 24, 0, 0);
	CHECK_STR(text_at(block_at(&image, 0)), "bare  32");
	block_put_type(&image, BLOCK_FLOAT, BLOCK_META, "", 24, 0, 0);
	CHECK_STR(text_at(block_at(&image, 0)), "bare  32");
	block_put_type(&image, BLOCK_FLOAT, BLOCK_META, "back", 24, 0, 0);
	CHECK_STR(text_at(block_at(&image, 0)), "object back 32");
	image.plan.code_type = 0;
	wp_python_block_types_deinit(&types);
	CHECK_STR(text_at(block_at(&image, 0)), "bare  32");
}

/* Each word of a pool's head has to fit the others. */
static void test_heads(void)
{
	static const struct {
		uint32_t at, value;
	} wrong[] = {{0, 1000},	      {8, 0x10},  {8, 49},    {32, 1u << 24},
		     {36, 2},	      {36, 100},  {40, 49},   {40, 4096 + 32},
		     {44, 4096 - 40}, {44, 4096}, {44, 5000}, {36, UINT32_MAX}};

	for (size_t i = 0; i < WP_ARRAY_LEN(wrong); i++) {
		block_make(&image, V38, 32);
		CHECK(read_at(block_at(&image, 0)));
		block_put32(&image, BLOCK_BASE + wrong[i].at, wrong[i].value);
		CHECK(!read_at(block_at(&image, 0)));
	}
	CHECK(!read_at(0) && !read_at(BLOCK_BASE + BLOCK_BYTES + 4096) && !read_at(UINT64_MAX));
	block_make(&image, V313, 32);
	image.plan.flags = WP_PYTHON_FREE_THREADED;
	CHECK(!read_at(block_at(&image, 0)));
}

int main(void)
{
	RUN(test_objects);
	RUN(test_free);
	RUN(test_keys);
	RUN(test_types);
	RUN(test_heads);
	wp_python_block_types_deinit(&types);
	return check_done();
}
