/* SPDX-License-Identifier: BSD-3-Clause */
/* setup: see setup.h. */
#include "session/setup.h"

#include "machine/linux_world.h"
#include "replay/replay.h"

struct wp_err *wp_setup_open(const struct wp_session_options *options, bool probes,
			     struct wp_setup *ret)
{
	if (options->replay)
		TRY(wp_replay_open(options->replay, &ret->world));
	else
		ret->world = wp_linux_world_new(probes);
	ret->machine = ret->world->machine;
	return NULL;
}

struct wp_err *wp_setup_init(const struct wp_session_options *options, struct wp_session_io *io,
			     struct wp_setup *ret)
{
	*ret = (struct wp_setup){.log = io->log};
	TRY(wp_setup_open(options, true, ret));
	ret->catalogue = wp_catalogue_new(ret->machine, io->log);
	if (options->event_data)
		TRY(wp_catalogue_add_data(ret->catalogue, options->event_data));
	if (options->extra_events)
		TRY(wp_catalogue_add_events(ret->catalogue, options->extra_events));
	if (options->metric_file)
		TRY(wp_catalogue_add_metrics(ret->catalogue, options->metric_file));
	return NULL;
}

void wp_setup_deinit(struct wp_setup *setup)
{
	wp_catalogue_free(setup->catalogue);
	if (setup->world)
		setup->world->ops->close(setup->world);
	*setup = (struct wp_setup){0};
}
