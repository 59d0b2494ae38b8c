/* SPDX-License-Identifier: BSD-3-Clause */
/* stat_lines: see stat_lines.h. */
#include "session/stat/stat_lines.h"

#include "base/clock.h"
#include "base/str.h"
#include "session/emit.h"
#include "view/view.h"

#include <string.h>

static struct wp_err *open_lines(const struct wp_session_options *options, struct wp_writer **ret)
{
	wp_autofree char *path = wp_emit_path(options, options->output.file);

	return options->counting.append ? wp_writer_append(path, ret) : wp_writer_open(path, ret);
}

struct wp_err *wp_stat_lines_open(const struct wp_session_options *options,
				  struct wp_session_io *io, struct wp_stat_lines *ret)
{
	struct wp_stat_lines lines = {.separator = options->counting.separator};

	if (options->output.file)
		TRY(open_lines(options, &lines.file));
	if (options->counting.separator)
		lines.csv = lines.file ? lines.file : io->out;
	else if (options->output.json || lines.file)
		lines.json = lines.file ? lines.file : io->out;
	if (wp_emit_wants_text(options))
		lines.text = io->out;
	/* As perf takes it from a shell that does not know $'\t'. */
	if (options->counting.separator && strcmp(options->counting.separator, "\\t") == 0)
		lines.separator = "\t";
	*ret = lines;
	return NULL;
}

void wp_stat_lines_say(struct wp_stat_lines *lines, const char *text)
{
	if (lines->text)
		wp_writer_puts(lines->text, text);
}

static void put_doc(struct wp_doc *doc, struct wp_writer *out)
{
	wp_view_text.render(doc, out);
	wp_writer_flush(out);
	wp_doc_free(doc);
}

static void put_json(struct wp_writer *out, const struct wp_stat_rows *rows,
		     const struct wp_stat_style *style)
{
	struct wp_doc *doc = wp_doc_new();

	wp_doc_real(doc, doc->root, "time", (double)style->time_ns / (double)WP_NS_PER_S, 9);
	wp_stat_rows_json(doc, rows);
	wp_emit_json_line(doc, out);
	wp_doc_free(doc);
}

void wp_stat_lines_put(struct wp_stat_lines *lines, const struct wp_stat_rows *rows,
		       struct wp_stat_style style)
{
	style.separator = lines->separator;
	if (lines->csv) {
		struct wp_doc *doc = wp_doc_new();

		wp_stat_rows_csv(doc, rows, &style);
		put_doc(doc, lines->csv);
	}
	if (lines->text) {
		struct wp_doc *doc = wp_doc_new();

		wp_stat_rows_text(doc, rows, &style);
		put_doc(doc, lines->text);
	}
	if (lines->json)
		put_json(lines->json, rows, &style);
}

struct wp_err *wp_stat_lines_close(struct wp_stat_lines *lines)
{
	struct wp_writer *file = lines->file;

	lines->file = NULL;
	return wp_writer_close(file);
}

void wp_stat_lines_deinit(struct wp_stat_lines *lines)
{
	wp_err_free(wp_stat_lines_close(lines));
}
