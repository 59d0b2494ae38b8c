/* Shared libraries that are loaded when they are needed: the first one that is here and complete.
 */
#include "check.h"

#include "base/library.h"

static double (*absolute)(double x);
static void *other;

static bool load(const char *first, const char *second, const char *name)
{
	const struct wp_library_function wanted[] = {{"fabs", &absolute}, {name, &other}};

	absolute = NULL;
	other = NULL;
	return wp_library_load((const char *const[]){first, second, NULL}, wanted, 2);
}

static void test_found(void)
{
	CHECK(load("libm.so.6", NULL, "hypot"));
	CHECK(absolute && absolute(-3) == 3);
	CHECK(other != NULL);
	CHECK(load("libwperf-none.so.1", "libm.so.6", "hypot"));
	CHECK(absolute && other);
}

static void test_missing(void)
{
	CHECK(!load("libwperf-none.so.1", NULL, "hypot"));
	CHECK(!load("libm.so.6", "libwperf-none.so.1", "no_such_function"));
	CHECK(!absolute && !other); /* not one of two */
}

int main(void)
{
	RUN(test_found);
	RUN(test_missing);
	return check_done();
}
