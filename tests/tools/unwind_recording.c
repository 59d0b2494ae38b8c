/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * unwind_recording: unwinds the samples of a perf.data file; a tool for the tests.
 *
 *	unwind_recording FILE    per sample a line "sample PID TID TIME_NS EVENT END", then per user
 *				 frame, innermost first, "IP OFFSET NAME": the address, where that
 *				 is in the mapped file, and the symbol there as in its table
 *	unwind_recording -q FILE only the last line, on standard error: how many stacks, how many
 *				 were complete, how the others ended and the time per stack
 */
#include "base/clock.h"
#include "resolve/resolver.h"
#include "resolve/resolver_stack.h"
#include "recording/recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static struct wp_processes processes;

static const char *const ends[WP_STACK_ENDS] = {"complete", "no-module", "no-rule", "unreadable",
						"cut",	    "too-deep",	 "lost"};

/* What the resolver knows too but keeps to itself: where a mapping is in its file. */
struct mapped {
	uint32_t pid;
	uint64_t start, len, pgoff;
};

struct tool {
	struct wp_resolver *resolver;
	const struct wp_event_set *events;
	WP_VEC(struct mapped) mapped;
	uint64_t stacks, frames, by_end[WP_STACK_ENDS], unwind_ns;
	bool quiet;
	struct wp_stack stack;
};

static void print_line(void *arg, enum wp_log_level level, const char *line)
{
	(void)arg;
	if (level != WP_LOG_VERBOSE)
		fprintf(stderr, "%s\n", line);
}

static void fork_mapped(struct tool *tool, uint32_t parent, uint32_t child)
{
	size_t n = tool->mapped.n;

	for (size_t i = 0; parent != child && i < n; i++) {
		struct mapped m = tool->mapped.v[i];

		if (m.pid != parent)
			continue;
		m.pid = child;
		wp_vec_push(&tool->mapped, m);
	}
}

static void note_mapped(struct tool *tool, const struct wp_record *r)
{
	if (r->kind == WP_RECORD_FORK)
		fork_mapped(tool, r->fork.parent_pid, r->pid);
	else if (r->kind == WP_RECORD_MAP)
		wp_vec_push(&tool->mapped,
			    (struct mapped){r->pid, r->map.start.v, r->map.len, r->map.pgoff.v});
	if (r->kind != WP_RECORD_COMM || !r->comm.exec)
		return;
	wp_vec_each (struct mapped, m, &tool->mapped)
		m->len = m->pid == r->pid ? 0 : m->len;
}

/* The youngest mapping wins; an address outside of files is its own offset. */
static uint64_t offset_of(const struct tool *tool, uint32_t pid, uint64_t ip)
{
	for (size_t i = tool->mapped.n; i-- > 0;) {
		const struct mapped *m = &tool->mapped.v[i];

		if (m->pid == pid && ip - m->start < m->len)
			return ip - m->start + m->pgoff;
	}
	return ip;
}

static void print_stack(struct tool *tool, const struct wp_record *r)
{
	const struct wp_stack *stack = &tool->stack;
	struct wp_rva rva;

	printf("sample %u %u %" PRIu64 " %s %s\n", r->pid, r->tid, r->time_ns,
	       tool->events->events.v[r->sample.event].name, ends[stack->end]);
	for (size_t i = 0; i < stack->n_user; i++) {
		struct wp_va ip = stack->frames[stack->n_kernel + i].ip;
		uint32_t id = wp_resolver_symbol_at(
			tool->resolver, r, (struct wp_va){ip.v - (i > 0)}, WP_MODE_USER, &rva);
		const struct wp_symbol *symbol =
			&wp_resolver_symbols(tool->resolver)->symbols.v[id];

		printf("%" PRIx64 " %" PRIx64 " %s\n", ip.v,
		       offset_of(tool, r->pid, ip.v - (i > 0)) + (i > 0),
		       symbol->raw ? symbol->raw : "-");
	}
}

static void take(struct tool *tool, const struct wp_record *r)
{
	uint64_t began;

	if (r->kind != WP_RECORD_SAMPLE) {
		wp_processes_take(&processes, r);
		note_mapped(tool, r);
		return;
	}
	began = wp_clock_now_ns();
	wp_resolver_stack(tool->resolver, r, &tool->stack);
	tool->unwind_ns += wp_clock_now_ns() - began;
	tool->stacks++;
	tool->frames += tool->stack.n_user;
	tool->by_end[tool->stack.end]++;
	if (!tool->quiet)
		print_stack(tool, r);
}

static struct wp_err *run(struct tool *tool, struct wp_source *source)
{
	struct wp_batch batch = {0};

	TRY(source->ops->start(source));
	while (!batch.ended) {
		TRY(source->ops->next(source, WP_FOREVER, &batch));
		for (size_t i = 0; i < batch.n; i++)
			take(tool, &batch.records[i]);
	}
	return source->ops->stop(source);
}

static void print_rate(const struct tool *tool)
{
	double n = tool->stacks ? (double)tool->stacks : 1;

	fprintf(stderr, "%" PRIu64 " stacks, %.1f frames each, %.2f us each, %.2f %% complete",
		tool->stacks, (double)tool->frames / n, (double)tool->unwind_ns / n / 1000,
		100 * (double)tool->by_end[WP_STACK_COMPLETE] / n);
	for (int i = 0; i < WP_STACK_ENDS; i++)
		if (i != WP_STACK_COMPLETE && tool->by_end[i])
			fprintf(stderr, ", %" PRIu64 " %s", tool->by_end[i], ends[i]);
	fprintf(stderr, "\n");
}

int main(int argc, char **argv)
{
	wp_autofree struct tool *tool = wp_calloc(1, sizeof(*tool));
	struct wp_log log = {.sink = print_line};
	struct wp_resolver_options options = {.processes = &processes, .log = &log};
	struct wp_source *source;
	const char *path = argv[argc - 1];
	struct wp_err *err;

	tool->quiet = argc == 3 && strcmp(argv[1], "-q") == 0;
	if (argc != 2 + tool->quiet)
		return 2;
	err = wp_recording_open(path, false, &log, NULL, &source);
	if (!err) {
		tool->resolver = wp_resolver_new(&options);
		tool->events = wp_recording_events(source);
		err = run(tool, source);
		print_rate(tool);
		source->ops->close(source);
		wp_resolver_free(tool->resolver);
		wp_processes_deinit(&processes);
	}
	if (err)
		fprintf(stderr, "%s\n", err->text);
	wp_vec_deinit(&tool->mapped);
	wp_err_free(err);
	return err != NULL;
}
