/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_frames: which frames stay, where a program begins, functions split by line. */
#include "aggregate/profile_frames.h"

#include "check.h"
#include "profile_fixture.h"

#include "base/str.h"

enum { APP, RUNPY, OTHER };

/* A frame of a stack: Python's have a file. */
static uint32_t add_frame(struct wp_profile *p, const char *text)
{
	const char *at = strchr(text, '@');
	uint32_t module = !at			      ? WP_NO_MODULE
			  : strcmp(at, "@runpy") == 0 ? RUNPY
			  : strcmp(at, "@app") == 0   ? APP
						      : OTHER;

	fixture_frame(p, text, at ? WP_SYMBOL_PYTHON : WP_SYMBOL_NATIVE, module, 0);
	return (uint32_t)p->frames.n - 1;
}

/* "main f@app": the outermost frame first. Names lose their files. */
static void add_sample(struct wp_profile *p, char *words)
{
	uint32_t stack = WP_NO_STACK;

	for (char *word = strtok(words, " "); word; word = strtok(NULL, " ")) {
		uint32_t frame = add_frame(p, word);

		stack = fixture_stack(p, stack, frame);
		word[strcspn(word, "@")] = '\0';
	}
	fixture_sample(p, 0, 1, 0, 0, stack);
}

static void put_stack(const struct wp_profile *p, uint32_t stack, struct wp_str *ret)
{
	if (stack == WP_NO_STACK)
		return;
	CHECK(stack < p->stacks.n && p->stacks.v[stack].frame < p->frames.n);
	put_stack(p, p->stacks.v[stack].caller, ret);
	wp_str_printf(ret, "%s%s", ret->len ? " " : "", p->frames.v[p->stacks.v[stack].frame].name);
}

static void check_kept(enum wp_keep_frames keep, const char *words, const char *want)
{
	wp_autofree char *copy = wp_strdup(words);
	wp_autostr struct wp_str got = {0};
	struct wp_profile p = {0};

	wp_vec_push(&p.modules, (struct wp_profile_module){"app.py", "/app.py", ""});
	wp_vec_push(&p.modules, (struct wp_profile_module){"runpy.py", "<frozen runpy>", ""});
	wp_vec_push(&p.modules, (struct wp_profile_module){"x.py", "/lib/x.py", ""});
	add_sample(&p, copy);
	wp_profile_keep_frames(&p, keep);
	put_stack(&p, p.samples.v[0].stack, &got);
	CHECK_STR(got.s ? got.s : "", want);
	CHECK(keep == WP_KEEP_ALL || p.frames.n == p.stacks.n);
	fixture_deinit(&p);
}

static void test_program(void)
{
	enum wp_keep_frames keep = WP_KEEP_PROGRAM;

	check_kept(keep, "_start Py_BytesMain run_mod <module>@app f@app long_mul",
		   "<module> f long_mul");
	check_kept(keep, "_start pymain_run_python.lto_priv.0 run_mod <module>@app", "<module>");
	check_kept(keep, "Py_RunMain _run_code@runpy exec <module>@app f@app", "<module> f");
	check_kept(keep, "_run_module_as_main@runpy _run_code@runpy <module>@app", "<module>");
	/* A module that the program imports begins no program. */
	check_kept(keep, "Py_Main <module>@app import _find_and_load@runpy <module>@x",
		   "<module> import _find_and_load <module>");
	/* What no <module> is called by: the interpreter itself begins or ends. */
	check_kept(keep, "_start Py_BytesMain Py_RunMain Py_FinalizeEx",
		   "_start Py_BytesMain Py_RunMain Py_FinalizeEx");
	/* Threads, also when they import; programs that embed an interpreter. */
	check_kept(keep, "clone thread_run _bootstrap@x run@x f@app",
		   "clone thread_run _bootstrap run f");
	check_kept(keep, "clone thread_run _bootstrap@x <module>@app",
		   "clone thread_run _bootstrap <module>");
	check_kept(keep, "_bootstrap@x run@x _find_and_load@runpy <module>@app",
		   "_bootstrap run _find_and_load <module>");
	check_kept(keep, "_start main simulate run_mod <module>@app",
		   "_start main simulate run_mod <module>");
	check_kept(keep, "", "");
}

static void test_kinds(void)
{
	static const char stack[] = "_start Py_BytesMain <module>@app f@app call g@app long_mul";

	check_kept(WP_KEEP_ALL, stack, "_start Py_BytesMain <module> f call g long_mul");
	check_kept(WP_KEEP_PYTHON, stack, "<module> f g");
	check_kept(WP_KEEP_NATIVE, stack, "_start Py_BytesMain call long_mul");
	check_kept(WP_KEEP_PYTHON, "Py_RunMain _run_code@runpy exec <module>@app", "<module>");
	check_kept(WP_KEEP_PYTHON, "clone thread_run", "");
	check_kept(WP_KEEP_NATIVE, "f@app g@app", "");
}

/* Stacks that become the same are one, and samples of both point to it. */
static void test_merge(void)
{
	struct wp_profile p;
	uint64_t weight = 0;

	fixture_init(&p);
	wp_vec_each (struct wp_profile_sample, before, &p.samples)
		weight += before->weight;
	wp_profile_keep_frames(&p, WP_KEEP_PYTHON);
	CHECK_U64(p.frames.n, 1);
	CHECK_STR(p.frames.v[0].name, "fib");
	CHECK_U64(p.stacks.n, 2);
	CHECK_U64(p.samples.n, 8);
	CHECK_U64(p.samples.v[0].stack, WP_NO_STACK);
	CHECK_U64(p.samples.v[3].stack, 0);
	CHECK_U64(p.samples.v[4].stack, 1);
	CHECK_U64(p.samples.v[5].stack, 1);
	CHECK(!p.start_is_cut);
	wp_vec_each (struct wp_profile_sample, after, &p.samples)
		weight -= after->weight;
	CHECK_U64(weight, 0);
	fixture_deinit(&p);
}

static void test_lines(void)
{
	struct wp_profile p;
	struct wp_profile_frame other;

	fixture_init(&p);
	other = p.frames.v[FRAME_FIB];
	wp_vec_push(&p.frames, other);
	other.line = 4;
	wp_vec_push(&p.frames, other);
	wp_profile_split_lines(&p);
	CHECK(p.by_line);
	CHECK_U64(p.frames.v[FRAME_FIB].first_line, 3);
	CHECK_U64(p.frames.v[FRAME_ODD + 1].symbol, p.frames.v[FRAME_FIB].symbol);
	CHECK_U64(p.frames.v[FRAME_ODD + 2].first_line, 4);
	CHECK(p.frames.v[FRAME_ODD + 2].symbol != p.frames.v[FRAME_FIB].symbol);
	CHECK_U64(p.frames.v[FRAME_X40].symbol, p.frames.v[FRAME_X80].symbol);
	CHECK_U64(p.frames.v[FRAME_SPIN].first_line, 0);
	fixture_deinit(&p);
}

int main(void)
{
	RUN(test_program);
	RUN(test_kinds);
	RUN(test_merge);
	RUN(test_lines);
	return check_done();
}
