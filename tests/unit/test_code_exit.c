/* SPDX-License-Identifier: BSD-3-Clause */
/* How code that nothing describes is left: epilogues, whole trampolines, anything. */
#include "walk/code_exit.h"

#include "check.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static bool rule_of(const char *code, size_t len, bool exact, struct wp_unwind_rule *ret)
{
	struct wp_code_exit e = {.may_call = exact};
	uint8_t bytes[WP_CODE_EXIT_BYTES];
	int status = 0;

	memset(bytes, 0xcc, sizeof(bytes));
	memcpy(bytes, code, len < sizeof(bytes) ? len : sizeof(bytes));
	memcpy(e.code, bytes, sizeof(bytes));
	for (int i = 0; i < WP_CODE_EXIT_STEPS && !status; i++)
		status = wp_code_exit_step(&e);
	return status > 0 && wp_code_exit_rule(&e, ret);
}

#define RULE(code, exact) rule_of(code, sizeof(code) - 1, exact, &rule)

/* cfa = sp + words; fp: the word below the cfa where the caller's is, 0 where it is unchanged. */
static void check_rule(const struct wp_unwind_rule *rule, int words, int fp)
{
	CHECK_U64(rule->cfa, WP_UNWIND_SP);
	CHECK(rule->cfa_off == words);
	CHECK(rule->flags & WP_UNWIND_RA_SAVED);
	CHECK(rule->ra_off == -1);
	CHECK(!(rule->flags & WP_UNWIND_FP_SAVED) == !fp);
	CHECK(!fp || rule->fp_off == fp);
}

/* asm_trampoline.S of CPython 3.12: endbr64 or not; sub $8, %rsp; call *%rcx; add $8, %rsp; ret */
static const char trampoline[] = "\xf3\x0f\x1e\xfa\x48\x83\xec\x08\xff\xd1\x48\x83\xc4\x08\xc3";

static void test_trampoline(void)
{
	static const struct {
		size_t at;
		int words;
	} points[] = {{0, 1}, {4, 1}, {8, 2}, {10, 2}, {14, 1}};
	struct wp_unwind_rule rule;

	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++) {
		size_t at = points[i].at;

		CHECK(rule_of(trampoline + at, sizeof(trampoline) - 1 - at, true, &rule));
		check_rule(&rule, points[i].words, 0);
	}
	/* A return address is behind its call. */
	CHECK(RULE("\x48\x83\xc4\x08\xc3", false));
	check_rule(&rule, 2, 0);
	CHECK(!rule_of(trampoline + 4, sizeof(trampoline) - 5, false, &rule));
}

static void test_epilogues(void)
{
	struct wp_unwind_rule rule;

	CHECK(RULE("\xc3", false));
	check_rule(&rule, 1, 0);
	CHECK(RULE("\x5d\xc3", false));
	check_rule(&rule, 2, -2);
	/* add $0x128, %rsp; pop %rbx, %rbp, %r12, %r15; rep ret */
	CHECK(RULE("\x48\x81\xc4\x28\x01\x00\x00\x5b\x5d\x41\x5c\x41\x5f\xf3\xc3", false));
	check_rule(&rule, 0x128 / 8 + 5, -4);
	CHECK(rule.flags & WP_UNWIND_BX_LOST);
	/* push %rbp; mov %rsp, %rbp; call *%rcx; pop %rbp; ret: fp is what it was before */
	CHECK(RULE("\x55\x48\x89\xe5\xff\xd1\x5d\xc3", true));
	check_rule(&rule, 1, 0);
}

static void test_others(void)
{
	struct wp_unwind_rule rule;

	CHECK(!RULE("\xc9\xc3", false));			 /* leave: by fp */
	CHECK(!RULE("\x5c\xc3", false));			 /* pop %rsp */
	CHECK(!RULE("\x48\x83\xc4\xf8\xc3", false));		 /* below sp */
	CHECK(!RULE("\x48\x83\xc4\x04\xc3", false));		 /* not by words */
	CHECK(!RULE("\x48\x81\xc4\x00\x00\x01\x00\xc3", false)); /* too far */
	CHECK(!RULE("\xff\xd1\xff\xd1\xc3", true));		 /* one call */
	CHECK(!RULE("\x5d\x55\xc3", false));			 /* pop %rbp; push %rbp */
	CHECK(!RULE("\x50\x5d\xc3", true));			 /* push %rax; pop %rbp */
	CHECK(!RULE("\x55\x48\x89\xe5\x58\xc3", true));		 /* %rbp is not restored */
	CHECK(!RULE("\x90\x90\x90", false));
	CHECK(!RULE("\x58\x58\x58\x58\x58\x58\x58\x58\x58\x58\x58\xc3", false)); /* too long */
}

/* Whatever the bytes are, an answer is one that can be followed. */
static void test_any(void)
{
	static const char likely[] = "\x48\x83\xc4\x08\xc3\x5d\x55\x41\x58\xec\x81\xf3\xff\xd1";
	struct wp_unwind_rule rule;
	char code[WP_CODE_EXIT_BYTES];
	unsigned int found = 0;

	srand(1);
	for (int i = 0; i < 300000; i++) {
		for (size_t k = 0; k < sizeof(code); k++)
			code[k] = likely[(size_t)rand() % (sizeof(likely) - 1)];
		if (!rule_of(code, sizeof(code), i & 1, &rule))
			continue;
		found++;
		CHECK(rule.cfa_off >= 1 && rule.cfa_off <= 0x1001);
		CHECK(!(rule.flags & WP_UNWIND_FP_SAVED) ||
		      (rule.fp_off < -1 && rule.fp_off >= -rule.cfa_off));
	}
	CHECK(found > 1000);
}

int main(void)
{
	RUN(test_trampoline);
	RUN(test_epilogues);
	RUN(test_others);
	RUN(test_any);
	return check_done();
}
