/* SPDX-License-Identifier: BSD-3-Clause */
/* pdb_frames: see pdb_frames.h. */
#include "format/pdb/pdb_frames.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

#define WORD		4
#define FRAME_BYTES	32
#define FPO_BYTES	16
#define MAX_STREAM	(256u << 20)
#define MAX_PROGRAM	1024
#define NAMES_HEADER	12
#define NAMES_SIGNATURE 0xeffeeffeu
#define EBX		3 /* its DWARF number */
#define MAX_WORDS	0x4000

/* cbFrame of FPO_DATA. */
enum { FRAME_FPO = 0, FRAME_NONFPO = 3 };

/* A stretch of code and its rule. */
struct stretch {
	uint32_t start, end;
	size_t order; /* as they stand in the PDB */
	struct wp_unwind_rule rule;
};

struct stretches {
	WP_VEC(struct stretch) v;
};

/* What a value of a program is. */
enum kind { UNKNOWN, NUMBER, PLACE, CONTENT };
enum base { OF_ESP, OF_EBP, OF_EBX, OF_SEARCH };

/* PLACE: an address so many bytes from a base; CONTENT: the word there. */
struct value {
	enum kind kind;
	enum base base;
	int64_t number;
	const char *name; /* what it was pushed as, for an assignment; NULL: a result */
	size_t len;
};

struct variable {
	const char *name;
	size_t len;
	struct value value;
};

#define MAX_VARIABLES 12
#define MAX_DEPTH     16

struct machine {
	struct variable variables[MAX_VARIABLES];
	size_t n;
	struct value stack[MAX_DEPTH];
	size_t depth;
};

static struct variable *variable_of(struct machine *m, const char *name, size_t len)
{
	for (size_t i = 0; i < m->n; i++)
		if (m->variables[i].len == len && memcmp(m->variables[i].name, name, len) == 0)
			return &m->variables[i];
	if (m->n == MAX_VARIABLES)
		return NULL;
	m->variables[m->n] = (struct variable){.name = name, .len = len};
	return &m->variables[m->n++];
}

static void define(struct machine *m, const char *name, enum kind kind, enum base base,
		   int64_t number)
{
	struct variable *variable = variable_of(m, name, strlen(name));

	if (variable)
		variable->value = (struct value){.kind = kind, .base = base, .number = number};
}

/* False when the program is too deep. */
static bool push_value(struct machine *m, struct value value)
{
	if (m->depth == MAX_DEPTH)
		return false;
	m->stack[m->depth++] = value;
	return true;
}

static bool push_name(struct machine *m, const char *name, size_t len)
{
	const struct variable *variable = variable_of(m, name, len);
	struct value value = variable ? variable->value : (struct value){0};

	value.name = name;
	value.len = len;
	return push_value(m, value);
}

/* Places move by numbers; everything else is of no use for a rule. */
static struct value combine(char op, struct value a, struct value b)
{
	struct value sum = a;

	sum.name = NULL;
	if (b.kind != NUMBER || (a.kind != NUMBER && a.kind != PLACE) || (op != '+' && op != '-'))
		return (struct value){0};
	sum.number = op == '+' ? a.number + b.number : a.number - b.number;
	if (sum.number > INT32_MAX || sum.number < INT32_MIN)
		sum.kind = UNKNOWN;
	return sum;
}

static bool assign_variable(struct machine *m)
{
	struct value to, value;
	struct variable *variable;

	if (m->depth < 2)
		return false;
	value = m->stack[--m->depth];
	to = m->stack[--m->depth];
	variable = to.name ? variable_of(m, to.name, to.len) : NULL;
	if (!variable)
		return false;
	variable->value = value;
	return true;
}

static bool run_operator(struct machine *m, char op)
{
	if (op == '=')
		return assign_variable(m);
	if (op == '^') {
		if (!m->depth)
			return false;
		struct value *top = &m->stack[m->depth - 1];
		top->name = NULL;
		top->kind = top->kind == PLACE ? CONTENT : UNKNOWN;
		return true;
	}
	if (m->depth < 2)
		return false;
	struct value b = m->stack[--m->depth];
	m->stack[m->depth - 1] = combine(op, m->stack[m->depth - 1], b);
	return true;
}

static bool run_token(struct machine *m, const char *token, size_t len)
{
	char *end;

	if (len == 1 && strchr("+-*/%@^=", token[0]))
		return run_operator(m, token[0]);
	if (token[0] == '$' || token[0] == '.')
		return push_name(m, token, len);
	long long number = strtoll(token, &end, 10);
	if (end != token + len || number > INT32_MAX || number < INT32_MIN)
		return false;
	return push_value(m, (struct value){.kind = NUMBER, .number = number});
}

static bool run_program(struct machine *m, const char *program)
{
	const char *at = program;

	while (*(at += strspn(at, " \t\r\n"))) {
		size_t len = strcspn(at, " \t\r\n");

		if (!run_token(m, at, len))
			return false;
		at += len;
	}
	return m->depth == 0;
}

static bool pdb_bytes_in_words(int64_t bytes, int16_t *ret)
{
	if (bytes % WORD || bytes / WORD > MAX_WORDS || bytes / WORD < -MAX_WORDS)
		return false;
	*ret = (int16_t)(bytes / WORD);
	return true;
}

static struct value variable_value_of(struct machine *m, const char *name)
{
	const struct variable *variable = variable_of(m, name, strlen(name));

	return variable ? variable->value : (struct value){0};
}

/* The caller's esp: so many bytes from what the callee has. */
static bool set_esp_cfa(const struct wp_pdb_frame *frame, struct value esp,
			struct wp_unwind_rule *rule)
{
	int64_t off = esp.number;

	if (esp.kind != PLACE)
		return false;
	switch (esp.base) {
	case OF_ESP: rule->cfa = WP_UNWIND_SP; break;
	case OF_EBP: rule->cfa = WP_UNWIND_FP; break;
	case OF_EBX: rule->cfa = WP_UNWIND_REG + EBX; break;
	case OF_SEARCH: rule->cfa = WP_UNWIND_SEARCH; off += (int64_t)frame->locals + frame->saved;
	}
	return pdb_bytes_in_words(off, &rule->cfa_off);
}

/* A saved register: false when it is where a rule cannot say. */
static bool say_saved(struct value value, struct value esp, int16_t *ret)
{
	return value.kind == CONTENT && value.base == esp.base &&
	       pdb_bytes_in_words(value.number - esp.number, ret);
}

static bool is_itself(struct value value, enum base base)
{
	return value.kind == PLACE && value.base == base && !value.number;
}

/* There is room for one of two: where ebx is, or how many arguments there are. */
static void say_rest(const struct wp_pdb_frame *frame, struct value ebx, struct value esp,
		     struct wp_unwind_rule *rule)
{
	int16_t off;

	if (rule->ra_off == -1 && frame->params && pdb_bytes_in_words(frame->params, &off)) {
		rule->flags |= WP_UNWIND_PARAMS;
		rule->ra_off = off;
	} else if (rule->ra_off == -1 && say_saved(ebx, esp, &off)) {
		rule->flags |= WP_UNWIND_BX_SAVED;
		rule->ra_off = off;
	}
	if (!is_itself(ebx, OF_EBX) && !(rule->flags & WP_UNWIND_BX_SAVED))
		rule->flags |= WP_UNWIND_BX_LOST;
}

struct wp_unwind_rule wp_pdb_frame_rule(const char *program, const struct wp_pdb_frame *frame)
{
	const struct wp_unwind_rule none = {.cfa = WP_UNWIND_NONE};
	struct wp_unwind_rule rule = {.flags = WP_UNWIND_RA_SAVED};
	struct machine m = {0};

	define(&m, "$esp", PLACE, OF_ESP, 0);
	define(&m, "$ebp", PLACE, OF_EBP, 0);
	define(&m, "$ebx", PLACE, OF_EBX, 0);
	define(&m, ".raSearch", PLACE, OF_SEARCH, 0);
	define(&m, ".raSearchStart", PLACE, OF_SEARCH, 0);
	define(&m, ".cbLocals", NUMBER, 0, frame->locals);
	define(&m, ".cbSavedRegs", NUMBER, 0, frame->saved);
	define(&m, ".cbParams", NUMBER, 0, frame->params);
	if (strnlen(program, MAX_PROGRAM) == MAX_PROGRAM || !run_program(&m, program))
		return none;
	struct value esp = variable_value_of(&m, "$esp"), ebp = variable_value_of(&m, "$ebp"),
		     ebx = variable_value_of(&m, "$ebx");
	if (!set_esp_cfa(frame, esp, &rule) ||
	    !say_saved(variable_value_of(&m, "$eip"), esp, &rule.ra_off))
		return none;
	if (!is_itself(ebp, OF_EBP)) {
		rule.flags |= WP_UNWIND_FP_SAVED;
		if (!say_saved(ebp, esp, &rule.fp_off))
			return none;
	}
	say_rest(frame, ebx, esp, &rule);
	return rule;
}

static void add_stretch(struct stretches *all, uint32_t start, uint32_t size,
			struct wp_unwind_rule rule)
{
	if (size && size <= UINT32_MAX - start)
		wp_vec_push(&all->v, (struct stretch){start, start + size, all->v.n, rule});
}

/* The strings of "/names", the last of them ended; NULL: none. */
static char *load_names(const struct wp_pdb_msf *msf, uint32_t stream, uint32_t *ret_size)
{
	uint8_t header[NAMES_HEADER] = {0};
	struct wp_bytes b = wp_bytes_of(header, sizeof(header));

	if (!wp_pdb_msf_read(msf, stream, 0, header, sizeof(header)) ||
	    wp_bytes_u32(&b) != NAMES_SIGNATURE)
		return NULL;
	wp_bytes_u32(&b); /* which hash */
	*ret_size = wp_bytes_u32(&b);
	char *names = wp_pdb_msf_load(msf, stream, NAMES_HEADER, *ret_size);
	if (names && *ret_size)
		names[*ret_size - 1] = '\0';
	return names;
}

/* FRAMEDATA[]; linkers may put the address of a relocation in front. */
static void read_frame_data(const struct wp_pdb_msf *msf, const struct wp_pdb_dbi *dbi,
			    const struct wp_pdb_info *info, struct stretches *all)
{
	uint32_t size = wp_pdb_msf_size(msf, dbi->frames), names_size = 0;
	wp_autofree void *bytes =
		size <= MAX_STREAM ? wp_pdb_msf_load(msf, dbi->frames, 0, size) : NULL;
	wp_autofree char *names = bytes ? load_names(msf, info->names, &names_size) : NULL;
	struct wp_bytes b = wp_bytes_of(bytes, names ? size : 0);

	if (size % FRAME_BYTES)
		wp_bytes_skip(&b, size % FRAME_BYTES);
	while (wp_bytes_left(&b) >= FRAME_BYTES) {
		struct wp_pdb_frame frame;
		uint32_t start = wp_bytes_u32(&b), code = wp_bytes_u32(&b);

		frame.locals = wp_bytes_u32(&b);
		frame.params = wp_bytes_u32(&b);
		wp_bytes_u32(&b); /* most of the stack that is used */
		uint32_t program = wp_bytes_u32(&b);
		wp_bytes_u16(&b); /* bytes of the prologue */
		frame.saved = wp_bytes_u16(&b);
		wp_bytes_u32(&b); /* flags */
		if (program < names_size)
			add_stretch(all, start, code, wp_pdb_frame_rule(names + program, &frame));
	}
}

/* What FPO_DATA says; where a function uses ebp otherwise, it does not say where it saved it. */
static struct wp_unwind_rule fpo_rule(uint32_t locals, uint16_t params, uint16_t attributes)
{
	static const struct wp_unwind_rule chain = {WP_UNWIND_RULE_CHAIN};
	uint32_t registers = attributes >> 8 & 7, kind = attributes >> 14;
	bool uses_ebp = attributes >> 12 & 1;
	struct wp_unwind_rule rule = {
		.cfa = WP_UNWIND_SEARCH, .flags = WP_UNWIND_RA_SAVED, .ra_off = -1};

	if (kind == FRAME_NONFPO)
		return chain;
	if (kind != FRAME_FPO || uses_ebp || locals > MAX_WORDS)
		return (struct wp_unwind_rule){.cfa = WP_UNWIND_NONE};
	rule.flags |= registers ? WP_UNWIND_BX_LOST : 0;
	if (params && params <= MAX_WORDS) {
		rule.flags |= WP_UNWIND_PARAMS;
		rule.ra_off = (int16_t)params;
	}
	rule.cfa_off = (int16_t)(locals + registers + 1);
	return rule;
}

/* FPO_DATA[]: where, how many bytes, words of locals and of arguments, attributes */
static void read_fpo(const struct wp_pdb_msf *msf, const struct wp_pdb_dbi *dbi,
		     struct stretches *all)
{
	uint32_t size = wp_pdb_msf_size(msf, dbi->fpo);
	wp_autofree void *bytes =
		size <= MAX_STREAM ? wp_pdb_msf_load(msf, dbi->fpo, 0, size) : NULL;
	struct wp_bytes b = wp_bytes_of(bytes, bytes ? size : 0);

	while (wp_bytes_left(&b) >= FPO_BYTES) {
		uint32_t start = wp_bytes_u32(&b), code = wp_bytes_u32(&b),
			 locals = wp_bytes_u32(&b);

		uint16_t params = wp_bytes_u16(&b), attributes = wp_bytes_u16(&b);
		uint32_t prologue = attributes & 0xff;
		/* In its prologue a function has pushed something, but how much? */
		if (prologue < code)
			add_stretch(all, start + prologue, code - prologue,
				    fpo_rule(locals, params, attributes));
	}
}

static int by_frame_start(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/*
 * A later stretch holds within an earlier one, up to its end: that is how prologues are told.
 * `open` has those that are not at their end yet.
 */
static void lay(struct stretches *all, struct wp_unwind_rows *rows)
{
	WP_VEC(const struct stretch *) open = {0};

	if (all->v.n)
		qsort(all->v.v, all->v.n, sizeof(*all->v.v), by_frame_start);
	for (size_t i = 0; i <= all->v.n; i++) {
		const struct stretch *one = i < all->v.n ? &all->v.v[i] : NULL;

		while (open.n && (!one || open.v[open.n - 1]->end <= one->start)) {
			uint32_t end = open.v[--open.n]->end;

			while (open.n && open.v[open.n - 1]->end <= end)
				open.n--;
			wp_unwind_rows_append(rows, end,
					      open.n ? open.v[open.n - 1]->rule
						     : (struct wp_unwind_rule){0});
		}
		if (one) {
			wp_unwind_rows_append(rows, one->start, one->rule);
			wp_vec_push(&open, one);
		}
	}
	wp_vec_deinit(&open);
}

void wp_pdb_frames_read(const struct wp_pdb_msf *msf, const struct wp_pdb_dbi *dbi,
			const struct wp_pdb_info *info, struct wp_unwind_rows *rows)
{
	struct stretches frames = {0}, fpo = {0};
	struct wp_unwind_rows older = {.base = rows->base};

	if (dbi->to_source.n)
		return;
	read_frame_data(msf, dbi, info, &frames);
	read_fpo(msf, dbi, &fpo);
	lay(&frames, rows);
	lay(&fpo, &older);
	wp_unwind_rows_fill(rows, &older);
	wp_unwind_rows_deinit(&older);
	wp_vec_deinit(&frames.v);
	wp_vec_deinit(&fpo.v);
}
