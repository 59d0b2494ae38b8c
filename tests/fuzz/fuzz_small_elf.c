/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_small_elf: the libelf of wperf.exe: every header, section, string, symbol and relocation of
 * a file of any bytes, before and after its sections are inflated. */
#include "windows/small_elf.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ENTRIES  2000
#define MOST_INFLATED (1u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What is said to be there can be read. */
static void read_all(const struct wp_small_elf_data *data)
{
	volatile uint8_t sum = 0;

	for (size_t i = 0; data && data->d_buf && i < data->d_size; i++)
		sum = (uint8_t)(sum + ((const uint8_t *)data->d_buf)[i]);
}

static void read_section(struct wp_small_elf *elf, struct wp_small_elf_section *section)
{
	const struct wp_small_elf_data *data = wp_small_elf_data(section);
	Elf64_Shdr header;
	Elf64_Sym symbol;
	Elf64_Rela rela;
	Elf64_Dyn dynamic;
	size_t names;

	wp_small_elf_section_header(section, &header);
	if (wp_small_elf_names(elf, &names) == 0) {
		const char *name = wp_small_elf_string(elf, names, header.sh_name);

		if (name && strlen(name) > header.sh_size + (1u << 30))
			abort();
	}
	read_all(wp_small_elf_raw(section));
	read_all(data);
	for (int i = 0; i < MOST_ENTRIES; i++) {
		wp_small_elf_symbol(data, i, &symbol);
		wp_small_elf_rela(data, i, &rela);
		wp_small_elf_dynamic(data, i, &dynamic);
	}
}

static void inflate_section(struct wp_small_elf_section *section)
{
	Elf64_Chdr header;

	if (wp_small_elf_compression(section, &header) && header.ch_size <= MOST_INFLATED &&
	    wp_small_elf_inflate(section) == 1 &&
	    wp_small_elf_raw(section)->d_size != header.ch_size)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t *copy = malloc(size ? size : 1);
	struct wp_small_elf *elf;
	size_t n;

	memcpy(copy, data, size);
	elf = wp_small_elf_new(copy, size);
	if (elf) {
		struct wp_small_elf_section *section = NULL;
		Elf64_Phdr segment;

		if (wp_small_elf_segments(elf, &n) == 0)
			for (size_t i = 0; i < n; i++)
				wp_small_elf_segment(elf, (int)i, &segment);
		while ((section = wp_small_elf_next(elf, section))) {
			read_section(elf, section);
			inflate_section(section);
			read_section(elf, section);
		}
	}
	wp_small_elf_free(elf);
	free(copy);
	return 0;
}
