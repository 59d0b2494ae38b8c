/* sampling_data: see sampling_data.h. */
#include "session/sampling_data.h"

#include "base/str.h"
#include "session/emit.h"
#include "session/sampling.h"

#include <inttypes.h>
#include <stdlib.h>

#define LEVEL 1 /* of zstd: as perf record -z */

char *wp_sampling_data_path(const struct wp_session_options *options)
{
	const char *file = options->data ? options->data : options->output;

	if (!file || (!options->data && !wp_str_has_suffix(file, ".data")))
		return NULL;
	return wp_emit_path(options, file);
}

struct wp_err *wp_sampling_data_open(struct wp_sampling *s)
{
	struct wp_recorder_options options = {
		.events = &s->events,
		.machine = s->setup.machine,
		.argv = s->options->argv,
		.stacks = s->stack != NULL,
		.kernel = s->options->kernel,
		.level = s->options->compress ? LEVEL : 0,
	};

	s->data.path = wp_sampling_data_path(s->options);
	if (!s->data.path) {
		if (s->options->compress)
			return wp_err_new(WP_ERR_USAGE,
					  "-z compresses a recording: say where it is "
					  "to be kept (--data FILE)");
		return NULL;
	}
	options.path = s->data.path;
	return wp_recorder_open(&options, &s->data.recorder);
}

void wp_sampling_data_record(struct wp_sampling *s, const struct wp_record *record)
{
	if (s->data.recorder)
		wp_recorder_add(s->data.recorder, record);
}

void wp_sampling_data_sample(struct wp_sampling *s, const struct wp_record *sample,
			     const struct wp_stack *stack)
{
	uint64_t ips[WP_STACK_MAX];
	size_t n = stack ? stack->n_kernel + stack->n_user : 0;

	if (!s->data.recorder)
		return;
	for (size_t i = 0; i < n; i++)
		ips[i] = stack->frames[i].ip.v;
	wp_recorder_add_sample(s->data.recorder, sample, ips, stack ? stack->n_kernel : 0, n);
}

struct wp_err *wp_sampling_data_round(struct wp_sampling *s)
{
	return s->data.recorder ? wp_recorder_round(s->data.recorder) : NULL;
}

struct wp_err *wp_sampling_data_close(struct wp_sampling *s)
{
	struct wp_recorder *recorder = s->data.recorder;
	struct wp_recorder_figures figures;
	struct wp_err *err;

	if (!recorder)
		return NULL;
	s->data.recorder = NULL;
	figures = wp_recorder_figures(recorder);
	err = wp_recorder_close(recorder);
	if (!err)
		wp_log(s->io->log, WP_LOG_NOTE, "%s: %" PRIu64 " samples, %" PRIu64 " bytes",
		       s->data.path, figures.samples, figures.bytes);
	free(s->data.path);
	s->data.path = NULL;
	return err;
}
