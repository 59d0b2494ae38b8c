/* list: what can be counted here. */
#include "options.h"

static const struct opt *const options[] = {
	&opt_extra_events, &opt_metric_file, &opt_event_data, OPTIONS_OUTPUT, OPTIONS_COMMON,
};

const struct verb verb_list = {
	.name = "list, -l",
	.usage = "list [-v] [--json] [PATTERN]",
	.summary = "the events, metrics and groups of metrics of this machine",
	.options = options,
	.takes_pattern = true,
	.rank = 6,
	.run = wp_session_list,
};
