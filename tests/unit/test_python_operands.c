/* SPDX-License-Identifier: BSD-3-Clause */
/* python_operands, python_prologue: what they find in machine code, and nothing in pieces of it. */
#include "runtime/python_operands.h"

#include "check.h"
#include "runtime/python_layout.h"
#include "runtime/python_prologue.h"

#include <elf.h>

struct targets {
	uint64_t v[8];
	size_t n;
};

static void take_target(void *arg, uint64_t target)
{
	struct targets *t = arg;

	if (t->n < WP_ARRAY_LEN(t->v))
		t->v[t->n] = target;
	t->n++;
}

static void check_operands(uint16_t machine, enum wp_python_operand kind, const void *bytes,
			   size_t n, uint64_t want)
{
	struct wp_python_code_bytes code = {machine, bytes, n, 0x1000};
	struct targets targets = {0};

	wp_python_operands(&code, kind, take_target, &targets);
	CHECK_U64(targets.n, 1);
	CHECK_U64(targets.v[0], want);
	for (size_t i = 0; i < n; i++) {
		code.n = i;
		wp_python_operands(&code, kind, take_target, &targets);
	}
}

static void test_operands(void)
{
	static const uint8_t lea[] = {0x48, 0x8d, 0x0d, 0x00, 0x01, 0, 0, 0x90};
	static const uint8_t mov[] = {0xbe, 0x00, 0x20, 0x40, 0, 0x90};
	static const uint8_t load[] = {0x48, 0x8b, 0x05, 0xf8, 0xff, 0xff, 0xff, 0xc3};
	static const uint8_t je[] = {0x0f, 0x84, 0x10, 0, 0, 0};
	static const uint8_t jmp[] = {0xe9, 0xfb, 0xff, 0xff, 0xff, 0x90};
	/* adrp x1, 0x9000; add x1, x1, #0x18 / ldr x0, [x1, #16] */
	static const uint32_t adrp_add[] = {0x90000041, 0x91006021},
			      adrp_ldr[] = {0x90000041, 0xf9400820};
	static const uint32_t b[] = {0x17ffffff}, cbz[] = {0xb4000080}, tbnz[] = {0x37080040},
			      b_cond[] = {0x54000041};

	check_operands(EM_X86_64, WP_PYTHON_OPERAND_ADDRESS, lea, sizeof(lea), 0x1107);
	check_operands(EM_X86_64, WP_PYTHON_OPERAND_ADDRESS, mov, sizeof(mov), 0x402000);
	check_operands(EM_X86_64, WP_PYTHON_OPERAND_LOAD, load, sizeof(load), 0xfff);
	check_operands(EM_X86_64, WP_PYTHON_OPERAND_JUMP, je, sizeof(je), 0x1016);
	check_operands(EM_X86_64, WP_PYTHON_OPERAND_JUMP, jmp, sizeof(jmp), 0x1000);
	check_operands(EM_AARCH64, WP_PYTHON_OPERAND_ADDRESS, adrp_add, 8, 0x9018);
	check_operands(EM_AARCH64, WP_PYTHON_OPERAND_LOAD, adrp_ldr, 8, 0x9010);
	check_operands(EM_AARCH64, WP_PYTHON_OPERAND_JUMP, b, 4, 0xffc);
	check_operands(EM_AARCH64, WP_PYTHON_OPERAND_JUMP, cbz, 4, 0x1010);
	check_operands(EM_AARCH64, WP_PYTHON_OPERAND_JUMP, tbnz, 4, 0x1008);
	check_operands(EM_AARCH64, WP_PYTHON_OPERAND_JUMP, b_cond, 4, 0x1008);
}

static void check_prologue(uint16_t machine, uint32_t version, const void *bytes, size_t n,
			   uint32_t want, uint32_t want_cframe)
{
	struct wp_python_code_bytes code = {machine, bytes, n, 0x1000};
	struct wp_python_plan plan = wp_python_layout_of(version)->plan;

	CHECK(wp_python_prologue(&code, &plan) == (want != 0));
	CHECK_U64(plan.eval_prologue, want);
	CHECK_U64(plan.eval_cframe, want_cframe);
	for (; code.n; code.n--) {
		(void)wp_python_prologue(&code, &plan);
		CHECK(plan.eval_prologue <= want);
	}
}

static void test_prologues(void)
{
	/* lea 0x80(%rsp), %rax; mov %rax, 0x38(%rdi); lea 0xf0(%rsp), %rax;
	 * movaps %xmm0, 0xf0(%rsp); movaps %xmm0, 0x80(%rsp) */
	static const uint8_t x86[48] = {0x48, 0x8d, 0x84, 0x24, 0x80, 0,    0,	  0,	0x48,
					0x89, 0x47, 0x38, 0x48, 0x8d, 0x84, 0x24, 0xf0, 0,
					0,    0,    0x0f, 0x29, 0x84, 0x24, 0xf0, 0,	0,
					0,    0x0f, 0x29, 0x84, 0x24, 0x80};
	/* lea -0x40(%rbp), %r9; mov %r9, 0x38(%r12); mov %rsi, -0x38(%rbp) */
	static const uint8_t rbp[32] = {0x4c, 0x8d, 0x4d, 0xc0, 0x4d, 0x89, 0x4c,
					0x24, 0x38, 0x48, 0x89, 0x75, 0xc8};
	/* add x7, sp, #256; str x7, [x0, #56]; stp x25, x1, [sp, #264] */
	static const uint32_t arm[] = {0x910403e7, 0xf9001c07, 0xa91087f9};
	static const uint8_t none[64] = {0x90};

	check_prologue(EM_X86_64, 0x030c01f0, x86, sizeof(x86), 36, 0x80);
	check_prologue(EM_X86_64, 0x030b07f0, rbp, sizeof(rbp), 13, 0);
	check_prologue(EM_AARCH64, 0x030b07f0, arm, sizeof(arm), 12, 256);
	check_prologue(EM_X86_64, 0x030b07f0, none, sizeof(none), 0, 0);
}

int main(void)
{
	RUN(test_operands);
	RUN(test_prologues);
	return check_done();
}
