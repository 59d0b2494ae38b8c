/* SPDX-License-Identifier: BSD-3-Clause */
/* A metric's formula: parsed, and evaluated when it can be. */
#include "base/str.h"
#include "event/formula.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = wp_strndup((const char *)data, size < 65536 ? size : 65536);
	struct wp_formula formula = {0};
	struct wp_err *err = wp_formula_parse(text, &formula);

	if (!err) {
		double *values = wp_calloc(formula.names.n + 1, sizeof(*values));
		struct wp_formula_result result;

		for (size_t i = 0; i < formula.names.n; i++)
			values[i] = (double)(i * i) - 2;
		result = wp_formula_eval(&formula, values);
		if (result.state == WP_FORMULA_MISSING)
			abort(); /* every count was given */
		free(values);
	}
	wp_err_free(err);
	wp_formula_deinit(&formula);
	free(text);
	return 0;
}
