/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_core: see elf_core.h. */
#include "format/elf/elf_core.h"

#include "format/elf/elf_core_notes.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* vm.max_map_count is 65,530 by default; some raise it. */
#define SEGMENTS_MAX (1u << 20)
/* A thread's notes take some 3 KB with all registers of vectors. */
#define NOTES_MAX (256u << 20)

static bool read_at(int fd, uint64_t offset, void *ret, size_t n)
{
	return offset <= INT64_MAX && pread(fd, ret, n, (off_t)offset) == (ssize_t)n;
}

static bool has_core_head(int fd, Elf64_Ehdr *ret)
{
	return read_at(fd, 0, ret, sizeof(*ret)) && memcmp(ret->e_ident, ELFMAG, SELFMAG) == 0 &&
	       ret->e_type == ET_CORE;
}

bool wp_elf_core_is(int fd)
{
	Elf64_Ehdr head;

	return has_core_head(fd, &head);
}

/* With PN_XNUM (System V ABI) the number stands in the first section's header. */
static bool count_segments(int fd, const Elf64_Ehdr *head, uint64_t *ret)
{
	Elf64_Shdr first;

	*ret = head->e_phnum;
	if (head->e_phnum != PN_XNUM)
		return true;
	if (!read_at(fd, head->e_shoff, &first, sizeof(first)))
		return false;
	*ret = first.sh_info;
	return true;
}

static void add_core_segment(struct wp_elf_core *core, const Elf64_Phdr *p, uint64_t size)
{
	struct wp_elf_core_segment add = {
		.start = p->p_vaddr,
		.bytes = p->p_memsz,
		.offset = p->p_offset,
		.in_file = p->p_filesz < p->p_memsz ? p->p_filesz : p->p_memsz,
		.exec = p->p_flags & PF_X,
	};
	uint64_t there = add.offset < size ? size - add.offset : 0;

	if (!add.bytes || add.start > UINT64_MAX - add.bytes)
		return;
	if (add.in_file > there) {
		core->missing += add.in_file - there;
		add.in_file = there;
	}
	wp_vec_push(&core->segments, add);
}

static struct wp_err *read_core_notes(struct wp_elf_core *core, const char *path,
				      const Elf64_Phdr *p)
{
	wp_autofree uint8_t *notes = NULL;

	if (p->p_filesz > NOTES_MAX)
		return wp_err_new(WP_ERR_LIMIT, "%s: its notes are larger than %u MB", path,
				  NOTES_MAX >> 20);
	notes = malloc(p->p_filesz ? p->p_filesz : 1);
	if (!notes || !read_at(core->fd, p->p_offset, notes, p->p_filesz))
		return wp_err_new(WP_ERR_FORMAT, "%s: its notes cannot be read: was it cut?", path);
	wp_elf_core_notes(core, wp_bytes_of(notes, p->p_filesz));
	return NULL;
}

static int compare_segments(const void *a, const void *b)
{
	const struct wp_elf_core_segment *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static int compare_files(const void *a, const void *b)
{
	const struct wp_elf_core_file *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static struct wp_err *read_core_segments(struct wp_elf_core *core, const char *path,
					 const Elf64_Ehdr *head, uint64_t size)
{
	uint64_t n;

	if (!count_segments(core->fd, head, &n) || head->e_phentsize != sizeof(Elf64_Phdr))
		return wp_err_new(WP_ERR_FORMAT, "%s: no core: its segments cannot be read", path);
	if (n > SEGMENTS_MAX)
		return wp_err_new(WP_ERR_LIMIT, "%s: it has more than %u segments", path,
				  SEGMENTS_MAX);
	for (uint64_t i = 0; i < n; i++) {
		Elf64_Phdr p;

		if (head->e_phoff > INT64_MAX - i * sizeof(p) ||
		    !read_at(core->fd, head->e_phoff + i * sizeof(p), &p, sizeof(p)))
			return wp_err_new(WP_ERR_FORMAT, "%s: it ends within its head", path);
		if (p.p_type == PT_LOAD)
			add_core_segment(core, &p, size);
		if (p.p_type == PT_NOTE)
			TRY(read_core_notes(core, path, &p));
	}
	if (core->segments.n)
		qsort(core->segments.v, core->segments.n, sizeof(*core->segments.v),
		      compare_segments);
	if (core->files.n)
		qsort(core->files.v, core->files.n, sizeof(*core->files.v), compare_files);
	return NULL;
}

struct wp_err *wp_elf_core_read(int fd, const char *path, struct wp_elf_core *ret)
{
	Elf64_Ehdr head;
	struct stat st;

	*ret = (struct wp_elf_core){.fd = fd};
	if (!has_core_head(fd, &head) || fstat(fd, &st) != 0)
		return wp_err_new(WP_ERR_FORMAT, "%s: no core file", path);
	if (head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_ident[EI_DATA] != ELFDATA2LSB ||
	    (head.e_machine != EM_X86_64 && head.e_machine != EM_AARCH64))
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "%s: a core of another kind of process than x86-64 or arm64",
				  path);
	ret->machine = head.e_machine;
	TRY(read_core_segments(ret, path, &head, (uint64_t)st.st_size));
	if (!ret->threads.n)
		return wp_err_new(WP_ERR_FORMAT, "%s: a core without threads", path);
	return NULL;
}

void wp_elf_core_deinit(struct wp_elf_core *core)
{
	wp_vec_deinit(&core->threads);
	wp_vec_deinit(&core->segments);
	wp_vec_deinit(&core->files);
	wp_arena_deinit(&core->arena);
}

const struct wp_elf_core_segment *wp_elf_core_segment_at(const struct wp_elf_core *core,
							 uint64_t addr)
{
	size_t low = 0, high = core->segments.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (core->segments.v[middle].start <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || addr - core->segments.v[low - 1].start >= core->segments.v[low - 1].bytes)
		return NULL;
	return &core->segments.v[low - 1];
}

const struct wp_elf_core_file *wp_elf_core_file_at(const struct wp_elf_core *core, uint64_t addr)
{
	size_t low = 0, high = core->files.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (core->files.v[middle].start <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	if (!low || addr - core->files.v[low - 1].start >= core->files.v[low - 1].bytes)
		return NULL;
	return &core->files.v[low - 1];
}

size_t wp_elf_core_memory(const struct wp_elf_core *core, uint64_t addr, void *ret, size_t n)
{
	const struct wp_elf_core_segment *segment = wp_elf_core_segment_at(core, addr);
	uint64_t at = segment ? addr - segment->start : 0;
	ssize_t got;

	if (!segment || at >= segment->in_file)
		return 0;
	if (n > segment->in_file - at)
		n = (size_t)(segment->in_file - at);
	got = pread(core->fd, ret, n, (off_t)(segment->offset + at));
	return got > 0 ? (size_t)got : 0;
}
