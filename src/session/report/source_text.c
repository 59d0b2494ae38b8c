/* SPDX-License-Identifier: BSD-3-Clause */
/* source_text: see source_text.h. */
#include "session/report/source_text.h"

#include "base/str.h"
#include "session/live/sampling.h"

#include <string.h>

#define TAB	   8
#define LINE_BYTES 1000 /* of one line that is shown */

/* OLD=NEW of --source-prefix; the caller frees. */
static char *map_source_path(const struct wp_session_options *options, const char *file)
{
	const char *prefix = options->report.source_prefix;
	size_t n = prefix ? strcspn(prefix, "=") : 0;

	if (!n || strncmp(file, prefix, n) != 0)
		return wp_strdup(file);
	return wp_asprintf("%s%s", prefix + n + 1, file + n);
}

static const char *find_source_text(struct wp_sampling *s, const char *file, uint32_t line,
				    size_t *ret_n)
{
	const struct wp_world *world = s->setup.world;
	wp_autofree char *path = NULL;
	const char *text;

	if (world->ops->text) {
		text = world->ops->text(world, file, line);
		*ret_n = text ? strlen(text) : 0;
		return text;
	}
	path = map_source_path(s->options, file);
	return wp_python_source_text(&s->python.source, path, line, ret_n);
}

const char *wp_source_text(struct wp_sampling *s, struct wp_arena *arena, const char *file,
			   uint32_t line)
{
	wp_autostr struct wp_str out = {0};
	const char *text;
	size_t n;

	if (!file || !line)
		return NULL;
	text = find_source_text(s, file, line, &n);
	if (!text)
		return NULL;
	for (size_t i = 0; i < n && out.len < LINE_BYTES; i++)
		if (text[i] == '\t')
			wp_str_pad(&out, ' ', TAB - out.len % TAB);
		else
			wp_str_putc(&out, text[i]);
	while (out.len && out.s[out.len - 1] == ' ')
		out.s[--out.len] = '\0';
	return wp_arena_strndup(arena, out.s ? out.s : "", out.len);
}
