/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples by Python function and line: self, total, recursion, threads, the GIL. */
#include "check.h"

#include "aggregate/spots.h"

static void add(struct wp_spots *spots, uint32_t event, uint32_t thread, enum wp_spot_gil gil,
		const struct wp_spot_frame *frames, size_t n)
{
	wp_spots_add(spots, &(struct wp_spot_sample){event, thread, gil, 10, frames, n});
}

static const struct wp_spot_row *row_of(const struct wp_spot_row *rows, size_t n, uint32_t symbol,
					uint32_t line, uint32_t thread)
{
	static const struct wp_spot_row none;

	for (size_t i = 0; i < n; i++)
		if (rows[i].symbol == symbol && rows[i].line == line && rows[i].thread == thread)
			return &rows[i];
	return &none;
}

/* fib(3) called fib(3) called main(9): once each, however deep. */
static void test_recursion(void)
{
	static const struct wp_spot_frame deep[] = {{7, 3}, {7, 4}, {7, 4}, {7, 4}, {1, 9}};
	static const struct wp_spot_frame flat[] = {{1, 10}};
	struct wp_spots spots = {0};
	const struct wp_spots_event *event;
	const struct wp_spot_row *row;

	for (int i = 0; i < 3; i++)
		add(&spots, 1, 0, WP_SPOT_GIL_UNKNOWN, deep, 5);
	add(&spots, 1, 0, WP_SPOT_GIL_UNKNOWN, flat, 1);
	add(&spots, 1, 0, WP_SPOT_GIL_UNKNOWN, NULL, 0);
	wp_spots_sort(&spots, WP_SPOTS_BY_DEFAULT);
	CHECK_U64(spots.events.n, 2);
	CHECK_U64(spots.events.v[0].samples, 0);
	event = &spots.events.v[1];
	CHECK_U64(event->samples, 5);
	CHECK_U64(event->weight, 50);
	CHECK_U64(event->python, 4);
	CHECK_U64(event->threads.n, 0);
	CHECK_U64(event->functions.n, 2);
	CHECK_U64(event->functions.v[0].symbol, 7);
	CHECK_U64(event->functions.v[0].self, 3);
	CHECK_U64(event->functions.v[0].total, 3);
	CHECK_U64(event->functions.v[0].total_weight, 30);
	CHECK_U64(event->functions.v[1].self, 1);
	CHECK_U64(event->functions.v[1].total, 4);
	CHECK_U64(event->lines.n, 4);
	row = row_of(event->lines.v, 4, 7, 4, 0);
	CHECK_U64(row->self, 0);
	CHECK_U64(row->total, 3);
	row = row_of(event->lines.v, 4, 7, 3, 0);
	CHECK_U64(row->self_weight, 30);
	wp_spots_deinit(&spots);
}

/* main(20) called a library, which called helper(30) back, which called the library again. */
static void test_own(void)
{
	static const struct wp_spot_frame stack[] = {{2, 1}, {1, 30}, {2, 2}, {0, 20}};
	static const struct wp_spot_frame library[] = {{2, 1}};
	struct wp_symbol_set symbols = {0};
	struct wp_spots spots = {.symbols = &symbols};
	const struct wp_spots_event *event;

	wp_vec_push(&symbols.modules, (struct wp_module){.path = "/app/main.py"});
	wp_vec_push(&symbols.modules, (struct wp_module){.path = "/v/site-packages/x.py"});
	for (uint32_t i = 0; i < 3; i++)
		wp_vec_push(&symbols.symbols, (struct wp_symbol){.module = i == 2});
	add(&spots, 0, 0, WP_SPOT_GIL_UNKNOWN, stack, 4);
	add(&spots, 0, 0, WP_SPOT_GIL_UNKNOWN, &stack[2], 2);
	add(&spots, 0, 0, WP_SPOT_GIL_UNKNOWN, stack, 4);
	add(&spots, 0, 0, WP_SPOT_GIL_UNKNOWN, library, 1);
	wp_spots_sort(&spots, WP_SPOTS_BY_DEFAULT);
	event = &spots.events.v[0];
	CHECK_U64(event->own.n, 2);
	CHECK_U64(event->own.v[0].line, 30);
	CHECK_U64(event->own.v[0].own, 2);
	CHECK_U64(event->own.v[0].own_weight, 20);
	CHECK_U64(event->own.v[0].self, 0);
	CHECK_U64(event->own.v[1].line, 20);
	CHECK_U64(event->own.v[1].own, 1);
	CHECK_U64(event->own.v[1].total, 3);
	wp_spots_deinit(&spots);
	wp_vec_deinit(&symbols.symbols);
	wp_vec_deinit(&symbols.modules);
}

/* <string> is the user's own where a stack begins in it, else a library made it. */
static void test_typed(void)
{
	static const struct wp_spot_frame made[] = {{0, 2}, {2, 5}}, typed[] = {{2, 5}, {0, 2}};
	struct wp_symbol_set symbols = {0};
	struct wp_spots spots = {.symbols = &symbols};

	wp_vec_push(&symbols.modules, (struct wp_module){.path = "<string>"});
	wp_vec_push(&symbols.modules, (struct wp_module){.path = "/usr/lib/python3.11/site.py"});
	for (uint32_t i = 0; i < 3; i++)
		wp_vec_push(&symbols.symbols, (struct wp_symbol){.module = i == 2});
	add(&spots, 0, 0, WP_SPOT_GIL_UNKNOWN, made, 2);
	add(&spots, 0, 0, WP_SPOT_GIL_UNKNOWN, typed, 2);
	wp_spots_sort(&spots, WP_SPOTS_BY_DEFAULT);
	CHECK_U64(spots.events.v[0].own.n, 1);
	CHECK_U64(spots.events.v[0].own.v[0].total, 2);
	CHECK_U64(spots.events.v[0].own.v[0].own, 1);
	wp_spots_deinit(&spots);
	wp_vec_deinit(&symbols.symbols);
	wp_vec_deinit(&symbols.modules);
}

/* Equal totals: the innermost own line comes before its callers. */
static void test_by_total(void)
{
	static const struct wp_spot_frame stack[] = {{2, 3}, {1, 2}, {0, 1}};
	struct wp_spots spots = {0};

	add(&spots, 0, 0, WP_SPOT_GIL_UNKNOWN, stack, 3);
	add(&spots, 0, 0, WP_SPOT_GIL_UNKNOWN, &stack[1], 2);
	wp_spots_sort(&spots, WP_SPOTS_BY_TOTAL);
	CHECK_U64(spots.events.v[0].lines.v[0].line, 2);
	CHECK_U64(spots.events.v[0].lines.v[1].line, 1);
	CHECK_U64(spots.events.v[0].lines.v[2].line, 3);
	CHECK_U64(spots.events.v[0].functions.v[2].symbol, 2);
	wp_spots_deinit(&spots);
}

static void test_order(void)
{
	static const struct wp_spot_frame a[] = {{1, 1}, {3, 1}}, b[] = {{2, 0}, {3, 1}};
	struct wp_spots spots = {0};

	add(&spots, 0, 0, WP_SPOT_GIL_UNKNOWN, b, 2);
	add(&spots, 0, 0, WP_SPOT_GIL_UNKNOWN, a, 2);
	wp_spots_sort(&spots, WP_SPOTS_BY_DEFAULT);
	CHECK_U64(spots.events.v[0].functions.v[0].symbol, 1); /* as good as 2: by symbol */
	CHECK_U64(spots.events.v[0].functions.v[1].symbol, 2);
	CHECK_U64(spots.events.v[0].functions.v[2].symbol, 3); /* no self, though the most total */
	CHECK_U64(spots.events.v[0].lines.v[1].line, 0);
	wp_spots_deinit(&spots);
}

static void test_threads(void)
{
	static const struct wp_spot_frame f[] = {{1, 1}};
	struct wp_spots spots = {0};
	const struct wp_spots_event *event;

	add(&spots, 0, 11, WP_SPOT_GIL_HELD, f, 1);
	add(&spots, 0, 12, WP_SPOT_GIL_RELEASED, f, 1);
	add(&spots, 0, 12, WP_SPOT_GIL_HELD, f, 1);
	add(&spots, 0, 12, WP_SPOT_GIL_UNKNOWN, NULL, 0);
	wp_spots_sort(&spots, WP_SPOTS_BY_DEFAULT);
	event = &spots.events.v[0];
	CHECK_U64(event->threads.n, 2);
	CHECK_U64(event->threads.v[0].thread, 12);
	CHECK_U64(event->threads.v[0].samples, 3);
	CHECK_U64(event->threads.v[0].python, 2);
	CHECK_U64(event->threads.v[0].gil_known, 2);
	CHECK_U64(event->threads.v[0].gil_held, 1);
	CHECK_U64(event->functions.n, 2);
	CHECK_U64(event->functions.v[0].thread, 12);
	CHECK_U64(event->functions.v[0].self, 2);
	CHECK_U64(event->functions.v[0].gil_held, 1);
	CHECK_U64(row_of(event->lines.v, event->lines.n, 1, 1, 11)->gil_known, 1);
	wp_spots_deinit(&spots);
}

static void test_gil_only(void)
{
	static const struct wp_spot_frame f[] = {{1, 1}};
	struct wp_spots spots = {.gil_only = true};

	add(&spots, 0, 0, WP_SPOT_GIL_HELD, f, 1);
	add(&spots, 0, 0, WP_SPOT_GIL_RELEASED, f, 1);
	add(&spots, 0, 0, WP_SPOT_GIL_UNKNOWN, f, 1);
	add(&spots, 0, 0, WP_SPOT_GIL_UNKNOWN, NULL, 0);
	CHECK_U64(spots.events.v[0].samples, 1);
	CHECK_U64(spots.events.v[0].functions.v[0].total, 1);
	CHECK_U64(spots.left_out, 3);
	wp_spots_deinit(&spots);
}

int main(void)
{
	RUN(test_recursion);
	RUN(test_own);
	RUN(test_typed);
	RUN(test_by_total);
	RUN(test_order);
	RUN(test_threads);
	RUN(test_gil_only);
	return check_done();
}
