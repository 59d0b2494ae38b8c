/* SPDX-License-Identifier: BSD-3-Clause */
/* python_scopes: see python_scopes.h. */
#include "session/follow/python_scopes.h"

/* So little is not worth a sweep. */
#define FEW 4096

static uint64_t scope_key_of(uint32_t life, uint32_t generation)
{
	return (uint64_t)life << 32 | generation;
}

uint32_t wp_python_scopes_number(struct wp_python_scopes *scopes,
				 struct wp_python_processes *processes, uint32_t pid,
				 uint32_t generation)
{
	uint32_t life = wp_python_processes_get(processes, pid)->life;
	uint64_t *number = wp_map_put(&scopes->number_of, scope_key_of(life, generation));

	if (!*number) {
		*number = ++scopes->last;
		wp_vec_push(&scopes->all,
			    (struct wp_python_scope){pid, life, generation, scopes->last});
	}
	return (uint32_t)*number;
}

static bool lives(struct wp_python_processes *processes, const struct wp_python_scope *scope)
{
	const struct wp_python_process *process = wp_python_processes_find(processes, scope->pid);

	return process && process->life == scope->life;
}

void wp_python_scopes_sweep(struct wp_python_scopes *scopes, struct wp_python_processes *processes,
			    struct wp_python_codes *codes)
{
	struct wp_map kept = {0};
	size_t n = 0;

	if (processes->all.n + codes->all.n < FEW + scopes->sweep_at)
		return;
	wp_python_processes_sweep(processes);
	wp_vec_each (struct wp_python_scope, scope, &scopes->all) {
		if (lives(processes, scope)) {
			*wp_map_put(&kept, scope->number) = 1;
			scopes->all.v[n++] = *scope;
		} else {
			wp_map_remove(&scopes->number_of,
				      scope_key_of(scope->life, scope->generation));
		}
	}
	scopes->all.n = n;
	wp_python_codes_keep(codes, &kept);
	wp_map_deinit(&kept);
	scopes->sweep_at = 2 * (processes->all.n + codes->all.n);
}

void wp_python_scopes_deinit(struct wp_python_scopes *scopes)
{
	wp_vec_deinit(&scopes->all);
	wp_map_deinit(&scopes->number_of);
}
