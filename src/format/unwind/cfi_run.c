/* SPDX-License-Identifier: BSD-3-Clause */
/* cfi_run: see cfi_run.h. Opcodes: DWARF 5 section 7.24 and the vendors' extensions to it. */
#include "format/unwind/cfi_run.h"

#include <dwarf.h>
#include <string.h>

#define CFA_NEGATE_RA_STATE_WITH_PC 0x2c /* AArch64 ELF ABI 2024Q3 */
#define SIGCONTEXT_32_SP	    28	 /* struct sigcontext_32 of the kernel's uapi asm */

uint64_t wp_cfi_uleb(struct wp_bytes *b)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; shift < 70; shift += 7) {
		uint8_t byte = wp_bytes_u8(b);

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return value;
	}
	b->failed = true;
	return 0;
}

int64_t wp_cfi_sleb(struct wp_bytes *b)
{
	uint64_t value = 0;

	for (unsigned int shift = 0; shift < 70; shift += 7) {
		uint8_t byte = wp_bytes_u8(b);

		if (shift < 64)
			value |= (uint64_t)(byte & 0x7f) << shift;
		if (byte & 0x80)
			continue;
		if (byte & 0x40 && shift + 7 < 64)
			value |= UINT64_MAX << (shift + 7);
		return (int64_t)value;
	}
	b->failed = true;
	return 0;
}

static uint64_t pointer_value(struct wp_bytes *b, uint8_t form, uint8_t word)
{
	switch (form) {
	case DW_EH_PE_absptr: return word == 4 ? wp_bytes_u32(b) : wp_bytes_u64(b);
	case DW_EH_PE_udata8:
	case DW_EH_PE_sdata8: return wp_bytes_u64(b);
	case DW_EH_PE_udata4: return wp_bytes_u32(b);
	case DW_EH_PE_sdata4: return (uint64_t)(int64_t)(int32_t)wp_bytes_u32(b);
	case DW_EH_PE_udata2: return wp_bytes_u16(b);
	case DW_EH_PE_sdata2: return (uint64_t)(int64_t)(int16_t)wp_bytes_u16(b);
	case DW_EH_PE_uleb128: return wp_cfi_uleb(b);
	case DW_EH_PE_sleb128: return (uint64_t)wp_cfi_sleb(b);
	default: b->failed = true; return 0;
	}
}

uint64_t wp_cfi_pointer(struct wp_bytes *b, uint8_t encoding, const struct wp_cfi_pointers *bases)
{
	uint64_t base = 0, value;

	if (encoding == DW_EH_PE_omit)
		return 0;
	switch (encoding & 0x70) {
	case 0: break;
	case DW_EH_PE_pcrel: base = bases->section->addr + b->pos; break;
	case DW_EH_PE_textrel: base = bases->section->text_base; break;
	case DW_EH_PE_datarel: base = bases->section->got_base; break;
	case DW_EH_PE_funcrel: base = bases->function; break;
	case DW_EH_PE_aligned:
		wp_bytes_seek(b, b->pos + (-(bases->section->addr + b->pos) & (bases->word - 1u)));
		break;
	default: b->failed = true;
	}
	value = base + pointer_value(b, encoding & 0x0f, bases->word);
	return bases->word == 4 ? (uint32_t)value : value;
}

static struct wp_cfi_register *place_of_register(struct wp_cfi_run *run, uint64_t reg)
{
	if (reg == run->machine->ra)
		return &run->state.ra;
	if (reg == run->machine->bx)
		return &run->state.bx;
	if (reg == run->machine->sp)
		return &run->state.sp;
	return reg == run->machine->fp ? &run->state.fp : &run->ignored;
}

static void set_place(struct wp_cfi_run *run, uint64_t reg, int how, int64_t off)
{
	struct wp_cfi_register *place = place_of_register(run, reg);

	place->how = how;
	place->off = off;
}

/* DW_OP_breg0 + reg and its offset. */
static bool take_breg(struct wp_bytes *b, uint8_t reg, int64_t *ret_off)
{
	if (wp_bytes_u8(b) != DW_OP_breg0 + reg)
		return false;
	*ret_off = wp_cfi_sleb(b);
	return !b->failed;
}

/*
 * The linker's words for a lazy PLT entry, whose push lies `lit` bytes behind its start:
 * sp + 8 + ((ip & 15) >= lit) << 3; of 32 bits sp + 4 and << 2.
 */
static bool is_plt(const struct wp_cfi_machine *m, struct wp_bytes b, int64_t *ret_lit)
{
	const uint8_t before[] = {(uint8_t)(DW_OP_breg0 + m->sp),
				  m->word,
				  (uint8_t)(DW_OP_breg0 + m->ra),
				  0,
				  DW_OP_lit15,
				  DW_OP_and};
	const uint8_t behind[] = {DW_OP_ge, m->word == 4 ? DW_OP_lit2 : DW_OP_lit3, DW_OP_shl,
				  DW_OP_plus};
	const void *head = wp_bytes_take(&b, sizeof(before));
	uint8_t lit = wp_bytes_u8(&b);
	const void *tail = wp_bytes_take(&b, sizeof(behind));

	if (b.failed || wp_bytes_left(&b) || memcmp(head, before, sizeof(before)) != 0 ||
	    memcmp(tail, behind, sizeof(behind)) != 0 || lit < DW_OP_lit0 || lit > DW_OP_lit15)
		return false;
	*ret_lit = lit - DW_OP_lit0;
	return true;
}

/* DW_OP_breg; DW_OP_deref; and DW_OP_plus_uconst `add` unless add is 0; nothing more. */
static bool is_word_at(struct wp_bytes b, uint8_t reg, uint64_t add, int64_t *ret_off)
{
	if (!take_breg(&b, reg, ret_off) || wp_bytes_u8(&b) != DW_OP_deref)
		return false;
	if (add && (wp_bytes_u8(&b) != DW_OP_plus_uconst || wp_cfi_uleb(&b) != add))
		return false;
	return !b.failed && !wp_bytes_left(&b);
}

static struct wp_bytes take_block(struct wp_bytes *b)
{
	return wp_bytes_sub(b, wp_cfi_uleb(b));
}

static void cfa_expression(struct wp_cfi_run *run, struct wp_bytes expr)
{
	const struct wp_cfi_machine *m = run->machine;
	struct wp_cfi_state *s = &run->state;

	s->why = WP_CFI_OK;
	if (!m->ra_in_register && is_plt(m, expr, &s->cfa_off)) {
		s->cfa = WP_UNWIND_PLT;
	} else if (is_word_at(expr, m->fp, 0, &s->cfa_off)) {
		s->cfa = WP_UNWIND_AT_FP;
	} else if (is_word_at(expr, m->sp, m->word, &s->cfa_off)) {
		s->cfa = WP_UNWIND_AT_SP;
	} else if (run->cie->signal && m->word == 4 && is_word_at(expr, m->sp, 0, &s->cfa_off)) {
		s->cfa = WP_UNWIND_SIGNAL;
		s->cfa_off -= SIGCONTEXT_32_SP;
	} else {
		s->cfa = WP_UNWIND_NONE;
		s->why = WP_CFI_EXPRESSION;
	}
}

static void place_expression(struct wp_cfi_run *run, uint64_t reg, struct wp_bytes expr)
{
	int64_t off;

	if (take_breg(&expr, run->machine->fp, &off) && !wp_bytes_left(&expr))
		set_place(run, reg, WP_CFI_AT_FP, off);
	else
		set_place(run, reg, WP_CFI_ELSEWHERE, 0);
}

static void set_cfa_register(struct wp_cfi_run *run, uint64_t reg)
{
	struct wp_cfi_state *s = &run->state;

	s->cfa_reg = reg;
	s->why = WP_CFI_OK;
	if (reg == run->machine->sp) {
		s->cfa = WP_UNWIND_SP;
	} else if (reg == run->machine->fp) {
		s->cfa = WP_UNWIND_FP;
	} else if (reg < run->machine->ra && !run->machine->ra_in_register) {
		s->cfa = (uint8_t)(WP_UNWIND_REG + reg);
	} else {
		s->cfa = WP_UNWIND_NONE;
		s->why = WP_CFI_CFA_REGISTER;
	}
}

static int64_t factored(const struct wp_cfi_run *run, int64_t off)
{
	return (int64_t)((uint64_t)off * (uint64_t)run->cie->data_align);
}

static void restore(struct wp_cfi_run *run, uint64_t reg)
{
	if (reg == run->machine->ra)
		run->state.ra = run->cie->initial.ra;
	else if (reg == run->machine->fp)
		run->state.fp = run->cie->initial.fp;
	else if (reg == run->machine->bx)
		run->state.bx = run->cie->initial.bx;
}

/* False when the address goes backwards. */
static bool move_to(struct wp_cfi_run *run, uint64_t pc)
{
	if (pc < run->pc)
		return false;
	if (pc > run->end)
		pc = run->end;
	if (pc > run->pc && run->row)
		run->row(run->arg, run->pc, &run->state);
	run->pc = pc;
	return true;
}

static bool advance_pc(struct wp_cfi_run *run, uint64_t delta)
{
	uint64_t bytes = delta * run->cie->code_align;

	return bytes <= UINT64_MAX - run->pc && move_to(run, run->pc + bytes);
}

static bool remember_state(struct wp_cfi_run *run)
{
	if (run->n_remembered == WP_CFI_REMEMBERED)
		return false;
	run->remembered[run->n_remembered++] = run->state;
	return true;
}

static bool recall(struct wp_cfi_run *run)
{
	if (!run->n_remembered)
		return false;
	run->state = run->remembered[--run->n_remembered];
	return true;
}

static bool run_moves(struct wp_cfi_run *run, struct wp_bytes *b, uint8_t op)
{
	switch (op) {
	case DW_CFA_nop: return true;
	case DW_CFA_set_loc:
		return move_to(run, wp_cfi_pointer(b, run->cie->encoding, &run->bases));
	case DW_CFA_advance_loc1: return advance_pc(run, wp_bytes_u8(b));
	case DW_CFA_advance_loc2: return advance_pc(run, wp_bytes_u16(b));
	case DW_CFA_advance_loc4: return advance_pc(run, wp_bytes_u32(b));
	case DW_CFA_MIPS_advance_loc8: return advance_pc(run, wp_bytes_u64(b));
	case DW_CFA_remember_state: return remember_state(run);
	case DW_CFA_restore_state: return recall(run);
	case CFA_NEGATE_RA_STATE_WITH_PC:
	case DW_CFA_AARCH64_negate_ra_state:
		run->state.ra_signed = !run->state.ra_signed;
		return run->machine->ra_in_register;
	case DW_CFA_GNU_args_size: wp_cfi_uleb(b); return true;
	default: return false;
	}
}

/* Unknown opcodes have unknown operands: nothing behind one can be read. */
static bool run_cfa(struct wp_cfi_run *run, struct wp_bytes *b, uint8_t op)
{
	switch (op) {
	case DW_CFA_def_cfa:
		set_cfa_register(run, wp_cfi_uleb(b));
		run->state.cfa_off = (int64_t)wp_cfi_uleb(b);
		return true;
	case DW_CFA_def_cfa_sf:
		set_cfa_register(run, wp_cfi_uleb(b));
		run->state.cfa_off = factored(run, wp_cfi_sleb(b));
		return true;
	case DW_CFA_def_cfa_register: set_cfa_register(run, wp_cfi_uleb(b)); return true;
	case DW_CFA_def_cfa_offset: run->state.cfa_off = (int64_t)wp_cfi_uleb(b); return true;
	case DW_CFA_def_cfa_offset_sf:
		run->state.cfa_off = factored(run, wp_cfi_sleb(b));
		return true;
	case DW_CFA_def_cfa_expression: cfa_expression(run, take_block(b)); return true;
	default: return run_moves(run, b, op);
	}
}

static bool run_other(struct wp_cfi_run *run, struct wp_bytes *b, uint8_t op)
{
	uint64_t reg = 0;

	if ((op >= DW_CFA_offset_extended && op <= DW_CFA_register) || op == DW_CFA_expression ||
	    op == DW_CFA_offset_extended_sf || op == DW_CFA_val_expression ||
	    op == DW_CFA_val_offset || op == DW_CFA_val_offset_sf ||
	    op == DW_CFA_GNU_negative_offset_extended)
		reg = wp_cfi_uleb(b);
	switch (op) {
	case DW_CFA_offset_extended:
		set_place(run, reg, WP_CFI_AT_CFA, factored(run, (int64_t)wp_cfi_uleb(b)));
		return true;
	case DW_CFA_offset_extended_sf:
		set_place(run, reg, WP_CFI_AT_CFA, factored(run, wp_cfi_sleb(b)));
		return true;
	case DW_CFA_GNU_negative_offset_extended:
		set_place(run, reg, WP_CFI_AT_CFA, -factored(run, (int64_t)wp_cfi_uleb(b)));
		return true;
	case DW_CFA_restore_extended: restore(run, reg); return true;
	case DW_CFA_undefined: set_place(run, reg, WP_CFI_UNDEFINED, 0); return true;
	case DW_CFA_same_value: set_place(run, reg, WP_CFI_SAME, 0); return true;
	case DW_CFA_register:
		set_place(run, reg, wp_cfi_uleb(b) == reg ? WP_CFI_SAME : WP_CFI_ELSEWHERE, 0);
		return true;
	case DW_CFA_expression: place_expression(run, reg, take_block(b)); return true;
	case DW_CFA_val_expression:
		take_block(b);
		set_place(run, reg, WP_CFI_ELSEWHERE, 0);
		return true;
	case DW_CFA_val_offset:
	case DW_CFA_val_offset_sf:
		wp_cfi_uleb(b);
		set_place(run, reg, WP_CFI_ELSEWHERE, 0);
		return true;
	default: return run_cfa(run, b, op);
	}
}

bool wp_cfi_run(struct wp_cfi_run *run, struct wp_bytes *b, size_t end)
{
	bool ok = true;

	while (ok && !b->failed && b->pos < end) {
		uint8_t op = wp_bytes_u8(b), low = op & 0x3f;

		switch (op & 0xc0) {
		case DW_CFA_advance_loc: ok = advance_pc(run, low); break;
		case DW_CFA_offset:
			set_place(run, low, WP_CFI_AT_CFA, factored(run, (int64_t)wp_cfi_uleb(b)));
			break;
		case DW_CFA_restore: restore(run, low); break;
		default: ok = run_other(run, b, op);
		}
	}
	/* What stood before a damaged instruction still holds up to there. */
	if (ok && !b->failed && b->pos <= end)
		return move_to(run, run->end);
	return false;
}

static bool cfi_offset_in_words(const struct wp_cfi_machine *m, int64_t off, int16_t *ret)
{
	if (off % m->word || off / m->word < INT16_MIN || off / m->word > INT16_MAX)
		return false;
	*ret = (int16_t)(off / m->word);
	return true;
}

static enum wp_cfi_reason set_rule_cfa(const struct wp_cfi_machine *m, const struct wp_cfi_state *s,
				       struct wp_unwind_rule *rule)
{
	rule->cfa = s->cfa;
	if (s->cfa == WP_UNWIND_NONE)
		return s->why;
	/* setcontext() says where it goes, which is on another stack. */
	if (s->cfa >= WP_UNWIND_REG && s->sp.how == WP_CFI_AT_CFA)
		return WP_CFI_CFA_REGISTER;
	if (s->cfa == WP_UNWIND_PLT) {
		rule->cfa_off = (int16_t)s->cfa_off;
		return WP_CFI_OK;
	}
	return cfi_offset_in_words(m, s->cfa_off, &rule->cfa_off) ? WP_CFI_OK : WP_CFI_RANGE;
}

static enum wp_cfi_reason say_ra(const struct wp_cfi_machine *m, const struct wp_cfi_state *s,
				 struct wp_unwind_rule *rule)
{
	if (s->ra_signed)
		rule->flags |= WP_UNWIND_RA_SIGNED;
	if (s->ra.how == WP_CFI_SAME && m->ra_in_register)
		return WP_CFI_OK;
	if (s->ra.how != WP_CFI_AT_CFA)
		return WP_CFI_RETURN;
	rule->flags |= WP_UNWIND_RA_SAVED;
	return cfi_offset_in_words(m, s->ra.off, &rule->ra_off) ? WP_CFI_OK : WP_CFI_RANGE;
}

static enum wp_cfi_reason say_fp(const struct wp_cfi_machine *m, const struct wp_cfi_state *s,
				 struct wp_unwind_rule *rule)
{
	int64_t off = s->fp.off;

	switch (s->fp.how) {
	case WP_CFI_SAME:
	case WP_CFI_UNDEFINED: return WP_CFI_OK;
	case WP_CFI_AT_CFA: break;
	case WP_CFI_AT_FP: rule->flags |= WP_UNWIND_FP_AT_FP; break;
	default: return WP_CFI_FRAME_POINTER;
	}
	rule->flags |= WP_UNWIND_FP_SAVED;
	return cfi_offset_in_words(m, off, &rule->fp_off) ? WP_CFI_OK : WP_CFI_RANGE;
}

/* A walk can do without: what cannot be said is lost. */
static void say_bx(const struct wp_cfi_machine *m, const struct wp_cfi_state *s,
		   struct wp_unwind_rule *rule)
{
	bool at_fp = s->bx.how == WP_CFI_AT_FP;
	int16_t off;

	if (m->ra_in_register || s->bx.how == WP_CFI_SAME)
		return;
	if ((s->bx.how == WP_CFI_AT_CFA || at_fp) && rule->ra_off == -1 &&
	    cfi_offset_in_words(m, s->bx.off, &off)) {
		rule->flags |= WP_UNWIND_BX_SAVED | (at_fp ? WP_UNWIND_BX_AT_FP : 0);
		rule->ra_off = off;
	} else {
		rule->flags |= WP_UNWIND_BX_LOST;
	}
}

struct wp_unwind_rule wp_cfi_rule(const struct wp_cfi_machine *machine,
				  const struct wp_cfi_state *state, enum wp_cfi_reason *ret_why)
{
	struct wp_unwind_rule rule = {0};

	*ret_why = WP_CFI_OK;
	if (state->cfa == WP_UNWIND_SIGNAL)
		return (struct wp_unwind_rule){.cfa = WP_UNWIND_SIGNAL,
					       .cfa_off = (int16_t)state->cfa_off};
	if (state->ra.how == WP_CFI_UNDEFINED)
		return (struct wp_unwind_rule){.cfa = WP_UNWIND_END};
	*ret_why = set_rule_cfa(machine, state, &rule);
	if (*ret_why == WP_CFI_OK)
		*ret_why = say_ra(machine, state, &rule);
	if (*ret_why == WP_CFI_OK)
		*ret_why = say_fp(machine, state, &rule);
	if (*ret_why == WP_CFI_OK)
		say_bx(machine, state, &rule);
	return *ret_why == WP_CFI_OK ? rule : (struct wp_unwind_rule){0};
}
