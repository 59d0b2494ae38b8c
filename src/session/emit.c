/* emit: see emit.h. */
#include "session/emit.h"

#include "view/view.h"

bool wp_emit_wants_text(const struct wp_session_options *options)
{
	return !options->json && !options->quiet;
}

/* An absolute name wins over the prefix. The caller frees. */
static char *below_prefix(const struct wp_session_options *options, const char *file)
{
	if (!options->output_prefix || file[0] == '/')
		return wp_strdup(file);
	return wp_asprintf("%s/%s", options->output_prefix, file);
}

static struct wp_err *render_to_file(const struct wp_session_options *options, const char *file,
				     const struct wp_view_ops *view, const struct wp_doc *doc)
{
	wp_autofree char *path = below_prefix(options, file);
	struct wp_writer *out;

	TRY(wp_writer_open(path, &out));
	view->render(doc, out);
	return wp_writer_close(out);
}

struct wp_err *wp_emit(const struct wp_session_options *options, struct wp_session_io *io,
		       const struct wp_doc *doc)
{
	bool output_is_csv = options->timeline && !options->json;

	if (wp_emit_wants_text(options))
		wp_view_text.render(doc, io->out);
	if (options->output && !output_is_csv)
		return render_to_file(options, options->output, &wp_view_json, doc);
	if (options->json)
		wp_view_json.render(doc, io->out);
	return NULL;
}

struct wp_err *wp_emit_csv(const struct wp_session_options *options, const char *file,
			   const struct wp_doc *doc)
{
	return render_to_file(options, file, &wp_view_csv, doc);
}
