/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_usdt: see elf_usdt.h. */
#include "format/elf/elf_usdt.h"

#include "format/elf/elf_sections.h"

#include <string.h>

#define NT_STAPSDT 3
#define OWNER	   "stapsdt"

static bool read_marker(struct wp_bytes b, struct wp_elf_marker *ret, uint64_t *ret_base)
{
	ret->location = wp_bytes_u64(&b);
	*ret_base = wp_bytes_u64(&b);
	ret->semaphore = wp_bytes_u64(&b);
	ret->provider = wp_bytes_str(&b, WP_ELF_USDT_NAME);
	ret->name = wp_bytes_str(&b, WP_ELF_USDT_NAME);
	ret->arguments = wp_bytes_str(&b, WP_ELF_USDT_NAME);
	return ret->provider && *ret->provider && ret->name && *ret->name && ret->arguments;
}

/* Names and descriptions of notes are padded to 4 bytes. */
static uint64_t padded_note_size(uint32_t size)
{
	return ((uint64_t)size + 3) & ~3ull;
}

bool wp_elf_usdt_next(struct wp_bytes *notes, struct wp_elf_marker *ret, uint64_t *ret_base)
{
	while (wp_bytes_left(notes) >= 12) {
		uint32_t name_size = wp_bytes_u32(notes), size = wp_bytes_u32(notes);
		uint32_t type = wp_bytes_u32(notes);
		const char *name = wp_bytes_take(notes, padded_note_size(name_size));
		struct wp_bytes body = wp_bytes_sub(notes, padded_note_size(size));

		if (!name || body.failed)
			return false;
		if (type == NT_STAPSDT && name_size == sizeof(OWNER) &&
		    memcmp(name, OWNER, sizeof(OWNER)) == 0 && read_marker(body, ret, ret_base))
			return true;
	}
	return false;
}

void wp_elf_usdt_list(Elf *elf, wp_elf_usdt_each *each, void *arg)
{
	struct wp_elf_marker marker;
	GElf_Shdr header, base = {0};
	const Elf_Data *data = wp_elf_section(elf, ".note.stapsdt", &header);
	bool has_base = wp_elf_section(elf, ".stapsdt.base", &base);
	struct wp_bytes notes;
	uint64_t noted;

	if (!data || gelf_getclass(elf) != ELFCLASS64)
		return;
	notes = wp_bytes_of(data->d_buf, data->d_size);
	while (wp_elf_usdt_next(&notes, &marker, &noted)) {
		if (has_base && noted) {
			marker.location += base.sh_addr - noted;
			marker.semaphore += marker.semaphore ? base.sh_addr - noted : 0;
		}
		each(arg, &marker);
	}
}
