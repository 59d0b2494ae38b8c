/* SPDX-License-Identifier: BSD-3-Clause */
/* options: the defaults of a command line; see session.h. */
#include "session/session.h"

#include "base/clock.h"

void wp_session_options_init(struct wp_session_options *options)
{
	*options = (struct wp_session_options){
		.events.count_period_ms = 100,
		.target.dmc = 255,
		.target.spawn_delay_ms = 1000,
		.tables.rows = 50,
		.counting.repeat = 1,
		.top.delay_ns = 2 * WP_NS_PER_S,
	};
}
