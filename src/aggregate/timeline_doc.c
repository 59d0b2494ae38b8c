/* timeline_doc: see timeline_doc.h. */
#include "aggregate/timeline_doc.h"

#include "base/clock.h"

#include <stdlib.h>

void wp_timeline_add(struct wp_timeline *timeline, const struct wp_event_set *events,
		     const struct wp_counts *counts)
{
	wp_vec_push(&timeline->periods, *counts);
	for (unsigned int i = 0; i < WP_EVENT_CLASSES; i++)
		timeline->multiplexed[i] |= wp_counts_multiplexed(counts, events, i);
}

void wp_timeline_deinit(struct wp_timeline *timeline)
{
	wp_vec_each (struct wp_counts, counts, &timeline->periods)
		wp_counts_deinit(counts);
	wp_vec_deinit(&timeline->periods);
}

/* One event on one CPU: a column (with multiplexing two). */
struct column {
	uint32_t cpu;
	size_t event;
};

struct columns {
	WP_VEC(struct column) v;
};

static void list_columns(const struct wp_timeline *timeline, const struct wp_event_set *events,
			 enum wp_event_class class, struct columns *ret)
{
	const struct wp_counts *counts = timeline->periods.v;

	if (!timeline->periods.n)
		return;
	for (size_t row = 0; row < counts->cpus.n; row++)
		for (size_t event = 0; event < counts->n_events; event++)
			if (events->events.v[event].class == class &&
			    wp_counts_at(counts, row, event)->present)
				wp_vec_push(&ret->v, (struct column){counts->cpus.v[row], event});
}

/* What stands above a column: "core 3", or whose process it was. */
static const char *group_text(struct wp_doc *doc, const struct wp_stat_info *info, uint32_t cpu)
{
	if (cpu != WP_ANY_CPU)
		return wp_arena_printf(&doc->arena, "core %u", cpu);
	return info->label ? wp_arena_strdup(&doc->arena, info->label) : "all cores";
}

static void add_columns(struct wp_doc *doc, struct wp_table *table, const struct wp_stat_info *info,
			const struct columns *columns, bool multiplexed)
{
	wp_vec_each (struct column, column, &columns->v) {
		const char *name = info->events->events.v[column->event].name;
		const char *group = group_text(doc, info, column->cpu);

		wp_table_column(table, wp_arena_strdup(&doc->arena, name), WP_ALIGN_RIGHT);
		table->columns[table->n_columns - 1].group = group;
		if (!multiplexed)
			continue;
		wp_table_column(table, "sched_times", WP_ALIGN_RIGHT);
		table->columns[table->n_columns - 1].group = group;
	}
}

/* A CPU that went offline during the timeline has no count any more. */
static struct wp_count count_of(const struct wp_counts *counts, const struct column *column)
{
	for (size_t row = 0; row < counts->cpus.n; row++)
		if (counts->cpus.v[row] == column->cpu)
			return *wp_counts_at(counts, row, column->event);
	return (struct wp_count){0};
}

static void add_row(struct wp_table *table, const struct wp_event_set *events,
		    const struct wp_counts *counts, const struct columns *columns, bool multiplexed)
{
	WP_VEC(struct wp_cell) cells = {0};

	wp_vec_each (struct column, column, &columns->v) {
		struct wp_count count = count_of(counts, column);

		enum wp_cell_kind kind = wp_count_kind(&events->events.v[column->event], &count);

		if (kind == WP_CELL_COUNT)
			kind = WP_CELL_NUMBER;
		wp_vec_push(&cells, (struct wp_cell){.kind = kind, .number = count.value});
		if (multiplexed)
			wp_vec_push(&cells, wp_cell_number(count.running_ns / WP_NS_PER_MS));
	}
	if (cells.n)
		wp_table_add(table, cells.v);
	wp_vec_deinit(&cells);
}

struct wp_doc *wp_timeline_csv(const struct wp_timeline *timeline, const struct wp_stat_info *info,
			       enum wp_event_class class, uint64_t interval_ns, size_t first)
{
	struct wp_doc *doc = wp_doc_new();
	bool multiplexed = timeline->multiplexed[class];
	struct columns columns = {0};
	struct wp_table *table;

	wp_doc_bool(doc, doc->root, "Multiplexing", multiplexed);
	if (class == WP_EVENT_CORE)
		wp_doc_bool(doc, doc->root, "Kernel mode", info->kernel);
	wp_doc_real(doc, doc->root, "Count interval", (double)interval_ns / (double)WP_NS_PER_S, 2);
	wp_doc_str(doc, doc->root, "Vendor", info->vendor);
	wp_doc_str(doc, doc->root, "Event class", wp_event_class_name(class));
	table = wp_doc_table(doc, doc->root, "timeline");
	list_columns(timeline, info->events, class, &columns);
	add_columns(doc, table, info, &columns, multiplexed);
	for (size_t i = first; i < timeline->periods.n; i++)
		add_row(table, info->events, &timeline->periods.v[i], &columns, multiplexed);
	wp_vec_deinit(&columns.v);
	return doc;
}

struct wp_doc *wp_timeline_json(const struct wp_timeline *timeline, const struct wp_stat_info *info)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_node *array = wp_doc_array(doc, doc->root, "timeline");

	array->only = WP_DATA_ONLY;
	wp_vec_each (struct wp_counts, counts, &timeline->periods)
		wp_stat_doc_add(doc, wp_doc_object(doc, array, NULL), info, counts, false);
	return doc;
}
