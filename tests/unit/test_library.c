/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared libraries that are loaded when they are needed: the first one that is here and complete.
 */
#include "check.h"

#include "base/library.h"

static double (*absolute)(double x);
static void *other;

static struct wp_err *load(const char *first, const char *second, const char *name)
{
	const struct wp_library_function wanted[] = {{"fabs", &absolute}, {name, &other}};

	absolute = NULL;
	other = NULL;
	return wp_library_load(&(struct wp_library){
		.sonames = (const char *const[]){first, second, NULL},
		.packages = "a package",
		.wanted = wanted,
		.n_wanted = 2,
	});
}

static void test_found(void)
{
	CHECK_OK(load("libm.so.6", NULL, "hypot"));
	CHECK(absolute && absolute(-3) == 3);
	CHECK(other != NULL);
	CHECK_OK(load("libwperf-none.so.1", "libm.so.6", "hypot"));
	CHECK(absolute && other);
}

static void test_missing(void)
{
	CHECK_ERR(load("libnone.so.1", NULL, "hypot"),
		  "libnone.so.1 is not here; install a package");
	CHECK_ERR(load("libm.so.6", "libnone.so.1", "no_such_function"), "libm.so.6 is not here");
	CHECK(!absolute && !other); /* not one of two */
}

int main(void)
{
	RUN(test_found);
	RUN(test_missing);
	return check_done();
}
