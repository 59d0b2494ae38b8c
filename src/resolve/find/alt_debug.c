/* SPDX-License-Identifier: BSD-3-Clause */
/* alt_debug: see alt_debug.h. */
#include "resolve/find/alt_debug.h"

#include "base/mem.h"
#include "base/str.h"
#include "format/elf/elf_bounds.h"
#include "format/elf/elf_image.h"
#include "resolve/find/mapped_file.h"

#include <elfutils/libdwelf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ROOT "/usr/lib/debug/.build-id"

/* An ELF file with DWARF in which there is nothing. */
struct nothing {
	Elf64_Ehdr head;
	Elf64_Shdr sections[3];
	char names[24];
	char info[8];
};

static void *make_nothing(void)
{
	static const char names[] = "\0.shstrtab\0.debug_info";
	struct nothing *file = wp_calloc(1, sizeof(*file));

	memcpy(file->names, names, sizeof(names));
	file->head = (Elf64_Ehdr){
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_REL,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_shoff = offsetof(struct nothing, sections),
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = WP_ARRAY_LEN(file->sections),
		.e_shstrndx = 1,
	};
	file->sections[1] = (Elf64_Shdr){
		.sh_name = 1,
		.sh_type = SHT_STRTAB,
		.sh_offset = offsetof(struct nothing, names),
		.sh_size = sizeof(names),
		.sh_addralign = 1,
	};
	file->sections[2] = (Elf64_Shdr){
		.sh_name = 11,
		.sh_type = SHT_PROGBITS,
		.sh_offset = offsetof(struct nothing, info),
		.sh_size = sizeof(file->info),
		.sh_addralign = 1,
	};
	return file;
}

/* What this path is, if it is a file of that build; else -1. */
static int open_build(const char *path, const void *id, size_t len)
{
	struct wp_file_id want = {.build_id_len = (uint8_t)len};
	int fd = wp_mapped_file_path(0, path);

	memcpy(want.build_id, id, len);
	if (fd >= 0 && !wp_mapped_file_is(fd, &want)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* Names may be relative to the folder of the file that has them. */
static int open_alt_debug(int from, const char *name, const void *id, size_t len)
{
	char link[64], path[PATH_MAX];
	ssize_t n;

	if (*name == '/')
		return open_build(name, id, len);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", from);
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0)
		return -1;
	path[n] = '\0';
	wp_autofree char *whole =
		wp_asprintf("%.*s%s", (int)(wp_str_basename(path) - path), path, name);
	return open_build(whole, id, len);
}

static int open_by_id(const uint8_t *id, size_t len)
{
	wp_autostr struct wp_str path = {0};

	wp_str_printf(&path, ROOT "/%02x/", id[0]);
	for (size_t i = 1; i < len; i++)
		wp_str_printf(&path, "%02x", id[i]);
	wp_str_puts(&path, ".debug");
	return open_build(path.s, id, len);
}

void wp_alt_debug_set(Dwarf *debug, int fd, struct wp_budget *budget, struct wp_alt_debug *ret)
{
	const char *name;
	const void *id;
	ssize_t len = dwelf_dwarf_gnu_debugaltlink(debug, &name, &id);

	*ret = (struct wp_alt_debug){.fd = -1};
	if (len <= 0)
		return;
	if (len <= WP_BUILD_ID_MAX) {
		ret->fd = open_alt_debug(fd, name, id, (size_t)len);
		if (ret->fd < 0)
			ret->fd = open_by_id(id, (size_t)len);
	}
	if (ret->fd >= 0)
		ret->elf = wp_elf_open(ret->fd);
	ret->dwarf = ret->elf ? wp_elf_bounds_dwarf(ret->elf, budget) : NULL;
	if (!ret->dwarf) {
		elf_end(ret->elf);
		ret->memory = make_nothing();
		ret->elf = wp_elf_open_memory(ret->memory, sizeof(struct nothing));
		ret->dwarf = dwarf_begin_elf(ret->elf, DWARF_C_READ, NULL);
	}
	dwarf_setalt(debug, ret->dwarf);
}

void wp_alt_debug_deinit(struct wp_alt_debug *alt)
{
	if (alt->dwarf)
		dwarf_end(alt->dwarf);
	elf_end(alt->elf);
	if (alt->fd >= 0)
		close(alt->fd);
	free(alt->memory);
}
