/* SPDX-License-Identifier: BSD-3-Clause */
/* python_guess: programs, scripts and scripts of scripts, and what is no Python. */
#include "session/follow/python_guess.h"

#include "base/str.h"

#include "check.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/wperf-test-guess-XXXXXX";

/* A script in the folder; its path, which is overwritten by the next call. */
static const char *script(const char *name, const char *text)
{
	static char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	if (file) {
		fputs(text, file);
		fclose(file);
		chmod(path, 0755);
	}
	return path;
}

static void test_names(void)
{
	CHECK(wp_python_guess("python3.99"));
	CHECK(wp_python_guess("/nonexistent/python"));
	CHECK(!wp_python_guess("/nonexistent/program"));
	CHECK(!wp_python_guess("no-such-program-anywhere"));
	CHECK(!wp_python_guess(""));
}

static void test_scripts(void)
{
	CHECK(wp_python_guess(script("a", "#!/usr/bin/python3 -u\npass\n")));
	CHECK(wp_python_guess(script("b", "#! /usr/bin/env -S A=b python3\n")));
	CHECK(!wp_python_guess(script("c", "#!/bin/sh\nexec python3 x.py\n")));
	CHECK(!wp_python_guess(script("d", "#!\n")));
	CHECK(!wp_python_guess(script("e", "#!")));
	CHECK(!wp_python_guess(script("f", "")));
	CHECK(!wp_python_guess(script("g", "\177ELF but not more than that")));
}

/* A script whose interpreter is a script; one that is its own. */
static void test_scripts_of_scripts(void)
{
	wp_autofree char *inner = wp_strdup(script("inner", "#!/usr/bin/python3\n"));
	wp_autofree char *outer = wp_asprintf("#!%s\n", inner), *self = NULL;

	CHECK(wp_python_guess(script("outer", outer)));
	self = wp_asprintf("#!%s/self\n", folder);
	CHECK(!wp_python_guess(script("self", self)));
}

static void test_programs(void)
{
	CHECK(!wp_python_guess("/proc/self/exe"));
	CHECK(!wp_python_guess("sh"));
	CHECK(!wp_python_guess(folder));
}

int main(void)
{
	wp_autofree char *command = NULL;

	CHECK(mkdtemp(folder) != NULL);
	RUN(test_names);
	RUN(test_scripts);
	RUN(test_scripts_of_scripts);
	RUN(test_programs);
	command = wp_asprintf("rm -rf %s", folder);
	CHECK(system(command) == 0);
	return check_done();
}
