/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_code: see elf_code.h. */
#include "resolve/lines/elf_code.h"

#include "base/bytes.h"
#include "format/elf/elf_file.h"
#include "format/elf/elf_sections.h"
#include "resolve/lines/elf_pointers.h"

#include <stdlib.h>
#include <unistd.h>

struct wp_elf_code {
	int fd;
	struct wp_elf_file file;
	GElf_Ehdr header;
	struct wp_elf_pointers pointers;
};

struct wp_err *wp_elf_code_open(int fd, const char *path, struct wp_elf_code **ret)
{
	struct wp_elf_code *code;

	if (fd < 0)
		return wp_err_new(WP_ERR_NOT_FOUND, "%s is not here as it was mapped", path);
	code = wp_calloc(1, sizeof(*code));
	code->fd = fd;
	code->file = wp_elf_file_open(code->fd, false);
	if (!code->file.elf || !gelf_getehdr(code->file.elf, &code->header) ||
	    code->header.e_ident[EI_DATA] != ELFDATA2LSB) {
		wp_elf_code_close(code);
		return wp_err_new(WP_ERR_FORMAT, "%s is neither an ELF nor a PE file", path);
	}
	*ret = code;
	return NULL;
}

void wp_elf_code_close(struct wp_elf_code *code)
{
	if (!code)
		return;
	wp_elf_pointers_deinit(&code->pointers);
	wp_elf_file_close(&code->file);
	close(code->fd);
	free(code);
}

const char *wp_elf_code_arch(const struct wp_elf_code *code)
{
	switch (code->header.e_machine) {
	case EM_X86_64: return "x86_64";
	case EM_AARCH64: return "aarch64";
	default: return "";
	}
}

/* Debug files have the program's segments, but not what is in them. */
static bool is_left_out(const struct wp_elf_code *code, struct wp_rva rva)
{
	Elf_Scn *section = NULL;

	while ((section = elf_nextscn(code->file.elf, section))) {
		GElf_Shdr header;

		if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOBITS &&
		    header.sh_flags & SHF_EXECINSTR && rva.v >= header.sh_addr &&
		    rva.v - header.sh_addr < header.sh_size)
			return true;
	}
	return false;
}

size_t wp_elf_code_read(const struct wp_elf_code *code, struct wp_rva rva, void *ret, size_t n)
{
	size_t segments = 0;

	if (is_left_out(code, rva))
		return 0;
	elf_getphdrnum(code->file.elf, &segments);
	for (size_t i = 0; i < segments && i <= INT16_MAX; i++) {
		GElf_Phdr segment;
		uint64_t skip;
		ssize_t got;

		if (!gelf_getphdr(code->file.elf, (int)i, &segment) || segment.p_type != PT_LOAD)
			continue;
		skip = rva.v - segment.p_vaddr;
		if (rva.v < segment.p_vaddr || skip >= segment.p_filesz)
			continue;
		if (n > segment.p_filesz - skip)
			n = segment.p_filesz - skip;
		got = pread(code->fd, ret, n, (off_t)(segment.p_offset + skip));
		return got > 0 ? (size_t)got : 0;
	}
	return 0;
}

bool wp_elf_code_pointer(struct wp_elf_code *code, struct wp_rva rva, uint64_t *ret)
{
	uint8_t bytes[8];

	if (!code->pointers.loaded)
		wp_elf_pointers_load(&code->pointers, code->file.elf);
	if (wp_elf_pointers_get(&code->pointers, rva, ret))
		return true;
	if (wp_elf_code_read(code, rva, bytes, sizeof(bytes)) != sizeof(bytes))
		return false;
	*ret = wp_u64_at(bytes);
	return true;
}

bool wp_elf_code_section(const struct wp_elf_code *code, size_t index, struct wp_elf_section *ret)
{
	struct wp_elf_sections at = {.elf = code->file.elf};

	while (wp_elf_sections_next(&at)) {
		if (!(at.header.sh_flags & SHF_ALLOC) || index-- > 0)
			continue;
		*ret = (struct wp_elf_section){
			.name = at.name,
			.start = {at.header.sh_addr},
			.size = at.header.sh_size,
		};
		return true;
	}
	return false;
}
