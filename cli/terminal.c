/* SPDX-License-Identifier: BSD-3-Clause */
/* terminal: see terminal.h. */
#include "terminal.h"

#include "base/str.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* $COLUMNS first, as everybody does: it is how a user says otherwise. */
static size_t columns_of(const struct wp_session_options *options)
{
	const char *said = getenv("COLUMNS");
	struct winsize size;
	uint64_t columns;

	if (options->output.wide || options->output.width)
		return options->output.wide ? 0 : options->output.width;
	if (!isatty(STDOUT_FILENO))
		return 0;
	if (said && wp_str_to_u64(said, 10, UINT16_MAX, &columns) && columns)
		return columns;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* $LINES first, as above. A terminal that does not say its size has those of a VT100. */
static size_t lines_of(void)
{
	const char *said = getenv("LINES"), *terminal = getenv("TERM");
	struct winsize size;
	uint64_t lines;

	if (!isatty(STDOUT_FILENO) || !terminal || !*terminal || strcmp(terminal, "dumb") == 0)
		return 0;
	if (said && wp_str_to_u64(said, 10, UINT16_MAX, &lines) && lines)
		return lines;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row ? size.ws_row : 24;
}

static bool wants_colour(const struct wp_session_options *options, bool knows_colours)
{
	const char *when = options->output.color ? options->output.color : "auto";
	const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");

	if (strcmp(when, "auto") != 0)
		return strcmp(when, "always") == 0;
	return isatty(STDOUT_FILENO) && !(no && *no) && terminal && strcmp(terminal, "dumb") != 0 &&
	       knows_colours;
}

/* The first of the three that is set is what counts (POSIX, environment variables). */
static bool has_utf8(void)
{
	static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
	const char *locale = "";

	for (size_t i = 0; !*locale && i < WP_ARRAY_LEN(names); i++)
		locale = getenv(names[i]) ? getenv(names[i]) : "";
	return strcasestr(locale, "utf-8") || strcasestr(locale, "utf8");
}

void terminal_look(const struct wp_session_options *options, bool knows_colours,
		   struct wp_screen *ret)
{
	static char cwd[PATH_MAX];

	*ret = (struct wp_screen){
		.columns = columns_of(options),
		.lines = lines_of(),
		.coloured = wants_colour(options, knows_colours),
		.utf8 = has_utf8(),
		.cwd = getcwd(cwd, sizeof(cwd)),
		.home = getenv("HOME"),
	};
}
