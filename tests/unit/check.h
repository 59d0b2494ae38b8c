/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * check: the whole unit-test framework. A test file has `static void test_x(void)` functions and a
 * main of `RUN(test_x); ... return check_done();`. A failed CHECK prints where and what, and the
 * run goes on.
 */
#ifndef WP_CHECK_H
#define WP_CHECK_H

#include "base/err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failed, check_passed;

#define CHECK(cond)                                                               \
	do {                                                                      \
		if (cond) {                                                       \
			check_passed++;                                           \
		} else {                                                          \
			check_failed++;                                           \
			printf("%s:%d: failed: %s\n", __FILE__, __LINE__, #cond); \
		}                                                                 \
	} while (0)

#define CHECK_U64(got, want) check_u64(__FILE__, __LINE__, #got, (got), (want))
#define CHECK_STR(got, want) check_str(__FILE__, __LINE__, #got, (got), (want))
/* Succeeds without an error; prints the error's text otherwise. */
#define CHECK_OK(expr) check_ok(__FILE__, __LINE__, #expr, (expr))
/* Fails with an error whose text contains the words. */
#define CHECK_ERR(expr, words) check_err(__FILE__, __LINE__, #expr, (expr), (words))
#define RUN(test)                      \
	do {                           \
		printf("%s\n", #test); \
		test();                \
	} while (0)

static inline void check_u64(const char *file, int line, const char *what, unsigned long long got,
			     unsigned long long want)
{
	if (got == want) {
		check_passed++;
		return;
	}
	check_failed++;
	printf("%s:%d: %s is %llu (0x%llx), want %llu (0x%llx)\n", file, line, what, got, got, want,
	       want);
}

static inline void check_str(const char *file, int line, const char *what, const char *got,
			     const char *want)
{
	if (got == want || (got && want && strcmp(got, want) == 0)) {
		check_passed++;
		return;
	}
	check_failed++;
	printf("%s:%d: %s is\n%s\nwant\n%s\n", file, line, what, got ? got : "(null)",
	       want ? want : "(null)");
}

static inline void check_ok(const char *file, int line, const char *what, struct wp_err *err)
{
	if (!err) {
		check_passed++;
		return;
	}
	check_failed++;
	printf("%s:%d: %s failed: %s\n", file, line, what, err->text);
	wp_err_free(err);
}

static inline void check_err(const char *file, int line, const char *what, struct wp_err *err,
			     const char *words)
{
	if (err && strstr(err->text, words)) {
		check_passed++;
	} else {
		check_failed++;
		printf("%s:%d: %s gave \"%s\", want an error with \"%s\"\n", file, line, what,
		       err ? err->text : "success", words);
	}
	wp_err_free(err);
}

static inline int check_done(void)
{
	printf("%d checks passed, %d failed\n", check_passed, check_failed);
	return check_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
