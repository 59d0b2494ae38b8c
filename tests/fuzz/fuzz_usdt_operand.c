/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_usdt_operand: the arguments of a marker: the first byte says of which machine. */
#include "format/elf/usdt_operand.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_usdt_operand all[WP_USDT_ARGS];

	if (!size)
		return 0;
	wp_autofree char *text = wp_strndup((const char *)data + 1, size - 1);
	size_t n = wp_usdt_operands(text, data[0] & 1, all);

	for (size_t i = 0; i < n; i++) {
		const struct wp_operand *op = &all[i].operand;

		if (all[i].text < text || all[i].text + all[i].text_len > text + strlen(text))
			abort();
		if (all[i].known && (!op->size || op->size > 8 || op->shift > 4 ||
				     (op->base > 32 && op->base != WP_OPERAND_NO_REG) ||
				     (op->index > 32 && op->index != WP_OPERAND_NO_REG)))
			abort();
	}
	return 0;
}
