/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_paths: files of one name get as much of their paths as tells them apart. */
#include "aggregate/profile_paths.h"

#include "check.h"

#include "base/str.h"

static void add_file(struct wp_profile *p, const char *path, enum wp_symbol_kind kind)
{
	wp_vec_push(&p->modules, (struct wp_profile_module){wp_str_basename(path), path, ""});
	wp_vec_push(&p->frames, (struct wp_profile_frame){
					.kind = kind,
					.module = (uint32_t)p->modules.n - 1,
				});
}

/* Paths and the names that they get, in turns, NULL behind the last; in this order and reversed. */
static void check_names(const char *const *pairs)
{
	size_t n = 0;

	while (pairs[n])
		n += 2;
	for (int reversed = 0; reversed < 2; reversed++) {
		struct wp_profile p = {0};

		for (size_t i = 0; i < n; i += 2)
			add_file(&p, pairs[reversed ? n - 2 - i : i], WP_SYMBOL_PYTHON);
		wp_profile_tell_files_apart(&p);
		for (size_t i = 0; i < n; i += 2)
			CHECK_STR(p.modules.v[i / 2].name, pairs[(reversed ? n - 2 - i : i) + 1]);
		wp_vec_deinit(&p.modules);
		wp_vec_deinit(&p.frames);
	}
}

static void test_names(void)
{
	check_names(
		(const char *const[]){"/site/django/db/models/base.py", "db/models/base.py",   /**/
				      "/site/django/gis/models/base.py", "gis/models/base.py", /**/
				      "/site/django/template/base.py", "template/base.py",     /**/
				      "/site/django/shortcuts.py", "shortcuts.py", NULL});
	check_names((const char *const[]){"/a/base.py", "base.py",   /**/
					  "/a/xbase.py", "xbase.py", /**/
					  "/a/-base.py", "-base.py", NULL});
	check_names((const char *const[]){"base.py", "base.py",	      /**/
					  "/base.py", "/base.py",     /**/
					  "/a/base.py", "/a/base.py", /**/
					  "/b/a/base.py", "b/a/base.py", NULL});
	check_names((const char *const[]){"x/y.py", "x/y.py", /**/
					  "z/y.py", "z/y.py", /**/
					  "y.py", "y.py",     /**/
					  "", "", NULL});
	check_names((const char *const[]){"<frozen importlib._bootstrap>",
					  "<frozen importlib._bootstrap>", /**/
					  "<string>", "<string>", NULL});
	check_names((const char *const[]){NULL});
}

/* Of one path in two containers nothing tells which it is. */
static void test_same_path(void)
{
	check_names((const char *const[]){"/srv/app.py", "app.py", "/srv/app.py", "app.py", NULL});
	check_names((const char *const[]){"/srv/app.py", "srv/app.py", "/srv/app.py", "srv/app.py",
					  "/opt/app.py", "opt/app.py", NULL});
}

/* What the resolver has made longer stays so; files of native code are not looked at. */
static void test_others(void)
{
	struct wp_profile p = {0};

	add_file(&p, "/lib/re/__init__.py", WP_SYMBOL_PYTHON);
	p.modules.v[0].name = p.modules.v[0].path + strlen("/lib/");
	add_file(&p, "/lib/a/libx.so", WP_SYMBOL_NATIVE);
	add_file(&p, "/lib/b/libx.so", WP_SYMBOL_NATIVE);
	wp_profile_tell_files_apart(&p);
	CHECK_STR(p.modules.v[0].name, "re/__init__.py");
	CHECK_STR(p.modules.v[1].name, "libx.so");
	CHECK_STR(p.modules.v[2].name, "libx.so");
	wp_vec_deinit(&p.modules);
	wp_vec_deinit(&p.frames);
}

int main(void)
{
	RUN(test_names);
	RUN(test_same_path);
	RUN(test_others);
	return check_done();
}
