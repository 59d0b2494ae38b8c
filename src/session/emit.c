/* SPDX-License-Identifier: BSD-3-Clause */
/* emit: see emit.h. */
#include "session/emit.h"

#include "base/str.h"
#include "view/view.h"

bool wp_emit_wants_text(const struct wp_session_options *options)
{
	return !options->json && !options->quiet && !options->csv && !options->separator;
}

char *wp_emit_path(const struct wp_session_options *options, const char *file)
{
	if (!options->output_prefix || file[0] == '/')
		return wp_strdup(file);
	return wp_asprintf("%s/%s", options->output_prefix, file);
}

bool wp_emit_output_is_json(const struct wp_session_options *options)
{
	if (!options->output_is_data)
		return true;
	return wp_str_has_suffix(options->output, ".json") ||
	       (options->json && !wp_str_has_suffix(options->output, ".data"));
}

/* The file that gets the JSON, or NULL. The caller frees. */
static char *json_path(const struct wp_session_options *options)
{
	bool output_is_csv = options->timeline && !options->json;

	if (!options->output || output_is_csv || options->separator ||
	    !wp_emit_output_is_json(options))
		return NULL;
	return wp_emit_path(options, options->output);
}

struct wp_err *wp_emit_prepare(const struct wp_session_options *options)
{
	wp_autofree char *path = json_path(options);
	struct wp_writer *out;

	if (!path)
		return NULL;
	TRY(options->append ? wp_writer_append(path, &out) : wp_writer_open(path, &out));
	return wp_writer_close(out);
}

void wp_emit_begin_text(struct wp_session_io *io)
{
	wp_writer_flush(io->out);
	if (io->begin_report)
		io->begin_report(io->begin_report_arg);
}

struct wp_err *wp_emit(const struct wp_session_options *options, struct wp_session_io *io,
		       struct wp_doc *doc)
{
	wp_autofree char *path = json_path(options);
	struct wp_writer *out;

	doc->screen = options->screen;
	if (options->csv) {
		wp_view_csv.render(doc, io->out);
	} else if (wp_emit_wants_text(options)) {
		wp_emit_begin_text(io);
		wp_view_text.render(doc, io->out);
	}
	if (path) {
		TRY(wp_writer_open(path, &out));
		wp_view_json.render(doc, out);
		return wp_writer_close(out);
	}
	if (options->json)
		wp_view_json.render(doc, io->out);
	return NULL;
}
