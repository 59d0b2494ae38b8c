/* SPDX-License-Identifier: BSD-3-Clause */
/* Each map is put there once, by whichever thread; a refusal is told; none stays open. */
#include "source/bpf/bpf_publish.h"

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENTRIES 100 /* more than threads */
#define REFUSED 70

static int times[ENTRIES];

static int put(const struct wp_bpf_entry *entry)
{
	if (entry->outer < 0 && entry->index == REFUSED)
		return -ENOMEM;
	times[entry->index] += fcntl(entry->inner, F_GETFD) >= 0; /* each index is one thread's */
	return 0;
}

static void test_nothing(void)
{
	struct wp_bpf_publish publish = {.put = put};

	CHECK(wp_bpf_publish_all(&publish) == 0);
	wp_bpf_publish_deinit(&publish);
}

static void add_files(struct wp_bpf_publish *publish, int outer, int *inner)
{
	memset(times, 0, sizeof(times));
	for (uint32_t i = 0; i < ENTRIES; i++) {
		inner[i] = open("/dev/null", O_RDONLY | O_CLOEXEC);
		CHECK(inner[i] >= 0);
		wp_bpf_publish_add(publish, (struct wp_bpf_entry){outer, inner[i], i});
	}
}

static void check_all(const int *inner, int put_times)
{
	for (uint32_t i = 0; i < ENTRIES; i++) {
		CHECK(fcntl(inner[i], F_GETFD) < 0 && errno == EBADF);
		CHECK(times[i] == (i == REFUSED && put_times < 0 ? 0 : abs(put_times)));
	}
}

static void test_put(void)
{
	struct wp_bpf_publish publish = {.put = put};
	int inner[ENTRIES];

	add_files(&publish, 1, inner);
	CHECK(wp_bpf_publish_all(&publish) == 0);
	check_all(inner, 1);
	CHECK(wp_bpf_publish_all(&publish) == 0); /* of none */
	check_all(inner, 1);
	wp_bpf_publish_deinit(&publish);
}

static void test_refused(void)
{
	struct wp_bpf_publish publish = {.put = put};
	int inner[ENTRIES];

	add_files(&publish, -1, inner);
	CHECK(wp_bpf_publish_all(&publish) == -ENOMEM);
	check_all(inner, -1);
	CHECK(wp_bpf_publish_all(&publish) == 0);
	wp_bpf_publish_deinit(&publish);
}

static void test_not_asked(void)
{
	struct wp_bpf_publish publish = {.put = put};
	int inner[ENTRIES];

	add_files(&publish, 1, inner);
	wp_bpf_publish_deinit(&publish);
	check_all(inner, 0);
}

int main(void)
{
	RUN(test_nothing);
	RUN(test_put);
	RUN(test_refused);
	RUN(test_not_asked);
	return check_done();
}
