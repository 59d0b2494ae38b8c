/* SPDX-License-Identifier: BSD-3-Clause */
/* complete: see complete.h. */
#include "complete.h"

#include "base/dir.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

/* Where the cursor is. */
struct cursor {
	const struct verb *verb;
	const struct opt *pending; /* its value is due; NULL: none is */
	bool in_command;	   /* behind `--` or the command's name */
	bool has_command;	   /* its name is there */
	bool has_word;		   /* the verb's plain word is there */
};

static const struct verb *verb_named(const struct opt_tables *tables, const char *word)
{
	for (const struct verb *const *verb = tables->verbs; *verb; verb++)
		if (strcmp((*verb)->name, word) == 0 ||
		    ((*verb)->also && opt_named((*verb)->also, word)))
			return *verb;
	return NULL;
}

static void pass_plain(struct cursor *at, const struct opt_tables *tables, const char *word)
{
	if (!at->verb)
		at->verb = verb_named(tables, word);
	else if (at->verb->takes_command)
		at->in_command = at->has_command = true;
	else
		at->has_word = true;
}

static void pass_word(struct cursor *at, const struct opt_tables *tables, const char *word)
{
	const struct opt *opt = at->verb ? opt_find(at->verb, word) : NULL;

	if (at->in_command) {
		at->has_command = true;
	} else if (at->pending && strcmp(word, "=") != 0) {
		at->pending = NULL;
	} else if (strcmp(word, "--") == 0) {
		at->verb = at->verb ? at->verb : tables->launcher;
		at->in_command = true;
	} else if (opt) {
		at->pending = opt->value ? opt : NULL;
	} else if (!at->pending && (word[0] != '-' || verb_named(tables, word))) {
		pass_plain(at, tables, word);
	}
}

/* One line, if it begins as the unfinished word does; `lead` of that word stands before it. */
static void offer_word(struct wp_writer *out, const char *lead, size_t lead_len, const char *word,
		       const char *current)
{
	if (wp_str_has_prefix(word, current))
		wp_writer_printf(out, "%.*s%s\n", (int)lead_len, lead, word);
}

static void offer_lines(struct wp_writer *out, char *lines, const char *lead, size_t lead_len,
			const char *current)
{
	char *line;

	while ((line = strsep(&lines, " \n")))
		if (*line == '<')
			wp_writer_printf(out, "%s\n", line);
		else if (*line)
			offer_word(out, lead, lead_len, line, current);
}

/* The kind that the help's name of the value tells. */
static const char *kind_of_value(const struct opt *opt)
{
	static const struct {
		const char *value, *kind;
	} kinds[] = {
		{"FILE", "<file>"},	 {"[FILE]", "<file>"}, {"PATH", "<file>"},
		{"FILE|LIST", "<file>"}, {"DIR", "<dir>"},     {"SCRIPT", "<file>"},
	};

	if (opt->values)
		return opt->values;
	for (size_t i = 0; i < WP_ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i].value, opt->value) == 0)
			return kinds[i].kind;
	return "";
}

static struct wp_err *list_option_values(const struct opt *opt, const struct wp_session_io *io,
					 char **ret)
{
	struct wp_session_options options;
	struct wp_session_io into = *io;
	wp_autodir struct wp_dir pids = {0};
	wp_autostr struct wp_str text = {0};
	int exit_status = 0;

	wp_session_options_init(&options);
	if (opt->list) {
		into.out = wp_writer_of_str(&text);
		struct wp_err *err = opt->list(&options, &into, &exit_status);
		wp_err_free(wp_writer_close(into.out));
		if (err)
			return err;
	} else if (strcmp(kind_of_value(opt), "<pid>") == 0) {
		wp_dir_list("/proc", &pids);
		wp_vec_each (const char *, name, &pids.names)
			if (**name >= '0' && **name <= '9')
				wp_str_printf(&text, "%s\n", *name);
	} else {
		wp_str_puts(&text, kind_of_value(opt));
	}
	*ret = wp_strdup(text.s ? text.s : "");
	return NULL;
}

static bool is_list(const struct opt *opt)
{
	return opt->kind == OPT_KIND_LIST || strcmp(opt->value, "LIST") == 0 ||
	       strcmp(opt->value, "KEYS") == 0;
}

/* current: where the value begins in the unfinished word; of a list its last part is completed. */
static struct wp_err *offer_values(const struct opt *opt, const char *word, const char *current,
				   struct wp_session_io *io)
{
	wp_autofree char *lines = NULL;
	const char *last = current;

	for (const char *at = current; is_list(opt) && *at; at++)
		if (*at == ',' || *at == '{' || (*at == '+' && at == current))
			last = at + 1;
	TRY(list_option_values(opt, io, &lines));
	offer_lines(io->out, lines, word, (size_t)(last - word), last);
	return NULL;
}

static void offer_options(const struct verb *verb, const char *current, struct wp_writer *out)
{
	wp_autostr struct wp_str names = {0};
	struct wp_writer *to = wp_writer_of_str(&names);

	opt_names(verb, to);
	wp_err_free(wp_writer_close(to));
	wp_str_puts(&names, "--help\n");
	offer_lines(out, names.s, "", 0, current);
	if (verb->takes_command)
		offer_word(out, "", 0, "--", current);
}

static void offer_verbs(const struct opt_tables *tables, const char *current, struct wp_writer *out)
{
	for (const struct verb *const *verb = tables->verbs; *verb; verb++)
		offer_word(out, "", 0, (*verb)->name, current);
	offer_word(out, "", 0, "help", current);
	offer_word(out, "", 0, "--help", current);
}

/* A plain word: what the verb takes, else its options. */
static struct wp_err *offer_plain(const struct cursor *at, const char *current,
				  struct wp_session_io *io)
{
	static const struct opt events = {.value = "LIST", .list = wp_session_list_events};
	const struct verb *verb = at->verb;

	if (verb->takes_command)
		wp_writer_puts(io->out, "<command>\n");
	else if (verb->word && !at->has_word && strcmp(verb->word, "FILE") == 0)
		wp_writer_puts(io->out, "<data>\n");
	else if (verb->word && !at->has_word)
		return offer_values(&events, current, current, io);
	else
		offer_options(verb, current, io->out);
	return NULL;
}

struct wp_err *complete_words(char **words, const struct opt_tables *tables,
			      struct wp_session_io *io)
{
	struct cursor at = {0};
	const char *current, *equals;

	while (*words && words[1])
		pass_word(&at, tables, *words++);
	current = *words ? *words : "";
	equals = strchr(current, '=');
	if (at.in_command) {
		wp_writer_puts(io->out, at.has_command ? "<file>\n" : "<command>\n");
	} else if (at.pending) {
		return offer_values(at.pending, current, current + (*current == '='), io);
	} else if (!at.verb) {
		offer_verbs(tables, current, io->out);
	} else if (current[0] == '-' && equals) {
		wp_autofree char *name = wp_strndup(current, (size_t)(equals - current));
		const struct opt *opt = opt_find(at.verb, name);

		return opt && opt->value ? offer_values(opt, current, equals + 1, io) : NULL;
	} else if (current[0] == '-') {
		offer_options(at.verb, current, io->out);
	} else {
		return offer_plain(&at, current, io);
	}
	return NULL;
}
