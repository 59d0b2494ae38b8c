/* SPDX-License-Identifier: BSD-3-Clause */
/* python_seen: what is met comes back in the next run, the newest first; what is not ours does not.
 */
#include "session/follow/python_seen.h"

#include "check.h"

#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/wperf-test-seen-XXXXXX";
static char folder[64], list[80], self[PATH_MAX];

static void put_list(const char *text)
{
	FILE *file = fopen(list, "w");

	if (file) {
		fputs(text, file);
		fclose(file);
		chmod(list, 0600);
	}
}

/* How many are remembered; the first one must be this, when it is not NULL. */
static size_t count_seen(const char *first)
{
	struct wp_python_seen seen = {0};
	size_t n;

	wp_python_seen_read(&seen);
	n = seen.paths.n;
	if (first)
		CHECK_STR(n ? seen.paths.v[0] : "", first);
	wp_python_seen_deinit(&seen);
	return n;
}

static void meet_self(void)
{
	struct wp_python_seen seen = {0};

	wp_python_seen_read(&seen);
	wp_python_seen_meet(&seen, (uint32_t)getpid());
	wp_python_seen_write(&seen);
	wp_python_seen_deinit(&seen);
}

static void test_first(void)
{
	struct wp_python_seen off = {0};

	CHECK_U64(count_seen(NULL), 0);
	wp_python_seen_meet(&off, (uint32_t)getpid());
	CHECK_U64(off.paths.n, 0);
	meet_self();
	CHECK_U64(count_seen(self), 1);
	meet_self();
	CHECK_U64(count_seen(self), 1);
}

static void test_order(void)
{
	char text[PATH_MAX + 64];

	put_list("/1\n/2\n/3\n/4\n/5\n/6\n/7\n/8\n/9\n");
	CHECK_U64(count_seen("/1"), WP_PYTHONS_SEEN);
	meet_self();
	CHECK_U64(count_seen(self), WP_PYTHONS_SEEN);
	snprintf(text, sizeof(text), "/1\n%s\n/2\n", self);
	put_list(text);
	meet_self();
	CHECK_U64(count_seen(self), 3);
}

static void test_not_ours(void)
{
	put_list("relative\n\n../up\n/1\n");
	CHECK_U64(count_seen("/1"), 1);
	chmod(list, 0622);
	CHECK_U64(count_seen(NULL), 0);
	chmod(list, 0600);
	CHECK_U64(count_seen("/1"), 1);
	chmod(folder, 0777);
	CHECK_U64(count_seen(NULL), 0);
	chmod(folder, 0700);
	CHECK(truncate(list, 1 << 20) == 0);
	CHECK_U64(count_seen(NULL), 0);
	unlink(list);
	CHECK(symlink(self, list) == 0);
	CHECK_U64(count_seen(NULL), 0);
	unlink(list);
}

int main(void)
{
	ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
	char wperf[48];

	if (n <= 0 || !mkdtemp(root))
		return 1;
	setenv("XDG_CACHE_HOME", root, 1);
	snprintf(wperf, sizeof(wperf), "%s/wperf", root);
	snprintf(folder, sizeof(folder), "%s/python", wperf);
	snprintf(list, sizeof(list), "%s/seen", folder);
	RUN(test_first);
	RUN(test_order);
	RUN(test_not_ours);
	rmdir(folder);
	rmdir(wperf);
	rmdir(root);
	return check_done();
}
