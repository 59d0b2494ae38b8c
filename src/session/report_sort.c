/* report_sort: see report_sort.h. */
#include "session/report_sort.h"

#include "aggregate/hot_rows.h"
#include "base/clock.h"
#include "base/str.h"
#include "session/sampling.h"

#include <inttypes.h>
#include <string.h>

#define NONE	 UINT32_MAX
#define SLICE_NS (WP_NS_PER_S / 10)

/* A key: what a sample's value is, and how it reads. */
struct key {
	const char *name;
	uint32_t (*value)(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol);
	const char *(*text)(struct wp_sampling *s, struct wp_arena *arena, uint32_t value);
};

static uint32_t pid_of(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol)
{
	(void)s, (void)symbol;
	return sample->pid;
}

static uint32_t tid_of(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol)
{
	(void)s, (void)symbol;
	return sample->tid;
}

static uint32_t cpu_of(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol)
{
	(void)s, (void)symbol;
	return sample->cpu;
}

static uint32_t slice_of(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol)
{
	struct wp_report_sort *sort = &s->recorded.sort;

	(void)symbol;
	if (!sort->began)
		sort->first_ns = sample->time_ns;
	sort->began = true;
	if (sample->time_ns < sort->first_ns)
		return 0;
	return (uint32_t)((sample->time_ns - sort->first_ns) / sort->slice_ns);
}

static uint32_t symbol_of(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol)
{
	(void)s, (void)sample;
	return symbol;
}

static uint32_t module_of(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol)
{
	(void)sample;
	return wp_resolver_symbols(s->resolver)->symbols.v[symbol].module;
}

/* The index of a line, made when it is new. */
static uint32_t line_index(struct wp_report_lines *lines, uint32_t of, uint32_t line)
{
	uint64_t *at = wp_map_put(&lines->index_of, (uint64_t)of << 32 | line);

	if (!*at) {
		wp_vec_push(&lines->all, (struct wp_report_line){of, line});
		*at = lines->all.n;
	}
	return (uint32_t)(*at - 1);
}

static uint32_t find_line(struct wp_sampling *s, uint32_t module, struct wp_rva rva)
{
	struct wp_report_sort *sort = &s->recorded.sort;
	struct wp_resolver_line line;

	if (module == WP_NO_MODULE || !wp_resolver_line(s->resolver, module, rva, &line) ||
	    !line.file)
		return NONE;
	return line_index(&sort->lines, wp_strpool_id(&sort->files, line.file), line.line);
}

/* Of an address once, since line tables are slow to ask. */
static uint32_t line_of(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol)
{
	uint32_t module = module_of(s, sample, symbol);
	struct wp_rva rva = wp_resolver_rva(s->resolver, sample);
	uint64_t *at = wp_map_put(&s->recorded.sort.line_at, rva.v ^ (uint64_t)module << 44);

	if (!*at)
		*at = find_line(s, module, rva) + UINT64_C(1);
	return (uint32_t)(*at - 1);
}

static uint32_t file_of(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol)
{
	uint32_t line = line_of(s, sample, symbol);

	return line == NONE ? NONE : s->recorded.sort.lines.all.v[line].of;
}

static uint32_t python_function_of(struct wp_sampling *s, const struct wp_record *sample,
				   uint32_t symbol)
{
	(void)sample, (void)symbol;
	return s->python.spot_frames.n ? s->python.spot_frames.v[0].symbol : NONE;
}

static uint32_t python_line_of(struct wp_sampling *s, const struct wp_record *sample,
			       uint32_t symbol)
{
	const struct wp_spot_frame *frame = s->python.spot_frames.v;

	(void)symbol;
	if (!s->python.spot_frames.n)
		return NONE;
	return line_index(&s->recorded.sort.python_lines, module_of(s, sample, frame->symbol),
			  frame->line);
}

static const char *number_text(struct wp_sampling *s, struct wp_arena *arena, uint32_t value)
{
	(void)s;
	return value == WP_ANY_CPU ? "-" : wp_arena_printf(arena, "%" PRIu32, value);
}

/* A process is called what its first thread is. */
static const char *thread_text(struct wp_sampling *s, struct wp_arena *arena, uint32_t value)
{
	const char *name = wp_thread_names_get(&s->python.threads, value);

	return wp_arena_printf(arena, "%s (%" PRIu32 ")", name ? name : "?", value);
}

static const char *slice_text(struct wp_sampling *s, struct wp_arena *arena, uint32_t value)
{
	double slice = (double)s->recorded.sort.slice_ns / WP_NS_PER_S;

	return wp_arena_printf(arena, "%.3f s", value * slice);
}

static const char *symbol_text(struct wp_sampling *s, struct wp_arena *arena, uint32_t value)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	struct wp_hot_options options = {
		.symbols = set, .main_module = s->image.module, .raw = s->options->display_long};

	return value == NONE ? "-" : wp_hot_text(arena, &set->symbols.v[value], &options);
}

static const char *module_text(struct wp_sampling *s, struct wp_arena *arena, uint32_t value)
{
	(void)arena;
	return value == WP_NO_MODULE ? "-"
				     : wp_resolver_symbols(s->resolver)->modules.v[value].name;
}

static const char *file_text(struct wp_sampling *s, struct wp_arena *arena, uint32_t value)
{
	(void)arena;
	return value == NONE ? "-" : wp_strpool_get(&s->recorded.sort.files, value);
}

static const char *line_text(struct wp_sampling *s, struct wp_arena *arena, uint32_t value)
{
	const struct wp_report_line *line;

	if (value == NONE)
		return "-";
	line = &s->recorded.sort.lines.all.v[value];
	return wp_arena_printf(arena, "%s:%" PRIu32, file_text(s, arena, line->of), line->line);
}

static const char *python_line_text(struct wp_sampling *s, struct wp_arena *arena, uint32_t value)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	const struct wp_report_line *line;

	if (value == NONE)
		return "-";
	line = &s->recorded.sort.python_lines.all.v[value];
	return wp_arena_printf(arena, "%s:%" PRIu32,
			       line->of == WP_NO_MODULE ? "?" : set->modules.v[line->of].path,
			       line->line);
}

static const struct key keys[] = {
	{"process", pid_of, thread_text},
	{"thread", tid_of, thread_text},
	{"module", module_of, module_text},
	{"symbol", symbol_of, symbol_text},
	{"file", file_of, file_text},
	{"line", line_of, line_text},
	{"python-function", python_function_of, symbol_text},
	{"python-line", python_line_of, python_line_text},
	{"cpu", cpu_of, number_text},
	{"time", slice_of, slice_text},
};

static struct wp_err *add_key(struct wp_report_sort *sort, const char *word)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++)
		if (strcmp(word, keys[i].name) == 0) {
			if (sort->n == WP_SORTED_KEYS)
				return wp_err_new(WP_ERR_USAGE, "--sort: more than %d keys",
						  WP_SORTED_KEYS);
			sort->keys[sort->n++] = (uint8_t)i;
			return NULL;
		}
	return wp_err_new(WP_ERR_USAGE,
			  "--sort: '%s' is no key: want process, thread, module, symbol, file, "
			  "line, python-function, python-line, cpu, time",
			  word);
}

struct wp_err *wp_report_sort_parse(const char *text, uint64_t slice_ns, struct wp_report_sort *ret)
{
	wp_autofree char *copy = text ? wp_strdup(text) : NULL;
	char *rest = copy, *word;

	ret->slice_ns = slice_ns ? slice_ns : SLICE_NS;
	while (rest && (word = strsep(&rest, ",")))
		TRY(add_key(ret, word));
	return NULL;
}

static void lines_deinit(struct wp_report_lines *lines)
{
	wp_vec_deinit(&lines->all);
	wp_map_deinit(&lines->index_of);
}

void wp_report_sort_deinit(struct wp_report_sort *sort)
{
	wp_sorted_deinit(&sort->sorted);
	wp_strpool_deinit(&sort->files);
	lines_deinit(&sort->lines);
	lines_deinit(&sort->python_lines);
	wp_map_deinit(&sort->line_at);
}

void wp_report_sort_add(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol)
{
	struct wp_report_sort *sort = &s->recorded.sort;
	uint32_t values[WP_SORTED_KEYS];

	for (size_t i = 0; i < sort->n; i++)
		values[i] = keys[sort->keys[i]].value(s, sample, symbol);
	if (sort->n)
		wp_sorted_add(&sort->sorted, sample->sample.event, values, sort->n,
			      sample->sample.period);
}

static void put_row(struct wp_sampling *s, struct wp_doc *doc, struct wp_table *table,
		    const struct wp_sorted_rows *rows, const struct wp_sorted_row *row)
{
	struct wp_cell cells[WP_SORTED_KEYS + 2] = {
		wp_cell_real(rows->weight ? 100.0 * (double)row->weight / (double)rows->weight : 0,
			     2),
		wp_cell_number(row->samples),
	};

	for (size_t i = 0; i < s->recorded.sort.n; i++) {
		const struct key *key = &keys[s->recorded.sort.keys[i]];

		cells[i + 2] = wp_cell_str(key->text(s, &doc->arena, row->values[i]));
	}
	wp_table_add(table, cells);
}

static void put_event(struct wp_sampling *s, struct wp_doc *doc, struct wp_node *events,
		      uint32_t event)
{
	const struct wp_report_sort *sort = &s->recorded.sort;
	const char *name = s->events.events.v[event].name;
	struct wp_node *object = wp_doc_object(doc, events, NULL);
	struct wp_sorted_rows rows;
	struct wp_table *table;

	wp_sorted_rows(&sort->sorted, event, sort->n, &rows);
	wp_doc_prose(doc, object,
		     "%s======================== %s: %" PRIu64
		     " samples ========================\n",
		     event ? "\n" : "", name, rows.samples);
	wp_doc_str(doc, object, "type", name);
	wp_doc_int(doc, object, "samples", (int64_t)rows.samples);
	table = wp_doc_table(doc, object, "rows");
	wp_table_column(table, "overhead", WP_ALIGN_RIGHT);
	wp_table_column(table, "count", WP_ALIGN_RIGHT);
	for (size_t i = 0; i < sort->n; i++)
		wp_table_column(table, keys[sort->keys[i]].name, WP_ALIGN_LEFT);
	for (size_t i = 0; i < rows.rows.n && i < s->options->display_rows; i++)
		put_row(s, doc, table, &rows, &rows.rows.v[i]);
	wp_sorted_rows_deinit(&rows);
}

struct wp_doc *wp_report_sort_doc(struct wp_sampling *s)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_node *sorted = wp_doc_object(doc, doc->root, "sorted");
	struct wp_node *events;

	wp_doc_int(doc, sorted, "samples_lost", (int64_t)s->lost);
	events = wp_doc_array(doc, sorted, "events");
	for (uint32_t i = 0; i < s->events.events.n; i++)
		put_event(s, doc, events, i);
	if (s->lost)
		wp_doc_prose(doc, doc->root, "\nnote: %" PRIu64 " samples lost\n", s->lost);
	return doc;
}
