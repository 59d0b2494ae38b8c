/* SPDX-License-Identifier: BSD-3-Clause */
/* test_waker_pairs: rows of who ended whose waits. */
#include "aggregate/waker_pairs.h"

#include "check.h"
#include "core/waker.h"

#include <stdio.h>
#include <string.h>

enum { WANT, HOLD, READ, MAIN, IRQ, SYMBOLS };

struct told {
	uint32_t waiter, line, tid; /* symbol; a line: Python's */
	const char *kind, *waker;
	uint64_t wake, ns, delay_ns;
};

static void make_symbols(struct wp_symbol_set *set)
{
	static const struct wp_symbol symbols[SYMBOLS] = {
		[WANT] = {.name = "want", .kind = WP_SYMBOL_PYTHON, .module = 1},
		[HOLD] = {.name = "hold", .kind = WP_SYMBOL_PYTHON, .module = 1},
		[READ] = {.name = "read", .module = 0},
		[MAIN] = {.name = "main", .module = 1},
		[IRQ] = {.name = "hrtimer_wakeup", .kind = WP_SYMBOL_KERNEL, .module = 2},
	};

	for (size_t i = 0; i < SYMBOLS; i++)
		wp_vec_push(&set->symbols, symbols[i]);
	wp_vec_push(&set->modules, (struct wp_module){.name = "libc.so.6", .path = "/libc.so.6"});
	wp_vec_push(&set->modules, (struct wp_module){.name = "app", .path = "/app"});
	wp_vec_push(&set->modules, (struct wp_module){.name = "[kernel]", .path = "[kernel]"});
}

/* With a Python frame at that line, or the frames of main() and of what it called in libc. */
static void give(struct wp_sink *sink, struct wp_record *record, uint32_t symbol, uint32_t line)
{
	struct wp_spot_frame python = {.symbol = symbol, .line = line};
	struct wp_frame frames[] = {{.symbol = symbol, .ip = {1}}, {.symbol = MAIN, .ip = {2}}};
	struct wp_sample sample = {.record = record, .symbol = symbol, .has_stack = true};

	if (line) {
		sample.python = &python;
		sample.n_python = 1;
	}
	sample.frames = frames;
	sample.n = WP_ARRAY_LEN(frames);
	sink->ops->sample(sink, &sample);
}

static void give_waker(struct wp_sink *sink, const struct told *told, uint32_t symbol,
		       uint32_t line, bool walked)
{
	struct wp_waker_payload payload = {.magic = WP_WAKER_MAGIC,
					   .ns = told->ns,
					   .delay_ns = told->delay_ns,
					   .wake = told->wake,
					   .walked = walked};
	struct wp_record record = {.kind = WP_RECORD_SAMPLE, .tid = 70, .sample.period = told->ns};

	record.sample.payload = (const uint8_t *)&payload;
	record.sample.payload_bytes = sizeof(payload);
	give(sink, &record, symbol, line);
}

static void give_wait(struct wp_sink *sink, const struct told *told)
{
	struct wp_wait_payload payload;
	struct wp_record record = {
		.kind = WP_RECORD_SAMPLE, .tid = told->tid, .sample.period = told->ns};

	wp_wait_fill(WP_WAIT_INTERRUPTIBLE, 1, told->ns, &payload);
	snprintf(payload.kind, sizeof(payload.kind), "%s", told->kind);
	snprintf(payload.waker, sizeof(payload.waker), "%s", told->waker);
	payload.wake = told->wake;
	record.sample.payload = (const uint8_t *)&payload;
	record.sample.payload_bytes = wp_wait_bytes(&payload);
	give(sink, &record, told->waiter, told->line);
}

static void check_row(const struct wp_waker_pairs *pairs, size_t i, uint64_t ns, uint64_t waits,
		      uint32_t waiter, uint32_t ender)
{
	const struct wp_waker_row *row = &pairs->rows.v[i];

	CHECK(i < pairs->rows.n);
	CHECK_U64(row->ns, ns);
	CHECK_U64(row->waits, waits);
	CHECK_U64(pairs->places.v[row->waiter].symbol, waiter);
	CHECK_U64(pairs->places.v[row->ender].symbol, ender);
}

static void end_pairs(struct wp_waker_pairs *pairs, struct wp_symbol_set *set)
{
	wp_waker_pairs_deinit(pairs);
	wp_vec_deinit(&set->symbols);
	wp_vec_deinit(&set->modules);
}

static void test_rows(void)
{
	static const struct told lock = {WANT, 8, 71, "lock", "hold", 1, 500, 7},
				 again = {WANT, 8, 71, "lock", "hold", 2, 300, 5},
				 timer = {READ, 0, 72, "sleep", "[timer]", 3, 400, 9},
				 unseen = {WANT, 8, 71, "lock", WP_WAIT_UNSEEN, 0, 100, 0},
				 preempted = {WANT, 8, 71, "preempted", "", 0, 900, 0};
	struct wp_symbol_set set = {0};
	struct wp_waker_pairs pairs = {.symbols = &set};
	struct wp_sink *sink = wp_waker_pairs_sink(&pairs, true);

	make_symbols(&set);
	CHECK(sink->wants & WP_SAMPLE_STACK);
	give_waker(sink, &lock, HOLD, 5, true);
	give_wait(sink, &lock);
	give_waker(sink, &again, HOLD, 5, true);
	give_waker(sink, &timer, IRQ, 0, false); /* another one between */
	give_wait(sink, &again);
	give_wait(sink, &timer);
	give_wait(sink, &unseen);
	give_wait(sink, &preempted);
	wp_waker_pairs_finish(&pairs);
	CHECK_U64(pairs.rows.n, 3);
	CHECK_U64(pairs.ns, 1300);
	CHECK_U64(pairs.waits, 4);
	check_row(&pairs, 0, 800, 2, WANT, HOLD);
	CHECK_U64(pairs.places.v[pairs.rows.v[0].ender].line, 5);
	CHECK_U64(pairs.rows.v[0].delay_ns, 12);
	check_row(&pairs, 1, 400, 1, MAIN, IRQ); /* libc's functions say nothing */
	check_row(&pairs, 2, 100, 1, WANT, WP_WAKER_NOWHERE);
	CHECK_U64(pairs.rows.v[2].delayed, 0);
	CHECK_STR(wp_strpool_get(&pairs.texts, pairs.rows.v[2].name), WP_WAIT_UNSEEN);
	end_pairs(&pairs, &set);
}

static void test_threads(void)
{
	struct told told = {WANT, 8, 71, "lock", "hold", 1, 500, 7};
	struct wp_symbol_set set = {0};
	struct wp_waker_pairs pairs = {.symbols = &set, .by_thread = true};
	struct wp_sink *sink = wp_waker_pairs_sink(&pairs, true);

	make_symbols(&set);
	give_waker(sink, &told, HOLD, 5, true);
	give_wait(sink, &told);
	told.tid = 72;
	told.wake = 2;
	give_waker(sink, &told, HOLD, 5, true);
	give_wait(sink, &told);
	CHECK_U64(pairs.rows.n, 2);
	CHECK_U64(pairs.places.v[pairs.rows.v[1].waiter].tid, 72);
	CHECK_U64(pairs.places.v[pairs.rows.v[1].ender].tid, 70);
	end_pairs(&pairs, &set);
}

/* Sums stay what they are when there are too many rows. */
static void test_bounded(void)
{
	struct told told = {WANT, 1, 71, "lock", "hold", 0, 10, 0};
	struct wp_symbol_set set = {0};
	struct wp_waker_pairs pairs = {.symbols = &set};
	struct wp_sink *sink = wp_waker_pairs_sink(&pairs, false);

	make_symbols(&set);
	for (uint32_t i = 1; i <= 70000; i++) {
		told.line = i;
		give_wait(sink, &told);
	}
	wp_waker_pairs_finish(&pairs);
	CHECK_U64(pairs.rows.n, 65537);
	CHECK_U64(pairs.ns, 700000);
	CHECK_U64(pairs.rows.v[0].waits, 70000 - 65536);
	CHECK_STR(wp_strpool_get(&pairs.texts, pairs.rows.v[0].kind), "(others)");
	end_pairs(&pairs, &set);
}

int main(void)
{
	RUN(test_rows);
	RUN(test_threads);
	RUN(test_bounded);
	return check_done();
}
