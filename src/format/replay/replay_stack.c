/* SPDX-License-Identifier: BSD-3-Clause */
/* replay_stack: see replay_stack.h. */
#include "format/replay/replay_stack.h"

#include "base/str.h"

#include <string.h>

static size_t count_items(const char *list)
{
	size_t n = *list != '\0';

	for (; *list; list++)
		n += *list == ',';
	return n;
}

static bool parse_frame(char *item, struct wp_stack_frame *ret)
{
	char *sp = strchr(item, '/');

	if (sp)
		*sp++ = '\0';
	return wp_str_to_u64(item, 0, UINT64_MAX, &ret->ip.v) &&
	       (!sp || wp_str_to_u64(sp, 0, UINT64_MAX, &ret->sp));
}

static struct wp_err *parse_frames(const char *list, struct wp_arena *arena,
				   const struct wp_stack_frame **ret, size_t *ret_n)
{
	size_t n = count_items(list), at = 0;
	struct wp_stack_frame *frames;
	char *rest = wp_arena_strdup(arena, list), *item;

	if (n > WP_STACK_MAX)
		return wp_err_new(WP_ERR_LIMIT, "more than %d frames", WP_STACK_MAX);
	frames = wp_arena_alloc(arena, (n + 1) * sizeof(*frames));
	while (at < n && (item = strsep(&rest, ",")))
		if (!parse_frame(item, &frames[at++]))
			return wp_err_new(WP_ERR_FORMAT, "bad value of 'stack'");
	*ret = frames;
	*ret_n = n;
	return NULL;
}

static struct wp_err *parse_end(const char *word, enum wp_stack_end *ret)
{
	static const char *const words[WP_STACK_ENDS] = {
		[WP_STACK_COMPLETE] = "complete", [WP_STACK_NO_MODULE] = "no_module",
		[WP_STACK_NO_RULE] = "no_rule",	  [WP_STACK_UNREADABLE] = "unreadable",
		[WP_STACK_CUT] = "cut",		  [WP_STACK_TOO_DEEP] = "too_deep",
		[WP_STACK_LOST] = "lost",
	};

	for (int i = 0; i < WP_STACK_ENDS; i++)
		if (strcmp(words[i], word) == 0) {
			*ret = (enum wp_stack_end)i;
			return NULL;
		}
	return wp_err_new(WP_ERR_FORMAT, "bad value of 'stack_end'");
}

static struct wp_err *parse_kernel(const char *list, struct wp_arena *arena,
				   struct wp_stack_raw *raw)
{
	const struct wp_stack_frame *frames;
	uint64_t *ips;

	TRY(parse_frames(list, arena, &frames, &raw->n_kernel));
	ips = wp_arena_alloc(arena, (raw->n_kernel + 1) * sizeof(*ips));
	for (size_t i = 0; i < raw->n_kernel; i++)
		ips[i] = frames[i].ip.v;
	raw->kernel_ips = ips;
	return NULL;
}

struct wp_err *wp_replay_stack_parse(const char *user, const char *kernel, const char *end,
				     struct wp_arena *arena, const struct wp_stack_raw **ret)
{
	struct wp_stack_raw *raw;

	if (!user && !kernel)
		return end ? wp_err_new(WP_ERR_FORMAT, "'stack_end' needs 'stack'") : NULL;
	raw = wp_arena_alloc(arena, sizeof(*raw));
	if (end)
		TRY(parse_end(end, &raw->walked_end));
	if (kernel)
		TRY(parse_kernel(kernel, arena, raw));
	if (user)
		TRY(parse_frames(user, arena, &raw->walked, &raw->n_walked));
	*ret = raw;
	return NULL;
}
