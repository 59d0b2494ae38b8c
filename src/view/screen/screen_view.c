/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_view: see screen_view.h. */
#include "view/screen/screen_view.h"

#include "view/screen/screen_terminal.h"

bool wp_screen_view_is_possible(void)
{
	return wp_screen_terminal_is_possible();
}

static void show_frame(struct wp_screen_terminal *terminal, struct wp_screen_browser *browser)
{
	struct wp_screen_frame frame;

	wp_screen_terminal_size(terminal, &browser->screen.columns, &browser->screen.lines);
	wp_screen_browser_draw(browser, &frame);
	wp_screen_terminal_show(terminal, &frame);
	wp_screen_frame_deinit(&frame);
}

struct wp_err *wp_screen_view_show(const struct wp_doc *doc, const struct wp_screen_opener *opener)
{
	struct wp_screen_terminal *terminal;
	struct wp_screen_browser browser;

	TRY(wp_screen_terminal_open(&doc->screen, &terminal));
	wp_screen_browser_init(&browser, doc, opener, &doc->screen);
	while (!browser.is_done) {
		show_frame(terminal, &browser);
		wp_screen_browser_key(&browser, wp_screen_terminal_key(terminal, true));
		if (!browser.awaits_more)
			continue;
		show_frame(terminal, &browser);
		wp_screen_browser_work(&browser);
	}
	wp_screen_browser_deinit(&browser);
	wp_screen_terminal_close(terminal);
	return NULL;
}
