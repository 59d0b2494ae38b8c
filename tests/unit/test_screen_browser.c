/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys, one after the other, and what is seen then; whatever is typed, the browser stands. */
#include "check.h"

#include "base/utf8.h"
#include "view/screen/screen_browser.h"

#include <unistd.h>

static const struct wp_screen size = {.columns = 44, .lines = 7, .utf8 = true};

static struct wp_doc *make_doc(const char *name, uint32_t symbol)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_table *table;

	for (int i = 0; i < 2; i++) {
		wp_doc_prose(doc, doc->root, "======== %s %d ========\n", name, i);
		table = wp_doc_table(doc, doc->root, "t");
		wp_table_share_column(table, "share");
		wp_table_column(table, "thread", WP_ALIGN_LEFT);
		wp_table_symbol_column(table, "symbol", WP_ALIGN_RAGGED);
		for (uint32_t row = 0; row < 6; row++) {
			wp_table_add(table, (struct wp_cell[]){
						    wp_cell_real(row == 3 ? 50 : row, 2),
						    wp_cell_str(row % 2 ? "odd" : "even"),
						    wp_cell_str(wp_arena_printf(
							    &doc->arena, "%s_%u", name, row)),
					    });
			if (row)
				wp_table_subject(table, wp_subject_of(symbol, row == 1 ? 1 : 0));
		}
	}
	return doc;
}

static struct wp_err *open_one(void *arg, const struct wp_subject *subject, struct wp_doc **ret)
{
	int *opened = arg;

	if (++*opened > 40)
		return wp_err_new(WP_ERR_OTHER, "enough\33[2J");
	*ret = make_doc("deeper", subject->symbol + 1);
	return NULL;
}

/* There are two other documents: a tree, and one that is not what was asked for. */
static struct wp_err *make_more(void *arg, enum wp_screen_more what, struct wp_doc **ret,
				const struct wp_screen_opener **ret_opener)
{
	(void)arg;
	(void)ret_opener;
	*ret = make_doc("more", 9);
	if (what == WP_SCREEN_TREE) {
		wp_doc_prose(*ret, (*ret)->root, "======== calls ========\n");
		wp_doc_tree(*ret, (*ret)->root, "total", "self", "function");
		wp_doc_shares(*ret, (*ret)->root, 50, 5, "", "main");
	}
	return NULL;
}

static void press_keys(struct wp_screen_browser *b, const char *keys)
{
	for (; *keys; keys++)
		wp_screen_browser_key(b, (unsigned char)*keys);
}

/* A line of the frame without the blanks at its end; the last is number 6. */
static const char *seen(struct wp_screen_browser *b, size_t number)
{
	static char text[256];
	struct wp_screen_frame frame;
	size_t n = 0;

	wp_screen_browser_draw(b, &frame);
	CHECK_U64(frame.lines.n, size.lines);
	if (number < frame.lines.n)
		n = (size_t)snprintf(text, sizeof(text), "%s", frame.lines.v[number].text.s);
	while (n && text[n - 1] == ' ')
		text[--n] = '\0';
	wp_screen_frame_deinit(&frame);
	return text;
}

static void test_moving(struct wp_screen_browser *b)
{
	CHECK_STR(seen(b, 0), " 1/2  top 0");
	CHECK_STR(seen(b, 6), " 1 of 6   ?: help  q: quit");
	press_keys(b, "G");
	CHECK_STR(seen(b, 5), "   5.00  odd     top_5");
	press_keys(b, "^j\t");
	CHECK_STR(seen(b, 0), " 2/2  top 1");
	press_keys(b, "\t");
	CHECK_STR(seen(b, 6), " 2 of 6   ?: help  q: quit");
	press_keys(b, ">");
	CHECK_STR(seen(b, 2), " even    top_0");
	press_keys(b, "<<k");
	CHECK_STR(seen(b, 2), "   0.00  even    top_0");
}

static void test_words(struct wp_screen_browser *b)
{
	press_keys(b, "/TOP_4");
	CHECK_STR(seen(b, 6), " /TOP_4_");
	press_keys(b, "\n");
	CHECK_STR(seen(b, 6), " 5 of 6   ?: help  q: quit");
	press_keys(b, "/none\n");
	CHECK_STR(seen(b, 6), " not on this page: none");
	press_keys(b, "f");
	wp_screen_browser_key(b, 0x6f22);
	CHECK_STR(seen(b, 6), " only rows with: \xe6\xbc\xa2_");
	wp_screen_browser_key(b, WP_KEY_BACKSPACE);
	wp_screen_browser_key(b, WP_KEY_BACKSPACE);
	press_keys(b, "odd\n");
	CHECK_STR(seen(b, 6), " 1 of 3, with \"odd\"   ?: help  q: quit");
	press_keys(b, "s");
	CHECK_STR(seen(b, 2), "  50.00  odd     top_3");
	press_keys(b, "fx\33tt\1");
	CHECK_STR(seen(b, 6), " ? tells what the keys do");
	press_keys(b, "f");
	for (int i = 0; i < 3; i++)
		wp_screen_browser_key(b, WP_KEY_BACKSPACE);
	press_keys(b, "\nsss");
	CHECK_STR(seen(b, 2), "   0.00  even    top_0");
	press_keys(b, "?");
	CHECK_STR(seen(b, 0), "  up, down, k, j            a row up, down");
	CHECK_STR(seen(b, 6), " any key goes back");
	press_keys(b, "qer *");
	CHECK_STR(seen(b, 6), " this page has no tree");
}

static void test_opening(struct wp_screen_browser *b)
{
	press_keys(b, "^\n");
	CHECK_STR(seen(b, 6), " nothing more is known of this row");
	press_keys(b, "j\n");
	CHECK_STR(seen(b, 0), " 1/2  deeper 0");
	CHECK_STR(seen(b, 6), " 2 of 6   ?: help  q: back"); /* the line */
	press_keys(b, "j\n");
	CHECK_STR(seen(b, 6), " 4 of 6   ?: help  q: back"); /* the hottest */
	for (int i = 0; i < 40; i++)
		press_keys(b, "\n");
	CHECK_STR(seen(b, 6), " go back first: this is as deep as it goes");
	CHECK_U64(b->levels.n, 32);
	for (int i = 0; i < 31; i++)
		press_keys(b, "\33");
	CHECK_STR(seen(b, 0), " 1/2  top 0");
	press_keys(b, "\33");
	CHECK_STR(seen(b, 6), " this is where it began; q quits");
	for (int i = 0; i < 9; i++)
		press_keys(b, "\nq");
	CHECK_STR(seen(b, 6), " 2 of 6   ?: help  q: quit");
	press_keys(b, "\n");
	CHECK_STR(seen(b, 6), " enough?[2J");
	CHECK(!b->is_done);
}

static void test_exporting(struct wp_screen_browser *b)
{
	char path[] = "/tmp/wperf_screen_XXXXXX", line[64] = "";
	int fd = mkstemp(path);
	FILE *file;

	press_keys(b, "x\n");
	CHECK_STR(seen(b, 6), " 2 of 6   ?: help  q: quit");
	press_keys(b, "x");
	press_keys(b, path);
	press_keys(b, "\n");
	CHECK(strstr(seen(b, 6), "Unable to open"));
	close(fd);
	unlink(path);
	press_keys(b, "fodd\nx");
	press_keys(b, path);
	press_keys(b, "\n");
	file = fopen(path, "r");
	CHECK(file && fgets(line, sizeof(line), file));
	CHECK_STR(line, "======== top 0 ========\n");
	if (file)
		fclose(file);
	unlink(path);
}

/* What the document does not have is made when it is asked for, and only then. */
static void test_more(struct wp_screen_browser *b, struct wp_screen_opener *opener)
{
	press_keys(b, "g");
	CHECK_STR(seen(b, 6), " no call tree: start it with -g");
	opener->more = make_more;
	press_keys(b, "g");
	CHECK_STR(seen(b, 6), " reading it again, for that ...");
	CHECK(b->awaits_more);
	wp_screen_browser_work(b);
	CHECK_STR(seen(b, 0), " 3/3  calls");
	CHECK_STR(seen(b, 6), " q goes back to the first report");
	press_keys(b, "q");
	CHECK_STR(seen(b, 0), " 1/2  top 0");
	press_keys(b, "gk");
	CHECK(!b->awaits_more);
	wp_screen_browser_work(b);
	CHECK_STR(seen(b, 0), " 1/2  top 0");
	opener->more = NULL;
}

/* Three moments: one document in each. */
struct moments {
	struct wp_doc *docs[3];
	size_t n, at;
	const struct wp_screen_opener *opener;
	char written[64];
};

static bool go_to_moment(void *arg, long by, struct wp_screen_moment *ret)
{
	struct moments *m = arg;
	long to = by == WP_SCREEN_NEWEST ? (long)m->n - 1 : (long)m->at + by;

	if (to < 0 || to >= (long)m->n || to == (long)m->at)
		return false;
	m->at = (size_t)to;
	*ret = (struct wp_screen_moment){m->docs[m->at], m->opener};
	return true;
}

static size_t count_newer_moments(void *arg)
{
	const struct moments *m = arg;

	return m->n - 1 - m->at;
}

static struct wp_err *write_moments(void *arg, const char *path, char **ret)
{
	struct moments *m = arg;

	snprintf(m->written, sizeof(m->written), "%s", path);
	if (strcmp(path, "bad") == 0)
		return wp_err_new(WP_ERR_OTHER, "no");
	*ret = wp_asprintf("%zu in %s", m->n, path);
	return NULL;
}

static struct wp_doc *make_new_doc(void)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_table *table;

	wp_doc_prose(doc, doc->root, "12:00:00 a new one\n");
	for (int i = 0; i < 2; i++) {
		wp_doc_prose(doc, doc->root, "\n======== %s 1 ========\n", i ? "top" : "before");
		table = wp_doc_table(doc, doc->root, "t");
		wp_table_share_column(table, "share");
		wp_table_column(table, "thread", WP_ALIGN_LEFT);
		wp_table_symbol_column(table, "symbol", WP_ALIGN_RAGGED);
		for (int row = 0; row < 3; row++) {
			wp_table_add(table, (struct wp_cell[]){wp_cell_real(row, 2),
							       wp_cell_str(row ? "even" : "odd"),
							       wp_cell_str("now")});
			wp_table_subject(table, wp_subject_of(7, 0));
		}
	}
	return doc;
}

/* Another document: what is looked at stays; the line above all is on every page. */
static void test_following(struct wp_screen_browser *b, struct moments *m)
{
	press_keys(b, "f");
	for (int i = 0; i < 3; i++)
		wp_screen_browser_key(b, WP_KEY_BACKSPACE);
	press_keys(b, "\n\tssjtjj");
	CHECK_STR(seen(b, 6), " 3 of 3, rising thread, thread even   ?: hel");
	m->docs[m->n++] = make_new_doc();
	wp_screen_browser_follow(b);
	CHECK_STR(seen(b, 0), " 2/2  top 1");
	CHECK_STR(seen(b, 1), "12:00:00 a new one");
	CHECK_STR(seen(b, 3), "   1.00  even    now");
	CHECK_STR(seen(b, 6), " 2 of 2, rising thread, thread even   ?: hel");
	m->docs[m->n++] = make_doc("other", 0);
	wp_screen_browser_follow(b);
	CHECK_STR(seen(b, 0), " 1/2  other 0");
	CHECK_STR(seen(b, 6), " 1 of 6   ?: help  q: quit");
}

/* What was opened is opened again at another moment; the user goes back and stays there. */
static void test_moments(struct wp_screen_browser *b, struct moments *m)
{
	press_keys(b, "]");
	CHECK_STR(seen(b, 6), " this is the newest one");
	press_keys(b, "[");
	CHECK_STR(seen(b, 1), "12:00:00 a new one");
	CHECK_STR(seen(b, 6), " 1 of 3, paused, 1 newer   ?: help  q: quit");
	wp_screen_browser_follow(b);
	CHECK_STR(seen(b, 1), "12:00:00 a new one");
	press_keys(b, "\nj");
	CHECK_STR(seen(b, 0), " 1/2  deeper 0");
	press_keys(b, "[[");
	CHECK_STR(seen(b, 6), " nothing older is kept");
	CHECK_STR(seen(b, 0), " 1/2  deeper 0");
	press_keys(b, "p");
	CHECK_STR(seen(b, 0), " 1/2  deeper 0");
	CHECK_STR(seen(b, 6), " 5 of 6   ?: help  q: back");
	press_keys(b, "q");
	CHECK_STR(seen(b, 0), " 1/2  other 0");
	press_keys(b, "p");
	CHECK_STR(seen(b, 6), " 1 of 6, paused   ?: help  q: quit");
	press_keys(b, "pw\nwx.data\n");
	CHECK_STR(m->written, "x.data");
	CHECK_STR(seen(b, 6), " 3 in x.data");
	press_keys(b, "wbad\n");
	CHECK_STR(seen(b, 6), " no");
}

/* Any keys in any order, also those that no terminal has; the file names typed by chance are in no
 * folder. */
static void test_anything(struct wp_screen_browser *b)
{
	uint64_t state = 1;

	for (int i = 0; i < 20000 && !b->is_done; i++) {
		uint32_t key;

		state = state * 6364136223846793005u + 1442695040888963407u;
		key = (uint32_t)(state >> 33) % 3 ? (uint32_t)(state >> 40) % 128
						  : WP_KEY_NONE + (uint32_t)(state >> 40) % 12;
		if (key == 'x' || key == 'q' || key == 'Q')
			continue;
		b->screen.columns = state >> 20 & 127;
		b->screen.lines = 1 + (state >> 12 & 31);
		wp_screen_browser_key(b, key);
		struct wp_screen_frame frame;

		wp_screen_browser_draw(b, &frame);
		wp_vec_each (struct wp_screen_line, line, &frame.lines)
			if (line->text.s &&
			    wp_utf8_width(line->text.s, line->text.len) != b->screen.columns)
				CHECK(!"a line is as wide as the screen");
		wp_screen_frame_deinit(&frame);
	}
	wp_screen_browser_key(b, WP_KEY_QUIT);
	CHECK(b->is_done);
}

int main(void)
{
	int opened = 0;
	struct wp_screen_opener opener = {.open = open_one, .arg = &opened};
	struct wp_doc *doc = make_doc("top", 0);
	struct moments m = {.docs = {doc}, .n = 1, .opener = &opener};
	const struct wp_screen_moments moments = {
		.go = go_to_moment,
		.count_newer = count_newer_moments,
		.write = write_moments,
		.arg = &m,
	};
	struct wp_screen_browser b;

	wp_screen_browser_init(&b, doc, &opener, &size);
	test_moving(&b);
	test_words(&b);
	test_opening(&b);
	test_exporting(&b);
	press_keys(&b, "p");
	CHECK_STR(seen(&b, 6), " that is for what runs now: wperf top");
	press_keys(&b, "fnothing\n");
	test_more(&b, &opener);
	press_keys(&b, "f");
	for (int i = 0; i < 7; i++)
		wp_screen_browser_key(&b, WP_KEY_BACKSPACE);
	press_keys(&b, "odd\n");
	b.moments = &moments;
	test_following(&b, &m);
	opened = 0;
	test_moments(&b, &m);
	opened = 0;
	test_anything(&b);
	wp_screen_browser_deinit(&b);
	for (size_t i = 0; i < m.n; i++)
		wp_doc_free(m.docs[i]);
	return check_done();
}
