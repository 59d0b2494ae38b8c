/* SPDX-License-Identifier: BSD-3-Clause */
/* pinned_proof: see pinned_proof.h. */
#include "source/pinned/pinned_proof.h"

#include <stdlib.h>
#include <string.h>

void wp_pinned_proof_begin(struct wp_pinned_proof *proof)
{
	size_t n = 0, slots = 0;

	wp_arena_deinit(&proof->arena);
	wp_vec_each (struct wp_pinned_read, read, &proof->reads) {
		if (read->time_ns <= proof->settled_ns)
			continue;
		memmove(proof->slots.v + slots, proof->slots.v + read->slots,
			read->n * sizeof(*proof->slots.v));
		read->slots = slots;
		slots += read->n;
		proof->reads.v[n++] = *read;
	}
	proof->reads.n = n;
	proof->slots.n = slots;
}

void wp_pinned_proof_read(struct wp_pinned_proof *proof, const struct wp_pinned_read *read,
			  const struct wp_python_slot *slots)
{
	struct wp_pinned_read own = *read;

	own.slots = proof->slots.n;
	for (uint32_t i = 0; i < read->n; i++)
		wp_vec_push(&proof->slots, slots[i]);
	wp_vec_push(&proof->reads, own);
}

void wp_pinned_proof_arrival(struct wp_pinned_proof *proof, uint32_t tid, uint64_t time_ns)
{
	wp_vec_push(&proof->arrivals, (struct wp_pinned_arrival){tid, time_ns});
}

/* One span is kept: what lies between two doubts is doubted too, until all of it is settled. */
void wp_pinned_proof_doubt(struct wp_pinned_proof *proof, uint64_t from_ns, uint64_t to_ns)
{
	if (proof->doubt_to_ns <= proof->settled_ns)
		proof->doubt_from_ns = from_ns;
	proof->doubt_to_ns = to_ns;
}

uint64_t wp_pinned_proof_horizon(const struct wp_pinned_proof *proof, uint64_t horizon_ns)
{
	uint64_t ret = horizon_ns;

	wp_vec_each (struct wp_pinned_read, read, &proof->reads)
		if (read->time_ns <= ret && read->end_ns > horizon_ns)
			ret = read->time_ns - 1;
	return ret;
}

/* Nanoseconds differ by less than an hour among the samples that wait, ids have 22 bits. */
static uint64_t sample_key_of(uint32_t tid, uint64_t time_ns)
{
	return time_ns << 22 ^ tid;
}

static int compare_arrivals(const void *a, const void *b)
{
	const struct wp_pinned_arrival *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

void wp_pinned_proof_settle(struct wp_pinned_proof *proof)
{
	wp_map_deinit(&proof->by_sample);
	for (size_t i = 0; i < proof->reads.n; i++) {
		const struct wp_pinned_read *read = &proof->reads.v[i];

		*wp_map_put(&proof->by_sample, sample_key_of(read->tid, read->time_ns)) = i + 1;
	}
	if (proof->arrivals.n)
		qsort(proof->arrivals.v, proof->arrivals.n, sizeof(*proof->arrivals.v),
		      compare_arrivals);
}

static const struct wp_pinned_read *find_read(const struct wp_pinned_proof *proof,
					      const struct wp_record *sample)
{
	const uint64_t *index =
		wp_map_get(&proof->by_sample, sample_key_of(sample->tid, sample->time_ns));
	const struct wp_pinned_read *read = index ? &proof->reads.v[*index - 1] : NULL;

	if (!read || read->tid != sample->tid || read->time_ns != sample->time_ns)
		return NULL;
	return read;
}

/* True when the thread got onto a CPU after the first time and not after the second. */
static bool arrived(const struct wp_pinned_proof *proof, uint32_t tid, uint64_t after_ns,
		    uint64_t until_ns)
{
	struct wp_pinned_arrival key = {tid, after_ns};
	size_t low = 0, high = proof->arrivals.n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_arrivals(&proof->arrivals.v[middle], &key) <= 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low < proof->arrivals.n && proof->arrivals.v[low].tid == tid &&
	       proof->arrivals.v[low].time_ns <= until_ns;
}

/* How long after the sample the thread may have left the CPU. */
static uint64_t gap_of(const struct wp_pinned_read *read)
{
	bool was_awaited = read->wait_ns < read->time_ns && read->time_ns < read->woke_ns;

	return was_awaited ? WP_PINNED_REAL_TIME_GAP_NS : WP_PINNED_GAP_NS;
}

static bool proven(const struct wp_pinned_proof *proof, const struct wp_pinned_read *read,
		   struct wp_pinned_tally *tally)
{
	uint64_t *why = NULL;

	if (read->out_ns < read->time_ns || read->out_ns - read->time_ns >= gap_of(read) ||
	    read->begin_ns < read->out_ns)
		why = &tally->went_on;
	else if (read->time_ns <= proof->doubt_to_ns && read->end_ns >= proof->doubt_from_ns)
		why = &tally->in_doubt;
	else if (arrived(proof, read->tid, read->time_ns, read->end_ns))
		why = &tally->came_back;
	*(why ? &tally->late : &tally->proven) += 1;
	if (why)
		++*why;
	return !why;
}

static void mark_late(struct wp_python_slot *slots, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (slots[i].lasti == WP_PYTHON_THREAD)
			slots[i].id = (slots[i].id & ~0xff00u) |
				      WP_PYTHON_THREAD_ID(0u, (uint32_t)WP_PYTHON_LATE);
}

static void attach_slots(struct wp_pinned_proof *proof, struct wp_record *sample,
			 struct wp_python_slot *slots, size_t n)
{
	struct wp_stack_raw *raw = wp_arena_alloc(&proof->arena, sizeof(*raw));

	if (sample->sample.stack)
		*raw = *sample->sample.stack;
	raw->python = slots;
	raw->n_python = n;
	sample->sample.stack = raw;
}

static void attach_nothing(struct wp_pinned_proof *proof, struct wp_record *sample)
{
	struct wp_python_slot *slot = wp_arena_alloc(&proof->arena, sizeof(*slot));

	*slot = (struct wp_python_slot){.lasti = WP_PYTHON_THREAD};
	mark_late(slot, 1);
	attach_slots(proof, sample, slot, 1);
	proof->tally.missed++;
}

static bool is_outdated(const struct wp_pinned_proof *proof, const struct wp_pinned_read *read)
{
	const uint64_t *version = wp_map_get(&proof->outdated, read->pid);

	return version && read->version <= *version;
}

void wp_pinned_proof_sample(struct wp_pinned_proof *proof, struct wp_record *sample, bool known)
{
	const struct wp_pinned_read *read = find_read(proof, sample);

	if (!read && known)
		attach_nothing(proof, sample);
	if (!read)
		return;
	if (is_outdated(proof, read)) {
		proof->tally.obsolete++;
		return;
	}
	if (!proven(proof, read, &proof->tally))
		mark_late(proof->slots.v + read->slots, read->n);
	attach_slots(proof, sample, proof->slots.v + read->slots, read->n);
}

void wp_pinned_proof_exec(struct wp_pinned_proof *proof, uint32_t pid, uint64_t version)
{
	*wp_map_put(&proof->outdated, pid) = version;
}

void wp_pinned_proof_end(struct wp_pinned_proof *proof, uint64_t horizon_ns)
{
	size_t n = 0;

	wp_vec_each (struct wp_pinned_arrival, arrival, &proof->arrivals)
		if (arrival->time_ns > horizon_ns)
			proof->arrivals.v[n++] = *arrival;
	proof->arrivals.n = n;
	if (horizon_ns > proof->settled_ns)
		proof->settled_ns = horizon_ns;
}

void wp_pinned_proof_deinit(struct wp_pinned_proof *proof)
{
	wp_vec_deinit(&proof->reads);
	wp_vec_deinit(&proof->slots);
	wp_vec_deinit(&proof->arrivals);
	wp_map_deinit(&proof->by_sample);
	wp_map_deinit(&proof->outdated);
	wp_arena_deinit(&proof->arena);
}
