/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spe_packet: one packet of the Arm Statistical Profiling Extension's buffer.
 *
 * Format stage, pure. In: bytes as the processor wrote them. A packet is a header of one byte (two,
 * if it begins with an extension of the index) and a payload of 0 to 8 bytes, little-endian; what
 * kind it is and how long says the header alone (Arm ARM, DDI 0487, part D, "Statistical Profiling
 * Extension sample record specification").
 */
#ifndef WP_SPE_PACKET_H
#define WP_SPE_PACKET_H

#include <stddef.h>
#include <stdint.h>

enum wp_spe_kind {
	WP_SPE_BAD,	  /* no packet begins with this byte; its size is 1 */
	WP_SPE_PADDING,	  /* also what fills up to an alignment */
	WP_SPE_END,	  /* of a record without a timestamp */
	WP_SPE_TIMESTAMP, /* of the generic timer; the end of a record */
	WP_SPE_EVENTS,
	WP_SPE_SOURCE,	/* where data came from: a number of the core's maker */
	WP_SPE_CONTEXT, /* index 0: CONTEXTIDR_EL1, 1: CONTEXTIDR_EL2 */
	WP_SPE_OPERATION,
	WP_SPE_ADDRESS,
	WP_SPE_COUNTER,
};

/* The index of an ADDRESS. */
enum wp_spe_address {
	WP_SPE_PC,
	WP_SPE_TARGET,	 /* of a branch that was taken */
	WP_SPE_VIRTUAL,	 /* of the data */
	WP_SPE_PHYSICAL, /* the same */
	WP_SPE_PREVIOUS, /* the target of the branch before */
	WP_SPE_ADDRESSES
};

/* The index of a COUNTER: cycles, which stop at the highest number that the core can count. */
enum wp_spe_counter {
	WP_SPE_TOTAL,	    /* from dispatch to completion */
	WP_SPE_ISSUE,	    /* from dispatch to issue */
	WP_SPE_TRANSLATION, /* of the data's address */
	WP_SPE_COUNTERS
};

/* The index of an OPERATION: its class. */
enum wp_spe_class { WP_SPE_OTHER, WP_SPE_LOAD_STORE, WP_SPE_BRANCH };

/* Bits of EVENTS; how many were recorded says the payload's size. */
enum wp_spe_event {
	WP_SPE_EXCEPTION = 0,
	WP_SPE_RETIRED = 1,
	WP_SPE_L1D_ACCESS = 2,
	WP_SPE_L1D_REFILL = 3,
	WP_SPE_TLB_ACCESS = 4,
	WP_SPE_TLB_WALK = 5,
	WP_SPE_NOT_TAKEN = 6,
	WP_SPE_MISPREDICTED = 7,
	WP_SPE_LLC_ACCESS = 8,
	WP_SPE_LLC_MISS = 9,
	WP_SPE_REMOTE = 10,
	WP_SPE_MISALIGNED = 11,
	WP_SPE_TRANSACTION = 16,
	WP_SPE_PARTIAL_PREDICATE = 17,
	WP_SPE_EMPTY_PREDICATE = 18,
	WP_SPE_L2D_ACCESS = 19,
	WP_SPE_L2D_MISS = 20,
	WP_SPE_MODIFIED = 21, /* data that another cache had changed */
	WP_SPE_RECENTLY_FETCHED = 22,
	WP_SPE_SNOOPED = 23,
	WP_SPE_STREAMING = 24, /* streaming SVE mode */
	WP_SPE_SMCU = 25,      /* done by the unit that cores share for SME */
	WP_SPE_EVENT_BITS = 64
};

/* The longest packet: two bytes of header, eight of payload; or padding up to an alignment. */
#define WP_SPE_PACKET_MAX 16

struct wp_spe_packet {
	enum wp_spe_kind kind;
	uint8_t size;  /* bytes, with its header */
	uint8_t index; /* of ADDRESS and COUNTER (0 to 31), CONTEXT and OPERATION (0 to 3) */
	uint64_t payload;
};

/*
 * Reads the packet at the beginning of n bytes, whose place in the buffer is `offset` (alignments
 * are relative to it). Returns its size; 0 when the bytes end before it does: *ret is then
 * untouched, and it never needs more than WP_SPE_PACKET_MAX.
 */
size_t wp_spe_packet_read(const uint8_t *bytes, size_t n, uint64_t offset,
			  struct wp_spe_packet *ret);

#endif
