/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * text_check: whether bytes are what readers of an export that is no JSON will take: XML whose
 * elements close, UTF-8 throughout; lines that end with a number.
 */
#ifndef WP_TEXT_CHECK_H
#define WP_TEXT_CHECK_H

#include "base/str.h"
#include "base/utf8.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

/* One entity: "&lt;". */
static inline bool entity_ok(const char *s)
{
	static const char *const all[] = {"&amp;", "&lt;", "&gt;", "&quot;"};

	for (size_t i = 0; i < WP_ARRAY_LEN(all); i++)
		if (wp_str_has_prefix(s, all[i]))
			return true;
	return false;
}

/* Every character is one that XML 1.0 allows; every & begins an entity. */
static inline bool xml_characters_ok(const char *s)
{
	size_t n;
	uint32_t c = 0;

	for (; *s; s += n) {
		const char *end = wp_str_has_prefix(s, "<![CDATA[") ? strstr(s, "]]>") : NULL;

		if (end) {
			n = (size_t)(end - s);
			continue;
		}
		n = wp_utf8_get(s, strnlen(s, WP_UTF8_MAX), &c);
		if (!n || (c < ' ' && c != '\n' && c != '\t') || c == 0xfffe || c == 0xffff)
			return false;
		if (c == '&' && !entity_ok(s))
			return false;
	}
	return true;
}

/* Elements close in the order in which they were opened; there is one outermost one. */
static inline bool xml_is_sound(const struct wp_str *xml)
{
	const char *open[16], *s = xml->s;
	size_t depth = 0, n_roots = 0;

	if (!s || strlen(s) != xml->len || !xml_characters_ok(s))
		return false;
	while ((s = strchr(s, '<'))) {
		const char *end = strchr(s, '>');
		bool closes = s[1] == '/';
		size_t n = strcspn(s + 1 + closes, " />\n");

		if (!end)
			return false;
		if (wp_str_has_prefix(s, "<![CDATA[")) {
			s = strstr(s, "]]>");
			if (!s)
				return false;
			continue;
		}
		if (closes && (!depth || memcmp(open[--depth], s + 2, n) != 0))
			return false;
		if (!closes && s[1] != '?' && end[-1] != '/') {
			n_roots += depth == 0;
			if (depth == WP_ARRAY_LEN(open))
				return false;
			open[depth++] = s + 1;
		}
		s = end;
	}
	return depth == 0 && n_roots == 1;
}

/* Each line is some text, a blank and a number. */
static inline bool folded_is_sound(const struct wp_str *text)
{
	const char *s = text->s ? text->s : "", *end;

	if (strlen(s) != text->len)
		return false;
	for (; (end = strchr(s, '\n')); s = end + 1) {
		const char *at = end;

		while (at > s && isdigit((unsigned char)at[-1]))
			at--;
		if (at == end || at < s + 2 || at[-1] != ' ')
			return false;
	}
	return !*s;
}

/* Headers, then lines of numbers or of a known key. */
static inline bool callgrind_is_sound(const struct wp_str *text)
{
	static const char *const keys[] = {"version: ",	  "creator: ", "cmd: ",	     "desc: ",
					   "positions: ", "events:",   "ob=(",	     "fl=(",
					   "fn=(",	  "cob=(",     "cfi=(",	     "cfn=(",
					   "calls=",	  "totals:",   "# callgrind"};
	const char *s = text->s ? text->s : "", *end;

	if (strlen(s) != text->len)
		return false;
	for (; (end = strchr(s, '\n')); s = end + 1) {
		bool known = end == s || isdigit((unsigned char)*s);

		for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++)
			known = known || wp_str_has_prefix(s, keys[i]);
		if (!known)
			return false;
	}
	return !*s;
}

static inline bool text_is_sound(const char *format, const struct wp_str *text)
{
	if (strcmp(format, "flame") == 0)
		return xml_is_sound(text);
	if (strcmp(format, "folded") == 0)
		return folded_is_sound(text);
	return strcmp(format, "callgrind") == 0 && callgrind_is_sound(text);
}

#endif
