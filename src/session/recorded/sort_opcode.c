/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_opcode: see sort_opcode.h. */
#include "session/recorded/sort_opcode.h"

#include "base/keyed.h"
#include "base/str.h"
#include "core/doc.h"

#include <stdlib.h>

static uint64_t place_key_of(const struct wp_stack_instruction *at)
{
	return (uint64_t)at->code << 32 | (uint32_t)at->lasti;
}

uint32_t wp_sort_opcode_of(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	struct wp_report_place *place;

	if (!at->has_python || at->no_instruction)
		return WP_SORT_NONE;
	place = wp_keyed_put(&sort->places, &sort->place_of, place_key_of(&at->instruction),
			     (struct wp_report_place){.at = at->instruction});
	place->samples++;
	return (uint32_t)(place - sort->places.v);
}

static const char *opcode_name(const struct wp_python_instruction *at, bool base)
{
	const struct wp_python_opcode *opcode = base ? at->base : at->opcode;

	return opcode ? opcode->name : "(no opcode)";
}

uint32_t wp_sort_opcode_name(struct wp_report_sort *sort, uint32_t value, bool base)
{
	struct wp_report_place *place = value == WP_SORT_NONE ? NULL : &sort->places.v[value];
	const struct wp_python_instruction *at;
	const struct wp_decoded_code *code;
	const char *name = "(not begun)";

	if (!place)
		return value;
	code = wp_decoded_codes_get(&sort->codes, place->at.code);
	at = wp_python_instruction_at(&code->instructions, place->at.lasti);
	if (at) {
		name = opcode_name(at, base);
	} else if (place->at.lasti >= 0) {
		name = "(not known)";
		wp_decoded_codes_miss(&sort->codes, code, place->samples);
		place->samples = 0; /* several rows and keys ask */
	}
	return wp_strpool_id(&sort->strings, name);
}

void wp_sort_opcode_notes(const struct wp_report_sort *sort, struct wp_doc *doc)
{
	char *note;

	for (size_t i = 0; (note = wp_decoded_codes_note(&sort->codes, i)); i++) {
		wp_doc_prose(doc, doc->root, "\nnote: %s\n", note);
		free(note);
	}
}
