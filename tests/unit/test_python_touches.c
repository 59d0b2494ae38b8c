/* SPDX-License-Identifier: BSD-3-Clause */
/* python_touches: what an address was in at a time, by the blocks that a recording tells of. */
#include "session/recorded/python_touches.h"

#include "check.h"

#define NO_TYPE WP_PERFDATA_NO_TYPE

static struct wp_recording_notes notes;
static struct wp_python_touches touches;

static void add_block(uint32_t pid, uint64_t start, uint32_t bytes, enum wp_python_block_kind kind,
		      uint32_t type, uint64_t first_ns, uint64_t last_ns)
{
	struct wp_perfdata_block block = {pid,	 bytes,	   kind,    type,
					  start, first_ns, last_ns, last_ns * 1000};
	struct wp_perfdata_notes out = {0};
	wp_autostr struct wp_str record = {0};

	wp_perfdata_put_block(&out, &block);
	wp_perfdata_put_notes(&record, &out);
	wp_recording_notes_take(&notes, wp_bytes_of((const uint8_t *)record.s + 8, record.len - 8),
				NULL, NULL);
	wp_perfdata_notes_deinit(&out);
}

static void add_type(uint32_t number, const char *name)
{
	struct wp_perfdata_notes out = {0};
	wp_autostr struct wp_str record = {0};

	wp_perfdata_put_type(&out, &(struct wp_perfdata_type){number, name});
	wp_perfdata_put_notes(&record, &out);
	wp_recording_notes_take(&notes, wp_bytes_of((const uint8_t *)record.s + 8, record.len - 8),
				NULL, NULL);
	wp_perfdata_notes_deinit(&out);
}

static const char *text_of(uint32_t pid, uint64_t addr, uint64_t time_ns)
{
	static char text[256];
	wp_autostr struct wp_str out = {0};

	if (!wp_python_touches_put(&touches, pid, addr, time_ns, &out))
		return "-";
	snprintf(text, sizeof(text), "%s", out.s);
	return text;
}

static void begin(void)
{
	wp_python_touches_init(&touches, &notes);
}

static void end(void)
{
	wp_python_touches_deinit(&touches);
	wp_recording_notes_deinit(&notes);
}

/* Kinds, bounds of addresses and times, and processes. */
static void test_touches(void)
{
	add_type(3, "float");
	add_type(0, "Row");
	add_block(10, 0x1030, 32, WP_PYTHON_BLOCK_OBJECT, 3, 100, 200);
	add_block(10, 0x1030, 32, WP_PYTHON_BLOCK_OBJECT, 0, 300, 300);
	add_block(10, 0x1000, 48, WP_PYTHON_BLOCK_POOL, 3, 50, 400);
	add_block(10, 0x2000, 48, WP_PYTHON_BLOCK_POOL, NO_TYPE, 50, 400);
	add_block(10, 0x1050, 32, WP_PYTHON_BLOCK_BARE, NO_TYPE, 100, 100);
	add_block(10, 0x1100, 0x700, WP_PYTHON_BLOCK_REST, NO_TYPE, 100, 100);
	add_block(11, 0x1030, 64, WP_PYTHON_BLOCK_OBJECT, 99, 100, 200); /* an unknown type */
	begin();
	CHECK_STR(text_of(10, 0x1030, 100), "Python float");
	CHECK_STR(text_of(10, 0x104f, 200), "Python float");
	CHECK_STR(text_of(10, 0x1030, 300), "Python Row");
	CHECK_STR(text_of(10, 0x1030, 250), "-");
	CHECK_STR(text_of(10, 0x1030, 99), "-");
	CHECK_STR(text_of(10, 0x102f, 100), "pymalloc pool head (Python float)");
	CHECK_STR(text_of(10, 0x2000, 100), "pymalloc pool head");
	CHECK_STR(text_of(10, 0x1050, 100), "pymalloc block of 32 bytes");
	CHECK_STR(text_of(10, 0x1070, 100), "-");
	CHECK_STR(text_of(10, 0x17ff, 100), "pymalloc, not handed out");
	CHECK_STR(text_of(11, 0x1060, 150), "pymalloc block of 64 bytes");
	CHECK_STR(text_of(12, 0x1030, 100), "-");
	CHECK_STR(text_of(9, 0x1030, 100), "-");
	CHECK_STR(text_of(10, UINT64_MAX, 100), "-");
	CHECK_STR(text_of(10, 0, 100), "-");
	CHECK_U64(touches.found, 8);
	CHECK_U64(touches.late_ns, 400000);
	end();
}

/* A pool that is one of other blocks later, and one block that has thousands of objects. */
static void test_reused_blocks(void)
{
	add_type(0, "float");
	add_type(1, "Row");
	for (uint64_t i = 0; i < 5000; i++)
		add_block(10, 0x1030, 32, WP_PYTHON_BLOCK_OBJECT, i % 2, 10 * i, 10 * i + 5);
	add_block(10, 0x1040, 48, WP_PYTHON_BLOCK_OBJECT, 1, 100000, 100000);
	begin();
	CHECK_STR(text_of(10, 0x1038, 20003), "Python float");
	CHECK_STR(text_of(10, 0x1038, 20013), "Python Row");
	CHECK_STR(text_of(10, 0x1038, 20018), "-");
	CHECK_STR(text_of(10, 0x1048, 20013), "Python Row"); /* of the 32, not of the 48 bytes */
	CHECK_STR(text_of(10, 0x1048, 100000), "Python Row");
	end();
}

static void test_no_touches(void)
{
	wp_python_touches_init(&touches, NULL);
	CHECK_STR(text_of(10, 0x1030, 100), "-");
	end();
}

int main(void)
{
	RUN(test_touches);
	RUN(test_reused_blocks);
	RUN(test_no_touches);
	return check_done();
}
