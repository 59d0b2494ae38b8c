/* SPDX-License-Identifier: BSD-3-Clause */
/* Documents made by hand as pages, looked at on screens of several sizes. */
#include "check.h"

#include "base/utf8.h"
#include "view/screen/screen_frame.h"

static const struct wp_screen narrow = {.columns = 40, .lines = 8, .utf8 = true};

static void add_hot(struct wp_table *table, double pct, uint64_t count, const char *symbol,
		    uint32_t id)
{
	wp_table_add(table, (struct wp_cell[]){wp_cell_real(pct, 2), wp_cell_number(count),
					       wp_cell_str(symbol), wp_cell_str("main 7")});
	wp_table_subject(table, wp_subject_of(id, 10 * id));
}

static void add_event(struct wp_doc *doc, struct wp_node *events, const char *name)
{
	struct wp_node *event = wp_doc_object(doc, events, NULL);
	struct wp_table *table;

	wp_doc_prose(doc, event, "\n======================== hot functions: %s", name);
	wp_doc_prose(doc, event, " ========================\n");
	wp_doc_str(doc, event, "type", name);
	wp_doc_prose(doc, event, "waits: none\n");
	table = wp_doc_table(doc, event, "samples");
	wp_table_share_column(table, "overhead");
	wp_table_column(table, "count", WP_ALIGN_RIGHT);
	wp_table_symbol_column(table, "symbol", WP_ALIGN_LEFT);
	wp_table_text_column(table, "thread", WP_ALIGN_RAGGED);
	add_hot(table, 60, 9, "crc32:libz.so", 1);
	add_hot(table, 4, 20, "\33]0;evil\7:b\xff", 2);
	add_hot(table, 0.25, 100, "\xe6\xbc\xa2\xe5\xad\x97", 3);
	wp_doc_prose(doc, event, "  64.25%%  top 3 in total\n");
	wp_doc_table(doc, event, "hidden");
	event->last->only = WP_DATA_ONLY;
}

static void add_branch(struct wp_doc *doc, double pct, uint32_t depth, const char *text)
{
	struct wp_node *line = wp_doc_shares(doc, doc->root, pct, pct / 2, "|-- ", text);

	line->shares.depth = depth;
}

static struct wp_doc *make_doc(void)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_node *events = wp_doc_array(doc, doc->root, "events");

	add_event(doc, events, "cycles");
	add_event(doc, events, "faults");
	wp_doc_tree(doc, doc->root, "total", "self", "function and what it calls");
	add_branch(doc, 70, 0, "main");
	add_branch(doc, 40, 1, "parse");
	add_branch(doc, 30, 2, "next_token");
	add_branch(doc, 20, 1, "print");
	wp_doc_prose(doc, doc->root, "\n");
	add_branch(doc, 30, 0, "idle");
	wp_doc_prose(doc, doc->root, "\nnote: 3 samples lost\n");
	return doc;
}

/* The cursor's line begins with '>', marks are in brackets: hot [], warm (). */
static char *drawn(struct wp_screen_pages *pages, const struct wp_screen *screen)
{
	struct wp_screen_frame frame = {.lines = {0}};
	struct wp_str text = {0};

	wp_screen_frame_draw(&frame, pages, "status", screen);
	wp_vec_each (struct wp_screen_line, line, &frame.lines) {
		size_t at = 0;

		CHECK_U64(wp_utf8_width(line->text.s, line->text.len), screen->columns);
		wp_str_puts(&text, line->mark == WP_SCREEN_CURSOR ? ">" : " ");
		wp_vec_each (struct wp_screen_span, span, &line->spans) {
			bool hot = span->mark == WP_SCREEN_HOT;

			wp_str_append(&text, line->text.s + at, span->from - at);
			wp_str_putc(&text, hot ? '[' : '(');
			wp_str_append(&text, line->text.s + span->from, span->to - span->from);
			wp_str_putc(&text, hot ? ']' : ')');
			at = span->to;
		}
		wp_str_puts(&text, line->text.s + at);
		while (text.len && text.s[text.len - 1] == ' ')
			text.len--;
		wp_str_putc(&text, '\n');
	}
	wp_screen_frame_deinit(&frame);
	return text.s;
}

static void check_drawn(struct wp_screen_pages *pages, const struct wp_screen *screen,
			const char *want)
{
	wp_autofree char *got = drawn(pages, screen);

	CHECK_STR(got, want);
}

static void test_pages(void)
{
	struct wp_doc *doc = make_doc();
	struct wp_screen_pages pages;

	wp_screen_pages_init(&pages, doc);
	CHECK_U64(pages.v.n, 3);
	CHECK_STR(pages.v.v[0].title, "hot functions: cycles");
	CHECK_STR(pages.v.v[1].title, "hot functions: faults");
	CHECK_STR(pages.v.v[2].title, "function and what it calls");
	CHECK_U64(pages.v.v[0].rows.n, 5);
	CHECK(wp_screen_pages_next_group(&pages));
	CHECK_U64(pages.at, 1);
	CHECK(wp_screen_pages_next_group(&pages));
	CHECK_U64(pages.at, 0);
	wp_screen_pages_turn(&pages, -1);
	CHECK_U64(pages.at, 2);
	wp_screen_pages_turn(&pages, 2);
	CHECK_U64(pages.at, 1);
	wp_screen_pages_deinit(&pages);
	wp_doc_free(doc);
}

static void test_table_page(void)
{
	struct wp_doc *doc = make_doc();
	struct wp_screen_pages pages;
	struct wp_screen tiny = {.columns = 12, .lines = 2};
	struct wp_screen low = {.columns = 40, .lines = 5};

	wp_screen_pages_init(&pages, doc);
	check_drawn(&pages, &narrow,
		    "  1/3  hot functions: cycles\n"
		    "   overhead  count  symbol         thread\n"
		    " waits: none\n"
		    ">  [   60.00]      9  crc32:libz.so  main 7\n"
		    "   (    4.00)     20  ?]0;evil?:b?   main 7\n"
		    "       0.25    100  \xe6\xbc\xa2\xe5\xad\x97           main 7\n"
		    "   64.25%  top 3 in total\n"
		    " status\n");
	wp_screen_page_move(&pages.v.v[0], 2);
	check_drawn(&pages, &low,
		    "  1/3  hot functions: cycles\n"
		    "   overhead  count  symbol         thread\n"
		    "   (    4.00)     20  ?]0;evil?:b?   main 7\n"
		    ">      0.25    100  ????           main 7\n"
		    " status\n");
	wp_screen_page_move(&pages.v.v[0], 100);
	wp_screen_page_move(&pages.v.v[0], -100);
	CHECK_U64(pages.v.v[0].cursor, 0);
	free(drawn(&pages, &tiny));
	wp_screen_pages_deinit(&pages);
	wp_doc_free(doc);
}

static const char *cursor_text(struct wp_screen_page *page)
{
	static char text[64];
	wp_autostr struct wp_str row = {0};

	wp_screen_page_text(page, wp_screen_page_row(page), &row);
	snprintf(text, sizeof(text), "%s", row.s);
	return text;
}

static void test_sort_and_filter(void)
{
	struct wp_doc *doc = make_doc();
	struct wp_screen_pages pages;
	struct wp_screen_page *page;

	wp_screen_pages_init(&pages, doc);
	page = &pages.v.v[0];
	CHECK(!wp_screen_page_reverse(page));
	CHECK(wp_screen_page_sort_next(page)); /* overhead */
	CHECK(wp_screen_page_sort_next(page)); /* count, the greatest first */
	CHECK_STR(cursor_text(page), "60.00  9  crc32:libz.so  main 7");
	CHECK_U64(page->cursor, 3);
	CHECK_U64(wp_screen_page_row(page)->subject.symbol, 1);
	CHECK(wp_screen_page_reverse(page));
	CHECK_U64(page->cursor, 1);
	for (int i = 0; i < 3; i++)
		CHECK(wp_screen_page_sort_next(page));
	CHECK(!page->is_sorted);
	wp_screen_page_filter(page, "EVIL");
	CHECK_U64(page->visible.n, 3); /* and the notes */
	wp_screen_page_filter(page, NULL);
	CHECK(!wp_screen_page_only(page, "no such"));
	CHECK(wp_screen_page_only(page, "thread"));
	CHECK_U64(page->visible.n, 5);
	CHECK(wp_screen_page_only(page, "thread"));
	CHECK(!page->only);
	CHECK(!wp_screen_page_search(page, "nothing like it", false));
	CHECK(wp_screen_page_search(page, "crc", false));
	CHECK(wp_screen_page_search(page, "main", true));
	CHECK_STR(cursor_text(page), "0.25  100  \xe6\xbc\xa2\xe5\xad\x97  main 7");
	CHECK(wp_screen_page_find_line(page, 20));
	CHECK_U64(wp_screen_page_row(page)->subject.symbol, 2);
	CHECK(!wp_screen_page_find_line(page, 21));
	wp_screen_pages_deinit(&pages);
	wp_doc_free(doc);
}

static void test_tree_page(void)
{
	struct wp_doc *doc = make_doc();
	struct wp_screen_pages pages;
	struct wp_screen_page *page;

	wp_screen_pages_init(&pages, doc);
	wp_screen_pages_turn(&pages, 2);
	page = wp_screen_pages_shown(&pages);
	CHECK(!wp_screen_page_sort_next(page));
	page->cursor = 1;
	CHECK(wp_screen_page_fold(page));
	check_drawn(&pages, &narrow,
		    "  3/3  function and what it calls\n"
		    "   total    self    function and what it\n"
		    " [  70.00][   35.00]  - main\n"
		    ">[  40.00][   20.00]   + parse\n"
		    " [  20.00][   10.00]     print\n"
		    " [  30.00][   15.00]    idle\n"
		    " note: 3 samples lost\n"
		    " status\n");
	CHECK(wp_screen_page_fold(page));
	wp_screen_page_filter(page, "token");
	CHECK_U64(page->visible.n, 4); /* it, what it is below, and a note */
	wp_screen_page_filter(page, "");
	page->cursor = 2;
	CHECK(wp_screen_page_fold_all(page));
	CHECK_STR(cursor_text(page), "70.00  35.00  main");
	CHECK_U64(page->visible.n, 3);
	CHECK(wp_screen_page_fold_all(page));
	CHECK_U64(page->visible.n, 6);
	page->cursor = 5;
	CHECK(!wp_screen_page_fold(page));
	wp_screen_pages_deinit(&pages);
	wp_doc_free(doc);
}

static void test_empty(void)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_screen_pages pages;

	wp_doc_table(doc, doc->root, "empty");
	wp_screen_pages_init(&pages, doc);
	CHECK_U64(pages.v.n, 1);
	CHECK(!wp_screen_page_row(wp_screen_pages_shown(&pages)));
	CHECK(!wp_screen_pages_next_group(&pages));
	free(drawn(&pages, &narrow));
	wp_screen_pages_deinit(&pages);
	wp_doc_free(doc);
}

int main(void)
{
	RUN(test_pages);
	RUN(test_table_page);
	RUN(test_sort_and_filter);
	RUN(test_tree_page);
	RUN(test_empty);
	return check_done();
}
