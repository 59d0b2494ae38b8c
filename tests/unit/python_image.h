/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_image: a CPython process made by hand: some memory with thread states, frames and
 * code objects laid out as each family of versions has them (pycore_frame.h, frameobject.h), and
 * the walker of walk/python_walk.inc.h over it.
 */
#ifndef WP_PYTHON_IMAGE_H
#define WP_PYTHON_IMAGE_H

#include "walk/python_walk.inc.h"

#include <stdint.h>
#include <string.h>

#define IMAGE_BASE 0x100000000000ull
#ifndef IMAGE_BYTES
#define IMAGE_BYTES (256 * 1024)
#endif

/* Where things are. */
#define AT_ROOTS   (IMAGE_BASE + 0x100) /* tss key, current, interpreters, a type */
#define AT_TYPE	   (IMAGE_BASE + 0x400)
#define AT_INTERP  (IMAGE_BASE + 0x1000) /* 0x400 each */
#define AT_GIL	   (IMAGE_BASE + 0x2000)
#define AT_THREAD  (IMAGE_BASE + 0x3000) /* 0x400 each */
#define AT_TLS	   (IMAGE_BASE + 0x6000)
#define AT_CODE	   (IMAGE_BASE + 0x8000)  /* 0x200 each */
#define AT_FRAMES  (IMAGE_BASE + 0x10000) /* the data stack */
#define AT_HEAP	   (IMAGE_BASE + 0x20000) /* generators */
#define AT_STACK   (IMAGE_BASE + 0x30000) /* C's */
#define AT_NOTHING (IMAGE_BASE + IMAGE_BYTES + 0x1000)

enum family { PY27, PY36, PY310, PY311, PY312, PY313, PY314T, FAMILIES };

struct image {
	struct wp_python_walk walk; /* first: the hooks get a pointer to it */
	uint8_t bytes[IMAGE_BYTES];
	struct wp_python_slot slots[WP_PYTHON_SLOTS * 2 + 8];
	uint32_t n, met, reads, steps;
	uint32_t tells; /* that the audience knows of what is met */
};

static int wp_python_read(struct wp_python_walk *w, void *to, __u32 bytes, __u64 from)
{
	struct image *image = (struct image *)w;
	uint64_t offset = from - IMAGE_BASE;

	image->reads++;
	if (offset > IMAGE_BYTES || bytes > IMAGE_BYTES - offset)
		return -1;
	memcpy(to, image->bytes + offset, bytes);
	return 0;
}

static void wp_python_put(struct wp_python_walk *w, __u64 addr, __s32 lasti, __u32 id)
{
	struct image *image = (struct image *)w;

	if (image->n < sizeof(image->slots) / sizeof(*image->slots))
		image->slots[image->n++] = (struct wp_python_slot){addr, lasti, id};
}

static void wp_python_meet(struct wp_python_walk *w, __u64 code, __u32 id)
{
	struct image *image = (struct image *)w;

	(void)code, (void)id;
	image->met++;
	w->told = image->tells;
}

static inline void image_put(struct image *image, uint64_t addr, const void *from, size_t bytes)
{
	uint64_t offset = addr - IMAGE_BASE;

	if (offset < IMAGE_BYTES && bytes <= IMAGE_BYTES - offset)
		memcpy(image->bytes + offset, from, bytes);
}

static inline void image_put64(struct image *image, uint64_t addr, uint64_t value)
{
	image_put(image, addr, &value, 8);
}

static inline void image_put32(struct image *image, uint64_t addr, uint32_t value)
{
	image_put(image, addr, &value, 4);
}

static inline void image_put8(struct image *image, uint64_t addr, uint8_t value)
{
	image_put(image, addr, &value, 1);
}

static inline struct wp_python_plan image_objects_plan(enum family family)
{
	struct wp_python_plan plan = {
		.flags = WP_PYTHON_FRAME_OBJECTS,
		.interp_threads = 8,
		.ts_interp = family == PY27 ? 8 : 16,
		.ts_thread_id = family == PY27	 ? 144
				: family == PY36 ? 152
						 : 176,
		.ts_frame = family == PY27 ? 16 : 24,
		.frame_previous = 24,
		.frame_code = 32,
		.frame_instr = family == PY310 ? 96 : 120,
		.code_filename = 104,
		.code_name = 112,
		.code_first_line = 40,
		.code_lines = 120,
	};

	if (family == PY310)
		plan.flags |= WP_PYTHON_LASTI_UNITS;
	else
		plan.flags |= WP_PYTHON_TLS_KEY_INT;
	if (family == PY27)
		plan.flags |= WP_PYTHON_BYTES_NAMES;
	plan.ts_next = family == PY27 ? 0 : 8;
	return plan;
}

/* How frames of C code between those of Python are marked, and who holds the GIL. */
static inline void image_entries_plan(struct wp_python_plan *plan, enum family family)
{
	if (family <= PY312)
		plan->flags |= WP_PYTHON_CFRAME;
	plan->cframe_current = family == PY311 ? 8 : 0;
	plan->cframe_previous = family == PY311 ? 16 : 8;
	if (family == PY311) {
		plan->flags |= WP_PYTHON_IS_ENTRY;
		plan->frame_is_entry = 68;
		plan->frame_owner = 69;
	} else {
		plan->flags |= WP_PYTHON_ENTRY_FRAMES;
		plan->frame_owner = family == PY314T ? 78 : 70;
		plan->interp_gil = 384;
		plan->gil_holder = 8;
		plan->gil_locked = 16;
	}
}

static inline struct wp_python_plan image_frames_plan(enum family family)
{
	struct wp_python_plan plan = {
		.flags = WP_PYTHON_INSTR_POINTER,
		.interp_next = family == PY313 ? 728 : 0,
		.interp_threads = 72,
		.ts_next = 8,
		.ts_interp = 16,
		.ts_thread_id = family == PY312 ? 136 : 152,
		.ts_frame = family >= PY313 ? 72 : 56,
		.frame_code = family == PY311 ? 32 : 0,
		.frame_previous = family == PY311 ? 48 : 8,
		.frame_instr = 56,
		.code_filename = 112,
		.code_name = 120,
		.code_qualname = 128,
		.code_first_line = family == PY311 ? 72 : 68,
		.code_lines = 136,
		.code_first_instr = family == PY311   ? 184
				    : family == PY312 ? 192
						      : 200,
	};

	image_entries_plan(&plan, family);
	if (family == PY314T) {
		plan.flags |= WP_PYTHON_TAGGED | WP_PYTHON_FREE_THREADED;
		plan.frame_tlbc_index = 72;
		plan.ts_state = 44;
		plan.interp_gil = 0;
		plan.code_tlbc = 216;
	}
	return plan;
}

static inline struct wp_python_plan image_plan(enum family family)
{
	struct wp_python_plan plan =
		family <= PY310 ? image_objects_plan(family) : image_frames_plan(family);

	plan.tss_key = AT_ROOTS + 4;
	plan.interpreters = AT_ROOTS + 16;
	if (family <= PY311)
		plan.current = AT_ROOTS + 8;
	plan.code_type = AT_TYPE;
	plan.eval_start = 0x5000;
	plan.eval_prologue = 0x100;
	plan.generation = 1;
	plan.tsd = 0x510;
	plan.object_type = family == PY314T ? 24 : 8;
	plan.code_bytes = 224;
	plan.str_length = family == PY314T ? 32 : 16;
	plan.str_state = family == PY314T ? 48 : 32;
	plan.str_ascii = family == PY314T ? 56 : family >= PY312 ? 40 : 48;
	plan.str_compact = family == PY312 || family == PY313 ? 56 : 72;
	plan.str_kind_shift = 2;
	plan.str_compact_shift = 5;
	plan.str_ascii_shift = 6;
	plan.bytes_size = family == PY314T ? 32 : 16;
	plan.bytes_data = family == PY27 ? 36 : family == PY314T ? 48 : 32;
	return plan;
}

/* An interpreter with one thread, whose state is in its slot and which holds the GIL. */
static inline void image_init(struct image *image, enum family family)
{
	const struct wp_python_plan *plan = &image->walk.in.plan;

	memset(image, 0, sizeof(*image));
	image->walk.in.plan = image_plan(family);
	image->walk.in.thread_pointer = AT_TLS;
	image->walk.in.ip = 0x9000;
	image->walk.in.sp = AT_STACK;
	image_put32(image, plan->tss_key - 4, 1);
	image_put32(image, plan->tss_key, 35);
	image_put64(image, AT_ROOTS + 8, AT_THREAD);
	image_put64(image, plan->interpreters, AT_INTERP);
	image_put64(image, AT_INTERP + plan->interp_threads, AT_THREAD);
	image_put64(image, AT_INTERP + plan->interp_gil, AT_GIL);
	image_put64(image, AT_GIL + plan->gil_holder, AT_THREAD);
	image_put32(image, AT_GIL + plan->gil_locked, 1);
	image_put64(image, AT_THREAD + plan->ts_interp, AT_INTERP);
	image_put64(image, AT_THREAD + plan->ts_thread_id, AT_TLS);
	if (plan->ts_state)
		image_put32(image, AT_THREAD + plan->ts_state, 1);
	/* Key 35: entry 3 of the second block. */
	image_put64(image, AT_TLS + 0x510 + 8, AT_TLS + 0x800);
	image_put64(image, AT_TLS + 0x800 + 3 * 16 + 8, AT_THREAD);
}

/* Code object number i; returns its address. */
static inline uint64_t image_code(struct image *image, uint32_t i)
{
	const struct wp_python_plan *plan = &image->walk.in.plan;
	uint64_t code = AT_CODE + i * 0x200ull;

	image_put64(image, code + plan->object_type, AT_TYPE);
	image_put64(image, code + plan->code_name, 0x700000 + i * 64);
	image_put64(image, code + plan->code_filename, 0x800000);
	image_put64(image, code + plan->code_lines, 0x900000 + i * 64);
	image_put32(image, code + plan->code_first_line, 10 + i);
	return code;
}

static inline uint32_t image_id(uint32_t i)
{
	return wp_python_id(0x700000 + i * 64, 0x800000, 0x900000 + i * 64, 10 + i, 0);
}

#define IMAGE_STR_ASCII	  (1u << 6 | 1u << 5 | 1u << 2)
#define IMAGE_STR_WIDE(w) (1u << 5 | (w) << 2)

/* A str of that state, or with 2.7 a byte string; characters are of the state's width. */
static inline void image_str(struct image *image, uint64_t addr, uint32_t state,
			     const void *characters, uint64_t length)
{
	const struct wp_python_plan *plan = &image->walk.in.plan;
	uint32_t width = state >> 2 & 7;

	if (plan->flags & WP_PYTHON_BYTES_NAMES) {
		image_put64(image, addr + plan->bytes_size, length);
		image_put(image, addr + plan->bytes_data, characters, length);
		return;
	}
	image_put64(image, addr + plan->str_length, length);
	image_put32(image, addr + plan->str_state, state);
	image_put(image, addr + (state >> 6 & 1 ? plan->str_ascii : plan->str_compact), characters,
		  length * width);
}

static inline void image_bytes(struct image *image, uint64_t addr, const void *bytes, size_t n)
{
	image_put64(image, addr + image->walk.in.plan.bytes_size, n);
	image_put(image, addr + image->walk.in.plan.bytes_data, bytes, n);
}

/* A frame in code object i at a byte offset of its bytecode. */
static inline void image_frame(struct image *image, uint64_t frame, uint32_t i, int32_t lasti,
			       uint64_t previous)
{
	const struct wp_python_plan *plan = &image->walk.in.plan;
	uint64_t code = image_code(image, i);

	image_put64(image, frame + plan->frame_code, code);
	image_put64(image, frame + plan->frame_previous, previous);
	if (plan->flags & WP_PYTHON_INSTR_POINTER)
		image_put64(image, frame + plan->frame_instr,
			    code + plan->code_first_instr + (uint64_t)(int64_t)lasti);
	else
		image_put32(image, frame + plan->frame_instr,
			    (uint32_t)(plan->flags & WP_PYTHON_LASTI_UNITS && lasti > 0 ? lasti / 2
											: lasti));
}

/* 3.12 and newer: an entry frame. */
static inline void image_entry(struct image *image, uint64_t frame, uint64_t previous)
{
	const struct wp_python_plan *plan = &image->walk.in.plan;

	image_put64(image, frame + plan->frame_code, AT_TYPE | 1);
	image_put64(image, frame + plan->frame_previous, previous);
	image_put8(image, frame + plan->frame_owner, 3);
}

/* 3.11, 3.12. */
static inline void image_cframe(struct image *image, uint64_t cframe, uint64_t current,
				uint64_t previous)
{
	image_put64(image, cframe + image->walk.in.plan.cframe_current, current);
	image_put64(image, cframe + image->walk.in.plan.cframe_previous, previous);
}

static inline void image_top(struct image *image, uint64_t top)
{
	image_put64(image, AT_THREAD + image->walk.in.plan.ts_frame, top);
}

#define IMAGE_FRAME(i)	(AT_FRAMES + (i)*0xa0ull)
#define IMAGE_ON_STACK	(AT_STACK + 0x100)
#define IMAGE_FAR_STACK (AT_STACK + 0x2000)

/* Two runs: frames 0, 1 (codes 0, 1) and frames 2, 3 (codes 2, 0), outermost last. */
static inline void image_two_runs(struct image *image, enum family family)
{
	uint64_t outer = IMAGE_FRAME(2);

	image_init(image, family);
	image_frame(image, IMAGE_FRAME(3), 0, -2, 0);
	image_frame(image, IMAGE_FRAME(2), 2, 40, IMAGE_FRAME(3));
	if (family >= PY312) {
		outer = IMAGE_ON_STACK;
		image_entry(image, IMAGE_FAR_STACK, 0);
		image_put64(image, IMAGE_FRAME(3) + image->walk.in.plan.frame_previous,
			    IMAGE_FAR_STACK);
		image_entry(image, IMAGE_ON_STACK, IMAGE_FRAME(2));
	}
	image_frame(image, IMAGE_FRAME(1), 1, 6, outer);
	image_frame(image, IMAGE_FRAME(0), 0, 20, IMAGE_FRAME(1));
	if (family == PY311) {
		image_put8(image, IMAGE_FRAME(1) + 68, 1);
		image_put8(image, IMAGE_FRAME(3) + 68, 1);
		image_cframe(image, IMAGE_FAR_STACK, IMAGE_FRAME(2), AT_THREAD + 0x100);
		image_cframe(image, IMAGE_ON_STACK, IMAGE_FRAME(0), IMAGE_FAR_STACK);
	}
	if (family == PY312)
		image_cframe(image, IMAGE_ON_STACK + 0x60, IMAGE_FRAME(0), IMAGE_FAR_STACK + 0x60);
	if (family == PY312)
		image_cframe(image, IMAGE_FAR_STACK + 0x60, IMAGE_FRAME(2), 0);
	image_top(image, family == PY311   ? IMAGE_ON_STACK
			 : family == PY312 ? IMAGE_ON_STACK + 0x60
					   : IMAGE_FRAME(0));
}

static inline uint32_t image_walk(struct image *image)
{
	image->n = image->met = image->reads = image->steps = 0;
	wp_python_begin(&image->walk);
	while (image->steps++ < WP_PYTHON_STEPS && !wp_python_step(&image->walk))
		;
	return image->walk.out.end;
}

#endif
