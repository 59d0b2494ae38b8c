/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_bounds: see elf_bounds.h. */
#include "format/elf/elf_bounds.h"

#include "base/bytes.h"
#include "base/str.h"
#include "format/elf/elf_sections.h"

#include <string.h>
#include <sys/stat.h>

#define TIMES	     32 /* btrfs and ZFS halve what is stored; DWARF is inflated to three times */
#define ALWAYS_BYTES (16u << 20)
#define MAX_BYTES    (4ull << 30)
#define LINE_TIMES   8
#define BLOCK	     512 /* of st_blocks, whatever the file system's are */

/* GNU's older form of compression: the sizes stand before the bytes. */
#define ZDEBUG	      ".zdebug_"
#define ZDEBUG_HEADER 12

uint64_t wp_elf_bounds_of(int fd)
{
	struct stat st;
	uint64_t size, real;

	if (fstat(fd, &st) != 0)
		return 0;
	size = (uint64_t)st.st_size;
	real = (uint64_t)st.st_blocks * BLOCK;
	if (!real || real > size) /* some file systems do not say */
		real = size;
	return real * TIMES + ALWAYS_BYTES;
}

/* What is written when the program runs may well be a hole, and is never read. */
static bool is_read(const GElf_Shdr *header)
{
	return header->sh_type != SHT_NOBITS && !(header->sh_flags & SHF_WRITE);
}

bool wp_elf_bounds_hold(Elf *elf, int fd)
{
	struct wp_elf_sections at = {.elf = elf};
	uint64_t left = wp_elf_bounds_of(fd);

	while (wp_elf_sections_next(&at)) {
		if (!is_read(&at.header))
			continue;
		if (at.header.sh_size > left)
			return false;
		left -= at.header.sh_size;
	}
	return true;
}

/* "ZLIB" and a big-endian size. */
static uint64_t old_size(Elf_Scn *scn)
{
	const Elf_Data *data = elf_rawdata(scn, NULL);
	uint64_t size = 0;

	/* A section without bytes in the file (SHT_NOBITS) has a size all the same. */
	if (!data || !data->d_buf || data->d_size < ZDEBUG_HEADER ||
	    memcmp(data->d_buf, "ZLIB", 4) != 0)
		return 0;
	for (int i = 4; i < ZDEBUG_HEADER; i++)
		size = size << 8 | ((const uint8_t *)data->d_buf)[i];
	return size;
}

/* What it will have when it is inflated. */
static uint64_t inflated_size(const struct wp_elf_sections *at)
{
	GElf_Chdr header;

	if (at->header.sh_flags & SHF_COMPRESSED)
		return gelf_getchdr(at->scn, &header) ? header.ch_size : 0;
	return wp_str_has_prefix(at->name, ZDEBUG) ? old_size(at->scn) : 0;
}

static bool is_strings(const char *name)
{
	return strcmp(name, ".debug_str") == 0 || strcmp(name, ".debug_line_str") == 0 ||
	       strcmp(name, ZDEBUG "str") == 0 || strcmp(name, ZDEBUG "line_str") == 0;
}

static bool ends(const struct wp_elf_sections *at)
{
	const Elf_Data *data = elf_getdata(at->scn, NULL);

	return !data || !data->d_size || !data->d_buf ||
	       ((const char *)data->d_buf)[data->d_size - 1] == '\0';
}

/* As libdw does it later. */
static bool inflate(const struct wp_elf_sections *at)
{
	if (at->header.sh_flags & SHF_COMPRESSED)
		return elf_compress(at->scn, 0, 0) >= 0;
	return elf_compress_gnu(at->scn, 0, 0) >= 0;
}

static bool may_be_read(Elf *elf)
{
	struct wp_elf_sections at = {.elf = elf};
	uint64_t have = ALWAYS_BYTES, inflated = 0;

	while (wp_elf_sections_next(&at)) {
		uint64_t size = inflated_size(&at);

		if (size > MAX_BYTES - inflated)
			return false;
		inflated += size;
		if (at.header.sh_type != SHT_NOBITS && at.header.sh_size < MAX_BYTES)
			have += at.header.sh_size * TIMES;
	}
	if (inflated > have)
		return false;
	at = (struct wp_elf_sections){.elf = elf};
	while (wp_elf_sections_next(&at))
		if (is_strings(at.name) && ((inflated_size(&at) && !inflate(&at)) || !ends(&at)))
			return false;
	return true;
}

/* Sections as they are inflated; rows of lines, which are read when a line of theirs is asked for,
 * take many times what they have in the file. */
static uint64_t count_inflated_bytes(Elf *elf)
{
	struct wp_elf_sections at = {.elf = elf};
	uint64_t bytes = 0;

	while (wp_elf_sections_next(&at)) {
		uint64_t size = inflated_size(&at);

		if (!wp_str_has_prefix(at.name, ".debug_") && !wp_str_has_prefix(at.name, ZDEBUG))
			continue;
		size = size ? size : at.header.sh_size;
		bytes += wp_str_has_suffix(at.name, "debug_line") ? size * LINE_TIMES : size;
	}
	return bytes;
}

Dwarf *wp_elf_bounds_dwarf(Elf *elf, struct wp_budget *budget)
{
	if (!may_be_read(elf) ||
	    !wp_budget_take(budget, WP_BUDGET_LINES, count_inflated_bytes(elf)))
		return NULL;
	return dwarf_begin_elf(elf, DWARF_C_READ, NULL);
}
