/* SPDX-License-Identifier: BSD-3-Clause */
/* formula: see formula.h. */
#include "event/formula.h"

#include "base/str.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Parentheses and operands that wait for one another; no published formula comes near. */
#define DEPTH_MAX 64
#define STEPS_MAX 4096

struct parse {
	const char *text, *at;
	struct wp_formula *formula;
	int depth;
};

static struct wp_err *parse_sum(struct parse *parse);

static struct wp_err *bad(const struct parse *parse, const char *what)
{
	const char *at = parse->at;

	if (!*at)
		return wp_err_new(WP_ERR_USAGE, "formula '%s': %s at its end", parse->text, what);
	return wp_err_new(WP_ERR_USAGE, "formula '%s': %s at '%.16s'", parse->text, what, at);
}

/* The next character that is no blank. */
static char peek_formula_char(struct parse *parse)
{
	parse->at += strspn(parse->at, " \t");
	return *parse->at;
}

static struct wp_err *push_step(struct parse *parse, struct wp_formula_step step)
{
	if (parse->formula->steps.n == STEPS_MAX)
		return wp_err_new(WP_ERR_LIMIT, "a formula has more than %d steps", STEPS_MAX);
	wp_vec_push(&parse->formula->steps, step);
	return NULL;
}

static struct wp_err *push_op(struct parse *parse, enum wp_formula_op op)
{
	return push_step(parse, (struct wp_formula_step){.op = op});
}

static size_t name_index(struct wp_formula *formula, const char *name)
{
	for (size_t i = 0; i < formula->names.n; i++)
		if (strcmp(formula->names.v[i], name) == 0)
			return i;
	wp_vec_push(&formula->names, wp_strdup(name));
	return formula->names.n - 1;
}

/* Digits, then a point and digits, then an exponent: the form does not depend on the locale. */
static struct wp_err *parse_formula_number(struct parse *parse)
{
	size_t len = strspn(parse->at, "0123456789");
	double number;
	char *end;

	if (parse->at[len] == '.')
		len += 1 + strspn(parse->at + len + 1, "0123456789");
	if ((parse->at[len] | 0x20) == 'e') {
		size_t sign = parse->at[len + 1] == '-' || parse->at[len + 1] == '+';
		size_t digits = strspn(parse->at + len + 1 + sign, "0123456789");

		len += digits ? 1 + sign + digits : 0;
	}
	wp_autofree char *word = wp_strndup(parse->at, len);
	number = strtod(word, &end);
	if (*end || !isfinite(number) || isalnum((unsigned char)parse->at[len]))
		return bad(parse, "no number");
	parse->at += len;
	return push_step(parse,
			 (struct wp_formula_step){.op = WP_FORMULA_NUMBER, .number = number});
}

/* Cuts a name out; a character behind a backslash belongs to it whatever it is. */
static char *take_formula_name(struct parse *parse)
{
	struct wp_str name = {0};

	for (;; parse->at++) {
		if (*parse->at == '\\' && parse->at[1])
			parse->at++;
		else if (!isalnum((unsigned char)*parse->at) &&
			 (!*parse->at || !strchr("_.:", *parse->at)))
			return name.s;
		wp_str_putc(&name, *parse->at);
	}
}

/* `(a, b)` behind min or max. */
static struct wp_err *parse_min_max_pair(struct parse *parse, enum wp_formula_op op)
{
	parse->at++;
	TRY(parse_sum(parse));
	if (peek_formula_char(parse) != ',')
		return bad(parse, "',' is missing");
	parse->at++;
	TRY(parse_sum(parse));
	if (peek_formula_char(parse) != ')')
		return bad(parse, "')' is missing");
	parse->at++;
	return push_op(parse, op);
}

static struct wp_err *parse_name(struct parse *parse)
{
	wp_autofree char *name = take_formula_name(parse);

	if (!name)
		return bad(parse, "an operand is missing");
	if (peek_formula_char(parse) == '(') {
		if (strcmp(name, "min") == 0)
			return parse_min_max_pair(parse, WP_FORMULA_MIN);
		if (strcmp(name, "max") == 0)
			return parse_min_max_pair(parse, WP_FORMULA_MAX);
		return bad(parse, "only min and max are functions");
	}
	return push_step(parse, (struct wp_formula_step){.op = WP_FORMULA_NAME,
							 .name = name_index(parse->formula, name)});
}

static struct wp_err *parse_operand(struct parse *parse)
{
	char c = peek_formula_char(parse);

	if (c == '-') {
		parse->at++;
		if (++parse->depth > DEPTH_MAX)
			return bad(parse, "too many nested operands");
		TRY(parse_operand(parse));
		parse->depth--;
		return push_op(parse, WP_FORMULA_NEG);
	}
	if (c == '(') {
		parse->at++;
		TRY(parse_sum(parse));
		if (peek_formula_char(parse) != ')')
			return bad(parse, "')' is missing");
		parse->at++;
		return NULL;
	}
	if (isdigit((unsigned char)c) || c == '.')
		return parse_formula_number(parse);
	return parse_name(parse);
}

static struct wp_err *parse_product(struct parse *parse)
{
	TRY(parse_operand(parse));
	for (;;) {
		char c = peek_formula_char(parse);

		if (c != '*' && c != '/')
			return NULL;
		parse->at++;
		TRY(parse_operand(parse));
		TRY(push_op(parse, c == '*' ? WP_FORMULA_MUL : WP_FORMULA_DIV));
	}
}

static struct wp_err *parse_sum(struct parse *parse)
{
	if (++parse->depth > DEPTH_MAX)
		return bad(parse, "too many nested operands");
	TRY(parse_product(parse));
	for (;;) {
		char c = peek_formula_char(parse);

		if (c != '+' && c != '-')
			break;
		parse->at++;
		TRY(parse_product(parse));
		TRY(push_op(parse, c == '+' ? WP_FORMULA_ADD : WP_FORMULA_SUB));
	}
	parse->depth--;
	return NULL;
}

struct wp_err *wp_formula_parse(const char *text, struct wp_formula *ret)
{
	struct wp_formula formula = {0};
	struct parse parse = {.text = text, .at = text, .formula = &formula};
	struct wp_err *err = parse_sum(&parse);

	if (!err && peek_formula_char(&parse))
		err = bad(&parse, "an operator is missing");
	if (err) {
		wp_formula_deinit(&formula);
		return err;
	}
	*ret = formula;
	return NULL;
}

void wp_formula_deinit(struct wp_formula *formula)
{
	wp_vec_each (char *, name, &formula->names)
		free(*name);
	wp_vec_deinit(&formula->names);
	wp_vec_deinit(&formula->steps);
}

/* NaN operands make a NaN: the state says why. */
static double apply_operator(enum wp_formula_op op, double a, double b,
			     enum wp_formula_state *state)
{
	switch (op) {
	case WP_FORMULA_ADD: return a + b;
	case WP_FORMULA_SUB: return a - b;
	case WP_FORMULA_MUL: return a * b;
	case WP_FORMULA_MIN: return a < b ? a : b;
	case WP_FORMULA_MAX: return a > b ? a : b;
	default: break;
	}
	if (b != 0)
		return a / b;
	if (*state == WP_FORMULA_VALUE)
		*state = WP_FORMULA_ZERO_DIVIDE;
	return 0;
}

struct wp_formula_result wp_formula_eval(const struct wp_formula *formula, const double *values)
{
	wp_autofree double *stack = wp_calloc(formula->steps.n + 1, sizeof(*stack));
	enum wp_formula_state state = WP_FORMULA_VALUE;
	size_t n = 0;

	for (size_t i = 0; i < formula->names.n; i++)
		if (isnan(values[i]))
			return (struct wp_formula_result){.state = WP_FORMULA_MISSING};
	wp_vec_each (struct wp_formula_step, step, &formula->steps) {
		if (step->op == WP_FORMULA_NUMBER) {
			stack[n++] = step->number;
		} else if (step->op == WP_FORMULA_NAME) {
			stack[n++] = values[step->name];
		} else if (step->op == WP_FORMULA_NEG) {
			stack[n - 1] = -stack[n - 1];
		} else {
			n--;
			stack[n - 1] = apply_operator(step->op, stack[n - 1], stack[n], &state);
		}
	}
	return (struct wp_formula_result){state, state == WP_FORMULA_VALUE ? stack[0] : 0};
}
