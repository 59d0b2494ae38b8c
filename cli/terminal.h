/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal: what standard output is shown on: its width, colours and characters. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include "session/session.h"

/*
 * From --color, --width, --wide and the terminal; what is no terminal has no width.
 * `knows_colours`: what is between us and the terminal passes them on. Strings live as long as the
 * environment and until the next call.
 */
void terminal_look(const struct wp_session_options *options, bool knows_colours,
		   struct wp_screen *ret);

#endif
