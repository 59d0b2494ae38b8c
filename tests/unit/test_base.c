/* SPDX-License-Identifier: BSD-3-Clause */
/* The containers and readers of src/base. */
#include "check.h"

#include "base/arena.h"
#include "base/bytes.h"
#include "base/file.h"
#include "base/log.h"
#include "base/map.h"
#include "base/str.h"
#include "base/strpool.h"
#include "base/utf8.h"
#include "base/vec.h"
#include "base/writer.h"

#include <errno.h>
#include <unistd.h>

static void test_err(void)
{
	struct wp_err *err = wp_err_os(ENOENT, "cannot open %s", "x");

	err = wp_err_prefix(err, "module %d", 3);
	CHECK_STR(err->text, "module 3: cannot open x: No such file or directory");
	CHECK_U64(err->os_errno, ENOENT);
	wp_err_free(err);
	CHECK(wp_err_prefix(NULL, "x") == NULL);
}

static void test_vec(void)
{
	WP_VEC(int) v = {0};
	int sum = 0;

	for (int i = 0; i < 1000; i++)
		wp_vec_push(&v, i);
	wp_vec_each (int, it, &v)
		sum += *it;
	CHECK_U64(sum, 499500);
	wp_vec_deinit(&v);
	CHECK_U64(v.n, 0);
}

static void test_map(void)
{
	struct wp_map map = {0};

	CHECK(!wp_map_get(&map, 0));
	for (uint64_t i = 0; i < 10000; i++)
		*wp_map_put(&map, i * 4096) += i;
	CHECK_U64(map.n, 10000);
	CHECK_U64(*wp_map_get(&map, 77 * 4096), 77);
	CHECK(!wp_map_get(&map, 1));
	wp_map_deinit(&map);
}

static void test_arena(void)
{
	struct wp_arena arena = {0};
	char *first = wp_arena_strdup(&arena, "first");
	char *big = wp_arena_alloc(&arena, 1 << 20);

	memset(big, 1, 1 << 20);
	CHECK_STR(wp_arena_printf(&arena, "%d-%s", 7, "x"), "7-x");
	CHECK_STR(wp_arena_strndup(&arena, "abcdef", 3), "abc");
	CHECK_STR(first, "first");
	wp_arena_deinit(&arena);
}

static void test_strpool(void)
{
	struct wp_strpool pool = {0};
	uint32_t a = wp_strpool_id(&pool, "a"), b = wp_strpool_id(&pool, "b");

	CHECK(a != b);
	CHECK_U64(wp_strpool_id(&pool, "a"), a);
	CHECK_STR(wp_strpool_get(&pool, b), "b");
	wp_strpool_deinit(&pool);
}

static void test_str(void)
{
	uint64_t v = 42;

	CHECK(wp_str_to_u64("123", 10, 1000, &v));
	CHECK_U64(v, 123);
	CHECK(wp_str_to_u64("0x1F", 0, 1000, &v));
	CHECK_U64(v, 31);
	CHECK(!wp_str_to_u64("", 10, 1000, &v));
	CHECK(!wp_str_to_u64("-1", 10, 1000, &v));
	CHECK(!wp_str_to_u64(" 1", 10, 1000, &v));
	CHECK(!wp_str_to_u64("1x", 10, 1000, &v));
	CHECK(!wp_str_to_u64("1001", 10, 1000, &v));
	CHECK(!wp_str_to_u64("99999999999999999999999", 10, UINT64_MAX, &v));
	CHECK_U64(v, 31);
	CHECK(wp_str_has_prefix("abc", "ab") && !wp_str_has_prefix("a", "ab"));
	CHECK(wp_str_has_suffix("abc", "bc") && !wp_str_has_suffix("c", "bc"));
	CHECK_STR(wp_str_basename("/a/b"), "b");
	CHECK_U64(wp_str_distance("cycels", "cycles", 3), 1);
	CHECK_U64(wp_str_distance("abc", "abc", 3), 0);
	CHECK_U64(wp_str_distance("abcdef", "uvwxyz", 3), 4);
}

static void test_bytes(void)
{
	const uint8_t data[] = {1, 2, 0, 3, 0, 0, 0, 'h', 'i', 0, 9};
	struct wp_bytes b = wp_bytes_of(data, sizeof(data));

	CHECK_U64(wp_bytes_u8(&b), 1);
	CHECK_U64(wp_bytes_u16(&b), 2);
	CHECK_U64(wp_bytes_u32(&b), 3);
	CHECK_STR(wp_bytes_str(&b, 10), "hi");
	CHECK_U64(wp_bytes_left(&b), 1);
	CHECK_U64(wp_bytes_u16(&b), 0);
	CHECK(b.failed);
	CHECK_U64(wp_bytes_u8(&b), 0); /* failed for good */
	b = wp_bytes_of(data, 9);
	wp_bytes_seek(&b, 7);
	CHECK(!wp_bytes_str(&b, 10) && b.failed);
	b = wp_bytes_of(data, sizeof(data));
	wp_bytes_skip(&b, UINT64_MAX);
	CHECK(b.failed);
	b = wp_bytes_of(data, sizeof(data));
	CHECK(wp_bytes_sub(&b, 12).failed && b.failed);
}

/* What one log keeps, another one is told; no name gets at the terminal. */
static void test_log(void)
{
	struct wp_log_kept first = {0}, second = {0};

	wp_log(wp_log_keep(&first), WP_LOG_NOTE, "no %s", "a\33[2J\xc2\x9b\tb\nc\xc3\xa9");
	wp_log(&first.log, WP_LOG_VERBOSE, "more");
	wp_log_tell(&first, wp_log_keep(&second));
	CHECK_U64(first.lines.n, 0);
	CHECK_U64(second.lines.n, 2);
	CHECK_STR(second.lines.v[0].text, "no a?[2J??\tb\nc\xc3\xa9");
	CHECK_U64(second.lines.v[1].level, WP_LOG_VERBOSE);
	wp_log_tell(&second, NULL);
}

static void test_utf8(void)
{
	static const char *const bad[] = {"\x80",
					  "\xc1\x81",
					  "\xc3",
					  "\xe0\x9f\x80",
					  "\xed\xa0\x80",
					  "\xf4\x90\x80\x80",
					  "\xf5\x80\x80\x80",
					  "\xe2\x82(",
					  ""};
	static const uint32_t chars[] = {1,	 0x7f,	 0x80,	 0x7ff,	  0x800,
					 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff};
	uint32_t c = 0;
	char out[WP_UTF8_MAX];

	for (size_t i = 0; i < WP_ARRAY_LEN(bad); i++)
		CHECK_U64(wp_utf8_get(bad[i], strlen(bad[i]), &c), 0);
	for (size_t i = 0; i < WP_ARRAY_LEN(chars); i++) {
		size_t n = wp_utf8_put(out, chars[i]);

		CHECK_U64(wp_utf8_get(out, n, &c), n);
		CHECK_U64(c, chars[i]);
		CHECK_U64(wp_utf8_get(out, n - 1, &c), 0);
	}
	CHECK_U64(wp_utf8_put(out, 0x20ac), 3);
	CHECK(memcmp(out, "\xe2\x82\xac", 3) == 0);
}

static void check_columns(const char *text, size_t width, size_t columns, size_t bytes)
{
	CHECK_U64(wp_utf8_width(text, strlen(text)), width);
	CHECK_U64(wp_utf8_bytes(text, columns), bytes);
}

static void test_columns(void)
{
	check_columns("abc", 3, 2, 2);
	check_columns("abc", 3, 9, 3);
	check_columns("\xc3\xa9t\xc3\xa9", 3, 2, 3);	    /* \u00e9 */
	check_columns("e\xcc\x81t", 2, 1, 3);		    /* e and U+0301, its accent */
	check_columns("\xe6\x97\xa5\xe6\x9c\xac", 4, 3, 3); /* U+65E5, U+672C: wide */
	check_columns("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", 2, 2, 9); /* Hangul in three parts */
	check_columns("\xf0\x9f\x90\x8d.py", 5, 2, 4);			/* U+1F40D, a snake */
	check_columns("a\xff\x62", 3, 2, 2);				/* no UTF-8 */
	check_columns("", 0, 0, 0);
	CHECK_U64(wp_utf8_columns(0x7f), 1);
	CHECK_U64(wp_utf8_columns(0xad), 1);
	CHECK_U64(wp_utf8_columns(0x200d), 0);
	CHECK_U64(wp_utf8_columns(0x3000), 2);
	CHECK_U64(wp_utf8_columns(0xff71), 1); /* half-width kana */
	CHECK_U64(wp_utf8_columns(0x10ffff), 1);
}

static void test_writer(void)
{
	struct wp_str str = {0};
	struct wp_writer *w = wp_writer_of_str(&str);

	wp_writer_puts(w, "a");
	wp_writer_printf(w, "%d", 5);
	CHECK_OK(wp_writer_close(w));
	CHECK_STR(str.s, "a5");
	wp_str_deinit(&str);
	CHECK_ERR(wp_writer_open("/nonexistent/x", &w), "Unable to open /nonexistent/x");
	CHECK_OK(wp_writer_open("/dev/full", &w));
	wp_writer_puts(w, "lost");
	CHECK_ERR(wp_writer_close(w), "cannot write /dev/full: No space left on device");
}

static void test_file(void)
{
	char *text;
	size_t size;
	uint64_t pid_max;

	CHECK_OK(wp_file_read("/proc/self/stat", 1 << 16, &text, &size));
	CHECK(size > 0 && text[size] == '\0');
	free(text);
	CHECK_ERR(wp_file_read("/proc/self/maps", 16, &text, &size), "larger than 16 bytes");
	CHECK(wp_file_u64("/proc/sys/kernel/pid_max", 10, &pid_max) && pid_max > 1);
	CHECK(!wp_file_u64("/proc/self/stat", 10, &pid_max));
}

/* Against a plain array: keys that probe over each other come and go. */
static void test_map_remove(void)
{
	struct wp_map map = {0};
	uint64_t want[512] = {0}, seed = 1;
	size_t n = 0;

	for (int i = 0; i < 20000; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		size_t key = seed >> 40 & 511;

		if (seed >> 33 & 1) {
			*wp_map_put(&map, key) = want[key] = seed | 1;
		} else {
			wp_map_remove(&map, key);
			want[key] = 0;
		}
	}
	for (size_t key = 0; key < 512; key++) {
		const uint64_t *value = wp_map_get(&map, key);

		n += want[key] != 0;
		CHECK(value ? *value == want[key] : !want[key]);
	}
	CHECK_U64(map.n, n);
	wp_map_deinit(&map);
	wp_map_remove(&map, 1);
	CHECK(!wp_map_get(&map, 1));
}

int main(void)
{
	RUN(test_err);
	RUN(test_vec);
	RUN(test_map);
	RUN(test_arena);
	RUN(test_strpool);
	RUN(test_str);
	RUN(test_bytes);
	RUN(test_utf8);
	RUN(test_columns);
	RUN(test_log);
	RUN(test_writer);
	RUN(test_file);
	RUN(test_map_remove);
	return check_done();
}
