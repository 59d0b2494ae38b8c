/* SPDX-License-Identifier: BSD-3-Clause */
/* options: the defaults of a command line; see session.h. */
#include "session/session.h"

void wp_session_options_init(struct wp_session_options *options)
{
	*options = (struct wp_session_options){
		.count_period_ms = 100,
		.dmc = 255,
		.spawn_delay_ms = 1000,
		.display_rows = 50,
		.repeat = 1,
	};
}
