/* SPDX-License-Identifier: BSD-3-Clause */
/* pe_image: see pe_image.h. */
#include "format/pe/pe_image.h"

#include "base/bytes.h"

#include <stdlib.h>
#include <string.h>

#define MAX_SECTIONS   4096
#define MAX_DEBUG      256 /* entries of the debug directory */
#define COFF_SYMBOL    18  /* bytes */
#define PE32	       0x10b
#define PE32_PLUS      0x20b
#define DEBUG_CODEVIEW 2

bool wp_pe_image_is(const uint8_t *head, size_t n)
{
	return n >= 2 && head[0] == 'M' && head[1] == 'Z';
}

/* The optional header: all that is of interest in it. */
static void read_optional(struct wp_bytes *b, struct wp_pe_image *image)
{
	size_t start = b->pos;
	bool plus = wp_bytes_u16(b) == PE32_PLUS;
	uint32_t n;

	wp_bytes_seek(b, start + 16);
	image->entry = wp_bytes_u32(b);
	wp_bytes_seek(b, start + (plus ? 24 : 28));
	image->base = plus ? wp_bytes_u64(b) : wp_bytes_u32(b);
	wp_bytes_seek(b, start + 56);
	image->size = wp_bytes_u32(b);
	image->headers_size = wp_bytes_u32(b);
	wp_bytes_seek(b, start + (plus ? 108 : 92));
	n = wp_bytes_u32(b);
	for (uint32_t i = 0; i < n && i < WP_PE_DIRS; i++) {
		image->dirs[i].rva = wp_bytes_u32(b);
		image->dirs[i].size = wp_bytes_u32(b);
	}
}

/* "/123": the name is in the string table, which is behind the COFF symbols. */
static void read_long_name(const struct wp_pe_file *file, const struct wp_pe_image *image,
			   struct wp_pe_section *section)
{
	struct wp_bytes b = wp_bytes_of(file->data, file->size);
	uint64_t at = (uint64_t)image->n_symbols * COFF_SYMBOL + image->symbols_at;
	const char *name;

	if (section->name[0] != '/' || !image->symbols_at)
		return;
	wp_bytes_seek(&b, at + strtoul(section->name + 1, NULL, 10));
	name = wp_bytes_str(&b, sizeof(section->name) - 1);
	if (name)
		strcpy(section->name, name);
}

static struct wp_pe_section read_pe_section(struct wp_bytes *b, const struct wp_pe_file *file,
					    const struct wp_pe_image *image)
{
	struct wp_pe_section section = {0};
	const void *name = wp_bytes_take(b, 8);

	if (name)
		memcpy(section.name, name, 8);
	section.size = wp_bytes_u32(b);
	section.rva = wp_bytes_u32(b);
	section.file_size = wp_bytes_u32(b);
	section.offset = wp_bytes_u32(b);
	wp_bytes_skip(b, 12); /* relocations and lines, of object files */
	section.flags = wp_bytes_u32(b);
	if (!section.size)
		section.size = section.file_size;
	if (section.file_size > section.size)
		section.file_size = section.size; /* padding */
	read_long_name(file, image, &section);
	return section;
}

static struct wp_err *read_pe_sections(struct wp_bytes *b, size_t n, const struct wp_pe_file *file,
				       struct wp_pe_image *image)
{
	uint64_t reached = 0;

	if (n > MAX_SECTIONS)
		return wp_err_new(WP_ERR_LIMIT, "a PE file with %zu sections", n);
	for (size_t i = 0; i < n; i++) {
		struct wp_pe_section section = read_pe_section(b, file, image);

		if (b->failed)
			return wp_err_new(WP_ERR_FORMAT, "a PE file whose headers are cut short");
		/* Windows maps no others. */
		if (section.rva < reached || section.size > UINT32_MAX - section.rva)
			return wp_err_new(WP_ERR_FORMAT, "a PE file whose sections overlap");
		reached = (uint64_t)section.rva + section.size;
		wp_vec_push(&image->sections, section);
	}
	return NULL;
}

static struct wp_err *read_headers(const struct wp_pe_file *file, struct wp_pe_image *image)
{
	struct wp_bytes b = wp_bytes_of(file->data, file->size);
	uint16_t n_sections, optional_size;
	size_t optional;

	wp_bytes_seek(&b, 0x3c);
	wp_bytes_seek(&b, wp_bytes_u32(&b));
	const char *magic = wp_bytes_take(&b, 4);
	if (!magic || memcmp(magic, "PE\0\0", 4) != 0 || !wp_pe_image_is(file->data, file->size))
		return wp_err_new(WP_ERR_FORMAT, "not a PE file");
	image->machine = wp_bytes_u16(&b);
	n_sections = wp_bytes_u16(&b);
	wp_bytes_skip(&b, 4);
	image->symbols_at = wp_bytes_u32(&b);
	image->n_symbols = wp_bytes_u32(&b);
	optional_size = wp_bytes_u16(&b);
	image->characteristics = wp_bytes_u16(&b);
	optional = b.pos;
	read_optional(&b, image);
	if (b.failed || !image->size)
		return wp_err_new(WP_ERR_FORMAT, "a PE file that is no image");
	wp_bytes_seek(&b, optional + optional_size);
	return read_pe_sections(&b, n_sections, file, image);
}

struct wp_err *wp_pe_image_read(const struct wp_pe_file *file, struct wp_pe_image *ret)
{
	struct wp_pe_image image = {0};
	struct wp_err *err = read_headers(file, &image);

	if (err)
		wp_pe_image_deinit(&image);
	else
		*ret = image;
	return err;
}

void wp_pe_image_deinit(struct wp_pe_image *image)
{
	wp_vec_deinit(&image->sections);
}

const struct wp_pe_section *wp_pe_image_section(const struct wp_pe_image *image, uint64_t rva)
{
	size_t lo = 0, hi = image->sections.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (image->sections.v[mid].rva <= rva)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || rva - image->sections.v[lo - 1].rva >= image->sections.v[lo - 1].size)
		return NULL;
	return &image->sections.v[lo - 1];
}

const uint8_t *wp_pe_image_bytes(const struct wp_pe_image *image, const struct wp_pe_file *file,
				 uint64_t rva, size_t *ret_n)
{
	const struct wp_pe_section *section = wp_pe_image_section(image, rva);
	uint64_t offset = rva, n;

	if (section) {
		if (rva - section->rva >= section->file_size)
			return NULL;
		offset = section->offset + (rva - section->rva);
		n = section->file_size - (rva - section->rva);
	} else {
		if (rva >= image->headers_size)
			return NULL;
		n = image->headers_size - rva;
	}
	if (offset >= file->size)
		return NULL;
	*ret_n = n < file->size - offset ? (size_t)n : (size_t)(file->size - offset);
	return file->data + offset;
}

static bool read_rsds(const struct wp_pe_file *file, uint32_t offset, uint32_t size,
		      struct wp_pe_codeview *ret)
{
	struct wp_bytes all = wp_bytes_of(file->data, file->size), b;
	const void *magic, *guid;
	const char *path;

	wp_bytes_seek(&all, offset);
	b = wp_bytes_sub(&all, size);
	magic = wp_bytes_take(&b, 4);
	guid = wp_bytes_take(&b, sizeof(ret->guid));
	ret->age = wp_bytes_u32(&b);
	path = wp_bytes_str(&b, sizeof(ret->path) - 1);
	if (!path || memcmp(magic, "RSDS", 4) != 0)
		return false;
	memcpy(ret->guid, guid, sizeof(ret->guid));
	strcpy(ret->path, path);
	return true;
}

bool wp_pe_image_codeview(const struct wp_pe_image *image, const struct wp_pe_file *file,
			  struct wp_pe_codeview *ret)
{
	size_t n = 0;
	const uint8_t *entries = wp_pe_image_bytes(image, file, image->dirs[WP_PE_DEBUG].rva, &n);
	struct wp_bytes b = wp_bytes_of(entries, entries ? n : 0);
	size_t count = image->dirs[WP_PE_DEBUG].size / 28;

	for (size_t i = 0; image->dirs[WP_PE_DEBUG].rva && i < count && i < MAX_DEBUG; i++) {
		uint32_t type, size, offset;

		wp_bytes_skip(&b, 12);
		type = wp_bytes_u32(&b);
		size = wp_bytes_u32(&b);
		wp_bytes_skip(&b, 4);
		offset = wp_bytes_u32(&b);
		if (!b.failed && type == DEBUG_CODEVIEW && read_rsds(file, offset, size, ret))
			return true;
	}
	return false;
}
