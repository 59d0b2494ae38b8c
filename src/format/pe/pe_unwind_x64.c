/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pe_unwind_x64: one function's UNWIND_INFO and epilogues as unwind rules; see pe_unwind.h.
 *
 * UNWIND_INFO: version and flags, bytes of the prologue, count of codes, frame register, then the
 * codes (16 bits each, the last instruction's first), then another function's entry whose codes
 * follow (a part of a function that lies elsewhere), or a handler.
 */
#include "format/pe/pe_unwind.h"

#include <string.h>

#define MAX_OPS	   512
#define MAX_CHAIN  32 /* entries that lead to each other */
#define MAX_EXIT   32 /* bytes of what stands in front of a return */
#define MAX_DEPTH  (INT16_MAX * 8)
#define FLAG_CHAIN 4
#define RBX	   3
#define RBP	   5
#define WORD	   8

enum op_code {
	PUSH_NONVOL,
	ALLOC_LARGE,
	ALLOC_SMALL,
	SET_FPREG,
	SAVE_NONVOL,
	SAVE_NONVOL_FAR,
	EPILOG, /* in version 1: 8 bytes of an XMM register were saved */
	SPARE,	/* likewise, far */
	SAVE_XMM128,
	SAVE_XMM128_FAR,
	PUSH_MACHFRAME,
};

struct op {
	uint8_t at; /* bytes of the prologue behind which it has happened */
	uint8_t code, reg;
	uint32_t value; /* bytes */
};

struct function {
	const struct wp_pe_pdata *pdata;
	struct op ops[MAX_OPS];
	size_t n;
	uint8_t prologue;
	bool unknown; /* codes that nothing describes, or nonsense */
};

/* The stack in a place of the function; offsets are bytes from the CFA. */
struct state {
	uint32_t depth; /* of rsp, downwards */
	bool framed, machine_frame;
	uint8_t frame_reg;
	uint32_t frame_depth; /* of where rsp was when the frame register was set */
	int64_t frame_cfa;    /* the CFA is the frame register plus this */
	bool has_bp, has_bx;  /* saved there: */
	int64_t bp, bx;
};

/* Slots of 16 bits behind a code's first, that are its operand. */
static int operands(uint8_t version, uint8_t code, uint8_t info)
{
	switch (code) {
	case ALLOC_LARGE: return info ? 2 : 1;
	case SAVE_NONVOL:
	case SAVE_XMM128: return 1;
	case SAVE_NONVOL_FAR:
	case SAVE_XMM128_FAR:
	case SPARE: return 2;
	case EPILOG: return version == 1;
	default: return 0;
	}
}

/* What the operand (or, without one, the info) stands for. */
static uint32_t operand_value_of(uint8_t code, uint8_t info, uint32_t operand)
{
	switch (code) {
	case ALLOC_SMALL: return info * WORD + WORD;
	case ALLOC_LARGE: return info ? operand : operand * WORD;
	case SAVE_NONVOL: return operand * WORD;
	default: return operand;
	}
}

static void read_codes(struct function *f, struct wp_bytes *b, uint8_t version, uint8_t count,
		       uint8_t frame, bool chained)
{
	for (int left = count; left > 0 && !b->failed; left--) {
		uint8_t at = wp_bytes_u8(b), byte = wp_bytes_u8(b);
		uint8_t code = byte & 15, info = byte >> 4;
		int more = operands(version, code, info);
		uint32_t operand = more ? wp_bytes_u16(b) : 0;
		struct op op = {chained ? 0 : at, code, info, 0};

		if (more == 2)
			operand |= (uint32_t)wp_bytes_u16(b) << 16;
		left -= more;
		/* An empty slot pads an even number of epilogues. */
		if (code == EPILOG || (version > 1 && !at && !byte))
			continue;
		op.value = operand_value_of(code, info, operand);
		if (code == SET_FPREG) {
			op.reg = frame & 15;
			op.value = (frame >> 4) * 16u;
		}
		f->unknown |= code > PUSH_MACHFRAME || f->n == MAX_OPS;
		if (f->n < MAX_OPS)
			f->ops[f->n++] = op;
	}
}

/* Reads one UNWIND_INFO; *rva becomes the one that it continues, or 0. */
static void read_info(struct function *f, uint32_t *rva, bool chained)
{
	struct wp_bytes b = wp_pe_pdata_bytes(f->pdata, *rva);
	uint8_t head = wp_bytes_u8(&b), prologue = wp_bytes_u8(&b), count = wp_bytes_u8(&b);
	uint8_t frame = wp_bytes_u8(&b), version = head & 7;

	if (!chained)
		f->prologue = prologue;
	f->unknown |= version < 1 || version > 2;
	read_codes(f, &b, version, count, frame, chained);
	*rva = 0;
	if (head >> 3 & FLAG_CHAIN) {
		wp_bytes_skip(&b, (count & 1) * 2 + 8);
		*rva = wp_bytes_u32(&b);
	}
	f->unknown |= b.failed;
}

/* An odd address is that of another entry, which has the information. */
static uint32_t direct(const struct wp_pe_pdata *pdata, uint32_t unwind)
{
	struct wp_bytes b;

	if (!(unwind & 1))
		return unwind;
	b = wp_pe_pdata_bytes(pdata, (unwind & ~1u) + 8);
	return wp_bytes_u32(&b);
}

static void read_unwind_codes(struct function *f, uint32_t unwind)
{
	uint32_t rva = direct(f->pdata, unwind);

	for (int i = 0; i < MAX_CHAIN && !f->unknown; i++) {
		read_info(f, &rva, i > 0);
		if (!rva)
			return;
		rva = direct(f->pdata, rva);
	}
	f->unknown = true;
}

static void save_x64_reg(struct state *s, uint8_t reg, int64_t from_cfa)
{
	if (reg == RBP) {
		s->has_bp = true;
		s->bp = from_cfa;
	} else if (reg == RBX) {
		s->has_bx = true;
		s->bx = from_cfa;
	}
}

static void apply_op(const struct op *op, struct state *s)
{
	uint32_t base = s->framed ? s->frame_depth : s->depth;

	switch (op->code) {
	case PUSH_NONVOL:
		s->depth += WORD;
		save_x64_reg(s, op->reg, -(int64_t)s->depth);
		break;
	case ALLOC_LARGE:
	case ALLOC_SMALL:
		s->depth = op->value > MAX_DEPTH - s->depth ? MAX_DEPTH : s->depth + op->value;
		break;
	case SET_FPREG:
		s->framed = true;
		s->frame_reg = op->reg;
		s->frame_depth = s->depth;
		s->frame_cfa = (int64_t)s->depth - op->value;
		break;
	case SAVE_NONVOL:
	case SAVE_NONVOL_FAR: save_x64_reg(s, op->reg, (int64_t)op->value - base); break;
	case PUSH_MACHFRAME: s->machine_frame = true; break;
	default: break; /* no register that is followed */
	}
}

/* Behind the prologue. The first instruction's code is the last. */
static struct state x64_body_state(const struct function *f)
{
	struct state s = {.depth = WORD};

	for (size_t i = f->n; i-- > 0;)
		apply_op(&f->ops[i], &s);
	return s;
}

static bool set_x64_words(int64_t bytes, __s16 *ret)
{
	if (bytes % WORD || bytes / WORD > INT16_MAX || bytes / WORD < INT16_MIN)
		return false;
	*ret = (__s16)(bytes / WORD);
	return true;
}

/* DWARF numbers some of the registers otherwise. */
static uint8_t cfa_of(const struct state *s)
{
	static const uint8_t dwarf[] = {0, 2, 1, 3, 7, 6, 4, 5};

	if (!s->framed)
		return WP_UNWIND_SP;
	if (s->frame_reg == RBP)
		return WP_UNWIND_FP;
	return WP_UNWIND_REG + (s->frame_reg < 8 ? dwarf[s->frame_reg] : s->frame_reg);
}

static struct wp_unwind_rule x64_rule_of(const struct state *s)
{
	struct wp_unwind_rule rule = {.cfa = cfa_of(s), .flags = WP_UNWIND_RA_SAVED, .ra_off = -1};
	int64_t cfa = s->framed ? s->frame_cfa : (int64_t)s->depth;

	if (s->machine_frame || s->depth >= MAX_DEPTH || !set_x64_words(cfa, &rule.cfa_off))
		return (struct wp_unwind_rule){0};
	if (s->has_bp && set_x64_words(s->bp, &rule.fp_off))
		rule.flags |= WP_UNWIND_FP_SAVED;
	if (s->has_bx && set_x64_words(s->bx, &rule.ra_off))
		rule.flags |= WP_UNWIND_BX_SAVED;
	return rule;
}

/* Each code's place is a change; the codes are in falling order of them. */
static void add_x64_prologue(const struct function *f, uint32_t start, uint32_t end,
			     struct wp_unwind_rows *rows)
{
	struct state s = {.depth = WORD};

	wp_pe_unwind_append(rows, start, x64_rule_of(&s));
	for (size_t i = f->n; i-- > 0;) {
		uint32_t at = f->ops[i].at;

		apply_op(&f->ops[i], &s);
		if (at < end - start)
			wp_pe_unwind_append(rows, start + at, x64_rule_of(&s));
	}
}

/* What restores the stack in front of a return: pops, or the release of what was allocated. */
struct exit {
	uint8_t bytes[MAX_EXIT];
	size_t n;
};

struct exits {
	struct exit all[4];
	size_t n;
	uint8_t pops[MAX_EXIT]; /* registers, in the order of their pops */
	size_t n_pops;
};

static void add_exit(struct exits *exits, const uint8_t *bytes, size_t n)
{
	struct exit *exit = &exits->all[exits->n++];

	memcpy(exit->bytes, bytes, n);
	exit->n = n;
}

/* add rsp, bytes, with an operand of 8 or 32 bits; a word may also have been popped. */
static void find_releases(uint32_t bytes, struct exits *ret)
{
	uint8_t narrow[] = {0x48, 0x83, 0xc4, (uint8_t)bytes}, wide[7] = {0x48, 0x81, 0xc4};

	memcpy(wide + 3, &bytes, 4);
	if (bytes < 128)
		add_exit(ret, narrow, sizeof(narrow));
	add_exit(ret, wide, sizeof(wide));
	if (bytes == WORD) {
		add_exit(ret, (const uint8_t[]){0x58}, 1); /* pop rax */
		add_exit(ret, (const uint8_t[]){0x59}, 1); /* pop rcx */
	}
}

static void find_exits(const struct function *f, const struct state *body, struct exits *ret)
{
	uint8_t bytes[MAX_EXIT];
	size_t n = 0;

	for (size_t i = 0; i < f->n && n + 2 < MAX_EXIT; i++) {
		uint8_t reg = f->ops[i].reg;

		if (f->ops[i].code != PUSH_NONVOL)
			continue;
		if (reg >= 8)
			bytes[n++] = 0x41;
		bytes[n++] = 0x58 + (reg & 7);
		ret->pops[ret->n_pops++] = reg;
	}
	if (n)
		add_exit(ret, bytes, n);
	else if (body->depth > WORD && body->depth < MAX_DEPTH)
		find_releases(body->depth - WORD, ret);
}

/* Bytes of the return, or the jump to another function, that stands here; 0: neither. */
static size_t leaving(const uint8_t *code, size_t n)
{
	static const struct {
		uint8_t bytes[3], mask;
		size_t n, whole;
	} forms[] = {
		{{0xc3}, 0xff, 1, 1},		  /* ret */
		{{0xc2}, 0xff, 1, 3},		  /* ret n */
		{{0xf3, 0xc3}, 0xff, 2, 2},	  /* rep ret */
		{{0xe9}, 0xff, 1, 5},		  /* jmp */
		{{0xeb}, 0xff, 1, 2},		  /* jmp short */
		{{0xff, 0x25}, 0xff, 2, 6},	  /* jmp [rip + n] */
		{{0x48, 0xff, 0x25}, 0xff, 3, 7}, /* rex.w jmp [rip + n] */
		{{0xff, 0xe0}, 0xf8, 2, 2},	  /* jmp register */
		{{0x48, 0xff, 0xe0}, 0xf8, 3, 3}, /* rex.w jmp register */
		{{0x41, 0xff, 0xe0}, 0xf8, 3, 3}, /* jmp r8 to r15 */
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(forms); i++) {
		size_t last = forms[i].n - 1;

		if (forms[i].whole <= n && memcmp(code, forms[i].bytes, last) == 0 &&
		    (code[last] & forms[i].mask) == forms[i].bytes[last])
			return forms[i].whole;
	}
	return 0;
}

/* While `popped` registers have been popped. */
static struct wp_unwind_rule leaving_rule(const struct exits *exits, const struct state *body,
					  size_t popped)
{
	struct state s = {.depth = (uint32_t)(exits->n_pops - popped + 1) * WORD};

	for (size_t i = popped; i < exits->n_pops; i++) {
		if (exits->pops[i] == RBP)
			save_x64_reg(&s, RBP, body->bp);
		else if (exits->pops[i] == RBX)
			save_x64_reg(&s, RBX, body->bx);
	}
	return x64_rule_of(&s);
}

/* Rows of one epilogue, which begins with the exit at `at`; the body's behind it. */
static void add_exit_rows(const struct exits *exits, const struct exit *exit,
			  const struct state *body, uint32_t at, uint32_t behind,
			  struct wp_unwind_rows *rows)
{
	uint32_t pc = at;

	for (size_t i = 0; i < exits->n_pops; i++) {
		wp_pe_unwind_append(rows, pc, leaving_rule(exits, body, i));
		pc += exits->pops[i] < 8 ? 1 : 2;
	}
	wp_pe_unwind_append(rows, at + (uint32_t)exit->n, leaving_rule(exits, body, exits->n_pops));
	wp_pe_unwind_append(rows, behind, x64_rule_of(body));
}

/* Bytes of the exit and the return that begin here, and which exit; 0: none. */
static size_t exit_at(const struct exits *exits, const uint8_t *code, size_t n,
		      const struct exit **ret)
{
	for (size_t i = 0; i < exits->n; i++) {
		const struct exit *exit = &exits->all[i];
		size_t last;

		if (code[0] != exit->bytes[0] || exit->n > n ||
		    memcmp(code, exit->bytes, exit->n) != 0)
			continue;
		last = leaving(code + exit->n, n - exit->n);
		*ret = exit;
		if (last)
			return exit->n + last;
	}
	return 0;
}

static void add_epilogues(const struct function *f, uint32_t start, uint32_t end,
			  struct wp_unwind_rows *rows)
{
	struct wp_bytes code = wp_pe_pdata_bytes(f->pdata, start);
	struct state body = x64_body_state(f);
	struct exits exits = {0};
	size_t n = code.size < end - start ? code.size : end - start;

	find_exits(f, &body, &exits);
	for (size_t i = f->prologue; exits.n && i < n; i++) {
		const struct exit *exit;
		size_t bytes = exit_at(&exits, code.data + i, n - i, &exit);

		if (!bytes)
			continue;
		add_exit_rows(&exits, exit, &body, start + (uint32_t)i,
			      start + (uint32_t)(i + bytes), rows);
		i += bytes - 1;
	}
}

void wp_pe_unwind_x64(const struct wp_pe_pdata *pdata, const struct wp_pe_function *function,
		      struct wp_unwind_rows *rows)
{
	struct function f = {.pdata = pdata};

	read_unwind_codes(&f, function->unwind);
	if (f.unknown) {
		wp_pe_unwind_append(rows, function->start, (struct wp_unwind_rule){0});
		return;
	}
	add_x64_prologue(&f, function->start, function->end, rows);
	add_epilogues(&f, function->start, function->end, rows);
}
