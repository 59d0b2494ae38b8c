/* SPDX-License-Identifier: BSD-3-Clause */
/* opt: see opt.h. */
#include "opt.h"

#include "refusal.h"

#include "base/choice.h"
#include "base/clock.h"
#include "base/duration.h"
#include "base/file.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

#define HELP_BEGIN 30 /* columns of what an option does */
#define HELP_END   80
#define LIST_BYTES (1u << 20) /* of a file of events */

bool opt_named(const char *names, const char *word)
{
	size_t len = strlen(word);

	for (const char *at = names; *at; at += strspn(at, ", ")) {
		size_t n = strcspn(at, ",");

		if (n == len && memcmp(at, word, n) == 0)
			return true;
		at += n;
	}
	return false;
}

static const struct opt *find_option_in(const struct opt *const *options, const char *name)
{
	for (; *options; options++)
		if (opt_named((*options)->names, name))
			return *options;
	return NULL;
}

const struct opt *opt_find(const struct verb *verb, const char *name)
{
	return find_option_in(verb->options, name);
}

struct parser {
	const struct opt_tables *tables;
	const struct wp_log *log;
	struct cli *cli;
	char **verb_at;	   /* the word that is the verb */
	const char *word;  /* the verb's plain word */
	const char *slept; /* the value of `sleep` */
};

static bool is_operand(const char *word)
{
	return word[0] != '-' || !word[1];
}

/*
 * In the verb's own table, else among WindowsPerf's, which are accepted everywhere; before the verb
 * is known, in anybody's.
 */
static const struct opt *find_option(const struct parser *p, const char *name)
{
	const struct verb *verb = p->cli->verb;
	const struct opt *opt = verb ? opt_find(verb, name) : NULL;

	for (const struct verb *const *any = p->tables->verbs; !verb && !opt && *any; any++)
		opt = opt_find(*any, name);
	if (opt || (verb && (!verb->is_windowsperf || (verb->word && is_operand(name)))))
		return opt;
	return find_option_in(p->tables->windowsperf, name);
}

/* One option of the command line, taken apart. */
struct word {
	const struct opt *opt; /* NULL: it is none */
	const char *value;     /* given within the word */
};

/*
 * Recognises `-e`, `--cpu`, `-cpu`, `--cpu=0`, `-F1000`, in this order, so that old single-dash
 * long forms win over values glued to a letter.
 */
static struct word split_word(const struct parser *p, const char *arg)
{
	struct word word = {.opt = find_option(p, arg)};
	const char *equals = strchr(arg, '=');

	if (word.opt || is_operand(arg))
		return word;
	wp_autofree char *name = equals ? wp_strndup(arg, (size_t)(equals - arg)) : wp_strdup(arg);
	wp_autofree char *doubled = wp_asprintf("-%s", name);
	word.value = equals ? equals + 1 : NULL;
	word.opt = find_option(p, name);
	if (!word.opt && name[1] != '-')
		word.opt = find_option(p, doubled);
	if (!word.opt && name[1] && name[1] != '-') {
		name[2] = '\0';
		word.opt = find_option(p, name);
		word.value = arg + 2;
	}
	if (word.opt && word.value && !word.opt->value) /* `-x=1` or `-qv`: not a word we know */
		return (struct word){0};
	return word;
}

/* Where a value may be left out, a word with a dash is none; `--` and what begins so never is. */
static bool takes_next(struct word word, const char *next)
{
	if (!word.opt->value || word.value || !next || wp_str_has_prefix(next, "--"))
		return false;
	return !word.opt->otherwise || is_operand(next);
}

struct wp_err *opt_duration(const char *value, const char *name, uint64_t *ret_ns)
{
	if (wp_duration_parse(value, ret_ns))
		return NULL;
	return wp_err_new(
		WP_ERR_USAGE,
		"input: \"%s\" to argument '%s' is invalid: want a number with at most two"
		" decimals and ms, s, m, h or d, like 1.5s",
		value, name);
}

static struct wp_err *store_number(const struct opt *opt, const char *name, const char *value,
				   uint64_t *ret)
{
	uint64_t number;

	if (!wp_str_to_u64(value, 10, opt->max, &number) || number < opt->min)
		return wp_err_new(WP_ERR_USAGE,
				  "input: \"%s\" to argument '%s' is invalid: want a number"
				  " from %llu to %llu",
				  value, name, (unsigned long long)opt->min,
				  (unsigned long long)opt->max);
	*ret = number;
	return NULL;
}

static struct wp_err *store_word(const struct opt *opt, const char *name, const char *value,
				 const char **ret)
{
	wp_autofree char *values = wp_strdup(opt->values);
	wp_autochoice struct wp_choice choice = wp_choice_of(value);
	char *rest = values, *word;

	while ((word = strsep(&rest, " "))) {
		if (strcmp(word, value) == 0) {
			*ret = value;
			return NULL;
		}
		wp_choice_add(&choice, word);
	}
	return wp_choice_refuse(&choice, name);
}

/* @FILE: what the lines of a file say, joined by commas. */
static struct wp_err *read_list(struct cli *cli, const char *path, const char **ret)
{
	wp_autofree char *text = NULL;
	wp_autostr struct wp_str list = {0};
	char *line, *rest;

	TRY(wp_file_read(path, LIST_BYTES, &text, NULL));
	rest = text;
	while ((line = strsep(&rest, "\r\n")))
		if (*line)
			wp_str_printf(&list, "%s%s", list.len ? "," : "", line);
	if (!list.len)
		return wp_err_new(WP_ERR_USAGE, "%s is empty: want a list like that of -e", path);
	wp_vec_push(&cli->texts, list.s);
	list = (struct wp_str){0};
	*ret = cli->texts.v[cli->texts.n - 1];
	return NULL;
}

static struct wp_err *join_lists(struct cli *cli, const char **list, const char *more)
{
	if (more[0] == '@')
		TRY(read_list(cli, more + 1, &more));
	if (*list) {
		wp_vec_push(&cli->texts, wp_asprintf("%s,%s", *list, more));
		more = cli->texts.v[cli->texts.n - 1];
	}
	*list = more;
	return NULL;
}

static struct wp_err *store_value(struct parser *p, const struct opt *opt, const char *name,
				  const char *value)
{
	void *at = (char *)&p->cli->options + opt->at;

	switch (opt->kind) {
	case OPT_KIND_FLAG: *(bool *)at = true; return NULL;
	case OPT_KIND_TEXT: *(const char **)at = value; return NULL;
	case OPT_KIND_LIST: return join_lists(p->cli, at, value);
	case OPT_KIND_NUMBER: return store_number(opt, name, value, at);
	case OPT_KIND_DURATION: return opt_duration(value, name, at);
	case OPT_KIND_WORD: return store_word(opt, name, value, at);
	case OPT_KIND_CHOICE: *(uint32_t *)at = opt->means; return NULL;
	case OPT_KIND_BITS: *(uint32_t *)at |= opt->means; return NULL;
	case OPT_KIND_SET: return opt->set(&p->cli->options, value, p->log);
	}
	return NULL;
}

static const struct verb *verb_of(const struct parser *p, const char *word)
{
	for (const struct verb *const *verb = p->tables->verbs; *verb; verb++)
		if (strcmp((*verb)->name, word) == 0 ||
		    ((*verb)->also && opt_named((*verb)->also, word)))
			return *verb;
	return NULL;
}

/* Words that stand in place of everything else. */
static bool is_about_words(struct cli *cli, const char *word)
{
	bool help = opt_named("-h, --help", word) || (!cli->verb && strcmp(word, "help") == 0);
	bool list = strcmp(word, "--list-opts") == 0;

	cli->help |= help;
	cli->list_options |= list;
	return help || list;
}

/* Pass 1: which verb? Needed first, since it decides what the options mean. */
static struct wp_err *find_verb(struct parser *p, char **argv)
{
	struct cli *cli = p->cli;
	struct word word;

	for (; *argv && strcmp(*argv, "--"); argv++) {
		if (is_about_words(cli, *argv))
			continue;
		if (!cli->verb && (cli->verb = verb_of(p, *argv))) {
			p->verb_at = argv;
			continue;
		}
		word = split_word(p, *argv);
		if (word.opt)
			argv += takes_next(word, argv[1]);
		else if (is_operand(*argv) && !cli->verb)
			return refuse_verb(p->tables, *argv);
		else if (is_operand(*argv) && cli->verb->takes_command)
			return NULL;
	}
	if (*argv && !cli->verb)
		cli->verb = p->tables->launcher;
	return NULL;
}

/* As it was typed, without the value. */
static char *typed_name(const char *arg, struct word word)
{
	size_t len = word.value ? (size_t)(word.value - arg) : strlen(arg);

	return wp_strndup(arg, len - (len && arg[len - 1] == '='));
}

static bool verb_has(const struct verb *verb, const struct opt *opt)
{
	for (const struct opt *const *own = verb->options; *own; own++)
		if (*own == opt)
			return true;
	return false;
}

/* The option at **argv, which then is its last word. */
static struct wp_err *take_option(struct parser *p, struct word word, char ***argv)
{
	wp_autofree char *name = typed_name(**argv, word);
	const char *next = (*argv)[1];
	const struct verb *verb = p->cli->verb;

	if (takes_next(word, next))
		word.value = *++*argv;
	else if (word.opt->value && !word.value)
		word.value = word.opt->otherwise;
	if (word.opt->value && !word.value)
		return wp_err_new(WP_ERR_USAGE, "option '%s' needs a value: %s%s%s%s", name,
				  word.opt->value, next ? ", not '" : "", next ? next : "",
				  next ? "'" : "");
	if (strcmp(name, "sleep") == 0)
		p->slept = word.value;
	if (!verb || verb_has(verb, word.opt))
		return store_value(p, word.opt, name, word.value);
	wp_log(p->log, WP_LOG_WARNING, "unexpected arg '%s' ignored", name);
	return NULL;
}

/* True when the options end here. */
static struct wp_err *take_plain_word(struct parser *p, char **at, bool *ret_ends)
{
	struct cli *cli = p->cli;
	const struct verb *verb = cli->verb;
	bool is_verb = verb_of(p, *at) != NULL, takes = is_operand(*at) && verb->word && !p->word;

	if (is_operand(*at) && verb->takes_command && !is_verb) {
		cli->options.target.command = at;
		*ret_ends = true;
	} else if (takes) {
		p->word = *at;
	} else {
		return refuse_word(p->tables, verb, is_verb, *at);
	}
	return NULL;
}

static struct wp_err *take_typed_command(struct parser *p, char **command)
{
	const struct verb *verb = p->cli->verb;

	if (!verb->takes_command)
		return wp_err_new(WP_ERR_USAGE,
				  "only `stat` and `record` support process spawn!: %s starts no"
				  " command",
				  verb->name);
	if (!*command)
		return wp_err_new(WP_ERR_USAGE, "a command goes behind --, as in: wperf %s -- %s",
				  verb->name, "python3 x.py");
	p->cli->options.target.command = command;
	return NULL;
}

/* Pass 2: what it all means. */
static struct wp_err *take_words(struct parser *p, char **argv)
{
	struct word word;
	bool ends = false;

	for (; *argv && !ends; argv++) {
		if (argv == p->verb_at)
			continue;
		if (strcmp(*argv, "--") == 0)
			return take_typed_command(p, argv + 1);
		word = split_word(p, *argv);
		if (word.opt)
			TRY(take_option(p, word, &argv));
		else if (p->cli->verb)
			TRY(take_plain_word(p, argv, &ends));
		else
			return refuse_verb(p->tables, *argv);
	}
	return NULL;
}

/* The verb's plain word goes where an option may have put a value already. */
static struct wp_err *settle_word(struct parser *p)
{
	const struct verb *verb = p->cli->verb;
	const char **place;

	if (!p->word)
		return NULL;
	place = (const char **)(void *)((char *)&p->cli->options + verb->word_at);
	if (*place)
		return wp_err_new(WP_ERR_USAGE, "unexpected arg '%s': the %s is '%s' already",
				  p->word, verb->word, *place);
	*place = p->word;
	return NULL;
}

/* `record -a sleep 5`: everything is sampled as long as a command runs, which this is then. */
static void launch_sleep(struct cli *cli)
{
	struct wp_session_options *options = &cli->options;

	cli->sleep[0] = wp_strdup("sleep");
	cli->sleep[1] = wp_asprintf("%.9g", (double)options->timeout_ns / WP_NS_PER_S);
	wp_vec_push(&cli->texts, cli->sleep[0]);
	wp_vec_push(&cli->texts, cli->sleep[1]);
	options->target.command = cli->sleep;
	options->timeout_ns = 0;
}

/* `sleep 5` is WindowsPerf's time limit, but also a command that others measure. */
static struct wp_err *settle_sleep(struct parser *p)
{
	const struct wp_session_options *options = &p->cli->options;
	const struct verb *verb = p->cli->verb;
	bool everything = options->target.all || options->target.cgroups;

	if (!p->slept || !verb || !verb->takes_command || options->target.command ||
	    options->target.pe_file)
		return NULL;
	if (verb->needs_command && everything) {
		launch_sleep(p->cli);
		return NULL;
	}
	if (!verb->needs_command && (everything || options->target.cpus || options->target.pids ||
				     options->target.each_cgroup || options->target.user))
		return NULL;
	if (verb->needs_command)
		return wp_err_new(WP_ERR_USAGE,
				  "no command to record: `sleep %s` is the time limit (--timeout);"
				  " to record the command: wperf %s -- sleep %s",
				  p->slept, verb->name, p->slept);
	if (!options->output.quiet)
		wp_log(p->log, WP_LOG_NOTE,
		       "`sleep %s` is the time limit (--timeout); for the command: wperf %s ..."
		       " -- sleep %s",
		       p->slept, verb->name, p->slept);
	return NULL;
}

struct wp_err *opt_parse(char **argv, const struct opt_tables *tables, const struct wp_log *log,
			 struct cli *ret)
{
	struct parser p = {.tables = tables, .log = log, .cli = ret};

	*ret = (struct cli){0};
	wp_session_options_init(&ret->options);
	TRY(find_verb(&p, argv));
	if (ret->help || ret->list_options)
		return NULL;
	TRY(take_words(&p, argv));
	TRY(settle_word(&p));
	return settle_sleep(&p);
}

void opt_deinit(struct cli *cli)
{
	wp_vec_each (char *, text, &cli->texts)
		free(*text);
	wp_vec_deinit(&cli->texts);
}

/* A text from its column on, in lines of a terminal as narrow as any. */
static void put_help(struct wp_writer *out, const char *text)
{
	while (strlen(text) > HELP_END - HELP_BEGIN) {
		size_t n = HELP_END - HELP_BEGIN;

		while (n && text[n] != ' ')
			n--;
		if (!n)
			break;
		wp_writer_printf(out, "%.*s\n%*s", (int)n, text, HELP_BEGIN, "");
		text += n + 1;
	}
	wp_writer_printf(out, "%s\n", text);
}

void opt_help(const struct opt *const *options, struct wp_writer *out)
{
	for (const struct opt *const *opt = options; *opt; opt++) {
		if (!*(*opt)->help)
			continue;
		wp_autofree char *left =
			wp_asprintf("%s%s%s", (*opt)->names, (*opt)->value ? " " : "",
				    (*opt)->value ? (*opt)->value : "");

		if (strlen(left) > HELP_BEGIN - 4)
			wp_writer_printf(out, "  %s\n%*s", left, HELP_BEGIN, "");
		else
			wp_writer_printf(out, "  %-*s", HELP_BEGIN - 2, left);
		put_help(out, (*opt)->help);
	}
}

void opt_names(const struct verb *verb, struct wp_writer *out)
{
	for (const struct opt *const *opt = verb->options; *opt; opt++)
		for (const char *at = (*opt)->names; *at; at += strspn(at, ", ")) {
			size_t n = strcspn(at, ",");

			wp_writer_printf(out, "%.*s\n", (int)n, at);
			at += n;
		}
}
