/* SPDX-License-Identifier: BSD-3-Clause */
/* choice: see choice.h. */
#include "base/choice.h"

struct wp_choice wp_choice_of(const char *word)
{
	return (struct wp_choice){.nearest = wp_nearest_to(word)};
}

void wp_choice_add(struct wp_choice *choice, const char *name)
{
	wp_nearest_try(&choice->nearest, name);
	wp_str_printf(&choice->all, "%s%s", choice->all.len ? ", " : "", name);
}

struct wp_err *wp_choice_refuse(const struct wp_choice *choice, const char *option)
{
	const char *nearest = choice->nearest.name;

	return wp_err_new(WP_ERR_USAGE, "%s %s: want one of %s%s%s", option, choice->nearest.word,
			  choice->all.s, nearest ? "; nearest: " : "", nearest ? nearest : "");
}

void wp_choice_deinit(struct wp_choice *choice)
{
	wp_nearest_deinit(&choice->nearest);
	wp_str_deinit(&choice->all);
}
