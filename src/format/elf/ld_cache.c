/* SPDX-License-Identifier: BSD-3-Clause */
/* ld_cache: see ld_cache.h. */
#include "format/elf/ld_cache.h"

#define OLD_MAGIC	"ld.so-1.7.0"
#define OLD_ENTRY_BYTES 12
#define NEW_MAGIC	"glibc-ld.so.cache1.1"
#define HEADER_REST	20 /* flags, padding, extensions, three unused words */

/* FLAG_ELF_LIBC6 with the kind of machine (dl-cache.h). */
#if defined(__aarch64__)
#define OWN_FLAGS 0x0a03
#else
#define OWN_FLAGS 0x0303
#endif

static bool is_magic(struct wp_bytes *b, const char *magic)
{
	const void *found = wp_bytes_take(b, strlen(magic));

	return found && memcmp(found, magic, strlen(magic)) == 0;
}

/* The new format begins behind the old one, at a multiple of 8. */
static struct wp_bytes skip_old(const void *bytes, size_t size)
{
	struct wp_bytes b = wp_bytes_of(bytes, size);
	uint64_t end;

	if (!is_magic(&b, OLD_MAGIC))
		return wp_bytes_of(bytes, size);
	wp_bytes_skip(&b, 1);
	end = 16 + (uint64_t)wp_bytes_u32(&b) * OLD_ENTRY_BYTES;
	wp_bytes_seek(&b, (end + 7) & ~7ull);
	return wp_bytes_of((const uint8_t *)bytes + b.pos, wp_bytes_left(&b));
}

static const char *cache_string_at(const struct wp_bytes *table, uint32_t offset)
{
	struct wp_bytes b = *table;

	wp_bytes_seek(&b, offset);
	return wp_bytes_str(&b, 4096);
}

const char *wp_ld_cache_find(const void *bytes, size_t size, const char *name)
{
	const struct wp_bytes table = skip_old(bytes, size);
	struct wp_bytes b = table;
	uint32_t n;

	if (!is_magic(&b, NEW_MAGIC))
		return NULL;
	n = wp_bytes_u32(&b);
	wp_bytes_skip(&b, 4 + HEADER_REST); /* the strings' length, and what follows it */
	while (n-- && wp_bytes_left(&b) >= 24) {
		uint32_t flags = wp_bytes_u32(&b), key = wp_bytes_u32(&b);
		uint32_t value = wp_bytes_u32(&b);
		const char *found = flags == OWN_FLAGS ? cache_string_at(&table, key) : NULL;

		wp_bytes_skip(&b, 4 + 8); /* the kernel's version, what the CPU must have */
		if (found && strcmp(found, name) == 0)
			return cache_string_at(&table, value);
	}
	return NULL;
}
