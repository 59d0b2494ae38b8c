/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_usdt: the notes of markers, whole and damaged. */
#include "format/elf/elf_usdt.h"

#include "base/str.h"
#include "check.h"

static void put_u32(struct wp_str *out, uint32_t value)
{
	wp_str_append(out, (const char *)&value, sizeof(value));
}

static void put_u64(struct wp_str *out, uint64_t value)
{
	wp_str_append(out, (const char *)&value, sizeof(value));
}

static void put_note(struct wp_str *out, const char *owner, uint64_t location, const char *texts,
		     size_t n)
{
	put_u32(out, 8);
	put_u32(out, (uint32_t)(24 + n));
	put_u32(out, 3);
	wp_str_append(out, owner, 8);
	put_u64(out, location);
	put_u64(out, 0x1000);
	put_u64(out, 0x3002);
	wp_str_append(out, texts, n);
	wp_str_pad(out, '\0', (4 - n % 4) % 4);
}

#define TEXTS "python\0gc__start\0-4@%edi"

static void test_notes(void)
{
	wp_autostr struct wp_str notes = {0};
	struct wp_elf_marker marker;
	struct wp_bytes b;
	uint64_t base;

	put_note(&notes, "another", 1, TEXTS, sizeof(TEXTS));
	put_note(&notes, "stapsdt", 0x2000, TEXTS, sizeof(TEXTS));
	put_note(&notes, "stapsdt", 0x2008, "p\0q\0", 5); /* no arguments */
	b = wp_bytes_of(notes.s, notes.len);
	CHECK(wp_elf_usdt_next(&b, &marker, &base));
	CHECK_STR(marker.provider, "python");
	CHECK_STR(marker.name, "gc__start");
	CHECK_STR(marker.arguments, "-4@%edi");
	CHECK_U64(marker.location, 0x2000);
	CHECK_U64(marker.semaphore, 0x3002);
	CHECK_U64(base, 0x1000);
	CHECK(wp_elf_usdt_next(&b, &marker, &base));
	CHECK_STR(marker.name, "q");
	CHECK_STR(marker.arguments, "");
	CHECK(!wp_elf_usdt_next(&b, &marker, &base));
}

static void test_damaged(void)
{
	wp_autostr struct wp_str notes = {0};
	struct wp_elf_marker marker;
	uint64_t base;

	put_note(&notes, "stapsdt", 0x2000, TEXTS, sizeof(TEXTS));
	for (size_t n = 0; n < notes.len; n++) {
		uint8_t *part = malloc(n + 1);
		struct wp_bytes b = wp_bytes_of(part, n);

		memcpy(part, notes.s, n);
		CHECK(!wp_elf_usdt_next(&b, &marker, &base));
		free(part);
	}
	memset(notes.s + 4, 0xff, 4);
	struct wp_bytes b = wp_bytes_of(notes.s, notes.len);
	CHECK(!wp_elf_usdt_next(&b, &marker, &base));
}

int main(void)
{
	RUN(test_notes);
	RUN(test_damaged);
	return check_done();
}
