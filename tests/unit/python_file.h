/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_file: ELF files that look like CPython from outside, put together in memory for the unit
 * tests: one segment from BASE on, and behind it memory that the file does not have.
 */
#ifndef WP_PYTHON_FILE_H
#define WP_PYTHON_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BASE 0x400000u
#define BSS  (BASE + 0x100000)

struct python_file {
	uint16_t machine;
	uint8_t bytes[32768];
	size_t n;
	Elf64_Shdr sections[16];
	size_t n_sections;
	char section_names[256];
	size_t section_names_n;
	Elf64_Sym symbols[32];
	size_t n_symbols;
	char names[1024];
	size_t names_n;
};

static inline void file_begin(struct python_file *f, uint16_t machine)
{
	*f = (struct python_file){.machine = machine,
				  .n = sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr),
				  .n_sections = 1,
				  .section_names_n = 1,
				  .n_symbols = 1,
				  .names_n = 1};
}

/* Puts bytes at the end, at a multiple of 16; returns their address. */
static inline uint64_t file_put(struct python_file *f, const void *bytes, size_t n)
{
	f->n = (f->n + 15) & ~(size_t)15;
	memcpy(f->bytes + f->n, bytes, n);
	f->n += n;
	return BASE + f->n - n;
}

static inline size_t file_section(struct python_file *f, const char *name, uint32_t type,
				  uint64_t flags, uint64_t addr, uint64_t size)
{
	Elf64_Shdr *h = &f->sections[f->n_sections];

	*h = (Elf64_Shdr){.sh_name = (uint32_t)f->section_names_n,
			  .sh_type = type,
			  .sh_flags = flags,
			  .sh_addr = addr,
			  .sh_offset = addr - BASE,
			  .sh_size = size};
	strcpy(f->section_names + f->section_names_n, name);
	f->section_names_n += strlen(name) + 1;
	return f->n_sections++;
}

static inline void file_symbol(struct python_file *f, const char *name, uint64_t addr,
			       uint64_t size)
{
	f->symbols[f->n_symbols++] = (Elf64_Sym){.st_name = (uint32_t)f->names_n,
						 .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
						 .st_shndx = 1,
						 .st_value = addr,
						 .st_size = size};
	strcpy(f->names + f->names_n, name);
	f->names_n += strlen(name) + 1;
}

/* Writes the tables, and the whole into a file of its own; the caller closes it. */
static inline int file_end(struct python_file *f, uint32_t symbols_type)
{
	uint64_t names = file_put(f, f->names, f->names_n);
	uint64_t symbols = file_put(f, f->symbols, f->n_symbols * sizeof(*f->symbols));
	size_t strtab = file_section(f, ".strings", SHT_STRTAB, 0, names, f->names_n);
	size_t table = file_section(f, ".symbols", symbols_type, 0, symbols,
				    f->n_symbols * sizeof(*f->symbols));

	f->sections[table].sh_link = (uint32_t)strtab;
	f->sections[table].sh_entsize = sizeof(*f->symbols);
	size_t last = file_section(f, ".shstrtab", SHT_STRTAB, 0, BASE, 0);
	f->sections[last].sh_offset = file_put(f, f->section_names, f->section_names_n) - BASE;
	f->sections[last].sh_size = f->section_names_n;
	uint64_t headers = file_put(f, f->sections, f->n_sections * sizeof(*f->sections)) - BASE;
	Elf64_Ehdr e = {.e_type = ET_DYN,
			.e_machine = f->machine,
			.e_version = 1,
			.e_phoff = sizeof(e),
			.e_shoff = headers,
			.e_ehsize = sizeof(e),
			.e_phentsize = sizeof(Elf64_Phdr),
			.e_phnum = 1,
			.e_shentsize = sizeof(Elf64_Shdr),
			.e_shnum = (uint16_t)f->n_sections,
			.e_shstrndx = (uint16_t)last};
	memcpy(e.e_ident, "\177ELF\2\1\1", 7);
	Elf64_Phdr p = {.p_type = PT_LOAD,
			.p_flags = PF_R | PF_W | PF_X,
			.p_vaddr = BASE,
			.p_filesz = f->n,
			.p_memsz = 0x200000};
	memcpy(f->bytes, &e, sizeof(e));
	memcpy(f->bytes + sizeof(e), &p, sizeof(p));
	int fd = memfd_create("python", MFD_CLOEXEC);
	return write(fd, f->bytes, f->n) == (ssize_t)f->n ? fd : -1;
}

#endif
