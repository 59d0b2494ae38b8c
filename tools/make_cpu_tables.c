/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * make_cpu_tables OUT.c FILE.json...: data/events/ as the C tables of src/event/cpu.h.
 *
 * Runs while wperf is built, on the machine that builds. One of the files is descriptions.json: our
 * sentences about events, metrics and groups, by name. Whatever a file says wrongly ends the build:
 * an unknown key, a formula or group that names what the CPU has not.
 */
#include "base/file.h"
#include "base/json.h"
#include "base/str.h"
#include "base/vec.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define FILE_MAX (4 << 20)

/* One file and what its messages begin with. */
struct source {
	const char *file;
	const struct wp_json *json;
};

struct run {
	struct wp_arena arena;
	WP_VEC(struct source) cpus;	    /* sorted by their names */
	const struct wp_json *descriptions; /* NULL: none */
	FILE *out;
	const char *file; /* the one that is being written */
};

static void __attribute__((noreturn, format(printf, 2, 3)))
die(const char *file, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fprintf(stderr, "make_cpu_tables: %s: ", file);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	exit(1);
}

static void put_quoted(FILE *out, const char *text)
{
	if (!text) {
		fputs("NULL", out);
		return;
	}
	fputc('"', out);
	for (; *text; text++)
		fprintf(out, strchr("\"\\", *text) ? "\\%c" : "%c", *text);
	fputc('"', out);
}

static int by_member_name(const void *a, const void *b)
{
	return strcmp((*(const struct wp_json *const *)a)->name,
		      (*(const struct wp_json *const *)b)->name);
}

/* The members of an object by name, NULL-terminated, in the arena. Twice the same is an error. */
static const struct wp_json **sorted(struct run *run, const struct wp_json *object)
{
	size_t n = 0;
	const struct wp_json **members =
		wp_arena_alloc(&run->arena, ((object ? object->n : 0) + 1) * sizeof(*members));

	wp_json_each (member, object)
		members[n++] = member;
	if (n)
		qsort(members, n, sizeof(*members), by_member_name);
	for (size_t i = 1; i < n; i++)
		if (strcmp(members[i - 1]->name, members[i]->name) == 0)
			die(run->file, "%s is there twice", members[i]->name);
	return members;
}

/* Our sentence about a name, or NULL. */
static const char *described(const struct run *run, const char *kind, const char *name)
{
	return wp_json_text(wp_json_get(run->descriptions, kind), name, NULL);
}

static const struct wp_json *cpu_of(const struct run *run)
{
	wp_vec_each (struct source, source, &run->cpus)
		if (strcmp(source->file, run->file) == 0)
			return source->json;
	return NULL;
}

static bool has(const struct run *run, const char *kind, const char *name)
{
	return wp_json_get(wp_json_get(cpu_of(run), kind), name);
}

static bool is_event_or_metric(const struct run *run, const char *name)
{
	return has(run, "events", name) || has(run, "metrics", name);
}

static bool is_group_or_metric(const struct run *run, const char *name)
{
	return has(run, "groups", name) || has(run, "metrics", name);
}

/* An array of strings as "a,b"; each must be known. */
static void put_list(struct run *run, const char *owner, const struct wp_json *list,
		     bool (*known)(const struct run *, const char *))
{
	wp_autostr struct wp_str text = {0};

	wp_json_each (item, list) {
		if (item->kind != WP_JSON_STRING || (known && !known(run, item->text)))
			die(run->file, "%s names %s, which the CPU has not", owner,
			    item->text ? item->text : "a number");
		wp_str_printf(&text, "%s%s", text.len ? "," : "", item->text);
	}
	put_quoted(run->out, text.s ? text.s : "");
}

static void put_events(struct run *run, const struct wp_json *events)
{
	uint64_t config;

	for (const struct wp_json **event = sorted(run, events); *event; event++) {
		const char *name = (*event)->name;

		if (!(*event)->text || !wp_str_to_u64((*event)->text, 0, UINT64_MAX, &config))
			die(run->file, "%s has no number", name);
		for (const char *p = name; *p; p++)
			if (isupper((unsigned char)*p))
				die(run->file, "%s is not in lower case", name);
		fputs("\t{", run->out);
		put_quoted(run->out, name);
		fprintf(run->out, ", 0x%llx, ", (unsigned long long)config);
		put_quoted(run->out, described(run, "events", name));
		fputs(", NULL},\n", run->out);
	}
}

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* Every name in a formula is an event or a metric, and is listed among the metric's events. */
static void check_formula(const struct run *run, const struct wp_json *metric)
{
	const char *formula = wp_json_text(metric, "formula", "");

	while (*formula) {
		size_t len = 0;

		while (is_name(formula[len]))
			len++;
		if (len && !isdigit((unsigned char)*formula)) {
			wp_autofree char *name = wp_strndup(formula, len);

			if (!is_event_or_metric(run, name))
				die(run->file, "%s is made of %s, which the CPU has not",
				    metric->name, name);
		} else if (!len && !strchr("+-*/() ", *formula)) {
			die(run->file, "%s: unexpected '%c' in its formula", metric->name,
			    *formula);
		}
		formula += len ? len : 1;
	}
}

static void put_metrics(struct run *run, const struct wp_json *metrics)
{
	for (const struct wp_json **metric = sorted(run, metrics); *metric; metric++) {
		const char *name = (*metric)->name, *formula = wp_json_text(*metric, "formula", "");

		check_formula(run, *metric);
		fputs("\t{", run->out);
		put_quoted(run->out, name);
		fputs(", ", run->out);
		put_quoted(run->out, formula);
		fputs(", ", run->out);
		put_quoted(run->out, wp_json_text(*metric, "unit", ""));
		fputs(", ", run->out);
		put_list(run, name, wp_json_get(*metric, "events"), is_event_or_metric);
		fputs(", ", run->out);
		put_list(run, name, wp_json_get(*metric, "sample"), is_event_or_metric);
		fputs(", ", run->out);
		put_quoted(run->out, described(run, "metrics", name));
		fputs(", NULL},\n", run->out);
	}
}

static void put_groups(struct run *run, const struct wp_json *groups)
{
	for (const struct wp_json **group = sorted(run, groups); *group; group++) {
		fputs("\t{", run->out);
		put_quoted(run->out, (*group)->name);
		fputs(", ", run->out);
		put_list(run, (*group)->name, *group, is_group_or_metric);
		fputs(", ", run->out);
		put_quoted(run->out, described(run, "groups", (*group)->name));
		fputs(", NULL},\n", run->out);
	}
}

/* In the order of the file: parents in front of their parts. */
static void put_topdown(struct run *run, const struct wp_json *nodes)
{
	wp_json_each (node, nodes) {
		const char *parent = wp_json_text(node, "parent", "");

		if (!has(run, "metrics", node->name) || (*parent && !wp_json_get(nodes, parent)))
			die(run->file, "topdown: %s or its parent is unknown", node->name);
		fputs("\t{", run->out);
		put_quoted(run->out, node->name);
		fputs(", ", run->out);
		put_quoted(run->out, parent);
		fputs(", ", run->out);
		put_list(run, node->name, wp_json_get(node, "next"), is_group_or_metric);
		fputs("},\n", run->out);
	}
}

/* "0x41:0xd0c", "0x19:0x10-0x1f". */
static void put_match(struct run *run, const char *kind, const char *text)
{
	unsigned int family, first, last;
	int n = sscanf(text, "%i:%i-%i", (int *)&family, (int *)&first, (int *)&last);

	if (n < 2)
		die(run->file, "%s: '%s' is not FAMILY:MODEL or FAMILY:FIRST-LAST", kind, text);
	fprintf(run->out, "\t{%s, 0x%x, 0x%x, 0x%x},\n", kind, family, first,
		n == 3 ? last : first);
}

static void put_matches(struct run *run, const struct wp_json *cpu)
{
	static const char *const keys[] = {"arm", "amd", "intel"};
	static const char *const kinds[] = {"WP_CPU_ARM", "WP_CPU_AMD", "WP_CPU_INTEL"};

	for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++)
		wp_json_each (item, wp_json_get(cpu, keys[i]))
			put_match(run, kinds[i], item->text ? item->text : "");
}

static void check_keys(const struct run *run, const struct wp_json *cpu)
{
	static const char *const known[] = {"name",   "title",	 "aliases", "architecture", "pmu",
					    "arm",    "amd",	 "intel",   "counters",	    "slots",
					    "events", "metrics", "groups",  "topdown"};

	wp_json_each (member, cpu) {
		size_t i = 0;

		while (i < WP_ARRAY_LEN(known) && strcmp(known[i], member->name) != 0)
			i++;
		if (i == WP_ARRAY_LEN(known))
			die(run->file, "unknown key %s", member->name);
	}
}

/* One array, as `static const struct wp_cpu_KIND KIND_I[]`; nothing when there are no members. */
static bool begin_array(struct run *run, const char *kind, size_t i, size_t n)
{
	if (n)
		fprintf(run->out, "static const struct wp_cpu_%s %s_%zu[] = {\n", kind, kind, i);
	return n;
}

static size_t members(const struct wp_json *cpu, const char *key)
{
	const struct wp_json *value = wp_json_get(cpu, key);

	return value ? value->n : 0;
}

static size_t matches(const struct wp_json *cpu)
{
	return members(cpu, "arm") + members(cpu, "amd") + members(cpu, "intel");
}

static void put_arrays(struct run *run, const struct wp_json *cpu, size_t i)
{
	static const struct {
		const char *key, *kind;
		void (*put)(struct run *, const struct wp_json *);
	} arrays[] = {{"events", "event", put_events},
		      {"metrics", "metric", put_metrics},
		      {"groups", "group", put_groups},
		      {"topdown", "topdown", put_topdown}};

	check_keys(run, cpu);
	if (begin_array(run, "match", i, matches(cpu))) {
		put_matches(run, cpu);
		fputs("};\n", run->out);
	}
	for (size_t k = 0; k < WP_ARRAY_LEN(arrays); k++) {
		if (!begin_array(run, arrays[k].kind, i, members(cpu, arrays[k].key)))
			continue;
		arrays[k].put(run, wp_json_get(cpu, arrays[k].key));
		fputs("};\n", run->out);
	}
}

static void put_reference(FILE *out, const char *field, const char *kind, size_t i, size_t n)
{
	if (n)
		fprintf(out, "\t .%s = %s_%zu, .%s_n = %zu,\n", field, kind, i, field, n);
}

static void put_text(FILE *out, const char *field, const char *text)
{
	fprintf(out, ".%s = ", field);
	put_quoted(out, text);
	fputs(", ", out);
}

static void put_cpu(struct run *run, const struct wp_json *cpu, size_t i)
{
	const char *name = wp_json_text(cpu, "name", ""), *title = wp_json_text(cpu, "title", "");
	const char *architecture = wp_json_text(cpu, "architecture", "");
	const char *pmu = wp_json_text(cpu, "pmu", "");
	bool arm = members(cpu, "arm");

	fputs("\t{", run->out);
	put_text(run->out, "name", name);
	put_text(run->out, "title", title);
	put_text(run->out, "extended",
		 arm ? wp_arena_printf(&run->arena, "%s (%s), %s, %s", title, name, architecture,
				       pmu)
		     : "");
	put_text(run->out, "architecture", architecture);
	fputs("\n\t .aliases = ", run->out);
	put_list(run, "aliases", wp_json_get(cpu, "aliases"), NULL);
	fprintf(run->out, ", .counters = %s, .slots = %s,\n", wp_json_text(cpu, "counters", "0"),
		wp_json_text(cpu, "slots", "0"));
	put_reference(run->out, "matches", "match", i, matches(cpu));
	put_reference(run->out, "events", "event", i, members(cpu, "events"));
	put_reference(run->out, "metrics", "metric", i, members(cpu, "metrics"));
	put_reference(run->out, "groups", "group", i, members(cpu, "groups"));
	put_reference(run->out, "topdown", "topdown", i, members(cpu, "topdown"));
	fputs("\t},\n", run->out);
}

/* The sentences by name, for CPUs whose events are not in a table. */
static void put_descriptions(struct run *run)
{
	const struct wp_json *events = wp_json_get(run->descriptions, "events");

	fputs("const struct wp_cpu_event wp_cpu_descriptions[] = {\n", run->out);
	for (const struct wp_json **event = sorted(run, events); *event; event++) {
		fputs("\t{", run->out);
		put_quoted(run->out, (*event)->name);
		fputs(", 0, ", run->out);
		put_quoted(run->out, (*event)->text);
		fputs(", NULL},\n", run->out);
	}
	fprintf(run->out, "};\nconst size_t wp_cpu_descriptions_n = %u;\n", events ? events->n : 0);
}

static void write_tables(struct run *run)
{
	size_t i = 0;

	fputs("/* Generated by tools/make_cpu_tables.c from data/events/. */\n"
	      "#include \"event/cpu.h\"\n\n",
	      run->out);
	wp_vec_each (struct source, source, &run->cpus) {
		run->file = source->file;
		put_arrays(run, source->json, i++);
	}
	fputs("const struct wp_cpu wp_cpus[] = {\n", run->out);
	i = 0;
	wp_vec_each (struct source, source, &run->cpus) {
		run->file = source->file;
		put_cpu(run, source->json, i++);
	}
	fprintf(run->out, "};\nconst size_t wp_cpus_n = %zu;\n\n", i);
	put_descriptions(run);
}

static int by_cpu_name(const void *a, const void *b)
{
	return strcmp(wp_json_text(((const struct source *)a)->json, "name", ""),
		      wp_json_text(((const struct source *)b)->json, "name", ""));
}

static void read_file(struct run *run, const char *file)
{
	const struct wp_json *json;
	char *text;
	size_t len;

	struct wp_err *err = wp_file_read(file, FILE_MAX, &text, &len);
	if (err)
		die(file, "%s", err->text);
	wp_autofree char *owned = text;
	err = wp_json_parse(&run->arena, owned, len, &json);
	if (err)
		die(file, "%s", err->text);
	if (strcmp(wp_str_basename(file), "descriptions.json") == 0)
		run->descriptions = json;
	else
		wp_vec_push(&run->cpus, (struct source){file, json});
}

int main(int argc, char **argv)
{
	struct run run = {0};

	for (int i = 2; i < argc; i++)
		read_file(&run, argv[i]);
	if (!run.cpus.n)
		die("usage", "make_cpu_tables OUT.c FILE.json...");
	qsort(run.cpus.v, run.cpus.n, sizeof(*run.cpus.v), by_cpu_name);
	run.out = fopen(argv[1], "w");
	if (!run.out)
		die(argv[1], "cannot be written");
	write_tables(&run);
	if (fclose(run.out) != 0)
		die(argv[1], "cannot be written");
	wp_vec_deinit(&run.cpus);
	wp_arena_deinit(&run.arena);
	return 0;
}
