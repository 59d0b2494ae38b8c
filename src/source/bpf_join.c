/* bpf_join: see bpf_join.h. */
#include "source/bpf_join.h"

#include <string.h>

/* Raw data begins 4 bytes behind a multiple of 8 (its size comes first): copies lie so that the
 * frames are aligned. */
#define ALIGN_FRAMES 4

static struct wp_bpf_join_ring *ring_of(struct wp_bpf_join *join, size_t ring)
{
	while (join->rings.n <= ring)
		wp_vec_push(&join->rings, (struct wp_bpf_join_ring){0});
	return &join->rings.v[ring];
}

/* A free place, or that of the oldest walk. */
static struct wp_bpf_waiting *place(struct wp_bpf_join_ring *ring)
{
	struct wp_bpf_waiting *oldest = &ring->waiting[0];

	for (size_t i = 0; i < WP_BPF_JOIN_WAITING; i++) {
		struct wp_bpf_waiting *waiting = &ring->waiting[i];

		if (!waiting->used)
			return waiting;
		if (waiting->order < oldest->order)
			oldest = waiting;
	}
	return oldest;
}

void wp_bpf_join_walk(struct wp_bpf_join *join, size_t ring, const void *bytes, size_t size)
{
	struct wp_bpf_waiting *waiting = place(ring_of(join, ring));

	if (waiting->cap < ALIGN_FRAMES + size) {
		waiting->bytes = wp_realloc(waiting->bytes, 1, ALIGN_FRAMES + size);
		waiting->cap = ALIGN_FRAMES + size;
	}
	memcpy(waiting->bytes + ALIGN_FRAMES, bytes, size);
	join->unused += waiting->used;
	waiting->used = wp_bpf_walk_parse(waiting->bytes + ALIGN_FRAMES, size, &waiting->walk);
	waiting->order = ++join->order;
	join->malformed += !waiting->used;
}

static bool is_for(const struct wp_bpf_join *join, const struct wp_bpf_walk *walk,
		   const struct wp_record *sample)
{
	const uint64_t *event;

	if (walk->tid != sample->tid)
		return false;
	if (!walk->sample_time_ns)
		return true;
	event = wp_map_get(join->event_of_id, walk->sample_id);
	return walk->sample_time_ns == sample->time_ns && event && *event == sample->sample.event;
}

/* The youngest walk that is for the sample. */
static struct wp_bpf_waiting *find(struct wp_bpf_join *join, struct wp_bpf_join_ring *ring,
				   const struct wp_record *sample)
{
	struct wp_bpf_waiting *found = NULL;

	for (size_t i = 0; i < WP_BPF_JOIN_WAITING; i++) {
		struct wp_bpf_waiting *waiting = &ring->waiting[i];

		if (waiting->used && is_for(join, &waiting->walk, sample) &&
		    (!found || found->order < waiting->order))
			found = waiting;
	}
	return found;
}

/* Walks that are older than one whose sample has come will not see theirs, unless it was
 * interrupted by that one's; then it names it. */
static void drop_older(struct wp_bpf_join *join, struct wp_bpf_join_ring *ring,
		       const struct wp_bpf_waiting *found)
{
	for (size_t i = 0; i < WP_BPF_JOIN_WAITING; i++) {
		struct wp_bpf_waiting *waiting = &ring->waiting[i];

		if (!waiting->used || waiting->order >= found->order ||
		    waiting->walk.sample_time_ns)
			continue;
		waiting->used = false;
		join->unused++;
	}
}

void wp_bpf_join_sample(struct wp_bpf_join *join, size_t ring, struct wp_record *sample)
{
	struct wp_bpf_join_ring *own = ring_of(join, ring);
	struct wp_bpf_waiting *found = find(join, own, sample);

	if (!found) {
		join->without++;
		return;
	}
	drop_older(join, own, found);
	found->used = false;
	join->joined++;
	join->raw = sample->sample.stack ? *sample->sample.stack : (struct wp_stack_raw){0};
	join->raw.walked = found->walk.frames;
	join->raw.n_walked = found->walk.n;
	join->raw.walked_end = found->walk.end;
	if (found->walk.dump_bytes) {
		join->raw.regs = &found->walk.regs;
		join->raw.dump = found->walk.dump;
		join->raw.dump_bytes = found->walk.dump_bytes;
	}
	sample->sample.stack = &join->raw;
}

void wp_bpf_join_deinit(struct wp_bpf_join *join)
{
	wp_vec_each (struct wp_bpf_join_ring, ring, &join->rings)
		for (size_t i = 0; i < WP_BPF_JOIN_WAITING; i++)
			free(ring->waiting[i].bytes);
	wp_vec_deinit(&join->rings);
}
