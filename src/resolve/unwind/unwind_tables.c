/* SPDX-License-Identifier: BSD-3-Clause */
/* unwind_tables: see unwind_tables.h. */
#include "resolve/unwind/unwind_tables.h"

#include "base/bytes.h"
#include "format/elf/elf_file.h"
#include "format/elf/elf_sections.h"
#include "resolve/find/debug_file.h"
#include "resolve/unwind/unwind_cache.h"
#include "resolve/unwind/unwind_extras.h"
#include "resolve/unwind/unwind_gaps.h"
#include "resolve/unwind/unwind_pe.h"

#include <string.h>
#include <unistd.h>

#define MAX_INFLATED (1ull << 30)

/* A module's files and what of them matters; all-zero but for fd -1 is empty. */
struct inputs {
	Elf *elf, *debug;
	int debug_fd;
	void *headerless;		 /* .eh_frame when there are no section headers */
	struct wp_cfi_section eh, dwarf; /* data NULL: there is none */
};

static bool inflates(Elf_Scn *scn, const GElf_Shdr *h, const char *name)
{
	GElf_Chdr c;
	Elf_Data *raw;

	if (h->sh_flags & SHF_COMPRESSED)
		return gelf_getchdr(scn, &c) && c.ch_size <= MAX_INFLATED &&
		       elf_compress(scn, 0, 0) >= 0;
	if (strcmp(name, ".zdebug_frame") != 0)
		return true;
	/* "ZLIB" and the size as a big-endian number. */
	raw = elf_rawdata(scn, NULL);
	if (!raw || !raw->d_buf || raw->d_size < 12 || memcmp(raw->d_buf, "ZLIB", 4) != 0)
		return false;
	return __builtin_bswap64(wp_u64_at((const char *)raw->d_buf + 4)) <= MAX_INFLATED &&
	       elf_compress_gnu(scn, 0, 0) >= 0;
}

static void take_cfi_section(Elf_Scn *scn, const char *name, struct wp_cfi_section *ret)
{
	GElf_Shdr h;
	const Elf_Data *data;

	if (!gelf_getshdr(scn, &h) || !inflates(scn, &h, name) || !gelf_getshdr(scn, &h))
		return;
	data = wp_elf_section_data(scn, &h);
	if (!data)
		return;
	ret->data = data->d_buf;
	ret->size = data->d_size;
	ret->addr = h.sh_addr;
}

static bool is_debug_frame(const char *name)
{
	return strcmp(name, ".debug_frame") == 0 || strcmp(name, ".zdebug_frame") == 0;
}

/* eh may be NULL: the section of a debug file is empty. */
static void find_sections(Elf *elf, struct wp_cfi_section *eh, struct wp_cfi_section *dwarf)
{
	struct wp_elf_sections at = {.elf = elf};

	while (wp_elf_sections_next(&at)) {
		if (eh && strcmp(at.name, ".eh_frame") == 0)
			take_cfi_section(at.scn, at.name, eh);
		else if (is_debug_frame(at.name))
			take_cfi_section(at.scn, at.name, dwarf);
		else if (eh && (strcmp(at.name, ".got") == 0 || strcmp(at.name, ".got.plt") == 0))
			eh->got_base = at.header.sh_addr;
	}
}

/* The bytes of the file from a linked address to the end of its segment; NULL if none. */
static void *read_from(Elf *elf, const struct wp_elf_image *image, uint64_t addr, uint64_t limit,
		       size_t *ret_size)
{
	size_t file_size;
	char *file = elf_rawfile(elf, &file_size);

	wp_vec_each (struct wp_elf_segment, s, &image->segments) {
		uint64_t skip = addr - s->start.v;
		void *bytes;

		if (addr < s->start.v || skip >= s->file_size || !file ||
		    s->offset.v + skip >= file_size)
			continue;
		uint64_t n = s->file_size - skip;
		if (n > file_size - s->offset.v - skip)
			n = file_size - s->offset.v - skip;
		*ret_size = n < limit ? n : limit;
		bytes = wp_calloc(*ret_size, 1);
		return memcpy(bytes, file + s->offset.v + skip, *ret_size);
	}
	return NULL;
}

/* Files without section headers: the program header leads to the search table, that to the rest. */
static void find_headerless(struct inputs *in, const struct wp_elf_image *image)
{
	size_t n = 0, size;
	GElf_Phdr p;

	elf_getphdrnum(in->elf, &n);
	for (size_t i = 0; i < n && i < INT16_MAX; i++) {
		uint64_t at;

		if (!gelf_getphdr(in->elf, (int)i, &p) || p.p_type != PT_GNU_EH_FRAME)
			continue;
		wp_autofree void *hdr = read_from(in->elf, image, p.p_vaddr, 64, &size);
		if (!hdr || !wp_cfi_eh_frame_of(hdr, size, p.p_vaddr, &at))
			return;
		in->headerless = read_from(in->elf, image, at, UINT32_MAX, &size);
		if (in->headerless)
			in->eh = (struct wp_cfi_section){
				.data = in->headerless, .size = size, .addr = at, .eh = true};
		return;
	}
}

/* The separate debug file may have been linked for another address. */
static void find_debug_file(const struct wp_symfile_source *source,
			    const struct wp_elf_image *image, struct inputs *in)
{
	struct wp_elf_image debug;

	in->debug_fd = wp_debug_file_open(source->places, source->pid, source->path, image);
	if (in->debug_fd < 0)
		return;
	in->debug = wp_elf_open(in->debug_fd);
	wp_autoerr struct wp_err *err = wp_elf_image_read(in->debug, &debug);
	if (err)
		return;
	find_sections(in->debug, NULL, &in->dwarf);
	in->dwarf.shift = image->text && debug.text ? image->text - debug.text : 0;
	wp_elf_image_deinit(&debug);
}

static void open_inputs(const struct wp_symfile_source *source, const struct wp_elf_image *image,
			struct inputs *ret)
{
	*ret = (struct inputs){.debug_fd = -1, .eh = {.eh = true}};
	ret->elf = source->fd >= 0 ? wp_elf_open(source->fd)
				   : wp_elf_open_memory(source->memory, source->memory_size);
	if (!ret->elf)
		return;
	find_sections(ret->elf, &ret->eh, &ret->dwarf);
	if (!ret->eh.data)
		find_headerless(ret, image);
	if (!ret->eh.data && !ret->dwarf.data && source->fd >= 0)
		find_debug_file(source, image, ret);
	ret->eh.text_base = ret->dwarf.text_base = image->text;
}

static void close_inputs(struct inputs *in)
{
	elf_end(in->elf);
	elf_end(in->debug);
	free(in->headerless);
	if (in->debug_fd >= 0)
		close(in->debug_fd);
}

/* False when every row is a gap. */
static bool says_anything(const struct wp_unwind_rows *rows)
{
	wp_vec_each (struct wp_unwind_rule, rule, &rows->rows)
		if (rule->cfa != WP_UNWIND_NONE)
			return true;
	return false;
}

static bool compile_tables(const struct inputs *in, const struct wp_symfile *file,
			   struct wp_unwind_rows *ret, struct wp_cfi_stats *stats)
{
	uint64_t base = wp_elf_image_base(&file->image).v;
	struct wp_unwind_rows rows = {.base = base}, more = {.base = base};

	if (!in->elf)
		return false;
	if (in->eh.data)
		wp_cfi_compile(file->image.machine, &in->eh, &rows, stats);
	if (in->dwarf.data) {
		wp_cfi_compile(file->image.machine, &in->dwarf, &more, stats);
		wp_unwind_rows_fill(&rows, &more);
		wp_unwind_rows_deinit(&more);
	}
	wp_unwind_extras_lay(in->elf, file, in->dwarf.data, &rows);
	wp_unwind_gaps_fill(in->elf, file, &rows);
	if (!says_anything(&rows)) {
		wp_unwind_rows_deinit(&rows);
		return false;
	}
	*ret = rows;
	return true;
}

bool wp_unwind_tables_compile(const struct wp_symfile_source *source, const struct wp_symfile *file,
			      struct wp_unwind_rows *ret, struct wp_cfi_stats *stats)
{
	struct inputs in;

	if (wp_unwind_pe_compile(source, file, ret))
		return ret->rows.n > 0;
	open_inputs(source, &file->image, &in);
	bool found = compile_tables(&in, file, ret, stats);
	close_inputs(&in);
	return found;
}

static struct wp_unwind_key unwind_key_of(const struct inputs *in, const struct wp_symfile *file)
{
	/* Names decide a few rules; a debug file that is installed later brings more of them. */
	uint64_t others[] = {file->image.machine, file->symbols.n, file->image.text, in->eh.addr,
			     wp_elf_image_base(&file->image).v};
	uint64_t digest = wp_unwind_digest(0, others, sizeof(others));

	if (in->eh.data)
		digest = wp_unwind_digest(digest, in->eh.data, in->eh.size);
	if (in->dwarf.data)
		digest = wp_unwind_digest(digest, in->dwarf.data, in->dwarf.size);
	return (struct wp_unwind_key){file->image.build_id, file->image.build_id_len, digest};
}

static bool load(const struct wp_symfile_source *source, const struct wp_symfile *file,
		 struct wp_unwind_rows *ret)
{
	struct wp_cfi_stats stats = {0};
	struct inputs in;
	bool found;

	/* A PE file's rules are compiled faster than a cache is read. */
	if (wp_unwind_pe_compile(source, file, ret))
		return ret->rows.n > 0;
	open_inputs(source, &file->image, &in);
	struct wp_unwind_key key = unwind_key_of(&in, file);
	found = wp_unwind_cache_load(&key, ret);
	if (!found) {
		found = compile_tables(&in, file, ret, &stats);
		if (found)
			wp_unwind_cache_store(&key, ret);
	}
	close_inputs(&in);
	return found;
}

bool wp_unwind_tables_load(const struct wp_symfile_source *source, const struct wp_symfile *file,
			   struct wp_unwind_rows *ret)
{
	if (!load(source, file, ret))
		return false;
	if (wp_budget_take(source->budget, WP_BUDGET_RULES, ret->rows.n * sizeof(*ret->rows.v)))
		return true;
	wp_unwind_rows_deinit(ret);
	return false;
}
