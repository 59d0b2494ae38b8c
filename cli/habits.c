/* SPDX-License-Identifier: BSD-3-Clause */
/* habits: see habits.h. An answer follows "no option of stat; " or "no verb of wperf; ". */
#include "habits.h"

#include "opt.h"

#include <string.h>

static const struct habit {
	const char *verbs; /* as in opt.names; NULL: the word is a verb itself */
	const char *words; /* as in opt.names */
	const char *answer;
} habits[] = {
	{NULL, "diff", "compare what wperf report --json prints of each recording"},
	{NULL, "probe", "a probe made in tracefs, or by perf, is an event: -e GROUP:NAME"},
	{NULL, "trace", "wperf record -e syscalls:sys_enter_NAME -- COMMAND, then wperf script"},
	{NULL, "sched", "wperf record -e sched:sched_switch -- COMMAND, then wperf script"},
	{NULL, "lock, kmem, kvm, kwork", "-e GROUP:NAME takes tracepoints: wperf list"},
	{NULL, "c2c", "wperf mem --sort data-line,symbol --sort-by snooped"},
	{NULL, "evlist", "wperf report shows a table for each event"},
	{NULL, "inject", "wperf report reads jitdump files itself"},
	{NULL, "archive, buildid-cache, buildid-list", "wperf report --symfs DIR finds the files"},
	{NULL, "timechart, data", "wperf export --format NAME writes files for other tools"},
	{NULL, "start, launch, run", "wperf record -- COMMAND"},

	{"stat", "-d, --detailed", "name what is counted: -e, -m or --topdown; wperf list"},
	{"stat", "-M, --metrics", "-m LIST"},
	{"stat", "--metric-only", "-m LIST counts metrics"},
	{"stat", "--per-cache", "--per-core, --per-die and --per-socket"},
	{"stat", "--inherit", "children and threads are counted unless --no-inherit is given"},
	{"stat", "--log-fd", "-o FILE writes JSON, with -x CSV"},
	{"stat", "-B, --big-num", "numbers always have commas, but in --json"},
	{"stat", "-j, --json-output", "--json"},
	{"stat", "--tid", "-p PID takes the whole process"},
	{"stat", "--all-user", "of events of -e the kernel is left out unless -k is given"},
	{"stat", "--all-kernel", "-k counts the kernel too"},
	{"stat", "--null", "the time that a command took is always shown"},

	{"sample", "", "it samples what already runs: -p PID; wperf record -- COMMAND starts one"},
	{"record", "-p, --pid", "a running process is sampled by wperf sample -p PID"},
	{"sample, record", "--tid", "-p PID takes the whole process, --threads tells them apart"},
	{"sample, record", "--count", "the period goes behind the event: -e EVENT:PERIOD"},
	{"sample, record", "-D, --delay", "start the command first, then wperf sample -p PID"},
	{"sample, record", "--all-user", "the kernel is left out unless -k is given"},
	{"sample, record", "--all-kernel, --kernel-callchains", "-k samples the kernel too"},
	{"sample, record", "--no-inherit", "children and threads are always sampled"},
	{"record", "-u, --uid", "what a user already runs is sampled by wperf sample -u USER"},
	{"sample, record", "-T, --timestamp, --sample-cpu, -P, --period",
	 "--data keeps time, CPU and period of each sample anyway"},
	{"sample", "--switch-output", "recordings follow one another in wperf record"},
	{"sample, record", "--overwrite, -S",
	 "the last seconds are held in memory, and written at SIGUSR2, by --snapshot=30s"},
	{"sample, record", "--max-size",
	 "the last seconds are held by --snapshot=30s, the last files by record "
	 "--switch-output=30s --switch-max-files 2"},
	{"sample, record", "--user-callchains", "call graphs are of user code unless -k is given"},
	{"sample, record", "--mmap-pages, --aio", "rings have the size that they need"},
	{"sample, record",
	 "-R, --raw-samples, -N, --no-buildid-cache, --buildid-all, -B, --no-buildid",
	 "what a recording keeps is not a choice: build-ids, and all of what is sampled"},
	{"sample, record", "-I", "--intr-regs"},
	{"sample, record", "--per-thread",
	 "threads are always sampled; --threads tells them apart"},

	{"top", "--children", "who called the hot functions: -g"},
	{"top", "-t, --tid", "-p PID takes the whole process; its threads have a table"},
	{"top", "--threads", "threads have a table of their own"},
	{"top", "-r, --rate", "-F HZ"},
	{"top", "-K, --hide_kernel_symbols, --all-user",
	 "the kernel is left out unless -k is given"},
	{"top", "-z, --zero", "each interval begins with nothing"},
	{"top", "--sort, --fields, --hierarchy",
	 "its tables are as they are: wperf sample -o FILE, then wperf report --sort KEYS"},
	{"top", "--tui", "on a terminal it has screens without being asked"},
	{"top", "-o, --output, --data",
	 "samples are kept by wperf sample -o FILE, or on screens by w; what top prints goes into "
	 "a file by >"},
	{"top", "--csv", "--json has a document for each interval"},
	{"top", "--subprocesses, --inherit", "what the process starts is sampled, too"},
	{"top", "-i, --interval", "-d TIME"},

	{"report", "--tty", "--stdio"},
	{"report", "--tui", "on a terminal it has screens without being asked"},
	{"report", "--gtk", "it has screens, and wperf export --format flame can be browsed"},
	{"report", "--no-children", "what a function costs by itself is the default"},
	{"report", "--show-nr-samples, -n", "the number of samples is always shown"},
	{"report", "--show-total-period", "the share is of the event's periods already"},
	{"report", "-d, --dsos, --dso", "--module NAME; all of them: --sort module"},
	{"report", "--comms, --comm", "--sort process, or choose with --pid"},
	{"report", "-S, --symbols", "-s PATTERN"},
	{"report", "--percent-limit", "--rows N ends the table"},
	{"report", "-F, --fields", "--sort KEYS"},
	{"report", "-t, --field-separator", "--csv"},
	{"report", "-G, --inverted, --caller, --callee", "-g prints who called whom"},
	{"report", "-D, --dump-raw-trace", "wperf script prints the samples"},
	{"report", "--header, --header-only, -I, --show-info",
	 "perf report --header-only -i FILE prints it: the format is perf's"},
	{"report", "--call-graph", "-g prints who called whom, down and up"},
	{"report", "--hierarchy", "--sort KEY,KEY has a row for each pair"},
	{"report", "--mem-mode", "--sort data-symbol,data-module,mem,weight"},
	{"report", "--stats, --tasks, --mmaps",
	 "wperf script prints the samples, perf report --stats counts the records"},
	{"report, script, export", "-C", "--cpu LIST"},
	{"report, script, export", "-k, --vmlinux, --kallsyms, --modules",
	 "names of the kernel are those of /proc/kallsyms"},
	{"report, script, export", "--no-inline, --inline", "inlined functions are always shown"},
	{"report, script, export", "--max-stack", "stacks are whole"},
	{"script", "-G, --hide-call-graph", "-F -sym,-ip leaves the stack out"},
	{"script", "--comms, --comm", "--pid LIST"},
	{"script", "-D, --dump-raw-trace, --ns, --show-mmap-events, --show-task-events",
	 "it prints samples only"},
};

/* `word` up to a value: "--repeat=3"; of a letter what is glued to it: "-r3". */
static bool names(const struct habit *habit, const char *word)
{
	bool is_short = word[0] == '-' && word[1] != '-';
	wp_autofree char *name = wp_strndup(word, is_short ? 2 : strcspn(word, "="));

	return *name ? opt_named(habit->words, name) : !*habit->words;
}

const char *habit_find(const char *verb, const char *word)
{
	for (size_t i = 0; i < sizeof(habits) / sizeof(*habits); i++) {
		const struct habit *habit = &habits[i];

		if (!verb != !habit->verbs || (verb && !opt_named(habit->verbs, verb)))
			continue;
		if (names(habit, word))
			return habit->answer;
	}
	return NULL;
}
