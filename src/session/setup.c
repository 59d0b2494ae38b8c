/* SPDX-License-Identifier: BSD-3-Clause */
/* setup: see setup.h. */
#include "session/setup.h"

#include "machine/machine_probe.h"

struct wp_err *wp_setup_init(const struct wp_session_options *options, struct wp_session_io *io,
			     struct wp_setup *ret)
{
	*ret = (struct wp_setup){.log = io->log};
	if (options->replay) {
		TRY(wp_replay_load(options->replay, &ret->replay));
		ret->machine = wp_replay_machine(ret->replay);
	} else {
		wp_machine_probe("", &ret->probed);
		ret->machine = &ret->probed;
	}
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
	wp_replay_free(setup->replay);
	wp_machine_deinit(&setup->probed);
	*setup = (struct wp_setup){0};
}
