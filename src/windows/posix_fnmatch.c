/* SPDX-License-Identifier: BSD-3-Clause */
/* posix_fnmatch: names with * ? and [...] (include/fnmatch.h). POSIX, XCU 2.13 "Pattern Matching
 * Notation"; bytes, without classes of characters. */
#include <ctype.h>
#include <fnmatch.h>
#include <stdbool.h>
#include <stddef.h>

static int fold_byte(char byte, int flags)
{
	return flags & FNM_CASEFOLD ? tolower((unsigned char)byte) : (unsigned char)byte;
}

/* Behind the set, or NULL: it does not end, and is a plain bracket. */
static const char *match_set(const char *set, char byte, int flags, bool *ret)
{
	bool inverse = *set == '!' || *set == '^', found = false;
	int wanted = fold_byte(byte, flags);
	const char *at = set + inverse;

	do {
		int low, high;

		if (!*at)
			return NULL;
		at += *at == '\\' && at[1];
		low = high = fold_byte(*at++, flags);
		if (*at == '-' && at[1] && at[1] != ']') {
			high = fold_byte(at[1], flags);
			at += 2;
		}
		found |= wanted >= low && wanted <= high;
	} while (*at != ']');
	*ret = found != inverse;
	return at + 1;
}

/* One step of the pattern, which is no star; NULL: the byte is another. */
static const char *match_byte(const char *pattern, char byte, int flags)
{
	const char *behind;
	bool found;

	if (*pattern == '?')
		return pattern + 1;
	if (*pattern == '[' && (behind = match_set(pattern + 1, byte, flags, &found)))
		return found ? behind : NULL;
	pattern += *pattern == '\\' && pattern[1];
	return *pattern && fold_byte(*pattern, flags) == fold_byte(byte, flags) ? pattern + 1
										: NULL;
}

/* Only the last star ever takes more, so that the time is that of the product of both lengths. */
int fnmatch(const char *pattern, const char *name, int flags)
{
	const char *star = NULL, *taken = NULL;

	while (*name) {
		const char *next;

		if (*pattern == '*') {
			star = ++pattern;
			taken = name;
		} else if ((next = match_byte(pattern, *name, flags))) {
			pattern = next;
			name++;
		} else if (star) {
			pattern = star;
			name = ++taken;
		} else {
			return FNM_NOMATCH;
		}
	}
	while (*pattern == '*')
		pattern++;
	return *pattern ? FNM_NOMATCH : 0;
}
