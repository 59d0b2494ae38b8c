/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_aux: see perf_aux.h. Comments show the layouts behind the 8-byte header. */
#include "format/perf/perf_aux.h"

#define HEADER_BYTES	 8
#define MISC_OUT	 (1u << 13)
#define CORE_MAGIC	 UINT64_C(0x1010101010101010)
#define VERSION_NEWEST	 2
#define HEADER_WORDS_MIN 3 /* up to the type, of all the header's words */
#define CORE_MIDR_MIN	 1 /* parameters of a core up to its MIDR */
#define CORE_WORDS_MAX	 64

/* type reserved, then words of 64 bits. Arm SPE of old: pmu_type per_cpu_mmaps; of new: version
 * n_header_words pmu_type n_cpus, then of each CPU: magic cpu n_words midr pmu_type ... */
bool wp_perf_aux_info_read(struct wp_bytes body, struct wp_perf_aux_info *ret)
{
	struct wp_perf_aux_info info = {.tracer = wp_bytes_u32(&body)};
	uint64_t first, words;

	wp_bytes_skip(&body, 4);
	if (body.failed)
		return false;
	if (info.tracer == WP_PERF_AUX_ARM_SPE) {
		first = wp_bytes_u64(&body);
		words = wp_bytes_u64(&body);
		info.pmu_type = first;
		if (!body.failed && body.size == 8 + 2 * 8) {
			*ret = info;
			return true;
		}
		info.pmu_type = wp_bytes_u64(&body);
		if (words < HEADER_WORDS_MIN || words > CORE_WORDS_MAX)
			return false;
		wp_bytes_skip(&body, 8 * (words - HEADER_WORDS_MIN));
		if (body.failed || first != VERSION_NEWEST)
			return false;
		info.cores = wp_bytes_of(body.data + body.pos, wp_bytes_left(&body));
	}
	*ret = info;
	return true;
}

bool wp_perf_aux_info_midr(const struct wp_perf_aux_info *info, uint32_t cpu, uint64_t *ret)
{
	struct wp_bytes b = info->cores;

	while (wp_bytes_left(&b) && wp_bytes_u64(&b) == CORE_MAGIC) {
		uint64_t number = wp_bytes_u64(&b), words = wp_bytes_u64(&b);
		uint64_t midr = wp_bytes_u64(&b);

		if (b.failed || words < CORE_MIDR_MIN || words > CORE_WORDS_MAX)
			return false;
		if (number == cpu) {
			*ret = midr;
			return true;
		}
		wp_bytes_skip(&b, 8 * (words - 1));
	}
	return false;
}

/* size offset reference index tid cpu reserved */
bool wp_perf_aux_chunk_read(struct wp_bytes body, struct wp_perf_aux_chunk *ret)
{
	struct wp_perf_aux_chunk chunk = {.size = wp_bytes_u64(&body)};

	chunk.offset = wp_bytes_u64(&body);
	wp_bytes_skip(&body, 8);
	chunk.index = wp_bytes_u32(&body);
	chunk.tid = wp_bytes_u32(&body);
	chunk.cpu = wp_bytes_u32(&body);
	if (body.failed)
		return false;
	*ret = chunk;
	return true;
}

/* offset size flags */
bool wp_perf_aux_read(struct wp_bytes body, struct wp_perf_aux *ret)
{
	struct wp_perf_aux aux = {.offset = wp_bytes_u64(&body)};

	aux.size = wp_bytes_u64(&body);
	aux.flags = wp_bytes_u64(&body);
	if (body.failed)
		return false;
	*ret = aux;
	return true;
}

/* ITRACE_START: pid tid; SWITCH: nothing; SWITCH_CPU_WIDE: pid tid of the other one */
bool wp_perf_aux_runs(const void *bytes, size_t size, struct wp_record *ids)
{
	struct wp_bytes b = wp_bytes_of(bytes, size);
	uint32_t type = wp_bytes_u32(&b);
	bool out = wp_bytes_u16(&b) & MISC_OUT;
	uint32_t pid, tid;

	wp_bytes_seek(&b, HEADER_BYTES);
	if (type == WP_PERF_SWITCH)
		return !out;
	if (type != WP_PERF_SWITCH_CPU_WIDE && type != WP_PERF_ITRACE_START)
		return false;
	pid = wp_bytes_u32(&b);
	tid = wp_bytes_u32(&b);
	if (b.failed)
		return false;
	if (type == WP_PERF_ITRACE_START || out) {
		ids->pid = pid;
		ids->tid = tid;
	}
	return true;
}

/* shift mult zero [cycles mask is_zero:8 is_short:8] */
bool wp_perf_aux_clock_read(struct wp_bytes body, struct wp_perf_aux_clock *ret)
{
	struct wp_perf_aux_clock clock = {.shift = wp_bytes_u64(&body)};

	clock.mult = wp_bytes_u64(&body);
	clock.zero = wp_bytes_u64(&body);
	if (body.failed || clock.shift >= 64)
		return false;
	clock.cycles = wp_bytes_u64(&body);
	clock.mask = wp_bytes_u64(&body);
	wp_bytes_skip(&body, 1);
	clock.is_short = wp_bytes_u8(&body);
	if (body.failed)
		clock.is_short = false;
	*ret = clock;
	return true;
}

uint64_t wp_perf_aux_clock_ns(const struct wp_perf_aux_clock *clock, uint64_t count)
{
	uint64_t whole, rest;

	if (clock->is_short)
		count = clock->cycles + ((count - clock->cycles) & clock->mask);
	whole = count >> clock->shift;
	rest = count & ((UINT64_C(1) << clock->shift) - 1);
	return clock->zero + whole * clock->mult + (rest * clock->mult >> clock->shift);
}
