/* SPDX-License-Identifier: BSD-3-Clause */
/* spe_packet: see spe_packet.h. Millions of packets a second: a table, and one load each. */
#include "format/spe/spe_packet.h"

#include <string.h>

#define EXTENDED 0xff /* of a shape: the second byte says the kind */

/* What a header's byte says. */
struct shape {
	uint8_t kind;
	uint8_t payload; /* bytes */
	uint8_t index;	 /* mask of the header's bits that are the index */
};

/* clang-format off */
#define SIZED(header, kind)                                       \
	[(header)] = {kind, 1, 0}, [(header) | 0x10] = {kind, 2, 0}, \
	[(header) | 0x20] = {kind, 4, 0}, [(header) | 0x30] = {kind, 8, 0}
/* clang-format on */

static const struct shape shapes[256] = {
	[0x00] = {WP_SPE_PADDING, 0, 0},
	[0x01] = {WP_SPE_END, 0, 0},
	[0x20 ... 0x23] = {EXTENDED, 0, 3},
	SIZED(0x42, WP_SPE_EVENTS),
	SIZED(0x43, WP_SPE_SOURCE),
	[0x48 ... 0x4b] = {WP_SPE_OPERATION, 1, 3},
	[0x64 ... 0x67] = {WP_SPE_CONTEXT, 4, 3},
	[0x71] = {WP_SPE_TIMESTAMP, 8, 0},
	[0x98 ... 0x9f] = {WP_SPE_COUNTER, 2, 7},
	[0xb0 ... 0xb7] = {WP_SPE_ADDRESS, 8, 7},
};

/* Its payload's n bytes of those that are `left`. */
static inline uint64_t load_payload(const uint8_t *bytes, size_t n, size_t left)
{
	uint64_t value = 0;

	if (left < sizeof(value)) {
		memcpy(&value, bytes, n);
		return value;
	}
	memcpy(&value, bytes, sizeof(value));
	return n == 8 ? value : value & ((UINT64_C(1) << 8 * n) - 1);
}

static size_t take_bad(struct wp_spe_packet *ret)
{
	*ret = (struct wp_spe_packet){.kind = WP_SPE_BAD, .size = 1};
	return 1;
}

/* Up to the next multiple of 2, 4, 8 or 16; at one, a whole of it. */
static size_t take_alignment(const uint8_t *bytes, size_t n, uint64_t offset,
			     struct wp_spe_packet *ret)
{
	uint64_t alignment = UINT64_C(2) << (bytes[0] & 3);
	size_t size = alignment - (offset & (alignment - 1));

	if (n < size)
		return 0;
	*ret = (struct wp_spe_packet){.kind = WP_SPE_PADDING, .size = (uint8_t)size};
	return size;
}

/* Two bytes of header: the first has the index's upper bits. */
static size_t take_extended(const uint8_t *bytes, size_t n, uint64_t offset,
			    struct wp_spe_packet *ret)
{
	const struct shape *shape;

	if (n < 2)
		return 0;
	if (!bytes[1])
		return take_alignment(bytes, n, offset, ret);
	shape = &shapes[bytes[1]];
	if (shape->kind != WP_SPE_ADDRESS && shape->kind != WP_SPE_COUNTER)
		return take_bad(ret);
	if (n - 2 < shape->payload)
		return 0;
	*ret = (struct wp_spe_packet){
		.kind = shape->kind,
		.size = (uint8_t)(2 + shape->payload),
		.index = (uint8_t)((bytes[0] & 3) << 3 | (bytes[1] & 7)),
		.payload = load_payload(bytes + 2, shape->payload, n - 2),
	};
	return ret->size;
}

size_t wp_spe_packet_read(const uint8_t *bytes, size_t n, uint64_t offset,
			  struct wp_spe_packet *ret)
{
	const struct shape *shape;

	if (!n)
		return 0;
	shape = &shapes[bytes[0]];
	if (shape->kind == EXTENDED)
		return take_extended(bytes, n, offset, ret);
	if (shape->kind == WP_SPE_BAD)
		return take_bad(ret);
	if (n - 1 < shape->payload)
		return 0;
	ret->kind = shape->kind;
	ret->size = (uint8_t)(1 + shape->payload);
	ret->index = bytes[0] & shape->index;
	ret->payload = shape->payload ? load_payload(bytes + 1, shape->payload, n - 1) : 0;
	return ret->size;
}
