/* SPDX-License-Identifier: BSD-3-Clause */
/* wait_states: see wait_states.h. */
#include "aggregate/wait_states.h"

/* A wait of perf's own says no state. */
static struct wp_wait_sum *find_sum(struct wp_wait_event *event, const struct wp_sample *sample,
				    uint32_t *ret_waits, bool *ret_single)
{
	enum wp_wait_state state;

	if (wp_wait_read(&sample->record->sample, &state, ret_waits)) {
		event->waits += *ret_waits;
		*ret_single = state != WP_WAIT_SHORT;
		return &event->states[state];
	}
	*ret_waits = 1;
	*ret_single = false;
	return sample->is_wait ? NULL : &event->running;
}

static void sum_wait(struct wp_sink *sink, const struct wp_sample *sample)
{
	struct wp_wait_states *states = (struct wp_wait_states *)sink;
	const struct wp_record_sample *record = &sample->record->sample;
	struct wp_wait_event *event;
	struct wp_wait_sum *sum;
	uint32_t waits;
	bool single;

	while (states->events.n <= record->event)
		wp_vec_push(&states->events, (struct wp_wait_event){0});
	event = &states->events.v[record->event];
	sum = find_sum(event, sample, &waits, &single);
	if (!sum)
		return;
	sum->waits += waits;
	sum->ns += record->period;
	event->ns += record->period;
	if (single && sum->longest_ns < record->period)
		sum->longest_ns = record->period;
}

struct wp_sink *wp_wait_states_sink(struct wp_wait_states *states)
{
	static const struct wp_sink_ops ops = {.sample = sum_wait};

	states->sink = (struct wp_sink){.ops = &ops, .wants = WP_SAMPLE_PAYLOAD};
	return &states->sink;
}

static void put_state(struct wp_table *table, const struct wp_wait_event *event,
		      const struct wp_wait_sum *sum, const char *name)
{
	if (!sum->waits)
		return;
	wp_table_add(table, (struct wp_cell[]){
				    wp_cell_real(wp_percent(sum->ns, event->ns), 2),
				    wp_cell_number(sum == &event->running ? 0 : sum->waits),
				    wp_cell_number(sum->ns),
				    wp_cell_number(sum->longest_ns),
				    wp_cell_str(name),
			    });
}

void wp_wait_states_doc(struct wp_doc *doc, struct wp_node *parent,
			const struct wp_wait_states *states, uint32_t event)
{
	const struct wp_wait_event *sums;
	struct wp_table *table;

	if (event >= states->events.n || !states->events.v[event].waits)
		return;
	sums = &states->events.v[event];
	table = wp_doc_table(doc, parent, "wait_states");
	wp_table_share_column(table, "share");
	wp_table_column(table, "waits", WP_ALIGN_RIGHT);
	wp_table_column(table, "ns", WP_ALIGN_RIGHT);
	wp_table_column(table, "longest", WP_ALIGN_RIGHT);
	wp_table_column(table, "state", WP_ALIGN_LEFT);
	put_state(table, sums, &sums->running, WP_WAIT_RUNNING);
	for (int state = 0; state < WP_WAIT_STATES; state++)
		put_state(table, sums, &sums->states[state],
			  wp_wait_state_name((enum wp_wait_state)state));
	wp_doc_prose(doc, parent, "\n");
}

void wp_wait_states_deinit(struct wp_wait_states *states)
{
	wp_vec_deinit(&states->events);
}
