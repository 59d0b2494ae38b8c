/* SPDX-License-Identifier: BSD-3-Clause */
/* small_elf_compare FILE...: prints where the libelf of wperf.exe (src/windows/small_elf.h) and
 * elfutils' say different things of a file. The exit status is 1 when there is anything. */
#include "base/file.h"
#include "windows/small_elf.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES    ((size_t)1 << 30)
#define MOST_ENTRIES  20000
#define MOST_SEGMENTS 70000

static const char *file_name;
static int differences;

static void tell(const char *what, size_t section, size_t index)
{
	if (differences++ < 20)
		printf("%s: %s: section %zu, number %zu\n", file_name, what, section, index);
}

/* Both say nothing, or the same bytes. */
static void compare_bytes(const char *what, size_t section, size_t index, const void *theirs,
			  const void *ours, size_t n)
{
	if (!theirs != !ours || (theirs && memcmp(theirs, ours, n) != 0))
		tell(what, section, index);
}

static size_t compare_entries(size_t section, uint32_t type, Elf_Data *theirs,
			      const struct wp_small_elf_data *ours)
{
	size_t n = 0;

	for (; n < MOST_ENTRIES; n++) {
		GElf_Sym symbol[2];
		GElf_Rela rela[2];
		GElf_Dyn dynamic[2];
		const void *a, *b;

		if (type == SHT_SYMTAB || type == SHT_DYNSYM) {
			a = gelf_getsym(theirs, (int)n, &symbol[0]);
			b = wp_small_elf_symbol(ours, (int)n, &symbol[1]);
			compare_bytes("symbol", section, n, a, b, sizeof(*symbol));
		} else if (type == SHT_RELA) {
			a = gelf_getrela(theirs, (int)n, &rela[0]);
			b = wp_small_elf_rela(ours, (int)n, &rela[1]);
			compare_bytes("relocation", section, n, a, b, sizeof(*rela));
		} else if (type == SHT_DYNAMIC) {
			a = gelf_getdyn(theirs, (int)n, &dynamic[0]);
			b = wp_small_elf_dynamic(ours, (int)n, &dynamic[1]);
			compare_bytes("dynamic entry", section, n, a, b, sizeof(*dynamic));
		} else {
			break;
		}
		if (!a || !b)
			break;
	}
	return n;
}

static bool has_entries(uint32_t type)
{
	return type == SHT_SYMTAB || type == SHT_DYNSYM || type == SHT_RELA || type == SHT_DYNAMIC;
}

static void compare_data(size_t section, const GElf_Shdr *header, Elf_Data *theirs,
			 const struct wp_small_elf_data *ours)
{
	if (!theirs != !ours) {
		tell(theirs ? "no data" : "data", section, 0);
		return;
	}
	if (!theirs)
		return;
	if (theirs->d_size != ours->d_size)
		tell("size of the data", section, ours->d_size);
	else if (has_entries(header->sh_type)) /* libelf's are in the machine's form */
		compare_entries(section, header->sh_type, theirs, ours);
	else if (header->sh_type == SHT_PROGBITS || header->sh_type == SHT_STRTAB)
		compare_bytes("data", section, 0, theirs->d_buf, ours->d_buf, ours->d_size);
}

static void compare_compression(size_t section, Elf_Scn *theirs, struct wp_small_elf_section *ours)
{
	GElf_Chdr a, b;
	GElf_Shdr before, after[2];
	bool is_there = gelf_getchdr(theirs, &a) != NULL;

	if (!gelf_getshdr(theirs, &before) ||
	    is_there != (wp_small_elf_compression(ours, &b) != NULL)) {
		tell("header of compression", section, 0);
		return;
	}
	if (!is_there)
		return;
	if (a.ch_type != b.ch_type || a.ch_size != b.ch_size)
		tell("what is compressed", section, 0);
	if (a.ch_type != ELFCOMPRESS_ZLIB) /* older libelfs know no other */
		return;
	if ((elf_compress(theirs, 0, 0) >= 0) != (wp_small_elf_inflate(ours) >= 0)) {
		tell("inflating", section, 0);
		return;
	}
	gelf_getshdr(theirs, &after[0]);
	wp_small_elf_section_header(ours, &after[1]);
	compare_bytes("inflated header", section, 0, &after[0], &after[1], sizeof(after[0]));
	compare_data(section, &after[0], elf_getdata(theirs, NULL), wp_small_elf_data(ours));
}

static void compare_sections(Elf *theirs, struct wp_small_elf *ours)
{
	Elf_Scn *a = NULL;
	struct wp_small_elf_section *b = NULL;
	size_t names[2] = {0}, n = 0;

	if (elf_getshdrstrndx(theirs, &names[0]) != wp_small_elf_names(ours, &names[1]) ||
	    names[0] != names[1])
		tell("names of sections", 0, 0);
	for (;; n++) {
		GElf_Shdr header[2];
		const char *name[2];

		a = elf_nextscn(theirs, a);
		b = wp_small_elf_next(ours, b);
		if (!a != !b)
			tell("number of sections", n, 0);
		if (!a || !b)
			break;
		memset(header, 0, sizeof(header));
		compare_bytes("section header", n, 0, gelf_getshdr(a, &header[0]),
			      wp_small_elf_section_header(b, &header[1]), sizeof(*header));
		name[0] = elf_strptr(theirs, names[0], header[0].sh_name);
		name[1] = wp_small_elf_string(ours, names[1], header[1].sh_name);
		compare_bytes("name", n, 0, name[0], name[1], name[1] ? strlen(name[1]) + 1 : 0);
		compare_data(n, &header[0], elf_getdata(a, NULL), wp_small_elf_data(b));
		compare_compression(n, a, b);
	}
}

static void compare_segments(Elf *theirs, struct wp_small_elf *ours)
{
	size_t n[2] = {0};
	GElf_Phdr segment[2];
	int status = elf_getphdrnum(theirs, &n[0]);

	if (status != wp_small_elf_segments(ours, &n[1]) || (status == 0 && n[0] != n[1]))
		tell("number of segments", 0, n[1]);
	for (size_t i = 0; i <= n[0] && i < MOST_SEGMENTS; i++)
		compare_bytes("segment", 0, i, gelf_getphdr(theirs, (int)i, &segment[0]),
			      wp_small_elf_segment(ours, (int)i, &segment[1]), sizeof(*segment));
}

static void compare_file(char *bytes, size_t size)
{
	char *copy = malloc(size ? size : 1); /* libelf may write to what it is given */
	GElf_Ehdr header[2];
	Elf *theirs;
	struct wp_small_elf *ours = wp_small_elf_new(bytes, size);

	memcpy(copy, bytes, size);
	theirs = elf_memory(copy, size);
	if (theirs && elf_kind(theirs) != ELF_K_ELF) {
		elf_end(theirs);
		theirs = NULL;
	}
	if (!theirs != !ours) {
		tell(ours ? "no file for libelf" : "a file for libelf", 0, 0);
	} else if (ours) {
		compare_bytes("header", 0, 0, gelf_getehdr(theirs, &header[0]),
			      wp_small_elf_header(ours, &header[1]), sizeof(*header));
		if (header[1].e_ident[EI_DATA] == ELFDATA2LSB) {
			compare_segments(theirs, ours);
			compare_sections(theirs, ours);
		}
	}
	elf_end(theirs);
	wp_small_elf_free(ours);
	free(copy);
}

int main(int argc, char **argv)
{
	elf_version(EV_CURRENT);
	for (int i = 1; i < argc; i++) {
		char *bytes;
		size_t size;
		struct wp_err *err = wp_file_read(argv[i], MOST_BYTES, &bytes, &size);

		file_name = argv[i];
		if (err) {
			printf("%s\n", err->text);
			return 2;
		}
		compare_file(bytes, size);
		free(bytes);
	}
	printf("%d files, %d differences\n", argc - 1, differences);
	return differences != 0;
}
