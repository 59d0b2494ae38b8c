/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * decoded_codes: bytecode, decoded once per code object, by number.
 *
 * Session stage. In: a recording that was read to its end, where it tells of bytecode; or what is
 * kept of a run that goes on.
 */
#ifndef WP_DECODED_CODES_H
#define WP_DECODED_CODES_H

#include "base/map.h"
#include "format/python/python_bytecode.h"

struct wp_python_bytecodes;
struct wp_recording_notes;
struct wp_source;

struct wp_decoded_code {
	enum wp_python_decoded how;
	struct wp_python_bytecode of;		    /* borrowed from the recording */
	struct wp_python_instructions instructions; /* none unless it was decoded */
};

/* All-zero, but for the source, is empty. */
struct wp_decoded_codes {
	const struct wp_source *source;		/* borrowed: a recording; or NULL: */
	const struct wp_python_bytecodes *live; /* borrowed: of this run, as they are now */
	const struct wp_recording_notes *ahead; /* of it, to be asked before its end; or NULL */
	WP_VEC(struct wp_decoded_code) all;
	struct wp_map index_of; /* number -> index + 1 */
	/* Samples that were asked about, but have no instruction; see the note. */
	uint64_t missing[WP_PYTHON_OPAQUE + 1];
	uint32_t unknown_version; /* one whose opcodes are not known; 0: none was met */
};

/* Of a number as in struct wp_stack_instruction, also 0. Valid until the next call. */
const struct wp_decoded_code *wp_decoded_codes_get(struct wp_decoded_codes *codes, uint32_t number);
/* So many samples in a code object that was not decoded. */
void wp_decoded_codes_miss(struct wp_decoded_codes *codes, const struct wp_decoded_code *code,
			   uint64_t samples);
/* One line for each reason why samples have no instruction, without a newline; NULL at the end of
 * them: i counts from 0. The caller frees. */
char *wp_decoded_codes_note(const struct wp_decoded_codes *codes, size_t i);
void wp_decoded_codes_deinit(struct wp_decoded_codes *codes);

#endif
