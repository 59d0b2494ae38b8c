/*
 * python_lines: the line tables of CPython's code objects, one decoder per form.
 *
 * Format stage: pure, bounded by the table's length. Sources: Objects/lnotab_notes.txt (3.10 and
 * older), Objects/locations.md (3.11 and newer).
 */
#ifndef WP_PYTHON_LINES_H
#define WP_PYTHON_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wp_python_lines_form {
	WP_PYTHON_LNOTAB_UNSIGNED, /* 2.7 to 3.5: line increments 0 to 255 */
	WP_PYTHON_LNOTAB_SIGNED,   /* 3.6 to 3.9 */
	WP_PYTHON_LINETABLE,	   /* 3.10: ranges, some without a line */
	WP_PYTHON_LOCATIONS,	   /* 3.11 and newer */
};

struct wp_python_lines {
	enum wp_python_lines_form form;
	uint32_t first_line;
	const uint8_t *bytes;
	size_t n;
};

/*
 * The line of the instruction at a byte offset, as PyCode_Addr2Line() gives it; 0 when it has none
 * (artificial instructions) or the table does not say. A negative offset (a frame that has not
 * begun) is in the first line.
 */
uint32_t wp_python_lines_at(const struct wp_python_lines *table, int64_t lasti);

#endif
