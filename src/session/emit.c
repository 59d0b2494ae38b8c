/* SPDX-License-Identifier: BSD-3-Clause */
/* emit: see emit.h. */
#include "session/emit.h"

#include "aggregate/closed_doc.h"
#include "base/str.h"
#include "view/screen/screen_view.h"
#include "view/view.h"

bool wp_emit_wants_text(const struct wp_session_options *options)
{
	return !options->output.json && !options->output.quiet && !options->report.csv &&
	       !options->counting.separator;
}

char *wp_emit_path(const struct wp_session_options *options, const char *file)
{
	if (!options->output.prefix || file[0] == '/')
		return wp_strdup(file);
	return wp_asprintf("%s/%s", options->output.prefix, file);
}

bool wp_emit_output_is_json(const struct wp_session_options *options)
{
	if (!options->output.file_is_data)
		return true;
	return wp_str_has_suffix(options->output.file, ".json") ||
	       (options->output.json && !wp_str_has_suffix(options->output.file, ".data"));
}

/* The file that gets the JSON, or NULL. The caller frees. */
static char *json_path(const struct wp_session_options *options)
{
	bool output_is_csv = options->counting.timeline && !options->output.json;

	if (!options->output.file || output_is_csv || options->counting.separator ||
	    !wp_emit_output_is_json(options))
		return NULL;
	return wp_emit_path(options, options->output.file);
}

struct wp_err *wp_emit_prepare(const struct wp_session_options *options)
{
	wp_autofree char *path = json_path(options);
	struct wp_writer *out;

	if (!path)
		return NULL;
	TRY(options->counting.append ? wp_writer_append(path, &out) : wp_writer_open(path, &out));
	return wp_writer_close(out);
}

void wp_emit_begin_text(struct wp_session_io *io)
{
	wp_writer_flush(io->out);
	if (io->begin_report)
		io->begin_report(io->begin_report_arg);
}

bool wp_session_has_screens(void)
{
	return wp_screen_view_is_possible();
}

/* Nothing else may write to a terminal that has screens. */
static struct wp_err *show_screens(struct wp_session_io *io, const struct wp_doc *doc,
				   const struct wp_screen_opener *opener)
{
	struct wp_writer *terminal = io->terminal;
	struct wp_err *err;

	wp_writer_flush(io->out);
	io->terminal = NULL;
	err = wp_screen_view_show(doc, opener);
	io->terminal = terminal;
	return err;
}

struct wp_err *wp_emit(const struct wp_session_options *options, struct wp_session_io *io,
		       struct wp_doc *doc)
{
	return wp_emit_opening(options, io, doc, NULL);
}

struct wp_err *wp_emit_opening(const struct wp_session_options *options, struct wp_session_io *io,
			       struct wp_doc *doc, const struct wp_screen_opener *opener)
{
	wp_autofree char *path = json_path(options);
	struct wp_writer *out;

	doc->screen = options->output.screen;
	if (options->report.csv) {
		wp_view_csv.render(doc, io->out);
	} else if (wp_emit_wants_text(options) && options->output.screens) {
		TRY(show_screens(io, doc, opener));
	} else if (wp_emit_wants_text(options)) {
		wp_emit_begin_text(io);
		wp_view_text.render(doc, io->out);
	}
	if (options->output.closed)
		wp_doc_close(doc);
	if (path) {
		TRY(wp_writer_open(path, &out));
		wp_view_json.render(doc, out);
		return wp_writer_close(out);
	}
	if (options->output.json)
		wp_view_json.render(doc, io->out);
	return NULL;
}

/* Whatever lines the view makes: no string of JSON has a newline in it. */
void wp_emit_json_line(const struct wp_doc *doc, struct wp_writer *out)
{
	wp_autostr struct wp_str text = {0};
	struct wp_writer *memory = wp_writer_of_str(&text);
	wp_autoerr struct wp_err *never = NULL;

	wp_view_json.render(doc, memory);
	never = wp_writer_close(memory);
	for (size_t i = 0; i < text.len; i++)
		if (text.s[i] != '\n')
			wp_writer_put(out, &text.s[i], 1);
	wp_writer_puts(out, "\n");
	wp_writer_flush(out);
}

/* How much of a text is so many lines; all of it if it has no more. */
static size_t bytes_of_lines(const struct wp_str *text, size_t lines)
{
	size_t at = 0;

	for (; lines && at < text->len; at++)
		lines -= text->s[at] == '\n';
	return at;
}

/* What stands first is what matters most; the last line is the cursor's. */
static void replace_screen(const struct wp_doc *doc, struct wp_writer *out)
{
	wp_autostr struct wp_str text = {0};
	struct wp_writer *memory = wp_writer_of_str(&text);
	wp_autoerr struct wp_err *never = NULL;

	wp_view_text.render(doc, memory);
	never = wp_writer_close(memory);
	wp_writer_puts(out, "\033[H\033[2J"); /* ECMA-48: cursor home, erase all of the page */
	wp_writer_put(out, text.s, bytes_of_lines(&text, doc->screen.lines - 1));
}

void wp_emit_one_of_many(const struct wp_session_options *options, struct wp_session_io *io,
			 struct wp_doc *doc, uint64_t n)
{
	doc->screen = options->output.screen;
	if (wp_emit_wants_text(options)) {
		if (doc->screen.lines > 1) {
			replace_screen(doc, io->out);
		} else {
			wp_writer_puts(io->out, n > 1 ? "\n" : "");
			wp_view_text.render(doc, io->out);
		}
		wp_writer_flush(io->out);
	}
	if (options->output.json)
		wp_emit_json_line(doc, io->out);
}
