/* SPDX-License-Identifier: BSD-3-Clause */
/* What the BPF program would find in its maps is what a search in the tables themselves finds. */
#include "source/bpf/bpf_maps.h"

#include "core/unwind_rows.h"
#include "source/bpf/bpf_index.h"

#include "check.h"

#include <stdlib.h>

/* The program's side: chunks on the heap and its map of processes. */
struct program {
	struct wp_walk_rows *rows[WP_WALK_CHUNKS];
	struct wp_walk_buckets *buckets[WP_WALK_CHUNKS];
	struct wp_walk_ranges *ranges[WP_WALK_CHUNKS];
	struct wp_walk_process processes[16];
	bool present[16], fresh[16];
	struct wp_python_plan plan[16]; /* the first one */
	uint32_t n_plans[16], puts[16];
	bool python_fresh[16];
	uint32_t limit; /* chunks of rows */
};

static void *make_rows(void *arg, uint32_t index)
{
	struct program *p = arg;

	return index < p->limit ? p->rows[index] = wp_calloc(1, sizeof(**p->rows)) : NULL;
}

static void *make_buckets(void *arg, uint32_t index)
{
	return ((struct program *)arg)->buckets[index] =
		       wp_calloc(1, sizeof(struct wp_walk_buckets));
}

static void *make_ranges(void *arg, uint32_t index)
{
	return ((struct program *)arg)->ranges[index] = wp_calloc(1, sizeof(struct wp_walk_ranges));
}

static void put_process(void *arg, uint32_t pid, const struct wp_walk_process *process, bool fresh)
{
	struct program *p = arg;

	p->processes[pid] = *process;
	p->present[pid] = true;
	p->fresh[pid] = fresh;
}

static void drop_process(void *arg, uint32_t pid)
{
	struct program *p = arg;

	p->present[pid] = false;
	p->n_plans[pid] = 0;
}

static void put_python(void *arg, uint32_t pid, const struct wp_bpf_known *known)
{
	struct program *p = arg;

	p->puts[pid]++;
	p->n_plans[pid] = known->n_plans;
	p->python_fresh[pid] = known->python_fresh;
	if (known->n_plans)
		p->plan[pid] = known->plans[0];
}

static const struct wp_bpf_maps_ops ops = {make_rows,	make_buckets, make_ranges,
					   put_process, drop_process, put_python};

static void begin(struct program *p, struct wp_bpf_maps *maps)
{
	*p = (struct program){.limit = WP_WALK_CHUNKS};
	wp_bpf_maps_init(maps, &ops, p);
}

static void end(struct program *p, struct wp_bpf_maps *maps)
{
	for (size_t i = 0; i < WP_WALK_CHUNKS; i++) {
		free(p->rows[i]);
		free(p->buckets[i]);
		free(p->ranges[i]);
	}
	wp_bpf_maps_deinit(maps);
}

static const struct wp_walk_range *range_at(const struct program *p, uint32_t pid, uint64_t pc)
{
	const struct wp_walk_process *process = &p->processes[pid];

	for (uint32_t i = 0; p->present[pid] && i < process->n; i++) {
		const struct wp_walk_range *range =
			&p->ranges[process->chunk]->v[process->first + i];

		if (pc >= range->start && pc < range->end)
			return range;
	}
	return NULL;
}

/* As search_rows() of walk.bpf.c, with its bound on the steps and its masks. */
static const struct wp_unwind_rule *rule_at(const struct program *p, uint32_t pid, uint64_t va)
{
	const struct wp_walk_range *range = range_at(p, pid, va);
	uint64_t piece = range ? (va - range->origin) >> range->shift : 0, index;
	const struct wp_walk_bucket *bucket;
	const struct wp_unwind_rule *rule;
	uint32_t lo, hi;

	if (!range || va < range->origin || piece >= range->buckets)
		return NULL;
	index = range->bucket + piece;
	bucket = &p->buckets[index / WP_WALK_BUCKETS]->v[index % WP_WALK_BUCKETS];
	lo = bucket->row;
	hi = lo + bucket->rows;
	for (int i = 0; i < WP_WALK_ROW_STEPS && lo + 1 < hi; i++) {
		uint32_t middle = (lo + hi) / 2;

		if (p->rows[bucket->row / WP_WALK_ROWS]->v[middle % WP_WALK_ROWS].pc <=
		    (uint32_t)(va - range->origin))
			lo = middle;
		else
			hi = middle;
	}
	rule = &p->rows[bucket->row / WP_WALK_ROWS]->v[lo % WP_WALK_ROWS];
	return bucket->rows && rule->pc <= va - range->origin ? rule : NULL;
}

/* n rules, gap bytes apart on average; the last one says that nothing follows. */
static struct wp_unwind_rule *random_rules(size_t n, uint32_t gap)
{
	struct wp_unwind_rule *rules = wp_calloc(n, sizeof(*rules));
	uint32_t pc = (uint32_t)random() % 100;

	for (size_t i = 0; i < n; i++) {
		rules[i] = (struct wp_unwind_rule){
			.pc = pc, .cfa = WP_UNWIND_SP, .cfa_off = (int16_t)i};
		pc += 1 + (uint32_t)random() % (2 * gap);
		if (random() % 500 == 0)
			pc += 100000;
	}
	rules[n - 1].cfa = WP_UNWIND_NONE;
	return rules;
}

/* The two searches agree; behind the last rule the program may find it or nothing. */
static bool agree(const struct program *p, uint64_t origin, const struct wp_unwind_rule *rules,
		  size_t n, uint32_t pc)
{
	const struct wp_unwind_rule *want = wp_unwind_rule_find(rules, n, pc);
	const struct wp_unwind_rule *got = rule_at(p, 1, origin + pc);

	if (!got || !want)
		return !got && (!want || want->cfa == WP_UNWIND_NONE);
	return memcmp(got, want, sizeof(*got)) == 0;
}

static void check_table(size_t n, uint32_t gap)
{
	struct wp_unwind_rule *rules = random_rules(n, gap);
	uint64_t origin = 0x7f0000001000;
	struct wp_bpf_maps maps;
	struct program p;
	bool same = true;
	uint32_t span;

	begin(&p, &maps);
	span = rules[n - 1].pc + 1000;
	CHECK(wp_bpf_maps_add_table(&maps, 5, rules, n));
	wp_bpf_maps_add_range(&maps, 1, (struct wp_va){origin}, span, 5, origin);
	wp_bpf_maps_commit(&maps);
	for (int i = 0; i < 20000; i++)
		same &= agree(&p, origin, rules, n, (uint32_t)random() % span);
	for (size_t i = 0; i < n; i++)
		same &= agree(&p, origin, rules, n, rules[i].pc) &&
			agree(&p, origin, rules, n, rules[i].pc + 1);
	CHECK(same);
	end(&p, &maps);
	free(rules);
}

static void test_tables(void)
{
	srandom(2);
	check_table(1, 10);
	check_table(2, 1);
	check_table(100, 1);
	check_table(1000, 40);
	check_table(20000, 1);
	check_table(70000, 40);
	check_table(200000, 12);
	check_table(3000, 100000);
}

static void test_bad_tables(void)
{
	const struct wp_unwind_rule twice[] = {{.pc = 1}, {.pc = 1}}, fine[] = {{.pc = 1}};
	struct wp_bpf_maps maps;
	struct program p;

	begin(&p, &maps);
	p.limit = 0;
	CHECK(!wp_bpf_maps_add_table(&maps, 1, twice, 2));
	CHECK(!wp_bpf_maps_add_table(&maps, 1, fine, 0));
	CHECK(!wp_bpf_maps_add_table(&maps, 1, fine, 1));
	CHECK_U64(maps.tables.left_out, 1);
	CHECK(!wp_bpf_maps_has_table(&maps, 1));
	end(&p, &maps);
}

/* Modules of which not all find room at a time: what nobody maps makes way, what somebody maps
 * stays. */
static void test_no_room(void)
{
	enum { MODULES = 40, ROWS = WP_WALK_ROWS / 4 };
	struct wp_unwind_rule *rules = random_rules(ROWS, 40);
	uint64_t origin = 0x7f0000001000;
	struct wp_bpf_maps maps;
	struct program p;
	bool there = true;

	begin(&p, &maps);
	p.limit = 1;
	wp_bpf_maps_fork(&maps, 1, 2);
	CHECK(wp_bpf_maps_add_table(&maps, 0, rules, ROWS));
	wp_bpf_maps_add_range(&maps, 1, (struct wp_va){origin}, 1 << 23, 0, origin);
	wp_bpf_maps_commit(&maps);
	for (uint32_t id = 1; id < MODULES; id++) {
		wp_bpf_maps_exec(&maps, 2);
		there &= wp_bpf_maps_add_table(&maps, id, rules, ROWS);
		wp_bpf_maps_add_range(&maps, 2, (struct wp_va){origin}, 1 << 23, id, origin);
		wp_bpf_maps_commit(&maps);
		there &= wp_bpf_maps_has_table(&maps, 0) && rule_at(&p, 2, origin + rules[9].pc);
	}
	CHECK(there && maps.tables.left_out == 0);
	CHECK(agree(&p, origin, rules, ROWS, rules[ROWS / 2].pc));
	/* All are mapped: nothing makes way, and nothing is tried again before a process ends. */
	for (uint32_t id = 1; id < 5; id++)
		wp_bpf_maps_add_range(&maps, 1, (struct wp_va){origin + (id << 23)}, 1 << 23, id,
				      origin);
	for (uint32_t id = 1; id < 5; id++)
		wp_bpf_maps_add_table(&maps, id, rules, ROWS);
	CHECK(maps.tables.left_out > 0 && !wp_bpf_maps_add_table(&maps, 50, rules, ROWS));
	wp_bpf_maps_drop(&maps, 1);
	CHECK(wp_bpf_maps_add_table(&maps, 50, rules, ROWS));
	end(&p, &maps);
	free(rules);
}

static void test_processes(void)
{
	const struct wp_unwind_rule rules[] = {{.pc = 0, .cfa = WP_UNWIND_SP, .cfa_off = 3},
					       {.pc = 0x800}};
	struct wp_bpf_maps maps;
	struct program p;

	begin(&p, &maps);
	wp_bpf_maps_add_range(&maps, 1, (struct wp_va){0x1000}, 0x1000, 9, 0x1000);
	wp_bpf_maps_add_range(&maps, 1, (struct wp_va){0x5000}, 0x1000, WP_BPF_FRAME_POINTERS, 0);
	wp_bpf_maps_commit(&maps);
	CHECK(range_at(&p, 1, 0x1800) && !rule_at(&p, 1, 0x1010));
	CHECK(range_at(&p, 1, 0x5000)->flags == WP_WALK_RANGE_FP);
	CHECK(wp_bpf_maps_add_table(&maps, 9, rules, 2));
	wp_bpf_maps_commit(&maps);
	CHECK(rule_at(&p, 1, 0x1010) && rule_at(&p, 1, 0x1010)->cfa_off == 3);

	wp_bpf_maps_fork(&maps, 1, 2);
	wp_bpf_maps_add_range(&maps, 2, (struct wp_va){0x1000}, 0x800, WP_BPF_UNKNOWN, 0);
	wp_bpf_maps_commit(&maps);
	CHECK(p.fresh[2] && !p.fresh[1]);
	CHECK(!range_at(&p, 2, 0x1010) && range_at(&p, 2, 0x1900) && range_at(&p, 2, 0x5000));
	CHECK(rule_at(&p, 1, 0x1010) != NULL);
	CHECK_U64(wp_bpf_maps_table_at(&maps, 2, (struct wp_va){0x1900}), 9);
	CHECK_U64(wp_bpf_maps_table_at(&maps, 2, (struct wp_va){0x1000}), WP_BPF_UNKNOWN);
	CHECK_U64(wp_bpf_maps_table_at(&maps, 3, (struct wp_va){0x1000}), WP_BPF_UNKNOWN);

	wp_bpf_maps_exec(&maps, 2);
	wp_bpf_maps_drop(&maps, 1);
	wp_bpf_maps_drop(&maps, 7);
	wp_bpf_maps_commit(&maps);
	CHECK(p.present[2] && p.processes[2].n == 0 && p.fresh[2] && !p.present[1]);
	end(&p, &maps);
}

/* Ranges that are replaced all the time use no more memory. */
static void test_no_growth(void)
{
	struct wp_bpf_maps maps;
	struct program p;

	begin(&p, &maps);
	for (uint64_t i = 0; i < 100000; i++) {
		uint64_t at = 0x1000 * (1 + i % 500);

		wp_bpf_maps_add_range(&maps, 1 + i % 3, (struct wp_va){at}, 0x1000, WP_BPF_NO_TABLE,
				      0);
		wp_bpf_maps_commit(&maps);
	}
	CHECK(maps.ranges.memory.n == 1 && maps.processes_left_out == 0);
	CHECK_U64(p.processes[1].n, 500);
	end(&p, &maps);
}

/* Tables of JIT code come late, are replaced and go, and take no more room for it. */
static void test_jit_tables(void)
{
	struct wp_unwind_rule rules[] = {{.pc = 0x10, .cfa = WP_UNWIND_SP}, {.pc = 0x80}};
	const uint32_t id = WP_BPF_JIT + 7;
	struct wp_bpf_maps maps;
	struct program p;
	bool same = true;

	begin(&p, &maps);
	wp_bpf_maps_add_range(&maps, 1, (struct wp_va){0x1000}, 0x1000, id, 0x1000);
	wp_bpf_maps_commit(&maps);
	CHECK(range_at(&p, 1, 0x1010)->flags == WP_WALK_RANGE_FP && !rule_at(&p, 1, 0x1010));
	for (int i = 0; i < 100000; i++) {
		rules[0].cfa_off = (int16_t)i;
		same &= wp_bpf_maps_replace_table(&maps, id, rules, 2);
		wp_bpf_maps_commit(&maps);
		same &= rule_at(&p, 1, 0x1010)->cfa_off == (int16_t)i && !rule_at(&p, 1, 0x1000);
	}
	CHECK(same);
	CHECK(range_at(&p, 1, 0x1010)->flags == (WP_WALK_RANGE_FP | WP_WALK_RANGE_LATE));
	CHECK(maps.tables.rows.memory.n == 1 && maps.tables.buckets.memory.n == 1 &&
	      maps.tables.all.n == 1);
	wp_bpf_maps_drop_table(&maps, id);
	wp_bpf_maps_drop_table(&maps, id);
	wp_bpf_maps_commit(&maps);
	CHECK(!wp_bpf_maps_has_table(&maps, id));
	CHECK(range_at(&p, 1, 0x1010)->flags == WP_WALK_RANGE_FP && !rule_at(&p, 1, 0x1010));
	CHECK(maps.tables.left_out == 0);
	end(&p, &maps);
}

static void test_python(void)
{
	struct wp_python_plan plans[WP_PYTHON_PLANS + 1] = {{.generation = 7}, {.generation = 8}};
	struct wp_bpf_maps maps;
	struct program p;

	begin(&p, &maps);
	/* A process without an interpreter, and its child, are nothing to talk about. */
	wp_bpf_maps_exec(&maps, 1);
	wp_bpf_maps_fork(&maps, 1, 2);
	wp_bpf_maps_commit(&maps);
	CHECK_U64(p.puts[1] + p.puts[2], 0);
	wp_bpf_maps_set_python(&maps, 1, plans, 2, NULL);
	CHECK_U64(p.puts[1], 0);
	wp_bpf_maps_commit(&maps);
	wp_bpf_maps_commit(&maps);
	CHECK_U64(p.puts[1], 1);
	CHECK_U64(p.n_plans[1], 2);
	CHECK_U64(p.plan[1].generation, 7);
	CHECK(p.python_fresh[1] && p.present[1]);
	wp_bpf_maps_set_python(&maps, 1, plans, WP_PYTHON_PLANS + 1, NULL);
	wp_bpf_maps_commit(&maps);
	CHECK_U64(p.n_plans[1], WP_PYTHON_PLANS);
	CHECK(!p.python_fresh[1]);
	/* Forks have them, until they exec. */
	wp_bpf_maps_fork(&maps, 1, 3);
	wp_bpf_maps_commit(&maps);
	CHECK_U64(p.n_plans[3], WP_PYTHON_PLANS);
	CHECK(p.python_fresh[3]);
	wp_bpf_maps_exec(&maps, 3);
	wp_bpf_maps_commit(&maps);
	CHECK_U64(p.n_plans[3], 0);
	CHECK(p.python_fresh[3]);
	wp_bpf_maps_set_python(&maps, 3, NULL, 0, NULL);
	wp_bpf_maps_commit(&maps);
	CHECK_U64(p.puts[3], 3);
	wp_bpf_maps_drop(&maps, 1);
	CHECK(!p.present[1]);
	/* Also of a process whose mappings nobody wants: without native stacks. */
	wp_bpf_maps_set_python(&maps, 4, plans, 1, NULL);
	wp_bpf_maps_commit(&maps);
	CHECK_U64(p.n_plans[4], 1);
	wp_bpf_maps_drop(&maps, 4);
	CHECK_U64(p.n_plans[4], 0);
	CHECK(!wp_map_get(&maps.known_of_pid, 4));
	wp_bpf_maps_drop(&maps, 4);
	end(&p, &maps);
}

int main(void)
{
	RUN(test_python);
	RUN(test_tables);
	RUN(test_bad_tables);
	RUN(test_no_room);
	RUN(test_processes);
	RUN(test_no_growth);
	RUN(test_jit_tables);
	return check_done();
}
