/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytecode of CPython cut into instructions, and the tables of opcodes; tests/live/test_bytecode.sh
 * holds both against each interpreter's own dis.
 */
#include "check.h"

#include "base/vec.h"
#include "format/python/python_bytecode.h"

struct want {
	uint32_t offset, end;
	const char *name, *base;
	int64_t arg; /* -1: none */
};

static enum wp_python_decoded decode(uint32_t version, const uint8_t *code, size_t n,
				     struct wp_python_instructions *ret)
{
	struct wp_python_bytecode bytecode = {.version = version, .code = code, .n = n};

	return wp_python_bytecode_decode(&bytecode, ret);
}

static void check_code(uint32_t version, const uint8_t *code, size_t n, const struct want *want,
		       size_t n_want)
{
	struct wp_python_instructions found;

	CHECK_U64(decode(version, code, n, &found), WP_PYTHON_DECODED);
	CHECK_U64(found.all.n, n_want);
	for (size_t i = 0; i < found.all.n && i < n_want; i++) {
		const struct wp_python_instruction *it = &found.all.v[i];

		CHECK_U64(it->offset, want[i].offset);
		CHECK_U64(it->end, want[i].end);
		CHECK_STR(it->opcode->name, want[i].name);
		CHECK_STR(it->base->name, want[i].base);
		CHECK_U64(it->has_arg, want[i].arg >= 0);
		CHECK_U64(it->arg, want[i].arg < 0 ? 0 : (uint64_t)want[i].arg);
	}
	wp_python_instructions_deinit(&found);
}

/* One byte, or three; EXTENDED_ARG has the upper 16 bits of the next one's. */
static void test_old(void)
{
	static const uint8_t code[] = {100, 1, 0, 145, 1, 0, 113, 2, 0, 83};
	static const struct want want[] = {{0, 3, "LOAD_CONST", "LOAD_CONST", 1},
					   {3, 6, "EXTENDED_ARG", "EXTENDED_ARG", 1},
					   {6, 9, "JUMP_ABSOLUTE", "JUMP_ABSOLUTE", 65538},
					   {9, 10, "RETURN_VALUE", "RETURN_VALUE", -1}};

	check_code(0x0207, code, sizeof(code), want, WP_ARRAY_LEN(want));
}

static void test_units(void)
{
	static const uint8_t code[] = {144, 1, 144, 2, 113, 3, 83, 99};
	static const struct want want[] = {{0, 2, "EXTENDED_ARG", "EXTENDED_ARG", 1},
					   {2, 4, "EXTENDED_ARG", "EXTENDED_ARG", 0x102},
					   {4, 6, "JUMP_ABSOLUTE", "JUMP_ABSOLUTE", 0x10203},
					   {6, 8, "RETURN_VALUE", "RETURN_VALUE", -1}};

	check_code(0x0308, code, sizeof(code), want, WP_ARRAY_LEN(want));
}

/* 3.11: a form of BINARY_OP, whose cache of one unit holds what looks like an opcode. */
static void test_adaptive(void)
{
	static const uint8_t code[] = {151, 0, 3, 5, 83, 83, 83, 0};
	static const struct want want[] = {{0, 2, "RESUME", "RESUME", 0},
					   {2, 6, "BINARY_OP_ADAPTIVE", "BINARY_OP", 5},
					   {6, 8, "RETURN_VALUE", "RETURN_VALUE", -1}};

	check_code(0x030b, code, sizeof(code), want, WP_ARRAY_LEN(want));
}

static void test_refused(void)
{
	static const uint8_t code[] = {151, 0, 254, 0}, cut[] = {151, 0, 122, 0};
	struct wp_python_instructions found;

	CHECK_U64(decode(0x030c, code, 4, &found), WP_PYTHON_OPAQUE); /* INSTRUMENTED_LINE */
	CHECK_U64(found.all.n, 0);
	CHECK_U64(decode(0x030b, cut, 4, &found), WP_PYTHON_NO_CODE); /* in a cache */
	CHECK_U64(decode(0x0308, code, 3, &found), WP_PYTHON_NO_CODE);
	CHECK_U64(decode(0x0207, (const uint8_t[]){100, 1}, 2, &found), WP_PYTHON_NO_CODE);
	CHECK_U64(decode(0x030b, code, 0, &found), WP_PYTHON_NO_CODE);
	CHECK_U64(decode(0x0305, code, 2, &found), WP_PYTHON_NO_OPCODES);
	CHECK_U64(found.all.n, 0);
}

static void test_places(void)
{
	static const uint8_t code[] = {151, 0, 122, 0, 9, 9, 83, 0},
			     other[] = {151, 0, 3, 0, 1, 1, 83, 0},
			     arg[] = {151, 0, 122, 1, 9, 9, 83, 0};
	struct wp_python_instructions a, b;

	CHECK_U64(decode(0x030b, code, sizeof(code), &a), WP_PYTHON_DECODED);
	CHECK(!wp_python_instruction_at(&a, -1));
	CHECK(wp_python_instruction_at(&a, 0) == &a.all.v[0]);
	CHECK(wp_python_instruction_at(&a, 2) == &a.all.v[1]);
	CHECK(wp_python_instruction_at(&a, 4) == &a.all.v[1]); /* its cache */
	CHECK(wp_python_instruction_at(&a, 6) == &a.all.v[2]);
	CHECK(!wp_python_instruction_at(&a, 8));
	CHECK_U64(decode(0x030b, other, sizeof(other), &b), WP_PYTHON_DECODED);
	CHECK(wp_python_instructions_alike(&a, &b)); /* in another form */
	wp_python_instructions_deinit(&b);
	CHECK_U64(decode(0x030b, arg, sizeof(arg), &b), WP_PYTHON_DECODED);
	CHECK(!wp_python_instructions_alike(&a, &b));
	wp_python_instructions_deinit(&b);
	wp_python_instructions_deinit(&a);
}

/* Numbers rise, and a form stands for an opcode of the same table that is none itself. */
static void test_tables(void)
{
	static const uint32_t versions[] = {0x0207, 0x0306, 0x0307, 0x0308, 0x0309,
					    0x030a, 0x030b, 0x030c, 0x030d, 0x030e};

	for (size_t i = 0; i < WP_ARRAY_LEN(versions); i++) {
		const struct wp_python_opcodes *table = wp_python_opcodes_of(versions[i]);
		const struct wp_python_opcode *by_number[256] = {NULL};

		CHECK(table && table->n > 100);
		for (size_t k = 0; table && k < table->n; k++) {
			CHECK(!k || table->v[k].number > table->v[k - 1].number);
			by_number[table->v[k].number] = &table->v[k];
		}
		for (size_t k = 0; table && k < table->n; k++) {
			const struct wp_python_opcode *base = by_number[table->v[k].form_of];

			if (!table->v[k].form_of)
				continue;
			CHECK(base && !base->form_of);
			CHECK(base && base->caches == table->v[k].caches);
		}
	}
	CHECK(!wp_python_opcodes_of(0x03ff));
}

int main(void)
{
	RUN(test_old);
	RUN(test_units);
	RUN(test_adaptive);
	RUN(test_refused);
	RUN(test_places);
	RUN(test_tables);
	return check_done();
}
