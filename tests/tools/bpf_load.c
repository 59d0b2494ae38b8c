/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_load: loads each form of the BPF program that walks stacks, and says how that went.
 *
 * A line "FORM: loaded" or "FORM: why not" for each; exit status 1 when one was not.
 */
#include "source/bpf/bpf_walker.h"

#include <stdio.h>
#include <string.h>

struct form {
	const char *name;
	struct wp_bpf_walker_options options;
};

static const struct form forms[] = {
	{"Python frames", {.no_tracepoints = true, .no_probes = true}},
	{"native frames", {.native = true, .dump_bytes = 4096}},
	{"asyncio's tasks", {.native = true, .tasks = true, .gil = true}},
	{"memory read by helper", {.native = true, .no_direct = true}},
	{"without bpf_loop()", {.native = true, .bounded = true}},
	{"without bpf_loop(), tasks", {.native = true, .bounded = true, .tasks = true}},
};

/* A walk that could be had for less is not what was asked for. */
static void print_log(void *arg, enum wp_log_level level, const char *line)
{
	bool *slow = arg;

	(void)level;
	*slow |= strstr(line, "refuses the fast path") != NULL;
	printf("  %s\n", line);
}

static bool load(const struct form *form)
{
	bool slow = false;
	struct wp_log log = {.sink = print_log, .arg = &slow};
	struct wp_bpf_walker_options options = form->options;
	struct wp_bpf_walker *walker = NULL;

	options.log = &log;
	wp_autoerr struct wp_err *err = wp_bpf_walker_open(&options, &walker);
	printf("%s: %s\n", form->name, err ? err->text : "loaded");
	fflush(stdout); /* also when the next one crashes */
	wp_bpf_walker_close(walker);
	return !err && !slow;
}

int main(void)
{
	bool loaded = true;

	for (size_t i = 0; i < WP_ARRAY_LEN(forms); i++)
		loaded &= load(&forms[i]);
	return !loaded;
}
