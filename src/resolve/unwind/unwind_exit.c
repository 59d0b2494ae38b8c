/* SPDX-License-Identifier: BSD-3-Clause */
/* unwind_exit: see unwind_exit.h. */
#include "resolve/unwind/unwind_exit.h"

#include "base/keyed.h"
#include "walk/code_exit.h"
#include "resolve/find/mapped_file.h"

#define MAX_EXITS 65536

static struct wp_unwind_rule read_rule(uint32_t pid, struct wp_va va, bool exact)
{
	struct wp_code_exit e = {.may_call = exact};
	struct wp_unwind_rule rule;
	int status = 0;

	_Static_assert(sizeof(e.code) == WP_CODE_EXIT_BYTES, "what is decoded");
	if (!wp_mapped_file_memory(pid, va, e.code, sizeof(e.code)))
		return (struct wp_unwind_rule){.cfa = WP_UNWIND_NONE};
	for (int i = 0; i < WP_CODE_EXIT_STEPS && !status; i++)
		status = wp_code_exit_step(&e);
	if (status <= 0 || !wp_code_exit_rule(&e, &rule))
		return (struct wp_unwind_rule){.cfa = WP_UNWIND_NONE};
	return rule;
}

const struct wp_unwind_rule *wp_unwind_exits_find(struct wp_unwind_exits *exits, uint32_t pid,
						  struct wp_va va, bool exact)
{
	/* User addresses have 47 bits; process ids that agree in 16 bits take turns. */
	uint64_t key = (uint64_t)pid << 48 | (va.v << 1 & ((1ull << 48) - 1)) | exact;
	struct wp_unwind_exit *found;

	if (exits->v.n >= MAX_EXITS)
		wp_unwind_exits_deinit(exits);
	found = wp_keyed_put(&exits->v, &exits->at, key, (struct wp_unwind_exit){0});
	if (found->pid != pid)
		*found = (struct wp_unwind_exit){pid, read_rule(pid, va, exact)};
	return found->rule.cfa == WP_UNWIND_NONE ? NULL : &found->rule;
}

void wp_unwind_exits_deinit(struct wp_unwind_exits *exits)
{
	wp_map_deinit(&exits->at);
	wp_vec_deinit(&exits->v);
}
