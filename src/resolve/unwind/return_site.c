/* SPDX-License-Identifier: BSD-3-Clause */
/* return_site: see return_site.h. Encodings: Intel's manual, volume 2. */
#include "resolve/unwind/return_site.h"

#include <string.h>

#define MAX_CALL	 7  /* bytes: opcode, ModRM, SIB, 32 bits of displacement */
#define MAX_EXIT	 32 /* bytes of an epilogue */
#define MAX_INSTRUCTIONS 12
#define WORD		 4

enum { ESP = 4, EBP = 5 };

static uint32_t u32_at(const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return value;
}

/* How many bytes follow a ModRM that says "/2" (call), itself included; 0: it says otherwise. */
static size_t operand_bytes(uint8_t modrm, uint8_t sib)
{
	uint8_t mode = modrm >> 6, base = modrm & 7;

	if ((modrm >> 3 & 7) != 2)
		return 0;
	if (mode == 3)
		return 1;
	size_t n = base == 4 ? 2 : 1;
	if (mode == 1)
		return n + 1;
	return mode == 2 || base == 5 || (base == 4 && (sib & 7) == 5) ? n + 4 : n;
}

enum wp_return_site wp_return_site_of(const uint8_t *bytes, size_t n, uint64_t addr,
				      uint64_t *ret_target)
{
	if (n >= 5 && bytes[n - 5] == 0xe8) {
		*ret_target = (uint32_t)(addr + u32_at(bytes + n - 4));
		return WP_RETURN_DIRECT;
	}
	for (size_t len = 2; len <= MAX_CALL && len <= n; len++) {
		const uint8_t *call = bytes + n - len;

		if (call[0] == 0xff && operand_bytes(call[1], len > 2 ? call[2] : 0) == len - 1)
			return WP_RETURN_INDIRECT;
	}
	return WP_RETURN_NONE;
}

enum wp_return_site wp_return_site(struct wp_image *image, uint64_t addr, uint64_t *ret_target)
{
	uint8_t bytes[MAX_CALL];

	if (image->memory)
		return WP_RETURN_UNKNOWN;
	if (addr < MAX_CALL || !wp_elf_image_code(&image->file.image, addr - 1))
		return WP_RETURN_NONE;
	if (wp_image_read_code(image, addr - MAX_CALL, bytes, MAX_CALL) != MAX_CALL)
		return WP_RETURN_UNKNOWN;
	return wp_return_site_of(bytes, MAX_CALL, addr, ret_target);
}

/* Where sp will be: `depth` bytes from sp or ebp; where the caller's ebp is read from, if it is. */
struct exit {
	bool by_fp, fp_saved;
	int32_t depth, fp_at;
};

/* False when ebp is the caller's already. */
static bool by_fp(struct exit *e, int32_t depth)
{
	e->by_fp = true;
	e->depth = depth;
	return !e->fp_saved;
}

static void pop_exit_reg(struct exit *e, int reg)
{
	if (reg == EBP) {
		e->fp_saved = true;
		e->fp_at = e->depth;
	}
	e->depth += WORD;
}

/* "op register, register" that leaves esp and ebp as they are: results on their way to eax. */
static bool is_harmless(const uint8_t *code)
{
	uint8_t to = code[0] & 2 ? code[1] >> 3 & 7 : code[1] & 7;

	return (code[0] == 0x89 || code[0] == 0x8b || code[0] == 0x31 || code[0] == 0x33) &&
	       code[1] >> 6 == 3 && to != ESP && to != EBP;
}

/* One instruction of an epilogue, of which 6 bytes can be looked at; its length, 0: another one. */
static size_t step_epilogue(struct exit *e, const uint8_t *code)
{
	if (code[0] >= 0x58 && code[0] <= 0x5f && code[0] != 0x58 + ESP) {
		pop_exit_reg(e, code[0] - 0x58);
		return 1;
	}
	if (code[0] == 0xc9) { /* leave */
		size_t len = by_fp(e, 0);

		pop_exit_reg(e, EBP);
		return len;
	}
	if (code[0] == 0x83 && code[1] == 0xc4) { /* add esp, ... */
		e->depth += (int8_t)code[2];
		return 3;
	}
	if (code[0] == 0x81 && code[1] == 0xc4 && u32_at(code + 2) < 1 << 20) {
		e->depth += (int32_t)u32_at(code + 2);
		return 6;
	}
	if ((code[0] == 0x89 && code[1] == 0xec) || (code[0] == 0x8b && code[1] == 0xe5))
		return by_fp(e, 0) ? 2 : 0;	/* mov esp, ebp */
	if (code[0] == 0x8d && code[1] == 0x65) /* lea esp, [ebp + ...] */
		return by_fp(e, (int8_t)code[2]) ? 3 : 0;
	return is_harmless(code) ? 2 : 0;
}

static bool to_rule(const struct exit *e, struct wp_unwind_rule *ret)
{
	int32_t cfa = e->depth + WORD, fp = e->fp_at - cfa;

	if (cfa % WORD || cfa / WORD > INT16_MAX || cfa <= 0 || fp % WORD || fp / WORD < INT16_MIN)
		return false;
	*ret = (struct wp_unwind_rule){.cfa = e->by_fp ? WP_UNWIND_FP : WP_UNWIND_SP,
				       .flags = WP_UNWIND_RA_SAVED | WP_UNWIND_BX_LOST,
				       .cfa_off = (int16_t)(cfa / WORD),
				       .ra_off = -1};
	if (e->fp_saved) {
		ret->flags |= WP_UNWIND_FP_SAVED;
		ret->fp_off = (int16_t)(fp / WORD);
	}
	return true;
}

bool wp_return_soon_of(const uint8_t *code, size_t n, struct wp_unwind_rule *ret)
{
	struct exit e = {0};
	size_t at = 0;

	for (int i = 0; i < MAX_INSTRUCTIONS && at < n; i++) {
		uint8_t ahead[6] = {0};
		size_t len;

		memcpy(ahead, code + at, n - at < sizeof(ahead) ? n - at : sizeof(ahead));
		if (ahead[0] == 0xc3 || ahead[0] == 0xc2)
			return to_rule(&e, ret);
		len = step_epilogue(&e, ahead);
		if (!len)
			return false;
		at += len;
	}
	return false;
}

bool wp_return_soon(struct wp_image *image, uint64_t addr, struct wp_unwind_rule *ret)
{
	uint8_t code[MAX_EXIT];

	return !image->memory &&
	       wp_return_soon_of(code, wp_image_read_code(image, addr, code, MAX_EXIT), ret);
}
