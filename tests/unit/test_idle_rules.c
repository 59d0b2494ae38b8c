/* SPDX-License-Identifier: BSD-3-Clause */
/* test_idle_rules: which waits are idle ones; in doubt none. */
#include "aggregate/idle_rules.h"

#include "aggregate/idle_waits.h"
#include "check.h"
#include "core/python_plan.h"
#include "core/wait.h"

#include <string.h>

#define PYTHON "/usr/lib/python3.11"

struct place {
	const char *name, *path;
};

#define PLACES_MAX 8

struct waiter {
	const char *kind;
	int32_t fd;
	struct place python[PLACES_MAX]; /* innermost first */
	struct place native[PLACES_MAX]; /* the same */
	enum wp_python_word word;
	enum wp_python_end end;
	const char *want; /* NULL: it is shown */
};

static uint32_t add_place(struct wp_symbol_set *set, const struct place *place)
{
	wp_vec_push(&set->modules, (struct wp_module){.name = place->path, .path = place->path});
	wp_vec_push(&set->symbols, (struct wp_symbol){.name = place->name,
						      .module = (uint32_t)set->modules.n - 1});
	return (uint32_t)set->symbols.n - 1;
}

static void check_waiter(const struct waiter *waiter)
{
	struct wp_spot_frame python[PLACES_MAX] = {0};
	struct wp_frame native[PLACES_MAX] = {0};
	struct wp_wait_payload payload;
	struct wp_record record = {.kind = WP_RECORD_SAMPLE,
				   .sample = {.period = 1000,
					      .payload = (const uint8_t *)&payload,
					      .payload_bytes = sizeof(payload)}};
	struct wp_sample sample = {.record = &record,
				   .is_wait = true,
				   .python = python,
				   .frames = native,
				   .word = waiter->word,
				   .thread = WP_PYTHON_THREAD_ID(0u, waiter->end)};
	struct wp_idle_waits idle = {0};
	struct wp_symbol_set set = {0};

	wp_wait_fill(WP_WAIT_INTERRUPTIBLE, 1, 1000, &payload);
	strcpy(payload.kind, waiter->kind);
	payload.fd = waiter->fd;
	for (; sample.n_python < PLACES_MAX && waiter->python[sample.n_python].name;
	     sample.n_python++)
		python[sample.n_python].symbol = add_place(&set, &waiter->python[sample.n_python]);
	for (; sample.n < PLACES_MAX && waiter->native[sample.n].name; sample.n++)
		native[sample.n].symbol = add_place(&set, &waiter->native[sample.n]);
	sample.has_stack = sample.n > 0;
	CHECK(wp_idle_waits_take(&idle, &sample, &set) == (waiter->want != NULL));
	if (waiter->want) {
		CHECK_U64(idle.sums.n, 1);
		CHECK_STR(idle.sums.v[0].rule, waiter->want);
		CHECK_U64(idle.sums.v[0].ns, 1000);
	}
	sample.is_wait = false;
	CHECK(!wp_idle_rule_of(&sample, &set));
	wp_idle_waits_deinit(&idle);
	wp_vec_deinit(&set.symbols);
	wp_vec_deinit(&set.modules);
}

#define SELECT                                                 \
	{                                                      \
		"EpollSelector.select", PYTHON "/selectors.py" \
	}
#define RUN_ONCE                                                            \
	{                                                                   \
		"BaseEventLoop._run_once", PYTHON "/asyncio/base_events.py" \
	}
#define WAIT                                             \
	{                                                \
		"Condition.wait", PYTHON "/threading.py" \
	}
#define EVENT                                        \
	{                                            \
		"Event.wait", PYTHON "/threading.py" \
	}
#define GET                                     \
	{                                       \
		"Queue.get", PYTHON "/queue.py" \
	}
#define START_RUN                                    \
	{                                            \
		"Thread.run", PYTHON "/threading.py" \
	}
#define BOOT                                                      \
	{                                                         \
		"Thread._bootstrap_inner", PYTHON "/threading.py" \
	}
#define WORKER                                                    \
	{                                                         \
		"_worker", PYTHON "/concurrent/futures/thread.py" \
	}
#define WORK                                                            \
	{                                                               \
		"_WorkItem.run", PYTHON "/concurrent/futures/thread.py" \
	}
#define OWN                        \
	{                          \
		"serve", "/app.py" \
	}

static void test_loops(void)
{
	static const struct waiter waiters[] = {
		{"poll",
		 4,
		 {SELECT, RUN_ONCE, OWN},
		 .word = WP_PYTHON_WALKED,
		 .want = "event loop"},
		{"poll", 4, {SELECT, RUN_ONCE, OWN, WORK, WORKER}, .word = WP_PYTHON_WALKED},
		{"poll", 4, {SELECT, OWN}, .word = WP_PYTHON_WALKED},
		{"read", 4, {SELECT, RUN_ONCE, OWN}, .word = WP_PYTHON_WALKED},
		{"gil", -1, {SELECT, RUN_ONCE, OWN}, .word = WP_PYTHON_WALKED},
		{"poll", 4, {SELECT, RUN_ONCE}, .word = WP_PYTHON_WALKED, .end = WP_PYTHON_CUT},
		{"poll", 4, {SELECT, RUN_ONCE}, .word = WP_PYTHON_LOST},
		{"poll", 4, .word = WP_PYTHON_NO_WORD, .want = "event loop"},
		{"poll", -1, .word = WP_PYTHON_NO_WORD},
		{"poll", 4, .word = WP_PYTHON_EARLY},
		{"poll", 4, .word = WP_PYTHON_WALKED, .end = WP_PYTHON_UNREADABLE},
		{"poll", 4, .word = WP_PYTHON_WALKED, .end = WP_PYTHON_NO_THREAD,
		 .want = "event loop"},
		{"accept", 4, {OWN}, .word = WP_PYTHON_WALKED, .want = "listener"},
		{"signal", -1, .word = WP_PYTHON_NO_WORD, .want = "signal"},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(waiters); i++)
		check_waiter(&waiters[i]);
}

static void test_workers(void)
{
	static const struct waiter waiters[] = {
		{"lock",
		 -1,
		 {WORKER, START_RUN, BOOT},
		 .word = WP_PYTHON_WALKED,
		 .want = "pool worker"},
		{"lock", -1, {OWN, WORK, WORKER, START_RUN, BOOT}, .word = WP_PYTHON_WALKED},
		{"lock",
		 -1,
		 {{"wait", "/2.7/threading.py"}, {"get", "/2.7/Queue.py"}, OWN, START_RUN, BOOT},
		 .word = WP_PYTHON_WALKED,
		 .want = "queue"},
		{"lock",
		 -1,
		 {WAIT, GET, OWN, START_RUN, BOOT},
		 .word = WP_PYTHON_WALKED,
		 .want = "queue"},
		{"lock", -1, {WAIT, GET, OWN, BOOT}, .word = WP_PYTHON_WALKED, .want = "queue"},
		{"lock", -1, {WAIT, GET, OWN, OWN, START_RUN, BOOT}, .word = WP_PYTHON_WALKED},
		{"lock", -1, {WAIT, GET, OWN}, .word = WP_PYTHON_WALKED},
		{"lock", -1, {GET, OWN, START_RUN, BOOT}, .word = WP_PYTHON_WALKED},
		{"lock", -1, {WAIT, OWN, START_RUN}, .word = WP_PYTHON_WALKED, .want = "condition"},
		{"lock", -1, {WAIT, OWN, OWN, START_RUN}, .word = WP_PYTHON_WALKED},
		{"lock", -1, {WAIT, EVENT, OWN, START_RUN}, .word = WP_PYTHON_WALKED},
		{"lock", -1, {OWN, START_RUN, BOOT}, .word = WP_PYTHON_WALKED},
		{"lock", -1, {WAIT, {NULL, NULL}}, .word = WP_PYTHON_WALKED},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(waiters); i++)
		check_waiter(&waiters[i]);
}

#define FUTEX                                                    \
	{                                                        \
		"__futex_abstimed_wait_common", "/lib/libc.so.6" \
	}
#define COND                                          \
	{                                             \
		"pthread_cond_wait", "/lib/libc.so.6" \
	}
#define START                                    \
	{                                        \
		"start_thread", "/lib/libc.so.6" \
	}
#define CLONE                              \
	{                                  \
		"clone3", "/lib/libc.so.6" \
	}
#define JOB                           \
	{                             \
		"worker", "/srv/prog" \
	}

static void test_native_pools(void)
{
	static const struct waiter waiters[] = {
		{"lock", -1, .native = {FUTEX, COND, JOB, START, CLONE}, .want = "pool worker"},
		{"lock", -1, .native = {FUTEX, COND, JOB, JOB, START, CLONE}},
		{"lock", -1, .native = {FUTEX, JOB, START, CLONE}},
		{"lock", -1, .native = {FUTEX, COND, JOB, CLONE}},
		{"lock", -1, .native = {FUTEX, COND, {NULL, NULL}}},
		{"lock", -1, .native = {FUTEX, COND, JOB, START, CLONE}, .python = {OWN},
		 .word = WP_PYTHON_WALKED},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(waiters); i++)
		check_waiter(&waiters[i]);
}

int main(void)
{
	RUN(test_loops);
	RUN(test_workers);
	RUN(test_native_pools);
	return check_done();
}
