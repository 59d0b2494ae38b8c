/* SPDX-License-Identifier: BSD-3-Clause */
/* machine_path: where a file of /proc or /sys lies, on this machine or below a test's folder. */
#include "base/str.h"
#include "machine/machine_parts.h"

char *wp_machine_path(const struct wp_machine *machine, const char *fmt, ...)
{
	struct wp_str path = {0};
	va_list ap;

	wp_str_puts(&path, machine->root);
	va_start(ap, fmt);
	wp_str_vprintf(&path, fmt, ap);
	va_end(ap);
	return path.s;
}
