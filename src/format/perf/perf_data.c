/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_data: see perf_data.h. Comments show the kernel's layout. */
#include "format/perf/perf_data.h"

#include <string.h>

static uint64_t take_u64(const struct wp_perf_data_shape *shape, uint64_t part, struct wp_bytes *b)
{
	return shape->sample_type & part ? wp_bytes_u64(b) : 0;
}

/* A part of 8 bytes, which the sample then has. */
static uint64_t take_sample_part(const struct wp_perf_data_shape *shape, uint64_t part,
				 struct wp_bytes *b, enum wp_data_part has,
				 struct wp_sample_data *ret)
{
	if (shape->sample_type & part)
		ret->has |= has;
	return take_u64(shape, part, b);
}

/* [identifier] [ip] [pid tid] [time] [addr] [id] [stream_id] [cpu res] [period] */
static void read_sample_head(const struct wp_perf_data_shape *shape, struct wp_bytes *b,
			     struct wp_sample_data *ret, uint64_t *ret_id)
{
	uint64_t id, identifier = take_u64(shape, WP_PERF_SAMPLE_IDENTIFIER, b);

	take_u64(shape, WP_PERF_SAMPLE_IP, b);
	take_u64(shape, WP_PERF_SAMPLE_TID, b);
	take_u64(shape, WP_PERF_SAMPLE_TIME, b);
	ret->addr = take_sample_part(shape, WP_PERF_SAMPLE_ADDR, b, WP_DATA_ADDR, ret);
	id = take_u64(shape, WP_PERF_SAMPLE_ID, b);
	take_u64(shape, WP_PERF_SAMPLE_STREAM_ID, b);
	take_u64(shape, WP_PERF_SAMPLE_CPU, b);
	take_u64(shape, WP_PERF_SAMPLE_PERIOD, b);
	*ret_id = shape->sample_type & WP_PERF_SAMPLE_IDENTIFIER ? identifier : id;
}

static struct wp_data_reading make_reading(const struct wp_perf_data_shape *shape, uint64_t id,
					   uint64_t value)
{
	const uint64_t *event = wp_map_get(shape->event_of_id, id);

	return (struct wp_data_reading){id, event ? (uint32_t)*event : WP_DATA_NO_EVENT, value};
}

/*
 * value [enabled] [running] [id] [lost], or nr [enabled] [running] { value [id] [lost] }; own_id is
 * the sample's. Members that do not say their id are nobody's.
 */
static void read_reading(const struct wp_perf_data_shape *shape, struct wp_bytes *b,
			 uint64_t own_id, struct wp_perf_data *ret)
{
	uint64_t format = shape->read_format;
	const uint64_t times = format & (WP_PERF_READ_ENABLED | WP_PERF_READ_RUNNING);
	bool group = format & WP_PERF_READ_GROUP;
	uint64_t n = group ? wp_bytes_u64(b) : 1;
	uint64_t value = group ? 0 : wp_bytes_u64(b);

	wp_bytes_skip(b, 8 * (uint64_t)__builtin_popcountll(times));
	if (n > WP_PERF_READINGS_MAX)
		b->failed = true;
	for (uint64_t i = 0; !b->failed && i < n; i++) {
		uint64_t id = own_id;

		if (group)
			value = wp_bytes_u64(b);
		if (format & WP_PERF_READ_ID)
			id = wp_bytes_u64(b);
		if (format & WP_PERF_READ_LOST)
			wp_bytes_skip(b, 8);
		ret->readings[i] = make_reading(shape, id, value);
	}
	if (group && !(format & WP_PERF_READ_ID))
		return;
	ret->data.has |= WP_DATA_READING;
	ret->data.readings = ret->readings;
	ret->data.n_readings = (size_t)n;
	ret->data.per_thread = shape->inherit;
}

/* nr ips[nr] */
void wp_perf_chain_skip(struct wp_bytes *b)
{
	uint64_t n = wp_bytes_u64(b);

	wp_bytes_skip(b, n <= wp_bytes_left(b) / 8 ? 8 * n : UINT64_MAX);
}

/* nr [hw_idx] {from to flags}[nr] [counters[nr]] */
static void read_branches(const struct wp_perf_data_shape *shape, struct wp_bytes *b,
			  struct wp_perf_data *ret)
{
	uint64_t n = wp_bytes_u64(b);
	const uint8_t *bytes;

	if (shape->branch_type & WP_PERF_BRANCH_HW_INDEX)
		wp_bytes_skip(b, 8);
	if (n > WP_PERF_BRANCHES_MAX) {
		b->failed = true;
		return;
	}
	bytes = wp_bytes_take(b, n * sizeof(struct wp_branch));
	if (shape->branch_type & WP_PERF_BRANCH_COUNTERS)
		wp_bytes_skip(b, 8 * n);
	if (!bytes || b->failed)
		return;
	memcpy(ret->branches, bytes, (size_t)n * sizeof(struct wp_branch));
	ret->data.has |= WP_DATA_BRANCHES;
	ret->data.branches = ret->branches;
	ret->data.n_branches = (size_t)n;
}

/* abi, and when it is not 0: regs[weight(mask)] */
static void read_data_regs(uint64_t mask, struct wp_bytes *b, uint64_t values[64],
			   struct wp_data_regs *ret)
{
	int n = __builtin_popcountll(mask);

	ret->abi = wp_bytes_u64(b);
	ret->mask = mask;
	for (int i = 0; ret->abi && i < n; i++)
		values[i] = wp_bytes_u64(b);
	ret->values = ret->abi ? values : NULL;
}

/* size, and when it is not 0: data[size], how much of it is filled */
static void skip_dump(struct wp_bytes *b)
{
	uint64_t size = wp_bytes_u64(b);

	if (!size)
		return;
	wp_bytes_skip(b, size);
	wp_bytes_skip(b, 8);
}

/* 64 bits, or the struct: var1 of 32 bits, var2 and var3 of 16 */
static void read_sample_weight(const struct wp_perf_data_shape *shape, struct wp_bytes *b,
			       struct wp_sample_data *ret)
{
	if (!(shape->sample_type & (WP_PERF_SAMPLE_WEIGHT | WP_PERF_SAMPLE_WEIGHT_STRUCT)))
		return;
	ret->has |= WP_DATA_WEIGHT;
	ret->weight = wp_bytes_u64(b);
	if (!(shape->sample_type & WP_PERF_SAMPLE_WEIGHT_STRUCT))
		return;
	ret->has |= WP_DATA_LATENCY;
	ret->latency = ret->weight >> 32 & 0xffff;
	ret->stage = (uint16_t)(ret->weight >> 48);
	ret->weight &= UINT32_MAX;
}

static void read_stack_parts(const struct wp_perf_data_shape *shape, struct wp_bytes *b,
			     struct wp_perf_data *ret)
{
	uint64_t has = shape->sample_type;

	if (has & WP_PERF_SAMPLE_CALLCHAIN)
		wp_perf_chain_skip(b);
	if (has & WP_PERF_SAMPLE_RAW)
		wp_bytes_skip(b, wp_bytes_u32(b));
	if (has & WP_PERF_SAMPLE_BRANCH_STACK)
		read_branches(shape, b, ret);
	if (has & WP_PERF_SAMPLE_REGS_USER) {
		read_data_regs(shape->regs_user, b, ret->user, &ret->data.user_regs);
		ret->data.has |= WP_DATA_USER_REGS;
	}
	if (has & WP_PERF_SAMPLE_STACK_USER)
		skip_dump(b);
}

bool wp_perf_data_read(const struct wp_perf_data_shape *shape, struct wp_bytes b,
		       struct wp_perf_data *ret)
{
	struct wp_sample_data *data = &ret->data;
	uint64_t id;

	*data = (struct wp_sample_data){0};
	read_sample_head(shape, &b, data, &id);
	if (shape->sample_type & WP_PERF_SAMPLE_READ)
		read_reading(shape, &b, id, ret);
	if (b.failed)
		return false;
	read_stack_parts(shape, &b, ret);
	read_sample_weight(shape, &b, data);
	data->src = take_sample_part(shape, WP_PERF_SAMPLE_DATA_SRC, &b, WP_DATA_SRC, data);
	take_u64(shape, WP_PERF_SAMPLE_TRANSACTION, &b);
	if (shape->sample_type & WP_PERF_SAMPLE_REGS_INTR) {
		read_data_regs(shape->regs_intr, &b, ret->intr, &data->intr_regs);
		data->has |= WP_DATA_INTR_REGS;
	}
	data->phys_addr =
		take_sample_part(shape, WP_PERF_SAMPLE_PHYS_ADDR, &b, WP_DATA_PHYS_ADDR, data);
	data->cgroup = take_sample_part(shape, WP_PERF_SAMPLE_CGROUP, &b, WP_DATA_CGROUP, data);
	data->data_page_bytes =
		take_sample_part(shape, WP_PERF_SAMPLE_DATA_PAGE_SIZE, &b, WP_DATA_PAGE, data);
	data->code_page_bytes =
		take_sample_part(shape, WP_PERF_SAMPLE_CODE_PAGE_SIZE, &b, WP_DATA_CODE_PAGE, data);
	return !b.failed;
}

uint64_t wp_perf_data_bits(uint32_t parts)
{
	static const struct {
		uint32_t part;
		uint64_t bit;
	} bits[] = {
		{WP_DATA_ADDR, WP_PERF_SAMPLE_ADDR},
		{WP_DATA_SRC, WP_PERF_SAMPLE_DATA_SRC},
		{WP_DATA_PHYS_ADDR, WP_PERF_SAMPLE_PHYS_ADDR},
		{WP_DATA_CGROUP, WP_PERF_SAMPLE_CGROUP},
		{WP_DATA_CODE_PAGE, WP_PERF_SAMPLE_CODE_PAGE_SIZE},
		{WP_DATA_PAGE, WP_PERF_SAMPLE_DATA_PAGE_SIZE},
	};
	uint64_t ret = 0;

	for (size_t i = 0; i < WP_ARRAY_LEN(bits); i++)
		ret |= parts & bits[i].part ? bits[i].bit : 0;
	if (parts & WP_DATA_WEIGHT)
		ret |= parts & WP_DATA_LATENCY ? WP_PERF_SAMPLE_WEIGHT_STRUCT
					       : WP_PERF_SAMPLE_WEIGHT;
	return ret;
}

uint64_t wp_perf_data_sized(uint32_t parts)
{
	return (parts & WP_DATA_BRANCHES ? WP_PERF_SAMPLE_BRANCH_STACK : 0) |
	       (parts & WP_DATA_USER_REGS ? WP_PERF_SAMPLE_REGS_USER : 0) |
	       (parts & WP_DATA_INTR_REGS ? WP_PERF_SAMPLE_REGS_INTR : 0);
}
