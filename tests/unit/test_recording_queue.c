/* SPDX-License-Identifier: BSD-3-Clause */
/* Records in order of time however the rings were read; notes and bytes are those that were added.
 */
#include "recording/recording_queue.h"

#include "check.h"

#define RECORDS 20000
#define LARGE	60000

static struct wp_recording_queue queue;

static void add(uint64_t time_ns, uint64_t payload)
{
	wp_recording_queue_add(&queue, time_ns, (const uint8_t *)&payload, sizeof(payload), NULL);
}

static uint64_t payload_of(const struct wp_recording_entry *entry)
{
	uint64_t ret;

	memcpy(&ret, entry->bytes, sizeof(ret));
	return ret;
}

/* Its bytes are read before another one is added. */
static const struct wp_recording_entry *next(void)
{
	const struct wp_recording_entry *entry = wp_recording_queue_take(&queue);

	if (entry)
		wp_recording_queue_give_back(&queue, entry->block);
	return entry;
}

static void test_runs(void)
{
	static const uint64_t times[] = {10, 20, 30, 5, 20, 35, 1, 40, 41, 2};
	static const uint64_t order[] = {6, 9, 3, 0, 1, 4, 2, 5, 7, 8}; /* equal times as added */

	for (uint64_t i = 0; i < WP_ARRAY_LEN(times); i++)
		add(times[i], i);
	wp_recording_queue_release(&queue, 35);
	for (size_t i = 0; i < 8; i++)
		CHECK_U64(payload_of(next()), order[i]);
	CHECK(!next());
	wp_recording_queue_release(&queue, UINT64_MAX);
	for (size_t i = 8; i < 10; i++)
		CHECK_U64(payload_of(next()), order[i]);
	CHECK(!next() && queue.late == 0);
	add(3, 0);
	wp_recording_queue_release(&queue, UINT64_MAX);
	CHECK(next() && !next() && queue.late == 1);
	wp_recording_queue_deinit(&queue);
}

/* Several rings and rounds against the rule: everything up to the horizon, sorted. */
static void test_rounds(void)
{
	uint64_t seed = 1, last = 0, taken = 0, sum = 0, want = 0;

	for (uint64_t i = 0; i < RECORDS; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		add(i / 100 * 1000 + (seed >> 33) % 1000, i);
		want += i;
		if (i % 1000 != 999)
			continue;
		wp_recording_queue_release(&queue, i + 1 == RECORDS ? UINT64_MAX : i / 100 * 1000);
		for (const struct wp_recording_entry *entry; (entry = next()); taken++) {
			CHECK(entry->time_ns >= last);
			last = entry->time_ns;
			sum += payload_of(entry);
		}
	}
	CHECK_U64(taken, RECORDS);
	CHECK_U64(sum, want);
	CHECK_U64(queue.late, 0);
	wp_recording_queue_deinit(&queue);
}

/* Blocks are used again, and what is larger than a block has one of its own. */
static void test_notes(void)
{
	static uint64_t frames[LARGE];
	struct wp_stack_note note = {.end = 3, .frames = frames, .n_frames = LARGE};

	for (uint64_t i = 0; i < LARGE; i++)
		frames[i] = i * i;
	for (uint64_t round = 0; round < 3; round++) {
		add(round, 7);
		wp_recording_queue_add(&queue, round, (const uint8_t *)"12345678", 8, &note);
		note.rest = frames;
		note.n_rest = 5;
		wp_recording_queue_release(&queue, round);
		CHECK(payload_of(next()) == 7 && queue.entries.v[0].note == NULL);
		const struct wp_stack_note *own = next()->note;
		CHECK(own && own != &note && own->end == 3 && own->n_frames == LARGE);
		CHECK(memcmp(own->frames, frames, sizeof(frames)) == 0 && own->frames != frames);
		CHECK_U64(own->n_rest, round ? 5 : 0);
		CHECK(!round || own->rest[4] == 16);
	}
	add(9, 9); /* freed without being given out */
	wp_recording_queue_deinit(&queue);
}

int main(void)
{
	RUN(test_runs);
	RUN(test_rounds);
	RUN(test_notes);
	return check_done();
}
