/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_value: where an indirect jump leads: what its register was made of, backwards along all that
 * leads to it. A compiler loads an entry of a table at a constant address, adds a constant if
 * entries are relative, and has compared the index with the number of entries before.
 */
#include "resolve/flow/flow_work.h"

#define MOST_DEPTH    16		  /* operations between a constant and the jump */
#define MOST_DEFS     4			  /* places where a register gets its value */
#define MOST_BACK     64		  /* instructions between the comparison and the load */
#define FLAGS_BACK    8			  /* between a comparison and its conditional jump */
#define EPILOGUE_BACK 8			  /* between the end of the frame and a tail call */
#define SEARCH_STEPS  (1u << 16)	  /* instructions that one search meets */
#define ALL_STEPS     ((uint64_t)1 << 24) /* and all of a function's */
#define MOST_INDEX    ((uint64_t)1 << 12) /* entries of a table */

/* A register, or a place in the function's frame. */
struct place {
	uint8_t reg;
	bool is_slot;
	int64_t offset; /* of a slot, from the register */
};

struct defs {
	uint32_t op[MOST_DEFS];
	uint32_t n;
	bool outside; /* the value is from before the function, too */
	bool failed;
	struct place place; /* that they are of */
};

enum value_kind {
	VALUE_NOT_KNOWN,
	VALUE_NUMBER,  /* plus */
	VALUE_ENTRY,   /* the address plus + (index << stride) */
	VALUE_LOADED,  /* what is in a table */
	VALUE_POINTER, /* what is in one place of memory, or came from the caller */
};

struct value {
	enum value_kind kind;
	uint64_t plus;
	struct place index; /* of ENTRY and LOADED: as it was before the op `at` */
	uint32_t at;
	uint64_t table; /* of LOADED: */
	uint8_t stride, width, shift;
	bool is_signed, has_plus;
};

static const struct value not_known;

static struct place reg_place(uint8_t reg)
{
	return (struct place){.reg = reg};
}

static bool is_slot_op(const struct wp_flow_work *work, const struct wp_flow_op *op)
{
	return op->index == WP_FLOW_NO_REG && op->base != WP_FLOW_NO_REG &&
	       wp_flow_decoder_is_frame(work->decoder, op->base);
}

static bool defines(const struct wp_flow_work *work, const struct wp_flow_op *op,
		    const struct place *place)
{
	uint32_t writes = op->writes;

	if (place->is_slot)
		return op->what == WP_DOES_STORE && is_slot_op(work, op) &&
		       op->base == place->reg && op->imm == place->offset;
	if (op->kind == WP_FLOW_TO_CALL)
		writes |= wp_flow_decoder_clobbers(work->decoder);
	return place->reg < 32 && writes >> place->reg & 1;
}

static void stamp_search(struct wp_flow_work *work)
{
	work->search++;
	work->stack.n = 0;
	while (work->stamps.n < work->ops.n)
		wp_vec_push(&work->stamps, 0);
}

static void look_at_preds(struct wp_flow_work *work, uint32_t op, struct defs *defs)
{
	uint32_t way = work->led_by[work->ops.v[op].at];

	if (!way || !work->ops.v[op].at)
		defs->outside = true;
	for (; way; way = work->ways.v[way - 1].next) {
		uint32_t from = work->ways.v[way - 1].from;

		if (work->stamps.v[from] == work->search)
			continue;
		work->stamps.v[from] = work->search;
		if (!defines(work, &work->ops.v[from], &defs->place))
			wp_vec_push(&work->stack, from);
		else if (defs->n < MOST_DEFS)
			defs->op[defs->n++] = from;
		else
			defs->failed = true;
	}
}

/* What may have given the place its value that the op finds. */
static struct defs find_defs(struct wp_flow_work *work, struct place place, uint32_t op)
{
	struct defs defs = {.place = place};
	size_t steps = 0;

	stamp_search(work);
	look_at_preds(work, op, &defs);
	while (work->stack.n && !defs.failed) {
		uint32_t next = work->stack.v[--work->stack.n];

		if (++steps > SEARCH_STEPS || ++work->steps > ALL_STEPS)
			defs.failed = true;
		else
			look_at_preds(work, next, &defs);
	}
	return defs;
}

static struct value eval_op(struct wp_flow_work *work, uint32_t op, int depth);

/* What the value is when two ways lead to it. */
static struct value merge_values(const struct value *a, const struct value *b)
{
	if (a->kind == b->kind &&
	    (a->kind == VALUE_POINTER || (a->kind == VALUE_NUMBER && a->plus == b->plus)))
		return *a;
	return not_known;
}

static struct value eval_place(struct wp_flow_work *work, struct place place, uint32_t op,
			       int depth)
{
	const struct value pointer = {.kind = VALUE_POINTER};
	struct defs defs;
	struct value value;

	if (depth > MOST_DEPTH || (!place.is_slot && place.reg >= 32))
		return not_known;
	defs = find_defs(work, place, op);
	if (defs.failed)
		return not_known;
	if (!defs.n)
		return pointer;
	value = eval_op(work, defs.op[0], depth + 1);
	for (uint32_t i = 1; i < defs.n && value.kind != VALUE_NOT_KNOWN; i++) {
		struct value other = eval_op(work, defs.op[i], depth + 1);

		value = merge_values(&value, &other);
	}
	return defs.outside ? merge_values(&value, &pointer) : value;
}

static struct value index_value(uint32_t at, uint8_t reg, uint8_t shift)
{
	return (struct value){
		.kind = VALUE_ENTRY, .index = reg_place(reg), .at = at, .stride = shift};
}

/* number + (value << shift) */
static struct value add_to_value(struct value value, uint64_t number, uint8_t shift,
				 const struct wp_flow_op *op)
{
	switch (value.kind) {
	case VALUE_NUMBER: value.plus = (value.plus << shift) + number; return value;
	case VALUE_ENTRY:
		if (value.stride + shift > 3)
			return not_known;
		value.plus = (value.plus << shift) + number;
		value.stride = (uint8_t)(value.stride + shift);
		return value;
	case VALUE_LOADED:
		if (value.has_plus)
			return not_known;
		value.has_plus = true;
		value.plus = number;
		value.shift = shift;
		/* add x0, x1, w0, sxtb #2 */
		if (op->index != WP_FLOW_NO_REG && op->width == value.width)
			value.is_signed |= op->is_signed;
		return value;
	default: return not_known;
	}
}

/* What base + (index << shift) + imm is. */
static struct value eval_sum(struct wp_flow_work *work, uint32_t at, int depth)
{
	const struct wp_flow_op op = work->ops.v[at];
	bool has_base = op.base != WP_FLOW_NO_REG, has_index = op.index != WP_FLOW_NO_REG;
	struct value base = {.kind = VALUE_NUMBER}, index;

	if (has_base)
		base = eval_place(work, reg_place(op.base), at, depth + 1);
	if (!has_index)
		return add_to_value(base, (uint64_t)op.imm, 0, &op);
	index = eval_place(work, reg_place(op.index), at, depth + 1);
	if (index.kind == VALUE_LOADED && index.width == 1 && !index.has_plus &&
	    op.what == WP_DOES_LOAD)
		index = not_known; /* the index is a byte of another table */
	if (base.kind == VALUE_NUMBER && index.kind != VALUE_NOT_KNOWN &&
	    index.kind != VALUE_POINTER)
		return add_to_value(index, base.plus + (uint64_t)op.imm, op.shift, &op);
	if (base.kind == VALUE_NUMBER)
		return add_to_value(index_value(at, op.index, op.shift),
				    base.plus + (uint64_t)op.imm, 0, &op);
	if (index.kind == VALUE_NUMBER && base.kind != VALUE_NOT_KNOWN &&
	    base.kind != VALUE_POINTER)
		return add_to_value(base, (index.plus << op.shift) + (uint64_t)op.imm, 0, &op);
	if (index.kind == VALUE_NUMBER)
		return add_to_value(index_value(at, op.base, 0),
				    (index.plus << op.shift) + (uint64_t)op.imm, 0, &op);
	return not_known;
}

static struct value eval_load(struct wp_flow_work *work, uint32_t at, int depth)
{
	const struct wp_flow_op op = work->ops.v[at];
	struct value value;

	if (is_slot_op(work, &op)) {
		struct place slot = {.reg = op.base, .is_slot = true, .offset = op.imm};

		return eval_place(work, slot, at, depth + 1);
	}
	value = eval_sum(work, at, depth);
	if (value.kind == VALUE_NUMBER && op.width < 8) { /* the only entry that it can be */
		value.kind = VALUE_ENTRY;
		value.index = reg_place(WP_FLOW_NO_REG);
		value.at = at;
	}
	if (value.kind == VALUE_ENTRY) {
		value.kind = VALUE_LOADED;
		value.table = value.plus;
		value.plus = 0;
		value.width = op.width;
		value.is_signed = op.is_signed;
		return value;
	}
	return (struct value){.kind = op.index == WP_FLOW_NO_REG ? VALUE_POINTER : VALUE_NOT_KNOWN};
}

static struct value eval_op(struct wp_flow_work *work, uint32_t at, int depth)
{
	const struct wp_flow_op *op = &work->ops.v[at];
	struct value value;

	if (depth > MOST_DEPTH)
		return not_known;
	switch (op->what) {
	case WP_DOES_SET: return (struct value){.kind = VALUE_NUMBER, .plus = (uint64_t)op->imm};
	case WP_DOES_STORE: return eval_place(work, reg_place(op->dst), at, depth + 1);
	case WP_DOES_ADD: return eval_sum(work, at, depth);
	case WP_DOES_LOAD: return eval_load(work, at, depth);
	case WP_DOES_COPY:
		value = eval_place(work, reg_place(op->base), at, depth + 1);
		if (value.kind == VALUE_LOADED && op->width == value.width && !value.has_plus)
			value.is_signed = op->is_signed;
		return value;
	default: return not_known;
	}
}

/* Where a value comes from, copies left aside. */
static struct defs find_origin(struct wp_flow_work *work, struct place place, uint32_t at)
{
	struct defs defs = find_defs(work, place, at);

	for (int i = 0; i < MOST_DEPTH && defs.n == 1 && !defs.outside && !defs.failed; i++) {
		uint32_t def = defs.op[0];
		const struct wp_flow_op *op = &work->ops.v[def];
		struct defs before;

		if (op->what == WP_DOES_COPY)
			place = reg_place(op->base);
		else if (op->what == WP_DOES_STORE)
			place = reg_place(op->dst);
		else if (op->what == WP_DOES_LOAD && is_slot_op(work, op))
			place = (struct place){.reg = op->base, .is_slot = true, .offset = op->imm};
		else
			break;
		before = find_defs(work, place, def);
		if (place.is_slot && (!before.n || before.outside || before.failed))
			break;
		defs = before;
	}
	return defs;
}

static bool same_origin(const struct defs *a, const struct defs *b)
{
	if (a->failed || b->failed || a->n != b->n || a->outside != b->outside)
		return false;
	if (a->outside && (a->place.is_slot != b->place.is_slot || a->place.reg != b->place.reg))
		return false;
	for (uint32_t i = 0; i < a->n; i++) {
		bool found = false;

		for (uint32_t k = 0; k < b->n; k++)
			found |= a->op[i] == b->op[k];
		if (!found)
			return false;
	}
	return true;
}

/* The only op that leads there, or WP_FLOW_NONE. */
static uint32_t only_pred(const struct wp_flow_work *work, uint32_t op, enum wp_edge_kind *ret)
{
	uint32_t way = work->led_by[work->ops.v[op].at];

	if (!way || !work->ops.v[op].at || work->ways.v[way - 1].next)
		return WP_FLOW_NONE;
	*ret = work->ways.v[way - 1].kind;
	return work->ways.v[way - 1].from;
}

/* What a conditional jump asks the result of, or WP_FLOW_NONE. */
static uint32_t find_comparison(const struct wp_flow_work *work, uint32_t branch)
{
	enum wp_edge_kind kind;
	uint32_t at = branch;

	for (int i = 0; i < FLAGS_BACK; i++) {
		const struct wp_flow_op *op;

		at = only_pred(work, at, &kind);
		if (at == WP_FLOW_NONE)
			break;
		op = &work->ops.v[at];
		if (op->what == WP_DOES_COMPARE || op->what == WP_DOES_COMPARE_MEMORY ||
		    op->compares)
			return at;
		if (op->sets_flags || op->kind == WP_FLOW_TO_CALL)
			break;
	}
	return WP_FLOW_NONE;
}

/* The comparison is of the index, whose origin is known. */
static bool compares_index(struct wp_flow_work *work, uint32_t comparison,
			   const struct defs *origin)
{
	const struct wp_flow_op op = work->ops.v[comparison];
	struct place place = reg_place(op.base);
	struct defs compared;

	if (op.what == WP_DOES_COMPARE_MEMORY) {
		const struct wp_flow_op *load = origin->n == 1 ? &work->ops.v[origin->op[0]] : NULL;

		if (load && load->what == WP_DOES_LOAD && load->base == op.base &&
		    load->index == op.index && load->imm == op.imm && load->shift == op.shift)
			return true;
		if (!is_slot_op(work, &op))
			return false;
		place.is_slot = true;
		place.offset = op.imm;
	}
	compared = find_origin(work, place, comparison);
	return same_origin(&compared, origin);
}

/* How many values there are when the jump went that way; 0: it does not say. */
static uint64_t bound_of(const struct wp_flow_op *branch, const struct wp_flow_op *compare,
			 bool taken)
{
	uint64_t n = compare->what == WP_DOES_COMPARE_MEMORY ? compare->target
		     : compare->what == WP_DOES_COMPARE	     ? (uint64_t)compare->imm
							     : 0 - (uint64_t)compare->imm;

	n &= UINT32_MAX;
	switch (branch->when) {
	case WP_WHEN_ABOVE: return taken ? 0 : n + 1;
	case WP_WHEN_ABOVE_EQUAL: return taken ? 0 : n;
	case WP_WHEN_BELOW: return taken ? n : 0;
	case WP_WHEN_BELOW_EQUAL: return taken ? n + 1 : 0;
	default: return 0;
	}
}

/* What made the index leaves it that few values; 0: it does not. */
static uint64_t narrow_index(struct wp_flow_work *work, struct place place, uint32_t at,
			     bool *ret_exact)
{
	uint64_t n = 0;

	for (int i = 0; i < MOST_DEPTH; i++) {
		struct defs defs = find_defs(work, place, at);
		const struct wp_flow_op *op;

		if (defs.n != 1 || defs.outside || defs.failed)
			break;
		at = defs.op[0];
		op = &work->ops.v[at];
		if (op->what == WP_DOES_AND && op->imm > 0 && op->imm < (int64_t)MOST_INDEX &&
		    !((op->imm + 1) & op->imm)) {
			*ret_exact = true;
			return (uint64_t)op->imm + 1;
		}
		if ((op->what == WP_DOES_COPY || op->what == WP_DOES_LOAD) && op->width == 1 &&
		    !op->is_signed)
			n = WP_FLOW_BYTE_VALUES;
		if (op->what != WP_DOES_COPY)
			break;
		place = reg_place(op->base);
	}
	return n;
}

static uint64_t bound_before(struct wp_flow_work *work, uint32_t op, const struct defs *origin,
			     int *back);

/* What an op lets pass to where the way leads; 0: more than any table has. */
static uint64_t bound_on_way(struct wp_flow_work *work, const struct wp_flow_way *way,
			     const struct defs *origin, int *back)
{
	const struct wp_flow_op *from = &work->ops.v[way->from];
	uint32_t compare = WP_FLOW_NONE;
	uint64_t n;

	if (from->kind == WP_FLOW_BRANCH && from->when)
		compare = find_comparison(work, way->from);
	if (compare != WP_FLOW_NONE) {
		n = bound_of(from, &work->ops.v[compare], way->kind == WP_EDGE_JUMP);
		if (n && n <= MOST_INDEX && compares_index(work, compare, origin))
			return n;
	}
	return bound_before(work, way->from, origin, back);
}

/* The most of all ways that lead to an op. */
static uint64_t bound_before(struct wp_flow_work *work, uint32_t op, const struct defs *origin,
			     int *back)
{
	uint32_t way = work->led_by[work->ops.v[op].at];
	uint64_t most = 0;

	if (!work->ops.v[op].at)
		return 0;
	while (way) {
		const struct wp_flow_way from = work->ways.v[way - 1];
		uint64_t n = --*back > 0 ? bound_on_way(work, &from, origin, back) : 0;

		if (!n)
			return 0;
		if (n > most)
			most = n;
		way = from.next;
	}
	return most;
}

/* Number of entries that an index chooses from. */
static uint64_t bound_index(struct wp_flow_work *work, struct place index, uint32_t at,
			    bool *ret_guessed)
{
	struct defs origin;
	bool exact = false;
	int back = MOST_BACK;
	uint64_t n = 0;

	*ret_guessed = false;
	if (!index.is_slot && index.reg == WP_FLOW_NO_REG)
		return 1;
	origin = find_origin(work, index, at);
	if (!origin.failed)
		n = bound_before(work, at, &origin, &back);
	if (n)
		return n;
	n = narrow_index(work, index, at, &exact);
	*ret_guessed = !exact;
	return n ? n : MOST_INDEX;
}

/* The index of the table is a byte of another one (MSVC). */
static void find_index_table(struct wp_flow_work *work, const struct value *value,
			     struct wp_flow_target *target)
{
	struct value index = eval_place(work, value->index, value->at, 0);
	bool guessed;

	if (index.kind != VALUE_LOADED || index.width != 1 || index.has_plus || index.is_signed ||
	    index.stride)
		return;
	target->index_table = index.table;
	target->n_index = bound_index(work, index.index, index.at, &guessed);
	if (guessed)
		target->n_index = 0;
}

/* The function's frame is given up before the jump: another function comes. */
static bool is_behind_frame(const struct wp_flow_work *work, uint32_t at)
{
	for (int i = 0; i < EPILOGUE_BACK; i++) {
		enum wp_edge_kind kind;

		at = only_pred(work, at, &kind);
		if (at == WP_FLOW_NONE || work->ops.v[at].kind != WP_FLOW_ON)
			return false;
		if (work->ops.v[at].frees_frame)
			return true;
	}
	return false;
}

struct wp_flow_target wp_flow_value(struct wp_flow_work *work, uint32_t op)
{
	const struct wp_flow_op *jump = &work->ops.v[op];
	struct value value = jump->what == WP_DOES_LOAD
				     ? eval_load(work, op, 0)
				     : eval_place(work, reg_place(jump->base), op, 0);
	struct wp_flow_target target = {
		.table = value.table,
		.plus = value.plus,
		.has_plus = value.has_plus,
		.is_signed = value.is_signed,
		.stride = value.stride,
		.width = value.width,
		.shift = value.shift,
	};

	if (value.kind == VALUE_POINTER ||
	    (value.kind == VALUE_NOT_KNOWN && is_behind_frame(work, op)))
		target.kind = WP_TARGET_POINTER;
	if (value.kind != VALUE_LOADED || (!value.has_plus && value.width != 8))
		return target;
	target.kind = WP_TARGET_TABLE;
	find_index_table(work, &value, &target);
	target.n = bound_index(work, value.index, value.at, &target.guessed);
	return target;
}
