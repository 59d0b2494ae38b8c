/* SPDX-License-Identifier: BSD-3-Clause */
/* unwind_gaps: see unwind_gaps.h. */
#include "resolve/unwind/unwind_gaps.h"

#include "base/str.h"
#include "format/elf/elf_sections.h"
#include "format/unwind/code_frames.h"

#include <string.h>

#define MAX_DECODED (2u << 20) /* bytes of a module */
#define MIN_GAP	    16	       /* less is padding between functions */
#define MAX_THUNKS  64	       /* of a section; there are seven registers */

/* A code section and what is found in its gaps. */
struct section {
	const uint8_t *code;
	uint64_t start, end;
	uint16_t machine;
	const struct wp_symtab *symbols;
	struct wp_code_frames *frames;
	uint64_t left; /* bytes that may still be decoded */
	WP_VEC(struct wp_elf_range) trampolines;
};

/* Calls of rt_sigreturn, to which the kernel lets a handler return. */
static const struct trampoline {
	uint16_t machine;
	uint8_t bytes[9];
	size_t n;
} trampolines[] = {
	{EM_X86_64, {0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05}, 9}, /* mov rax, 15; syscall */
	{EM_X86_64, {0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05}, 7},	       /* mov eax, 15; syscall */
	{EM_AARCH64, {0x68, 0x11, 0x80, 0xd2, 0x01, 0, 0, 0xd4}, 8},   /* mov x8, 139; svc 0 */
};

/* The address behind the piece of a symbol, or of what no symbol covers, that begins here. */
static uint64_t piece_end(const struct wp_symtab *t, uint64_t addr, bool *ret_named)
{
	size_t lo = 0, n = t->n;

	while (n) {
		size_t half = n / 2;

		if (t->starts[lo + half] <= addr) {
			lo += half + 1;
			n -= half + 1;
		} else {
			n = half;
		}
	}
	*ret_named = lo && addr - t->starts[lo - 1] < t->pieces[lo - 1].len;
	if (*ret_named)
		return t->starts[lo - 1] + t->pieces[lo - 1].len;
	return lo < t->n ? t->starts[lo] : UINT64_MAX;
}

static void find_trampoline(struct section *s, const struct trampoline *t, uint64_t from,
			    uint64_t to)
{
	const uint8_t *at = s->code + (from - s->start), *end = s->code + (to - s->start);

	while ((at = memmem(at, (size_t)(end - at), t->bytes, t->n))) {
		uint64_t addr = s->start + (uint64_t)(at - s->code);

		wp_vec_push(&s->trampolines, (struct wp_elf_range){addr, addr + t->n});
		at += t->n;
	}
}

static void decode_gap(struct section *s, uint64_t from, uint64_t to, bool many,
		       struct wp_unwind_rows *found)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(trampolines); i++)
		if (trampolines[i].machine == s->machine)
			find_trampoline(s, &trampolines[i], from, to);
	if (s->machine != EM_X86_64 || to - from > s->left)
		return;
	if (!s->frames)
		s->frames = wp_code_frames_new();
	s->left -= to - from;
	if (s->frames)
		wp_code_frames_add(s->frames, s->code + (from - s->start), to - from, from, many,
				   found);
}

static void decode_gap_pieces(struct section *s, uint64_t from, uint64_t to,
			      struct wp_unwind_rows *found)
{
	while (from < to) {
		bool named;
		uint64_t end = piece_end(s->symbols, from, &named);

		if (end > to)
			end = to;
		decode_gap(s, from, end, !named, found);
		from = end;
	}
}

/* Gaps are rows that say nothing, not even why. */
static void fill_section(struct section *s, const struct wp_unwind_rows *rows,
			 struct wp_unwind_rows *found)
{
	for (size_t i = 0; i <= rows->rows.n; i++) {
		const struct wp_unwind_rule *row = i ? &rows->rows.v[i - 1] : NULL;
		uint64_t from = rows->base + (row ? row->pc : 0);
		uint64_t to = i < rows->rows.n ? rows->base + rows->rows.v[i].pc : UINT64_MAX;

		from = from < s->start ? s->start : from;
		to = to > s->end ? s->end : to;
		if (from < to && to - from >= MIN_GAP &&
		    (!row || (row->cfa == WP_UNWIND_NONE && !row->flags)))
			decode_gap_pieces(s, from, to, found);
	}
}

/* A trampoline is returned to at its first byte and looked up one before that. */
static void lay_trampolines(const struct section *s, struct wp_unwind_rows *rows)
{
	const struct wp_unwind_rule rule = {.cfa = WP_UNWIND_SIGNAL};

	wp_vec_each (struct wp_elf_range, t, &s->trampolines)
		wp_unwind_rows_lay(rows, t->start - 1, t->end, rule, false);
}

/*
 * x86: "mov (%esp), %register; ret", by which position-independent code learns where it is; GCC
 * describes few of them.
 */
static void lay_thunks(const struct section *s, struct wp_unwind_rows *rows)
{
	const struct wp_unwind_rule rule = {
		.cfa = WP_UNWIND_SP, .flags = WP_UNWIND_RA_SAVED, .cfa_off = 1, .ra_off = -1};
	const uint8_t *code = s->code;
	size_t found = 0;

	for (uint64_t i = 0; i + 4 <= s->end - s->start && found < MAX_THUNKS; i++) {
		if (code[i] != 0x8b || (code[i + 1] & 0xc7) != 0x04 || code[i + 2] != 0x24 ||
		    code[i + 3] != 0xc3)
			continue;
		wp_unwind_rows_lay(rows, s->start + i, s->start + i + 4, rule, true);
		found++;
	}
}

static bool open_section(Elf_Scn *scn, const char *name, struct section *s)
{
	GElf_Shdr h;
	const Elf_Data *data;

	if (!gelf_getshdr(scn, &h) || !(h.sh_flags & SHF_EXECINSTR) ||
	    wp_str_has_prefix(name, ".plt"))
		return false;
	data = wp_elf_section_data(scn, &h);
	if (!data || h.sh_addr > UINT64_MAX - data->d_size)
		return false;
	s->code = data->d_buf;
	s->start = h.sh_addr;
	s->end = h.sh_addr + data->d_size;
	return true;
}

void wp_unwind_gaps_fill(Elf *elf, const struct wp_symfile *file, struct wp_unwind_rows *rows)
{
	struct section s = {
		.machine = file->image.machine, .symbols = &file->symbols, .left = MAX_DECODED};
	uint64_t reached = rows->base;
	struct wp_elf_sections at = {.elf = elf};

	while (wp_elf_sections_next(&at)) {
		struct wp_unwind_rows found = {.base = rows->base};

		if (!open_section(at.scn, at.name, &s) || s.start < reached)
			continue;
		fill_section(&s, rows, &found);
		if (found.rows.n)
			wp_unwind_rows_fill(rows, &found);
		wp_unwind_rows_deinit(&found);
		if (s.machine == EM_386)
			lay_thunks(&s, rows);
		reached = s.end;
	}
	lay_trampolines(&s, rows);
	wp_vec_deinit(&s.trampolines);
	wp_code_frames_free(s.frames);
}
