/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of pinned readers, without threads: the queue, the plans of processes, what is read of
 * memory, threads and code objects. */
#include "source/pinned/pinned_code.h"
#include "source/pinned/pinned_memory.h"
#include "source/pinned/pinned_plans.h"
#include "source/pinned/pinned_queue.h"
#include "source/pinned/pinned_threads.h"

#include "check.h"
#include "python_texts.h"

#include <sys/mman.h>
#include <unistd.h>

/* ---- the queue ---- */

static void test_queue(void)
{
	struct wp_pinned_queue queue;
	uint8_t message[64], got[64];
	struct wp_pinned_part parts[2] = {{message, 0}, {message, 0}};
	size_t pushed = 0, taken = 0;

	wp_pinned_queue_init(&queue, 256);
	CHECK_U64(wp_pinned_queue_next(&queue), 0);
	for (size_t i = 0; i < 2000; i++) {
		parts[0].n = 1 + i % 30;
		parts[1].n = i % 7;
		memset(message, (int)(pushed & 0xff), sizeof(message));
		if (wp_pinned_queue_push(&queue, parts, 2))
			pushed++;
		while (wp_pinned_queue_used(&queue) > 128) {
			size_t n = wp_pinned_queue_next(&queue);

			CHECK(n > 0 && n < sizeof(got));
			wp_pinned_queue_take(&queue, got);
			CHECK(got[0] == (taken & 0xff) && got[n - 1] == (taken & 0xff));
			taken++;
		}
	}
	CHECK_U64(pushed, 2000);
	parts[0].n = 250;
	CHECK(!wp_pinned_queue_push(&queue, parts, 2));
	wp_pinned_queue_deinit(&queue);
}

/* ---- plans ---- */

static void test_plans(void)
{
	struct wp_python_plan plan = {.generation = 1};
	struct wp_pinned_plans plans;
	const struct wp_pinned_table *table;

	wp_pinned_plans_init(&plans);
	wp_pinned_plans_readers(&plans, 2);
	wp_pinned_plans_set(&plans, 5, &plan, 1);
	table = wp_pinned_plans_enter(&plans, 1);
	plan.generation = 2;
	wp_pinned_plans_set(&plans, 5, &plan, 1);
	wp_pinned_plans_set(&plans, 6, &plan, 1);
	wp_pinned_plans_set(&plans, 5, NULL, 0);
	/* Who reads an old table still sees all of it. */
	CHECK_U64(wp_pinned_table_find(table, 5)->plans[0].generation, 1);
	CHECK(!wp_pinned_table_find(table, 6));
	CHECK_U64(plans.retired.n, 3);
	CHECK(!wp_pinned_plans_find(&plans, 5));
	CHECK_U64(wp_pinned_plans_find(&plans, 6)->plans[0].generation, 2);
	wp_pinned_plans_leave(&plans, 1);
	wp_pinned_plans_set(&plans, 7, &plan, 1);
	CHECK_U64(plans.retired.n, 0);
	table = wp_pinned_plans_enter(&plans, 0);
	CHECK(wp_pinned_table_find(table, 6)->version < wp_pinned_table_find(table, 7)->version);
	wp_pinned_plans_leave(&plans, 0);
	wp_pinned_plans_deinit(&plans);
}

/* ---- threads and code objects, in a made-up memory ---- */

static uint64_t image[512];
#define IMAGE 0x10000000ull

static bool read_image(void *arg, uint64_t addr, void *ret, size_t n)
{
	(void)arg;
	if (addr < IMAGE || addr - IMAGE > sizeof(image) || n > sizeof(image) - (addr - IMAGE))
		return false;
	memcpy(ret, (const uint8_t *)image + (addr - IMAGE), n);
	return true;
}

static const struct wp_memory image_memory = {.read = read_image};

static uint64_t *at(uint64_t offset)
{
	return &image[offset / 8];
}

/* Two interpreters; the second has two thread states. */
static struct wp_python_plan make_image(void)
{
	struct wp_python_plan plan = {
		.interpreters = IMAGE + 8,
		.interp_next = 0,
		.interp_threads = 8,
		.ts_next = 8,
		.ts_interp = 16,
		.ts_thread_id = 152,
		.tid = 720,
	};

	memset(image, 0, sizeof(image));
	*at(8) = IMAGE + 64;
	*at(64) = IMAGE + 96;	   /* next interpreter */
	*at(96 + 8) = IMAGE + 256; /* its first thread state */
	*at(256 + 8) = IMAGE + 512;
	*at(256 + 16) = IMAGE + 96;
	*at(256 + 152) = IMAGE + 1024; /* pthread_self() */
	*at(512 + 152) = IMAGE + 2048;
	*at(1024 + 720) = 501;
	*at(2048 + 720) = 502;
	return plan;
}

static void test_thread_pointers(void)
{
	struct wp_python_plan plan = make_image();
	struct wp_pinned_threads threads = {0};
	uint64_t pointer;

	CHECK(wp_pinned_threads_search(&image_memory, &plan, 501, &pointer));
	CHECK_U64(pointer, IMAGE + 1024);
	CHECK(wp_pinned_threads_search(&image_memory, &plan, 502, &pointer));
	CHECK_U64(pointer, IMAGE + 2048);
	CHECK(!wp_pinned_threads_search(&image_memory, &plan, 503, &pointer));
	/* arm64: the thread pointer is behind struct pthread. */
	plan.thread_id_bias = -64;
	plan.tid = 720 - 64;
	CHECK(wp_pinned_threads_search(&image_memory, &plan, 501, &pointer));
	CHECK_U64(pointer, IMAGE + 1024 + 64);
	/* A libc that does not say where the id is. */
	plan = make_image();
	plan.tid = 0;
	*at(1024 + 48) = 501;
	CHECK(wp_pinned_threads_search(&image_memory, &plan, 501, &pointer));
	CHECK(!wp_pinned_threads_search(&image_memory, &plan, 502, &pointer));
	/* No list, but the running thread. */
	plan = make_image();
	plan.interpreters = 0;
	plan.current = IMAGE + 16;
	*at(16) = IMAGE + 256;
	CHECK(wp_pinned_threads_search(&image_memory, &plan, 502, &pointer));
	/* A list without an end. */
	plan = make_image();
	*at(512 + 8) = IMAGE + 256;
	CHECK(!wp_pinned_threads_search(&image_memory, &plan, 503, &pointer));
	/* A thread that ended: its block is another one's. */
	plan = make_image();
	CHECK_U64(wp_pinned_threads_get(&threads, &image_memory, &plan, 500, 501, 0)->pointer,
		  IMAGE + 1024);
	*at(1024 + 720) = 504;
	CHECK_U64(wp_pinned_threads_get(&threads, &image_memory, &plan, 500, 501, 0)->pointer, 0);
	wp_pinned_threads_deinit(&threads);
}

/* 3.12's strings and bytes */
static const struct wp_python_plan texts_plan = {
	.generation = 7,
	PYTHON_312_TEXTS,
};

static const struct wp_pinned_code image_code = {
	.addr = IMAGE, .name = IMAGE, .filename = IMAGE + 128, .lines = IMAGE + 256, .id = 5};

/* An ASCII name, a UCS-2 file name, a line table. */
static void make_image_code(void)
{
	memset(image, 0, sizeof(image));
	*at(16) = 4;
	*at(32) = 1 << 2 | 1 << 5 | 1 << 6;
	memcpy((uint8_t *)image + 40, "main", 4);
	*at(128 + 16) = 2;
	*at(128 + 32) = 2 << 2 | 1 << 5;
	memcpy((uint8_t *)image + 128 + 56, "\xe4\0\x42\x04", 4);
	*at(256 + 16) = 6;
	memcpy((uint8_t *)image + 256 + 32, "123456", 6);
}

static void check_record(const struct wp_record *record)
{
	const struct wp_record_code *code = &record->code;

	CHECK_U64(record->kind, WP_RECORD_CODE);
	CHECK_U64(record->pid, 10);
	CHECK_U64(code->generation, 7);
	CHECK(code->name.width == 1 && code->name.length == 4 &&
	      memcmp(code->name.bytes, "main", 4) == 0);
	CHECK_U64(code->qualname.width, 0);
	CHECK(code->filename.width == 2 && code->filename.length == 2 && code->filename.n == 4 &&
	      code->filename.bytes[2] == 0x42);
	CHECK(code->lines_len == 6 && memcmp(code->lines, "123456", 6) == 0);
}

static void test_code(void)
{
	struct wp_pinned_code_head head = {.pid = 10, .tid = 11, .time_ns = 12};
	struct wp_pinned_bytes data = {0};
	uint8_t message[1024];
	struct wp_record record;
	size_t n;

	make_image_code();
	wp_pinned_code_capture(&image_memory, &texts_plan, &image_code, &head, &data);
	memcpy(message, &head, sizeof(head));
	memcpy(message + sizeof(head), data.v.v, data.v.n);
	n = sizeof(head) + data.v.n;
	CHECK(wp_pinned_code_record(message, n, &record));
	check_record(&record);
	for (size_t i = 0; i < n; i++)
		CHECK(!wp_pinned_code_record(message, i, &record));
	/* A table that is said to be longer than memory is: nothing of it, no crash. */
	*at(256 + 16) = UINT64_MAX;
	head = (struct wp_pinned_code_head){0};
	wp_pinned_code_capture(&image_memory, &texts_plan, &image_code, &head, &data);
	CHECK_U64(head.lines_captured, 0);
	wp_vec_deinit(&data.v);
}

/* Our own memory, four pages of which the third cannot be read. */
static void test_memory(void)
{
	static struct wp_pinned_memory own;
	const size_t page = WP_PINNED_PAGE;
	uint8_t *pages =
		mmap(NULL, 4 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	const uint64_t at_pages = (uint64_t)(uintptr_t)pages;
	struct wp_pinned_pages wanted = {
		.n = 4,
		.addr = {at_pages, at_pages + page, at_pages + 2 * page, at_pages + 3 * page}};
	uint8_t got[16];

	memset(pages, 7, 4 * page);
	mprotect(pages + 2 * page, page, PROT_NONE);
	wp_pinned_memory_begin(&own, (uint32_t)getpid());
	CHECK(wp_pinned_memory_read(&own, at_pages + page - 8, got, 16));
	CHECK(got[0] == 7 && got[15] == 7);
	CHECK_U64(own.calls, 2);
	CHECK_U64(own.touched.n, 2);
	/* What was read stays as it was, until the next walk. */
	pages[0] = 8;
	CHECK(wp_pinned_memory_read(&own, at_pages, got, 1) && got[0] == 7);
	CHECK(!wp_pinned_memory_read(&own, at_pages + 2 * page - 8, got, 16));
	CHECK(!wp_pinned_memory_read(&own, UINT64_MAX - 4, got, 16));
	wp_pinned_memory_begin(&own, (uint32_t)getpid());
	own.calls = 0;
	wp_pinned_memory_fetch(&own, &wanted);
	CHECK_U64(own.calls, 1);
	CHECK_U64(own.touched.n, 0);
	CHECK(wp_pinned_memory_read(&own, at_pages, got, 1) && got[0] == 8);
	CHECK(wp_pinned_memory_read(&own, at_pages + page, got, 1));
	CHECK_U64(own.calls, 1);
	CHECK(!wp_pinned_memory_read(&own, at_pages + 2 * page, got, 1));
	/* Behind one that could not be read: still to be had. */
	CHECK(wp_pinned_memory_read(&own, at_pages + 3 * page, got, 1) && got[0] == 7);
	CHECK_U64(own.touched.n, 3);
	munmap(pages, 4 * page);
}

int main(void)
{
	RUN(test_queue);
	RUN(test_plans);
	RUN(test_thread_pointers);
	RUN(test_code);
	RUN(test_memory);
	return check_done();
}
