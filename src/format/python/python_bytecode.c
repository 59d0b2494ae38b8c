/* SPDX-License-Identifier: BSD-3-Clause */
/* python_bytecode: see python_bytecode.h. */
#include "format/python/python_bytecode.h"

#include "base/bytes.h"
#include "base/hash.h"

#include <string.h>

#define UNIT	   2	   /* bytes of an instruction without caches, from 3.6 on */
#define VERSION_36 0x0306u /* before: one byte, or three with an argument */
#define OPCODES	   256

struct decoder {
	const struct wp_python_opcodes *opcodes;
	const struct wp_python_opcode *by_number[OPCODES];
	const uint8_t *code;
	size_t n, at;
	uint32_t extended; /* what EXTENDED_ARG before it adds */
};

static void index_opcodes(struct decoder *d)
{
	for (size_t i = 0; i < d->opcodes->n; i++)
		d->by_number[d->opcodes->v[i].number] = &d->opcodes->v[i];
}

static bool is_extending(const struct wp_python_instruction *is)
{
	return is->base && strcmp(is->base->name, "EXTENDED_ARG") == 0;
}

static void read_wide_argument(struct decoder *d, struct wp_python_instruction *ret)
{
	const uint8_t *code = d->code + ret->offset;

	ret->end = ret->offset + UNIT;
	if (ret->base)
		ret->end += UNIT * ret->base->caches;
	ret->arg = ret->has_arg ? code[1] | d->extended : 0;
	d->extended = is_extending(ret) ? ret->arg << 8 : 0;
}

static void read_old_argument(struct decoder *d, struct wp_python_instruction *ret)
{
	const uint8_t *code = d->code + ret->offset;

	ret->end = ret->offset + (ret->has_arg ? 3 : 1);
	if (!ret->has_arg || ret->end > d->n)
		return;
	ret->arg = wp_u16_at(code + 1) + d->extended;
	d->extended = is_extending(ret) ? ret->arg << 16 : 0;
}

/* False when the code ends within it. */
static bool read_instruction(struct decoder *d, struct wp_python_instruction *ret)
{
	*ret = (struct wp_python_instruction){.offset = (uint32_t)d->at, .number = d->code[d->at]};
	ret->opcode = d->by_number[ret->number];
	ret->base = ret->opcode && ret->opcode->form_of ? d->by_number[ret->opcode->form_of]
							: ret->opcode;
	ret->has_arg = ret->opcode && ret->opcode->flags & WP_PYTHON_OPCODE_ARG;
	if (d->opcodes->version < VERSION_36)
		read_old_argument(d, ret);
	else if (d->n - d->at >= UNIT)
		read_wide_argument(d, ret);
	else
		return false;
	d->at = ret->end;
	return ret->end <= d->n;
}

static enum wp_python_decoded decode_all(struct decoder *d, struct wp_python_instructions *ret)
{
	struct wp_python_instruction add;

	while (d->at < d->n) {
		if (!read_instruction(d, &add))
			return WP_PYTHON_NO_CODE;
		if (add.opcode && add.opcode->flags & WP_PYTHON_OPCODE_OPAQUE)
			return WP_PYTHON_OPAQUE;
		wp_vec_push(&ret->all, add);
	}
	return WP_PYTHON_DECODED;
}

enum wp_python_decoded wp_python_bytecode_decode(const struct wp_python_bytecode *bytecode,
						 struct wp_python_instructions *ret)
{
	struct decoder d = {
		.opcodes = wp_python_opcodes_of(bytecode->version),
		.code = bytecode->code,
		.n = bytecode->n,
	};
	enum wp_python_decoded how;

	*ret = (struct wp_python_instructions){0};
	if (!d.n || d.n > WP_PYTHON_BYTECODE_MAX)
		return WP_PYTHON_NO_CODE;
	if (!d.opcodes)
		return WP_PYTHON_NO_OPCODES;
	index_opcodes(&d);
	how = decode_all(&d, ret);
	if (how != WP_PYTHON_DECODED)
		wp_python_instructions_deinit(ret);
	return how;
}

const struct wp_python_instruction *wp_python_instruction_at(
	const struct wp_python_instructions *instructions, int64_t lasti)
{
	size_t low = 0, high = instructions->all.n;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (instructions->all.v[mid].end <= lasti)
			low = mid + 1;
		else
			high = mid;
	}
	return lasti >= 0 && low < instructions->all.n ? &instructions->all.v[low] : NULL;
}

bool wp_python_instructions_alike(const struct wp_python_instructions *a,
				  const struct wp_python_instructions *b)
{
	if (a->all.n != b->all.n)
		return false;
	for (size_t i = 0; i < a->all.n; i++) {
		const struct wp_python_instruction *x = &a->all.v[i], *y = &b->all.v[i];

		if (x->offset != y->offset || x->base != y->base || x->arg != y->arg)
			return false;
	}
	return true;
}

uint64_t wp_python_instructions_hash(const struct wp_python_instructions *instructions)
{
	uint64_t hash = wp_hash_fnv1a(WP_HASH_FNV1A, instructions->all.n);

	wp_vec_each (const struct wp_python_instruction, it, &instructions->all) {
		hash = wp_hash_fnv1a(hash, it->offset);
		hash = wp_hash_fnv1a(hash, it->base ? it->base->number : OPCODES);
		hash = wp_hash_fnv1a(hash, it->arg);
	}
	return wp_hash_spread(hash);
}

void wp_python_instructions_deinit(struct wp_python_instructions *instructions)
{
	wp_vec_deinit(&instructions->all);
}
