/* SPDX-License-Identifier: BSD-3-Clause */
/* shorten: see shorten.h. */
#include "view/shorten.h"

#include "base/utf8.h"

#include <ctype.h>
#include <string.h>

static const char *ellipsis(const struct wp_screen *screen)
{
	return screen->utf8 ? "\xe2\x80\xa6" : "...";
}

static size_t ellipsis_width(const struct wp_screen *screen)
{
	return screen->utf8 ? 1 : 3;
}

static size_t shown_width_of(const char *s)
{
	return wp_utf8_width(s, strlen(s));
}

/* Behind the last "/folder/", or NULL. */
static const char *behind(const char *path, const char *folder)
{
	const char *found = NULL;

	for (const char *at = path; (at = strstr(at, folder)); at++)
		found = at + strlen(folder);
	return found;
}

/* Behind "/lib/python3.11/", or NULL. */
static const char *behind_library(const char *path)
{
	const char *at = behind(path, "/lib/python");
	size_t n;

	if (!at)
		at = behind(path, "/lib64/python");
	n = at ? strspn(at, "0123456789.") : 0;
	return n && at[n] == '/' ? at + n + 1 : NULL;
}

static const char *shown_path_below(const char *path, const char *folder)
{
	size_t n = folder ? strlen(folder) : 0;

	return n > 1 && strncmp(path, folder, n) == 0 && path[n] == '/' ? path + n + 1 : NULL;
}

static void put_package_path(struct wp_str *out, const char *path, const struct wp_screen *screen)
{
	const char *rest = behind(path, "/site-packages/");

	rest = rest ? rest : behind(path, "/dist-packages/");
	rest = rest ? rest : behind_library(path);
	rest = rest ? rest : shown_path_below(path, screen->cwd);
	if (!rest && (rest = shown_path_below(path, screen->home)))
		wp_str_puts(out, "~/");
	wp_str_puts(out, rest ? rest : path);
}

static bool is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || (unsigned char)c >= 0x80;
}

/* How long "operator<<", "operator->" or "operator()" is at `at`; 0: there is none. */
static size_t operator_at(const char *start, const char *at)
{
	static const char word[] = "operator";
	size_t n = sizeof(word) - 1;

	if (strncmp(at, word, n) != 0 || (at > start && is_word_char(at[-1])))
		return 0;
	if (strncmp(at + n, "()", 2) == 0)
		return n + 2;
	return at[n] == '<' || at[n] == '>' || at[n] == '-' ? n + strspn(at + n, "<>-=*") : n;
}

/*
 * The end of what the bracket at `at` opens, behind its partner; NULL: it has none. Comparisons
 * within template arguments stand in parentheses, which is how C++ itself tells them apart.
 */
static const char *partner_of(const char *start, const char *at)
{
	size_t angles = 0, rounds = 0;

	for (; *at; at++) {
		size_t n = operator_at(start, at);

		if (n > strlen("operator")) {
			at += n - 1;
			continue;
		}
		rounds += *at == '(';
		rounds -= *at == ')' && rounds;
		if (!rounds && *at == '<')
			angles++;
		if (!rounds && *at == '>' && at[-1] != '-' && angles)
			angles--;
		if (!angles && !rounds)
			return at + 1;
	}
	return NULL;
}

/*
 * True where arguments begin. "<lambda>", "f (x.py:3)", "swap (inlined)" and "(anonymous
 * namespace)" have none: theirs follow a name directly.
 */
static bool opens_arguments(const char *start, const char *at)
{
	return (*at == '<' || *at == '(') && at > start &&
	       (is_word_char(at[-1]) || strchr(")}>'", at[-1]));
}

static void put_folded(struct wp_str *out, const char *name, const struct wp_screen *screen)
{
	const char *at = name, *operator_end = NULL;

	while (*at) {
		size_t n = operator_at(name, at);
		bool opens = opens_arguments(name, at) || (at == operator_end && *at == '(');
		const char *end = opens ? partner_of(name, at) : NULL;

		if (n) {
			wp_str_append(out, at, n);
			at = operator_end = at + n;
		} else if (end && (size_t)(end - at) > 2 + ellipsis_width(screen)) {
			wp_str_putc(out, *at);
			wp_str_puts(out, ellipsis(screen));
			wp_str_putc(out, end[-1]);
			at = end;
		} else {
			wp_str_append(out, at, end ? (size_t)(end - at) : 1);
			at = end ? end : at + 1;
		}
	}
}

/* The last n columns of a text, or one less. */
static const char *last_columns(const char *text, size_t n)
{
	size_t width = shown_width_of(text);
	const char *at = text + wp_utf8_bytes(text, width > n ? width - n : 0);

	return shown_width_of(at) > n ? at + wp_utf8_bytes(at, 2)
				      : at; /* cuts through a wide one */
}

static void put_without_middle(struct wp_str *out, const char *text, size_t columns,
			       const struct wp_screen *screen)
{
	size_t gap = ellipsis_width(screen), tail;

	if (shown_width_of(text) <= columns) {
		wp_str_puts(out, text);
		return;
	}
	if (columns <= gap) {
		wp_str_append(out, text, wp_utf8_bytes(text, columns));
		return;
	}
	tail = (columns - gap) / 2;
	wp_str_append(out, text, wp_utf8_bytes(text, columns - gap - tail));
	wp_str_puts(out, ellipsis(screen));
	wp_str_puts(out, last_columns(text, tail));
}

/* The longest end that begins with a folder and has at most so many columns, or NULL. */
static const char *last_folders(const char *path, size_t columns)
{
	for (const char *at = strchr(path, '/'); at; at = strchr(at + 1, '/'))
		if (shown_width_of(at) <= columns)
			return at;
	return NULL;
}

/* "/usr/.../long/file.py:12", ".../file.py:12", "long_...:12". */
static void put_short_path(struct wp_str *out, const char *path, size_t columns,
			   const struct wp_screen *screen)
{
	size_t gap = ellipsis_width(screen), first = strcspn(path + 1, "/") + 2;
	size_t used = gap + wp_utf8_width(path, first);
	const char *rest = used < columns ? last_folders(path + first, columns - used) : NULL;

	if (rest) {
		wp_str_append(out, path, first);
	} else {
		rest = gap < columns ? last_folders(path, columns - gap) : NULL;
	}
	if (rest) {
		wp_str_puts(out, ellipsis(screen));
		wp_str_puts(out, rest);
	} else {
		put_without_middle(out, wp_str_basename(path), columns, screen);
	}
}

/* The ":libfoo.so" of "f:libfoo.so", or "". */
static const char *module_suffix_of(const char *symbol)
{
	const char *colon = strrchr(symbol, ':');

	if (!colon || colon == symbol || colon[-1] == ':' || strpbrk(colon, " )>"))
		return symbol + strlen(symbol);
	return colon;
}

static void put_symbol(struct wp_str *out, const char *symbol, size_t columns,
		       const struct wp_screen *screen)
{
	const char *module = module_suffix_of(symbol);
	wp_autofree char *name = wp_strndup(symbol, (size_t)(module - symbol));
	wp_autostr struct wp_str shorter = {0};
	size_t most = columns / 3;

	if (columns > shown_width_of(name) && columns - shown_width_of(name) > most)
		most = columns - shown_width_of(name);
	put_without_middle(&shorter, module, most, screen);
	module = shorter.s ? shorter.s : "";
	put_without_middle(out, name, columns - shown_width_of(module), screen);
	wp_str_puts(out, module);
}

void wp_shorten_gently(struct wp_str *out, const char *text, enum wp_fit fit,
		       const struct wp_screen *screen)
{
	if (fit == WP_FIT_PATH)
		put_package_path(out, text, screen);
	else if (fit == WP_FIT_SYMBOL)
		put_folded(out, text, screen);
	else
		wp_str_puts(out, text);
}

void wp_shorten(struct wp_str *out, const char *text, enum wp_fit fit, size_t columns,
		const struct wp_screen *screen)
{
	if (shown_width_of(text) <= columns) {
		wp_str_puts(out, text);
	} else if (fit == WP_FIT_PATH && text[0]) {
		put_short_path(out, text, columns, screen);
	} else if (fit == WP_FIT_SYMBOL) {
		put_symbol(out, text, columns, screen);
	} else {
		size_t gap = ellipsis_width(screen);

		wp_str_append(out, text, wp_utf8_bytes(text, columns > gap ? columns - gap : 0));
		wp_str_puts(out, columns > gap ? ellipsis(screen) : "");
	}
}

void wp_shorten_headline(struct wp_str *out, const char *line, size_t length, size_t columns)
{
	size_t before = 0, after = 0, width = wp_utf8_width(line, length), drop = 0;

	while (before < length && line[before] == '=')
		before++;
	while (after < length - before && line[length - 1 - after] == '=')
		after++;
	if (width > columns && before && after && before + after < length) {
		size_t most = (before < after ? before : after) - 1;

		drop = (width - columns + 1) / 2;
		drop = drop < most ? drop : most;
	}
	wp_str_append(out, line + drop, length - 2 * drop);
}
