/* SPDX-License-Identifier: BSD-3-Clause */
/* weight_doc: see weight_doc.h. */
#include "aggregate/weight_doc.h"

#include "base/str.h"

#include <inttypes.h>

#define BAR_WIDTH 40

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

static const char *draw_bar(struct wp_arena *arena, uint64_t n, uint64_t most)
{
	static const char bar[] = "########################################";
	double part = most ? (double)n * BAR_WIDTH / (double)most : 0;

	_Static_assert(sizeof(bar) == BAR_WIDTH + 1, "a bar is as wide as the widest");
	return wp_arena_strndup(arena, bar, n && part < 1 ? 1 : (size_t)part);
}

void wp_weight_histogram(struct wp_doc *doc, struct wp_node *parent, const char *key,
			 const uint64_t powers[WP_FLAT_POWERS])
{
	struct wp_table *table = wp_doc_table(doc, parent, key);
	size_t first = 0, end = WP_FLAT_POWERS;
	uint64_t most = 0;

	wp_table_column(table, "from", WP_ALIGN_RIGHT);
	wp_table_column(table, "to", WP_ALIGN_RIGHT);
	wp_table_column(table, "count", WP_ALIGN_RIGHT);
	wp_table_column(table, "samples", WP_ALIGN_LEFT)->text_only = true;
	while (end > 0 && !powers[end - 1])
		end--;
	while (first < end && !powers[first])
		first++;
	for (size_t i = first; i < end; i++)
		most = powers[i] > most ? powers[i] : most;
	for (size_t i = first; i < end; i++)
		wp_table_add(table, (struct wp_cell[]){
					    wp_cell_number(i ? UINT64_C(1) << (i - 1) : 0),
					    wp_cell_number(i ? UINT64_MAX >> (64 - i) : 0),
					    wp_cell_number(powers[i]),
					    wp_cell_str(draw_bar(&doc->arena, powers[i], most)),
				    });
	wp_doc_prose(doc, parent, "\n");
}
