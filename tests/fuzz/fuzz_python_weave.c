/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_python_weave: a stack and slots from bytes (make_seeds_python_weave.py has the layout). What
 * is woven must hold every kernel frame, every FRAME slot once, user frames at most once, and each
 * kind in its order.
 */
#include "base/mem.h"
#include "runtime/python_weave.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define SLOTS 4096

static const struct wp_python_eval loops[] = {
	{0x40, 0x60, 0}, {0x60, 0x70, 1}, {0x70, 0x80, 2}, {0x80, 0x90, 0}, {0xa0, 0xb0, 99}};

/* Small numbers meet each other; the largest byte is an address at the end of all. */
static uint64_t wide(uint8_t byte)
{
	return byte == 0xff ? UINT64_MAX : byte;
}

static void make_slot(uint8_t kind, uint8_t value, struct wp_python_slot *ret)
{
	*ret = (struct wp_python_slot){.addr = wide(value), .lasti = kind};
	if (kind >= 0xc0) {
		ret->lasti = WP_PYTHON_THREAD;
		ret->id = WP_PYTHON_THREAD_ID(value & 7u, (uint32_t)value >> 3 & 7) |
			  (value & 64 ? WP_PYTHON_REPAIRED : 0);
	} else if (kind >= 0x80) {
		ret->lasti = WP_PYTHON_MARK;
	}
}

static size_t frames_of(const struct wp_python_slot *slots, size_t n)
{
	size_t frames = 0;

	for (size_t i = 0; i < n; i++)
		frames += slots[i].lasti != WP_PYTHON_MARK && slots[i].lasti != WP_PYTHON_THREAD;
	return frames;
}

static void verify(const struct wp_stack *stack, const struct wp_python_slot *slots, size_t n,
		   bool interpreter_frames, const struct wp_woven *woven)
{
	static bool seen[SLOTS];
	size_t natives = 0, frames = 0;
	uint32_t next = 0;

	memset(seen, 0, sizeof(seen));
	for (size_t i = 0; i < woven->n; i++) {
		uint32_t index = woven->frames[i].index;

		if (woven->frames[i].kind == WP_WOVEN_NATIVE) {
			natives++;
			if (index < next || index >= stack->n_kernel + stack->n_user ||
			    (i < stack->n_kernel && index != i))
				abort();
			next = index + 1;
		} else {
			frames++;
			if (index >= n || seen[index] || i < stack->n_kernel)
				abort();
			seen[index] = true;
		}
	}
	if (frames != frames_of(slots, n) || woven->unbound > n || woven->missing > stack->n_user)
		abort();
	if (interpreter_frames && natives != stack->n_kernel + stack->n_user)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct wp_woven woven;
	static struct wp_stack stack;
	static struct wp_python_slot slots[SLOTS];
	struct wp_python_evals evals = {loops, WP_ARRAY_LEN(loops), {0}};
	size_t n = 0, at = 4;

	if (size < at)
		return 0;
	evals.flags[0] = data[0] & 1 ? WP_PYTHON_FRAME_OBJECTS : 0;
	evals.flags[1] = data[0] & 2 ? WP_PYTHON_FRAME_OBJECTS : 0;
	stack.end = data[1] % WP_STACK_ENDS;
	stack.n_kernel = data[2] % 4;
	for (stack.n_user = 0; stack.n_user < data[3] && at + 2 <= size; at += 2)
		stack.frames[stack.n_kernel + stack.n_user++] =
			(struct wp_stack_frame){{wide(data[at])}, wide(data[at + 1])};
	for (; at + 2 <= size && n < SLOTS; at += 2)
		make_slot(data[at], data[at + 1], &slots[n++]);
	for (int shown = 0; shown < 2; shown++) {
		wp_python_weave(&stack, slots, n, &evals, shown, &woven);
		verify(&stack, slots, n, shown, &woven);
	}
	return 0;
}
