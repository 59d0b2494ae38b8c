/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spe_decoder: the records of an Arm SPE buffer, one after the other.
 *
 * Format stage, pure, without allocation. In: bytes, in pieces that may end anywhere. Out: records:
 * all packets up to an END or a TIMESTAMP, in whatever order they come. A byte that begins no
 * packet is skipped, and the record around it is damaged: bytes are missing, so that its packets
 * may be of two operations. The next record is whole again.
 */
#ifndef WP_SPE_DECODER_H
#define WP_SPE_DECODER_H

#include "format/spe/spe_packet.h"

#include <stdbool.h>

/* What of a record came: bits by wp_spe_address and wp_spe_counter, and the others. */
#define WP_SPE_HAS_ADDRESS(index) (1u << (index))
#define WP_SPE_HAS_COUNTER(index) (1u << (8 + (index)))
#define WP_SPE_HAS_EVENTS	  (1u << 16)
#define WP_SPE_HAS_SOURCE	  (1u << 17)
#define WP_SPE_HAS_CONTEXT	  (1u << 18)
#define WP_SPE_HAS_OPERATION	  (1u << 19)
#define WP_SPE_HAS_TIMESTAMP	  (1u << 20)

/* Where each packet's payload goes. */
enum wp_spe_slot {
	WP_SPE_SLOT_ADDRESS = 0,
	WP_SPE_SLOT_COUNTER = WP_SPE_ADDRESSES,
	WP_SPE_SLOT_EVENTS = WP_SPE_SLOT_COUNTER + WP_SPE_COUNTERS,
	WP_SPE_SLOT_SOURCE,
	WP_SPE_SLOT_CONTEXT,
	WP_SPE_SLOT_OPERATION,
	WP_SPE_SLOT_TIMESTAMP,
	WP_SPE_SLOT_NONE, /* nobody needs it */
	WP_SPE_SLOTS
};

/* What did not come has no meaning. */
struct wp_spe_record {
	uint32_t has;
	bool damaged;
	uint64_t offset; /* of its first byte in the buffer */
	union {
		struct {
			uint64_t address[WP_SPE_ADDRESSES]; /* as it came: wp_spe_code_address() */
			uint64_t counter[WP_SPE_COUNTERS];
			uint64_t events;
			uint64_t source;
			uint64_t context;   /* the last one of CONTEXTIDR_EL1 and _EL2 */
			uint64_t operation; /* the class (enum wp_spe_class) << 8 | the payload */
			uint64_t timestamp;
		};
		uint64_t slots[WP_SPE_SLOTS];
	};
};

static inline unsigned int wp_spe_class(const struct wp_spe_record *record)
{
	return record->operation >> 8 & 3;
}
static inline unsigned int wp_spe_op(const struct wp_spe_record *record)
{
	return record->operation & 0xff;
}

struct wp_spe_decoder {
	const uint8_t *at, *end;
	uint64_t offset; /* in the buffer, of the next packet */
	uint8_t carry[WP_SPE_PACKET_MAX];
	size_t n_carry; /* bytes of a packet that the last piece ended in */
	bool open;	/* some of the record came */
	struct wp_spe_record record;
	uint64_t records, damaged, bad_bytes, cut; /* how many so far */
};

/* Of a buffer whose first byte has this offset. */
void wp_spe_decoder_init(struct wp_spe_decoder *decoder, uint64_t offset);
/* The next piece, borrowed until `next` has returned NULL. */
void wp_spe_decoder_feed(struct wp_spe_decoder *decoder, const uint8_t *bytes, size_t n);
/* The next record, until the next call; NULL: the piece is used up. */
const struct wp_spe_record *wp_spe_decoder_next(struct wp_spe_decoder *decoder);
/* No more follows, or what follows is not connected: a record without an end is cut, and counted.
 */
void wp_spe_decoder_finish(struct wp_spe_decoder *decoder);

/* An address of code without its exception level, and with the upper byte that a kernel's has. */
uint64_t wp_spe_code_address(uint64_t payload);
/* Of data, without its tag. */
uint64_t wp_spe_data_address(uint64_t payload);
/* The exception level that an address of code was executed at: 0 to 3. */
static inline unsigned int wp_spe_level(uint64_t payload)
{
	return payload >> 61 & 3;
}

static inline bool wp_spe_is(const struct wp_spe_record *record, enum wp_spe_event event)
{
	return record->has & WP_SPE_HAS_EVENTS && record->events >> event & 1;
}

#endif
