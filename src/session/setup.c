/* SPDX-License-Identifier: BSD-3-Clause */
/* setup: see setup.h. */
#include "session/setup.h"

#include "base/rights.h"
#include "machine/system_world.h"
#include "replay/replay.h"
#include "resolve/probe/probe_find.h"
#include "session/emit.h"

struct wp_err *wp_setup_open(const struct wp_session_options *options, bool probes,
			     struct wp_setup *ret)
{
	if (options->replay)
		TRY(wp_replay_open(options->replay, &ret->world));
	else
		ret->world = wp_system_world_new(probes, options->force_lock);
	ret->machine = ret->world->machine;
	return NULL;
}

struct wp_err *wp_setup_init(const struct wp_session_options *options, struct wp_session_io *io,
			     struct wp_setup *ret)
{
	*ret = (struct wp_setup){.log = io->log, .interrupted = io->interrupted};
	TRY(wp_setup_open(options, true, ret));
	ret->catalogue = wp_catalogue_new(ret->machine, io->log);
	if (options->events.data)
		TRY(wp_catalogue_add_data(ret->catalogue, options->events.data));
	if (options->events.extra)
		TRY(wp_catalogue_add_events(ret->catalogue, options->events.extra));
	if (options->events.metric_file)
		TRY(wp_catalogue_add_metrics(ret->catalogue, options->events.metric_file));
	return NULL;
}

struct wp_err *wp_setup_find_probes(const struct wp_setup *setup, const struct wp_target *target,
				    struct wp_event_set *events)
{
	if (setup->world->offline)
		return NULL;
	return wp_probes_find(events, target, setup->interrupted, setup->log);
}

void wp_setup_deinit(struct wp_setup *setup)
{
	wp_catalogue_free(setup->catalogue);
	if (setup->world)
		setup->world->ops->close(setup->world);
	*setup = (struct wp_setup){0};
}

static bool needs_for(const struct wp_session_options *options, const char *file)
{
	wp_autofree char *path = wp_emit_path(options, file);

	return wp_rights_needs_for(path);
}

void wp_setup_reduce_rights(const struct wp_setup *setup, const struct wp_session_options *options,
			    const char *data, bool launched)
{
	const char *unnamed =
		options->counting.timeline ? "timeline" : NULL; /* it makes up a name */
	const char *const files[] = {options->output.file, options->output.csv_file, unnamed};
	bool writes = data && wp_rights_needs_for(data);

	if (setup->world->offline)
		return;
	for (size_t i = 0; i < WP_ARRAY_LEN(files); i++)
		writes = writes || (files[i] && needs_for(options, files[i]));
	wp_rights_reduce((struct wp_rights_needs){.writes = writes, .kills = launched});
}
