/* SPDX-License-Identifier: BSD-3-Clause */
/* python_elf: see python_elf.h. */
#include "runtime/python_elf.h"

#include "base/str.h"
#include "format/elf/elf_sections.h"

#include <endian.h>
#include <string.h>
#include <unistd.h>

#define MAX_SYMBOLS (16u << 20)

bool wp_python_elf_open(int fd, struct wp_python_elf *ret)
{
	struct wp_python_elf elf = {.fd = fd, .file = wp_elf_file_open(fd, false)};
	wp_autoerr struct wp_err *err = NULL;

	elf.elf = elf.file.elf;
	if (!elf.elf)
		return false;
	err = wp_elf_image_read(elf.elf, &elf.image);
	if (err || (elf.image.machine != EM_X86_64 && elf.image.machine != EM_AARCH64)) {
		wp_python_elf_close(&elf);
		return false;
	}
	*ret = elf;
	return true;
}

void wp_python_elf_close(struct wp_python_elf *elf)
{
	wp_elf_image_deinit(&elf->image);
	wp_elf_file_close(&elf->file);
}

size_t wp_python_elf_read_some(const struct wp_python_elf *elf, uint64_t addr, void *ret, size_t n)
{
	wp_vec_each (struct wp_elf_segment, s, &elf->image.segments) {
		if (addr < s->start.v || addr - s->start.v >= s->file_size)
			continue;
		uint64_t skip = addr - s->start.v, room = s->file_size - skip;
		ssize_t got = pread(elf->fd, ret, n < room ? n : (size_t)room,
				    (off_t)(s->offset.v + skip));

		return got > 0 ? (size_t)got : 0;
	}
	return 0;
}

bool wp_python_elf_read(const struct wp_python_elf *elf, uint64_t addr, void *ret, size_t n)
{
	return wp_python_elf_read_some(elf, addr, ret, n) == n;
}

bool wp_python_elf_u64(const struct wp_python_elf *elf, uint64_t addr, uint64_t *ret)
{
	uint64_t word;

	if (!wp_python_elf_read(elf, addr, &word, sizeof(word)))
		return false;
	*ret = le64toh(word);
	return true;
}

bool wp_python_elf_str(const struct wp_python_elf *elf, uint64_t addr, char *ret, size_t cap)
{
	size_t got = wp_python_elf_read_some(elf, addr, ret, cap);

	return memchr(ret, '\0', got) != NULL;
}

struct visitor {
	void (*take)(void *arg, const char *name, const GElf_Sym *sym);
	void *arg;
};

static void each_symbol(const struct wp_python_elf *elf, Elf_Scn *scn, const GElf_Shdr *h,
			const struct visitor *visitor)
{
	Elf_Data *data = (Elf_Data *)wp_elf_section_data(scn, h);
	const Elf_Data *strings = wp_elf_strings(elf->elf, h->sh_link);
	size_t size = gelf_fsize(elf->elf, ELF_T_SYM, 1, EV_CURRENT);
	size_t n = data && strings && size ? data->d_size / size : 0;

	for (size_t i = 1; i < n && i < MAX_SYMBOLS; i++) {
		GElf_Sym sym;

		if (gelf_getsym(data, (int)i, &sym) && sym.st_shndx != SHN_UNDEF &&
		    sym.st_name < strings->d_size)
			visitor->take(visitor->arg, (const char *)strings->d_buf + sym.st_name,
				      &sym);
	}
}

/* Every symbol of the tables of one kind. */
static void each_table(const struct wp_python_elf *elf, uint32_t type,
		       const struct visitor *visitor)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(elf->elf, scn))) {
		GElf_Shdr h;

		if (gelf_getshdr(scn, &h) && h.sh_type == type)
			each_symbol(elf, scn, &h, visitor);
	}
}

struct finder {
	struct wp_python_symbol *symbols;
	size_t n;
};

static void find_one(void *arg, const char *name, const GElf_Sym *sym)
{
	struct finder *finder = arg;

	for (size_t i = 0; i < finder->n; i++) {
		struct wp_python_symbol *want = &finder->symbols[i];

		if (!want->addr && want->name[0] == name[0] && strcmp(want->name, name) == 0) {
			want->addr = sym->st_value;
			want->size = sym->st_size;
		}
	}
}

void wp_python_elf_find(const struct wp_python_elf *elf, struct wp_python_symbol *symbols, size_t n)
{
	struct finder finder = {symbols, n};
	struct visitor visitor = {find_one, &finder};

	each_table(elf, SHT_DYNSYM, &visitor);
	each_table(elf, SHT_SYMTAB, &visitor);
}

struct picker {
	const char *prefix;
	void (*take)(void *arg, const char *name, uint64_t addr, uint64_t size);
	void *arg;
};

static void pick_one(void *arg, const char *name, const GElf_Sym *sym)
{
	const struct picker *picker = arg;

	if (name[0] == picker->prefix[0] && wp_str_has_prefix(name, picker->prefix))
		picker->take(picker->arg, name, sym->st_value, sym->st_size);
}

void wp_python_elf_each(const struct wp_python_elf *elf, const char *prefix,
			void (*take)(void *arg, const char *name, uint64_t addr, uint64_t size),
			void *arg)
{
	struct picker picker = {prefix, take, arg};
	struct visitor visitor = {pick_one, &picker};

	each_table(elf, SHT_DYNSYM, &visitor);
	each_table(elf, SHT_SYMTAB, &visitor);
}
