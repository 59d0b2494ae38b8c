/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_named: see probe_named.h. */
#include "resolve/probe/probe_named.h"

#include "base/str.h"
#include "resolve/symbols/image.h"

#include <inttypes.h>
#include <stdlib.h>

/* All of it is the thread's when that is left. */
struct name_question {
	struct wp_job job;
	struct wp_srclines *lines;
	struct wp_variable_query query;
	char *name;
	enum wp_variable_answer answer;
	struct wp_variable variable;
};

static void answer_where_name_is(struct wp_job *job)
{
	struct name_question *question = (struct name_question *)job;

	question->answer = wp_variable_find(question->lines, &question->query, &question->variable);
}

static struct wp_err *no_names(const struct wp_probe_image *image, const struct wp_probe_arg *arg)
{
	return wp_err_new(
		WP_ERR_NOT_FOUND,
		"event '%s': %s has no debug information, which names are found by "
		"(built without -g, and no debug file is installed): say arg1 ... instead "
		"of %s",
		image->event, image->file->path, arg->word);
}

static struct wp_err *refuse_name(const struct wp_probe_image *image,
				  const struct wp_probe_arg *arg, uint64_t at,
				  const struct name_question *question)
{
	const char *event = image->event, *word = arg->word, *text = question->variable.text;

	switch (question->answer) {
	case WP_VARIABLE_NO_FUNCTION:
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "event '%s': the debug information of %s has no function at "
				  "0x%" PRIx64 ": say arg1 ... instead of %s",
				  event, image->file->path, at, word);
	case WP_VARIABLE_NONE:
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "event '%s': the function has no parameter or variable %s there; "
				  "it has %s",
				  event, word, *text ? text : "none");
	case WP_VARIABLE_NO_NUMBER:
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "event '%s': %s is %s: only integers and pointers can be read",
				  event, word, text);
	case WP_VARIABLE_AWAY:
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "event '%s': %s has no place at 0x%" PRIx64
				  ": the compiler keeps it nowhere there (optimised out)",
				  event, word, at);
	case WP_VARIABLE_UNBORN:
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "event '%s': %s has no value yet where the function begins: "
				  "probe a line, FUNCTION:LINE",
				  event, word);
	default:
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "event '%s': where %s is cannot be told to the kernel: %s", event,
				  word, text);
	}
}

static struct name_question *make_name_question(struct wp_probe_image *image,
						struct wp_srclines *lines, const char *word,
						uint64_t at, bool windows)
{
	struct name_question *question = wp_calloc(1, sizeof(*question));

	question->job.run = answer_where_name_is;
	question->lines = lines;
	question->name = wp_strdup(word);
	question->query = (struct wp_variable_query){
		.name = question->name,
		.rva = {at},
		.program = image->elf.elf,
		.arm64 = image->symbols.image.machine == EM_AARCH64,
		.windows = windows,
	};
	return question;
}

static bool ask_for_name(struct wp_probe_image *image, struct wp_line_asker *asker,
			 struct name_question *question)
{
	if (!wp_image_is_foreign(image->file->fd))
		return wp_line_asker_ask_own(asker, &question->job, image->file->path);
	wp_srclines_bound(question->lines);
	return wp_line_asker_ask(asker, &question->job);
}

struct wp_err *wp_probe_named(struct wp_probe_image *image, struct wp_line_asker *asker,
			      const struct wp_probe_arg *arg, uint64_t at, bool windows,
			      struct wp_variable *ret)
{
	struct wp_srclines *lines = wp_symfile_lines(&image->source, &image->symbols);
	struct name_question *question;
	struct wp_err *err = NULL;

	if (!lines || !wp_srclines_dwarf(lines))
		return no_names(image, arg);
	question = make_name_question(image, lines, arg->word, at, windows);
	if (!ask_for_name(image, asker, question)) {
		image->is_left = true;
		return wp_err_new(WP_ERR_LIMIT,
				  "event '%s': reading the debug information of %s takes too long",
				  image->event, image->file->path);
	}
	if (question->answer == WP_VARIABLE_FOUND || question->answer == WP_VARIABLE_PASSED)
		*ret = question->variable;
	else
		err = refuse_name(image, arg, at, question);
	free(question->name);
	free(question);
	return err;
}
