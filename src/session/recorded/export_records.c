/* SPDX-License-Identifier: BSD-3-Clause */
/* export_records: see export_records.h. */
#include "session/recorded/export_records.h"

#include "aggregate/hot_rows.h"
#include "recording/recording.h"
#include "view/memory_csv.h"

#include <string.h>

static const char *module_path(const struct wp_symbol_set *set, const struct wp_symbol *symbol)
{
	return symbol->module == WP_NO_MODULE ? NULL : set->modules.v[symbol->module].path;
}

/* Frames of samples were read at their instant; for what was traced see traced_python.h. */
static const char *how_of(const struct wp_sample *sample, const char *function)
{
	if (!(sample->record->sample.data->has & WP_DATA_OPERATION))
		return "sample";
	if (sample->instruction.code)
		return "exact";
	if (strcmp(function, WP_TRACED_BETWEEN_NAME) == 0)
		return "between";
	return sample->python[0].line ? "line" : "function";
}

static void set_row_python(struct wp_export_records *e, const struct wp_sample *sample,
			   struct wp_memory_row *row)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(e->s->resolver);
	const struct wp_symbol *symbol;

	if (!sample->n_python || sample->python[0].symbol >= set->symbols.n)
		return;
	symbol = &set->symbols.v[sample->python[0].symbol];
	row->python_how = how_of(sample, symbol->raw ? symbol->raw : "");
	if (strcmp(row->python_how, "between") == 0)
		return;
	row->python_function = symbol->raw;
	row->python_file = module_path(set, symbol);
	row->python_line = sample->python[0].line;
}

static void write_record_row(struct wp_export_records *e, const struct wp_sample *sample)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(e->s->resolver);
	const struct wp_record *record = sample->record;
	const struct wp_symbol *symbol = &set->symbols.v[sample->symbol];
	struct wp_hot_options names = {.symbols = set};
	struct wp_memory_row row = {
		.time_ns = record->time_ns,
		.pc = record->sample.ip.v,
		.period = record->sample.period,
		.pid = record->pid,
		.tid = record->tid,
		.cpu = record->cpu,
		.event = e->s->events.events.v[record->sample.event].name,
		.symbol = wp_hot_name(symbol, &names),
		.module = module_path(set, symbol),
		.data = record->sample.data,
	};

	set_row_python(e, sample, &row);
	wp_memory_csv_row(&row, e->out);
	e->rows++;
}

/* Where an event of a recording has addresses, those of others are 0. */
static bool is_of_data(const struct wp_sample_data *data)
{
	return data && (data->has & (WP_DATA_SRC | WP_DATA_OPERATION) ||
			(data->has & WP_DATA_ADDR && data->addr));
}

static void take_record_sample(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_export_records *e = (struct wp_export_records *)sink;
	const struct wp_record_sample *of = &sample->record->sample;

	if (e->filter.event != WP_ALL_EVENTS && e->filter.event != of->event)
		return;
	if (!is_of_data(of->data))
		e->left_out++;
	else
		write_record_row(e, sample);
}

void wp_export_records_attach(struct wp_export_records *e, struct wp_sampling *s,
			      struct wp_writer *out)
{
	static const struct wp_sink_ops ops = {.sample = take_record_sample};

	e->s = s;
	e->out = out;
	e->sink = (struct wp_sink){.ops = &ops, .wants = WP_SAMPLE_DATA};
	wp_traced_python_init(&e->traced, &e->sink, s->resolver,
			      wp_recording_read_ahead(s->source));
	wp_sampling_attach(s, wp_traced_python_sink(&e->traced));
	wp_memory_csv_head(out);
}

void wp_export_records_end(struct wp_export_records *e)
{
	wp_traced_python_end(&e->traced);
}

void wp_export_records_deinit(struct wp_export_records *e)
{
	wp_traced_python_deinit(&e->traced);
}
