/* SPDX-License-Identifier: BSD-3-Clause */
/* The rules of JIT code as one table: what is newest at an address counts, and gaps have none. */
#include "base/clock.h"
#include "resolve/jit/jit_code.h"

#include <string.h>

#include "check.h"

#include <stdlib.h>

#define BASE 0x40000000ull

static struct wp_jit_rules *rules_of(struct wp_jit_code *code, int16_t words)
{
	struct wp_jit_rules *rules =
		wp_arena_alloc(&code->names, sizeof(*rules) + 2 * sizeof(*rules->v));

	rules->n = 2;
	rules->v[0] = (struct wp_unwind_rule){.cfa = WP_UNWIND_SP, .cfa_off = words};
	rules->v[1] = (struct wp_unwind_rule){.pc = 8, .cfa = WP_UNWIND_SP, .cfa_off = words + 1};
	return rules;
}

/* A piece with rules: `words` up to its 8th byte, then one more; none when words is 0. */
static void add(struct wp_jit_code *code, uint64_t start, uint64_t size, uint64_t time,
		int16_t words)
{
	wp_jit_code_add(code, start, size, time, "f", 1);
	if (words)
		code->fresh.v[code->fresh.n - 1].rules = rules_of(code, words);
}

static int words_at(const struct wp_unwind_rows *rows, uint64_t addr)
{
	const struct wp_unwind_rule *rule =
		wp_unwind_rule_find(rows->rows.v, rows->rows.n, addr - rows->base);

	return rule && rule->cfa == WP_UNWIND_SP ? rule->cfa_off : -1;
}

static void test_rows(void)
{
	struct wp_unwind_rows rows = {.base = BASE};
	struct wp_jit_code code = {0};

	add(&code, BASE - 16, 16, 1, 90);    /* before the table */
	add(&code, BASE + 0x100, 32, 1, 10); /* replaced below */
	add(&code, BASE + 0x200, 32, 1, 20);
	add(&code, BASE + 0x220, 4, 1, 30);	/* right behind, too short for its second row */
	add(&code, BASE + 0x300, 32, 1, 0);	/* without rules */
	add(&code, BASE + 0x118, 16, 2, 40);	/* over the end of one */
	add(&code, BASE + 0x1f0, 0x100, 0, 50); /* older than what it overlaps */
	add(&code, BASE + 0xff8, 16, 3, 60);	/* across the end */
	add(&code, BASE + 0x1000, 16, 3, 70);	/* behind it */
	wp_jit_code_rows(&code, BASE + 0x1000, &rows);
	CHECK(words_at(&rows, BASE) == -1 && words_at(&rows, BASE + 0x100) == -1);
	CHECK(words_at(&rows, BASE + 0x118) == 40 && words_at(&rows, BASE + 0x127) == 41);
	CHECK(words_at(&rows, BASE + 0x128) == -1);
	CHECK(words_at(&rows, BASE + 0x200) == 20 && words_at(&rows, BASE + 0x21f) == 21);
	CHECK(words_at(&rows, BASE + 0x220) == 30 && words_at(&rows, BASE + 0x224) == -1);
	CHECK(words_at(&rows, BASE + 0x300) == -1);
	CHECK(words_at(&rows, BASE + 0xfff) == 60 && words_at(&rows, BASE + 0x1000) == -1);
	wp_unwind_rows_deinit(&rows);
	wp_jit_code_deinit(&code);
}

/* What the walker's index asks for: addresses that rise. */
static void test_order(void)
{
	struct wp_unwind_rows rows = {.base = BASE};
	struct wp_jit_code code = {0};
	bool rising = true;

	srandom(3);
	for (int i = 0; i < 20000; i++)
		add(&code, BASE + (uint64_t)random() % 0x100000, 1 + (uint64_t)random() % 200,
		    (uint64_t)random() % 50, (int16_t)(i % 7));
	wp_jit_code_rows(&code, BASE + 0x100000, &rows);
	for (size_t i = 1; i < rows.rows.n; i++)
		rising &= rows.rows.v[i - 1].pc < rows.rows.v[i].pc;
	CHECK(rising && rows.rows.n > 1000 && rows.rows.v[rows.rows.n - 1].cfa == WP_UNWIND_NONE);
	wp_unwind_rows_deinit(&rows);
	wp_jit_code_deinit(&code);
}

static void test_room(void)
{
	struct wp_budget memory = {.limit = 512 << 20};
	struct wp_jit_budget budget = {.memory = &memory};
	struct wp_jit_code one = {.budget = &budget}, other = {.budget = &budget};
	char name[4096];
	uint64_t n = 0;

	memset(name, 'x', sizeof(name));
	while (wp_jit_code_add(n & 1 ? &one : &other, 0x1000 + n, 1, 0, name, sizeof(name)))
		n++;
	CHECK(n > 60000 && n < 65536);			/* 256 MB, half of it */
	CHECK(!wp_jit_code_add(&one, 1, 1, 0, "x", 1)); /* the rest has none */
	CHECK(wp_jit_code_find(&one, 0x1001, 0) != NULL);
	wp_jit_code_deinit(&one);
	wp_jit_code_deinit(&other);
}

/* 300 ms of reading, then as long none; after a rest it begins anew. */
static void test_time(void)
{
	struct wp_jit_budget budget = {0};
	uint64_t now = 1000 * WP_NS_PER_MS;

	for (int i = 0; i < 30; i++) {
		CHECK(wp_jit_budget_may_read(&budget, now));
		now += 10 * WP_NS_PER_MS;
		wp_jit_budget_spend(&budget, 10 * WP_NS_PER_MS, now);
	}
	CHECK(!wp_jit_budget_may_read(&budget, now));
	CHECK(!wp_jit_budget_may_read(&budget, now + 299 * WP_NS_PER_MS));
	now += 301 * WP_NS_PER_MS;
	for (int i = 0; i < 100; i++) {
		CHECK(wp_jit_budget_may_read(&budget, now));
		wp_jit_budget_spend(&budget, 10 * WP_NS_PER_MS, now);
		now += 301 * WP_NS_PER_MS;
	}
}

int main(void)
{
	RUN(test_rows);
	RUN(test_order);
	RUN(test_room);
	RUN(test_time);
	return check_done();
}
