/* SPDX-License-Identifier: BSD-3-Clause */
/* replay_line: see replay_line.h. */
#include "format/replay/replay_line.h"

#include "base/clock.h"
#include "base/str.h"
#include "core/cpuset.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

char *wp_replay_word(char **rest)
{
	char *in = *rest, *out, *word;
	bool quoted = false;

	while (is_blank(*in))
		in++;
	*rest = in;
	if (!*in || *in == '#')
		return NULL;
	word = out = in;
	for (; *in && (quoted || !is_blank(*in)); in++) {
		if (*in == '"') {
			quoted = !quoted;
			continue;
		}
		if (quoted && *in == '\\' && (in[1] == '"' || in[1] == '\\'))
			in++;
		*out++ = *in;
	}
	*rest = *in ? in + 1 : in;
	*out = '\0';
	return word;
}

/* "1.25" to nanoseconds. */
static bool parse_seconds(char *text, uint64_t *ret)
{
	char *dot = strchr(text, '.');
	uint64_t whole, part = 0;

	if (dot) {
		size_t places = strlen(dot + 1);

		*dot = '\0';
		if (places > 9 || !wp_str_to_u64(dot + 1, 10, UINT64_MAX, &part))
			return false;
		for (; places < 9; places++)
			part *= 10;
	}
	if (!wp_str_to_u64(text, 10, UINT32_MAX, &whole))
		return false;
	*ret = whole * WP_NS_PER_S + part;
	return true;
}

static bool parse_i64(const char *text, int64_t *ret)
{
	bool negative = *text == '-';
	uint64_t v;

	if (!wp_str_to_u64(text + negative, 0, INT64_MAX, &v))
		return false;
	*ret = negative ? -(int64_t)v : (int64_t)v;
	return true;
}

static bool parse_u32(const char *text, uint32_t *ret)
{
	uint64_t v;

	if (strcmp(text, "any") == 0)
		v = UINT32_MAX;
	else if (!wp_str_to_u64(text, 0, UINT32_MAX, &v))
		return false;
	*ret = (uint32_t)v;
	return true;
}

static bool parse_bool(const char *text, bool *ret)
{
	*ret = strcmp(text, "yes") == 0;
	return *ret || strcmp(text, "no") == 0;
}

static bool parse_script_cpus(const char *text, struct wp_cpuset *ret)
{
	wp_cpuset_deinit(ret);
	return wp_cpuset_parse(ret, text);
}

static bool store_key(char *value, const struct wp_replay_key *key, void *base,
		      struct wp_arena *arena)
{
	void *field = (char *)base + key->offset;

	switch (key->type) {
	case WP_REPLAY_STR: *(const char **)field = wp_arena_strdup(arena, value); return true;
	case WP_REPLAY_U32: return parse_u32(value, field);
	case WP_REPLAY_U64: return wp_str_to_u64(value, 0, UINT64_MAX, field);
	case WP_REPLAY_I64: return parse_i64(value, field);
	case WP_REPLAY_BOOL: return parse_bool(value, field);
	case WP_REPLAY_CPUS: return parse_script_cpus(value, field);
	case WP_REPLAY_NS: return parse_seconds(value, field);
	}
	return false;
}

struct wp_err *wp_replay_assign(char *word, const struct wp_replay_key *keys, size_t n_keys,
				void *base, struct wp_arena *arena, uint64_t *given)
{
	char *value = strchr(word, '=');
	char yes[] = "yes";

	if (value)
		*value++ = '\0';
	for (size_t i = 0; i < n_keys; i++) {
		if (strcmp(keys[i].name, word) != 0)
			continue;
		if (!value && keys[i].type != WP_REPLAY_BOOL)
			return wp_err_new(WP_ERR_FORMAT, "'%s' needs a value", word);
		if (!store_key(value ? value : yes, &keys[i], base, arena))
			return wp_err_new(WP_ERR_FORMAT, "bad value of '%s'", word);
		*given |= 1ull << i;
		return NULL;
	}
	return wp_err_new(WP_ERR_FORMAT, "unknown word '%s'", word);
}

struct wp_err *wp_replay_bytes(const char *text, const char *key, struct wp_arena *arena,
			       const uint8_t **ret, size_t *ret_n)
{
	size_t n = strlen(text) / 2;
	uint8_t *bytes = wp_arena_alloc(arena, n + 1);

	for (size_t i = 0; i < n; i++) {
		char pair[3] = {text[2 * i], text[2 * i + 1]};
		uint64_t v;

		if (!wp_str_to_u64(pair, 16, 255, &v))
			return wp_err_new(WP_ERR_FORMAT, "bad value of '%s'", key);
		bytes[i] = (uint8_t)v;
	}
	*ret = bytes;
	*ret_n = n;
	return NULL;
}
