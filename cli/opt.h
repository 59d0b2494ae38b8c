/*
 * opt: one table of options per verb: it parses, prints the help, feeds completion, and a test
 * compares it with the man page.
 *
 * The command line is WindowsPerf's: verbs and options in any order up to `--`, an option's value
 * is the next word whatever it is, old single-dash long forms (`-pe_file`) are accepted. From
 * getopt's habits `--name=value` and `-Nvalue` too.
 */
#ifndef CLI_OPT_H
#define CLI_OPT_H

#include "session/session.h"

#include <stddef.h>

enum opt_kind {
	OPT_KIND_FLAG,	   /* bool at `at` becomes true */
	OPT_KIND_TEXT,	   /* const char * at `at`, borrowed from argv */
	OPT_KIND_NUMBER,   /* uint64_t at `at`, at most `max` */
	OPT_KIND_DURATION, /* uint64_t nanoseconds at `at` */
	OPT_KIND_SET,	   /* `set` does it */
};

struct opt {
	const char *names; /* "-c, --cpu": first the one that is shown in messages */
	const char *value; /* what the help calls its value; NULL: takes none */
	const char *help;
	enum opt_kind kind;
	size_t at; /* offset in struct wp_session_options */
	uint64_t max;
	struct wp_err *(*set)(struct wp_session_options *options, const char *value,
			      const struct wp_log *log);
};

struct verb {
	const char *name; /* also "-l" for list: all its words, as in opt.names */
	const char *usage;
	const char *summary;		  /* one line */
	const struct opt *const *options; /* ended by NULL */
	bool takes_topic;		  /* the next word is its argument (man) */
	bool takes_pattern;		  /* a word that is nothing else is its argument (list) */
	bool is_paged;			  /* its text may go through a pager */
	bool takes_command;		  /* may be followed by `-- CMD` */
	void (*help)(struct wp_writer *out); /* prints what follows the options; NULL: nothing */
	int rank;			     /* of several verbs given, the lowest rank is done */
	struct wp_err *(*run)(const struct wp_session_options *options, struct wp_session_io *io,
			      int *ret_exit);
};

/* The outcome of parsing. */
struct cli {
	const struct verb *verb; /* NULL: no verb was given */
	struct wp_session_options options;
	bool help, list_options;
	bool stray; /* a word was ignored with a warning */
};

/* Parses argv (without the program's name). verbs ends with NULL. */
struct wp_err *opt_parse(char **argv, const struct verb *const *verbs, const struct wp_log *log,
			 struct cli *ret) WP_MUST_CHECK;

/* A time of the documented grammar; name is for the message. */
struct wp_err *opt_duration(const char *value, const char *name, uint64_t *ret_ns) WP_MUST_CHECK;

/* The options of a verb, one aligned line each. */
void opt_help(const struct verb *verb, struct wp_writer *out);
/* Their names only, one a line. */
void opt_names(const struct verb *verb, struct wp_writer *out);
/* True when `word` is one of the comma separated `names`. */
bool opt_named(const char *names, const char *word);

#endif
