/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_join: see bpf_join.h. */
#include "source/bpf/bpf_join.h"

#include "walk/python_settle.h"

#include <string.h>

/* Raw data begins 4 bytes behind a multiple of 8 (its size comes first): copies lie so that the
 * frames are aligned. */
#define ALIGN_FRAMES 4

/* Longer than the frames of one piece take to be walked. */
#define PIECE_NS 5000000

static struct wp_bpf_join_ring *walks_ring_of(struct wp_bpf_join *join, size_t ring)
{
	while (join->rings.n <= ring)
		wp_vec_push(&join->rings, (struct wp_bpf_join_ring){0});
	return &join->rings.v[ring];
}

/* A free place, or that of the oldest walk. */
static struct wp_bpf_waiting *place_waiting_walk(struct wp_bpf_join_ring *ring)
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

static void add_slots(struct wp_bpf_waiting *waiting, const struct wp_bpf_walk *piece)
{
	for (size_t i = 0; i < piece->n_slots && waiting->slots.n < WP_PYTHON_SLOTS; i++)
		wp_vec_push(&waiting->slots, piece->slots[i]);
}

/* Makes it the walk of that record, if it is one. */
static void copy_walk(struct wp_bpf_join *join, struct wp_bpf_waiting *waiting, const void *bytes,
		      size_t size)
{
	if (waiting->cap < ALIGN_FRAMES + size) {
		waiting->bytes = wp_realloc(waiting->bytes, 1, ALIGN_FRAMES + size);
		waiting->cap = ALIGN_FRAMES + size;
	}
	memcpy(waiting->bytes + ALIGN_FRAMES, bytes, size);
	waiting->used = wp_bpf_walk_parse(waiting->bytes + ALIGN_FRAMES, size, &waiting->walk);
	waiting->order = ++join->order;
	join->malformed += !waiting->used;
	waiting->pieces = 1;
	waiting->more = waiting->used && waiting->walk.more;
	waiting->slots.n = 0;
	if (waiting->more)
		add_slots(waiting, &waiting->walk);
}

static void add_walk(struct wp_bpf_join *join, struct wp_bpf_join_ring *ring, const void *bytes,
		     size_t size)
{
	struct wp_bpf_waiting *waiting = place_waiting_walk(ring);

	join->unused += waiting->used;
	copy_walk(join, waiting, bytes, size);
}

/* A further piece of a walk; one whose predecessor was lost leads nowhere. */
static void join_walk_piece(struct wp_bpf_join *join, struct wp_bpf_join_ring *ring,
			    const struct wp_bpf_walk *piece)
{
	for (size_t i = 0; i < WP_BPF_JOIN_WAITING; i++) {
		struct wp_bpf_waiting *waiting = &ring->waiting[i];

		if (!waiting->used || !waiting->more || waiting->walk.tid != piece->tid ||
		    waiting->walk.serial != piece->serial || waiting->pieces != piece->piece)
			continue;
		add_slots(waiting, piece);
		waiting->pieces++;
		waiting->more = piece->more;
		waiting->walk.time_ns = piece->time_ns;
		waiting->walk.plans = piece->plans;
		memcpy(waiting->walk.threads, piece->threads, sizeof(piece->threads));
		return;
	}
	join->unused++;
}

void wp_bpf_join_walk(struct wp_bpf_join *join, size_t ring, const void *bytes, size_t size)
{
	struct wp_bpf_join_ring *own = walks_ring_of(join, ring);
	wp_autofree uint8_t *copy = NULL;
	struct wp_bpf_walk piece;

	if (wp_bpf_walk_kind(bytes, size) != WP_WALK_MORE) {
		add_walk(join, own, bytes, size);
		return;
	}
	/* Slots are aligned only in a copy. */
	copy = wp_realloc(NULL, 1, ALIGN_FRAMES + size);
	memcpy(copy + ALIGN_FRAMES, bytes, size);
	if (wp_bpf_walk_parse(copy + ALIGN_FRAMES, size, &piece))
		join_walk_piece(join, own, &piece);
	else
		join->malformed++;
}

/*
 * A walk that perf's ring had no room for to the end: the kernel puts a LOST record before the
 * sample, and stamps both anew (__perf_output_begin), a little later than the piece that was
 * written last. Walks in a ring of their own have no stamp but their sample's: one that was lost
 * there says nothing of the next record in perf's ring, and a sample behind LOST has no walk.
 */
static bool was_stamped_anew(const struct wp_bpf_waiting *waiting, const struct wp_record *sample)
{
	const struct wp_bpf_walk *walk = &waiting->walk;

	return waiting->more && walk->time_ns != walk->sample_time_ns &&
	       sample->time_ns > walk->time_ns && sample->time_ns - walk->time_ns < PIECE_NS;
}

static bool is_for(const struct wp_bpf_join *join, const struct wp_bpf_waiting *waiting,
		   const struct wp_record *sample)
{
	const struct wp_bpf_walk *walk = &waiting->walk;
	const uint64_t *event;

	if (walk->tid != sample->tid)
		return false;
	if (!walk->sample_time_ns)
		return true;
	event = wp_map_get(join->event_of_id, walk->sample_id);
	if (!event || *event != sample->sample.event)
		return false;
	return walk->sample_time_ns == sample->time_ns || was_stamped_anew(waiting, sample);
}

/* The youngest walk that is for the sample. */
static struct wp_bpf_waiting *find_waiting(struct wp_bpf_join *join, struct wp_bpf_join_ring *ring,
					   const struct wp_record *sample)
{
	struct wp_bpf_waiting *found = NULL;

	for (size_t i = 0; i < WP_BPF_JOIN_WAITING; i++) {
		struct wp_bpf_waiting *waiting = &ring->waiting[i];

		if (waiting->used && is_for(join, waiting, sample) &&
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

static uint32_t cut_flags(const struct wp_python_slot *thread)
{
	return WP_PYTHON_THREAD_ID(WP_PYTHON_THREAD_PLAN(thread->id), (uint32_t)WP_PYTHON_CUT);
}

/* How the last chain of each plan ends is told when all slots have come. */
static void finish_threads(struct wp_python_slot *slots, size_t n,
			   const struct wp_bpf_waiting *from)
{
	struct wp_python_slot *last = NULL;

	for (uint32_t plan = 0; plan < WP_PYTHON_PLANS; plan++)
		wp_python_settle(slots, n,
				 plan < from->walk.plans
					 ? from->walk.threads[plan]
					 : WP_PYTHON_THREAD_ID(plan, (uint32_t)WP_PYTHON_CUT));
	for (size_t i = 0; i < n; i++)
		if (slots[i].lasti == WP_PYTHON_THREAD)
			last = &slots[i];
	if (last && (from->more || n >= WP_PYTHON_SLOTS))
		last->id = cut_flags(last);
}

static void give_python(struct wp_bpf_join *join, struct wp_bpf_waiting *from)
{
	/* They lie in the waiting one's own copy of the record. */
	struct wp_python_slot *slots = (struct wp_python_slot *)from->walk.slots;
	size_t n = from->walk.n_slots;

	if (from->walk.more) {
		slots = from->slots.v;
		n = from->slots.n;
	}
	finish_threads(slots, n, from);
	join->cut += from->more;
	join->raw.python = n ? slots : NULL;
	join->raw.n_python = n;
}

static void give(struct wp_bpf_join *join, struct wp_bpf_waiting *found, struct wp_record *sample)
{
	found->used = false;
	join->joined++;
	join->raw = sample->sample.stack ? *sample->sample.stack : (struct wp_stack_raw){0};
	join->raw.walked = found->walk.frames;
	join->raw.n_walked = found->walk.n;
	join->raw.walked_end = found->walk.end;
	join->raw.call = found->walk.call;
	give_python(join, found);
	if (found->walk.dump_bytes) {
		join->raw.regs = &found->walk.regs;
		join->raw.dump = found->walk.dump;
		join->raw.dump_bytes = found->walk.dump_bytes;
	}
	sample->sample.stack = &join->raw;
}

void wp_bpf_join_sample(struct wp_bpf_join *join, size_t ring, struct wp_record *sample)
{
	struct wp_bpf_join_ring *own = walks_ring_of(join, ring);
	struct wp_bpf_waiting *found = find_waiting(join, own, sample);

	if (!found) {
		join->without++;
		return;
	}
	drop_older(join, own, found);
	give(join, found, sample);
}

void wp_bpf_join_whole(struct wp_bpf_join *join, const void *bytes, size_t size,
		       struct wp_record *sample)
{
	copy_walk(join, &join->whole, bytes, size);
	if (join->whole.used)
		give(join, &join->whole, sample);
}

static void deinit_waiting(struct wp_bpf_waiting *waiting)
{
	free(waiting->bytes);
	wp_vec_deinit(&waiting->slots);
}

void wp_bpf_join_deinit(struct wp_bpf_join *join)
{
	wp_vec_each (struct wp_bpf_join_ring, ring, &join->rings)
		for (size_t i = 0; i < WP_BPF_JOIN_WAITING; i++)
			deinit_waiting(&ring->waiting[i]);
	wp_vec_deinit(&join->rings);
	deinit_waiting(&join->whole);
}
