/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_opcodes: the opcodes of CPython's bytecode, one table per minor version.
 *
 * Format stage. The tables are what each interpreter's own modules opcode and dis say
 * (tools/python_opcodes), specialised and instrumented forms included.
 */
#ifndef WP_PYTHON_OPCODES_H
#define WP_PYTHON_OPCODES_H

#include <stddef.h>
#include <stdint.h>

/* flags */
#define WP_PYTHON_OPCODE_ARG 1 /* its argument means something */
/* It stands in the place of another one, which the code does not tell (nor how long that is). */
#define WP_PYTHON_OPCODE_OPAQUE 2

struct wp_python_opcode {
	uint8_t number;
	const char *name;
	uint8_t flags;
	uint8_t caches;	 /* units of two bytes behind it that are no instructions */
	uint8_t form_of; /* another one's number; 0: it is no form */
};

struct wp_python_opcodes {
	uint32_t version; /* 0x030b: 3.11 */
	size_t n;
	const struct wp_python_opcode *v; /* by number; not all there are */
};

/* Private to python_opcodes.c: the tables of 3.11 and newer. */
extern const struct wp_python_opcodes wp_python_opcodes_adaptive[];
extern const size_t wp_python_opcodes_adaptive_n;

/* Of a minor version, as above; NULL: it is not known. */
const struct wp_python_opcodes *wp_python_opcodes_of(uint32_t version);

#endif
