/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/dir.h"
#include "base/file.h"
#include "base/scratch_file.h"
#include "check.h"
#include "resolve/find/mapped_file.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static const char folder[] = "größe 東京";
static const char file[] = "größe 東京/naïve.txt";

static void put_file(const char *path, const char *text)
{
	wp_autoclose int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

	CHECK(fd >= 0 && write(fd, text, (unsigned int)strlen(text)) == (int)strlen(text));
}

static void test_names(void)
{
	wp_autofree char *text = NULL, *whole = NULL;
	wp_autodir struct wp_dir dir = {0};
	char here[PATH_MAX];
	struct stat st;
	size_t size;

	CHECK(mkdir(folder, 0777) == 0 && mkdir(folder, 0777) == -1 && errno == EEXIST);
	put_file(file, "a\nb\r\n\x1a"
		       "c");
	CHECK_OK(wp_file_read(file, 100, &text, &size));
	CHECK(size == 7 && memcmp(text,
				  "a\nb\r\n\x1a"
				  "c",
				  7) == 0);
	CHECK(stat(file, &st) == 0 && S_ISREG(st.st_mode) && st.st_size == 7 && st.st_ino);
	CHECK(st.st_uid == geteuid() && time(NULL) - st.st_mtime < 3600);
	CHECK(stat(folder, &st) == 0 && S_ISDIR(st.st_mode));
	wp_dir_list(folder, &dir);
	CHECK(dir.names.n == 1);
	CHECK_STR(dir.names.v[0], "naïve.txt");
	whole = realpath(file, NULL);
	CHECK(getcwd(here, sizeof(here)) && whole && strncmp(whole, here, strlen(here)) == 0);
	CHECK(access(file, R_OK) == 0 && access("größe", R_OK) == -1 && errno == ENOENT);
}

static void test_replaced(void)
{
	static const char other[] = "größe 東京/other";
	wp_autofree char *text = NULL;
	char draft[] = "draft.XXXXXX";
	int fd;

	put_file(other, "new");
	wp_autoclose int open_one = open(other, O_RDWR | O_CLOEXEC);
	CHECK(open_one >= 0 && rename(other, file) == 0 && access(other, F_OK) == -1);
	CHECK_OK(wp_file_read(file, 100, &text, NULL));
	CHECK_STR(text, "new");
	CHECK(rename("none", file) == -1 && errno == ENOENT);
	fd = mkostemp(draft, O_CLOEXEC);
	CHECK(fd >= 0 && !strchr(draft, 'X') && access(draft, F_OK) == 0);
	close(fd);
	CHECK(unlink(draft) == 0 && unlink(draft) == -1 && errno == ENOENT);
}

static void test_places(void)
{
	wp_autoclose int fd = wp_scratch_file_open();
	char buf[8] = "";
	struct stat st;

	CHECK(fd >= 0 && write(fd, "abc", 3) == 3);
	CHECK(pwrite(fd, "Z", 1, 1) == 1 && pread(fd, buf, 8, 0) == 3);
	CHECK_STR(buf, "aZc");
	CHECK(pread(fd, buf, 8, 3) == 0 && pread(fd, buf, 8, -1) == -1);
	CHECK(pwrite(fd, "x", 1, (off_t)3 << 30) == 1 && fstat(fd, &st) == 0);
	CHECK_U64((uint64_t)st.st_size, ((uint64_t)3 << 30) + 1);
	CHECK(ftruncate(fd, 2) == 0 && fstat(fd, &st) == 0 && st.st_size == 2);
}

/* What a recording names is a file of this machine, or nothing. */
static void test_strangers_names(void)
{
	static const char *const refused[] = {
		"//server/share/x",
		"\\\\server\\share\\x",
		"/\\server/share/x",
		"C://server/x",
		"/?\?/UNC/server/x",
		"/a:stream",
		"/none",
		"",
		"/",
	};
	wp_autofree char *whole = realpath(file, NULL);
	wp_autoclose int fd = wp_mapped_file_path(0, whole);

	CHECK(fd >= 0);
	for (size_t i = 0; i < WP_ARRAY_LEN(refused); i++)
		CHECK(wp_mapped_file_path(0, refused[i]) == -1);
	CHECK(wp_mapped_file_path(0, folder) == -1);
	CHECK(wp_mapped_file_path(0, "NUL") == -1);
}

static void test_texts(void)
{
	char words[] = "a,,b", *rest = words;
	wp_autofree char *part = strndup("abc", 2);

	CHECK_STR(strsep(&rest, ","), "a");
	CHECK_STR(strsep(&rest, ","), "");
	CHECK_STR(strsep(&rest, ","), "b");
	CHECK(!strsep(&rest, ","));
	CHECK_STR(part, "ab");
	CHECK_STR(strcasestr("xAbC", "bc"), "bC");
	CHECK(!strcasestr("x", "xy"));
	CHECK_STR(memmem("aab", 4, "ab", 2), "ab");
	CHECK(!memmem("aab", 2, "ab", 2) && memmem("a", 1, "", 0));
	CHECK_STR(sigabbrev_np(11), "SEGV");
	CHECK(!sigabbrev_np(0) && !sigabbrev_np(32));
}

static void test_patterns(void)
{
	static const struct {
		const char *pattern, *name;
		int flags, want;
	} all[] = {
		{"a*c", "abbc", 0, 0},
		{"a*c", "abb", 0, FNM_NOMATCH},
		{"*", "", 0, 0},
		{"?", "", 0, FNM_NOMATCH},
		{"a?c", "abc", 0, 0},
		{"[a-c]x", "bx", 0, 0},
		{"[!a-c]x", "bx", 0, FNM_NOMATCH},
		{"[]]", "]", 0, 0},
		{"[a", "[a", 0, 0},
		{"\\*", "*", 0, 0},
		{"\\*", "a", 0, FNM_NOMATCH},
		{"ABC", "abc", FNM_CASEFOLD, 0},
		{"*a*b*c", "xaybzc", 0, 0},
		{"*ab", "aab", 0, 0},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(all); i++)
		if (fnmatch(all[i].pattern, all[i].name, all[i].flags) != all[i].want)
			CHECK_STR(all[i].pattern, all[i].name);
}

static int compare_tens(const void *a, const void *b)
{
	return *(const int *)a / 10 - *(const int *)b / 10;
}

static void test_sort(void)
{
	int v[] = {31, 12, 30, 11, 32, 10}, sum = 0;

	qsort(v, 0, sizeof(*v), compare_tens);
	qsort(v, WP_ARRAY_LEN(v), sizeof(*v), compare_tens);
	for (size_t i = 0; i < WP_ARRAY_LEN(v); i++)
		sum = sum * 10 + v[i] % 10;
	CHECK_U64((unsigned long long)sum, 210102);
}

static void test_system(void)
{
	struct utsname system;

	CHECK(uname(&system) == 0);
	CHECK_STR(system.sysname, "Windows");
	CHECK(sysconf(_SC_PAGESIZE) == 4096 && sysconf(_SC_PHYS_PAGES) > 1000);
	CHECK(sysconf(_SC_NPROCESSORS_ONLN) > 0 && sysconf(-7) == -1);
}

int main(void)
{
	test_names();
	test_replaced();
	test_places();
	test_strangers_names();
	test_texts();
	test_patterns();
	test_sort();
	test_system();
	CHECK(unlink(file) == 0 && access(file, F_OK) == -1);
	return check_done();
}
