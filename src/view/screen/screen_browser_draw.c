/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_browser_draw: what is seen of a browser: its page, and the last line, which tells how it
 * is looked at; see screen_browser.h. */
#include "view/cell_text.h"
#include "view/screen/screen_browser.h"

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
}

/* ", paused, 3 newer" */
static void put_moment_state(const struct wp_screen_browser *b, struct wp_str *out)
{
	size_t newer = b->moments && b->is_held ? b->moments->count_newer(b->moments->arg) : 0;

	if (b->is_held)
		wp_str_puts(out, ", paused");
	if (newer)
		wp_str_printf(out, ", %zu newer", newer);
}

static void put_looking_state(const struct wp_screen_browser *b, struct wp_str *out)
{
	put_page_state(wp_screen_pages_shown(&b->levels.v[b->levels.n - 1].pages), out);
	put_moment_state(b, out);
	wp_str_printf(out, "   ?: help  q: %s", b->levels.n > 1 ? "back" : "quit");
}

static void put_status(const struct wp_screen_browser *b, struct wp_str *out)
{
	static const char *const prompts[] = {
		[WP_SCREEN_SEARCHES] = " /",
		[WP_SCREEN_FILTERS] = " only rows with: ",
		[WP_SCREEN_EXPORTS] = " export to (.csv, .json, .txt): ",
		[WP_SCREEN_WRITES] = " write a recording to: ",
	};

	if (b->mode == WP_SCREEN_HELPS)
		wp_str_puts(out, " any key goes back");
	else if (b->mode != WP_SCREEN_BROWSES)
		wp_str_printf(out, "%s%s_", prompts[b->mode], b->typed.len ? b->typed.s : "");
	else if (b->message)
		wp_str_printf(out, " %s", b->message);
	else
		put_looking_state(b, out);
}

void wp_screen_browser_draw(struct wp_screen_browser *b, struct wp_screen_frame *ret)
{
	wp_autostr struct wp_str status = {0};
	wp_autostr struct wp_str help = {0};

	*ret = (struct wp_screen_frame){.lines = {0}};
	put_status(b, &status);
	if (b->mode == WP_SCREEN_HELPS) {
		wp_screen_browser_help(b, &help);
		wp_screen_frame_text(ret, help.s, status.s, &b->screen);
	} else {
		wp_screen_frame_draw(ret, &b->levels.v[b->levels.n - 1].pages, status.s,
				     &b->screen);
	}
}
