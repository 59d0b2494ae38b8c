/* SPDX-License-Identifier: BSD-3-Clause */
/* walk_jit: see walk_jit.h. */
#include "session/follow/walk_jit.h"

#include "base/clock.h"
#include "resolve/resolver_mapping.h"

/* A row's pc has 32 bits, and a table's buckets are 64 KB at most: 16,384 of them. */
#define WINDOW (1ull << 30)
/* Of a mapping; compilers reserve less. Code in the rest is taken to keep frame pointers. */
#define MAX_WINDOWS 16
#define MAX_TABLES  (1u << 24)

/* Looks for more code wait so long, and so many times what the last one took. */
#define WAIT_NS	  (20 * WP_NS_PER_MS)
#define WAIT_LOOK 20

static uint32_t table_of_window(struct wp_walk_jit *jit, uint32_t pid, uint64_t base)
{
	wp_vec_each (struct wp_walk_jit_window, window, &jit->windows)
		if (window->pid == pid && window->base == base)
			return window->table;
	if (jit->tables == MAX_TABLES)
		return WP_BPF_FRAME_POINTERS;
	wp_vec_push(&jit->windows,
		    (struct wp_walk_jit_window){pid, WP_BPF_JIT + jit->tables++, base, 0});
	return WP_BPF_JIT + jit->tables - 1;
}

void wp_walk_jit_map(struct wp_walk_jit *jit, struct wp_bpf_maps *maps, uint32_t pid,
		     struct wp_va start, uint64_t len)
{
	uint64_t at = start.v, end = start.v + len;

	for (int i = 0; i < MAX_WINDOWS && at < end; i++) {
		uint64_t base = at & ~(WINDOW - 1);
		uint64_t to = end - base > WINDOW ? base + WINDOW : end;

		wp_bpf_maps_add_range(maps, pid, (struct wp_va){at}, to - at,
				      table_of_window(jit, pid, base), base);
		at = to;
	}
	if (at < end)
		wp_bpf_maps_add_range(maps, pid, (struct wp_va){at}, end - at,
				      WP_BPF_FRAME_POINTERS, 0);
}

static void look_window(struct wp_walk_jit_window *window, struct wp_bpf_maps *maps,
			struct wp_resolver *resolver)
{
	struct wp_jit *code = wp_resolver_jit(resolver, window->pid);
	struct wp_unwind_rows rows = {.base = window->base};
	uint32_t told = code ? wp_jit_rules_told(code) : 0;

	if (!code || told == window->told)
		return;
	window->told = told;
	wp_jit_rows(code, window->base + WINDOW, &rows);
	wp_bpf_maps_replace_table(maps, window->table, rows.rows.v, rows.rows.n);
	wp_unwind_rows_deinit(&rows);
}

void wp_walk_jit_refresh(struct wp_walk_jit *jit, struct wp_bpf_maps *maps,
			 struct wp_resolver *resolver)
{
	uint64_t now = jit->windows.n ? wp_clock_now_ns() : 0, end;

	if (now < jit->next_ns || !jit->windows.n)
		return;
	wp_vec_each (struct wp_walk_jit_window, window, &jit->windows)
		look_window(window, maps, resolver);
	end = wp_clock_now_ns();
	jit->next_ns = end + WAIT_NS + WAIT_LOOK * (end - now);
}

void wp_walk_jit_drop(struct wp_walk_jit *jit, struct wp_bpf_maps *maps, uint32_t pid)
{
	size_t kept = 0;

	for (size_t i = 0; i < jit->windows.n; i++) {
		struct wp_walk_jit_window window = jit->windows.v[i];

		if (window.pid == pid)
			wp_bpf_maps_drop_table(maps, window.table);
		else
			jit->windows.v[kept++] = window;
	}
	jit->windows.n = kept;
}

void wp_walk_jit_deinit(struct wp_walk_jit *jit)
{
	wp_vec_deinit(&jit->windows);
}
