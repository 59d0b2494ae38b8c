/* SPDX-License-Identifier: BSD-3-Clause */
/* flow_work: see flow_work.h. */
#include "resolve/flow/flow_work.h"

void wp_flow_work_lead(struct wp_flow_work *work, uint32_t from, uint32_t to,
		       enum wp_edge_kind kind)
{
	uint32_t last = work->led_by[to];

	if (last && work->ways.v[last - 1].from == from)
		return; /* all ways of an op are told in a row */
	wp_vec_push(&work->ways,
		    (struct wp_flow_way){
			    .from = from, .to = to, .next = work->led_by[to], .kind = kind});
	work->led_by[to] = (uint32_t)work->ways.n;
	wp_vec_push(&work->todo, to);
}
