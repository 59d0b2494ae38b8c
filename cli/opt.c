/* opt: see opt.h. */
#include "opt.h"

#include "base/duration.h"
#include "base/str.h"

#include <string.h>

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

static const struct opt *find_in(const struct verb *verb, const char *word)
{
	for (const struct opt *const *opt = verb->options; *opt; opt++)
		if (opt_named((*opt)->names, word))
			return *opt;
	return NULL;
}

/* In the verb's own table, else in anybody's: an option of another verb still takes its value. */
static const struct opt *find(const struct verb *verb, const struct verb *const *verbs,
			      const char *word)
{
	const struct opt *opt = verb ? find_in(verb, word) : NULL;

	for (; !opt && *verbs; verbs++)
		opt = find_in(*verbs, word);
	return opt;
}

/* One word of the command line, taken apart. */
struct word {
	const struct opt *opt; /* NULL: not an option */
	const char *value;     /* given within the word */
};

/*
 * Recognises `-e`, `--cpu`, `-cpu`, `--cpu=0`, `-F1000`, in this order, so that old single-dash
 * long forms win over values glued to a letter.
 */
static struct word read_word(const struct verb *verb, const struct verb *const *verbs,
			     const char *arg)
{
	struct word word = {.opt = find(verb, verbs, arg)};
	const char *equals = strchr(arg, '=');

	if (word.opt || arg[0] != '-' || !arg[1])
		return word;
	wp_autofree char *name = equals ? wp_strndup(arg, (size_t)(equals - arg)) : wp_strdup(arg);
	wp_autofree char *doubled = wp_asprintf("-%s", name);
	word.value = equals ? equals + 1 : NULL;
	word.opt = find(verb, verbs, name);
	if (!word.opt && name[1] != '-')
		word.opt = find(verb, verbs, doubled);
	if (!word.opt && name[1] != '-') {
		name[2] = '\0';
		word.opt = find(verb, verbs, name);
		word.value = arg + 2;
	}
	if (word.opt && !word.opt->value) /* `-x=1` or `-qv`: not a word we know */
		return (struct word){0};
	return word;
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

static struct wp_err *store(const struct opt *opt, const char *name, const char *value,
			    struct wp_session_options *options, const struct wp_log *log)
{
	void *at = (char *)options + opt->at;

	switch (opt->kind) {
	case OPT_KIND_FLAG: *(bool *)at = true; return NULL;
	case OPT_KIND_TEXT: *(const char **)at = value; return NULL;
	case OPT_KIND_NUMBER:
		if (!wp_str_to_u64(value, 10, opt->max, at))
			return wp_err_new(WP_ERR_USAGE,
					  "input: \"%s\" to argument '%s' is invalid: want a number"
					  " from 0 to %llu",
					  value, name, (unsigned long long)opt->max);
		return NULL;
	case OPT_KIND_DURATION: return opt_duration(value, name, at);
	case OPT_KIND_SET: return opt->set(options, value, log);
	}
	return NULL;
}

static const struct verb *verb_of(const struct verb *const *verbs, const char *word)
{
	for (; *verbs; verbs++)
		if (opt_named((*verbs)->name, word))
			return *verbs;
	return NULL;
}

static bool is_topic(const char *next)
{
	return next && next[0] != '-';
}

/* Where the verb keeps a word that is no option; NULL when it has no room for one. */
static const char **word_place(struct cli *cli)
{
	if (!cli->verb || !(cli->verb->takes_topic || cli->verb->takes_pattern))
		return NULL;
	return cli->verb->takes_topic ? &cli->options.man_topic : &cli->options.pattern;
}

static bool take_word(struct cli *cli, const char *word)
{
	const char **place = word_place(cli);

	if (!place || *place || word[0] == '-')
		return false;
	*place = word;
	return true;
}

/* Pass 1: which verb? Needed first, since it decides what the options mean. */
static const struct verb *find_verb(char **argv, const struct verb *const *verbs)
{
	const struct verb *best = NULL;

	for (; *argv && strcmp(*argv, "--"); argv++) {
		const struct verb *verb = verb_of(verbs, *argv);
		struct word word = verb ? (struct word){0} : read_word(NULL, verbs, *argv);
		bool takes_next =
			verb ? verb->takes_topic : word.opt && word.opt->value && !word.value;

		if (verb && (!best || verb->rank < best->rank))
			best = verb;
		if (takes_next && argv[1])
			argv++;
	}
	return best;
}

static bool has(const struct verb *verb, const struct opt *opt)
{
	for (const struct opt *const *own = verb->options; *own; own++)
		if (*own == opt)
			return true;
	return false;
}

static struct wp_err *take_option(struct cli *cli, struct word word, char ***argv,
				  const struct wp_log *log)
{
	const char *name = **argv;

	if (word.opt->value && !word.value) {
		if (!(*argv)[1])
			return wp_err_new(WP_ERR_USAGE, "option '%s' needs a value: %s", name,
					  word.opt->value);
		word.value = *++*argv;
	}
	if (cli->verb && !has(cli->verb, word.opt))
		wp_log(log, WP_LOG_WARNING, "option '%s' has no effect on '%s'", name,
		       cli->verb->name);
	return store(word.opt, name, word.value, &cli->options, log);
}

struct wp_err *opt_parse(char **argv, const struct verb *const *verbs, const struct wp_log *log,
			 struct cli *ret)
{
	wp_session_options_init(&ret->options);
	ret->verb = find_verb(argv, verbs);
	for (; *argv; argv++) {
		const struct verb *verb = verb_of(verbs, *argv);
		struct word word = {0};

		if (strcmp(*argv, "--") == 0) {
			ret->options.command = argv[1] ? argv + 1 : NULL;
			if (!ret->verb || !ret->verb->takes_command)
				wp_log(log, WP_LOG_WARNING,
				       "only `stat` and `record` support process spawn!");
			break;
		}
		if (verb) {
			if (verb->takes_topic && is_topic(argv[1]))
				ret->options.man_topic = *++argv;
		} else if (opt_named("-h, --help", *argv)) {
			ret->help = true;
		} else if (opt_named("--list-opts", *argv)) {
			ret->list_options = true;
		} else if ((word = read_word(ret->verb, verbs, *argv)).opt) {
			TRY(take_option(ret, word, &argv, log));
		} else if (!take_word(ret, *argv)) {
			ret->stray = true;
			wp_log(log, WP_LOG_WARNING, "unexpected arg '%s' ignored", *argv);
			if (**argv != '-' && ret->verb && ret->verb->takes_command)
				wp_log(log, WP_LOG_NOTE,
				       "a command goes behind --, as in: wperf %s ... -- %s",
				       ret->verb->name, *argv);
		}
	}
	return NULL;
}

void opt_help(const struct verb *verb, struct wp_writer *out)
{
	for (const struct opt *const *opt = verb->options; *opt; opt++) {
		wp_autofree char *left =
			wp_asprintf("%s%s%s", (*opt)->names, (*opt)->value ? " " : "",
				    (*opt)->value ? (*opt)->value : "");

		if (strlen(left) > 26)
			wp_writer_printf(out, "  %s\n  %-26s  %s\n", left, "", (*opt)->help);
		else
			wp_writer_printf(out, "  %-26s  %s\n", left, (*opt)->help);
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
