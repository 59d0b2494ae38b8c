/* SPDX-License-Identifier: BSD-3-Clause */
/* ld_cache: the loader's cache, whole, behind the old one, and damaged. */
#include "format/elf/ld_cache.h"

#include "base/str.h"
#include "check.h"

#ifdef __aarch64__
#define OWN 0x0a03
#else
#define OWN 0x0303
#endif

static void put_u32(struct wp_str *out, uint32_t value)
{
	wp_str_append(out, (const char *)&value, sizeof(value));
}

static void put_entry(struct wp_str *out, uint32_t flags, uint32_t key, uint32_t value)
{
	put_u32(out, flags);
	put_u32(out, key);
	put_u32(out, value);
	wp_str_pad(out, '\0', 12);
}

/* Two of the same name: one of another kind of machine before ours. */
static void put_cache(struct wp_str *out)
{
	static const char strings[] = "liba.so.1\0/other/liba.so.1\0/lib/liba.so.1";
	const uint32_t at = 48 + 2 * 24;

	wp_str_puts(out, "glibc-ld.so.cache1.1");
	put_u32(out, 2);
	put_u32(out, sizeof(strings));
	wp_str_pad(out, '\0', 20);
	put_entry(out, 1, at, at + 10);
	put_entry(out, OWN, at, at + 27);
	wp_str_append(out, strings, sizeof(strings));
}

static void test_find(void)
{
	wp_autostr struct wp_str cache = {0}, behind = {0};

	put_cache(&cache);
	CHECK_STR(wp_ld_cache_find(cache.s, cache.len, "liba.so.1"), "/lib/liba.so.1");
	CHECK(!wp_ld_cache_find(cache.s, cache.len, "liba.so"));
	wp_str_append(&behind, "ld.so-1.7.0", 12);
	put_u32(&behind, 1);
	wp_str_pad(&behind, '\0', 12 + 4);
	wp_str_append(&behind, cache.s, cache.len);
	CHECK_STR(wp_ld_cache_find(behind.s, behind.len, "liba.so.1"), "/lib/liba.so.1");
}

static void test_damaged(void)
{
	wp_autostr struct wp_str cache = {0};

	put_cache(&cache);
	for (size_t n = 0; n < cache.len; n++) {
		char *part = malloc(n + 1);

		memcpy(part, cache.s, n);
		CHECK(!wp_ld_cache_find(part, n, "liba.so.1"));
		free(part);
	}
	cache.s[20] = '\xff'; /* entries that are not there */
	CHECK_STR(wp_ld_cache_find(cache.s, cache.len, "liba.so.1"), "/lib/liba.so.1");
	CHECK(!wp_ld_cache_find(cache.s, cache.len, "libb.so.1"));
}

int main(void)
{
	RUN(test_find);
	RUN(test_damaged);
	return check_done();
}
