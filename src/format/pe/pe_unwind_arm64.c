/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pe_unwind_arm64: one function's unwind codes as unwind rules; see pe_unwind.h.
 *
 * Each code stands for one instruction of the prologue, the last one's first, or of an epilogue, in
 * its order. So what is still on the stack at the nth instruction of an epilogue, or when all but n
 * of the prologue have run, is what the codes from the nth on do to a stack: one function tells all
 * rows. A packed entry is a short form of the codes that a usual function has, and is made into
 * them.
 */
#include "format/pe/pe_unwind.h"

#include <string.h>

#define MAX_CODES  1024 /* bytes; the format's limit */
#define MAX_SCOPES 65536
#define MAX_DEPTH  (INT16_MAX * 8)
#define FP	   29
#define LR	   30
#define X19	   19
#define WORD	   8
#define INSN	   4

/* What one code is. */
enum kind {
	ALLOC, /* of `bytes` */
	SAVE, /* a pair (or one: `single`) of registers at sp + bytes, sp having moved by `moved` */
	SAVE_NEXT, /* the pair behind the one that the code before has saved */
	SET_FP,	   /* x29 = sp + bytes */
	SIGN,	   /* the return address was signed */
	NOTHING,   /* an instruction of no interest */
	END,	   /* no instruction */
	END_PART,  /* likewise: what follows was done by another part of the function */
	UNKNOWN,   /* what is on the stack is not known */
};

struct code {
	enum kind kind;
	size_t length; /* bytes of the code */
	uint32_t bytes, moved;
	uint8_t first, second; /* registers; 0: none of interest */
};

struct codes {
	uint8_t bytes[MAX_CODES];
	size_t n;
};

struct state {
	uint32_t depth; /* of sp, bytes downwards from the CFA */
	bool framed, signed_ra, unknown;
	int64_t frame_cfa; /* the CFA is x29 plus this */
	bool has_fp, has_lr;
	int64_t fp, lr; /* where they are saved, bytes from the CFA */
};

static struct code save_pair(size_t length, uint8_t first, uint8_t second, uint32_t offset)
{
	return (struct code){SAVE, length, offset, 0, first, second};
}

/* With the stack pointer moved by as much before. */
static struct code save_moving(size_t length, uint8_t first, uint8_t second, uint32_t bytes)
{
	return (struct code){SAVE, length, 0, bytes, first, second};
}

/* Codes whose first byte is below 0xe0 and above 0xbf: registers in X, offsets in Z. */
static struct code decode_saves(uint8_t a, uint8_t b)
{
	uint32_t word = (uint32_t)a << 8 | b;
	uint8_t reg = X19 + (word >> 6 & 15), z6 = word & 63, z5 = word & 31;
	uint8_t single = X19 + (word >> 5 & 15), pair = X19 + 2 * (word >> 6 & 7);

	switch (word >> 10 & 7) {
	case 0:
	case 1: return (struct code){ALLOC, 2, (word & 0x7ff) * 16, 0, 0, 0};
	case 2: return save_pair(2, reg, reg + 1, z6 * WORD);
	case 3: return save_moving(2, reg, reg + 1, (z6 + 1) * WORD);
	case 4: return save_pair(2, reg, 0, z6 * WORD);
	case 5:
		if (word >> 9 & 1)
			return save_pair(2, pair, LR, z6 * WORD);
		return save_moving(2, single, 0, (z5 + 1) * WORD);
	case 6: /* floating-point registers */
		return word >> 9 & 1 ? save_moving(2, 0, 0, (z6 + 1) * WORD)
				     : (struct code){NOTHING, 2, 0, 0, 0, 0};
	default:
		if (a == 0xde)
			return save_moving(2, 0, 0, (z5 + 1) * WORD);
		return (struct code){a < 0xde ? NOTHING : UNKNOWN, 2, 0, 0, 0, 0};
	}
}

static struct code decode_others(const uint8_t *at, size_t n)
{
	uint32_t large = n < 4 ? 0 : (uint32_t)at[1] << 16 | at[2] << 8 | at[3];

	switch (at[0]) {
	case 0xe0:
		return (struct code){ALLOC, 4, large < MAX_DEPTH ? large * 16 : MAX_DEPTH, 0, 0, 0};
	case 0xe1: return (struct code){SET_FP, 1, 0, 0, 0, 0};
	case 0xe2: return (struct code){SET_FP, 2, n < 2 ? 0 : at[1] * WORD, 0, 0, 0};
	case 0xe3: return (struct code){NOTHING, 1, 0, 0, 0, 0};
	case 0xe4: return (struct code){END, 1, 0, 0, 0, 0};
	case 0xe5: return (struct code){END_PART, 1, 0, 0, 0, 0};
	case 0xe6: return (struct code){SAVE_NEXT, 1, 0, 0, 0, 0};
	case 0xe7: return (struct code){UNKNOWN, 3, 0, 0, 0, 0}; /* save_any_reg */
	case 0xfc: return (struct code){SIGN, 1, 0, 0, 0, 0};
	default: return (struct code){UNKNOWN, 1, 0, 0, 0, 0};
	}
}

static struct code decode_code(const uint8_t *at, size_t n)
{
	uint8_t low = at[0] & 31, z6 = at[0] & 63;

	if (at[0] < 0x20)
		return (struct code){ALLOC, 1, low * 16u, 0, 0, 0};
	if (at[0] < 0x40)
		return save_moving(1, X19, X19 + 1, low * WORD);
	if (at[0] < 0x80)
		return save_pair(1, FP, LR, z6 * WORD);
	if (at[0] < 0xc0)
		return save_moving(1, FP, LR, (z6 + 1u) * WORD);
	if (at[0] < 0xe0)
		return decode_saves(at[0], n < 2 ? 0 : at[1]);
	return decode_others(at, n);
}

static void save_arm64_reg(struct state *s, uint8_t reg, int64_t from_cfa)
{
	if (reg == FP) {
		s->has_fp = true;
		s->fp = from_cfa;
	} else if (reg == LR) {
		s->has_lr = true;
		s->lr = from_cfa;
	}
}

static void apply_code(const struct code *code, struct state *s)
{
	uint32_t down = code->kind == ALLOC ? code->bytes : code->moved;

	s->depth = down > MAX_DEPTH - s->depth ? MAX_DEPTH : s->depth + down;
	if (code->kind == SAVE) {
		int64_t at = (int64_t)code->bytes - s->depth;

		save_arm64_reg(s, code->first, at);
		save_arm64_reg(s, code->second, at + WORD);
	} else if (code->kind == SET_FP) {
		s->framed = true;
		s->frame_cfa = (int64_t)s->depth - code->bytes;
	} else if (code->kind == SIGN) {
		s->signed_ra = true;
	}
	s->unknown |= code->kind == UNKNOWN || s->depth >= MAX_DEPTH;
}

static bool set_arm64_words(int64_t bytes, __s16 *ret)
{
	if (bytes % WORD || bytes / WORD > INT16_MAX || bytes / WORD < INT16_MIN)
		return false;
	*ret = (__s16)(bytes / WORD);
	return true;
}

static struct wp_unwind_rule arm64_rule_of(const struct state *s)
{
	struct wp_unwind_rule rule = {.cfa = s->framed ? WP_UNWIND_FP : WP_UNWIND_SP};

	if (s->unknown ||
	    !set_arm64_words(s->framed ? s->frame_cfa : (int64_t)s->depth, &rule.cfa_off))
		return (struct wp_unwind_rule){0};
	if (s->has_fp && set_arm64_words(s->fp, &rule.fp_off))
		rule.flags |= WP_UNWIND_FP_SAVED;
	if (s->has_lr && set_arm64_words(s->lr, &rule.ra_off))
		rule.flags |= WP_UNWIND_RA_SAVED;
	if (s->signed_ra)
		rule.flags |= WP_UNWIND_RA_SIGNED;
	return rule;
}

/* Codes from a place on, up to the end. */
struct list {
	size_t n, own; /* the first `own` stand for instructions of this part of the function */
	struct wp_unwind_rule rules[MAX_CODES + 1]; /* when only the codes from there on have run */
};

static size_t find_codes(const struct codes *codes, size_t from, uint16_t ret[MAX_CODES],
			 size_t *ret_own)
{
	bool parted = false;
	size_t n = 0;

	*ret_own = 0;
	while (from < codes->n) {
		struct code code = decode_code(codes->bytes + from, codes->n - from);

		if (code.kind == END)
			break;
		if (code.kind == END_PART)
			parted = true;
		else
			ret[n++] = (uint16_t)from;
		*ret_own = parted ? *ret_own : n;
		from += code.length;
	}
	return n;
}

static void make_list(const struct codes *codes, size_t from, struct list *ret)
{
	uint16_t starts[MAX_CODES];
	struct state s = {0};

	ret->n = find_codes(codes, from, starts, &ret->own);
	ret->rules[ret->n] = arm64_rule_of(&s);
	for (size_t i = ret->n; i-- > 0;) {
		struct code code = decode_code(codes->bytes + starts[i], codes->n - starts[i]);

		apply_code(&code, &s);
		ret->rules[i] = arm64_rule_of(&s);
	}
}

static void add_arm64_prologue(const struct list *list, const struct wp_pe_function *function,
			       struct wp_unwind_rows *rows)
{
	uint32_t pc = function->start;

	for (size_t done = 0; done <= list->own && pc < function->end; done++, pc += INSN)
		wp_pe_unwind_append(rows, pc, list->rules[list->own - done]);
}

/* From the list's first code on; the return, or a jump, comes last, then the body goes on. */
static void add_epilogue(const struct list *list, const struct list *body, uint32_t pc,
			 const struct wp_pe_function *function, struct wp_unwind_rows *rows)
{
	for (size_t done = 0; done <= list->own && pc < function->end; done++, pc += INSN)
		wp_pe_unwind_append(rows, pc, list->rules[done]);
	if (pc < function->end)
		wp_pe_unwind_append(rows, pc, body->rules[0]);
}

/* An epilogue that ends where the function does. */
static void add_last_epilogue(const struct codes *codes, size_t from,
			      const struct wp_pe_function *function, struct wp_unwind_rows *rows)
{
	uint32_t bytes = function->end - function->start;
	struct list list;

	make_list(codes, from, &list);
	if ((list.own + 1) * INSN <= bytes)
		add_epilogue(&list, &list, function->end - (uint32_t)(list.own + 1) * INSN,
			     function, rows);
}

/* Instructions that save two registers or one, as packed entries mean them, in falling order. */
struct packed {
	uint32_t length, reg_f, reg_i, home, cr, frame;
	uint32_t saved, local; /* bytes */
};

static struct packed unpack_pdata(uint32_t word)
{
	struct packed p = {
		.length = word >> 2 & 0x7ff,
		.reg_f = word >> 13 & 7,
		.reg_i = word >> 16 & 15,
		.home = word >> 20 & 1,
		.cr = word >> 21 & 3,
		.frame = word >> 23,
	};
	uint32_t ints = p.reg_i * WORD + (p.cr == 1 ? WORD : 0);
	uint32_t floats = p.reg_f ? (p.reg_f + 1) * WORD : 0;

	p.saved = (ints + floats + p.home * 8 * WORD + 15) & ~15u;
	p.local = p.frame * 16 > p.saved ? p.frame * 16 - p.saved : 0;
	return p;
}

static void put_opcode(struct codes *codes, uint8_t byte)
{
	codes->bytes[codes->n++] = byte;
}

static void put_wide(struct codes *codes, uint32_t word)
{
	put_opcode(codes, (uint8_t)(word >> 8));
	put_opcode(codes, (uint8_t)word);
}

static void put_alloc(struct codes *codes, uint32_t bytes)
{
	put_wide(codes, 0xc000 | (bytes / 16 & 0x7ff));
}

/* The frame: locals, and with a chain x29 and x30 at their lower end. */
static void put_frame_codes(const struct packed *p, bool epilogue, struct codes *codes)
{
	bool chained = p->cr >= 2;

	if (chained && !epilogue)
		put_opcode(codes, 0xe1); /* mov x29, sp */
	if (chained && p->local && p->local <= 512) {
		put_opcode(codes,
			   0x80 | (uint8_t)(p->local / WORD - 1)); /* stp x29, x30, [sp, #-n]! */
		return;
	}
	if (chained)
		put_opcode(codes, 0x40); /* stp x29, x30, [sp] */
	if (p->local > 4080) {
		put_alloc(codes, p->local - 4080);
		put_alloc(codes, 4080);
	} else if (p->local) {
		put_alloc(codes, p->local);
	}
}

/* The first store moves the stack pointer by all that is saved. */
static void put_ints(const struct packed *p, struct codes *codes)
{
	uint32_t pairs = p->reg_i / 2, z = p->saved / WORD - 1;
	bool odd = p->reg_i & 1, with_lr = p->cr == 1;

	if (odd || (with_lr && p->reg_i)) {
		uint32_t reg = p->reg_i - odd;

		if (with_lr && odd && reg) /* stp xN, lr */
			put_wide(codes, 0xd600 | (reg / 2) << 6 | reg);
		else if (odd && !with_lr && reg)
			put_wide(codes, 0xd000 | reg << 6 | reg);
		else if (with_lr && !odd) /* str lr */
			put_wide(codes, 0xd000 | (LR - X19) << 6 | reg);
	}
	for (uint32_t pair = pairs; pair-- > 1;)
		put_wide(codes, 0xc800 | (pair * 2) << 6 | pair * 2);
	if (pairs) {
		put_wide(codes, 0xcc00 | z);
	} else if (odd && with_lr) { /* sub sp; stp x19, lr */
		put_wide(codes, 0xd600);
		put_alloc(codes, p->saved);
	} else if (odd) {
		put_wide(codes, 0xd400 | z);
	} else if (with_lr) {
		put_wide(codes, 0xd400 | (LR - X19) << 5 | z);
	}
}

static void put_floats(const struct packed *p, struct codes *codes)
{
	uint32_t count = p->reg_f ? p->reg_f + 1 : 0;
	bool moves = !p->reg_i && p->cr != 1;

	for (uint32_t i = (count + 1) / 2; i-- > (moves ? 1 : 0);)
		put_wide(codes, 0xd800); /* where they are does not matter */
	if (count && moves)
		put_wide(codes, 0xda00 | (p->saved / WORD - 1));
}

/* Falling order of what a prologue does; an epilogue leaves out what it need not undo. */
static void put_packed(const struct packed *p, bool epilogue, struct codes *codes)
{
	bool alone = !p->reg_i && !p->reg_f && p->cr != 1;

	put_frame_codes(p, epilogue, codes);
	/* Parameters, for functions with variable arguments; the first store may move sp. */
	for (uint32_t i = 0; p->home && !epilogue && i < (alone ? 3 : 4); i++)
		put_opcode(codes, 0xe3);
	put_floats(p, codes);
	put_ints(p, codes);
	if (p->home && alone)
		put_alloc(codes, p->saved);
	if (p->cr == 2)
		put_opcode(codes, 0xfc);
	put_opcode(codes, 0xe4);
}

static void compile_packed(const struct wp_pe_function *function, struct wp_unwind_rows *rows)
{
	struct packed p = unpack_pdata(function->unwind);
	struct codes codes = {0};
	struct list list;
	size_t epilogue;

	put_packed(&p, false, &codes);
	epilogue = codes.n;
	put_packed(&p, true, &codes);
	make_list(&codes, 0, &list);
	if ((function->unwind & 3) == 1)
		add_arm64_prologue(&list, function, rows);
	else /* a part of a function: the prologue has run elsewhere */
		wp_pe_unwind_append(rows, function->start, list.rules[0]);
	add_last_epilogue(&codes, epilogue, function, rows);
}

struct header {
	uint32_t n_scopes, code_words;
	bool single; /* the one epilogue is at the end, its codes at n_scopes */
};

static struct header read_xdata_header(struct wp_bytes *b)
{
	uint32_t word = wp_bytes_u32(b), more;
	struct header header = {word >> 22 & 31, word >> 27, word >> 21 & 1};

	if (!(word >> 22)) {
		more = wp_bytes_u32(b);
		header.n_scopes = more & 0xffff;
		header.code_words = more >> 16 & 0xff;
	}
	return header;
}

static void add_scopes(const struct codes *codes, const struct list *body, struct wp_bytes *scopes,
		       uint32_t n, const struct wp_pe_function *function,
		       struct wp_unwind_rows *rows)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t word = wp_bytes_u32(scopes), reached = rows->rows.v[rows->rows.n - 1].pc;
		uint64_t pc = function->start + (uint64_t)(word & 0x3ffff) * INSN;
		struct list list;

		if (scopes->failed || pc < reached || pc >= function->end)
			continue;
		make_list(codes, word >> 22, &list);
		add_epilogue(&list, body, (uint32_t)pc, function, rows);
	}
}

static void compile_full(const struct wp_pe_pdata *pdata, const struct wp_pe_function *function,
			 struct wp_unwind_rows *rows)
{
	struct wp_bytes b = wp_pe_pdata_bytes(pdata, function->unwind), scopes;
	struct header header = read_xdata_header(&b);
	struct codes codes = {.n = header.code_words * 4};
	struct list body;
	const void *bytes;

	scopes = wp_bytes_sub(&b, header.single ? 0 : header.n_scopes * 4ull);
	bytes = wp_bytes_take(&b, codes.n);
	if (!bytes || codes.n > MAX_CODES) {
		wp_pe_unwind_append(rows, function->start, (struct wp_unwind_rule){0});
		return;
	}
	memcpy(codes.bytes, bytes, codes.n);
	make_list(&codes, 0, &body);
	add_arm64_prologue(&body, function, rows);
	if (header.single)
		add_last_epilogue(&codes, header.n_scopes, function, rows);
	else
		add_scopes(&codes, &body, &scopes, header.n_scopes, function, rows);
}

void wp_pe_unwind_arm64(const struct wp_pe_pdata *pdata, const struct wp_pe_function *function,
			struct wp_unwind_rows *rows)
{
	if (function->unwind & 3)
		compile_packed(function, rows);
	else
		compile_full(pdata, function, rows);
}
