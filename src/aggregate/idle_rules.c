/* SPDX-License-Identifier: BSD-3-Clause */
/* idle_rules: see idle_rules.h. docs/events.md has the table in words. Functions are CPython's of
 * 2.7 and 3.6 to 3.15: Lib/asyncio, Lib/concurrent/futures, Lib/multiprocessing, Lib/queue.py,
 * Lib/threading.py, Lib/socketserver.py. */
#include "aggregate/idle_rules.h"

#include "base/str.h"
#include "core/python_plan.h"
#include "core/wait.h"

#include <string.h>

#define CONNECTION "/multiprocessing/connection.py /multiprocessing/synchronize.py"
#define SELECTORS  "/selectors.py"

/* A thread of threading's begins so; its own function is the next one inwards. */
#define BOOT                                       \
	{                                          \
		"/threading.py", "bootstrap_inner" \
	}
#define RUN                            \
	{                              \
		"/threading.py", "run" \
	}
#define ANY                 \
	{                   \
		NULL, "any" \
	}

static const struct wp_idle_rule rules[] = {
	{"event loop", "poll", SELECTORS, {{"/asyncio/base_events.py", "run_once"}}, true},
	{"event loop", "poll", SELECTORS, {{"/socketserver.py", "serve_forever"}}, true},
	{"event loop", "poll",
	 .frames = {{"/socketserver.py", "eintr_retry"}, {"/socketserver.py", "serve_forever"}},
	 .outside_work = true},
	{"event loop", "poll", .frames = {{"/trio/_core/_io_epoll.py", "get_events"}},
	 .outside_work = true},
	{"event loop", "epoll", .native = true},
	{"pool worker", "lock",
	 .frames = {{"/concurrent/futures/thread.py", "worker"}, {"/threading.py", "run"}}},
	{"pool worker", "lock",
	 .frames = {{"/threading.py", "wait"},
		    {"/queue.py", "get"},
		    {"/concurrent/futures/thread.py", "worker"}}},
	{"pool worker",
	 "lock read",
	 CONNECTION,
	 {{"/multiprocessing/queues.py", "get"},
	  {"/concurrent/futures/process.py", "process_worker"}}},
	{"pool worker",
	 "lock read",
	 CONNECTION,
	 {{"/multiprocessing/queues.py", "get"}, {"/multiprocessing/pool.py", "worker"}}},
	{"pool worker", "lock",
	 .frames = {{"/threading.py", "wait"},
		    {"/queue.py", "get"},
		    {"/multiprocessing/pool.py", "worker"}}},
	{"pool worker", "lock", .condition = true},
	{"pool keeper",
	 "poll",
	 SELECTORS " " CONNECTION,
	 {{"/concurrent/futures/process.py", "wait_result_broken_or_wakeup"}}},
	{"pool keeper",
	 "poll",
	 SELECTORS " " CONNECTION,
	 {{"/multiprocessing/pool.py", "wait_for_updates"}}},
	{"pool keeper", "read", CONNECTION, {{"/multiprocessing/pool.py", "handle_results"}}},
	{"pool keeper", "sleep", .frames = {{"/multiprocessing/pool.py", "handle_workers"}}},
	{"queue", "lock", .frames = {{"/threading.py", "wait"}, {"/queue.py", "get"}, ANY, RUN}},
	{"queue", "lock", .frames = {{"/threading.py", "wait"}, {"/queue.py", "get"}, ANY, BOOT}},
	{"condition", "lock", .frames = {{"/threading.py", "wait"}, ANY, RUN}},
	{"condition", "lock", .frames = {{"/threading.py", "wait"}, ANY, BOOT}},
	{"condition", "lock",
	 .frames = {{"/threading.py", "wait"}, {"/threading.py", "wait_for"}, ANY, RUN}},
	{"condition", "lock",
	 .frames = {{"/threading.py", "wait"}, {"/threading.py", "wait_for"}, ANY, BOOT}},
	{"listener", "accept"},
	{"signal", "signal"},
};

/* Who runs a piece of work: what waits within one waits for it. */
static const struct wp_idle_frame work[] = {
	{"/concurrent/futures/thread.py", "run"},
	{"/concurrent/futures/process.py", "process_worker"},
	{"/multiprocessing/pool.py", "worker"},
	{"/socketserver.py", "process_request"},
	{"/socketserver.py", "process_request_thread"},
};

const struct wp_idle_rule *wp_idle_rule_at(size_t i)
{
	return i < WP_ARRAY_LEN(rules) ? &rules[i] : NULL;
}

static bool has_word(const char *words, const char *word)
{
	size_t n = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += n)
		if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

static bool ends_in_word(const char *path, const char *words)
{
	for (const char *at = words; at;) {
		const char *space = strchr(at, ' ');
		size_t n = space ? (size_t)(space - at) : strlen(at), len = strlen(path);

		if (len >= n && strncmp(path + len - n, at, n) == 0)
			return true;
		at = space ? space + 1 : NULL;
	}
	return false;
}

static const struct wp_symbol *find_idle_symbol(const struct wp_symbol_set *symbols, uint32_t id)
{
	const struct wp_symbol *symbol = id < symbols->symbols.n ? &symbols->symbols.v[id] : NULL;

	return symbol && symbol->name ? symbol : NULL;
}

/* "" where it is not known. Files of 2.7's Queue and SocketServer are those of 3's queue and
 * socketserver. */
static const char *idle_path(const struct wp_symbol_set *symbols, const struct wp_symbol *symbol)
{
	const char *path = symbol && symbol->module < symbols->modules.n
				   ? symbols->modules.v[symbol->module].path
				   : NULL;

	if (path && wp_str_has_suffix(path, "/Queue.py"))
		return "/queue.py";
	if (path && wp_str_has_suffix(path, "/SocketServer.py"))
		return "/socketserver.py";
	return path ? path : "";
}

/* "Condition.wait" (3.11 and newer) is "wait", "_worker" is "worker". */
static bool is_idle_function(const struct wp_symbol *symbol, const char *function)
{
	const char *dot = strrchr(symbol->name, '.');
	const char *name = dot ? dot + 1 : symbol->name;

	return strcmp(name + strspn(name, "_"), function) == 0;
}

static bool fits_frame(const struct wp_symbol_set *symbols, const struct wp_spot_frame *frame,
		       const struct wp_idle_frame *want)
{
	const struct wp_symbol *symbol = find_idle_symbol(symbols, frame->symbol);

	if (!symbol)
		return false;
	if (!want->file)
		return true;
	return wp_str_has_suffix(idle_path(symbols, symbol), want->file) &&
	       is_idle_function(symbol, want->function);
}

static bool is_passed_over(const struct wp_symbol_set *symbols, const struct wp_spot_frame *frame,
			   const char *through)
{
	const struct wp_symbol *symbol = find_idle_symbol(symbols, frame->symbol);

	return through && symbol && ends_in_word(idle_path(symbols, symbol), through);
}

static bool runs_work(const struct wp_symbol_set *symbols, const struct wp_sample *sample,
		      size_t from)
{
	for (size_t i = from; i < sample->n_python; i++)
		for (size_t j = 0; j < WP_ARRAY_LEN(work); j++)
			if (fits_frame(symbols, &sample->python[i], &work[j]))
				return true;
	return false;
}

/* All frames must be known: who calls what cannot be seen otherwise. */
static bool has_all_python(const struct wp_sample *sample)
{
	return sample->word == WP_PYTHON_WALKED &&
	       WP_PYTHON_THREAD_END(sample->thread) == WP_PYTHON_COMPLETE;
}

static bool fits_python(const struct wp_idle_rule *rule, const struct wp_sample *sample,
			const struct wp_symbol_set *symbols)
{
	size_t i = 0;

	if (!has_all_python(sample))
		return false;
	while (i < sample->n_python && is_passed_over(symbols, &sample->python[i], rule->through))
		i++;
	for (size_t j = 0; j < WP_IDLE_FRAMES && rule->frames[j].function; j++, i++)
		if (i >= sample->n_python ||
		    !fits_frame(symbols, &sample->python[i], &rule->frames[j]))
			return false;
	return !rule->outside_work || !runs_work(symbols, sample, i);
}

static bool runs_no_python(const struct wp_sample *sample)
{
	unsigned int end = WP_PYTHON_THREAD_END(sample->thread);

	if (sample->word == WP_PYTHON_NO_WORD)
		return true;
	return sample->word == WP_PYTHON_WALKED && !sample->n_python &&
	       (end == WP_PYTHON_NO_THREAD || end == WP_PYTHON_NO_FRAME);
}

/* Of the C library, which stands around whatever a thread does. */
static bool is_of_libc(const struct wp_symbol_set *symbols, const struct wp_symbol *symbol)
{
	const char *path = symbol->module < symbols->modules.n
				   ? symbols->modules.v[symbol->module].path
				   : NULL;
	const char *name = path ? wp_str_basename(path) : "";

	return wp_str_has_prefix(name, "libc.so") || wp_str_has_prefix(name, "libc-2.") ||
	       wp_str_has_prefix(name, "libpthread") || wp_str_has_prefix(name, "ld-musl");
}

/*
 * libc waits for a condition, and between that and libc's start of the thread is one function: a
 * worker that waits for work. More functions in between may be on behalf of anything.
 */
static bool fits_condition(const struct wp_sample *sample, const struct wp_symbol_set *symbols)
{
	size_t own = 0, i = sample->n_kernel;
	bool condition = false;

	if (!sample->has_stack || sample->end != WP_STACK_COMPLETE || !runs_no_python(sample))
		return false;
	for (; i < sample->n; i++) {
		const struct wp_symbol *symbol =
			find_idle_symbol(symbols, sample->frames[i].symbol);

		if (!symbol)
			return false;
		if (!is_of_libc(symbols, symbol)) {
			own++;
			continue;
		}
		if (!own)
			condition = condition || strstr(symbol->name, "pthread_cond_");
		else if (!strcmp(symbol->name, "start_thread"))
			return condition && own == 1;
	}
	return false;
}

static bool fits_rule(const struct wp_idle_rule *rule, const struct wp_wait_payload *wait,
		      const struct wp_sample *sample, const struct wp_symbol_set *symbols)
{
	/* Of all polls only those of epoll have a descriptor. */
	bool is_epoll = !strcmp(wait->kind, "poll") && wait->fd >= 0;

	if (!has_word(rule->kinds, wait->kind) && !(is_epoll && has_word(rule->kinds, "epoll")))
		return false;
	if (rule->native && !runs_no_python(sample))
		return false;
	if (rule->condition)
		return fits_condition(sample, symbols);
	return !rule->frames[0].function || fits_python(rule, sample, symbols);
}

const struct wp_idle_rule *wp_idle_rule_of(const struct wp_sample *sample,
					   const struct wp_symbol_set *symbols)
{
	struct wp_wait_payload wait;

	if (!sample->is_wait || !wp_wait_read_all(&sample->record->sample, &wait))
		return NULL;
	for (size_t i = 0; i < WP_ARRAY_LEN(rules); i++)
		if (fits_rule(&rules[i], &wait, sample, symbols))
			return &rules[i];
	return NULL;
}
