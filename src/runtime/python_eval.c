/* SPDX-License-Identifier: BSD-3-Clause */
/* python_eval: see python_eval.h. */
#include "runtime/python_eval.h"

#include "base/str.h"
#include "format/elf/elf_sections.h"
#include "format/unwind/cfi.h"
#include "runtime/python_operands.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LOOP (4u << 20) /* bytes of code that are searched for jumps */

static const char *eval_loop_name(uint32_t version)
{
	return version < 0x03060000 ? "PyEval_EvalFrameEx" : "_PyEval_EvalFrameDefault";
}

struct collector {
	const struct wp_python_elf *elf;
	struct wp_python_eval_loop *eval;
	const char *loop; /* its name */
};

/* Adds a range of code, cut off where its section ends. */
static void add_eval_part(const struct wp_python_elf *elf, struct wp_python_eval_loop *eval,
			  uint64_t start, uint64_t size)
{
	const struct wp_elf_range *code = wp_elf_image_code(&elf->image, start);

	if (!code || !size)
		return;
	uint64_t room = code->end - start;
	wp_vec_push(&eval->parts,
		    (struct wp_python_range){start, start + (size < room ? size : room)});
}

/* The loop itself and what the compiler has split off: FUNCTION.cold, .part.0, .llvm.1 ... */
static void take_named_part(void *arg, const char *name, uint64_t addr, uint64_t size)
{
	struct collector *c = arg;
	size_t len = strlen(c->loop);

	if (name[len] != '\0' && name[len] != '.')
		return;
	if (name[len] == '\0')
		c->eval->start = addr;
	add_eval_part(c->elf, c->eval, addr, size);
}

static void take_handler(void *arg, const char *name, uint64_t addr, uint64_t size)
{
	struct collector *c = arg;

	(void)name;
	add_eval_part(c->elf, c->eval, addr, size);
}

/* The FDEs of a file, and the loop's among them. */
struct finder {
	const struct wp_python_elf *elf;
	struct wp_python_eval_loop *eval;
	struct wp_cfi_extents extents;
	const struct wp_cfi_extent *loop;
	uint64_t *seen;			  /* jumps of the loop into each extent */
	const struct wp_cfi_extent *part; /* the one whose jumps are looked at */
	bool to_loop, elsewhere;
};

static const struct wp_cfi_extent *extent_at(const struct finder *f, uint64_t addr)
{
	size_t lo = 0, hi = f->extents.v.n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (f->extents.v.v[mid].start <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo || addr >= f->extents.v.v[lo - 1].end)
		return NULL;
	return &f->extents.v.v[lo - 1];
}

static void from_loop(void *arg, uint64_t target)
{
	struct finder *f = arg;
	const struct wp_cfi_extent *to = extent_at(f, target);

	if (to && to != f->loop)
		f->seen[to - f->extents.v.v]++;
}

static void from_part(void *arg, uint64_t target)
{
	struct finder *f = arg;
	const struct wp_cfi_extent *to = extent_at(f, target);

	if (to == f->loop && target != f->loop->start)
		f->to_loop = true;
	else if (to && to != f->part)
		f->elsewhere = true;
}

static void scan(struct finder *f, const struct wp_cfi_extent *extent,
		 void (*take)(void *arg, uint64_t target))
{
	uint64_t size = extent->end - extent->start;
	size_t n = size < MAX_LOOP ? (size_t)size : MAX_LOOP;
	wp_autofree uint8_t *bytes = wp_calloc(n, 1);
	struct wp_python_code_bytes code = {
		.machine = f->elf->image.machine,
		.bytes = bytes,
		.n = wp_python_elf_read_some(f->elf, extent->start, bytes, n),
		.addr = extent->start,
	};

	wp_python_operands(&code, WP_PYTHON_OPERAND_JUMP, take, f);
}

/*
 * A part of the loop that has no name: the loop jumps there; its rules begin as amid a function,
 * not as where one is called; and it jumps back (or never: it ends in calls that do not return).
 */
static bool is_loop_part(struct finder *f, const struct wp_cfi_extent *extent)
{
	struct wp_unwind_rule first = extent->first;

	if (!f->seen[extent - f->extents.v.v])
		return false;
	first.pc = f->loop->first.pc;
	if (memcmp(&first, &f->loop->first, sizeof(first)) == 0)
		return false;
	f->part = extent;
	f->to_loop = f->elsewhere = false;
	scan(f, extent, from_part);
	return f->to_loop || !f->elsewhere;
}

static void read_extents(struct finder *f)
{
	GElf_Shdr header;
	const Elf_Data *data = wp_elf_section(f->elf->elf, ".eh_frame", &header);

	if (!data)
		return;
	struct wp_cfi_section section = {
		.data = data->d_buf,
		.size = data->d_size,
		.addr = header.sh_addr,
		.eh = true,
		.text_base = f->elf->image.text,
	};
	wp_cfi_extents_read(f->elf->image.machine, &section, wp_elf_image_base(&f->elf->image).v,
			    &f->extents);
}

/* In a stripped file. */
static void find_cold_parts(const struct wp_python_elf *elf, struct wp_python_eval_loop *eval)
{
	struct finder f = {.elf = elf, .eval = eval};

	read_extents(&f);
	f.loop = extent_at(&f, eval->start);
	if (f.loop) {
		f.seen = wp_calloc(f.extents.v.n, sizeof(*f.seen));
		scan(&f, f.loop, from_loop);
		wp_vec_each (struct wp_cfi_extent, extent, &f.extents.v)
			if (is_loop_part(&f, extent))
				add_eval_part(elf, eval, extent->start,
					      extent->end - extent->start);
		free(f.seen);
	}
	wp_vec_deinit(&f.extents.v);
}

static int by_loop_start(const void *a, const void *b)
{
	const struct wp_python_range *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* Sorts and joins ranges that overlap. */
static void join_parts(struct wp_python_eval_loop *eval)
{
	size_t n = 0;

	if (eval->parts.n)
		qsort(eval->parts.v, eval->parts.n, sizeof(*eval->parts.v), by_loop_start);
	wp_vec_each (struct wp_python_range, range, &eval->parts) {
		if (n && range->start <= eval->parts.v[n - 1].end) {
			if (range->end > eval->parts.v[n - 1].end)
				eval->parts.v[n - 1].end = range->end;
			continue;
		}
		eval->parts.v[n++] = *range;
	}
	eval->parts.n = n;
}

bool wp_python_eval_read(const struct wp_python_elf *elf, uint32_t version,
			 struct wp_python_eval_loop *ret)
{
	struct collector c = {elf, ret, eval_loop_name(version)};

	wp_python_elf_each(elf, c.loop, take_named_part, &c);
	if (version >= 0x030e0000)
		wp_python_elf_each(elf, "_TAIL_CALL_", take_handler, &c);
	if (!ret->start || !ret->parts.n)
		return false;
	if (!elf->image.has_symtab)
		find_cold_parts(elf, ret);
	join_parts(ret);
	return true;
}

void wp_python_eval_deinit(struct wp_python_eval_loop *eval)
{
	wp_vec_deinit(&eval->parts);
}
