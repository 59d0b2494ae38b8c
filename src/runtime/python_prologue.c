/* SPDX-License-Identifier: BSD-3-Clause */
/* python_prologue: see python_prologue.h. Encodings: as python_operands.h. */
#include "runtime/python_prologue.h"

#include "base/bytes.h"

#include <elf.h>

#define NOWHERE INT64_MIN

/* An access to memory at a base register plus a distance. */
struct access {
	bool is_address; /* the address itself goes to the register, else it is stored from there */
	uint8_t base, reg;
	int64_t distance;
	uint32_t bytes; /* of the instruction */
};

struct search {
	const struct wp_python_plan *plan;
	uint8_t stack, frame; /* registers that locals are addressed by */
	/* Where each register points in the stack frame, as far as is known: distance and base. */
	int64_t points_at[32];
	uint8_t base_of[32];
	int64_t cframe; /* where that is, once known */
	uint8_t cframe_base;
};

/* ModRM and what follows it: a base register with an 8- or 32-bit distance, no index. */
static size_t x86_place(const uint8_t *p, uint8_t rex, struct access *ret)
{
	uint8_t mod = p[0] >> 6, rm = p[0] & 7;
	size_t at = 1;

	ret->reg = (uint8_t)((p[0] >> 3 & 7) | (rex & 4) << 1);
	ret->base = (uint8_t)(rm | (rex & 1) << 3);
	if (mod != 1 && mod != 2)
		return 0;
	if (rm == 4 && p[at++] != 0x24)
		return 0;
	ret->distance = mod == 1 ? (int8_t)p[at] : (int32_t)wp_u32_at(p + at);
	return at + (mod == 1 ? 1 : 4);
}

/* lea; mov, movups, movaps, movdqu and movdqa to memory. At least 12 bytes are there. */
static bool x86_access(const uint8_t *p, struct access *ret)
{
	uint8_t rex = 0;
	size_t at = 0, place;

	if (p[at] == 0x66 || p[at] == 0xf3)
		at++;
	if ((p[at] & 0xf0) == 0x40)
		rex = p[at++];
	if (p[at] == 0x0f) {
		at++;
		if (p[at] != 0x11 && p[at] != 0x29 && p[at] != 0x7f)
			return false;
	} else if ((p[at] != 0x89 && p[at] != 0x8d) || !(rex & 8)) {
		return false;
	}
	ret->is_address = p[at] == 0x8d;
	place = x86_place(p + at + 1, rex, ret);
	ret->bytes = (uint32_t)(at + 1 + place);
	return place != 0;
}

/* add Xd, Xn, #imm; str Xt, [Xn, #imm]; stp Xt, Xu, [Xn, #imm] */
static bool arm_access(uint32_t word, struct access *ret)
{
	ret->base = word >> 5 & 31;
	ret->reg = word & 31;
	ret->bytes = 4;
	ret->is_address = (word & 0xffc00000) == 0x91000000;
	if (ret->is_address)
		ret->distance = word >> 10 & 0xfff;
	else if ((word & 0xffc00000) == 0xf9000000)
		ret->distance = (word >> 10 & 0xfff) * 8;
	else if ((word & 0xffc00000) == 0xa9000000)
		ret->distance = ((int64_t)(word >> 15 & 0x7f) ^ 0x40) * 8 - 0x40 * 8;
	else
		return false;
	return true;
}

static bool is_local_base(const struct search *s, uint8_t base)
{
	return base == s->stack || base == s->frame;
}

/* Takes an access; true when the cframe is known to be filled in behind it. */
static bool take_access(struct search *s, const struct access *a)
{
	if (a->is_address) {
		s->points_at[a->reg] = is_local_base(s, a->base) ? a->distance : NOWHERE;
		s->base_of[a->reg] = a->base;
		return false;
	}
	if (s->cframe == NOWHERE) {
		if (!is_local_base(s, a->base) && a->distance == s->plan->ts_frame) {
			s->cframe = s->points_at[a->reg];
			s->cframe_base = s->base_of[a->reg];
		}
		return false;
	}
	return a->base == s->cframe_base && a->distance == s->cframe + s->plan->cframe_current;
}

/* The store of the frame may stand before that of the address, so the code is read twice. */
static uint32_t scan_prologue(const struct wp_python_code_bytes *code, struct search *s)
{
	bool aarch64 = code->machine == EM_AARCH64;

	for (size_t i = 0; i + (aarch64 ? 4 : 12) <= code->n; i += aarch64 ? 4 : 1) {
		const uint8_t *p = code->bytes + i;
		struct access a;
		bool is = aarch64 ? arm_access(wp_u32_at(p), &a) : x86_access(p, &a);

		if (is && take_access(s, &a))
			return (uint32_t)i + a.bytes;
	}
	return 0;
}

bool wp_python_prologue(const struct wp_python_code_bytes *code, struct wp_python_plan *plan)
{
	bool aarch64 = code->machine == EM_AARCH64;
	struct search s = {
		.plan = plan,
		.stack = aarch64 ? 31 : 4,
		.frame = aarch64 ? 29 : 5,
		.cframe = NOWHERE,
	};
	uint32_t length;

	for (size_t i = 0; i < 32; i++)
		s.points_at[i] = NOWHERE;
	(void)scan_prologue(code, &s);
	length = s.cframe == NOWHERE ? 0 : scan_prologue(code, &s);
	if (!length || length > UINT16_MAX)
		return false;
	plan->eval_prologue = (uint16_t)length;
	if (s.cframe_base == s.stack && s.cframe > 0 && s.cframe <= UINT16_MAX)
		plan->eval_cframe = (uint16_t)s.cframe;
	if (!aarch64)
		plan->eval_return = 8;
	return true;
}
