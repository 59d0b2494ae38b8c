/* SPDX-License-Identifier: BSD-3-Clause */
/* json: what RFC 8259 allows and what it does not. */
#include "check.h"

#include "base/json.h"

#include <string.h>

static const struct wp_json *parse(struct wp_arena *arena, const char *text)
{
	const struct wp_json *json = NULL;

	CHECK_OK(wp_json_parse(arena, text, strlen(text), &json));
	return json;
}

static void test_values(void)
{
	struct wp_arena arena = {0};
	const struct wp_json *json =
		parse(&arena, " {\"a\": [1, -2.5e+3, true, false, null], \"b\": {\"c\": \"d\"},\n"
			      "\"a\": 7, \"\": {} } ");

	CHECK_U64(json->kind, WP_JSON_OBJECT);
	CHECK_U64(json->n, 4);
	CHECK_U64(wp_json_get(json, "a")->n, 5);
	CHECK_STR(wp_json_get(json, "a")->first->next->text, "-2.5e+3");
	CHECK_U64(wp_json_get(json, "a")->first->next->next->kind, WP_JSON_TRUE);
	CHECK_STR(wp_json_text(wp_json_get(json, "b"), "c", "none"), "d");
	CHECK_STR(wp_json_text(json, "b", "none"), "none");
	CHECK_STR(wp_json_text(NULL, "b", "none"), "none");
	CHECK(!wp_json_get(json->first, "x"));
	wp_arena_deinit(&arena);
}

static void test_strings(void)
{
	struct wp_arena arena = {0};

	CHECK_STR(parse(&arena, "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"")->text, "\"\\/\b\f\n\r\t");
	CHECK_STR(parse(&arena, "\"\\u00e4\\ud83d\\ude00\\u0000x\"")->text,
		  "\xc3\xa4\xf0\x9f\x98\x80x");
	CHECK_STR(parse(&arena, "\"\\ud800\\u0041 \\udc00\"")->text, "\xef\xbf\xbd \xef\xbf\xbd");
	wp_arena_deinit(&arena);
}

static void test_refused(void)
{
	static const struct {
		const char *text, *why;
	} cases[] = {
		{"", "line 1: the text ends too early"},
		{"[1,\n\n2", "line 3: expected ',' or a closing bracket"},
		{"[1,]", "line 1: not a value"},
		{"01", "line 1: not a value"},
		{"1.", "line 1: number without digits behind its point"},
		{"1e", "line 1: number without an exponent's digits"},
		{"nul", "line 1: not a value"},
		{"{a:1}", "line 1: expected a member's name in quotes"},
		{"{\"a\" 1}", "line 1: expected ':' behind a member's name"},
		{"\"a", "line 1: the text ends in a string"},
		{"\"\n\"", "line 1: control character in a string"},
		{"\"\\x\"", "line 1: unknown escape in a string"},
		{"\"\\u12g4\"", "line 1: \\u needs four hexadecimal digits"},
		{"1 2", "line 1: something follows the value"},
	};
	struct wp_arena arena = {0};
	const struct wp_json *json;
	char deep[WP_JSON_DEPTH + 1];

	for (size_t i = 0; i < WP_ARRAY_LEN(cases); i++)
		CHECK_ERR(wp_json_parse(&arena, cases[i].text, strlen(cases[i].text), &json),
			  cases[i].why);
	memset(deep, '[', sizeof(deep));
	CHECK_ERR(wp_json_parse(&arena, deep, sizeof(deep), &json), "line 1: nested too deeply");
	wp_arena_deinit(&arena);
}

int main(void)
{
	RUN(test_values);
	RUN(test_strings);
	RUN(test_refused);
	return check_done();
}
