/* SPDX-License-Identifier: BSD-3-Clause */
/* Who watches a writer hears of what the system was handed. */
#include "check.h"

#include "base/writer.h"

#include <sys/mman.h>
#include <unistd.h>

struct heard {
	int times;
	uint64_t bytes;
};

static void hear(void *arg, uint64_t bytes)
{
	struct heard *heard = arg;

	heard->times++;
	heard->bytes = bytes;
}

static void test_watch(void)
{
	static const char piece[50000];
	wp_autoclose int fd = memfd_create("written", MFD_CLOEXEC);
	struct wp_writer *out = wp_writer_of_fd(fd, "memory");
	struct heard heard = {0};

	wp_writer_watch(out, (struct wp_watch){hear, &heard});
	wp_writer_put(out, piece, sizeof(piece));
	CHECK(!heard.times);
	wp_writer_put(out, piece, sizeof(piece));
	CHECK(heard.times == 1 && heard.bytes == 2 * sizeof(piece));
	wp_writer_puts(out, "end");
	wp_writer_flush(out);
	CHECK(heard.times == 2 && heard.bytes == 2 * sizeof(piece) + 3);
	CHECK_OK(wp_writer_close(out));
}

int main(void)
{
	RUN(test_watch);
	return check_done();
}
