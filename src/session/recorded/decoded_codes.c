/* SPDX-License-Identifier: BSD-3-Clause */
/* decoded_codes: see decoded_codes.h. */
#include "session/recorded/decoded_codes.h"

#include "base/keyed.h"
#include "base/str.h"
#include "recording/recording.h"
#include "session/follow/python_bytecodes.h"

#include <inttypes.h>

static bool find_decoded(const struct wp_decoded_codes *codes, uint32_t number,
			 struct wp_python_bytecode *ret)
{
	if (codes->live)
		return wp_python_bytecodes_get(codes->live, number, ret);
	return codes->ahead ? wp_recording_notes_bytecode(codes->ahead, number, ret)
			    : wp_recording_bytecode(codes->source, number, ret);
}

const struct wp_decoded_code *wp_decoded_codes_get(struct wp_decoded_codes *codes, uint32_t number)
{
	const struct wp_decoded_code *known = wp_keyed_get(&codes->all, &codes->index_of, number);
	struct wp_decoded_code add = {.how = WP_PYTHON_NO_CODE};

	if (known)
		return known;
	if (number && find_decoded(codes, number, &add.of))
		add.how = wp_python_bytecode_decode(&add.of, &add.instructions);
	return wp_keyed_put(&codes->all, &codes->index_of, number, add);
}

void wp_decoded_codes_miss(struct wp_decoded_codes *codes, const struct wp_decoded_code *code,
			   uint64_t samples)
{
	bool behind_end = code->how == WP_PYTHON_DECODED; /* the code is another one */

	codes->missing[behind_end ? WP_PYTHON_NO_CODE : code->how] += samples;
	if (code->how == WP_PYTHON_NO_OPCODES)
		codes->unknown_version = code->of.version;
}

static char *unknown_version_note(uint64_t samples, uint32_t version)
{
	return wp_asprintf("%" PRIu64 " samples of Python code have no opcode: those of CPython "
			   "%u.%u are not known",
			   samples, version >> 8 & 0xff, version & 0xff);
}

/* A recording that has none at all was made by something else, or was not ended. */
static char *unread_note(const struct wp_decoded_codes *codes, uint64_t samples)
{
	return codes->live || wp_recording_has_bytecode(codes->source)
		       ? wp_asprintf("%" PRIu64
				     " samples of Python code have no opcode: their code "
				     "was gone before its bytecode could be read",
				     samples)
		       : wp_asprintf("this recording has no bytecode: it is of an older wperf, or "
				     "was not ended");
}

char *wp_decoded_codes_note(const struct wp_decoded_codes *codes, size_t i)
{
	static const enum wp_python_decoded reasons[] = {WP_PYTHON_NO_CODE, WP_PYTHON_NO_OPCODES,
							 WP_PYTHON_OPAQUE};

	for (size_t k = 0; k < WP_ARRAY_LEN(reasons); k++) {
		uint64_t samples = codes->missing[reasons[k]];

		if (!samples || i--)
			continue;
		switch (reasons[k]) {
		case WP_PYTHON_NO_OPCODES:
			return unknown_version_note(samples, codes->unknown_version);
		case WP_PYTHON_OPAQUE:
			return wp_asprintf(
				"%" PRIu64 " samples of Python code have no opcode: a debugger, "
				"coverage or another tool watched its lines, or a JIT compiler "
				"replaced parts, and its bytecode does not tell of what",
				samples);
		default: return unread_note(codes, samples);
		}
	}
	return NULL;
}

void wp_decoded_codes_deinit(struct wp_decoded_codes *codes)
{
	wp_vec_each (struct wp_decoded_code, code, &codes->all)
		wp_python_instructions_deinit(&code->instructions);
	wp_vec_deinit(&codes->all);
	wp_map_deinit(&codes->index_of);
}
