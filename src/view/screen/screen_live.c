/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_live: see screen_live.h. */
#include "view/screen/screen_live.h"

#include "view/screen/screen_terminal.h"

#include <stdlib.h>

struct wp_screen_live {
	struct wp_screen_terminal *terminal;
	struct wp_screen_browser browser;
	struct wp_doc *nothing; /* what there is before the first */
};

static void show_live(struct wp_screen_live *live)
{
	struct wp_screen *screen = &live->browser.screen;
	struct wp_screen_frame frame;

	wp_screen_terminal_size(live->terminal, &screen->columns, &screen->lines);
	wp_screen_browser_draw(&live->browser, &frame);
	wp_screen_terminal_show(live->terminal, &frame);
	wp_screen_frame_deinit(&frame);
}

static struct wp_err *open_live(const struct wp_screen_moments *moments,
				const struct wp_screen *screen, struct wp_screen_live **ret)
{
	struct wp_screen_terminal *terminal;
	struct wp_screen_live *live;

	TRY(wp_screen_terminal_open(screen, &terminal));
	live = wp_calloc(1, sizeof(*live));
	live->terminal = terminal;
	live->nothing = wp_doc_new();
	wp_screen_browser_init(&live->browser, live->nothing, NULL, screen);
	live->browser.moments = moments;
	*ret = live;
	return NULL;
}

struct wp_err *wp_screen_live_show(struct wp_screen_live **live,
				   const struct wp_screen_moments *moments,
				   const struct wp_screen *screen)
{
	if (!*live)
		TRY(open_live(moments, screen, live));
	wp_screen_browser_follow(&(*live)->browser);
	show_live(*live);
	return NULL;
}

bool wp_screen_live_look(struct wp_screen_live *live)
{
	uint32_t key;
	bool any = false;

	while (!live->browser.is_done &&
	       (key = wp_screen_terminal_key(live->terminal, false)) != WP_KEY_NONE) {
		wp_screen_browser_key(&live->browser, key);
		any = true;
	}
	if (any && !live->browser.is_done)
		show_live(live);
	return !live->browser.is_done;
}

void wp_screen_live_linger(struct wp_screen_live *live, const char *text)
{
	wp_screen_browser_say(&live->browser, text);
	while (!live->browser.is_done) {
		show_live(live);
		wp_screen_browser_key(&live->browser, wp_screen_terminal_key(live->terminal, true));
	}
}

void wp_screen_live_close(struct wp_screen_live *live)
{
	if (!live)
		return;
	wp_screen_browser_deinit(&live->browser);
	wp_screen_terminal_close(live->terminal);
	wp_doc_free(live->nothing);
	free(live);
}
