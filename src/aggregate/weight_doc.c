/* SPDX-License-Identifier: BSD-3-Clause */
/* weight_doc: see weight_doc.h. */
#include "aggregate/weight_doc.h"

#include "base/str.h"

#include <inttypes.h>

/* Only of all hits the sum is exact. */
static void say_part(struct wp_str *out, const struct wp_event *event, uint64_t lost)
{
	if (event->freq_hz)
		wp_str_printf(out, ", of the hits that were sampled");
	else if (event->period > 1)
		wp_str_printf(out, ", of one of every %" PRIu64 " hits", event->period);
	if (lost)
		wp_str_printf(out, ", without the samples that were lost");
}

void wp_weight_doc(struct wp_doc *doc, struct wp_node *parent, const struct wp_event *event,
		   uint64_t sum, uint64_t lost)
{
	const char *unit = wp_event_weight_unit(event);
	wp_autostr struct wp_str part = {0};

	if (!event->weight)
		return;
	say_part(&part, event, lost);
	wp_doc_prose(doc, parent, "sum of %s: %" PRIu64 "%s%s%s\n", event->weight, sum,
		     unit ? " " : "", unit ? unit : "", part.len ? part.s : "");
	wp_doc_str(doc, parent, "weight", event->weight);
	if (unit)
		wp_doc_str(doc, parent, "weight_unit", unit);
	wp_doc_int(doc, parent, "weight_sum", (int64_t)sum);
}
