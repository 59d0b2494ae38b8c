/* SPDX-License-Identifier: BSD-3-Clause */
/* sort_keys: see sort_keys.h. */
#include "session/recorded/sort_keys.h"

#include "aggregate/hot_rows.h"
#include "aggregate/thread_names.h"
#include "base/choice.h"
#include "base/clock.h"
#include "base/str.h"
#include "core/event.h"
#include "core/wait.h"
#include "resolve/resolver.h"
#include "session/recorded/sort_branch.h"
#include "session/recorded/sort_data.h"
#include "session/recorded/sort_lines.h"
#include "session/recorded/sort_opcode.h"
#include "session/recorded/traced_python.h"
#include "session/session.h"

#include <inttypes.h>
#include <string.h>

#define NONE  WP_SORT_NONE
#define FIELD WP_SORT_FIELD
#define BASE  "opcode-base"

static uint32_t pid_of(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	(void)sort;
	return at->sample->pid;
}

static uint32_t sampled_tid_of(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	(void)sort;
	return at->sample->tid;
}

static uint32_t command_of(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const char *name = wp_thread_names_comm(sort->of.threads, at->sample->tid);

	return name ? wp_strpool_id(&sort->strings, name) : NONE;
}

static uint32_t cpu_of(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	(void)sort;
	return at->sample->cpu;
}

static uint32_t slice_of(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	uint64_t time_ns = at->sample->time_ns;

	if (!sort->began)
		sort->first_ns = time_ns;
	sort->began = true;
	return time_ns < sort->first_ns ? 0
					: (uint32_t)((time_ns - sort->first_ns) / sort->slice_ns);
}

static uint32_t symbol_of_frame(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	(void)sort;
	return at->symbol;
}

static uint32_t module_of_symbol(struct wp_report_sort *sort, uint32_t symbol)
{
	return wp_resolver_symbols(sort->of.resolver)->symbols.v[symbol].module;
}

static uint32_t module_at(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	return module_of_symbol(sort, at->symbol);
}

static uint32_t sorted_line_of(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(sort->of.resolver);
	uint32_t module = module_at(sort, at);

	if (!at->is_python)
		return wp_sort_line_at(sort, module, at->rva);
	return module == WP_NO_MODULE
		       ? WP_SORT_NONE
		       : wp_sort_line_in(sort, set->modules.v[module].path, at->python.line);
}

static uint32_t file_at(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	uint32_t line = sorted_line_of(sort, at);

	return line == NONE ? NONE : sort->lines.all.v[line].of;
}

static uint32_t python_function_of(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	(void)sort;
	return at->has_python ? at->python.symbol : NONE;
}

static uint32_t python_line_of(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	if (!at->has_python)
		return NONE;
	return wp_sort_line_index(&sort->python_lines, module_of_symbol(sort, at->python.symbol),
				  at->python.line);
}

/* Events without the field have none; others what it reads like. */
static uint32_t sorted_field_of(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	const struct wp_record_sample *sample = &at->sample->sample;
	const struct wp_field *field =
		wp_fields_find(sort->of.events->events.v[sample->event].fields, at->field);
	wp_autostr struct wp_str text = {0};

	if (!field || !sample->payload)
		return NONE;
	wp_field_text(field, sample->payload, sample->payload_bytes, &text);
	return text.len ? wp_strpool_id(&sort->strings, text.s) : NONE;
}

/* A wait of perf's own says no state. */
static uint32_t state_of(struct wp_report_sort *sort, const struct wp_sort_at *at)
{
	enum wp_wait_state state;
	uint32_t waits;

	if (wp_wait_read(&at->sample->sample, &state, &waits))
		return wp_strpool_id(&sort->strings, wp_wait_state_name(state));
	return at->is_wait ? NONE : wp_strpool_id(&sort->strings, WP_WAIT_RUNNING);
}

static const char *number_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	(void)sort;
	return value == WP_ANY_CPU ? "-" : wp_arena_printf(arena, "%" PRIu32, value);
}

static const char *named_text(struct wp_arena *arena, const char *name, uint32_t value)
{
	return wp_arena_printf(arena, "%s (%" PRIu32 ")", name ? name : "?", value);
}

/* A process is called what the kernel calls its first thread. */
static const char *process_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	return named_text(arena, wp_thread_names_comm(sort->of.threads, value), value);
}

static const char *print_sorted_thread(struct wp_report_sort *sort, struct wp_arena *arena,
				       uint32_t value)
{
	return named_text(arena, wp_thread_names_get(sort->of.threads, value), value);
}

static const char *slice_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	double slice = (double)sort->slice_ns / WP_NS_PER_S;

	return wp_arena_printf(arena, "%.3f s", value * slice);
}

/* What has no name is told apart by where it is: one row of a stripped library, one of another. */
static const char *symbol_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(sort->of.resolver);
	const struct wp_symbol *symbol = value == NONE ? NULL : &set->symbols.v[value];
	struct wp_hot_options options = {.symbols = set,
					 .main_module = sort->of.image->module,
					 .raw = sort->of.options->tables.long_names};

	if (!symbol)
		return "-";
	if (symbol->module != WP_NO_MODULE && !wp_hot_name(symbol, &options))
		return wp_arena_printf(arena, "unknown:%s", set->modules.v[symbol->module].name);
	return wp_hot_text(arena, symbol, &options);
}

/* An object's name; what lies around it where it is none. */
static const char *data_symbol_text(struct wp_report_sort *sort, struct wp_arena *arena,
				    uint32_t value)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(sort->of.resolver);
	const struct wp_symbol *symbol = value == NONE ? NULL : &set->symbols.v[value];
	const char *module;

	if (!symbol || symbol->module == WP_NO_MODULE || symbol->reason == WP_SYMBOL_KNOWN)
		return symbol_text(sort, arena, value);
	module = set->modules.v[symbol->module].name;
	/* An area is what it is called; of a program's data the name is not known. */
	if (symbol->reason == WP_SYMBOL_NO_MODULE || module[0] == '[')
		return module;
	return wp_arena_printf(arena, "unknown:%s", module);
}

static const char *data_type_text(struct wp_report_sort *sort, struct wp_arena *arena,
				  uint32_t value)
{
	if (value == NONE || !(value & WP_SORT_DATA_PYTHON))
		return data_symbol_text(sort, arena, value);
	return wp_strpool_get(&sort->strings, value & ~WP_SORT_DATA_PYTHON);
}

static const char *module_text(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	(void)arena;
	return value == WP_NO_MODULE
		       ? "-"
		       : wp_resolver_symbols(sort->of.resolver)->modules.v[value].name;
}

const char *wp_sort_text_pooled(struct wp_report_sort *sort, struct wp_arena *arena, uint32_t value)
{
	(void)arena;
	return value == NONE ? "-" : wp_strpool_get(&sort->strings, value);
}

static const char *print_sorted_line(struct wp_report_sort *sort, struct wp_arena *arena,
				     uint32_t value)
{
	const struct wp_report_line *line;

	if (value == NONE)
		return "-";
	line = &sort->lines.all.v[value];
	return wp_arena_printf(arena, "%s:%" PRIu32, wp_sort_text_pooled(sort, arena, line->of),
			       line->line);
}

static const char *python_function_text(struct wp_report_sort *sort, struct wp_arena *arena,
					uint32_t value)
{
	const char *raw =
		value == NONE ? NULL : wp_resolver_symbol_of(sort->of.resolver, value)->raw;

	return raw && strcmp(raw, WP_TRACED_BETWEEN_NAME) == 0 ? WP_TRACED_BETWEEN_NAME
							       : symbol_text(sort, arena, value);
}

static const char *python_line_text(struct wp_report_sort *sort, struct wp_arena *arena,
				    uint32_t value)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(sort->of.resolver);
	const struct wp_report_line *line;

	if (value == NONE)
		return "-";
	line = &sort->python_lines.all.v[value];
	const char *path = line->of == WP_NO_MODULE ? "?" : set->modules.v[line->of].path;

	if (strcmp(path, WP_TRACED_BETWEEN_NAME) == 0)
		return path;
	return line->line ? wp_arena_printf(arena, "%s:%" PRIu32, path, line->line)
			  : wp_arena_printf(arena, "%s:?", path);
}

static const struct wp_sort_key keys[] = {
	{"process", "pid", pid_of, process_text, WP_FIT_SYMBOL, 0},
	{"command", "comm", command_of, wp_sort_text_pooled, WP_FIT_SYMBOL, 0},
	{"thread", "tid", sampled_tid_of, print_sorted_thread, WP_FIT_SYMBOL, 0},
	{"module", "dso", module_at, module_text, WP_FIT_SYMBOL, 0},
	{"symbol", "sym", symbol_of_frame, symbol_text, WP_FIT_SYMBOL, WP_SORT_FUNCTION},
	{"file", "srcfile", file_at, wp_sort_text_pooled, WP_FIT_PATH, WP_SORT_ADDRESS},
	{"line", "srcline", sorted_line_of, print_sorted_line, WP_FIT_PATH, WP_SORT_ADDRESS},
	{"python-function", "", python_function_of, python_function_text, WP_FIT_SYMBOL,
	 WP_SORT_PYTHON},
	{"python-line", "", python_line_of, python_line_text, WP_FIT_PATH, WP_SORT_PYTHON},
	{"opcode", "", wp_sort_opcode_of, wp_sort_text_pooled, WP_FIT_SYMBOL, WP_SORT_BYTECODE},
	{BASE, "", wp_sort_opcode_of, wp_sort_text_pooled, WP_FIT_SYMBOL, WP_SORT_BYTECODE},
	{"cpu", "", cpu_of, number_text, WP_FIT_FIXED, 0},
	{"time", "", slice_of, slice_text, WP_FIT_FIXED, 0},
	{"state", "", state_of, wp_sort_text_pooled, WP_FIT_FIXED, WP_SORT_PAYLOAD},
	{"cgroup", "", wp_sort_data_cgroup, wp_sort_text_pooled, WP_FIT_PATH, WP_SORT_DATA},
	{"data-symbol", "symbol_daddr", wp_sort_data_symbol, data_symbol_text, WP_FIT_SYMBOL,
	 WP_SORT_DATA},
	{"data-type", "", wp_sort_data_type, data_type_text, WP_FIT_SYMBOL,
	 WP_SORT_DATA | WP_SORT_TOUCHES},
	{"data-module", "dso_daddr", wp_sort_data_module, module_text, WP_FIT_SYMBOL, WP_SORT_DATA},
	{"data-line", "dcacheline", wp_sort_data_line, wp_sort_text_pooled, WP_FIT_FIXED,
	 WP_SORT_DATA},
	{"data-page", "", wp_sort_data_page, wp_sort_text_pooled, WP_FIT_FIXED, WP_SORT_DATA},
	{"data-address", "", wp_sort_data_address, wp_sort_text_pooled, WP_FIT_FIXED, WP_SORT_DATA},
	{"data-physical", "phys_daddr", wp_sort_data_physical, wp_sort_text_pooled, WP_FIT_FIXED,
	 WP_SORT_DATA},
	{"weight", "local_weight", wp_sort_data_weight, wp_sort_text_pooled, WP_FIT_FIXED,
	 WP_SORT_DATA},
	{"latency", "local_ins_lat", wp_sort_data_latency, wp_sort_text_pooled, WP_FIT_FIXED,
	 WP_SORT_DATA},
	{"mem", "", wp_sort_data_level, wp_sort_text_pooled, WP_FIT_FIXED, WP_SORT_DATA},
	{"snoop", "", wp_sort_data_snoop, wp_sort_text_pooled, WP_FIT_FIXED, WP_SORT_DATA},
	{"tlb", "", wp_sort_data_tlb, wp_sort_text_pooled, WP_FIT_FIXED, WP_SORT_DATA},
	{"locked", "", wp_sort_data_locked, wp_sort_text_pooled, WP_FIT_FIXED, WP_SORT_DATA},
	{"blocked", "", wp_sort_data_blocked, wp_sort_text_pooled, WP_FIT_FIXED, WP_SORT_DATA},
	{"symbol-from", "symbol_from", wp_sort_branch_symbol_from, symbol_text, WP_FIT_SYMBOL,
	 WP_SORT_BRANCH},
	{"symbol-to", "symbol_to", wp_sort_branch_symbol_to, symbol_text, WP_FIT_SYMBOL,
	 WP_SORT_BRANCH},
	{"module-from", "dso_from", wp_sort_branch_module_from, module_text, WP_FIT_SYMBOL,
	 WP_SORT_BRANCH},
	{"module-to", "dso_to", wp_sort_branch_module_to, module_text, WP_FIT_SYMBOL,
	 WP_SORT_BRANCH},
	{"line-from", "srcline_from", wp_sort_branch_line_from, print_sorted_line, WP_FIT_PATH,
	 WP_SORT_BRANCH},
	{"line-to", "srcline_to", wp_sort_branch_line_to, print_sorted_line, WP_FIT_PATH,
	 WP_SORT_BRANCH},
	{"address-from", "addr_from", wp_sort_branch_address_from, wp_sort_text_pooled,
	 WP_FIT_FIXED, WP_SORT_BRANCH},
	{"address-to", "addr_to", wp_sort_branch_address_to, wp_sort_text_pooled, WP_FIT_FIXED,
	 WP_SORT_BRANCH},
	{"mispredict", "", wp_sort_branch_mispredict, wp_sort_text_pooled, WP_FIT_FIXED,
	 WP_SORT_BRANCH},
	{"in-tx", "in_tx", wp_sort_branch_in_tx, wp_sort_text_pooled, WP_FIT_FIXED, WP_SORT_BRANCH},
	{"abort", "", wp_sort_branch_abort, wp_sort_text_pooled, WP_FIT_FIXED, WP_SORT_BRANCH},
	{"cycles", "", wp_sort_branch_cycles, wp_sort_text_pooled, WP_FIT_FIXED, WP_SORT_BRANCH},
	{FIELD "NAME", "", sorted_field_of, wp_sort_text_pooled, WP_FIT_SYMBOL, WP_SORT_PAYLOAD},
};

bool wp_sort_key_is_field(const struct wp_sort_key *key)
{
	return key->value == sorted_field_of;
}

bool wp_sort_key_is_function(const struct wp_sort_key *key)
{
	return key->text == symbol_text || key->text == python_function_text;
}

bool wp_sort_key_is_base(const struct wp_sort_key *key)
{
	return strcmp(key->name, BASE) == 0;
}

const struct wp_sort_key *wp_sort_key_find(const char *word)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++)
		if (wp_sort_key_is_field(&keys[i])
			    ? wp_str_has_prefix(word, FIELD) && word[strlen(FIELD)]
			    : strcmp(word, keys[i].name) == 0 ||
				      (*word && strcmp(word, keys[i].perf) == 0))
			return &keys[i];
	return NULL;
}

static void list_keys(struct wp_str *out)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++)
		wp_str_printf(out, "%s%s", i ? ", " : "", keys[i].name);
}

struct wp_err *wp_sort_key_refuse(const char *word)
{
	wp_autochoice struct wp_choice choice = wp_choice_of(word);

	for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++)
		wp_choice_add(&choice, keys[i].name);
	return wp_choice_refuse(&choice, "--sort");
}

void wp_session_report_help(struct wp_writer *out)
{
	wp_autostr struct wp_str all = {0};

	list_keys(&all);
	wp_writer_printf(out, "\nkeys of --sort: %s\n", all.s);
}

struct wp_err *wp_session_report_keys(const struct wp_session_options *options,
				      struct wp_session_io *io, int *ret_exit)
{
	(void)options, (void)ret_exit;
	for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++)
		wp_writer_printf(io->out, "%s\n", keys[i].name);
	return NULL;
}
