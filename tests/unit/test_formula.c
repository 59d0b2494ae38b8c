/* SPDX-License-Identifier: BSD-3-Clause */
/* Formulas of metrics: grammar, order of operations, what has no value, what is refused. */
#include "check.h"

#include "base/str.h"
#include "event/formula.h"

#include <math.h>

/* Values of names by their first letter: a 1, b 2, c 3 ...; z is 0, n was not counted. */
static double value_of(const char *name)
{
	return *name == 'z' ? 0 : *name == 'n' ? NAN : *name - 'a' + 1;
}

/* The result with six places, or what it is instead; the error's text. */
static const char *result(const char *text)
{
	static char out[300];
	struct wp_formula formula;
	struct wp_formula_result got;
	double values[16];
	wp_autoerr struct wp_err *err = wp_formula_parse(text, &formula);

	if (err) {
		snprintf(out, sizeof(out), "%s", err->text);
		return out;
	}
	for (size_t i = 0; i < formula.names.n; i++)
		values[i] = value_of(formula.names.v[i]);
	got = wp_formula_eval(&formula, values);
	if (got.state == WP_FORMULA_VALUE)
		snprintf(out, sizeof(out), "%.6f", got.value);
	else
		snprintf(out, sizeof(out), "%s",
			 got.state == WP_FORMULA_MISSING ? "missing" : "zero divide");
	wp_formula_deinit(&formula);
	return out;
}

static void test_values(void)
{
	CHECK_STR(result("a"), "1.000000");
	CHECK_STR(result("b-c-a"), "-2.000000");
	CHECK_STR(result(" a + b * c "), "7.000000");
	CHECK_STR(result("(a+b)*c"), "9.000000");
	CHECK_STR(result("d / b / b"), "1.000000");
	CHECK_STR(result("-b - -c"), "1.000000");
	CHECK_STR(result("1e3 * .5 + 0.25"), "500.250000");
	CHECK_STR(result("min(c, b) + max(a, d*2)"), "10.000000");
	CHECK_STR(result("a\\-b + c.d:e"), "4.000000");
	CHECK_STR(result("min"), "13.000000"); /* a name like any other */
	CHECK_STR(result("100 * (1 - a / b) * (1 - c / (d * 8)) + e * 4 / b"), "55.312500");
}

static void test_no_value(void)
{
	CHECK_STR(result("a / z"), "zero divide");
	CHECK_STR(result("z / z + 1"), "zero divide");
	CHECK_STR(result("z / a"), "0.000000");
	CHECK_STR(result("n * 0"), "missing");
	CHECK_STR(result("n / z"), "missing");
	CHECK_STR(result("a / (b - 2)"), "zero divide");
}

static void test_refused(void)
{
	CHECK_STR(result(""), "formula '': an operand is missing at its end");
	CHECK_STR(result("a +"), "formula 'a +': an operand is missing at its end");
	CHECK_STR(result("a b"), "formula 'a b': an operator is missing at 'b'");
	CHECK_STR(result("(a"), "formula '(a': ')' is missing at its end");
	CHECK_STR(result("a)"), "formula 'a)': an operator is missing at ')'");
	CHECK_STR(result("min(a)"), "formula 'min(a)': ',' is missing at ')'");
	CHECK_STR(result("sqrt(a)"), "formula 'sqrt(a)': only min and max are functions at '(a)'");
	CHECK_STR(result("1.2.3"), "formula '1.2.3': an operator is missing at '.3'");
	CHECK_STR(result("1e999"), "formula '1e999': no number at '1e999'");
	CHECK_STR(result("3x"), "formula '3x': no number at '3x'");
	CHECK_STR(result("a % b"), "formula 'a % b': an operator is missing at '% b'");
}

static void test_bounds(void)
{
	wp_autostr struct wp_str deep = {0}, long_one = {0};
	struct wp_formula formula;

	wp_str_pad(&deep, '(', 1000);
	CHECK_ERR(wp_formula_parse(deep.s, &formula), "too many nested operands");
	deep.len = 0;
	wp_str_pad(&deep, '-', 1000);
	CHECK_ERR(wp_formula_parse(deep.s, &formula), "too many nested operands");
	wp_str_puts(&long_one, "a");
	for (int i = 0; i < 4000; i++)
		wp_str_puts(&long_one, "+a");
	CHECK_ERR(wp_formula_parse(long_one.s, &formula), "more than 4096 steps");
}

int main(void)
{
	RUN(test_values);
	RUN(test_no_value);
	RUN(test_refused);
	RUN(test_bounds);
	return check_done();
}
