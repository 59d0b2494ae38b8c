/* SPDX-License-Identifier: BSD-3-Clause */
/* Which runtime a mapped file tells of. */
#include "check.h"

#include "session/report/jit_hint.h"

static void test_runtimes(void)
{
	int node = wp_jit_hint_runtime("node"), php = wp_jit_hint_runtime("php8.2");

	CHECK(node >= 0 && node == wp_jit_hint_runtime("libnode.so.108"));
	CHECK(php >= 0 && php != node && php == wp_jit_hint_runtime("php-fpm8.2"));
	CHECK(wp_jit_hint_runtime("libjvm.so") >= 0);
	CHECK(wp_jit_hint_runtime("beam.smp") >= 0);
	CHECK(wp_jit_hint_runtime("libjulia-internal.so.1.10") >= 0);
	CHECK(wp_jit_hint_runtime("pypy3.9") >= 0);
	CHECK(wp_jit_hint_runtime("libpypy3.11-c.so") == wp_jit_hint_runtime("pypy"));
	CHECK(wp_jit_hint_runtime("micropython") >= 0);
	CHECK(wp_jit_hint_runtime("node_exporter") < 0);
	CHECK(wp_jit_hint_runtime("rubygems") < 0);
	CHECK(wp_jit_hint_runtime("phpinfo") < 0);
	CHECK(wp_jit_hint_runtime("python3.12") < 0);
	CHECK(wp_jit_hint_runtime("") < 0);
}

int main(void)
{
	RUN(test_runtimes);
	return check_done();
}
