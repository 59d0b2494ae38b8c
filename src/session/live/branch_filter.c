/* SPDX-License-Identifier: BSD-3-Clause */
/* branch_filter: see branch_filter.h. */
#include "session/live/branch_filter.h"

#include "base/choice.h"

#include <string.h>

/* enum perf_branch_sample_type */
static const struct {
	const char *name;
	uint64_t bit;
} filters[] = {
	{"any", 1u << 3},	 {"any_call", 1u << 4},	  {"any_ret", 1u << 5},
	{"ind_call", 1u << 6},	 {"ind_jmp", 1u << 12},	  {"call", 1u << 13},
	{"cond", 1u << 10},	 {"abort_tx", 1u << 7},	  {"in_tx", 1u << 8},
	{"no_tx", 1u << 9},	 {"stack", 1u << 11},	  {"no_flags", 1u << 14},
	{"no_cycles", 1u << 15}, {"save_type", 1u << 16}, {"priv", 1u << 18},
	{"u", 1u << 0},		 {"k", 1u << 1},	  {"hv", 1u << 2},
};

#define MODES UINT64_C(7) /* u, k, hv */
#define ANY   (UINT64_C(1) << 3)

static struct wp_err *add_word(const char *word, uint64_t *ret)
{
	wp_autochoice struct wp_choice choice = wp_choice_of(word);

	for (size_t i = 0; i < WP_ARRAY_LEN(filters); i++) {
		if (strcmp(filters[i].name, word) == 0) {
			*ret |= filters[i].bit;
			return NULL;
		}
		wp_choice_add(&choice, filters[i].name);
	}
	return wp_choice_refuse(&choice, "-j");
}

struct wp_err *wp_branch_filter_parse(const char *list, uint64_t *ret)
{
	wp_autofree char *copy = list ? wp_strdup(list) : NULL;
	char *rest = copy, *word;
	uint64_t filter = 0;

	while (rest && (word = strsep(&rest, ",")))
		TRY(add_word(word, &filter));
	if (filter && !(filter & ~MODES))
		filter |= ANY;
	*ret = filter;
	return NULL;
}

struct wp_err *wp_branch_filter_check(uint64_t filter, const struct wp_machine *machine)
{
	if (!filter || machine->has_hw_pmu)
		return NULL;
	return wp_err_new(
		WP_ERR_UNSUPPORTED,
		"-b, -j: branches are remembered by a CPU's PMU, and %s; reports show those "
		"of recordings from elsewhere (report --branch)",
		machine->hw_pmu_why && *machine->hw_pmu_why ? machine->hw_pmu_why
							    : "there is no hardware PMU");
}
