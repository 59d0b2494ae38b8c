/* SPDX-License-Identifier: BSD-3-Clause */
/* test_thread_names: a thread has its program's name, else the kernel's; neither is passed on for
 * long. */
#include "check.h"
#include "aggregate/thread_names.h"

static struct wp_thread_names names;

static void comm(uint32_t tid, const char *name, bool exec)
{
	struct wp_record record = {.kind = WP_RECORD_COMM, .pid = 7, .tid = tid};

	record.comm = (struct wp_record_comm){name, exec};
	wp_thread_names_record(&names, &record);
}

static void name(uint32_t tid, const char *text)
{
	struct wp_record record = {.kind = WP_RECORD_NAME, .pid = 7, .tid = tid};

	record.named.name = text;
	wp_thread_names_record(&names, &record);
}

static void fork_thread(uint32_t parent, uint32_t tid)
{
	struct wp_record record = {.kind = WP_RECORD_FORK, .pid = 7, .tid = tid};

	record.fork = (struct wp_record_fork){7, parent};
	wp_thread_names_record(&names, &record);
}

static void test_names(void)
{
	struct wp_arena arena = {0};

	CHECK(!wp_thread_names_get(&names, 7));
	comm(7, "python3", false);
	CHECK_STR(wp_thread_names_get(&names, 7), "python3");
	name(7, "MainThread");
	CHECK_STR(wp_thread_names_get(&names, 7), "MainThread");
	CHECK_STR(wp_thread_names_comm(&names, 7), "python3");
	fork_thread(7, 8);
	CHECK_STR(wp_thread_names_get(&names, 8), "python3");
	name(8, "worker");
	name(8, "renamed");
	CHECK_STR(wp_thread_names_get(&names, 8), "renamed");
	fork_thread(7, 8); /* the number is another thread's now */
	CHECK_STR(wp_thread_names_get(&names, 8), "python3");
	comm(7, "ls", true);
	CHECK_STR(wp_thread_names_get(&names, 7), "ls");
	name(9, "only");
	CHECK_STR(wp_thread_names_get(&names, 9), "only");
	CHECK(!wp_thread_names_comm(&names, 9));
	CHECK_STR(wp_thread_names_text(&names, 9, &arena), "only 9");
	CHECK_STR(wp_thread_names_text(&names, 10, &arena), "10");
	name(9, "a name that is longer than forty columns are");
	CHECK_STR(wp_thread_names_text(&names, 9, &arena),
		  "a name that is longer than forty columns... 9");
	wp_arena_deinit(&arena);
	wp_thread_names_deinit(&names);
}

int main(void)
{
	RUN(test_names);
	return check_done();
}
