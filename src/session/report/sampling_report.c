/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_report: what sampling found, with modules and lines where asked for; see sampling.h. */
#include "aggregate/lap_doc.h"
#include "aggregate/ratio_doc.h"
#include "aggregate/sample_doc.h"
#include "base/clock.h"
#include "base/invariant.h"
#include "base/str.h"
#include "base/utf8.h"
#include "format/elf/elf_sections.h"
#include "resolve/lines/elf_code.h"
#include "session/emit.h"
#include "session/progress.h"
#include "session/report/empty.h"
#include "session/live/sampling.h"
#include "session/report/row_opener.h"
#include "session/report/sampling_lines.h"
#include "session/live/sampling_stacks.h"
#include "source/pinned/windows_teb.h"
#include "view/screen/screen_live.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Which modules have a sample with a name. */
static void mark_resolved(const struct wp_sampling *s, bool *ret)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);

	wp_vec_each (struct wp_flat_event, event, &s->seen->flat.events)
		wp_vec_each (struct wp_flat_row, row, &event->rows) {
			const struct wp_symbol *symbol = &set->symbols.v[row->symbol];

			if (symbol->reason == WP_SYMBOL_KNOWN && symbol->module != WP_NO_MODULE)
				ret[symbol->module] = true;
		}
}

/* Section names go to the arena; a file that is no ELF has none. */
static void add_module_sections(struct wp_sample_module *module, int fd, struct wp_arena *arena)
{
	struct wp_elf_code *code = NULL;
	struct wp_elf_section section;
	wp_autoerr struct wp_err *err = wp_elf_code_open(fd, module->path, &code);

	if (err)
		return;
	for (size_t i = 0; wp_elf_code_section(code, i, &section); i++) {
		struct wp_sample_section add = {
			.name = wp_arena_strdup(arena, section.name),
			.offset = section.start.v,
			.size = section.size,
		};

		wp_vec_push(&module->sections, add);
	}
	wp_elf_code_close(code);
}

static void add_modules(struct wp_sampling *s, struct wp_sample_report *report,
			struct wp_arena *arena)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	wp_autofree bool *resolved = wp_calloc(set->modules.n + 1, sizeof(*resolved));
	wp_autofree struct wp_resolver_image *images = NULL;
	size_t n = wp_resolver_images(s->resolver, (uint32_t)s->image.pid, &images);

	mark_resolved(s, resolved);
	for (size_t i = 0; i < n; i++) {
		const struct wp_module *module = &set->modules.v[images[i].module];
		struct wp_sample_module add = {
			.name = module->name,
			.path = module->path,
			.address = images[i].start.v,
			.has_symbols = resolved[images[i].module],
		};

		if (add.has_symbols)
			add_module_sections(&add, wp_resolver_file(s->resolver, images[i].module),
					    arena);
		wp_vec_push(&report->modules, add);
	}
}

static bool ran_windows_image(const struct wp_sampling *s)
{
	struct wp_va start;

	return wp_windows_maps_program(&s->windows, (uint32_t)s->image.pid, &start) ||
	       (s->image.path && wp_str_has_suffix(s->image.path, ".exe"));
}

/* Names of files are the program's to choose. */
static void print_line(struct wp_sampling *s, struct wp_str *line)
{
	wp_utf8_hide_controls(line->s, "");
	wp_writer_puts(s->io->out, line->s);
	wp_writer_puts(s->io->out, "\n");
	line->len = 0;
}

void wp_sampling_print_base(struct wp_sampling *s)
{
	wp_autostr struct wp_str line = {0};

	if (!s->image.has_base || !wp_emit_wants_text(s->options) ||
	    !(s->options->output.verbose || ran_windows_image(s)))
		return;
	wp_str_printf(&line, "base address of '%s': 0x%" PRIx64 ", runtime delta: 0x%" PRIx64,
		      wp_str_basename(s->image.path), s->image.base, s->image.delta);
	print_line(s, &line);
}

void wp_sampling_print_modules(struct wp_sampling *s)
{
	struct wp_windows_teb teb;
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	wp_autofree struct wp_resolver_image *images = NULL;
	struct wp_writer *out = s->io->out;
	wp_autostr struct wp_str line = {0};
	size_t n;

	if (!s->options->output.verbose || !wp_emit_wants_text(s->options))
		return;
	wp_writer_puts(out, "sampling type: software sampling\n\n");
	if (s->image.pid <= 0)
		return;
	n = wp_resolver_images(s->resolver, (uint32_t)s->image.pid, &images);
	wp_writer_puts(out, "================================\n");
	for (size_t i = 0; i < n; i++) {
		const struct wp_module *module = &set->modules.v[images[i].module];

		wp_str_printf(&line, "%32s          0x%020" PRIx64 "          %s", module->name,
			      images[i].start.v, module->path);
		print_line(s, &line);
	}
	wp_writer_puts(out, "================================\n");
	wp_str_printf(&line, "%s pid is %d",
		      s->image.path ? wp_str_basename(s->image.path) : "process",
		      (int)s->image.pid);
	if (ran_windows_image(s) && wp_windows_teb((uint32_t)s->image.pid, 0, &teb))
		wp_str_printf(&line, ", Windows pid is %u", teb.process);
	print_line(s, &line);
}

/* Of samples that are there. In the kernel Python's frames are walked with native ones. */
static uint64_t count_lost_stacks(const struct wp_sampling *s)
{
	if (s->stack && s->stack_mode.stacks == WP_STACKS_BPF)
		return s->seen->callgraph.graph.ends[WP_STACK_LOST];
	return s->python.feed.mode.way == WP_PYTHON_BPF ? s->seen->python.counts.lost : 0;
}

/* Besides its rows a table has an empty line, a headline, its columns' names, what underlines them,
 * and a line about what it leaves out. There are five: of Python code three, of functions, of
 * threads. */
#define TABLE_LINES 5
#define TABLES	    5
#define LEAST_ROWS  3

/* Of each table on screens: nothing needs to fit. */
#define SCREEN_ROWS 1000

static bool has_screens(const struct wp_sampling *s)
{
	return s->options->output.screens && !s->laps.ended;
}

/* Of each table in text; otherwise: where there is room for all. */
static uint64_t text_rows(const struct wp_sampling *s, uint64_t otherwise)
{
	uint64_t lines = s->options->output.screen.lines / TABLES;

	if (s->options->tables.rows_given)
		return s->options->tables.rows;
	if (has_screens(s))
		return SCREEN_ROWS;
	if (!s->laps.length_ns)
		return otherwise;
	if (!lines || lines > TABLE_LINES + WP_PYTHON_TEXT_ROWS)
		return WP_PYTHON_TEXT_ROWS;
	return lines < TABLE_LINES + LEAST_ROWS ? LEAST_ROWS : lines - TABLE_LINES;
}

/* What text may leave out for want of room. */
static uint64_t all_rows(const struct wp_sampling *s)
{
	const struct wp_options_tables *tables = &s->options->tables;

	return has_screens(s) && !tables->rows_given ? SCREEN_ROWS : tables->rows;
}

static struct wp_sample_report report_of(struct wp_sampling *s)
{
	const struct wp_session_options *options = s->options;
	const char *path = options->target.pe_file ? options->target.pe_file : s->image.path;
	const char *pdb = options->target.pdb_file ? options->target.pdb_file
						   : wp_resolver_pdb(s->resolver, s->image.module);

	return (struct wp_sample_report){
		.events = wp_sampling_shown(s),
		.symbols = wp_resolver_symbols(s->resolver),
		.flat = &s->seen->flat,
		.waits = &s->seen->waits,
		.idle = &s->seen->idle,
		.gil = s->laps.length_ns ? NULL : &s->seen->gil,
		.kinds = options->sampling.waits ? &s->seen->kinds : NULL,
		.wakers = options->sampling.wakers ? &s->seen->wakers : NULL,
		.names = options->tables.threads ? &s->python.threads : NULL,
		.pcs = options->output.verbose ? &s->seen->pcs : NULL,
		.disassembled = options->tables.disassemble,
		.pe_file = path ? path : "",
		.pdb_file = pdb ? pdb : "",
		.main_module = s->image.module,
		.has_base = s->image.has_base,
		.base = s->image.base,
		.delta = s->image.delta,
		.verbose = options->output.verbose,
		.rows = all_rows(s),
		.text_rows = text_rows(s, all_rows(s)),
		.long_names = options->tables.long_names,
		.symbol_filter = options->tables.symbol_filter,
		.recorded = s->way->is_recording,
		.lost = s->lost - s->laps.begun.lost,
		.lost_stacks = count_lost_stacks(s),
		.throttled = s->throttled - s->laps.begun.throttled,
		.ending = s->ending,
		.elapsed_ns = s->elapsed_ns,
	};
}

static void expand_place(struct wp_sampling *s, uint32_t number)
{
	struct wp_callgraph *graph = &s->seen->callgraph.graph;
	const struct wp_callgraph_place *place = &graph->places.v[number];
	const struct wp_symbol *symbol =
		&wp_resolver_symbols(s->resolver)->symbols.v[place->symbol];
	uint32_t inlined[WP_RESOLVER_INLINES];
	size_t n;

	if (!place->rva.v || symbol->kind != WP_SYMBOL_NATIVE || symbol->module == WP_NO_MODULE)
		return;
	n = wp_resolver_inlined(s->resolver, symbol->module, place->rva, inlined);
	wp_callgraph_set_inlined(graph, number, inlined, n);
}

/* Finds what was inlined where stacks passed; once. */
static void expand_inlines(struct wp_sampling *s)
{
	const struct wp_callgraph *graph = &s->seen->callgraph.graph;
	struct wp_progress_share share;

	wp_progress_share_begin(&share, s->io->terminal, "finding inlined functions",
				wp_clock_now_ns());
	for (uint32_t i = 0; i < graph->places.n; i++) {
		expand_place(s, i);
		wp_progress_share_tick(&share, wp_clock_now_ns(), i + 1, graph->places.n);
	}
	wp_progress_share_end(&share);
}

static const char *stacks_from(const struct wp_sampling *s)
{
	if (s->way->is_recording)
		return "recording";
	return s->stack_mode.stacks ? wp_stack_mode_name(s->stack_mode.stacks)
				    : s->setup.world->ops->name;
}

/* Where they are taken for --wakers only, they are no table of their own. */
static bool shows_callgraph(const struct wp_session_options *options)
{
	return options->sampling.call_graph || options->sampling.stacks ||
	       !options->sampling.wakers;
}

/* Of its tables and its tree. */
static uint64_t callgraph_rows(const struct wp_sampling *s)
{
	bool is_text = s->laps.length_ns && !s->options->output.json;

	return is_text ? text_rows(s, all_rows(s)) : all_rows(s);
}

bool wp_sampling_callgraph(struct wp_sampling *s, struct wp_callgraph_report *ret)
{
	const struct wp_callgraph_sink *sink = &s->seen->callgraph;

	*ret = (struct wp_callgraph_report){
		.graph = &sink->graph,
		.mode = stacks_from(s),
		.names =
			{
				.symbols = wp_resolver_symbols(s->resolver),
				.main_module = s->image.module,
				.raw = s->options->tables.long_names,
			},
		.rows = callgraph_rows(s),
		.by_self = s->options->tables.sort_by &&
			   strcmp(s->options->tables.sort_by, "self") == 0,
		.symbol_filter = s->options->tables.symbol_filter,
		.python = s->python.feed.met,
		.unbound = sink->unbound,
		.missing = sink->missing,
	};
	return sink->sink.ops && shows_callgraph(s->options);
}

static const char *source_line(void *arg, const char *file, uint32_t line)
{
	struct wp_sampling *s = arg;
	const struct wp_world *world = s->setup.world;

	return world->ops->text ? world->ops->text(world, file, line)
				: wp_python_source_line(&s->python.source, file, line);
}

static enum wp_spots_by sorted_by(const struct wp_session_options *options)
{
	if (!options->tables.sort_by)
		return WP_SPOTS_BY_DEFAULT;
	return strcmp(options->tables.sort_by, "total") == 0 ? WP_SPOTS_BY_TOTAL : WP_SPOTS_BY_SELF;
}

/* False without --ratio. */
static bool report_ratio(struct wp_sampling *s, struct wp_ratio_report *ret)
{
	wp_autoerr struct wp_err *err = NULL;

	if (!s->options->tables.ratio)
		return false;
	*ret = (struct wp_ratio_report){
		.events = wp_sampling_shown(s),
		.flat = &s->seen->flat,
		.spots = s->python.feed.met ? &s->seen->python.spots : NULL,
		.names = {.symbols = wp_resolver_symbols(s->resolver),
			  .main_module = s->image.module,
			  .raw = s->options->tables.long_names},
		.rows = all_rows(s),
	};
	err = wp_ratio_find(wp_sampling_shown(s), s->options->tables.ratio, &ret->over,
			    &ret->under);
	return !err;
}

/* False when no interpreter was met. Sorts the spots. */
static bool report_python(struct wp_sampling *s, struct wp_python_report *ret)
{
	const struct wp_session_options *options = s->options;
	struct wp_python_sink *sink = &s->seen->python;

	if (!s->python.feed.met)
		return false;
	wp_spots_sort(&sink->spots, sorted_by(options));
	wp_gil_waits_finish(&s->seen->gil);
	*ret = (struct wp_python_report){
		.transport = s->way->is_recording ? s->recorded.sample.transport
						  : wp_python_mode_name(s->python.feed.mode.way),
		.spots = &sink->spots,
		.symbols = wp_resolver_symbols(s->resolver),
		.counts = sink->counts,
		.threads = options->tables.threads ? &s->python.threads : NULL,
		.rows = all_rows(s),
		.text_rows = text_rows(s, WP_PYTHON_TEXT_ROWS),
		.native_first = options->tables.native_first,
		.symbol_filter = options->tables.symbol_filter,
		.source = source_line,
		.source_arg = s,
	};
	ret->counts.samples += ret->counts.lost + ret->counts.early;
	ret->counts.unresolved = s->python.feed.unresolved - s->laps.begun.unresolved;
	ret->counts.codes_refused = s->python.feed.codes.refused - s->laps.begun.refused;
	return true;
}

/* What a native function calls is known of stacks only. */
static void tell_order(const struct wp_sampling *s)
{
	const char *by = s->options->tables.sort_by;

	if (by && strcmp(by, "total") == 0 && !s->stack)
		wp_log(s->io->log, WP_LOG_NOTE,
		       "--sort-by total: native functions are sorted by overhead; their totals "
		       "need stacks: -g");
}

/* What a group's counters say that belong to no event. */
static void tell_unknown_counts(const struct wp_sampling *s)
{
	if (s->group_reads.unknown)
		wp_log(s->io->log, WP_LOG_WARNING,
		       "%" PRIu64 " counts of groups are of no event that is known: left out",
		       s->group_reads.unknown);
}

uint64_t wp_sampling_count(const struct wp_sampling *s)
{
	uint64_t samples = 0;

	wp_vec_each (struct wp_flat_event, event, &s->seen->flat.events)
		samples += event->samples;
	return samples;
}

static void tell_forbidden(const struct wp_sampling *s)
{
	wp_autofree char *note = wp_python_source_note(&s->python.source);

	if (note)
		wp_log(s->io->log, WP_LOG_NOTE, "%s", note);
}

static void sort_results(struct wp_sampling *s)
{
	wp_flat_sort(&s->seen->flat);
	wp_pcs_sort(&s->seen->pcs);
}

/* What the making of the document came to know. */
static void tell_about(struct wp_sampling *s, const struct wp_doc *doc)
{
	tell_forbidden(s);
	wp_empty_tell_symbol(s, doc);
}

static void free_modules(struct wp_sample_report *report)
{
	wp_vec_each (struct wp_sample_module, module, &report->modules)
		wp_vec_deinit(&module->sections);
	wp_vec_deinit(&report->modules);
}

/* Takes the document, and what was counted. */
static void keep_lap(struct wp_sampling *s, struct wp_doc *doc)
{
	struct wp_row_opener *opener = wp_calloc(1, sizeof(*opener));
	struct wp_kept_lap *lap = wp_kept_laps_add(&s->laps.kept, doc, &s->results, s->elapsed_ns);

	wp_row_opener_init(opener, s, &lap->results);
	lap->opener = &opener->opener;
}

static struct wp_err *emit_lap(struct wp_sampling *s, const struct wp_lap *lap, struct wp_doc *doc)
{
	if (has_screens(s)) {
		s->notes.screens = true;
		keep_lap(s, doc);
		return wp_screen_live_show(&s->laps.live, &s->laps.kept.moments,
					   &s->options->output.screen);
	}
	wp_emit_one_of_many(s->options, s->io, doc, lap->number);
	wp_doc_free(doc);
	return NULL;
}

/* Takes the document. A pager, which only a terminal has, is started as the user started us. Nobody
 * else waits longer than the machine is busy: 40 ms of writing took a second at load 20. */
static struct wp_err *emit_report(struct wp_sampling *s, const struct wp_lap *lap,
				  struct wp_doc *doc)
{
	struct wp_row_opener opener;
	struct wp_err *err;

	if (lap)
		return emit_lap(s, lap, doc);
	if (wp_writer_is_terminal(s->io->out))
		wp_priority_lower(&s->priority);
	wp_row_opener_init(&opener, s, s->seen);
	err = wp_emit_opening(s->options, s->io, doc, &opener.opener);
	wp_doc_free(doc);
	return err;
}

void wp_sampling_tell_run(const struct wp_sampling *s)
{
	tell_unknown_counts(s);
	if (s->laps.length_ns)
		tell_forbidden(s);
	else
		tell_order(s);
}

/* False without laps. Sorts the threads. */
static bool report_threads(struct wp_sampling *s, struct wp_thread_shares_report *ret)
{
	if (!s->laps.length_ns)
		return false;
	wp_thread_shares_sort(&s->seen->threads);
	*ret = (struct wp_thread_shares_report){
		.shares = &s->seen->threads,
		.names = &s->python.threads,
		.rows = all_rows(s),
		.text_rows = text_rows(s, all_rows(s)),
	};
	return true;
}

/* What the sinks have now. lap: which interval that is; NULL: the whole run. The document borrows
 * from the annotation. */
static struct wp_doc *make_report(struct wp_sampling *s, const struct wp_lap *lap,
				  struct wp_annotation *annotation)
{
	struct wp_sample_report report;
	struct wp_callgraph_report callgraph;
	struct wp_python_report python;
	struct wp_ratio_report ratio;
	struct wp_thread_shares_report threads;
	struct wp_arena arena = {0};
	wp_autofree char *why_empty = NULL;
	wp_autostr struct wp_str advice = {0};
	struct wp_doc *doc;

	wp_wait_kinds_finish(&s->seen->kinds);
	wp_waker_pairs_finish(&s->seen->wakers);
	why_empty = wp_empty_run_why(s);
	report = report_of(s);
	report.lap = lap;
	report.why_empty = why_empty;
	report.callgraph = wp_sampling_callgraph(s, &callgraph) ? &callgraph : NULL;
	report.python = report_python(s, &python) ? &python : NULL;
	report.ratio = report_ratio(s, &ratio) ? &ratio : NULL;
	report.threads = report_threads(s, &threads) ? &threads : NULL;
	sort_results(s);
	if (report.verbose)
		add_modules(s, &report, &arena);
	if (s->options->tables.annotate || s->options->tables.disassemble) {
		wp_sampling_annotate(s, &report, annotation);
		report.annotation = annotation;
	}
	wp_jit_hint_text(&s->seen->jit_hint, wp_sampling_count(s), &advice);
	report.advice = advice.s;
	doc = wp_sample_doc(&report);
	if (!lap)
		tell_about(s, doc);
	free_modules(&report);
	wp_arena_adopt(&doc->arena, &arena);
	return doc;
}

static struct wp_err *report_sinks(struct wp_sampling *s, const struct wp_lap *lap)
{
	struct wp_annotation annotation = {0};
	struct wp_err *err = emit_report(s, lap, make_report(s, lap, &annotation));

	wp_annotation_deinit(&annotation);
	return err;
}

struct wp_doc *wp_sampling_report_doc(struct wp_sampling *s)
{
	struct wp_annotation none = {0};

	wp_assert(!s->options->tables.annotate && !s->options->tables.disassemble);
	expand_inlines(s);
	return make_report(s, NULL, &none);
}

struct wp_err *wp_sampling_report(struct wp_sampling *s)
{
	wp_sampling_tell_run(s);
	expand_inlines(s);
	return report_sinks(s, NULL);
}

struct wp_err *wp_sampling_report_lap(struct wp_sampling *s, const struct wp_lap *lap)
{
	return report_sinks(s, lap);
}
