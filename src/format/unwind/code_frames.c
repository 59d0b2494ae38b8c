/* SPDX-License-Identifier: BSD-3-Clause */
/* code_frames: see code_frames.h. One pass: what a forward jump's target looks like is kept. */
#include "format/unwind/code_frames.h"

#include "base/map.h"

#include <capstone/capstone.h>

#define WORD	  8
#define MAX_FRAME (1 << 17) /* what fits a rule, with room */

struct state {
	bool known;    /* where the frame is */
	bool by_fp;    /* fp + cfa_fp, else sp + cfa_sp */
	bool fp_saved; /* at cfa - fp_at */
	int32_t cfa_sp, cfa_fp, fp_at;
};

struct wp_code_frames {
	csh decoder;
	cs_insn *insn;
	struct wp_map state_at; /* address -> index in states + 1 */
	struct wp_map led_to;	/* address -> enum led_to; only when there are many functions */
	WP_VEC(struct state) states;
};

enum led_to {
	BY_NOTHING,
	BY_JUMP, /* a conditional one, which stays inside of its function */
	BY_CALL,
};

static const struct state entry = {.known = true, .cfa_sp = WORD};

struct wp_code_frames *wp_code_frames_new(void)
{
	struct wp_code_frames *f = wp_calloc(1, sizeof(*f));

	if (cs_open(CS_ARCH_X86, CS_MODE_64, &f->decoder) != CS_ERR_OK) {
		free(f);
		return NULL;
	}
	cs_option(f->decoder, CS_OPT_DETAIL, CS_OPT_ON);
	f->insn = cs_malloc(f->decoder);
	return f;
}

void wp_code_frames_free(struct wp_code_frames *f)
{
	if (!f)
		return;
	cs_free(f->insn, 1);
	cs_close(&f->decoder);
	wp_map_deinit(&f->state_at);
	wp_map_deinit(&f->led_to);
	wp_vec_deinit(&f->states);
	free(f);
}

static struct wp_unwind_rule decoded_rule_of(const struct state *s)
{
	struct wp_unwind_rule rule = {.flags = WP_UNWIND_RA_SAVED | WP_UNWIND_BX_LOST,
				      .ra_off = -1};
	int32_t cfa = s->by_fp ? s->cfa_fp : s->cfa_sp;

	if (!s->known || cfa < WORD || cfa > MAX_FRAME || cfa % WORD)
		return (struct wp_unwind_rule){0};
	rule.cfa = s->by_fp ? WP_UNWIND_FP : WP_UNWIND_SP;
	rule.cfa_off = (int16_t)(cfa / WORD);
	if (s->fp_saved) {
		rule.flags |= WP_UNWIND_FP_SAVED;
		rule.fp_off = (int16_t)(-s->fp_at / WORD);
	}
	return rule;
}

static bool is_reg(const cs_x86_op *op, x86_reg reg)
{
	return op->type == X86_OP_REG && op->reg == reg;
}

static void push_bytes(struct state *s, int32_t bytes, bool fp)
{
	s->cfa_sp += bytes;
	if (fp && !s->fp_saved) {
		s->fp_saved = true;
		s->fp_at = s->cfa_sp;
	}
}

static void pop_word(struct state *s, bool fp)
{
	s->cfa_sp -= WORD;
	if (fp && s->fp_saved) {
		s->fp_saved = s->by_fp = false;
	}
}

/* An instruction whose first operand is sp and which is no push or pop. */
static void move_sp(struct state *s, const cs_insn *insn)
{
	const cs_x86_op *op = insn->detail->x86.operands;
	int64_t n = op[1].type == X86_OP_IMM ? op[1].imm : INT64_MAX;
	bool small = n > -MAX_FRAME && n < MAX_FRAME;

	if (insn->id == X86_INS_SUB && small) {
		s->cfa_sp += (int32_t)n;
	} else if (insn->id == X86_INS_ADD && small) {
		s->cfa_sp -= (int32_t)n;
	} else if (insn->id == X86_INS_MOV && is_reg(&op[1], X86_REG_RBP) && s->by_fp) {
		s->cfa_sp = s->cfa_fp;
	} else if (insn->id == X86_INS_LEA && op[1].mem.index == X86_REG_INVALID &&
		   op[1].mem.disp > -MAX_FRAME && op[1].mem.disp < MAX_FRAME &&
		   (op[1].mem.base == X86_REG_RSP || (op[1].mem.base == X86_REG_RBP && s->by_fp))) {
		int32_t from = op[1].mem.base == X86_REG_RSP ? s->cfa_sp : s->cfa_fp;

		s->cfa_sp = from - (int32_t)op[1].mem.disp;
	} else if (insn->id != X86_INS_CMP && insn->id != X86_INS_TEST) {
		s->known = s->by_fp; /* realigned, or another stack: only fp still tells */
		s->cfa_sp = MAX_FRAME * 2;
	}
}

static void leave(struct state *s)
{
	if (!s->by_fp)
		s->known = false;
	s->cfa_sp = s->cfa_fp - WORD;
	s->by_fp = s->fp_saved = false;
}

static void follow_insn(struct state *s, const cs_insn *insn)
{
	const cs_x86 *x = &insn->detail->x86;
	const cs_x86_op *op = x->operands;

	switch (insn->id) {
	case X86_INS_PUSH: push_bytes(s, WORD, is_reg(&op[0], X86_REG_RBP)); return;
	case X86_INS_PUSHFQ: push_bytes(s, WORD, false); return;
	case X86_INS_POP: pop_word(s, is_reg(&op[0], X86_REG_RBP)); return;
	case X86_INS_POPFQ: pop_word(s, false); return;
	case X86_INS_LEAVE: leave(s); return;
	default: break;
	}
	if (x->op_count < 1)
		return;
	if (is_reg(&op[0], X86_REG_RSP)) {
		move_sp(s, insn);
	} else if (is_reg(&op[0], X86_REG_RBP) && insn->id == X86_INS_MOV && x->op_count == 2 &&
		   is_reg(&op[1], X86_REG_RSP) && s->fp_saved) {
		s->by_fp = true;
		s->cfa_fp = s->cfa_sp;
	}
}

static bool in_group(const cs_insn *insn, uint8_t group)
{
	for (uint8_t i = 0; i < insn->detail->groups_count; i++)
		if (insn->detail->groups[i] == group)
			return true;
	return false;
}

static void keep_target(struct wp_code_frames *f, const struct state *s, const cs_insn *insn)
{
	const cs_x86 *x = &insn->detail->x86;

	if (x->op_count != 1 || x->operands[0].type != X86_OP_IMM)
		return;
	uint64_t *at = wp_map_put(&f->state_at, (uint64_t)x->operands[0].imm);
	if (*at)
		return;
	wp_vec_push(&f->states, *s);
	*at = f->states.n;
}

static bool is_end(const cs_insn *insn)
{
	return insn->id == X86_INS_JMP || insn->id == X86_INS_HLT || insn->id == X86_INS_UD2 ||
	       in_group(insn, CS_GRP_RET);
}

static bool is_padding(const cs_insn *insn)
{
	return insn->id == X86_INS_NOP || insn->id == X86_INS_INT3;
}

/* Zeros decode as an addition that no compiler emits. */
static bool is_data(const cs_insn *insn)
{
	return insn->bytes[0] == 0 && insn->bytes[1] == 0;
}

static void find_targets(struct wp_code_frames *f, const uint8_t *code, size_t size, uint64_t addr)
{
	wp_map_deinit(&f->led_to);
	while (size && cs_disasm_iter(f->decoder, &code, &size, &addr, f->insn)) {
		const cs_x86 *x = &f->insn->detail->x86;
		bool call = f->insn->id == X86_INS_CALL;

		if (x->op_count != 1 || x->operands[0].type != X86_OP_IMM ||
		    !(call || in_group(f->insn, CS_GRP_JUMP)) || f->insn->id == X86_INS_JMP)
			continue;
		uint64_t *at = wp_map_put(&f->led_to, (uint64_t)x->operands[0].imm);
		if (*at != BY_CALL)
			*at = call ? BY_CALL : BY_JUMP;
	}
}

/*
 * True where another function begins: it is called, or stands aligned behind padding, or behind a
 * return, and nothing in this one leads to it. (A loop's body may stand behind a jump, and what
 * leads to it behind the body.)
 */
static bool is_function(const struct wp_code_frames *f, uint64_t addr, bool behind, bool padded)
{
	const uint64_t *led_to = wp_map_get(&f->led_to, addr);

	if (led_to)
		return *led_to == BY_CALL;
	return behind || padded;
}

/* What holds at an address where the instruction before does not lead on, or may not. */
static struct state state_at_arrival(const struct wp_code_frames *f, uint64_t addr, bool behind,
				     bool padded, bool fresh, const struct state *s,
				     const struct state *body)
{
	const uint64_t *at = wp_map_get(&f->state_at, addr);

	if (at && (behind || padded))
		return f->states.v[*at - 1];
	if (fresh)
		return entry;
	return behind ? *body : *s;
}

/* One instruction's state and what follows from it. */
static void take_instruction(struct wp_code_frames *f, struct state *s, struct state *body,
			     bool *behind)
{
	if (in_group(f->insn, CS_GRP_JUMP))
		keep_target(f, s, f->insn);
	*behind = is_end(f->insn);
	if (!*behind)
		follow_insn(s, f->insn);
	if (s->cfa_sp >= body->cfa_sp || s->by_fp)
		*body = *s;
}

void wp_code_frames_add(struct wp_code_frames *f, const uint8_t *code, size_t size, uint64_t addr,
			bool many, struct wp_unwind_rows *rows)
{
	struct state s = entry, body = entry;
	bool begun = false, behind = false, padded = false;

	f->states.n = 0;
	wp_map_deinit(&f->state_at);
	if (many)
		find_targets(f, code, size, addr);
	while (size && addr >= rows->base && addr - rows->base < UINT32_MAX) {
		uint64_t here = addr;

		if (!cs_disasm_iter(f->decoder, &code, &size, &addr, f->insn) || is_data(f->insn)) {
			addr = here;
			break;
		}
		padded |= is_padding(f->insn);
		if (is_padding(f->insn) && (!begun || behind))
			continue;
		padded &= here % 16 == 0;
		bool fresh = many && is_function(f, here, behind, padded);
		s = state_at_arrival(f, here, behind, padded, fresh, &s, &body);
		if (fresh)
			body = entry;
		begun = true;
		padded = is_padding(f->insn);
		wp_unwind_rows_append(rows, (uint32_t)(here - rows->base), decoded_rule_of(&s));
		take_instruction(f, &s, &body, &behind);
	}
	if (begun && addr - rows->base < UINT32_MAX)
		wp_unwind_rows_append(rows, (uint32_t)(addr - rows->base),
				      (struct wp_unwind_rule){0});
}
