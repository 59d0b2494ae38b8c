/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_terminal_none: a build without ncurses has no screens; reports are text. */
#include "view/screen/screen_terminal.h"

bool wp_screen_terminal_is_possible(void)
{
	return false;
}

struct wp_err *wp_screen_terminal_open(const struct wp_screen *screen,
				       struct wp_screen_terminal **ret)
{
	(void)screen;
	(void)ret;
	return wp_err_new(WP_ERR_UNSUPPORTED, "this build of wperf has no screens (no ncurses)");
}

void wp_screen_terminal_close(struct wp_screen_terminal *terminal)
{
	(void)terminal;
}

void wp_screen_terminal_size(struct wp_screen_terminal *terminal, size_t *ret_columns,
			     size_t *ret_lines)
{
	(void)terminal;
	*ret_columns = *ret_lines = 0;
}

void wp_screen_terminal_show(struct wp_screen_terminal *terminal,
			     const struct wp_screen_frame *frame)
{
	(void)terminal;
	(void)frame;
}

uint32_t wp_screen_terminal_key(struct wp_screen_terminal *terminal, bool waits)
{
	(void)terminal;
	(void)waits;
	return WP_KEY_QUIT;
}
