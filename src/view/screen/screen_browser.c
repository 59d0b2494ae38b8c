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

static void push_level(struct wp_screen_browser *b, const struct wp_doc *doc, struct wp_doc *owned,
		       const struct wp_screen_opener *opener)
{
	struct wp_screen_level level = {.owned = owned, .opener = opener};

	wp_screen_pages_init(&level.pages, doc);
	wp_vec_push(&b->levels, level);
}

static void close_level(struct wp_screen_level *level)
{
	wp_screen_pages_deinit(&level->pages);
	wp_doc_free(level->owned);
}

static void pop_level(struct wp_screen_browser *b)
{
	close_level(&b->levels.v[--b->levels.n]);
}

/* Another document at a level, which is looked at as the former one was. */
static void replace_level(struct wp_screen_level *level, const struct wp_doc *doc,
			  struct wp_doc *owned)
{
	struct wp_screen_level former = *level;

	level->owned = owned;
	wp_screen_pages_init(&level->pages, doc);
	wp_screen_pages_follow(&level->pages, &former.pages);
	close_level(&former);
}

void wp_screen_browser_init(struct wp_screen_browser *browser, const struct wp_doc *doc,
			    const struct wp_screen_opener *opener, const struct wp_screen *screen)
{
	*browser = (struct wp_screen_browser){.screen = *screen};
	push_level(browser, doc, NULL, opener);
}

/* What was opened at another moment is opened again, as far as that can be. */
static void reopen_levels(struct wp_screen_browser *b)
{
	for (size_t i = 1; i < b->levels.n; i++) {
		struct wp_doc *doc = NULL;
		struct wp_screen_level *level = &b->levels.v[i];
		struct wp_err *err;

		level->opener = b->levels.v[0].opener;
		err = level->opener->open(level->opener->arg, &level->of, &doc);
		if (err) {
			say(b, err->text);
			wp_err_free(err);
			while (b->levels.n > i)
				pop_level(b);
			return;
		}
		replace_level(level, doc, doc);
	}
}

/* False: there is no such moment. */
static bool show_moment(struct wp_screen_browser *b, long by)
{
	struct wp_screen_moment moment;

	if (!b->moments->go(b->moments->arg, by, &moment))
		return false;
	b->levels.v[0].opener = moment.opener;
	replace_level(b->levels.v, moment.doc, NULL);
	reopen_levels(b);
	return true;
}

void wp_screen_browser_follow(struct wp_screen_browser *browser)
{
	if (!browser->is_held)
		show_moment(browser, WP_SCREEN_NEWEST);
}

void wp_screen_browser_say(struct wp_screen_browser *browser, const char *text)
{
	say(browser, text);
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

/* From the first document: false where no other one can be asked for. */
static bool ask_for_more(struct wp_screen_browser *b, enum wp_screen_more what)
{
	const struct wp_screen_opener *opener = b->levels.v[0].opener;

	if (b->levels.n > 1 || !opener || !opener->more)
		return false;
	b->more = what;
	b->awaits_more = true;
	say(b, "reading it again, for that ...");
	return true;
}

static void turn_to_tree(struct wp_screen_browser *b)
{
	if (!wp_screen_pages_next_tree(shown_pages(b)) && !ask_for_more(b, WP_SCREEN_TREE))
		say(b, b->levels.n > 1 ? "no call tree here: go back first"
				       : "no call tree: start it with -g");
}

static bool tells_threads_apart(const struct wp_screen_pages *pages)
{
	wp_vec_each (const struct wp_screen_page, page, &pages->v)
		for (size_t i = 0; page->table && i < page->table->n_columns; i++)
			if (strcmp(page->table->columns[i].heading, "thread") == 0)
				return true;
	return false;
}

/* NULL: the other document has what was asked for. */
static const char *why_no_more(struct wp_screen_browser *b)
{
	switch (b->more) {
	case WP_SCREEN_TREE:
		return wp_screen_pages_next_tree(shown_pages(b)) ? NULL : "no stacks were recorded";
	case WP_SCREEN_THREADS:
		return tells_threads_apart(shown_pages(b)) ? NULL : "no table tells threads apart";
	}
	return NULL;
}

void wp_screen_browser_work(struct wp_screen_browser *b)
{
	const struct wp_screen_opener *opener = b->levels.v[0].opener;
	struct wp_doc *doc = NULL;
	const char *why;
	struct wp_err *err;

	if (!b->awaits_more)
		return;
	b->awaits_more = false;
	err = opener->more(opener->arg, b->more, &doc, &opener);
	if (err) {
		say(b, err->text);
		wp_err_free(err);
		return;
	}
	push_level(b, doc, doc, opener);
	shown_pages(b)->at = wp_screen_pages_like(shown_pages(b), &b->levels.v[0].pages);
	why = why_no_more(b);
	if (why)
		pop_level(b);
	say(b, why ? why : "q goes back to the first report");
}

static void open_subject(struct wp_screen_browser *b)
{
	const struct wp_screen_row *row = wp_screen_page_row(shown_page(b));
	const struct wp_screen_opener *opener = b->levels.v[b->levels.n - 1].opener;
	struct wp_doc *doc = NULL;
	struct wp_subject subject;
	struct wp_err *err;

	if (!row || !row->subject.has_symbol || !opener) {
		say(b, "nothing more is known of this row");
		return;
	}
	if (b->levels.n >= LEVELS) {
		say(b, "go back first: this is as deep as it goes");
		return;
	}
	subject = row->subject; /* the row is no longer there when levels are pushed */
	err = opener->open(opener->arg, &subject, &doc);
	if (err) {
		say(b, err->text);
		wp_err_free(err);
		return;
	}
	push_level(b, doc, doc, opener);
	b->levels.v[b->levels.n - 1].of = subject;
	if (!wp_screen_page_find_line(shown_page(b), subject.line))
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

static bool has_moments(struct wp_screen_browser *b)
{
	if (!b->moments)
		say(b, "that is for what runs now: wperf top");
	return b->moments;
}

static void go_earlier(struct wp_screen_browser *b)
{
	if (!has_moments(b))
		return;
	if (show_moment(b, -1))
		b->is_held = true;
	else
		say(b, "nothing older is kept");
}

static void go_later(struct wp_screen_browser *b)
{
	if (has_moments(b) && !show_moment(b, 1))
		say(b, "this is the newest one");
}

static void pause_moments(struct wp_screen_browser *b)
{
	if (!has_moments(b))
		return;
	b->is_held = !b->is_held;
	wp_screen_browser_follow(b);
}

static void begin_write(struct wp_screen_browser *b)
{
	if (has_moments(b))
		begin_typing(b, WP_SCREEN_WRITES, NULL);
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
	if (!wp_screen_page_only(shown_page(b), "thread") && !ask_for_more(b, WP_SCREEN_THREADS))
		say(b, "this table does not tell threads apart: --threads");
}

/* What a key does; `name` and `help` are what the help says, NULL: what stands before it says it.
 * The first that fits is it. */
static const struct command {
	uint32_t key, also;
	const char *name, *help;
	bool of_moments; /* of what goes on only */
	void (*run)(struct wp_screen_browser *browser);
} commands[] = {
	{WP_KEY_UP, 'k', "up, down, k, j", "a row up, down", false, go_up},
	{WP_KEY_DOWN, 'j', NULL, NULL, false, go_down},
	{WP_KEY_PAGE_UP, 'b', "page up, page down, b, d", "a screen up, down", false, go_screen_up},
	{WP_KEY_PAGE_DOWN, 'd', NULL, NULL, false, go_screen_down},
	{WP_KEY_HOME, '^', "home, end, ^, G", "the first row, the last one", false, go_home},
	{WP_KEY_END, 'G', NULL, NULL, false, go_end},
	{WP_KEY_LEFT, '<', "left, right, <, >", "sideways, with whole names", false, go_left},
	{WP_KEY_RIGHT, '>', NULL, NULL, false, go_right},
	{'\t', WP_KEY_NONE, "tab, shift-tab", "the next page (its number is above), the one before",
	 false, turn_on},
	{WP_KEY_BACKTAB, WP_KEY_NONE, NULL, NULL, false, turn_back},
	{'\n', '\r', "enter", "more about the row: source, instructions, callers", false,
	 open_subject},
	{WP_KEY_BACKSPACE, 27, "backspace, escape", "back from there", false, go_back},
	{'g', WP_KEY_NONE, "g", "the call tree", false, turn_to_tree},
	{' ', '+', "space, +, *", "folds or unfolds a branch of a tree, or all", false,
	 fold_branch},
	{'*', WP_KEY_NONE, NULL, NULL, false, fold_branches},
	{'/', WP_KEY_NONE, "/, n, N", "searches a text; the next one, the one before", false,
	 begin_search},
	{'n', WP_KEY_NONE, NULL, NULL, false, search_on},
	{'N', WP_KEY_NONE, NULL, NULL, false, search_back},
	{'f', WP_KEY_NONE, "f", "filters: only rows that contain a text", false, begin_filter},
	{'s', WP_KEY_NONE, "s, r", "sorts by the next column, or the other way round", false,
	 sort_rows},
	{'r', WP_KEY_NONE, NULL, NULL, false, reverse_rows},
	{'e', WP_KEY_NONE, "e", "the next event", false, change_event},
	{'t', WP_KEY_NONE, "t", "only the thread of this row, or all again", false, choose_thread},
	{'x', WP_KEY_NONE, "x", "exports what is shown: FILE.csv, FILE.json or text", false,
	 begin_export},
	{'p', WP_KEY_NONE, "p", "pauses, or goes on with what is new", true, pause_moments},
	{'[', WP_KEY_NONE, "[, ]", "the interval before, the next one", true, go_earlier},
	{']', WP_KEY_NONE, NULL, NULL, true, go_later},
	{'w', WP_KEY_NONE, "w", "writes the last minutes as a recording", true, begin_write},
	{'?', 'h', "?, h", "this help", false, begin_help},
	{'q', WP_KEY_NONE, "q, Q", "back, and in the end quits; quits at once", false, quit_level},
	{'Q', WP_KEY_QUIT, NULL, NULL, false, quit_all},
};

void wp_screen_browser_help(const struct wp_screen_browser *browser, struct wp_str *out)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(commands); i++)
		if (commands[i].name && (browser->moments || !commands[i].of_moments))
			wp_str_printf(out, "  %-25s %s\n", commands[i].name, commands[i].help);
}

static void export_page(struct wp_screen_browser *b, const char *path)
{
	wp_autofree char *text = NULL;
	struct wp_err *err = wp_screen_save(shown_page(b), path);

	text = err ? wp_strdup(err->text) : wp_asprintf("written to %s", path);
	wp_err_free(err);
	say(b, text);
}

static void write_moments(struct wp_screen_browser *b, const char *path)
{
	wp_autofree char *text = NULL;
	struct wp_err *err = b->moments->write(b->moments->arg, path, &text);

	say(b, err ? err->text : text);
	wp_err_free(err);
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
	case WP_SCREEN_WRITES:
		if (*text)
			write_moments(b, text);
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
	b->awaits_more = false;
	if (key == WP_KEY_QUIT)
		quit_all(b);
	else if (b->mode == WP_SCREEN_HELPS)
		b->mode = WP_SCREEN_BROWSES;
	else if (b->mode == WP_SCREEN_BROWSES)
		run_command(b, key);
	else
		type_key(b, key);
}
