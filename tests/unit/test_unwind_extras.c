/* SPDX-License-Identifier: BSD-3-Clause */
/* Rules that symbols' names tell. */
#include "check.h"

#include "resolve/unwind/unwind_extras.h"

#define BASE 0x1000

static const struct wp_unwind_rule caller = {
	.cfa = WP_UNWIND_SP, .flags = WP_UNWIND_RA_SAVED, .cfa_off = 2, .ra_off = -1};

/* What is laid over call frame information of a function of that name. */
static uint8_t rule_of_name(const char *name)
{
	struct wp_symtab_builder builder = {0};
	struct wp_unwind_rows rows = {.base = BASE};
	struct wp_symtab symbols;
	uint8_t cfa;

	wp_symtab_add(&builder, &(struct wp_symtab_input){BASE + 64, 32, .name = name});
	wp_symtab_build(&builder, &symbols);
	wp_symtab_builder_deinit(&builder);
	wp_unwind_rows_append(&rows, 0, caller);
	wp_unwind_rows_append(&rows, 256, (struct wp_unwind_rule){0});
	wp_unwind_extras_name(&symbols, &rows);
	CHECK_U64(wp_unwind_rule_find(rows.rows.v, rows.rows.n, 63)->cfa, WP_UNWIND_SP);
	CHECK_U64(wp_unwind_rule_find(rows.rows.v, rows.rows.n, 96)->cfa, WP_UNWIND_SP);
	cfa = wp_unwind_rule_find(rows.rows.v, rows.rows.n, 64)->cfa;
	wp_unwind_rows_deinit(&rows);
	wp_symtab_deinit(&symbols);
	return cfa;
}

static void test_greenlets(void)
{
	/* 3.x, 2.x, the part that compilers split off; 1.x. */
	CHECK_U64(rule_of_name("_ZN8greenlet12UserGreenlet15inner_bootstrapEP9_greenletP7_object"),
		  WP_UNWIND_END);
	CHECK_U64(rule_of_name("_ZN8greenlet12UserGreenlet15inner_bootstrapERNS_4refs1"),
		  WP_UNWIND_END);
	CHECK_U64(rule_of_name("_ZN8greenlet12UserGreenlet15inner_bootstrapEP9_greenletP7_object"
			       ".cold"),
		  WP_UNWIND_END);
	CHECK_U64(rule_of_name("g_initialstub"), WP_UNWIND_END);
	CHECK_U64(rule_of_name("g_initialstub.cold.13"), WP_UNWIND_END);
	/* The starter's part. */
	CHECK_U64(rule_of_name("_ZN8greenlet12UserGreenlet13g_initialstubEPv"), WP_UNWIND_SP);
	CHECK_U64(rule_of_name("slp_switch"), WP_UNWIND_SP);
}

static void test_others(void)
{
	CHECK_U64(rule_of_name("runtime.goexit"), WP_UNWIND_END);
	/* Its own information is better. */
	CHECK_U64(rule_of_name("_start"), WP_UNWIND_SP);
	CHECK_U64(rule_of_name("main"), WP_UNWIND_SP);
}

int main(void)
{
	RUN(test_greenlets);
	RUN(test_others);
	return check_done();
}
