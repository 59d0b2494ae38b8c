/* SPDX-License-Identifier: BSD-3-Clause */
/* Names and paths on a narrow screen, and which column gives how much. */
#include "check.h"

#include "base/utf8.h"
#include "view/fit.h"
#include "view/shorten.h"

static const struct wp_screen ascii = {.cwd = "/work/app", .home = "/home/me"};
static const struct wp_screen utf8 = {.utf8 = true};

static void check_gently(const char *text, enum wp_fit fit, const char *want)
{
	wp_autostr struct wp_str got = {0};

	wp_shorten_gently(&got, text, fit, &ascii);
	CHECK_STR(got.s ? got.s : "", want);
}

/* The result, which is never wider than asked for. */
static void check_cut(const char *text, enum wp_fit fit, size_t columns,
		      const struct wp_screen *screen, const char *want)
{
	wp_autostr struct wp_str got = {0};

	wp_shorten(&got, text, fit, columns, screen);
	CHECK_STR(got.s ? got.s : "", want);
	CHECK(!got.s || wp_utf8_width(got.s, got.len) <= columns);
}

static void test_packages(void)
{
	static const char *const paths[][2] = {
		{"/home/me/v/lib/python3.11/site-packages/pandas/core/series.py:1234",
		 "pandas/core/series.py:1234"},
		{"/usr/lib/python3/dist-packages/yaml/nodes.py", "yaml/nodes.py"},
		{"/usr/lib/python3.11/json/decoder.py:337", "json/decoder.py:337"},
		{"/opt/lib64/python2.7/re.py:1", "re.py:1"},
		{"/opt/lib/python3.x/re.py:1", "/opt/lib/python3.x/re.py:1"},
		{"/work/app/src/run.py:3", "src/run.py:3"},
		{"/work/apples/run.py:3", "/work/apples/run.py:3"},
		{"/home/me/run.py:3", "~/run.py:3"},
		{"/srv/run.py:3", "/srv/run.py:3"},
		{"<frozen importlib._bootstrap>:241", "<frozen importlib._bootstrap>:241"},
		{"", ""},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(paths); i++)
		check_gently(paths[i][0], WP_FIT_PATH, paths[i][1]);
}

static void test_templates(void)
{
	static const char *const names[][2] = {
		{"main", "main"},
		{"std::vector<int, std::allocator<int> >::push_back(int const&)",
		 "std::vector<...>::push_back(...)"},
		{"f<(a>b), 17>::g()", "f<...>::g()"},
		{"std::operator<< <std::char_traits<char> >(std::ostream&, char)",
		 "std::operator<< <std::char_traits<...> >(...)"},
		{"bool operator<(Pair const&, Pair const&)", "bool operator<(...)"},
		{"Ptr<Thing<long> >::operator->() const", "Ptr<...>::operator->() const"},
		{"Less<long long>::operator()(int, int) const", "Less<...>::operator()(...) const"},
		{"apply<&Set::operator<, 100>::run", "apply<...>::run"},
		{"g<decltype(a->b), int>::h", "g<...>::h"},
		{"(anonymous namespace)::walk(Node*, int)", "(anonymous namespace)::walk(...)"},
		{"run(int, char**)::{lambda(int, long)#1}::operator()(int, long) const",
		 "run(...)::{lambda(...)#1}::operator()(...) const"},
		{"<alloc::vec::Vec<alloc::string::String> as core::ops::drop::Drop>::drop",
		 "<alloc::vec::Vec<...> as core::ops::drop::Drop>::drop"},
		{"outer.<locals>.<lambda> (models.py:12)",
		 "outer.<locals>.<lambda> (models.py:12)"},
		{"swap (inlined)", "swap (inlined)"},
		{"broken<int, char", "broken<int, char"},
		{"a>b)c", "a>b)c"},
		{"T<U>", "T<U>"},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++)
		check_gently(names[i][0], WP_FIT_SYMBOL, names[i][1]);
}

static void test_paths(void)
{
	static const char path[] = "/usr/share/very/long/file.py:12";

	check_cut(path, WP_FIT_PATH, 31, &ascii, path);
	check_cut(path, WP_FIT_PATH, 30, &ascii, "/usr/.../very/long/file.py:12");
	check_cut(path, WP_FIT_PATH, 25, &ascii, "/usr/.../long/file.py:12");
	check_cut(path, WP_FIT_PATH, 18, &ascii, ".../file.py:12");
	check_cut(path, WP_FIT_PATH, 13, &ascii, "file.py:12");
	check_cut(path, WP_FIT_PATH, 9, &ascii, "fil...:12");
	check_cut(path, WP_FIT_PATH, 3, &ascii, "fil");
	check_cut(path, WP_FIT_PATH, 22, &utf8, "/usr/\xe2\x80\xa6/long/file.py:12");
	check_cut("/\xc3\xa9\xc3\xa9\xc3\xa9/\xc3\xa4\xc3\xb6\xc3\xbc.py:1", WP_FIT_PATH, 6, &utf8,
		  "\xc3\xa4\xc3\xb6\xc3\xbc\xe2\x80\xa6:1");
	check_cut("<frozen importlib._bootstrap>:241", WP_FIT_PATH, 15, &ascii, "<froze...p>:241");
	check_cut("/", WP_FIT_PATH, 0, &ascii, "");
}

static void test_symbols(void)
{
	check_cut("PyObject_Call:libpython3.11.so.1.0", WP_FIT_SYMBOL, 34, &ascii,
		  "PyObject_Call:libpython3.11.so.1.0");
	check_cut("PyObject_Call:libpython3.11.so.1.0", WP_FIT_SYMBOL, 28, &ascii,
		  "PyObject_Call:libpy...so.1.0");
	check_cut("a_function_of_a_long_name:m.so", WP_FIT_SYMBOL, 20, &ascii,
		  "a_func...g_name:m.so");
	check_cut("std::a_name_of_a_function", WP_FIT_SYMBOL, 11, &ascii, "std:...tion");
	check_cut("f\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9g", WP_FIT_SYMBOL, 4, &utf8,
		  "f\xc3\xa9\xe2\x80\xa6g");
	for (size_t columns = 0; columns < 40; columns++) {
		wp_autostr struct wp_str got = {0};

		wp_shorten(&got, "some::name(int):lib.cpython-311-x86_64.so", WP_FIT_SYMBOL,
			   columns, &ascii);
		CHECK(got.len <= columns);
	}
}

/* A character of two columns is never cut in two: the result is a column narrower. */
static void test_wide(void)
{
	static const char name[] = "\xe8\xae\xa1\xe7\xae\x97\xe5\x80\xbc"; /* U+8BA1 7B97 503C */

	check_cut(name, WP_FIT_SYMBOL, 6, &utf8, name);
	check_cut(name, WP_FIT_SYMBOL, 5, &utf8, "\xe8\xae\xa1\xe2\x80\xa6\xe5\x80\xbc");
	check_cut(name, WP_FIT_SYMBOL, 4, &utf8, "\xe8\xae\xa1\xe2\x80\xa6");
	check_cut(name, WP_FIT_TEXT, 4, &utf8, "\xe8\xae\xa1\xe2\x80\xa6");
	for (size_t columns = 0; columns < 8; columns++)
		for (int fit = WP_FIT_TEXT; fit <= WP_FIT_PATH; fit++) {
			wp_autostr struct wp_str got = {0};

			wp_shorten(&got, name, (enum wp_fit)fit, columns, &ascii);
			CHECK(!got.s || wp_utf8_width(got.s, got.len) <= columns);
		}
}

static void test_texts(void)
{
	check_cut("for row in rows:", WP_FIT_TEXT, 10, &ascii, "for row...");
	check_cut("for row in rows:", WP_FIT_TEXT, 10, &utf8, "for row i\xe2\x80\xa6");
	check_cut("for row in rows:", WP_FIT_TEXT, 2, &ascii, "");
}

static void check_headline(const char *line, size_t columns, const char *want)
{
	wp_autostr struct wp_str got = {0};

	wp_shorten_headline(&got, line, strlen(line), columns);
	CHECK_STR(got.s ? got.s : "", want);
}

static void test_headlines(void)
{
	check_headline("===== hot =====", 15, "===== hot =====");
	check_headline("===== hot =====", 12, "=== hot ===");
	check_headline("===== hot =====", 2, "= hot =");
	check_headline("============", 4, "============");
	check_headline("a long note", 4, "a long note");
}

static void check_fit(struct wp_fit_column columns[4], size_t limit, const size_t want[4])
{
	wp_fit(columns, 4, 2, limit);
	for (size_t i = 0; i < 4; i++)
		CHECK_U64(columns[i].width, want[i]);
}

/* A number, a name, a path and a source line: 5 + 30 + 40 + 60 columns and four gaps. */
static void test_fit(void)
{
	static const struct {
		size_t limit, want[4];
	} cases[] = {
		{143, {5, 30, 40, 60}}, {142, {5, 30, 40, 59}}, {99, {5, 30, 40, 16}},
		{98, {5, 30, 39, 16}},	{80, {5, 25, 26, 16}},	{61, {5, 16, 16, 16}},
		{60, {5, 15, 16, 16}},	{53, {5, 12, 12, 16}},	{52, {5, 20, 21, 0}},
		{20, {5, 8, 9, 0}},	{3, {5, 8, 9, 0}},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(cases); i++)
		check_fit(
			(struct wp_fit_column[]){
				{WP_FIT_FIXED, 4, 5},
				{WP_FIT_SYMBOL, 8, 30},
				{WP_FIT_PATH, 9, 40},
				{WP_FIT_TEXT, 6, 60},
			},
			cases[i].limit, cases[i].want);
}

int main(void)
{
	RUN(test_packages);
	RUN(test_templates);
	RUN(test_paths);
	RUN(test_symbols);
	RUN(test_texts);
	RUN(test_wide);
	RUN(test_headlines);
	RUN(test_fit);
	return check_done();
}
