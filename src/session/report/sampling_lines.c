/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_lines: see sampling_lines.h. */
#include "session/report/sampling_lines.h"

#include "base/clock.h"
#include "session/progress.h"
#include "session/report/function_code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct lines_of {
	struct wp_sampling *s;
	struct wp_annotation *annotation;
	struct wp_annotate_function *function;
	uint32_t module;
};

/* An instruction belongs to the table when its line was hit. */
static void add_instruction(void *arg, const struct wp_instruction *of_code)
{
	struct lines_of *of = arg;
	struct wp_resolver_line at;
	struct wp_annotate_line *line;
	struct wp_annotate_instruction instruction = {.address = of_code->address.v};

	if (!wp_function_code_line(of->s, of->module, of_code->address, &at))
		return;
	line = wp_annotate_find(of->function, at.file, at.line);
	if (!line)
		return;
	instruction.text = wp_arena_strdup(&of->annotation->arena, of_code->text);
	wp_vec_push(&line->instructions, instruction);
}

static void add_hits(struct lines_of *of, uint32_t event, uint32_t symbol)
{
	size_t n;
	const struct wp_pc *pcs = wp_pcs_of(&of->s->seen->pcs, event, symbol, &n);

	for (size_t i = 0; i < n; i++) {
		struct wp_resolver_line at;

		if (wp_function_code_line(of->s, of->module, pcs[i].rva, &at))
			wp_annotate_hit(of->annotation, of->function, at.file, at.line,
					pcs[i].rva.v, pcs[i].samples);
		else
			wp_log(of->s->io->log, WP_LOG_VERBOSE, "No line for %" PRIx64 " found.",
			       pcs[i].rva.v);
	}
}

static void annotate_row(struct wp_sampling *s, uint32_t event, const struct wp_hot_row *row,
			 struct wp_annotation *ret)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(s->resolver);
	struct lines_of of = {
		.s = s,
		.annotation = ret,
		.function = wp_annotation_function(ret, event, row->text),
	};

	wp_vec_each (uint32_t, id, &row->symbols) {
		of.module = set->symbols.v[*id].module;
		add_hits(&of, event, *id);
	}
	if (!of.function->lines.n) {
		wp_log(s->io->log, WP_LOG_NOTE, "%s has no line information", row->text);
		return;
	}
	wp_annotate_sort(of.function);
	wp_vec_each (uint32_t, id, &row->symbols) {
		of.module = set->symbols.v[*id].module;
		if (s->options->tables.disassemble && of.module != WP_NO_MODULE)
			wp_function_code_list(s, &set->symbols.v[*id], set->symbols.v[*id].name,
					      add_instruction, &of);
	}
}

void wp_sampling_annotate(struct wp_sampling *s, const struct wp_sample_report *report,
			  struct wp_annotation *ret)
{
	struct wp_progress_share share;

	wp_progress_share_begin(&share, s->io->terminal, "finding lines", wp_clock_now_ns());
	for (uint32_t event = 0; event < report->events->events.n; event++) {
		struct wp_hot_rows rows;
		uint64_t shown = 0, done = 0;

		wp_sample_rows(report, event, &rows);
		wp_vec_each (struct wp_hot_row, row, &rows.rows) {
			if (wp_sample_shows(report, row, &shown) && row->known)
				annotate_row(s, event, row, ret);
			wp_progress_share_tick(&share, wp_clock_now_ns(), ++done, rows.rows.n);
		}
		wp_hot_rows_deinit(&rows);
	}
	wp_progress_share_end(&share);
}
