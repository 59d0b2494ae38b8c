/* SPDX-License-Identifier: BSD-3-Clause */
/* Flat profiles, instruction hits, hot rows, annotations: what is counted, in which order. */
#include "check.h"

#include "aggregate/annotate.h"
#include "aggregate/flat.h"
#include "aggregate/hot_rows.h"
#include "aggregate/pcs.h"

static void test_flat(void)
{
	struct wp_flat flat = {0};

	wp_flat_add(&flat, 1, 5, 10);
	wp_flat_add(&flat, 1, 6, 30);
	wp_flat_add(&flat, 1, 5, 10);
	wp_flat_add(&flat, 1, 7, 20);
	wp_flat_sort(&flat);
	CHECK_U64(flat.events.n, 2);
	CHECK_U64(flat.events.v[0].samples, 0);
	CHECK_U64(flat.events.v[1].samples, 4);
	CHECK_U64(flat.events.v[1].weight, 70);
	CHECK_U64(flat.events.v[1].rows.v[0].symbol, 6);
	CHECK_U64(flat.events.v[1].rows.v[1].symbol, 5); /* same weight, more samples */
	CHECK_U64(flat.events.v[1].rows.v[2].symbol, 7);
	wp_flat_deinit(&flat);
}

static void test_pcs(void)
{
	struct wp_pcs pcs = {0};
	const struct wp_pc *found;
	size_t n;

	for (int i = 0; i < 3; i++)
		wp_pcs_add(&pcs, 0, 4, (struct wp_rva){0x10}, (struct wp_va){0x1010 + (unsigned)i});
	wp_pcs_add(&pcs, 0, 4, (struct wp_rva){0x20}, (struct wp_va){0x1020});
	wp_pcs_add(&pcs, 0, 3, (struct wp_rva){0}, (struct wp_va){0x99});
	wp_pcs_add(&pcs, 0, 3, (struct wp_rva){0}, (struct wp_va){0x98});
	wp_pcs_add(&pcs, 1, 4, (struct wp_rva){0x10}, (struct wp_va){0x1010});
	wp_pcs_sort(&pcs);
	found = wp_pcs_of(&pcs, 0, 4, &n);
	CHECK_U64(n, 2);
	CHECK_U64(found[0].samples, 3);
	CHECK_U64(found[0].va.v, 0x1010);
	CHECK_U64(found[1].rva.v, 0x20);
	wp_pcs_of(&pcs, 0, 3, &n);
	CHECK_U64(n, 2);
	wp_pcs_of(&pcs, 1, 4, &n);
	CHECK_U64(n, 1);
	wp_pcs_of(&pcs, 1, 5, &n);
	CHECK_U64(n, 0);
	wp_pcs_deinit(&pcs);
}

static void add_symbol(struct wp_symbol_set *set, const char *name, const char *raw,
		       uint32_t module, enum wp_symbol_reason reason)
{
	struct wp_symbol symbol = {.name = name, .raw = raw, .module = module, .reason = reason};

	wp_vec_push(&set->symbols, symbol);
}

static void test_hot_rows(void)
{
	struct wp_symbol_set set = {0};
	struct wp_flat flat = {0};
	struct wp_hot_rows rows;
	struct wp_hot_options options = {.symbols = &set, .main_module = 0};

	wp_vec_push(&set.modules, (struct wp_module){.name = "prog"});
	wp_vec_push(&set.modules, (struct wp_module){.name = "lib.so"});
	add_symbol(&set, "run", "_Z3runi", 0, WP_SYMBOL_KNOWN);
	add_symbol(&set, "run", "_Z3rund", 0, WP_SYMBOL_KNOWN);
	add_symbol(&set, NULL, NULL, 1, WP_SYMBOL_STRIPPED);
	add_symbol(&set, NULL, NULL, WP_NO_MODULE, WP_SYMBOL_NO_MODULE);
	add_symbol(&set, "run", "run", 1, WP_SYMBOL_KNOWN);
	add_symbol(&set, "unknown", "unknown", 0, WP_SYMBOL_KNOWN);
	for (uint32_t symbol = 0; symbol < 6; symbol++)
		wp_flat_add(&flat, 0, symbol, 10 - symbol);
	wp_flat_sort(&flat);
	wp_hot_rows_init(&rows, &flat.events.v[0], &options);
	CHECK_U64(rows.rows.n, 4);
	CHECK_STR(rows.rows.v[0].text, "run");
	CHECK_U64(rows.rows.v[0].samples, 2);
	CHECK_U64(rows.rows.v[0].symbols.n, 2);
	CHECK_STR(rows.rows.v[1].text, "unknown");
	CHECK(!rows.rows.v[1].known);
	CHECK_U64(rows.rows.v[1].samples, 2);
	CHECK_STR(rows.rows.v[2].text, "run:lib.so");
	CHECK_STR(rows.rows.v[2].name, "run");
	CHECK(rows.rows.v[3].known);
	wp_hot_rows_deinit(&rows);
	options.raw = true;
	wp_hot_rows_init(&rows, &flat.events.v[0], &options);
	CHECK_U64(rows.rows.n, 5);
	wp_hot_rows_deinit(&rows);
	wp_flat_deinit(&flat);
	wp_vec_deinit(&set.symbols);
	wp_vec_deinit(&set.modules);
}

static void test_matches(void)
{
	CHECK(wp_hot_matches("x_mul", NULL));
	CHECK(wp_hot_matches("x_mul", "X_MUL"));
	CHECK(!wp_hot_matches("x_mul", "mul"));
	CHECK(wp_hot_matches("x_mul", "^x_"));
	CHECK(!wp_hot_matches("x_mul", "^mul"));
	CHECK(wp_hot_matches("x_mul", "MUL$"));
	CHECK(!wp_hot_matches("x_mul", "x_$"));
	CHECK(wp_hot_matches("x_mul", "^x_mul$"));
	CHECK(!wp_hot_matches("x_mul2", "^x_mul$"));
	CHECK(wp_hot_matches("x_mul", "^"));
	CHECK(wp_hot_matches("x_mul", "$"));
	CHECK(!wp_hot_matches("x", "^longer"));
	CHECK(!wp_hot_matches("x", ""));
}

/* Python functions say where they are: their names often read the same. */
static void test_python_names(void)
{
	struct wp_symbol_set set = {0};
	struct wp_hot_options options = {.symbols = &set, .main_module = 0};
	struct wp_arena arena = {0};
	struct wp_symbol init = {.name = "A.__init__",
				 .raw = "A.__init__",
				 .kind = WP_SYMBOL_PYTHON,
				 .module = 0,
				 .line = 12};

	wp_vec_push(&set.modules, (struct wp_module){.name = "x.py", .path = "/opt/x.py"});
	CHECK_STR(wp_hot_text(&arena, &init, &options), "A.__init__ (x.py:12)");
	init.module = WP_NO_MODULE;
	CHECK_STR(wp_hot_text(&arena, &init, &options), "A.__init__");
	CHECK(wp_hot_matches_qualified("A.__init__", "__init__"));
	CHECK(wp_hot_matches_qualified("A.__init__", "a.__init__"));
	CHECK(wp_hot_matches_qualified("A.__init__", "^__in"));
	CHECK(!wp_hot_matches_qualified("A.__init__", "A"));
	CHECK(wp_hot_matches_qualified("f", "f"));
	CHECK(wp_hot_matches_qualified("f", NULL));
	wp_arena_deinit(&arena);
	wp_vec_deinit(&set.modules);
}

static void test_annotate(void)
{
	struct wp_annotation annotation = {0};
	struct wp_annotate_function *function = wp_annotation_function(&annotation, 0, "f");

	wp_annotate_hit(&annotation, function, "a.c", 3, 0x20, 2);
	wp_annotate_hit(&annotation, function, "a.c", 4, 0x24, 5);
	wp_annotate_hit(&annotation, function, "a.c", 3, 0x10, 1);
	wp_annotate_hit(&annotation, function, "b.h", 3, 0x28, 3);
	wp_annotate_sort(function);
	CHECK_U64(function->lines.n, 3);
	CHECK_U64(function->lines.v[0].line, 4);
	CHECK_STR(function->lines.v[1].file, "a.c");
	CHECK_U64(function->lines.v[1].hits, 3);
	CHECK_U64(function->lines.v[1].address, 0x10);
	CHECK(!wp_annotate_find(function, "b.h", 4));
	wp_annotation_deinit(&annotation);
}

int main(void)
{
	RUN(test_flat);
	RUN(test_pcs);
	RUN(test_hot_rows);
	RUN(test_matches);
	RUN(test_python_names);
	RUN(test_annotate);
	return check_done();
}
