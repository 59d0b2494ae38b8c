/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Flame graphs, folded stacks and callgrind's format of a profile made by hand; what tools make of
 * them is in tests/live/test_export.sh.
 */
#include "golden.h"
#include "profile_fixture.h"
#include "text_check.h"

#include "aggregate/profile_frames.h"
#include "view/profile_tree.h"
#include "view/xml_text.h"

#define DEEP 16384

static const char *const formats[] = {"folded", "flame", "callgrind"};

static void render_sound(const char *format, const struct wp_profile *profile, struct wp_str *ret)
{
	render(format, profile, ret);
	CHECK(text_is_sound(format, ret));
}

/* As the session does for formats that have room for one event. */
static void keep_event(struct wp_profile *profile, uint32_t event)
{
	size_t kept = 0;

	for (size_t i = 0; i < profile->samples.n; i++)
		if (profile->samples.v[i].event == event) {
			profile->samples.v[kept] = profile->samples.v[i];
			profile->samples.v[kept++].event = 0;
		}
	profile->samples.n = kept;
	profile->events.v[0] = profile->events.v[event];
	profile->events.n = 1;
}

static void render_golden(const char *format, struct wp_str *ret)
{
	struct wp_profile profile;

	fixture_init(&profile);
	profile.lost = 3;
	if (wp_export_find(format)->one_event)
		keep_event(&profile, 0);
	render_sound(format, &profile, ret);
	fixture_deinit(&profile);
}

static void test_golden(void)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(formats); i++)
		golden_check(formats[i], render_golden);
}

/* Nothing in it, or a sample without a stack. */
static void test_empty(void)
{
	struct wp_profile none = {.command = "", .host = "", .arch = ""}, bare;

	fixture_bare(&bare);
	for (size_t i = 0; i < WP_ARRAY_LEN(formats); i++) {
		wp_autostr struct wp_str of_none = {0}, of_bare = {0};

		render_sound(formats[i], &none, &of_none);
		render_sound(formats[i], &bare, &of_bare);
		if (strcmp(formats[i], "flame") == 0) {
			CHECK(of_none.s && strstr(of_none.s, "</svg>"));
			CHECK(of_bare.s && strstr(of_bare.s, "</svg>"));
		} else if (strcmp(formats[i], "callgrind") == 0) {
			CHECK(of_none.s && strstr(of_none.s, "events:"));
			CHECK(of_bare.s && strstr(of_bare.s, "events: cycles"));
		} else {
			CHECK(!of_none.s || !*of_none.s);
		}
	}
	fixture_deinit(&bare);
}

/* Weights that no 64 bits hold as hundredths, and a stack as deep as any. */
static void test_large(void)
{
	struct wp_profile p = {.command = "x", .host = "", .arch = ""};
	uint32_t stack = WP_NO_STACK;

	wp_vec_push(&p.events, (struct wp_profile_event){"cycles", true});
	wp_vec_push(&p.threads, (struct wp_profile_thread){1, 1, "x", "x", 0, 0});
	fixture_frame(&p, "f", WP_SYMBOL_NATIVE, WP_NO_MODULE, 1);
	fixture_frame(&p, "g", WP_SYMBOL_JIT, WP_NO_MODULE, 2);
	for (uint32_t i = 0; i < DEEP; i++)
		stack = fixture_stack(&p, stack, i % 2);
	fixture_sample(&p, 0, UINT64_MAX / 2, 0, 0, stack);
	fixture_sample(&p, 0, 1, 0, 0, 0);
	for (size_t i = 0; i < WP_ARRAY_LEN(formats); i++) {
		wp_autostr struct wp_str got = {0};

		render_sound(formats[i], &p, &got);
		CHECK(got.len > 100);
	}
	fixture_deinit(&p);
}

static void test_tree(void)
{
	struct wp_profile profile;
	struct wp_profile_tree tree;
	const struct wp_tree_node *fib;

	fixture_init(&profile);
	keep_event(&profile, 0);
	wp_profile_tree_make(&profile, &tree);
	CHECK_U64(tree.nodes.v[0].total, 7000000);
	CHECK_U64(tree.nodes.v[0].samples, 7);
	CHECK_U64(tree.nodes.v[0].n_children, 3);
	CHECK_STR(wp_tree_label(&tree, tree.order.v[tree.nodes.v[0].children])->text, "app");
	for (fib = tree.nodes.v; tree.labels.v[fib->label].symbol != WP_SYMBOL_PYTHON;)
		fib++;
	CHECK_STR(tree.labels.v[fib->label].text, "fib (app.py:2)");
	CHECK_U64(fib->total, 2000000);
	CHECK_U64(fib->self, 1000000);
	CHECK_U64(fib->n_lines, 1);
	CHECK_U64(tree.lines.v[fib->lines].line, 3);
	CHECK_U64(tree.lines.v[fib->lines].weight, 2000000);
	wp_profile_tree_deinit(&tree);
	fixture_deinit(&profile);
}

/* Lines of a function are nodes of their own, of native code too. */
static void test_tree_by_line(void)
{
	static const char *const want[] = {"main (main.c:12)", "step (main.c:5)", "fib (app.py:3)"};
	struct wp_profile profile;
	struct wp_profile_tree tree;
	size_t found = 0;

	fixture_init(&profile);
	keep_event(&profile, 0);
	wp_profile_split_lines(&profile);
	wp_profile_tree_make(&profile, &tree);
	wp_vec_each (struct wp_tree_label, label, &tree.labels)
		for (size_t i = 0; i < WP_ARRAY_LEN(want); i++)
			found += strcmp(label->text, want[i]) == 0;
	CHECK_U64(found, WP_ARRAY_LEN(want));
	CHECK_U64(tree.nodes.v[0].total, 7000000);
	wp_profile_tree_deinit(&tree);
	fixture_deinit(&profile);
}

static void check_xml(const char *text, size_t columns, const char *want)
{
	wp_autostr struct wp_str got = {0};
	struct wp_writer *out = wp_writer_of_str(&got);

	wp_xml_text(out, text, columns);
	CHECK_OK(wp_writer_close(out));
	CHECK_STR(got.s ? got.s : "", want);
}

static void test_xml_text(void)
{
	check_xml("a<b> & \"c\"", SIZE_MAX, "a&lt;b&gt; &amp; &quot;c&quot;");
	check_xml("a<b", 2, "a&lt;");
	check_xml("\x01\xff\xed\xa0\x80", SIZE_MAX,
		  "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
	check_xml("\xef\xbf\xbe", SIZE_MAX, "\xef\xbf\xbd");
	check_xml("\xe6\xbc\xa2x", 2, "\xe6\xbc\xa2");
	check_xml("\xe6\xbc\xa2x", 1, "");
	CHECK_U64(wp_xml_columns("\xe6\xbc\xa2x\xc3\xa9"), 4);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return golden_print(argv[1], render_golden);
	RUN(test_golden);
	RUN(test_empty);
	RUN(test_large);
	RUN(test_tree);
	RUN(test_tree_by_line);
	RUN(test_xml_text);
	return check_done();
}
