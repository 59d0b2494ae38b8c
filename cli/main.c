/* SPDX-License-Identifier: BSD-3-Clause */
/* main: the table of verbs; from words to one call of the session, and its outcome to an exit code.
 */
#include "base/str.h"
#include "base/utf8.h"
#include "complete.h"
#include "options.h"
#include "pager.h"
#include "terminal.h"

#include "wperf_build.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct verb *const verbs[] = {
	&verb_stat,    &verb_sample,  &verb_record,  &verb_report, &verb_annotate,
	&verb_mem,     &verb_export,  &verb_script,  &verb_top,	   &verb_dump,
	&verb_list,    &verb_man,     &verb_test,    &verb_detect, &verb_cpuinfo,
	&verb_cmnlist, &verb_cmninfo, &verb_version, NULL,
};

static const struct opt_tables tables = {verbs, options_windowsperf, &verb_record};

static volatile sig_atomic_t interrupted, switch_asked;

/* A second signal ends us in the ordinary way, whichever of the two it is. */
static void on_signal(int number)
{
	(void)number;
	signal(SIGINT, SIG_DFL);
	signal(SIGTERM, SIG_DFL);
	interrupted = 1;
}

static void on_switch(int number)
{
	(void)number;
	switch_asked = (switch_asked + 1) % 1000;
}

/* Only for who waits for it: it ends all others, as everywhere. */
static void catch_switch(void)
{
	struct sigaction action = {.sa_handler = on_switch};

	sigaction(SIGUSR2, &action, NULL);
}

/*
 * SIGPIPE is left to the writers, which report it; a launched command gets the default dispositions
 * back.
 */
static void catch_signals(void)
{
	struct sigaction action = {.sa_handler = on_signal};

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	signal(SIGPIPE, SIG_IGN);
}

struct sink {
	bool verbose, quiet;
};

static void log_line(void *arg, enum wp_log_level level, const char *line)
{
	static const char *const heads[] = {"error: ", "warning: ", "note: ", ""};
	const struct sink *sink = arg;

	if ((level == WP_LOG_VERBOSE && !sink->verbose) || (level == WP_LOG_NOTE && sink->quiet))
		return;
	fprintf(stderr, "%s%s\n", heads[level], line);
}

static void print_header(struct wp_writer *out)
{
	wp_writer_printf(
		out,
		"wperf ver. %s (%s/%s) profiling with performance counters, the command line"
		" of WindowsPerf.\n",
		WPERF_VERSION, WPERF_GITVER, WPERF_BUILD_TYPE);
}

static void print_aliases(struct wp_writer *out)
{
	for (const struct verb *const *verb = verbs; *verb; verb++)
		if ((*verb)->also)
			wp_writer_printf(out, "  %-28s%s\n", (*verb)->also, (*verb)->name);
	wp_writer_puts(out,
		       "  sleep TIME                  --timeout TIME\n"
		       "  -pe_file PATH, ...          --pe_file PATH: old forms with one dash\n");
}

/* The captions are WindowsPerf's. */
static void print_usage(struct wp_writer *out)
{
	wp_writer_puts(out, "\nNAME:\n"
			    "  wperf - what functions, lines and Python code the events of a"
			    " processor happen on\n"
			    "\nSYNOPSIS:\n"
			    "  wperf VERB [OPTIONS] [FILE|[--] COMMAND ARGS]\n\n");
	for (const struct verb *const *verb = verbs; *verb; verb++)
		wp_writer_printf(out, "  %-12s %s\n", (*verb)->name, (*verb)->summary);
	wp_writer_puts(out, "\n  `wperf help VERB` lists all options of a verb; `man wperf-VERB`"
			    " explains them.\n"
			    "\nOPTIONS:\n");
	opt_help(options_windowsperf, out);
	wp_writer_puts(out, "\nOPTIONS aliases:\n");
	print_aliases(out);
	wp_writer_puts(out, "\nEXAMPLES:\n"
			    "  wperf stat -e page-faults,context-switches -- python3 x.py\n"
			    "  wperf record -F 1000 -- python3 x.py\n"
			    "  wperf sample -p PID --timeout 10\n"
			    "  wperf test\n");
}

static void print_verb_help(const struct verb *verb, struct wp_writer *out)
{
	wp_writer_printf(out, "usage: wperf %s\n\n%s\n\n", verb->usage, verb->summary);
	opt_help(verb->options, out);
	if (verb->help)
		verb->help(out);
	if (verb->examples)
		wp_writer_printf(out, "\nexamples:\n%s", verb->examples);
}

/* Nothing to do but to say so: no verb, or words about words. True when that was it. */
static bool only_talk(const struct cli *cli, int argc, struct wp_writer *out)
{
	if (argc == 1) {
		print_header(out);
		wp_writer_puts(out, "Use --help for help.\n");
	} else if (cli->help && cli->verb) {
		print_verb_help(cli->verb, out);
	} else if (cli->help) {
		print_header(out);
		print_usage(out);
	} else if (cli->list_options && cli->verb) {
		opt_names(cli->verb, out);
	} else {
		return false;
	}
	return true;
}

/* Lines that come all the time would be written over. */
static bool prints_meanwhile(const struct cli *cli)
{
	return (cli->verb == &verb_script || cli->verb == &verb_top) && isatty(STDOUT_FILENO);
}

static struct wp_err *no_verb(void)
{
	wp_autostr struct wp_str all = {0};

	for (const struct verb *const *verb = verbs; *verb; verb++)
		wp_str_printf(&all, "%s%s", all.len ? ", " : "", (*verb)->name);
	return wp_err_new(WP_ERR_USAGE, "no command given: want one of %s; see wperf --help",
			  all.s);
}

static struct wp_err *run_verb(const struct cli *cli, struct wp_session_io *io, int *ret_exit)
{
	struct wp_err *err;

	if (!cli->verb)
		return no_verb();
	catch_signals();
	if (isatty(STDERR_FILENO) && !cli->options.output.quiet && !prints_meanwhile(cli))
		io->terminal = wp_writer_of_fd(STDERR_FILENO, "standard error");
	err = cli->verb->run(&cli->options, io, ret_exit);
	if (io->terminal)
		wp_err_free(wp_writer_close(io->terminal));
	return err;
}

/*
 * Prints an error's one line, if there is one. A reader that went away (`wperf list | head`) is
 * none: it ends us quietly with what a shell gives for SIGPIPE.
 */
static int report(struct wp_err *err, int otherwise)
{
	if (!err)
		return otherwise;
	if (err->os_errno == EPIPE) {
		wp_err_free(err);
		return 128 + SIGPIPE;
	}
	wp_utf8_hide_controls(err->text, "\n\t");
	fprintf(stderr, "%s\n", err->text);
	int code = err->exit_status ? err->exit_status : 1;
	wp_err_free(err);
	return code;
}

static bool wants_text(const struct cli *cli)
{
	const struct wp_session_options *options = &cli->options;

	return cli->verb && !cli->help && !cli->list_options && !options->output.json &&
	       !options->report.csv && !options->output.quiet;
}

/* Text for a person; an error's line is not paged. */
static bool wants_pager(const struct cli *cli)
{
	return wants_text(cli) && cli->verb->is_paged && !cli->options.output.no_pager;
}

/* Instead of a pager. A user who says how text is to be shown wants text. */
static bool wants_screens(const struct cli *cli)
{
	const struct wp_session_options *options = &cli->options;

	return wants_text(cli) && cli->verb->has_screens && !options->output.stdio &&
	       !options->output.no_pager && !options->output.wide && !options->output.width &&
	       !options->report.dot && wp_session_has_screens();
}

/* A user's own LESS may show colours as they are written. */
static bool passes_colours(const struct pager *pager)
{
	const char *less = getenv("LESS");

	return !pager_is_possible(pager) || !less || strpbrk(less, "rR");
}

static void begin_report(void *arg)
{
	pager_open(arg);
}

/* Completion has no terminal for errors: what cannot be known is not offered. */
static int list_words(char **words)
{
	struct sink sink = {.quiet = true};
	struct wp_log log = {.sink = log_line, .arg = &sink};
	struct wp_writer *out = wp_writer_of_fd(STDOUT_FILENO, "standard output");
	struct wp_session_io io = {.log = &log, .out = out, .interrupted = &interrupted};
	struct wp_err *err = complete_words(words, &tables, &io);
	int code = err != NULL;

	wp_err_free(err);
	return report(wp_writer_close(out), code);
}

int main(int argc, char **argv)
{
	struct sink sink = {0};
	struct wp_log log = {.sink = log_line, .arg = &sink};
	struct cli cli = {0};
	struct pager pager = {0};
	int code = 0;

	if (argc > 1 && strcmp(argv[1], "--list-words") == 0)
		return list_words(argv + 2);
	struct wp_err *err = opt_parse(argv + 1, &tables, &log, &cli);
	if (err) {
		opt_deinit(&cli);
		return report(err, 1);
	}
	cli.options.recording.argv = argv;
	if (cli.options.recording.switch_output || cli.options.recording.snapshot)
		catch_switch();
	sink = (struct sink){cli.options.output.verbose, cli.options.output.quiet};
	cli.options.output.screens = wants_screens(&cli);
	pager = (struct pager){.is_wanted = wants_pager(&cli) && !cli.options.output.screens,
			       .chops = cli.options.output.wide};
	terminal_look(&cli.options, passes_colours(&pager), &cli.options.output.screen);
	struct wp_writer *out = wp_writer_of_fd(STDOUT_FILENO, "standard output");
	if (!only_talk(&cli, argc, out)) {
		struct wp_session_io io = {
			.log = &log,
			.out = out,
			.interrupted = &interrupted,
			.switch_asked = &switch_asked,
			.begin_report = begin_report,
			.begin_report_arg = &pager,
		};

		err = run_verb(&cli, &io, &code);
		code = report(err, code);
	}
	err = wp_writer_close(out);
	if (err && pager.pid && err->os_errno == EPIPE) /* the user has seen enough */
		wp_err_free(err);
	else
		code = report(err, code);
	pager_close(&pager);
	opt_deinit(&cli);
	return code;
}
