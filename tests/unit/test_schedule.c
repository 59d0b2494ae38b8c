/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows with padding, as WindowsPerf documents them, and the kernel's turns over the same lists. */
#include "check.h"

#include "base/str.h"
#include "event/event_counting.h"
#include "event/schedule.h"

/* A set of words: an event is a letter, a group is upper case letters side by side. */
static void add_words(struct wp_event_set *set, const char *words)
{
	for (const char *p = words; *p; p++) {
		bool grouped = *p >= 'A' && *p <= 'Z';
		struct wp_event event = {.name = p,
					 .source = WP_EVENT_HW,
					 .type = 8,
					 .config = 0x40,
					 .group = grouped ? set->groups : WP_EVENT_NO_GROUP};

		if (*p == ' ')
			set->groups += p > words && p[-1] >= 'A' && p[-1] <= 'Z';
		else if (*p == 's') /* a software event */
			event.source = WP_EVENT_SW;
		if (*p != ' ')
			wp_vec_push(&set->events, event);
	}
	set->groups++;
}

static const char *rows(const char *words, uint32_t counters)
{
	static char text[512];
	struct wp_event_set set = {0};
	struct wp_schedule schedule;
	size_t n = 0;

	add_words(&set, words);
	wp_schedule_rows(&set, WP_EVENT_CORE, counters, &schedule);
	wp_vec_each (const struct wp_event *, event, &schedule.slots)
		text[n++] = *event ? *(*event)->name : '.';
	text[n] = '\0';
	wp_vec_deinit(&schedule.slots);
	wp_event_set_deinit(&set);
	return text;
}

static void test_rows(void)
{
	CHECK_STR(rows("abcdefgh", 5), "abcdefgh"); /* no group, no padding */
	CHECK_STR(rows("ABC DEF g", 5), "ABCg.DEF..");
	CHECK_STR(rows("abcde FGH", 6), "FGHabcde....");
	CHECK_STR(rows("a BC defg", 2), "BCadefg.");
	CHECK_STR(rows("AB CD EF", 5), "ABCD.EF...");
	CHECK_STR(rows("ABCD EF GH", 6), "ABCDEFGH....");
	CHECK_STR(rows("ABC s d", 4), "ABCds");
	CHECK_STR(rows("AB cd", 0), "ABcd"); /* how many are free is not known */
	CHECK_STR(rows("", 4), "");
}

/* The lists of the two documented sizes: 30 pairs and a group of three. */
static void test_long(void)
{
	wp_autostr struct wp_str words = {0};

	for (int i = 0; i < 30; i++)
		wp_str_puts(&words, "AB ");
	wp_str_puts(&words, "ABC");
	CHECK_U64(strlen(rows(words.s, 5)), 80);
	CHECK_U64(strlen(rows(words.s, 6)), 66);
}

/* "turns: share share ..." in percent. */
static const char *turns(const char *words, uint32_t counters)
{
	static char text[512];
	struct wp_machine machine = {.arch = "aarch64", .gpc_free = counters, .fpc = 1};
	struct wp_event_set set = {0};
	struct wp_turns turns;
	int n;

	add_words(&set, words);
	wp_schedule_turns(&machine, &set, &turns);
	n = snprintf(text, sizeof(text), "%u:", turns.n);
	wp_vec_each (double, share, &turns.shares)
		n += snprintf(text + n, sizeof(text) - (size_t)n, " %.0f", 100 * *share);
	wp_vec_deinit(&turns.shares);
	wp_event_set_deinit(&set);
	return text;
}

static void test_turns(void)
{
	CHECK_STR(turns("abc", 3), "1: 100 100 100");
	CHECK_STR(turns("abcd", 3), "4: 75 75 75 75");
	CHECK_STR(turns("abs", 1), "2: 50 50 100");
	CHECK_STR(turns("AB CD", 3), "2: 50 50 50 50");
	CHECK_STR(turns("ABC d e", 3), "3: 33 33 33 33 67");
	CHECK_STR(turns("abcd", 0), "1: 100 100 100 100"); /* nothing is known of the counters */
}

/* Which events need a programmable counter: each fixed one counts one event. */
static void test_needed(void)
{
	struct wp_machine intel = {.arch = "x86_64", .fpc = 3}, amd = {.arch = "x86_64"};
	struct wp_machine arm = {.arch = "aarch64", .fpc = 1};
	static const uint64_t configs[] = {0xc0, 0x3c, 0x300, 0x3c, 0x400, 0x8000, 0x8700, 0x11};
	struct wp_event events[8] = {0};

	for (size_t i = 0; i < 8; i++)
		events[i] =
			(struct wp_event){.source = WP_EVENT_HW, .type = 4, .config = configs[i]};
	CHECK_U64(wp_event_counters_needed(&intel, events, 8), 2); /* 0x3c again, and 0x11 */
	CHECK_U64(wp_event_counters_needed(&amd, events, 8), 8);
	CHECK_U64(wp_event_counters_needed(&arm, events, 8), 7);
}

int main(void)
{
	RUN(test_needed);
	RUN(test_rows);
	RUN(test_long);
	RUN(test_turns);
	return check_done();
}
