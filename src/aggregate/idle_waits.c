/* SPDX-License-Identifier: BSD-3-Clause */
/* idle_waits: see idle_waits.h. */
#include "aggregate/idle_waits.h"

#include "base/str.h"
#include "core/wait.h"

#include <inttypes.h>
#include <string.h>

static struct wp_idle_sum *find_idle_sum(struct wp_idle_waits *idle, uint32_t event,
					 const char *rule)
{
	wp_vec_each (struct wp_idle_sum, sum, &idle->sums)
		if (sum->event == event && strcmp(sum->rule, rule) == 0)
			return sum;
	wp_vec_push(&idle->sums, (struct wp_idle_sum){.event = event, .rule = rule});
	return &idle->sums.v[idle->sums.n - 1];
}

bool wp_idle_waits_take(struct wp_idle_waits *idle, const struct wp_sample *sample,
			const struct wp_symbol_set *symbols)
{
	const struct wp_record_sample *record = &sample->record->sample;
	const struct wp_idle_rule *rule = wp_idle_rule_of(sample, symbols);
	enum wp_wait_state state;
	struct wp_idle_sum *sum;
	uint32_t waits = 1;

	if (!rule)
		return false;
	sum = find_idle_sum(idle, record->event, rule->name);
	if (!wp_wait_read(record, &state, &waits))
		waits = 1;
	sum->waits += waits;
	sum->ns += record->period;
	return true;
}

void wp_idle_waits_doc(struct wp_doc *doc, struct wp_node *parent, const struct wp_idle_waits *idle,
		       uint32_t event)
{
	wp_autostr struct wp_str parts = {0};
	struct wp_table *table = NULL;
	uint64_t waits = 0, ns = 0;

	wp_vec_each (const struct wp_idle_sum, sum, &idle->sums) {
		if (sum->event != event)
			continue;
		if (!table) {
			table = wp_doc_table(doc, parent, "idle_waits");
			parent->last->only = WP_DATA_ONLY;
			wp_table_column(table, "waits", WP_ALIGN_RIGHT);
			wp_table_column(table, "ns", WP_ALIGN_RIGHT);
			wp_table_column(table, "idle", WP_ALIGN_LEFT);
		}
		wp_table_add(table,
			     (struct wp_cell[]){wp_cell_number(sum->waits), wp_cell_number(sum->ns),
						wp_cell_str(sum->rule)});
		wp_str_printf(&parts, "%s%s %.3f s", parts.len ? ", " : "", sum->rule,
			      (double)sum->ns / 1e9);
		waits += sum->waits;
		ns += sum->ns;
	}
	if (table)
		wp_doc_prose(doc, parent,
			     "folded away: %" PRIu64 " idle wait%s, %.3f s (%s); shares are of the "
			     "rest, --idle shows them\n",
			     waits, waits == 1 ? "" : "s", (double)ns / 1e9, parts.s);
}

void wp_idle_waits_deinit(struct wp_idle_waits *idle)
{
	wp_vec_deinit(&idle->sums);
}
