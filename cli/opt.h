/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * opt: one table of options per verb: it parses, prints the help, feeds completion, and a test
 * compares it with the man page.
 *
 * The command line is WindowsPerf's: the verb and options stand in any order up to `--`, and old
 * single-dash long forms (`-pe_file`) are accepted. From getopt's habits `--name=value` and
 * `-Nvalue` too. A verb's first plain word is its file or its name; of a verb that starts a command
 * it is the command, and options end there. Whatever else is typed is an error: nothing is ignored
 * but options of WindowsPerf that mean nothing here, which get its own warning.
 */
#ifndef CLI_OPT_H
#define CLI_OPT_H

#include "session/session.h"

#include <stddef.h>

enum opt_kind {
	OPT_KIND_FLAG,	   /* bool at `at` becomes true */
	OPT_KIND_TEXT,	   /* const char * at `at`, borrowed from argv */
	OPT_KIND_LIST,	   /* the same; given again, the lists are joined */
	OPT_KIND_NUMBER,   /* uint64_t at `at`, `min` to `max` */
	OPT_KIND_DURATION, /* uint64_t nanoseconds at `at` */
	OPT_KIND_WORD,	   /* const char * at `at`: one of `values` */
	OPT_KIND_CHOICE,   /* uint32_t or enum at `at` becomes `means` */
	OPT_KIND_BITS,	   /* uint32_t at `at`: the bits of `means` are added */
	OPT_KIND_SET,	   /* `set` does it */
};

struct opt {
	const char *names; /* "-c, --cpu": first the one that is shown in messages */
	const char *value; /* what the help calls its value; NULL: takes none */
	const char *help;
	enum opt_kind kind;
	size_t at; /* offset in struct wp_session_options */
	uint64_t min, max;
	uint32_t means;	       /* of an option without a value */
	const char *otherwise; /* the value when none is given; NULL: one is needed */
	struct wp_err *(*set)(struct wp_session_options *options, const char *value,
			      const struct wp_log *log);
	/* For completion, see complete.h. NULL: `value` tells (FILE, DIR ...). */
	const char *values; /* "auto always never", or a kind: "<data>" */
	struct wp_err *(*list)(const struct wp_session_options *options, struct wp_session_io *io,
			       int *ret_exit); /* prints them, one a line */
};

struct verb {
	const char *name;
	const char *also; /* its other words, as in opt.names: "-l" for list; NULL: none */
	const char *usage;
	const char *summary;		   /* one line */
	const struct opt *const *options;  /* ended by NULL */
	const char *word;		   /* what its plain word is: "FILE"; NULL: it takes none */
	size_t word_at;			   /* const char * there in struct wp_session_options */
	bool is_windowsperf;		   /* options of WindowsPerf that mean nothing only warn */
	bool is_paged;			   /* its text may go through a pager */
	bool has_screens;		   /* its text may be walked through on screens */
	bool takes_command, needs_command; /* is followed by `[--] CMD` */
	void (*help)(struct wp_writer *out); /* prints what follows the options; NULL: nothing */
	const char *examples;		     /* a line each */
	struct wp_err *(*run)(const struct wp_session_options *options, struct wp_session_io *io,
			      int *ret_exit);
};

/* The outcome of parsing; the options borrow from argv and from here. */
struct cli {
	const struct verb *verb; /* NULL: no verb was given */
	struct wp_session_options options;
	bool help, list_options;
	WP_VEC(char *) texts; /* made of values */
	char *sleep[3];	      /* the command of `record -a sleep 5` */
};

/* What the words are looked up in. */
struct opt_tables {
	const struct verb *const *verbs;      /* ended by NULL */
	const struct opt *const *windowsperf; /* its own options, ended by NULL */
	const struct verb *launcher;	      /* the verb of `wperf -- CMD` */
};

/* Parses argv (without the program's name). The caller deinits, also after a failure. */
struct wp_err *opt_parse(char **argv, const struct opt_tables *tables, const struct wp_log *log,
			 struct cli *ret) WP_MUST_CHECK;
void opt_deinit(struct cli *cli);

/* A time of the documented grammar; name is for the message. */
struct wp_err *opt_duration(const char *value, const char *name, uint64_t *ret_ns) WP_MUST_CHECK;

/* A line for each option of a table that ends in NULL, aligned; those without a help are left out.
 */
void opt_help(const struct opt *const *options, struct wp_writer *out);
/* The names of a verb's options, one a line. */
void opt_names(const struct verb *verb, struct wp_writer *out);
/* True when `word` is one of the comma separated `names`. */
bool opt_named(const char *names, const char *word);
/* The option of the verb's own table that has the name, or NULL. */
const struct opt *opt_find(const struct verb *verb, const char *name);

#endif
