/* man: what an event or metric means. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_extra_events, &opt_metric_file, &opt_event_data, OPTIONS_OUTPUT, OPTIONS_COMMON,
};

const struct verb verb_man = {
	.name = "man",
	.usage = "man [CPU/]EVENT|METRIC|GROUP",
	.summary = "what an event, a metric or a group of metrics means",
	.options = options,
	.takes_topic = true,
	.rank = 3,
	.run = wp_session_man,
};
