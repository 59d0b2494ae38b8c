/* SPDX-License-Identifier: BSD-3-Clause */
/* json: see json.h. */
#include "base/json.h"

#include "base/str.h"
#include "base/utf8.h"

#include <string.h>

struct parser {
	struct wp_arena *arena;
	const char *at, *end;
	const char *wrong; /* the first thing that is wrong, at `at`; NULL: nothing so far */
	int depth;
};

static bool fail_parse(struct parser *p, const char *wrong)
{
	if (!p->wrong)
		p->wrong = wrong;
	return false;
}

static void skip_json_blanks(struct parser *p)
{
	while (p->at < p->end && *p->at && strchr(" \t\r\n", *p->at))
		p->at++;
}

/* Skips blanks and that character; false when another one is there. */
static bool take_json_char(struct parser *p, char c)
{
	skip_json_blanks(p);
	if (p->at == p->end || *p->at != c)
		return false;
	p->at++;
	return true;
}

static bool parse_hex4(struct parser *p, uint32_t *ret)
{
	char hex[5] = {0};
	uint64_t value;

	if (p->end - p->at < 4)
		return fail_parse(p, "\\u needs four hexadecimal digits");
	memcpy(hex, p->at, 4);
	if (!wp_str_to_u64(hex, 16, UINT16_MAX, &value) || strpbrk(hex, "xX"))
		return fail_parse(p, "\\u needs four hexadecimal digits");
	p->at += 4;
	*ret = (uint32_t)value;
	return true;
}

/* The character of a \u, of two of them if it is a surrogate; a lone one becomes U+FFFD. */
static bool parse_unicode(struct parser *p, struct wp_str *out)
{
	char bytes[WP_UTF8_MAX];
	uint32_t c, low;

	if (!parse_hex4(p, &c))
		return false;
	if (c >= 0xd800 && c < 0xdc00 && p->end - p->at >= 2 && p->at[0] == '\\' &&
	    p->at[1] == 'u') {
		p->at += 2;
		if (!parse_hex4(p, &low))
			return false;
		c = low >= 0xdc00 && low < 0xe000 ? 0x10000 + ((c - 0xd800) << 10) + low - 0xdc00
						  : 0xfffd;
	}
	if (c >= 0xd800 && c < 0xe000)
		c = 0xfffd;
	if (c)
		wp_str_append(out, bytes, wp_utf8_put(bytes, c));
	return true;
}

static bool parse_escape(struct parser *p, struct wp_str *out)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *found;

	if (p->at == p->end)
		return fail_parse(p, "the text ends in a string");
	if (*p->at == 'u') {
		p->at++;
		return parse_unicode(p, out);
	}
	found = *p->at ? strchr(from, *p->at) : NULL;
	if (!found)
		return fail_parse(p, "unknown escape in a string");
	wp_str_putc(out, to[found - from]);
	p->at++;
	return true;
}

/* Behind the opening quote. */
static bool parse_string(struct parser *p, const char **ret)
{
	wp_autostr struct wp_str out = {0};

	for (;;) {
		const char *start = p->at;

		while (p->at < p->end && (unsigned char)*p->at >= 0x20 && *p->at != '"' &&
		       *p->at != '\\')
			p->at++;
		wp_str_append(&out, start, (size_t)(p->at - start));
		if (p->at == p->end)
			return fail_parse(p, "the text ends in a string");
		if ((unsigned char)*p->at < 0x20)
			return fail_parse(p, "control character in a string");
		if (*p->at++ == '"')
			break;
		if (!parse_escape(p, &out))
			return false;
	}
	*ret = wp_arena_strndup(p->arena, out.s ? out.s : "", out.len);
	return true;
}

static size_t digits(struct parser *p)
{
	const char *start = p->at;

	while (p->at < p->end && *p->at >= '0' && *p->at <= '9')
		p->at++;
	return (size_t)(p->at - start);
}

static bool parse_json_number(struct parser *p, const char **ret)
{
	const char *start = p->at, *whole;

	p->at += *p->at == '-';
	whole = p->at;
	if (!digits(p) || (*whole == '0' && p->at - whole > 1))
		return fail_parse(p, "not a value");
	if (p->at < p->end && *p->at == '.') {
		p->at++;
		if (!digits(p))
			return fail_parse(p, "number without digits behind its point");
	}
	if (p->at < p->end && (*p->at == 'e' || *p->at == 'E')) {
		p->at++;
		if (p->at < p->end && (*p->at == '+' || *p->at == '-'))
			p->at++;
		if (!digits(p))
			return fail_parse(p, "number without an exponent's digits");
	}
	*ret = wp_arena_strndup(p->arena, start, (size_t)(p->at - start));
	return true;
}

static bool parse_value(struct parser *p, struct wp_json *ret);

/* Members up to the closing bracket, which is left behind. */
static bool parse_members(struct parser *p, char close, struct wp_json *ret)
{
	struct wp_json **link = &ret->first;

	if (take_json_char(p, close))
		return true;
	do {
		struct wp_json *member = wp_arena_alloc(p->arena, sizeof(*member));

		if (close == '}' && (!take_json_char(p, '"') || !parse_string(p, &member->name)))
			return fail_parse(p, "expected a member's name in quotes");
		if (close == '}' && !take_json_char(p, ':'))
			return fail_parse(p, "expected ':' behind a member's name");
		if (!parse_value(p, member))
			return false;
		*link = member;
		link = &member->next;
		ret->n++;
	} while (take_json_char(p, ','));
	return take_json_char(p, close) || fail_parse(p, "expected ',' or a closing bracket");
}

static bool parse_json_word(struct parser *p, struct wp_json *ret)
{
	static const struct {
		const char *word;
		enum wp_json_kind kind;
	} words[] = {{"null", WP_JSON_NULL}, {"false", WP_JSON_FALSE}, {"true", WP_JSON_TRUE}};

	for (size_t i = 0; i < WP_ARRAY_LEN(words); i++) {
		size_t len = strlen(words[i].word);

		if ((size_t)(p->end - p->at) < len || memcmp(p->at, words[i].word, len) != 0)
			continue;
		p->at += len;
		ret->kind = words[i].kind;
		return true;
	}
	return fail_parse(p, "not a value");
}

static bool parse_value(struct parser *p, struct wp_json *ret)
{
	bool is_object, good;

	skip_json_blanks(p);
	if (p->at == p->end)
		return fail_parse(p, "the text ends too early");
	if (*p->at == '"') {
		p->at++;
		ret->kind = WP_JSON_STRING;
		return parse_string(p, &ret->text);
	}
	if (*p->at == '-' || (*p->at >= '0' && *p->at <= '9')) {
		ret->kind = WP_JSON_NUMBER;
		return parse_json_number(p, &ret->text);
	}
	if (*p->at != '{' && *p->at != '[')
		return parse_json_word(p, ret);
	if (p->depth == WP_JSON_DEPTH)
		return fail_parse(p, "nested too deeply");
	is_object = *p->at++ == '{';
	ret->kind = is_object ? WP_JSON_OBJECT : WP_JSON_ARRAY;
	p->depth++;
	good = parse_members(p, is_object ? '}' : ']', ret);
	p->depth--;
	return good;
}

static size_t count_json_line(const char *text, const char *at)
{
	size_t line = 1;

	for (; text < at; text++)
		line += *text == '\n';
	return line;
}

struct wp_err *wp_json_parse(struct wp_arena *arena, const char *text, size_t len,
			     const struct wp_json **ret)
{
	struct parser p = {.arena = arena, .at = text, .end = text + len};
	struct wp_json *value = wp_arena_alloc(arena, sizeof(*value));

	if (parse_value(&p, value)) {
		skip_json_blanks(&p);
		if (p.at < p.end)
			fail_parse(&p, "something follows the value");
	}
	if (p.wrong)
		return wp_err_new(WP_ERR_FORMAT, "line %zu: %s", count_json_line(text, p.at),
				  p.wrong);
	*ret = value;
	return NULL;
}

const struct wp_json *wp_json_get(const struct wp_json *value, const char *name)
{
	if (value && value->kind == WP_JSON_OBJECT)
		wp_json_each (member, value)
			if (strcmp(member->name, name) == 0)
				return member;
	return NULL;
}

const char *wp_json_text(const struct wp_json *value, const char *name, const char *otherwise)
{
	const struct wp_json *member = wp_json_get(value, name);

	return member && member->text ? member->text : otherwise;
}
