/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * code_frames: unwind rules of x86-64 code that has no call frame information, read off its
 * instructions.
 *
 * musl's libc is built without any. Compiled code moves sp by push, pop, sub and add alone, and
 * keeps its frame the same on both sides of a jump; where it does anything else no rule is given.
 * Pure; Capstone decodes.
 */
#ifndef WP_CODE_FRAMES_H
#define WP_CODE_FRAMES_H

#include "core/unwind_rows.h"

struct wp_code_frames;

/* NULL when the decoder cannot be had. */
struct wp_code_frames *wp_code_frames_new(void);
void wp_code_frames_free(struct wp_code_frames *frames);
/*
 * Appends the rules of the code that lies at a linked address, from its first instruction that is
 * no padding, and a gap behind it. It is one function, or with `many` any number of them. The rows
 * must end at or below the address.
 */
void wp_code_frames_add(struct wp_code_frames *frames, const uint8_t *code, size_t size,
			uint64_t addr, bool many, struct wp_unwind_rows *rows);

#endif
