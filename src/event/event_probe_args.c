/* SPDX-License-Identifier: BSD-3-Clause */
/* event_probe_args: see event_probe_args.h. */
#include "event/event_probe_args.h"

#include "base/str.h"

#include <ctype.h>
#include <string.h>

static const struct {
	const char *word;
	uint8_t size;
	bool is_signed;
} types[] = {
	{"s8", 1, true},  {"s16", 2, true},  {"s32", 4, true},	{"s64", 8, true},
	{"u8", 1, false}, {"u16", 2, false}, {"u32", 4, false}, {"u64", 8, false},
};

uint32_t wp_event_probe_arg_number(const char *part)
{
	size_t n = strcspn(part, ":");
	uint32_t number = 0;

	if (n < 4 || n > 5 || strncmp(part, "arg", 3) != 0)
		return 0;
	for (size_t i = 3; i < n; i++) {
		if (!isdigit((unsigned char)part[i]))
			return 0;
		number = number * 10 + (uint32_t)(part[i] - '0');
	}
	return number <= WP_PROBE_ARGS ? number : 0;
}

/* True when the word is a type, of the argument before it. */
static bool take_type(const char *part, struct wp_probe_arg *arg)
{
	if (strcmp(part, "string") == 0) {
		arg->is_string = arg->is_typed = true;
		return true;
	}
	for (size_t i = 0; i < WP_ARRAY_LEN(types); i++)
		if (strcmp(part, types[i].word) == 0) {
			arg->is_typed = true;
			arg->size = types[i].size;
			arg->is_signed = types[i].is_signed;
			return true;
		}
	return false;
}

static bool is_arg_name(const char *name)
{
	return *name && !isdigit((unsigned char)*name) &&
	       !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_")] &&
	       !wp_str_has_prefix(name, "common_");
}

static struct wp_err *add_arg(const char *word, char *part, struct wp_probe *ret)
{
	struct wp_probe_arg *arg = &ret->args[ret->n_args];
	char *equals = strchr(part, '=');

	if (equals)
		*equals = '\0';
	*arg = (struct wp_probe_arg){.name = part, .word = equals ? equals + 1 : part};
	arg->number = wp_event_probe_arg_number(arg->word);
	arg->is_result = ret->is_return && strcmp(arg->word, "ret") == 0;
	if (!is_arg_name(arg->name) || !is_arg_name(arg->word))
		return wp_err_new(WP_ERR_USAGE,
				  "event '%s': '%s' is no argument: want arg1 ..., a name, or ret "
				  "of a %%return",
				  word, is_arg_name(arg->name) ? arg->word : arg->name);
	if (ret->kind == WP_PROBE_MARKER && !arg->number)
		return wp_err_new(WP_ERR_USAGE,
				  "event '%s': a marker's arguments have no names: want arg1, arg2 "
				  "...",
				  word);
	if (ret->is_return && !arg->is_result)
		return wp_err_new(WP_ERR_USAGE,
				  "event '%s': when a function returns its arguments are gone; "
				  "there is :ret",
				  word);
	for (size_t i = 0; i < ret->n_args; i++)
		if (strcmp(ret->args[i].name, arg->name) == 0)
			return wp_err_new(WP_ERR_USAGE, "event '%s': %s is there twice", word,
					  arg->name);
	ret->n_args++;
	return NULL;
}

struct wp_err *wp_event_probe_args(const char *word, char *text, struct wp_arena *arena,
				   struct wp_probe *ret)
{
	bool typed = true; /* the last one has its type, or there is none */
	char *part;

	if (!text)
		return NULL;
	ret->args = wp_arena_alloc(arena, WP_PROBE_ARGS * sizeof(*ret->args));
	while ((part = strsep(&text, ":"))) {
		if (!typed && take_type(part, &ret->args[ret->n_args - 1])) {
			typed = true;
			continue;
		}
		if (ret->n_args == WP_PROBE_ARGS)
			return wp_err_new(WP_ERR_LIMIT, "event '%s': more than %d arguments", word,
					  WP_PROBE_ARGS);
		TRY(add_arg(word, part, ret));
		typed = false;
	}
	return NULL;
}
