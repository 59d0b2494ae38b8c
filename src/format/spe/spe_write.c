/* SPDX-License-Identifier: BSD-3-Clause */
/* spe_write: see spe_write.h. */
#include "format/spe/spe_write.h"

#include "core/data_src.h"
#include "format/spe/spe_packet.h"

#define HEAD_END       0x01
#define HEAD_OPERATION 0x48 /* and the class */
#define HEAD_EVENTS    0x72 /* of eight bytes */
#define HEAD_COUNTER   0x98 /* and the index */
#define HEAD_ADDRESS   0xb0

#define ADDRESS_BITS ((UINT64_C(1) << 56) - 1)
#define NOT_SECURE   (UINT64_C(1) << 63)
#define COUNTER_MOST 0xffff

static void put_packet(struct wp_str *out, unsigned int head, uint64_t payload, size_t bytes)
{
	char packet[9] = {(char)head};

	for (size_t i = 0; i < bytes; i++)
		packet[1 + i] = (char)(payload >> 8 * i);
	wp_str_append(out, packet, 1 + bytes);
}

static uint64_t level_bits(enum wp_cpumode mode)
{
	uint64_t level = mode == WP_MODE_USER ? 0 : mode == WP_MODE_KERNEL ? 1 : 3;

	return level << 61 | NOT_SECURE;
}

static void put_packets_of(struct wp_str *out, const struct wp_sample_data *data)
{
	uint64_t op = data->has & WP_DATA_SRC ? data->src : 0;
	bool store = op & WP_SRC_OP(WP_OP_STORE), load = op & WP_SRC_OP(WP_OP_LOAD);

	put_packet(out, HEAD_OPERATION + (load || store ? WP_SPE_LOAD_STORE : WP_SPE_OTHER), store,
		   1);
	if (data->has & WP_DATA_OPERATION)
		put_packet(out, HEAD_EVENTS, data->operation.events, 8);
	if (data->has & WP_DATA_ADDR)
		put_packet(out, HEAD_ADDRESS + WP_SPE_VIRTUAL, data->addr & ADDRESS_BITS, 8);
	if (data->has & WP_DATA_WEIGHT)
		put_packet(out, HEAD_COUNTER + WP_SPE_TOTAL,
			   data->weight < COUNTER_MOST ? data->weight : COUNTER_MOST, 2);
}

void wp_spe_write_sample(struct wp_str *out, const struct wp_record *sample)
{
	put_packet(out, HEAD_ADDRESS + WP_SPE_PC,
		   (sample->sample.ip.v & ADDRESS_BITS) | level_bits(sample->sample.mode), 8);
	if (sample->sample.data)
		put_packets_of(out, sample->sample.data);
	put_packet(out, HEAD_END, 0, 0);
}
