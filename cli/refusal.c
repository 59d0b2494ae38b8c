/* SPDX-License-Identifier: BSD-3-Clause */
/* refusal: see refusal.h. */
#include "refusal.h"

#include "habits.h"

#include "base/nearest.h"
#include "base/str.h"

#include <string.h>

#define wp_autonearest WP_CLEANUP(wp_nearest_deinit)

/* "--timout=1" -> "--timout", "-timout" -> "--timout", "-x" as it is. */
static char *option_name(const char *word)
{
	size_t len = strcspn(word, "=");

	return wp_asprintf("%s%.*s", word[1] == '-' || len <= 2 ? "" : "-", (int)len, word);
}

/* Names of one letter are near to everything. */
static void try_names(struct wp_nearest *nearest, const char *names)
{
	wp_autofree char *copy = wp_strdup(names);
	char *rest = copy, *name;

	while ((name = strsep(&rest, ", ")))
		if (strlen(name) > 2)
			wp_nearest_try(nearest, name);
}

/* What follows "no option of VERB": who has it, or what is nearest. */
static void add_hint(const struct opt_tables *tables, const struct verb *verb, const char *word,
		     struct wp_str *ret)
{
	wp_autofree char *name = option_name(word);
	wp_autonearest struct wp_nearest nearest = wp_nearest_to(name);

	for (const struct verb *const *any = tables->verbs; *any; any++)
		if (opt_find(*any, name))
			wp_str_printf(ret, "%s%s", ret->len ? ", " : ", but of ", (*any)->name);
	if (ret->len || !verb || strlen(name) <= 2)
		return;
	for (const struct opt *const *opt = verb->options; *opt; opt++)
		try_names(&nearest, (*opt)->names);
	if (nearest.name)
		wp_str_printf(ret, "; nearest: %s", nearest.name);
}

static struct wp_err *refuse_option(const struct opt_tables *tables, const struct verb *verb,
				    const char *word)
{
	const char *habit = verb ? habit_find(verb->name, word) : NULL;
	wp_autostr struct wp_str hint = {0};

	if (habit)
		wp_str_printf(&hint, "; %s", habit);
	else
		add_hint(tables, verb, word, &hint);
	return wp_err_new(WP_ERR_USAGE,
			  "unexpected arg '%s': no option of %s%s. See wperf %s%s--help", word,
			  verb ? verb->name : "any verb", hint.len ? hint.s : "",
			  verb ? verb->name : "", verb ? " " : "");
}

struct wp_err *refuse_verb(const struct opt_tables *tables, const char *word)
{
	wp_autonearest struct wp_nearest nearest = wp_nearest_to(word);
	const char *habit = habit_find(NULL, word);
	wp_autostr struct wp_str hint = {0};

	if (word[0] == '-')
		return refuse_option(tables, NULL, word);
	try_names(&nearest, "help");
	for (const struct verb *const *verb = tables->verbs; *verb; verb++)
		try_names(&nearest, (*verb)->name);
	if (habit)
		wp_str_puts(&hint, habit);
	else if (nearest.name)
		wp_str_printf(&hint, "nearest: %s", nearest.name);
	else
		wp_str_printf(&hint, "to start a command: wperf %s -- %s", tables->launcher->name,
			      word);
	return wp_err_new(WP_ERR_USAGE,
			  "unexpected arg '%s': no verb of wperf; %s. See wperf --help", word,
			  hint.s);
}

struct wp_err *refuse_word(const struct opt_tables *tables, const struct verb *verb, bool is_verb,
			   const char *word)
{
	const char *habit = habit_find(verb->name, "");

	if (is_verb)
		return wp_err_new(WP_ERR_USAGE, "unexpected arg '%s': the verb is %s already%s",
				  word, verb->name,
				  verb->takes_command ? "; a command of that name goes behind --"
						      : "");
	if (word[0] == '-' && word[1])
		return refuse_option(tables, verb, word);
	if (verb->word)
		return wp_err_new(WP_ERR_USAGE, "unexpected arg '%s': %s takes one %s", word,
				  verb->name, verb->word);
	return wp_err_new(WP_ERR_USAGE,
			  "unexpected arg '%s': %s takes options only%s%s. See wperf %s --help",
			  word, verb->name, habit ? "; " : "", habit ? habit : "", verb->name);
}
