/* SPDX-License-Identifier: BSD-3-Clause */
/* group_reads: members of a group count what they moved since the group was read before. */
#include "core/group_reads.h"

#include "check.h"

static struct wp_data_reading readings[3];
static struct wp_sample_data data = {.has = WP_DATA_READING, .readings = readings, .n_readings = 3};
static struct wp_record sample = {
	.kind = WP_RECORD_SAMPLE, .tid = 8, .sample = {.event = 9, .period = 1, .data = &data}};

/* Three counters, of events 0 and 1 and of none, as they stand. */
static void stand(uint64_t id, uint64_t a, uint64_t b)
{
	readings[0] = (struct wp_data_reading){id, 0, a};
	readings[1] = (struct wp_data_reading){id + 1, 1, b};
	readings[2] = (struct wp_data_reading){id + 2, WP_DATA_NO_EVENT, 5};
}

/* What a member's period is; 0: it has no sample. */
static uint64_t moved(struct wp_group_reads *reads, size_t i)
{
	struct wp_record member;

	if (!wp_group_reads_take(reads, &sample, i, &member))
		return 0;
	CHECK_U64(member.sample.event, i);
	CHECK_U64(member.tid, sample.tid);
	return member.sample.period;
}

static void test_differences(void)
{
	struct wp_group_reads reads = {0};

	stand(10, 100, 7);
	CHECK_U64(moved(&reads, 0), 100);
	CHECK_U64(moved(&reads, 1), 7);
	CHECK_U64(moved(&reads, 2), 0);
	CHECK_U64(reads.unknown, 1);
	stand(10, 150, 7);
	CHECK_U64(moved(&reads, 0), 50);
	CHECK_U64(moved(&reads, 1), 0);
	stand(20, 30, 1); /* the same events on another CPU */
	CHECK_U64(moved(&reads, 0), 30);
	wp_group_reads_deinit(&reads);
}

/* Threads share the id of an event that they inherited. */
static void test_threads(void)
{
	struct wp_group_reads reads = {0};

	data.per_thread = true;
	stand(10, 100, 7);
	CHECK_U64(moved(&reads, 0), 100);
	sample.tid = 9;
	CHECK_U64(moved(&reads, 0), 100);
	stand(10, 130, 7);
	CHECK_U64(moved(&reads, 0), 30);
	wp_group_reads_deinit(&reads);
}

int main(void)
{
	RUN(test_differences);
	RUN(test_threads);
	return check_done();
}
