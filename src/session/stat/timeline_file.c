/* SPDX-License-Identifier: BSD-3-Clause */
/* timeline_file: see timeline_file.h. */
#include "session/stat/timeline_file.h"

#include "base/str.h"
#include "session/emit.h"
#include "view/view.h"

#include <string.h>
#include <time.h>

/* 2024_08_12_13_05_59, local time; of the epoch where no time passes. The caller frees. */
static char *timestamp(const struct wp_counting *counting)
{
	const struct wp_world_ops *world = counting->setup.world->ops;
	time_t now = world->time ? world->time(NULL) : 0;
	struct tm tm;
	char text[32];

	if (!localtime_r(&now, &tm) || !strftime(text, sizeof(text), "%Y_%m_%d_%H_%M_%S", &tm))
		return wp_strdup("0");
	return wp_strdup(text);
}

/* What the counts belong to, for {core} and for default names: a CPU, a process. The caller frees.
 */
static char *subject(const struct wp_target *target)
{
	if (target->kind == WP_TARGET_PROCESSES)
		return wp_asprintf("process_%d", target->pids.n ? (int)target->pids.v[0] : 0);
	if (target->cpus.cpus.n == 1)
		return wp_asprintf("core_%u", target->cpus.cpus.v[0]);
	return wp_strdup("system_side");
}

static char *first_core(const struct wp_target *target)
{
	if (target->kind == WP_TARGET_PROCESSES)
		return subject(target);
	return wp_asprintf("%u", target->cpus.cpus.n ? target->cpus.cpus.v[0] : 0);
}

/* Replaces the first occurrence; takes and returns ownership of the text. */
static char *fill_in(char *text, const char *placeholder, const char *value)
{
	char *at = strstr(text, placeholder);

	if (!at)
		return text;
	wp_autofree char *old = text;
	*at = '\0';
	return wp_asprintf("%s%s%s", old, value, at + strlen(placeholder));
}

/* The user's name for the file, or NULL. */
static const char *template_of(const struct wp_session_options *options)
{
	if (options->output.csv_file)
		return options->output.csv_file;
	return options->output.json ? NULL : options->output.file;
}

static char *name_file(const struct wp_counting *counting, enum wp_event_class class,
		       const char *time_text)
{
	const struct wp_target *target = &counting->targeting.target;
	const char *template = template_of(counting->options);
	const char *class_name = wp_event_class_name(class);
	wp_autofree char *who = subject(target), *core = first_core(target);
	char *name;

	if (!template)
		return wp_asprintf("wperf_%s_%s.%s.csv", who, time_text, class_name);
	/* one name for several files: the core's gets it as it is */
	name = class == WP_EVENT_CORE || strstr(template, "{class}")
		       ? wp_strdup(template)
		       : wp_asprintf("%s.%s", template, class_name);
	name = fill_in(name, "{timestamp}", time_text);
	name = fill_in(name, "{class}", class_name);
	return fill_in(name, "{core}", core);
}

static struct wp_err *open_class(struct wp_timeline_files *files,
				 const struct wp_counting *counting, enum wp_event_class class,
				 const char *time_text)
{
	const struct wp_session_options *options = counting->options;
	wp_autofree char *name = name_file(counting, class, time_text);
	struct wp_timeline_file file = {.class = class, .path = wp_emit_path(options, name)};

	wp_vec_push(&files->files, file);
	TRY(wp_writer_open(file.path, &files->files.v[files->files.n - 1].out));
	if (options->output.verbose && wp_emit_wants_text(options))
		wp_writer_printf(counting->io->out, "timeline file: '%s'\n", file.path);
	return NULL;
}

struct wp_err *wp_timeline_files_open(struct wp_timeline_files *files,
				      const struct wp_counting *counting, uint64_t interval_ns)
{
	wp_autofree char *time_text = timestamp(counting);

	files->info = &counting->info;
	files->interval_ns = interval_ns;
	if (counting->options->output.csv_file && counting->options->output.file &&
	    !counting->options->output.json)
		wp_log(counting->io->log, WP_LOG_WARNING,
		       "--output is not written: with -t it would name the CSV file, which"
		       " --output-csv does; --json makes it the JSON file");
	for (unsigned int i = 0; i < WP_EVENT_CLASSES; i++)
		if (wp_event_set_has_class(&counting->events, i))
			TRY(open_class(files, counting, i, time_text));
	return NULL;
}

/* The view ends a table with an empty line, which stays out until the file is complete. */
static void write_table(struct wp_timeline_file *file, const struct wp_doc *doc)
{
	struct wp_str text = {0};
	struct wp_writer *memory = wp_writer_of_str(&text);
	wp_autoerr struct wp_err *never = NULL;

	wp_view_csv.render(doc, memory);
	never = wp_writer_close(memory);
	if (text.len)
		wp_writer_put(file->out, text.s, text.len - 1);
	wp_str_deinit(&text);
}

static struct wp_err *start_anew(struct wp_timeline_file *file)
{
	struct wp_writer *out = file->out;

	file->out = NULL;
	TRY(wp_writer_close(out));
	return wp_writer_open(file->path, &file->out);
}

static struct wp_err *add_period(struct wp_timeline_file *file,
				 const struct wp_timeline_files *files,
				 const struct wp_timeline *timeline)
{
	bool multiplexed = timeline->multiplexed[file->class];
	bool all = !file->periods || multiplexed != file->multiplexed;
	struct wp_doc *doc;

	if (all && file->periods)
		TRY(start_anew(file));
	doc = wp_timeline_csv(timeline, files->info, file->class, files->interval_ns,
			      all ? 0 : file->periods);
	if (all)
		write_table(file, doc);
	else
		for (size_t row = 0; row < doc->root->last->table->rows.n; row++)
			wp_view_csv_row(doc->root->last->table, row, file->out);
	wp_doc_free(doc);
	wp_writer_flush(file->out);
	file->multiplexed = multiplexed;
	file->periods = timeline->periods.n;
	return NULL;
}

struct wp_err *wp_timeline_files_add(struct wp_timeline_files *files,
				     const struct wp_timeline *timeline)
{
	wp_vec_each (struct wp_timeline_file, file, &files->files)
		TRY(add_period(file, files, timeline));
	return NULL;
}

struct wp_err *wp_timeline_files_close(struct wp_timeline_files *files)
{
	wp_vec_each (struct wp_timeline_file, file, &files->files) {
		struct wp_writer *out = file->out;

		wp_writer_puts(out, "\n");
		file->out = NULL;
		TRY(wp_writer_close(out));
	}
	return NULL;
}

void wp_timeline_files_deinit(struct wp_timeline_files *files)
{
	wp_vec_each (struct wp_timeline_file, file, &files->files) {
		wp_err_free(wp_writer_close(file->out));
		free(file->path);
	}
	wp_vec_deinit(&files->files);
}
