/* SPDX-License-Identifier: BSD-3-Clause */
/* The proof that frames are of their sample's instant. */
#include "source/pinned/pinned_proof.h"

#include "check.h"

static const struct wp_python_slot frames[] = {
	{0x1000, WP_PYTHON_THREAD,
	 WP_PYTHON_THREAD_ID(0u, (uint32_t)WP_PYTHON_COMPLETE) | WP_PYTHON_GIL_KNOWN |
		 WP_PYTHON_GIL_HELD},
	{0x2000, 4, 99},
};

static struct wp_pinned_read read_of(uint64_t time_ns, uint64_t out_ns, uint64_t end_ns)
{
	return (struct wp_pinned_read){
		.pid = 10,
		.tid = 11,
		.time_ns = time_ns,
		.out_ns = out_ns,
		.begin_ns = out_ns + 1000,
		.end_ns = end_ns,
		.version = 3,
		.n = 2,
	};
}

/* How the frames of the sample at that time end; UINT32_MAX: it has none. */
static uint32_t end_of(struct wp_pinned_proof *proof, uint64_t time_ns, bool known)
{
	struct wp_record sample = {
		.kind = WP_RECORD_SAMPLE, .pid = 10, .tid = 11, .time_ns = time_ns};

	wp_pinned_proof_settle(proof);
	wp_pinned_proof_sample(proof, &sample, known);
	if (!sample.sample.stack || !sample.sample.stack->n_python)
		return UINT32_MAX;
	CHECK_U64((uint32_t)sample.sample.stack->python[0].lasti, (uint32_t)WP_PYTHON_THREAD);
	return WP_PYTHON_THREAD_END(sample.sample.stack->python[0].id);
}

static void test_proven(void)
{
	struct wp_pinned_proof proof = {0};
	struct wp_pinned_read read = read_of(1000000, 1005000, 1020000);
	struct wp_record sample = {
		.kind = WP_RECORD_SAMPLE, .pid = 10, .tid = 11, .time_ns = 1000000};

	wp_pinned_proof_begin(&proof);
	wp_pinned_proof_read(&proof, &read, frames);
	/* It was on a CPU before, and is again afterwards; others come and go. */
	wp_pinned_proof_arrival(&proof, 11, 990000);
	wp_pinned_proof_arrival(&proof, 12, 1010000);
	wp_pinned_proof_arrival(&proof, 11, 1020001);
	wp_pinned_proof_settle(&proof);
	wp_pinned_proof_sample(&proof, &sample, true);
	CHECK_U64(sample.sample.stack->n_python, 2);
	CHECK_U64(sample.sample.stack->python[0].id, frames[0].id);
	CHECK_U64(sample.sample.stack->python[1].addr, 0x2000);
	CHECK_U64(proof.tally.proven, 1);
	wp_pinned_proof_deinit(&proof);
}

static void check_late(const struct wp_pinned_read *read, uint64_t arrival_ns)
{
	struct wp_pinned_proof proof = {0};

	wp_pinned_proof_begin(&proof);
	wp_pinned_proof_read(&proof, read, frames);
	if (arrival_ns)
		wp_pinned_proof_arrival(&proof, 11, arrival_ns);
	CHECK_U64(end_of(&proof, 1000000, true), WP_PYTHON_LATE);
	CHECK_U64(proof.tally.late, 1);
	CHECK_U64(proof.tally.proven, 0);
	wp_pinned_proof_deinit(&proof);
}

static void test_late(void)
{
	struct wp_pinned_read good = read_of(1000000, 1005000, 1020000), bad;

	bad = read_of(1000000, 0, 1020000); /* it never left the CPU */
	check_late(&bad, 0);
	bad = read_of(1000000, 1000000 + WP_PINNED_GAP_NS, 1100000); /* it left too late */
	check_late(&bad, 0);
	bad = good;
	bad.begin_ns = 1004999; /* the read began before it left */
	check_late(&bad, 0);
	check_late(&good, 1005001); /* it came back, on whatever CPU, while it was read */
	check_late(&good, 1020000);
}

/* An interrupt may take long where a reader that goes first was waiting for it. */
static void test_awaited(void)
{
	struct wp_pinned_proof proof = {0};
	struct wp_pinned_read read = read_of(1000000, 1000000 + WP_PINNED_GAP_NS, 1100000);

	read.wait_ns = 999999;
	read.woke_ns = 1000001;
	wp_pinned_proof_begin(&proof);
	wp_pinned_proof_read(&proof, &read, frames);
	CHECK_U64(end_of(&proof, 1000000, true), WP_PYTHON_COMPLETE);
	wp_pinned_proof_deinit(&proof);
	check_late(&read, 1100000); /* it came back meanwhile */
	read.wait_ns = 1000000;	    /* it may not have waited yet */
	check_late(&read, 0);
	read.wait_ns = 990000;
	read.woke_ns = 1000000; /* something else had woken it */
	check_late(&read, 0);
	read = read_of(1000000, 1000000 + WP_PINNED_REAL_TIME_GAP_NS, 1900000);
	read.wait_ns = 999999;
	read.woke_ns = 1800000;
	check_late(&read, 0);
}

static void test_full_ring_is_no_proof(void)
{
	struct wp_pinned_proof proof = {0};
	struct wp_pinned_read read = read_of(1000000, 1005000, 1020000);

	wp_pinned_proof_read(&proof, &read, frames);
	wp_pinned_proof_doubt(&proof, 1010000, 1030000);
	CHECK_U64(end_of(&proof, 1000000, true), WP_PYTHON_LATE);
	wp_pinned_proof_end(&proof, 2000000);
	wp_pinned_proof_begin(&proof);
	/* What comes later is not doubted. */
	read = read_of(3000000, 3005000, 3020000);
	wp_pinned_proof_read(&proof, &read, frames);
	CHECK_U64(end_of(&proof, 3000000, true), WP_PYTHON_COMPLETE);
	wp_pinned_proof_deinit(&proof);
}

static void test_missed_and_unknown(void)
{
	struct wp_pinned_proof proof = {0};

	CHECK_U64(end_of(&proof, 1000000, true), WP_PYTHON_LATE);
	CHECK_U64(proof.tally.missed, 1);
	CHECK_U64(end_of(&proof, 1000000, false), UINT32_MAX);
	wp_pinned_proof_deinit(&proof);
}

static void test_exec_voids_older_plans(void)
{
	struct wp_pinned_proof proof = {0};
	struct wp_pinned_read before = read_of(1000000, 1005000, 1020000);
	struct wp_pinned_read after = read_of(2000000, 2005000, 2020000);
	struct wp_pinned_read again = read_of(3000000, 3005000, 3020000);

	again.version = 4;
	wp_pinned_proof_read(&proof, &before, frames);
	wp_pinned_proof_read(&proof, &after, frames);
	wp_pinned_proof_read(&proof, &again, frames);
	CHECK_U64(end_of(&proof, 1000000, true), WP_PYTHON_COMPLETE);
	wp_pinned_proof_exec(&proof, 10, 3);
	CHECK_U64(end_of(&proof, 2000000, true), UINT32_MAX);
	CHECK_U64(end_of(&proof, 3000000, true), WP_PYTHON_COMPLETE);
	CHECK_U64(proof.tally.obsolete, 1);
	wp_pinned_proof_deinit(&proof);
}

static void test_horizon_and_rounds(void)
{
	struct wp_pinned_proof proof = {0};
	struct wp_pinned_read first = read_of(1000, 1500, 1900), second = read_of(2000, 2500, 2900);

	wp_pinned_proof_begin(&proof);
	wp_pinned_proof_read(&proof, &first, frames);
	wp_pinned_proof_read(&proof, &second, frames);
	CHECK_U64(wp_pinned_proof_horizon(&proof, 5000), 5000);
	/* The second read had not ended: its sample waits. */
	CHECK_U64(wp_pinned_proof_horizon(&proof, 2600), 1999);
	CHECK_U64(wp_pinned_proof_horizon(&proof, 1950), 1950);
	wp_pinned_proof_arrival(&proof, 11, 1800);
	wp_pinned_proof_arrival(&proof, 11, 3000);
	CHECK_U64(end_of(&proof, 1000, true), WP_PYTHON_LATE);
	wp_pinned_proof_end(&proof, 1999);
	wp_pinned_proof_begin(&proof);
	CHECK_U64(proof.reads.n, 1);
	CHECK_U64(proof.slots.n, 2);
	CHECK_U64(proof.arrivals.n, 1);
	CHECK_U64(end_of(&proof, 2000, true), WP_PYTHON_COMPLETE);
	wp_pinned_proof_deinit(&proof);
}

int main(void)
{
	RUN(test_proven);
	RUN(test_late);
	RUN(test_awaited);
	RUN(test_full_ring_is_no_proof);
	RUN(test_missed_and_unknown);
	RUN(test_exec_voids_older_plans);
	RUN(test_horizon_and_rounds);
	return check_done();
}
