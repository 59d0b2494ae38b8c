/* SPDX-License-Identifier: BSD-3-Clause */
/* usdt_operand: operands of markers as compilers of both machines write them, and what is none. */
#include "format/elf/usdt_operand.h"

#include "check.h"

#include <stdio.h>

static struct wp_usdt_operand all[WP_USDT_ARGS];

/* "KIND SIZE BASE INDEX SHIFT VALUE" of the n-th operand; '?': it is not known. */
static const char *told(size_t i)
{
	static const char *const kinds[] = {"register", "constant", "memory"};
	static char text[128];
	const struct wp_operand *op = &all[i].operand;

	if (!all[i].known)
		return "?";
	snprintf(text, sizeof(text), "%s %s%d%s %d %d %d %lld", kinds[op->kind],
		 op->is_signed ? "s" : "u", op->size, op->is_high ? "h" : "", op->base, op->index,
		 op->shift, (long long)op->value);
	return text;
}

static void test_x86(void)
{
	CHECK_U64(wp_usdt_operands("8@%rdi -4@-20(%rbp) 8@$5 -1@%ah 2@%r9w 4@$-0x10", false, all),
		  6);
	CHECK_STR(told(0), "register u8 5 255 0 0");
	CHECK_STR(told(1), "memory s4 6 255 0 -20");
	CHECK_STR(told(2), "constant u8 255 255 0 5");
	CHECK_STR(told(3), "register s1h 0 255 0 0");
	CHECK_STR(told(4), "register u2 9 255 0 0");
	CHECK_STR(told(5), "constant u4 255 255 0 -16");
	CHECK_U64(wp_usdt_operands("8@(%rax,%rcx,8) 8@16(,%rbx,4) 8@(%rsp) 1@8(%rdx, %rsi)", false,
				   all),
		  4);
	CHECK_STR(told(0), "memory u8 0 2 3 0");
	CHECK_STR(told(1), "memory u8 255 3 2 16");
	CHECK_STR(told(2), "memory u8 7 255 0 0");
	CHECK_STR(told(3), "memory u1 1 4 0 8");
}

static void test_symbols(void)
{
	CHECK_U64(wp_usdt_operands("4@sym(%rip) 8@_a.b+8(%rip) 8@sym-4(%rip)", false, all), 3);
	CHECK_STR(told(0), "memory u4 16 255 0 0");
	CHECK(all[0].symbol_len == 3 && memcmp(all[0].symbol, "sym", 3) == 0);
	CHECK_STR(told(1), "memory u8 16 255 0 8");
	CHECK(all[1].symbol_len == 4 && memcmp(all[1].symbol, "_a.b", 4) == 0);
	CHECK_STR(told(2), "memory u8 16 255 0 -4");
}

static void test_arm64(void)
{
	CHECK_U64(
		wp_usdt_operands("8@x0 -4@w12 8@[sp, 8] 4@[x29,#-20] -4@7 8@xzr 8@[x1, x2, lsl 3] "
				 "8@sp 8@[x3]",
				 true, all),
		9);
	CHECK_STR(told(0), "register u8 0 255 0 0");
	CHECK_STR(told(1), "register s4 12 255 0 0");
	CHECK_STR(told(2), "memory u8 31 255 0 8");
	CHECK_STR(told(3), "memory u4 29 255 0 -20");
	CHECK_STR(told(4), "constant s4 255 255 0 7");
	CHECK_STR(told(5), "constant u8 255 255 0 0");
	CHECK_STR(told(6), "memory u8 1 2 3 0");
	CHECK_STR(told(7), "register u8 31 255 0 0");
	CHECK_STR(told(8), "memory u8 3 255 0 0");
}

/* Each is one operand, so that those behind it keep their numbers. */
static void test_unknown(void)
{
	static const char *const odd[] = {
		"8f@%xmm0",    "16@%xmm1", "3@%rax",	"8@%rzz",
		"8@",	       "8",	   "8@5(%rip)", "8@(%rax,%rcx,3)",
		"8@sym(%rax)", "8@$sym",   "8@(%rax",	"99999999999@%rax",
		"8@()",	       "8@(%ah)",  "8@%rax%rbx"};
	static const char *const odd_arm64[] = {"8@x31",	 "8@d0",    "8@[x0",
						"8@[x0, lsl 3]", "8@[xzr]", "8@[x0, x1, lsl 9]",
						"8@x",		 "8@x0x"};
	char text[64];

	for (size_t i = 0; i < sizeof(odd) / sizeof(*odd); i++) {
		snprintf(text, sizeof(text), "%s -4@%%eax", odd[i]);
		wp_usdt_operands(text, false, all);
		CHECK_STR(told(0), "?");
	}
	for (size_t i = 0; i < sizeof(odd_arm64) / sizeof(*odd_arm64); i++) {
		wp_usdt_operands(odd_arm64[i], true, all);
		CHECK_STR(told(0), "?");
	}
	CHECK_U64(wp_usdt_operands("8f@%xmm0 -4@%eax", false, all), 2);
	CHECK_STR(told(1), "register s4 0 255 0 0");
	CHECK_U64(wp_usdt_operands("", false, all), 0);
	CHECK_U64(wp_usdt_operands("1@%al 1@%al 1@%al 1@%al 1@%al 1@%al 1@%al 1@%al 1@%al 1@%al "
				   "1@%al 1@%al 1@%al",
				   false, all),
		  WP_USDT_ARGS);
}

int main(void)
{
	RUN(test_x86);
	RUN(test_symbols);
	RUN(test_arm64);
	RUN(test_unknown);
	return check_done();
}
