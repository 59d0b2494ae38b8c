/* SPDX-License-Identifier: BSD-3-Clause */
/* telemetry: see telemetry.h. */
#include "event/telemetry.h"

#include "base/json.h"
#include "base/str.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* More entries of a kind than any product has are not looked at. */
#define ENTRIES_MAX 4096
#define NODES_MAX   512
#define ITEMS_MAX   64

/* One file while it becomes a table. */
struct reader {
	struct wp_arena *arena;
	struct wp_cpu *cpu;
	struct wp_telemetry_skipped skipped;
};

static void skip(struct reader *r, const char *name)
{
	if (!r->skipped.n++)
		r->skipped.first = name;
}

static const char *lower_text(struct reader *r, const char *text)
{
	char *copy = wp_arena_strdup(r->arena, text);

	for (char *p = copy; *p; p++)
		*p = (char)tolower((unsigned char)*p);
	return copy;
}

/* "Neoverse N2" as a name: "neoverse-n2". */
static const char *dashed(struct reader *r, const char *title)
{
	char *copy = wp_arena_strdup(r->arena, title);

	for (char *p = copy; *p; p++)
		*p = isalnum((unsigned char)*p) ? (char)tolower((unsigned char)*p) : '-';
	return copy;
}

/* Names become parts of lists and of the words of -e: letters, digits, '_', '.' and no others. */
static bool is_event_name(const char *name)
{
	if (!*name || isdigit((unsigned char)*name))
		return false;
	for (; *name; name++)
		if (!isalnum((unsigned char)*name) && *name != '_' && *name != '.')
			return false;
	return true;
}

static void *reserve_entries(struct reader *r, size_t entries, size_t size)
{
	return wp_arena_alloc(r->arena, entries * size);
}

/* The members of an object that are looked at. */
static size_t count_json_members(const struct wp_json *entries)
{
	if (!entries || entries->kind != WP_JSON_OBJECT)
		return 0;
	return entries->n < ENTRIES_MAX ? entries->n : ENTRIES_MAX;
}

static void read_cpu_events(struct reader *r, const struct wp_json *entries)
{
	size_t left = count_json_members(entries);
	struct wp_cpu_event *events = reserve_entries(r, left, sizeof(*events));
	uint64_t config;

	wp_json_each (entry, entries) {
		if (!left--)
			break;
		if (!is_event_name(entry->name) ||
		    !wp_str_to_u64(wp_json_text(entry, "code", ""), 0, UINT16_MAX, &config)) {
			skip(r, entry->name);
			continue;
		}
		events[r->cpu->events_n++] = (struct wp_cpu_event){
			.name = lower_text(r, entry->name),
			.config = config,
			.title = wp_json_text(entry, "title", NULL),
			.text = wp_json_text(entry, "description", NULL),
		};
	}
	r->cpu->events = events;
}

static bool is_event(const struct wp_cpu *cpu, const char *name)
{
	return wp_cpu_event_find(cpu, name);
}

static bool is_metric(const struct wp_cpu *cpu, const char *name)
{
	return wp_cpu_metric_find(cpu, name);
}

static bool is_group_or_metric(const struct wp_cpu *cpu, const char *name)
{
	return wp_cpu_group_find(cpu, name) || is_metric(cpu, name);
}

/* The strings of an array that are known, in lower case if asked for, comma separated. */
static const char *list_of(struct reader *r, const struct wp_json *array, bool in_lower_case,
			   bool (*known)(const struct wp_cpu *, const char *))
{
	wp_autostr struct wp_str list = {0};

	wp_json_each (item, array) {
		const char *name = item->kind == WP_JSON_STRING ? item->text : "";

		if (in_lower_case)
			name = lower_text(r, name);
		if (known(r->cpu, name))
			wp_str_printf(&list, "%s%s", list.len ? "," : "", name);
	}
	return wp_arena_strdup(r->arena, list.s ? list.s : "");
}

/* True when a formula has nothing but events of the CPU, numbers and what joins them. */
static bool is_valid_formula(const struct wp_cpu *cpu, const char *formula)
{
	while (*formula) {
		size_t len = strspn(formula, "abcdefghijklmnopqrstuvwxyz0123456789_.");

		if (len && !isdigit((unsigned char)*formula)) {
			wp_autofree char *name = wp_strndup(formula, len);

			if (!is_event(cpu, name))
				return false;
		}
		if (!len && !strchr("+-*/() ", *formula))
			return false;
		formula += len ? len : 1;
	}
	return true;
}

static void read_cpu_metrics(struct reader *r, const struct wp_json *entries)
{
	size_t left = count_json_members(entries);
	struct wp_cpu_metric *metrics = reserve_entries(r, left, sizeof(*metrics));

	wp_json_each (entry, entries) {
		if (!left--)
			break;
		const char *formula = lower_text(r, wp_json_text(entry, "formula", ""));
		const char *events = list_of(r, wp_json_get(entry, "events"), true, is_event);

		if (!is_event_name(entry->name) || !*formula || !*events ||
		    !is_valid_formula(r->cpu, formula)) {
			skip(r, entry->name);
			continue;
		}
		metrics[r->cpu->metrics_n++] = (struct wp_cpu_metric){
			.name = entry->name,
			.formula = formula,
			.unit = wp_json_text(entry, "units", ""),
			.events = events,
			.sample_events =
				list_of(r, wp_json_get(entry, "sample_events"), true, is_event),
			.title = wp_json_text(entry, "title", NULL),
			.text = wp_json_text(entry, "description", NULL),
		};
	}
	r->cpu->metrics = metrics;
}

static void read_metric_groups(struct reader *r, const struct wp_json *entries)
{
	size_t left = count_json_members(entries);
	struct wp_cpu_group *groups = reserve_entries(r, left, sizeof(*groups));

	wp_json_each (entry, entries) {
		if (!left--)
			break;
		const char *metrics = list_of(r, wp_json_get(entry, "metrics"), false, is_metric);

		if (!is_event_name(entry->name) || !*metrics) {
			skip(r, entry->name);
			continue;
		}
		groups[r->cpu->groups_n++] = (struct wp_cpu_group){
			.name = entry->name,
			.metrics = metrics,
			.title = wp_json_text(entry, "title", NULL),
			.text = wp_json_text(entry, "description", NULL),
		};
	}
	r->cpu->groups = groups;
}

/* The tree while it is made: each node once, parents in front of their parts. */
struct tree {
	const char *names[NODES_MAX]; /* in the order of the file */
	const struct wp_json *items[NODES_MAX];
	size_t n;
	struct wp_cpu_topdown *made;
};

/* The index of a node, or NODES_MAX. */
static size_t topdown_node_of(const struct tree *tree, const char *name)
{
	for (size_t i = 0; i < tree->n; i++)
		if (strcmp(tree->names[i], name) == 0)
			return i;
	return NODES_MAX;
}

static bool is_node_made(const struct reader *r, const struct tree *tree, const char *name)
{
	for (size_t i = 0; i < r->cpu->topdown_n; i++)
		if (strcmp(tree->made[i].metric, name) == 0)
			return true;
	return false;
}

/* Groups and metrics that are no nodes themselves, of the first so many of an array. */
static const char *leaves_of(struct reader *r, const struct tree *tree, const struct wp_json *items)
{
	wp_autostr struct wp_str list = {0};
	int left = ITEMS_MAX;

	wp_json_each (item, items) {
		if (!left--)
			break;
		if (item->kind == WP_JSON_STRING &&
		    topdown_node_of(tree, item->text) == NODES_MAX &&
		    is_group_or_metric(r->cpu, item->text))
			wp_str_printf(&list, "%s%s", list.len ? "," : "", item->text);
	}
	return wp_arena_strdup(r->arena, list.s ? list.s : "");
}

/* Nodes of an array of names that are not made yet; of the first so many. */
static void add_topdown_nodes(struct reader *r, struct tree *tree, const struct wp_json *names,
			      const char *parent)
{
	int left = ITEMS_MAX;

	wp_json_each (item, names) {
		const char *name = item->kind == WP_JSON_STRING ? item->text : "";
		size_t node = topdown_node_of(tree, name);

		if (!left-- || r->cpu->topdown_n == NODES_MAX)
			return;
		if (node < NODES_MAX && is_metric(r->cpu, name) && !is_node_made(r, tree, name))
			tree->made[r->cpu->topdown_n++] = (struct wp_cpu_topdown){
				.metric = name,
				.parent = parent,
				.next = leaves_of(r, tree, tree->items[node]),
			};
	}
}

static void read_topdown_tree(struct reader *r, const struct wp_json *decision_tree)
{
	struct tree tree = {.made = reserve_entries(r, NODES_MAX, sizeof(*tree.made))};

	wp_json_each (node, wp_json_get(decision_tree, "metrics")) {
		if (tree.n == NODES_MAX)
			break;
		tree.names[tree.n] = wp_json_text(node, "name", "");
		tree.items[tree.n++] = wp_json_get(node, "next_items");
	}
	r->cpu->topdown = tree.made;
	add_topdown_nodes(r, &tree, wp_json_get(decision_tree, "root_nodes"), "");
	for (size_t i = 0; i < r->cpu->topdown_n; i++)
		add_topdown_nodes(r, &tree, tree.items[topdown_node_of(&tree, tree.made[i].metric)],
				  tree.made[i].metric);
}

/* What the product says it is; false when it does not. */
static bool read_match(struct reader *r, const struct wp_json *product)
{
	struct wp_cpu_match *match = wp_arena_alloc(r->arena, sizeof(*match));
	uint64_t implementer, part;

	if (!wp_str_to_u64(wp_json_text(product, "implementer", ""), 0, UINT8_MAX, &implementer) ||
	    !wp_str_to_u64(wp_json_text(product, "part_num", ""), 0, 0xfff, &part))
		return false;
	*match = (struct wp_cpu_match){WP_CPU_ARM, (uint16_t)implementer, (uint16_t)part,
				       (uint16_t)part};
	r->cpu->matches = match;
	r->cpu->matches_n = 1;
	return true;
}

static uint32_t product_number_of(const struct wp_json *product, const char *name)
{
	uint64_t number = 0;

	wp_str_to_u64(wp_json_text(product, name, ""), 0, 1000, &number);
	return (uint32_t)number;
}

static bool read_product(struct reader *r, const struct wp_json *product)
{
	struct wp_cpu *cpu = r->cpu;

	cpu->title = wp_json_text(product, "product_name", "");
	cpu->name = dashed(r, cpu->title);
	cpu->architecture = wp_json_text(product, "architecture", "");
	cpu->extended =
		wp_arena_printf(r->arena, "%s (%s), %s, %s", cpu->title, cpu->name,
				cpu->architecture, wp_json_text(product, "pmu_architecture", ""));
	cpu->aliases = wp_arena_printf(r->arena, "%s-r%sp%s", cpu->name,
				       wp_json_text(product, "major_revision", "0"),
				       wp_json_text(product, "minor_revision", "0"));
	cpu->slots = product_number_of(product, "num_slots");
	return *cpu->title && read_match(r, product);
}

#define BY_NAME(noun)                                                   \
	static int by_##noun(const void *a, const void *b)              \
	{                                                               \
		return strcmp(((const struct wp_cpu_##noun *)a)->name,  \
			      ((const struct wp_cpu_##noun *)b)->name); \
	}
BY_NAME(event)
BY_NAME(metric)
BY_NAME(group)

struct wp_err *wp_telemetry_parse(struct wp_arena *arena, const char *text, size_t len,
				  struct wp_cpu *ret, struct wp_telemetry_skipped *ret_skipped)
{
	struct wp_cpu cpu = {0};
	struct reader r = {.arena = arena, .cpu = &cpu, .skipped.first = ""};
	const struct wp_json *json, *groups, *method;

	TRY(wp_json_parse(arena, text, len, &json));
	if (!read_product(&r, wp_json_get(json, "product_configuration")))
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "it names no product with implementer and part number "
				  "(product_configuration)");
	groups = wp_json_get(wp_json_get(json, "groups"), "metrics");
	method = wp_json_get(wp_json_get(json, "methodologies"), "topdown_methodology");
	read_cpu_events(&r, wp_json_get(json, "events"));
	if (!cpu.events_n)
		return wp_err_new(WP_ERR_FORMAT, "it has no events");
	qsort((void *)cpu.events, cpu.events_n, sizeof(*cpu.events), by_event);
	read_cpu_metrics(&r, wp_json_get(json, "metrics"));
	if (cpu.metrics_n)
		qsort((void *)cpu.metrics, cpu.metrics_n, sizeof(*cpu.metrics), by_metric);
	read_metric_groups(&r, groups);
	if (cpu.groups_n)
		qsort((void *)cpu.groups, cpu.groups_n, sizeof(*cpu.groups), by_group);
	read_topdown_tree(&r, wp_json_get(method, "decision_tree"));
	*ret = cpu;
	*ret_skipped = r.skipped;
	return NULL;
}
