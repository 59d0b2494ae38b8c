/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_demangle: names of symbols as they stand in a file: C++, Rust, and what looks like them. */
#include "base/mem.h"
#include "base/str.h"
#include "resolve/symbols/demangle.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NAME_MAX_BYTES (256u << 10)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	wp_autofree char *raw = wp_strndup((const char *)data, size);
	wp_autofree char *name = wp_demangle(raw);
	wp_autofree char *shown = wp_demangle_display(raw);

	if (!shown || (name && (!*name || strlen(name) > NAME_MAX_BYTES)))
		abort();
	return 0;
}
