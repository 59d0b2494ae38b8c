/* SPDX-License-Identifier: BSD-3-Clause */
/* extra_events: -E, `name:hex,name:hex` or a file of such lines; see event_parse.h. */
#include "base/file.h"
#include "base/str.h"
#include "event/event_lookup.h"

#include <ctype.h>
#include <string.h>

#define FILE_MAX (1 << 20)

static struct wp_err *parse_extra_event(struct wp_catalogue *catalogue, const char *token,
					const char *name, size_t len, const char *value)
{
	struct wp_extra_event extra = {.class = wp_event_class_skip(&name)};
	bool hex = wp_str_has_prefix(value, "0x") || wp_str_has_prefix(value, "0X");

	len -= strlen(wp_event_class_prefix(extra.class));
	if (!len)
		return wp_err_new(WP_ERR_USAGE, "missing extra event name in '%s'", token);
	if (value[hex ? 2 : 0] == '\0' ||
	    value[strspn(value + (hex ? 2 : 0), "0123456789abcdefABCDEF") + (hex ? 2 : 0)])
		return wp_err_new(WP_ERR_USAGE, "extra event value is not a hex number in %s",
				  token);
	if (!wp_event_raw_number(catalogue, value, 16, &extra.config))
		return wp_err_new(WP_ERR_USAGE, "extra event value out of range in %s", token);
	if (wp_catalogue_extra(catalogue, extra.class, NULL, extra.config))
		return NULL;
	char *lower = wp_arena_strndup(&catalogue->arena, name, len);
	for (char *p = lower; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	extra.name = lower;
	wp_vec_push(&catalogue->extra, extra);
	return NULL;
}

static struct wp_err *add_token(struct wp_catalogue *catalogue, const char *token, const char *all)
{
	const char *colon = strchr(token, ':');

	if (!*token)
		return wp_err_new(WP_ERR_USAGE, "empty token in '%s'", all);
	if (!colon)
		return wp_err_new(WP_ERR_USAGE, "missing extra event delimeter ':' in %s", token);
	if (strchr(colon + 1, ':'))
		return wp_err_new(WP_ERR_USAGE, "too many delimeters in %s", token);
	if (!colon[1])
		return wp_err_new(WP_ERR_USAGE, "missing extra event value after ':' in %s", token);
	return parse_extra_event(catalogue, token, token, (size_t)(colon - token), colon + 1);
}

static struct wp_err *add_list(struct wp_catalogue *catalogue, const char *list)
{
	wp_autofree char *copy = wp_strdup(list);
	char *rest = copy, *token;

	if (!*list)
		return wp_err_new(WP_ERR_USAGE, "nothing to parse!");
	if (strpbrk(list, " \t\r\n\v\f"))
		return wp_err_new(WP_ERR_USAGE,
				  "whitespace not allowed in extra event string in '%s'", list);
	while ((token = strsep(&rest, ",")))
		TRY(add_token(catalogue, token, list));
	return NULL;
}

struct wp_err *wp_event_config_read(const char *file, char **ret)
{
	wp_autoerr struct wp_err *err = wp_file_read(file, FILE_MAX, ret, NULL);

	return err ? wp_err_new(err->code, "open config file '%s' failed: %s", file, err->text)
		   : NULL;
}

/* Empty lines are passed over; a carriage return at a line's end belongs to its end. */
static struct wp_err *add_event_file(struct wp_catalogue *catalogue, const char *file)
{
	char *text, *rest, *line;

	TRY(wp_event_config_read(file, &text));
	wp_autofree char *owned = text;
	rest = owned;
	while ((line = strsep(&rest, "\n"))) {
		size_t len = strlen(line);

		if (len && line[len - 1] == '\r')
			line[len - 1] = '\0';
		if (*line)
			TRY(add_list(catalogue, line));
	}
	return NULL;
}

struct wp_err *wp_catalogue_add_events(struct wp_catalogue *catalogue, const char *file_or_text)
{
	if (*file_or_text && wp_file_exists(file_or_text))
		return add_event_file(catalogue, file_or_text);
	return add_list(catalogue, file_or_text);
}
