/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * shorten: names and paths for a narrow screen.
 *
 * View stage. Pure functions: a text in, a shorter one appended to a string. Widths are screen
 * columns (base/utf8); what was left out is an ellipsis.
 */
#ifndef WP_SHORTEN_H
#define WP_SHORTEN_H

#include "base/str.h"
#include "core/screen.h"
#include "core/table.h"

/*
 * The form that loses next to nothing: of a path what is behind site-packages, dist-packages or
 * lib/pythonX.Y, else behind the current or (as ~/) the home folder; of a symbol its name with the
 * arguments of templates and functions folded: "std::map<...>::find(...)".
 */
void wp_shorten_gently(struct wp_str *out, const char *text, enum wp_fit fit,
		       const struct wp_screen *screen);
/*
 * At most so many columns: a path loses folders from its middle, then letters; a symbol letters
 * from the middle of its name, and of a long module's; a text its end. One that fits stays.
 */
void wp_shorten(struct wp_str *out, const char *text, enum wp_fit fit, size_t columns,
		const struct wp_screen *screen);
/* "===== words =====" with fewer of the signs around it; other texts stay as they are. */
void wp_shorten_headline(struct wp_str *out, const char *line, size_t length, size_t columns);

#endif
