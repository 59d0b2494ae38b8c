/* SPDX-License-Identifier: BSD-3-Clause */
/* budget: what strangers say is bounded, all kinds together and each of them. */
#include "check.h"

#include "core/budget.h"

#include <string.h>

static char told[512];

static void keep_line(void *arg, enum wp_log_level level, const char *line)
{
	(void)arg;
	CHECK(level == WP_LOG_NOTE);
	snprintf(told, sizeof(told), "%s", line);
}

static const struct wp_log quiet = {.sink = keep_line};

static const char *tell(const struct wp_budget *budget)
{
	told[0] = '\0';
	wp_budget_tell(budget, &quiet);
	return told;
}

static void test_default(void)
{
	uint64_t bytes = wp_budget_default();

	CHECK(bytes > 0 && bytes <= 1 << 30);
}

static void test_take(void)
{
	struct wp_budget budget = {.limit = 1000};

	CHECK(wp_budget_take(&budget, WP_BUDGET_JIT, 500)); /* half of all */
	CHECK_STR(tell(&budget), "");
	CHECK(!wp_budget_take(&budget, WP_BUDGET_JIT, 1));
	CHECK(wp_budget_is_spent(&budget, WP_BUDGET_JIT));
	CHECK(!wp_budget_is_spent(&budget, WP_BUDGET_LINES));
	CHECK(wp_budget_take(&budget, WP_BUDGET_SYMBOLS, 300));
	CHECK(!wp_budget_take(&budget, WP_BUDGET_LINES, 201)); /* no more of anything */
	CHECK(wp_budget_take(&budget, WP_BUDGET_LINES, 200));
	CHECK(!wp_budget_take(&budget, WP_BUDGET_LINES, UINT64_MAX));
	CHECK_U64(budget.used, 1000);
	wp_budget_give(&budget, WP_BUDGET_SYMBOLS, 300);
	CHECK(wp_budget_take(&budget, WP_BUDGET_PDB, 300));
}

static void test_tell(void)
{
	struct wp_budget budget = {.limit = 4 << 20};

	for (int i = 0; i < 3; i++)
		CHECK(!wp_budget_take(&budget, WP_BUDGET_SYMBOLS, 3 << 20));
	CHECK(!wp_budget_take(&budget, WP_BUDGET_JIT, 3 << 20));
	CHECK(!wp_budget_take(&budget, WP_BUDGET_SOURCE, 3 << 20));
	CHECK_STR(tell(&budget),
		  "left out, since what files and processes say takes more than 4 MB, "
		  "or one kind of it half of that (--max-memory): symbols of 3 files, "
		  "names of JIT code from then on, the lines of 1 Python file");
}

static void test_without(void)
{
	CHECK(wp_budget_take(NULL, WP_BUDGET_JIT, UINT64_MAX));
	wp_budget_give(NULL, WP_BUDGET_JIT, 1);
	CHECK(!wp_budget_is_spent(NULL, WP_BUDGET_JIT));
}

int main(void)
{
	RUN(test_default);
	RUN(test_take);
	RUN(test_tell);
	RUN(test_without);
	return check_done();
}
