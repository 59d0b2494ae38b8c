/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_image: see elf_image.h. */
#include "format/elf/elf_image.h"

#include "format/elf/elf_bounds.h"
#include "format/elf/elf_sections.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SEGMENTS 4096
#define PAGE	     4096

Elf *wp_elf_open(int fd)
{
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || wp_elf_bounds_hold(elf, fd))
		return elf;
	elf_end(elf);
	return NULL;
}

Elf *wp_elf_open_memory(void *data, size_t size)
{
	elf_version(EV_CURRENT);
	return elf_memory(data, size);
}

static void read_elf_segments(Elf *elf, struct wp_elf_image *image)
{
	size_t n;

	if (elf_getphdrnum(elf, &n) != 0)
		return;
	for (size_t i = 0; i < n && i < MAX_SEGMENTS; i++) {
		GElf_Phdr p;

		if (!gelf_getphdr(elf, (int)i, &p) || p.p_type != PT_LOAD || !p.p_memsz ||
		    p.p_offset > UINT64_MAX - p.p_memsz || p.p_vaddr > UINT64_MAX - p.p_memsz)
			continue;
		uint64_t file = p.p_filesz < p.p_memsz ? p.p_filesz : p.p_memsz;
		wp_vec_push(&image->segments, (struct wp_elf_segment){{p.p_offset},
								      {p.p_vaddr},
								      file,
								      p.p_memsz,
								      p.p_flags & PF_X,
								      p.p_align == 1});
	}
}

static int compare_ranges(const void *a, const void *b)
{
	const struct wp_elf_range *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static void add_code_range(struct wp_elf_image *image, uint64_t start, uint64_t size)
{
	if (size && size <= UINT64_MAX - start)
		wp_vec_push(&image->code, (struct wp_elf_range){start, start + size});
}

/* Note header: name size, descriptor size, type; name and descriptor are padded to 4 bytes. */
void wp_elf_image_notes(struct wp_elf_image *image, struct wp_bytes b)
{
	while (!image->build_id_len && wp_bytes_left(&b) >= 12) {
		uint32_t name_len = wp_bytes_u32(&b), desc_len = wp_bytes_u32(&b);
		uint32_t type = wp_bytes_u32(&b);
		const char *name = wp_bytes_take(&b, ((uint64_t)name_len + 3) & ~3ull);
		const void *desc = wp_bytes_take(&b, ((uint64_t)desc_len + 3) & ~3ull);

		if (!name || !desc)
			return;
		if (type != NT_GNU_BUILD_ID || name_len != 4 || memcmp(name, "GNU", 4) != 0 ||
		    !desc_len || desc_len > WP_ELF_BUILD_ID_MAX)
			continue;
		memcpy(image->build_id, desc, desc_len);
		image->build_id_len = (uint8_t)desc_len;
	}
}

/* .gnu_debuglink: a file name, padding to 4 bytes, a CRC32 of that file. */
static void read_debuglink(struct wp_elf_image *image, const Elf_Data *data)
{
	struct wp_bytes b = wp_bytes_of(data->d_buf, data->d_size);
	const char *name = wp_bytes_str(&b, sizeof(image->debuglink) - 1);

	if (!name || strchr(name, '/'))
		return;
	wp_bytes_seek(&b, (b.pos + 3) & ~(size_t)3);
	uint32_t crc = wp_bytes_u32(&b);
	if (b.failed)
		return;
	strcpy(image->debuglink, name);
	image->debuglink_crc = crc;
}

/* Some segment has the byte at a linked address in the file. */
static bool is_in_file(const struct wp_elf_image *image, uint64_t addr)
{
	wp_vec_each (struct wp_elf_segment, s, &image->segments)
		if (addr >= s->start.v && addr - s->start.v < s->file_size)
			return true;
	return false;
}

/* Behind the segments. */
static void read_elf_section(struct wp_elf_image *image, Elf_Scn *scn, const GElf_Shdr *h,
			     const char *name)
{
	const Elf_Data *data;

	if (h->sh_type == SHT_SYMTAB)
		image->has_symtab = true;
	if (h->sh_flags & SHF_ALLOC && h->sh_flags & SHF_EXECINSTR) {
		add_code_range(image, h->sh_addr, h->sh_size);
		image->lacks_code |= h->sh_type == SHT_NOBITS && !is_in_file(image, h->sh_addr);
		if (strcmp(name, ".text") == 0)
			image->text = h->sh_addr;
	}
	if (strcmp(name, ".debug_line") == 0 || strcmp(name, ".zdebug_line") == 0)
		image->has_lines |= h->sh_type != SHT_NOBITS;
	if (h->sh_type == SHT_NOTE && (data = wp_elf_section_data(scn, h)))
		wp_elf_image_notes(image, wp_bytes_of(data->d_buf, data->d_size));
	if (strcmp(name, ".gnu_debuglink") == 0 && (data = wp_elf_section_data(scn, h)))
		read_debuglink(image, data);
}

static void read_elf_sections(Elf *elf, struct wp_elf_image *image)
{
	struct wp_elf_sections at = {.elf = elf};

	while (wp_elf_sections_next(&at))
		read_elf_section(image, at.scn, &at.header, at.name);
}

struct wp_err *wp_elf_image_read(Elf *elf, struct wp_elf_image *ret)
{
	struct wp_elf_image image = {0};
	GElf_Ehdr header;

	if (!elf || elf_kind(elf) != ELF_K_ELF || !gelf_getehdr(elf, &header))
		return wp_err_new(WP_ERR_FORMAT, "not an ELF file");
	if (header.e_ident[EI_DATA] != ELFDATA2LSB)
		return wp_err_new(WP_ERR_FORMAT, "a big-endian ELF file");
	image.machine = header.e_machine;
	read_elf_segments(elf, &image);
	read_elf_sections(elf, &image);
	if (!image.code.n)
		wp_vec_each (struct wp_elf_segment, s, &image.segments)
			if (s->exec)
				add_code_range(&image, s->start.v, s->mem_size);
	if (image.code.n)
		qsort(image.code.v, image.code.n, sizeof(*image.code.v), compare_ranges);
	*ret = image;
	return NULL;
}

void wp_elf_image_deinit(struct wp_elf_image *image)
{
	wp_vec_deinit(&image->segments);
	wp_vec_deinit(&image->code);
}

bool wp_elf_image_rva(const struct wp_elf_image *image, struct wp_off off, struct wp_rva *ret)
{
	const struct wp_elf_segment *found = NULL;

	if (image->lacks_code)
		return false;
	wp_vec_each (struct wp_elf_segment, s, &image->segments) {
		/* Whole pages are mapped: the segment begins where its first page does. */
		uint64_t slack = s->packed ? 0 : s->offset.v % PAGE;
		uint64_t first = s->offset.v - (slack < s->start.v ? slack : 0);

		if (off.v < first || off.v - first >= s->file_size + (s->offset.v - first))
			continue;
		if (!found || (s->exec && !found->exec))
			found = s;
	}
	if (!found)
		return false;
	ret->v = off.v - found->offset.v + found->start.v;
	return true;
}

bool wp_elf_image_code_page(const struct wp_elf_image *image, struct wp_rva *ret)
{
	const struct wp_elf_segment *found = NULL;

	wp_vec_each (struct wp_elf_segment, s, &image->segments) {
		if (s->exec && found)
			return false;
		if (s->exec)
			found = s;
	}
	if (!found)
		return false;
	ret->v = found->start.v & ~(uint64_t)(PAGE - 1);
	return true;
}

struct wp_rva wp_elf_image_base(const struct wp_elf_image *image)
{
	uint64_t base = UINT64_MAX;

	wp_vec_each (struct wp_elf_segment, s, &image->segments)
		if (s->start.v < base)
			base = s->start.v;
	return (struct wp_rva){image->segments.n ? base & ~(uint64_t)(PAGE - 1) : 0};
}

const struct wp_elf_range *wp_elf_image_code(const struct wp_elf_image *image, uint64_t addr)
{
	size_t lo = 0, hi = image->code.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (image->code.v[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo && addr < image->code.v[lo - 1].end ? &image->code.v[lo - 1] : NULL;
}
