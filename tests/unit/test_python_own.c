/* SPDX-License-Identifier: BSD-3-Clause */
/* Whose Python code a file's name says it is. */
#include "check.h"

#include "aggregate/python_own.h"

#include <string.h>

static void test_own(void)
{
	static const char *const files[] = {
		"app.py",
		"/home/me/app/main.py",
		"/home/me/python3.12/main.py",
		"/home/me/lib/python/main.py",
		"/srv/lib/pythonic/x.py",
		"C:\\work\\app.py",
		"/home/me/site-packages.py",
		"<string>",
		"<stdin>",
		"<ipython-input-3-0123456789ab>",
		"/tmp/ipykernel_12/34.py",
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(files); i++)
		CHECK(wp_python_own(files[i]));
}

static void test_library(void)
{
	static const char *const files[] = {
		"",
		"<frozen importlib._bootstrap>",
		"<__array_function__ internals>",
		"/usr/lib/python3.11/json/decoder.py",
		"/usr/lib64/python2.7/json/decoder.py",
		"/usr/local/lib/python3.13t/asyncio/events.py",
		"/opt/x/lib/python312.zip/json/decoder.py",
		"/opt/x/python312.zip/json/decoder.py",
		"/home/me/app/venv/lib/python3.12/site-packages/django/db/models/query.py",
		"/usr/lib/python3/dist-packages/apt/cache.py",
		"C:\\Python312\\Lib\\json\\decoder.py",
		"C:\\work\\venv\\Lib\\site-packages\\numpy\\core.py",
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(files); i++)
		CHECK(!wp_python_own(files[i]));
}

static size_t package(const char *file)
{
	return wp_python_own_package(file);
}

static void test_package(void)
{
	CHECK_U64(package("/v/lib/python3.12/site-packages/black/__init__.py"),
		  strlen("/v/lib/python3.12/site-packages/black"));
	CHECK_U64(package("/usr/lib/python3/dist-packages/six.py"),
		  strlen("/usr/lib/python3/dist-packages/six.py"));
	CHECK_U64(package("C:\\v\\Lib\\site-packages\\black\\x.py"),
		  strlen("C:\\v\\Lib\\site-packages\\black"));
	CHECK_U64(package("/home/me/app.py"), 0);
	CHECK_U64(package("/usr/lib/python3.12/json/decoder.py"), 0);
	CHECK_U64(package("site-packages"), 0);
	CHECK_U64(package(""), 0);
	CHECK(wp_python_own_is_starter("/usr/bin/pytest"));
	CHECK(wp_python_own_is_starter("C:\\v\\Scripts\\pytest"));
	CHECK(!wp_python_own_is_starter("/home/me/bin/tool.py"));
	CHECK(!wp_python_own_is_starter("/home/me/tool"));
	CHECK(!wp_python_own_is_starter("tool"));
	CHECK(!wp_python_own_is_starter(""));
}

int main(void)
{
	RUN(test_own);
	RUN(test_library);
	RUN(test_package);
	return check_done();
}
