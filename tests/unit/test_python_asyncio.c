/* SPDX-License-Identifier: BSD-3-Clause */
/* python_asyncio: made-up modules, with a section that says what can be and what cannot. */
#include "check.h"
#include "python_file.h"

#include "runtime/python_asyncio.h"

/* As 3.14.0 has it on x86-64. */
static const uint64_t good[13] = {0xa8,	   0x88,   0x60,  0x6c,	 0x6d,	0x80, 0x98,
				  0x37248, 0x2a80, 0x3a8, 0x360, 0x368, 0x370};

static bool read_section(const uint64_t *words, size_t n, struct wp_python_asyncio *ret)
{
	static struct python_file f;

	file_begin(&f, EM_X86_64);
	file_section(&f, ".AsyncioDebug", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE,
		     file_put(&f, words, n), n);
	wp_autoclose int fd = file_end(&f, SHT_DYNSYM);
	return wp_python_asyncio_read(fd, ret);
}

static void test_section(void)
{
	struct wp_python_asyncio asyncio = {0};
	struct wp_python_plan plan = {.flags = WP_PYTHON_TAGGED, .gen_frame = 72};

	CHECK(read_section(good, sizeof(good), &asyncio));
	CHECK_U64(asyncio.task_name, 0x88);
	CHECK_U64(asyncio.task_awaited_by, 0x60);
	CHECK_U64(asyncio.task_coro, 0x80);
	CHECK_U64(asyncio.ts_task, 0x368);
	wp_python_asyncio_apply(&asyncio, &plan);
	CHECK(plan.task_coro == 0x80 && plan.ts_task == 0x368);
	/* Not for versions that have no such section. */
	plan = (struct wp_python_plan){.gen_frame = 72};
	wp_python_asyncio_apply(&asyncio, &plan);
	CHECK(!plan.task_coro);
}

static void test_damaged(void)
{
	static const size_t used[] = {0, 1, 2, 5, 9, 11};
	struct wp_python_asyncio asyncio;
	uint64_t words[13];

	CHECK(!read_section(good, sizeof(good) - 8, &asyncio));
	for (size_t i = 0; i < WP_ARRAY_LEN(used); i++) {
		memcpy(words, good, sizeof(words));
		words[used[i]] = 0;
		CHECK(!read_section(words, sizeof(words), &asyncio));
		words[used[i]] = UINT64_MAX;
		CHECK(!read_section(words, sizeof(words), &asyncio));
		words[used[i]] = 1 << 20;
		CHECK(!read_section(words, sizeof(words), &asyncio));
	}
	words[11] = 0x36c;
	CHECK(!read_section(words, sizeof(words), &asyncio));
}

static void test_versions(void)
{
	struct wp_python_plan plan = {.object_type = 8};

	wp_python_asyncio_layout(0x030a0cf0, &plan);
	CHECK(!plan.task_coro && !plan.gen_frame);
	wp_python_asyncio_layout(0x030b02f0, &plan);
	CHECK(plan.task_coro == 136 && plan.task_name == 144 && plan.gen_frame == 80);
	CHECK(plan.gen_qualname == 40 && plan.frame_locals == 72);
	plan = (struct wp_python_plan){.object_type = 24};
	wp_python_asyncio_layout(0x030d00f0, &plan);
	CHECK(plan.task_coro == 136 && plan.task_name == 144 && plan.gen_frame == 88);
}

int main(void)
{
	RUN(test_section);
	RUN(test_damaged);
	RUN(test_versions);
	return check_done();
}
