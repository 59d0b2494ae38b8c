/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_browser: see screen_browser.h. */
#include "view/screen/screen_browser.h"

#include "base/utf8.h"
#include "view/cell_text.h"
#include "view/screen/screen_save.h"

#include <stdlib.h>
#include <string.h>

#define LEVELS	    32	/* of documents opened from documents */
#define TYPED_BYTES 512 /* of what is searched, filtered by or written to */
#define STEP	    8	/* columns sideways */

static struct wp_screen_pages *shown_pages(const struct wp_screen_browser *b)
{
	return &b->levels.v[b->levels.n - 1].pages;
}

static struct wp_screen_page *shown_page(const struct wp_screen_browser *b)
{
	return wp_screen_pages_shown(shown_pages(b));
}

static void say(struct wp_screen_browser *b, const char *text)
{
	wp_autostr struct wp_str clean = {0};

	wp_cell_text_clean(&clean, text);
	free(b->message);
	b->message = wp_strdup(clean.s ? clean.s : "");
}

static void push_level(struct wp_screen_browser *b, const struct wp_doc *doc, struct wp_doc *owned)
{
	struct wp_screen_level level = {.owned = owned};

	wp_screen_pages_init(&level.pages, doc);
	wp_vec_push(&b->levels, level);
}

static void pop_level(struct wp_screen_browser *b)
{
	struct wp_screen_level *level = &b->levels.v[--b->levels.n];

	wp_screen_pages_deinit(&level->pages);
	wp_doc_free(level->owned);
}

void wp_screen_browser_init(struct wp_screen_browser *browser, const struct wp_doc *doc,
			    const struct wp_screen_opener *opener, const struct wp_screen *screen)
{
	*browser = (struct wp_screen_browser){.opener = opener, .screen = *screen};
	push_level(browser, doc, NULL);
}

void wp_screen_browser_replace(struct wp_screen_browser *browser, struct wp_doc *doc)
{
	struct wp_screen_level *first = browser->levels.v, former = *first;

	first->owned = doc;
	wp_screen_pages_init(&first->pages, doc);
	wp_screen_pages_follow(&first->pages, &former.pages);
	wp_screen_pages_deinit(&former.pages);
	wp_doc_free(former.owned);
}

void wp_screen_browser_deinit(struct wp_screen_browser *browser)
{
	while (browser->levels.n)
		pop_level(browser);
	wp_vec_deinit(&browser->levels);
	wp_str_deinit(&browser->typed);
	free(browser->wanted);
	free(browser->message);
}

static long one_screen(const struct wp_screen_browser *b)
{
	long height = (long)wp_screen_frame_height(shown_pages(b), &b->screen);

	return height > 1 ? height - 1 : 1;
}

static void go_up(struct wp_screen_browser *b)
{
	wp_screen_page_move(shown_page(b), -1);
}

static void go_down(struct wp_screen_browser *b)
{
	wp_screen_page_move(shown_page(b), 1);
}

static void go_screen_up(struct wp_screen_browser *b)
{
	wp_screen_page_move(shown_page(b), -one_screen(b));
}

static void go_screen_down(struct wp_screen_browser *b)
{
	wp_screen_page_move(shown_page(b), one_screen(b));
}

static void go_home(struct wp_screen_browser *b)
{
	wp_screen_page_move(shown_page(b), -(long)shown_page(b)->visible.n);
}

static void go_end(struct wp_screen_browser *b)
{
	wp_screen_page_move(shown_page(b), (long)shown_page(b)->visible.n);
}

static void go_left(struct wp_screen_browser *b)
{
	struct wp_screen_page *page = shown_page(b);

	page->shift -= page->shift < STEP ? page->shift : STEP;
}

static void go_right(struct wp_screen_browser *b)
{
	struct wp_screen_page *page = shown_page(b);

	page->shift += page->shift < UINT16_MAX ? STEP : 0;
}

static void turn_on(struct wp_screen_browser *b)
{
	wp_screen_pages_turn(shown_pages(b), 1);
}

static void turn_back(struct wp_screen_browser *b)
{
	wp_screen_pages_turn(shown_pages(b), -1);
}

static void open_subject(struct wp_screen_browser *b)
{
	const struct wp_screen_row *row = wp_screen_page_row(shown_page(b));
	struct wp_doc *doc = NULL;
	struct wp_err *err;
	uint32_t line;

	if (!row || !row->subject.has_symbol || !b->opener) {
		say(b, "nothing more is known of this row");
		return;
	}
	if (b->levels.n >= LEVELS) {
		say(b, "go back first: this is as deep as it goes");
		return;
	}
	line = row->subject.line;
	err = b->opener->open(b->opener->arg, &row->subject, &doc);
	if (err) {
		say(b, err->text);
		wp_err_free(err);
		return;
	}
	push_level(b, doc, doc);
	if (!wp_screen_page_find_line(shown_page(b), line))
		wp_screen_page_find_hottest(shown_page(b));
}

static void go_back(struct wp_screen_browser *b)
{
	if (b->levels.n > 1)
		pop_level(b);
	else
		say(b, "this is where it began; q quits");
}

static void quit_level(struct wp_screen_browser *b)
{
	if (b->levels.n > 1)
		pop_level(b);
	else
		b->is_done = true;
}

static void quit_all(struct wp_screen_browser *b)
{
	b->is_done = true;
}

static void begin_typing(struct wp_screen_browser *b, enum wp_screen_mode mode, const char *text)
{
	b->mode = mode;
	b->typed.len = 0;
	wp_str_puts(&b->typed, text ? text : "");
}

static void begin_search(struct wp_screen_browser *b)
{
	begin_typing(b, WP_SCREEN_SEARCHES, NULL);
}

static void begin_filter(struct wp_screen_browser *b)
{
	begin_typing(b, WP_SCREEN_FILTERS, shown_page(b)->filter);
}

static void begin_export(struct wp_screen_browser *b)
{
	begin_typing(b, WP_SCREEN_EXPORTS, NULL);
}

static void begin_help(struct wp_screen_browser *b)
{
	b->mode = WP_SCREEN_HELPS;
}

static void search_again(struct wp_screen_browser *b, bool backwards)
{
	wp_autofree char *text = NULL;

	if (!b->wanted) {
		say(b, "/ searches");
	} else if (!wp_screen_page_search(shown_page(b), b->wanted, backwards)) {
		text = wp_asprintf("not on this page: %s", b->wanted);
		say(b, text);
	}
}

static void search_on(struct wp_screen_browser *b)
{
	search_again(b, false);
}

static void search_back(struct wp_screen_browser *b)
{
	search_again(b, true);
}

static void sort_rows(struct wp_screen_browser *b)
{
	if (!wp_screen_page_sort_next(shown_page(b)))
		say(b, "this page has no table to sort");
}

static void reverse_rows(struct wp_screen_browser *b)
{
	if (!wp_screen_page_reverse(shown_page(b)))
		say(b, "s sorts first");
}

static void fold_branch(struct wp_screen_browser *b)
{
	if (!wp_screen_page_fold(shown_page(b)))
		say(b, "nothing is below this row");
}

static void fold_branches(struct wp_screen_browser *b)
{
	if (!wp_screen_page_fold_all(shown_page(b)))
		say(b, "this page has no tree");
}

static void change_event(struct wp_screen_browser *b)
{
	if (!wp_screen_pages_next_group(shown_pages(b)))
		say(b, "there is one event");
}

static void choose_thread(struct wp_screen_browser *b)
{
	if (!wp_screen_page_only(shown_page(b), "thread"))
		say(b, "this table does not tell threads apart: --threads");
}

/* What a key does; `name` and `help` are what the help says. The first that fits is it. */
static const struct command {
	uint32_t key, also;
	const char *name, *help;
	void (*run)(struct wp_screen_browser *browser);
} commands[] = {
	{WP_KEY_UP, 'k', "up, k", "a row up", go_up},
	{WP_KEY_DOWN, 'j', "down, j", "a row down", go_down},
	{WP_KEY_PAGE_UP, 'b', "page up, b", "a screen up", go_screen_up},
	{WP_KEY_PAGE_DOWN, 'd', "page down, d", "a screen down", go_screen_down},
	{WP_KEY_HOME, 'g', "home, g", "the first row", go_home},
	{WP_KEY_END, 'G', "end, G", "the last row", go_end},
	{WP_KEY_LEFT, '<', "left, <", "sideways to the left", go_left},
	{WP_KEY_RIGHT, '>', "right, >", "... and right, with whole names", go_right},
	{'\t', WP_KEY_NONE, "tab", "the next page (its number is above)", turn_on},
	{WP_KEY_BACKTAB, 'p', "shift-tab, p", "the page before", turn_back},
	{'\n', '\r', "enter", "more about the row: source, instructions, callers", open_subject},
	{WP_KEY_BACKSPACE, 27, "backspace, escape", "back from there", go_back},
	{' ', '+', "space, +", "folds or unfolds a branch of a tree", fold_branch},
	{'*', WP_KEY_NONE, "*", "... all of them", fold_branches},
	{'/', WP_KEY_NONE, "/", "searches a text, whatever the case", begin_search},
	{'n', WP_KEY_NONE, "n", "... the next one", search_on},
	{'N', WP_KEY_NONE, "N", "... the one before", search_back},
	{'f', WP_KEY_NONE, "f", "filters: only rows that contain a text", begin_filter},
	{'s', WP_KEY_NONE, "s", "sorts by the next column", sort_rows},
	{'r', WP_KEY_NONE, "r", "... the other way round", reverse_rows},
	{'e', WP_KEY_NONE, "e", "the next event", change_event},
	{'t', WP_KEY_NONE, "t", "only the thread of this row, or all again", choose_thread},
	{'x', WP_KEY_NONE, "x", "exports what is shown: FILE.csv, FILE.json or text", begin_export},
	{'?', 'h', "?, h", "this help", begin_help},
	{'q', WP_KEY_NONE, "q", "back; in the end it quits", quit_level},
	{'Q', WP_KEY_QUIT, "Q, Ctrl-C", "quits", quit_all},
};

void wp_screen_browser_help(struct wp_str *out)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(commands); i++)
		wp_str_printf(out, "  %-18s %s\n", commands[i].name, commands[i].help);
}

static void export_page(struct wp_screen_browser *b, const char *path)
{
	wp_autofree char *text = NULL;
	struct wp_err *err = wp_screen_save(shown_page(b), path);

	text = err ? wp_strdup(err->text) : wp_asprintf("written to %s", path);
	wp_err_free(err);
	say(b, text);
}

static void finish_typing(struct wp_screen_browser *b)
{
	const char *text = b->typed.len ? b->typed.s : "";

	switch (b->mode) {
	case WP_SCREEN_SEARCHES:
		if (*text) {
			free(b->wanted);
			b->wanted = wp_strdup(text);
		}
		search_again(b, false);
		break;
	case WP_SCREEN_FILTERS: wp_screen_page_filter(shown_page(b), text); break;
	case WP_SCREEN_EXPORTS:
		if (*text)
			export_page(b, text);
		break;
	default: break;
	}
	b->mode = WP_SCREEN_BROWSES;
}

/* The last character, all its bytes. */
static void rub_out(struct wp_str *typed)
{
	while (typed->len && ((unsigned char)typed->s[typed->len - 1] & 0xc0) == 0x80)
		typed->len--;
	typed->len -= typed->len != 0;
	if (typed->s)
		typed->s[typed->len] = '\0';
}

static void type_key(struct wp_screen_browser *b, uint32_t key)
{
	char bytes[WP_UTF8_MAX];

	if (key == '\n' || key == '\r')
		finish_typing(b);
	else if (key == 27)
		b->mode = WP_SCREEN_BROWSES;
	else if (key == WP_KEY_BACKSPACE)
		rub_out(&b->typed);
	else if (key >= ' ' && key < WP_KEY_NONE && (key < 0x7f || key > 0x9f) &&
		 b->typed.len < TYPED_BYTES)
		wp_str_append(&b->typed, bytes, wp_utf8_put(bytes, key));
}

static void run_command(struct wp_screen_browser *b, uint32_t key)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(commands); i++)
		if (commands[i].key == key || commands[i].also == key) {
			commands[i].run(b);
			return;
		}
	say(b, "? tells what the keys do");
}

void wp_screen_browser_key(struct wp_screen_browser *b, uint32_t key)
{
	if (key == WP_KEY_NONE || key == WP_KEY_RESIZE)
		return;
	free(b->message);
	b->message = NULL;
	if (key == WP_KEY_QUIT)
		quit_all(b);
	else if (b->mode == WP_SCREEN_HELPS)
		b->mode = WP_SCREEN_BROWSES;
	else if (b->mode == WP_SCREEN_BROWSES)
		run_command(b, key);
	else
		type_key(b, key);
}

/* " 3 of 50 rows, sorted by count, with "json"" */
static void put_page_state(const struct wp_screen_page *page, struct wp_str *out)
{
	size_t at = page->visible.n ? page->cursor + 1 : 0;

	wp_str_printf(out, " %zu of %zu", at, page->visible.n);
	if (page->is_sorted) {
		wp_str_puts(out, page->is_descending ? ", falling " : ", rising ");
		wp_cell_text_clean(out, page->table->columns[page->sort_column].heading);
	}
	if (page->filter)
		wp_str_printf(out, ", with \"%s\"", page->filter);
	if (page->only)
		wp_str_printf(out, ", thread %s", page->only);
	wp_str_puts(out, "   ?: help  q: ");
}

static void put_status(const struct wp_screen_browser *b, struct wp_str *out)
{
	static const char *const prompts[] = {
		[WP_SCREEN_SEARCHES] = " /",
		[WP_SCREEN_FILTERS] = " only rows with: ",
		[WP_SCREEN_EXPORTS] = " export to (.csv, .json, .txt): ",
	};

	if (b->mode == WP_SCREEN_HELPS)
		wp_str_puts(out, " any key goes back");
	else if (b->mode != WP_SCREEN_BROWSES)
		wp_str_printf(out, "%s%s_", prompts[b->mode], b->typed.len ? b->typed.s : "");
	else if (b->message)
		wp_str_printf(out, " %s", b->message);
	else
		put_page_state(shown_page(b), out);
	if (b->mode == WP_SCREEN_BROWSES && !b->message)
		wp_str_puts(out, b->levels.n > 1 ? "back" : "quit");
}

void wp_screen_browser_draw(struct wp_screen_browser *b, struct wp_screen_frame *ret)
{
	wp_autostr struct wp_str status = {0};
	wp_autostr struct wp_str help = {0};

	*ret = (struct wp_screen_frame){.lines = {0}};
	put_status(b, &status);
	if (b->mode == WP_SCREEN_HELPS) {
		wp_screen_browser_help(&help);
		wp_screen_frame_text(ret, help.s, status.s, &b->screen);
	} else {
		wp_screen_frame_draw(ret, shown_pages(b), status.s, &b->screen);
	}
}
