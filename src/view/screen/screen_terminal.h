/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen_terminal: frames to a terminal, keys from it. One at a time: the terminal of the process.
 *
 * View stage, over ncurses; screen_terminal_none.c is there instead where that is not.
 */
#ifndef WP_SCREEN_TERMINAL_H
#define WP_SCREEN_TERMINAL_H

#include "view/screen/screen_browser.h"

struct wp_screen_terminal;

bool wp_screen_terminal_is_possible(void);
/* Takes the terminal of standard input and output. Until it is given back SIGINT and SIGTERM are a
 * key (WP_KEY_QUIT); a second one, and what ends a faulty program, gives it back first. */
struct wp_err *wp_screen_terminal_open(const struct wp_screen *screen,
				       struct wp_screen_terminal **ret) WP_MUST_CHECK;
/* Gives it back as it was; a signal that came meanwhile is then sent to who waits for it. */
void wp_screen_terminal_close(struct wp_screen_terminal *terminal);
void wp_screen_terminal_size(struct wp_screen_terminal *terminal, size_t *ret_columns,
			     size_t *ret_lines);
void wp_screen_terminal_show(struct wp_screen_terminal *terminal,
			     const struct wp_screen_frame *frame);
/* Waits for one; or, `waits` being false, WP_KEY_NONE when there is none yet. */
uint32_t wp_screen_terminal_key(struct wp_screen_terminal *terminal, bool waits);

#endif
