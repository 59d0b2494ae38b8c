/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_bytecode: a code object's bytecode, cut into instructions.
 *
 * Format stage: pure, bounded by the code's length. Sources: Lib/dis.py (_unpack_opargs), of 2.7
 * disassemble(); Include/cpython/code.h. What is meant by a number is in python_opcodes.h. From
 * 3.11 on the code is the adaptive one: instructions have the forms that were running, and their
 * inline caches hold numbers of the interpreter's, which are passed over by their opcode's length.
 */
#ifndef WP_PYTHON_BYTECODE_H
#define WP_PYTHON_BYTECODE_H

#include "base/vec.h"
#include "format/python/python_lines.h"
#include "format/python/python_opcodes.h"

/* Bytes of bytecode of a code object, and of its line table, that are kept: some 60,000 lines. */
#define WP_PYTHON_BYTECODE_MAX (1u << 20)

/* As it was read; bytes are borrowed. */
struct wp_python_bytecode {
	uint32_t version; /* 0x030b: 3.11 */
	const uint8_t *code;
	size_t n; /* bytes; 0: it could not be read */
	struct wp_python_lines lines;
};

struct wp_python_instruction {
	uint32_t offset, end; /* in bytes; its inline caches belong to it */
	uint8_t number;
	const struct wp_python_opcode *opcode; /* NULL: none of that version has the number */
	const struct wp_python_opcode *base;   /* itself, or what it is a form of; NULL: as above */
	bool has_arg;
	uint32_t arg; /* with what EXTENDED_ARGs before it add */
};

struct wp_python_instructions {
	WP_VEC(struct wp_python_instruction) all;
};

enum wp_python_decoded {
	WP_PYTHON_DECODED,
	WP_PYTHON_NO_OPCODES, /* opcodes of that version are not known */
	WP_PYTHON_NO_CODE,    /* it was not read, or ends within an instruction */
	/* sys.monitoring, a trace function or an executor took the places of some instructions,
	 * and how long these are is not in the code: WP_PYTHON_OPCODE_OPAQUE. */
	WP_PYTHON_OPAQUE,
};

/* The caller deinits *ret, which is empty unless it was decoded. */
enum wp_python_decoded wp_python_bytecode_decode(const struct wp_python_bytecode *bytecode,
						 struct wp_python_instructions *ret);
/* The instruction that a frame is at; NULL: it has not begun, or is behind the end. */
const struct wp_python_instruction *wp_python_instruction_at(
	const struct wp_python_instructions *instructions, int64_t lasti);
/*
 * Whether two are one code, compiled once: the same instructions in the same places, whatever forms
 * these have.
 */
bool wp_python_instructions_alike(const struct wp_python_instructions *a,
				  const struct wp_python_instructions *b);
/* Equal for those that are alike. */
uint64_t wp_python_instructions_hash(const struct wp_python_instructions *instructions);
void wp_python_instructions_deinit(struct wp_python_instructions *instructions);

#endif
