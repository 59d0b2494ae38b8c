/* SPDX-License-Identifier: BSD-3-Clause */
/* group_reads: see group_reads.h. */
#include "core/group_reads.h"

/* Ids are numbered from 1 upwards, as threads are: mixed, no two of a run are alike. */
static uint64_t counter_key(const struct wp_sample_data *data, uint64_t id, uint32_t tid)
{
	return data->per_thread ? id << 32 ^ id >> 32 ^ tid : id;
}

bool wp_group_reads_take(struct wp_group_reads *reads, const struct wp_record *sample, size_t i,
			 struct wp_record *ret)
{
	const struct wp_sample_data *data = sample->sample.data;
	const struct wp_data_reading *reading = &data->readings[i];
	uint64_t *last, moved;

	if (reading->event == WP_DATA_NO_EVENT) {
		reads->unknown++;
		return false;
	}
	last = wp_map_put(&reads->last, counter_key(data, reading->id, sample->tid));
	moved = reading->value - *last;
	*last = reading->value;
	if (!moved)
		return false;
	*ret = *sample;
	ret->sample.event = reading->event;
	ret->sample.period = moved;
	return true;
}

void wp_group_reads_deinit(struct wp_group_reads *reads)
{
	wp_map_deinit(&reads->last);
}
