/* SPDX-License-Identifier: BSD-3-Clause */
/* screen_terminal: see screen_terminal.h. */
#define NCURSES_WIDECHAR 1
#include "view/screen/screen_terminal.h"

#include <errno.h>
#include <locale.h>
#include <ncurses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>

#undef lines /* term.h makes words of everyday macros */
#undef columns

#define WAIT_MS	  250 /* for a key: a signal may come just before the wait begins */
#define ESCAPE_MS 25  /* what comes later is no longer of one key */

/* Signals that end a program which has the terminal: it must be given back first. */
static const int endings[] = {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL};
#define QUITS 3 /* the first of them are asked for, and waited for once */

enum { COLOUR_HOT = 1, COLOUR_WARM };

struct wp_screen_terminal {
	SCREEN *screen;
	bool coloured;
	char *locale;
	struct sigaction before[WP_ARRAY_LEN(endings)];
};

/* A handler is told nothing: what it needs to give the terminal back. */
static struct termios settings_before;
static char leaving[128]; /* shows the cursor, leaves the screen of applications */
static volatile sig_atomic_t asked_to_end;

static void restore_and_die(int number)
{
	tcsetattr(STDIN_FILENO, TCSANOW, &settings_before);
	if (write(STDOUT_FILENO, leaving, strlen(leaving)) < 0)
		asked_to_end = number; /* nothing else can be done about it */
	signal(number, SIG_DFL);
	raise(number);
}

static void on_ending(int number)
{
	for (size_t i = 0; i < QUITS; i++)
		if (number == endings[i] && !asked_to_end) {
			asked_to_end = number;
			return;
		}
	restore_and_die(number);
}

static void catch_endings(struct wp_screen_terminal *terminal)
{
	struct sigaction action = {.sa_handler = on_ending};

	asked_to_end = 0;
	for (size_t i = 0; i < WP_ARRAY_LEN(endings); i++)
		sigaction(endings[i], &action, &terminal->before[i]);
}

static void leave_endings(const struct wp_screen_terminal *terminal)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(endings); i++)
		sigaction(endings[i], &terminal->before[i], NULL);
	if (asked_to_end)
		raise(asked_to_end);
}

static bool has_string(const char *capability)
{
	const char *value = tigetstr(capability);

	return value && value != (char *)-1 && *value;
}

bool wp_screen_terminal_is_possible(void)
{
	bool moves;
	int status;

	if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO) ||
	    setupterm(NULL, STDOUT_FILENO, &status) != OK)
		return false;
	moves = has_string("cup") && has_string("clear");
	del_curterm(cur_term);
	return moves;
}

/* Of the terminal that was opened. */
static void remember_leaving(void)
{
	static const char *const capabilities[] = {"sgr0", "cnorm", "rmkx", "rmcup"};
	size_t used = 0;

	for (size_t i = 0; i < WP_ARRAY_LEN(capabilities); i++) {
		const char *text = has_string(capabilities[i]) ? tigetstr(capabilities[i]) : "";

		if (used + strlen(text) + 1 < sizeof(leaving))
			used += (size_t)(stpcpy(leaving + used, text) - (leaving + used));
	}
	leaving[used] = '\0';
}

/* Characters are as wide as the locale has them; a user's own may not be installed. */
static void begin_locale(struct wp_screen_terminal *terminal, bool utf8)
{
	terminal->locale = wp_strdup(setlocale(LC_CTYPE, NULL));
	if (!setlocale(LC_CTYPE, "") || (utf8 && MB_CUR_MAX == 1))
		setlocale(LC_CTYPE, utf8 ? "C.UTF-8" : "C");
}

static void end_locale(struct wp_screen_terminal *terminal)
{
	setlocale(LC_CTYPE, terminal->locale);
	free(terminal->locale);
}

static void begin_colours(struct wp_screen_terminal *terminal, bool wanted)
{
	terminal->coloured = wanted && has_colors() && start_color() == OK;
	if (!terminal->coloured)
		return;
	use_default_colors();
	init_pair(COLOUR_HOT, COLOR_RED, -1);
	init_pair(COLOUR_WARM, COLOR_GREEN, -1);
}

struct wp_err *wp_screen_terminal_open(const struct wp_screen *screen,
				       struct wp_screen_terminal **ret)
{
	struct wp_screen_terminal *terminal = wp_calloc(1, sizeof(*terminal));

	begin_locale(terminal, screen->utf8);
	tcgetattr(STDIN_FILENO, &settings_before);
	terminal->screen = newterm(NULL, stdout, stdin);
	if (!terminal->screen) {
		end_locale(terminal);
		free(terminal);
		return wp_err_new(WP_ERR_UNSUPPORTED, "this terminal has no screens: see --stdio");
	}
	remember_leaving();
	catch_endings(terminal);
	set_escdelay(ESCAPE_MS);
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	begin_colours(terminal, screen->coloured);
	*ret = terminal;
	return NULL;
}

void wp_screen_terminal_close(struct wp_screen_terminal *terminal)
{
	endwin();
	delscreen(terminal->screen);
	end_locale(terminal);
	leave_endings(terminal);
	free(terminal);
}

void wp_screen_terminal_size(struct wp_screen_terminal *terminal, size_t *ret_columns,
			     size_t *ret_lines)
{
	(void)terminal;
	*ret_columns = COLS > 0 ? (size_t)COLS : 1;
	*ret_lines = LINES > 0 ? (size_t)LINES : 1;
}

/* On a terminal without colours what is hot is bold. */
static attr_t attribute_of(const struct wp_screen_terminal *terminal, enum wp_screen_mark mark)
{
	switch (mark) {
	case WP_SCREEN_PLAIN: break;
	case WP_SCREEN_BAR:
	case WP_SCREEN_CURSOR: return A_REVERSE;
	case WP_SCREEN_HEADING: return A_BOLD | A_UNDERLINE;
	case WP_SCREEN_DIM: return A_DIM;
	case WP_SCREEN_WARM: return terminal->coloured ? COLOR_PAIR(COLOUR_WARM) : A_NORMAL;
	case WP_SCREEN_HOT: return terminal->coloured ? COLOR_PAIR(COLOUR_HOT) : A_BOLD;
	}
	return A_NORMAL;
}

static void paint_part(const struct wp_screen_line *line, size_t from, size_t to, attr_t attribute)
{
	attrset((int)attribute);
	addnstr(line->text.s + from, (int)(to - from));
}

static void paint_line(const struct wp_screen_terminal *terminal, const struct wp_screen_line *line)
{
	attr_t plain = attribute_of(terminal, line->mark);
	size_t at = 0;

	wp_vec_each (struct wp_screen_span, span, &line->spans) {
		paint_part(line, at, span->from, plain);
		paint_part(line, span->from, span->to, plain | attribute_of(terminal, span->mark));
		at = span->to;
	}
	paint_part(line, at, line->text.len, plain);
}

void wp_screen_terminal_show(struct wp_screen_terminal *terminal,
			     const struct wp_screen_frame *frame)
{
	erase();
	for (size_t i = 0; i < frame->lines.n; i++) {
		move((int)i, 0);
		paint_line(terminal, &frame->lines.v[i]);
	}
	refresh();
}

static uint32_t special_key(wint_t code)
{
	static const struct {
		wint_t code;
		uint32_t key;
	} keys[] = {
		{KEY_UP, WP_KEY_UP},	     {KEY_DOWN, WP_KEY_DOWN},
		{KEY_LEFT, WP_KEY_LEFT},     {KEY_RIGHT, WP_KEY_RIGHT},
		{KEY_PPAGE, WP_KEY_PAGE_UP}, {KEY_NPAGE, WP_KEY_PAGE_DOWN},
		{KEY_HOME, WP_KEY_HOME},     {KEY_END, WP_KEY_END},
		{KEY_BTAB, WP_KEY_BACKTAB},  {KEY_BACKSPACE, WP_KEY_BACKSPACE},
		{KEY_ENTER, '\n'},	     {KEY_RESIZE, WP_KEY_RESIZE},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++)
		if (keys[i].code == code)
			return keys[i].key;
	return WP_KEY_NONE;
}

/* False: there is none yet. */
static bool get_key(uint32_t *ret)
{
	wint_t code;
	int kind = get_wch(&code);

	if (kind == ERR)
		return false;
	*ret = kind == KEY_CODE_YES	      ? special_key(code)
	       : code == 0x7f || code == '\b' ? WP_KEY_BACKSPACE
					      : (uint32_t)code;
	return true;
}

uint32_t wp_screen_terminal_key(struct wp_screen_terminal *terminal, bool waits)
{
	struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
	uint32_t key;

	(void)terminal;
	for (;;) {
		if (asked_to_end)
			return WP_KEY_QUIT;
		if (get_key(&key))
			return key;
		if (input.revents & (POLLHUP | POLLERR | POLLNVAL))
			return WP_KEY_QUIT;
		if (poll(&input, 1, waits ? WAIT_MS : 0) < 0)
			input.revents = 0;
		if (!waits && !input.revents)
			return asked_to_end ? WP_KEY_QUIT : WP_KEY_NONE;
	}
}
