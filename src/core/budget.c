/* SPDX-License-Identifier: BSD-3-Clause */
/* budget: see budget.h. */
#include "core/budget.h"

#include "base/str.h"

#include <inttypes.h>
#include <unistd.h>

#define MOST ((uint64_t)1 << 30)

/* Before the number, behind a 1, behind any other; NULL: without a number. */
static const char *const things[WP_BUDGET_KINDS][3] = {
	[WP_BUDGET_SYMBOLS] = {"symbols of ", " file", " files"},
	[WP_BUDGET_RULES] = {"unwind rules of ", " file", " files"},
	[WP_BUDGET_LINES] = {"DWARF of ", " file", " files"},
	[WP_BUDGET_PDB] = {"", " part of a PDB", " parts of PDBs"},
	[WP_BUDGET_JIT] = {"names of JIT code from then on", NULL, NULL},
	[WP_BUDGET_PYTHON] = {"", " function or text of Python", " functions and texts of Python"},
	[WP_BUDGET_SOURCE] = {"the lines of ", " Python file", " Python files"},
};

uint64_t wp_budget_default(void)
{
	long pages = sysconf(_SC_PHYS_PAGES), bytes = sysconf(_SC_PAGESIZE);
	uint64_t quarter = pages > 0 && bytes > 0 ? (uint64_t)pages * (uint64_t)bytes / 4 : MOST;

	return quarter < MOST ? quarter : MOST;
}

/* Adds unless that would be more than `most`. */
static bool add_below(uint64_t *used, uint64_t bytes, uint64_t most)
{
	uint64_t now = __atomic_load_n(used, __ATOMIC_RELAXED);

	do
		if (bytes > most || now > most - bytes)
			return false;
	while (!__atomic_compare_exchange_n(used, &now, now + bytes, true, __ATOMIC_RELAXED,
					    __ATOMIC_RELAXED));
	return true;
}

bool wp_budget_take(struct wp_budget *budget, enum wp_budget_kind kind, uint64_t bytes)
{
	if (!budget)
		return true;
	if (add_below(&budget->parts[kind].used, bytes, budget->limit / 2)) {
		if (add_below(&budget->used, bytes, budget->limit))
			return true;
		__atomic_fetch_sub(&budget->parts[kind].used, bytes, __ATOMIC_RELAXED);
	}
	__atomic_fetch_add(&budget->parts[kind].left_out, 1, __ATOMIC_RELAXED);
	return false;
}

void wp_budget_give(struct wp_budget *budget, enum wp_budget_kind kind, uint64_t bytes)
{
	if (!budget)
		return;
	__atomic_fetch_sub(&budget->parts[kind].used, bytes, __ATOMIC_RELAXED);
	__atomic_fetch_sub(&budget->used, bytes, __ATOMIC_RELAXED);
}

bool wp_budget_is_spent(const struct wp_budget *budget, enum wp_budget_kind kind)
{
	return budget && __atomic_load_n(&budget->parts[kind].left_out, __ATOMIC_RELAXED) > 0;
}

void wp_budget_tell(const struct wp_budget *budget, const struct wp_log *log)
{
	wp_autostr struct wp_str list = {0};

	for (int kind = 0; kind < WP_BUDGET_KINDS; kind++) {
		const char *const *thing = things[kind];
		uint64_t n = budget->parts[kind].left_out;

		if (!n)
			continue;
		wp_str_printf(&list, "%s%s", list.len ? ", " : "", thing[0]);
		if (thing[1])
			wp_str_printf(&list, "%" PRIu64 "%s", n, n == 1 ? thing[1] : thing[2]);
	}
	if (list.len)
		wp_log(log, WP_LOG_NOTE,
		       "left out, since what files and processes say takes more than %" PRIu64
		       " MB, or one kind of it half of that (--max-memory): %s",
		       budget->limit >> 20, list.s);
}
