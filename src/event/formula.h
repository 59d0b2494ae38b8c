/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * formula: a metric's arithmetic over counts: `100 * (STALL_SLOT_BACKEND / (CPU_CYCLES * 5))`.
 *
 * Event stage. A text is compiled once into steps for a stack of numbers and evaluated for each set
 * of counts. Grammar: names of events (letters, digits, `_ . :`, any other character behind a `\`),
 * numbers, `+ - * / ( )`, a leading `-`, `min(a, b)` and `max(a, b)`. A count that is missing and a
 * division by zero are answers of their own: neither is 0.
 */
#ifndef WP_FORMULA_H
#define WP_FORMULA_H

#include "base/err.h"
#include "base/vec.h"

#include <stddef.h>

struct wp_formula_step {
	enum wp_formula_op {
		WP_FORMULA_NUMBER,
		WP_FORMULA_NAME,
		WP_FORMULA_ADD,
		WP_FORMULA_SUB,
		WP_FORMULA_MUL,
		WP_FORMULA_DIV,
		WP_FORMULA_MIN,
		WP_FORMULA_MAX,
		WP_FORMULA_NEG,
	} op;
	double number;
	size_t name; /* index in names */
};

/* All-zero is an empty one. */
struct wp_formula {
	WP_VEC(char *) names;		      /* each once, as they are written; owned */
	WP_VEC(struct wp_formula_step) steps; /* operands before their operator */
};

enum wp_formula_state {
	WP_FORMULA_VALUE,
	WP_FORMULA_MISSING, /* a count that it needs was not taken */
	WP_FORMULA_ZERO_DIVIDE,
};

struct wp_formula_result {
	enum wp_formula_state state;
	double value; /* of WP_FORMULA_VALUE */
};

/* Errors (WP_ERR_USAGE) quote the place. The caller deinits *ret; it is untouched on failure. */
struct wp_err *wp_formula_parse(const char *text, struct wp_formula *ret) WP_MUST_CHECK;
void wp_formula_deinit(struct wp_formula *formula);
/* values: one per name; NaN for a count that was not taken. */
struct wp_formula_result wp_formula_eval(const struct wp_formula *formula, const double *values);

#endif
