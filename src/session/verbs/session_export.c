/* SPDX-License-Identifier: BSD-3-Clause */
/* session_export: `wperf export`, a recording as a file of another tool. */
#include "base/choice.h"
#include "base/clock.h"
#include "base/opener.h"
#include "base/str.h"
#include "session/emit.h"
#include "session/report/empty.h"
#include "session/recorded/export_profile.h"
#include "session/recorded/export_records.h"
#include "session/recorded/sampling_recorded.h"
#include "session/progress.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static struct wp_err *find_format(const char *name, const struct wp_export_ops **ret)
{
	const struct wp_export_ops *ops;

	*ret = name ? wp_export_find(name) : &wp_export_flame;
	if (*ret)
		return NULL;
	wp_autochoice struct wp_choice choice = wp_choice_of(name);
	for (size_t i = 0; (ops = wp_export_at(i)); i++)
		wp_choice_add(&choice, ops->name);
	return wp_choice_refuse(&choice, "--format");
}

static struct wp_err *choose_frames(const char *name, const struct wp_export_ops *ops,
				    enum wp_keep_frames *ret)
{
	static const struct {
		const char *word;
		enum wp_keep_frames keep;
	} choices[] = {
		{"all", WP_KEEP_ALL},
		{"native", WP_KEEP_NATIVE},
		{"python", WP_KEEP_PYTHON},
	};

	*ret = ops->cuts_start ? WP_KEEP_PROGRAM : WP_KEEP_ALL;
	if (!name)
		return NULL;
	wp_autochoice struct wp_choice choice = wp_choice_of(name);
	for (size_t i = 0; i < WP_ARRAY_LEN(choices); i++) {
		if (strcmp(choices[i].word, name) == 0) {
			*ret = choices[i].keep;
			return NULL;
		}
		wp_choice_add(&choice, choices[i].word);
	}
	return wp_choice_refuse(&choice, "--frames");
}

/* The first one, of formats that have room for one only. */
static void choose_event(const struct wp_sampling *s, const struct wp_export_ops *ops,
			 struct wp_frame_filter *filter)
{
	const struct wp_event_set *set = wp_sampling_shown(s);

	if (!ops->one_event || filter->event != WP_ALL_EVENTS)
		return;
	filter->event = 0;
	if (set->events.n > 1)
		wp_log(s->io->log, WP_LOG_NOTE,
		       "%s has room for one event: it is %s of %zu (--event chooses)", ops->name,
		       set->events.v[0].name, set->events.n);
}

/* perf.data, or what comes through a pipe -> perf.folded.txt, in the working folder. */
static char *default_name(const struct wp_session_options *options, const char *suffix)
{
	bool is_file = options->report.input && strcmp(options->report.input, "-") != 0;
	const char *input = is_file ? wp_str_basename(options->report.input) : WP_RECORDED_FILE;
	size_t len = strlen(input);

	if (wp_str_has_suffix(input, ".data") && len > strlen(".data"))
		len -= strlen(".data");
	return wp_asprintf("%.*s%s", (int)len, input, suffix);
}

/* --json: what was written, for scripts. */
static void put_summary(struct wp_sampling *s, const struct wp_export_ops *ops, const char *path,
			uint64_t samples)
{
	struct wp_doc *doc = wp_doc_new();

	wp_doc_str(doc, doc->root, "format", ops->name);
	wp_doc_str(doc, doc->root, "file", path);
	wp_doc_int(doc, doc->root, "samples", (int64_t)samples);
	wp_view_json.render(doc, s->io->out);
	wp_doc_free(doc);
}

/* Of the events that are written. */
static void tell_folded(const struct wp_sampling *s, uint32_t event)
{
	uint64_t waits = 0, ns = 0;

	wp_vec_each (const struct wp_idle_sum, sum, &s->results.idle.sums)
		if (event == WP_ALL_EVENTS || sum->event == event) {
			waits += sum->waits;
			ns += sum->ns;
		}
	if (waits)
		wp_log(s->io->log, WP_LOG_NOTE,
		       "folded away: %" PRIu64 " idle wait%s, %.3f s: --idle shows them", waits,
		       waits == 1 ? "" : "s", (double)ns / 1e9);
}

static void tell_written(struct wp_sampling *s, const struct wp_export_ops *ops,
			 const struct wp_export_profile *e, const char *path)
{
	const struct wp_profile *profile = &e->builder.profile;

	if (e->builder.left_out)
		wp_log(s->io->log, WP_LOG_WARNING,
		       "%" PRIu64 " samples found no room: choose fewer with --time or --pid",
		       e->builder.left_out);
	tell_folded(s, e->filter.event);
	wp_empty_tell_samples(s, profile->samples.n);
	if (s->options->output.json)
		put_summary(s, ops, path, profile->samples.n);
	else if (path)
		wp_log(s->io->log, WP_LOG_NOTE, "%s: %zu samples", path, profile->samples.n);
}

/* Where the file goes; NULL: to standard output. The caller frees. */
static char *export_path_of(const struct wp_session_options *options,
			    const struct wp_export_ops *ops)
{
	wp_autofree char *name = options->output.file ? wp_strdup(options->output.file)
						      : default_name(options, ops->suffix);

	return strcmp(name, "-") == 0 ? NULL : wp_emit_path(options, name);
}

/* A file that cannot be written is refused before anything is read, and the recording itself. */
static struct wp_err *prepare(const struct wp_session_options *options, const char *path)
{
	const char *input = options->report.input ? options->report.input : WP_RECORDED_FILE;
	struct stat from, to;
	struct wp_writer *out;

	if (!path && options->output.json)
		return wp_err_new(WP_ERR_USAGE,
				  "--json says on standard output what was written: -o - goes there"
				  " too, give one of them");
	if (!path && options->exports.open)
		return wp_err_new(WP_ERR_USAGE,
				  "--open shows a file, -o - writes none: give one of them");
	if (!path)
		return NULL;
	if (stat(input, &from) == 0 && stat(path, &to) == 0 && from.st_dev == to.st_dev &&
	    from.st_ino == to.st_ino)
		return wp_err_new(WP_ERR_USAGE,
				  "-o %s: that is the recording itself: choose another file", path);
	TRY(wp_writer_open(path, &out));
	return wp_writer_close(out);
}

static void open_exported(const struct wp_sampling *s, const char *path)
{
	if (s->options->exports.open && !wp_open_on_desktop(path))
		wp_log(s->io->log, WP_LOG_NOTE,
		       "--open: no desktop with xdg-open here: open %s with a browser", path);
}

/* What is written is far larger than what was read in some formats. */
static void render_profile(const struct wp_sampling *s, const struct wp_export_ops *ops,
			   const struct wp_profile *profile, struct wp_writer *out,
			   const char *name)
{
	wp_autofree char *what = wp_asprintf("writing %s", name);
	struct wp_progress_share share;

	wp_progress_share_begin(&share, s->io->terminal, what, wp_clock_now_ns());
	wp_writer_watch(out, wp_progress_share_watch(&share));
	ops->render(profile, out);
	wp_writer_flush(out);
	wp_writer_watch(out, (struct wp_watch){0});
	wp_progress_share_end(&share);
}

static struct wp_err *write_profile(struct wp_sampling *s, const struct wp_export_ops *ops,
				    struct wp_export_profile *e, const char *path)
{
	const struct wp_profile *profile = wp_export_profile_finish(e);
	struct wp_writer *out;

	if (!path) {
		render_profile(s, ops, profile, s->io->out, "standard output");
	} else {
		TRY(wp_writer_open(path, &out));
		render_profile(s, ops, profile, out, path);
		TRY(wp_writer_close(out));
	}
	tell_written(s, ops, e, path);
	if (path)
		open_exported(s, path);
	return NULL;
}

static struct wp_err *export_recording(const struct wp_session_options *options,
				       struct wp_session_io *io, const struct wp_export_ops *ops,
				       enum wp_keep_frames keep)
{
	wp_autoexport_profile struct wp_export_profile e = {.keep = keep};
	wp_autofree char *path = export_path_of(options, ops);
	wp_autosampling struct wp_sampling s;

	TRY(wp_sampling_init_recorded(options, io, &s));
	TRY(wp_frame_filter_parse(&s, &e.filter));
	TRY(prepare(options, path));
	choose_event(&s, ops, &e.filter);
	wp_export_profile_attach(&e, &s);
	wp_sampling_fold_idle(&s);
	TRY(wp_sampling_run_recorded(&s));
	return write_profile(&s, ops, &e, path);
}

static void tell_records(struct wp_sampling *s, const struct wp_export_ops *ops,
			 const struct wp_export_records *e, const char *path)
{
	wp_empty_tell_samples(s, e->rows);
	if (s->options->output.json)
		put_summary(s, ops, path, e->rows);
	else if (path)
		wp_log(s->io->log, WP_LOG_NOTE, "%s: %" PRIu64 " records", path, e->rows);
	if (e->left_out)
		wp_log(s->io->log, WP_LOG_NOTE,
		       "%s is of operations and of accesses to data: %" PRIu64
		       " samples of neither are left out",
		       ops->name, e->left_out);
}

/* Rows are written as they come. */
static struct wp_err *export_table(const struct wp_session_options *options,
				   struct wp_session_io *io, const struct wp_export_ops *ops)
{
	wp_autoexport_records struct wp_export_records e = {.rows = 0};
	wp_autofree char *path = export_path_of(options, ops);
	wp_autosampling struct wp_sampling s;
	struct wp_writer *file = NULL;
	struct wp_err *err;

	TRY(wp_sampling_init_recorded(options, io, &s));
	TRY(wp_frame_filter_parse(&s, &e.filter));
	TRY(prepare(options, path));
	if (path)
		TRY(wp_writer_open(path, &file));
	wp_export_records_attach(&e, &s, file ? file : io->out);
	err = wp_sampling_run_recorded(&s);
	wp_export_records_end(&e);
	if (!file)
		wp_writer_flush(io->out);
	else if (err)
		wp_err_free(wp_writer_close(file));
	else
		err = wp_writer_close(file);
	if (!err)
		tell_records(&s, ops, &e, path);
	return err;
}

struct wp_err *wp_session_export(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit)
{
	const struct wp_export_ops *ops;
	enum wp_keep_frames keep;

	(void)ret_exit;
	TRY(find_format(options->exports.format, &ops));
	if (ops->is_records && (options->exports.frames || options->exports.lines))
		return wp_err_new(WP_ERR_USAGE,
				  "--format %s has no stacks: no --frames and --lines with it",
				  ops->name);
	if (ops->is_records)
		return export_table(options, io, ops);
	TRY(choose_frames(options->exports.frames, ops, &keep));
	return export_recording(options, io, ops, keep);
}

void wp_session_export_help(struct wp_writer *out)
{
	const struct wp_export_ops *ops;

	wp_writer_puts(out, "\nformats:\n");
	for (size_t i = 0; (ops = wp_export_at(i)); i++)
		wp_writer_printf(out, "  %-12s %s\n", ops->name, ops->text);
}

struct wp_err *wp_session_export_formats(const struct wp_session_options *options,
					 struct wp_session_io *io, int *ret_exit)
{
	const struct wp_export_ops *ops;

	(void)options, (void)ret_exit;
	for (size_t i = 0; (ops = wp_export_at(i)); i++)
		wp_writer_printf(io->out, "%s\n", ops->name);
	return NULL;
}
