/* SPDX-License-Identifier: BSD-3-Clause */
/* spe_decoder: see spe_decoder.h. */
#include "format/spe/spe_decoder.h"

#include <string.h>

#define ADDRESS_MASK ((UINT64_C(1) << 56) - 1)
#define UPPER_BYTE   (UINT64_C(0xff) << 56)
#define NON_SECURE   (UINT64_C(1) << 63)

void wp_spe_decoder_init(struct wp_spe_decoder *d, uint64_t offset)
{
	*d = (struct wp_spe_decoder){.offset = offset};
}

void wp_spe_decoder_feed(struct wp_spe_decoder *d, const uint8_t *bytes, size_t n)
{
	d->at = bytes;
	d->end = bytes + n;
}

/*
 * What to do with a packet by its header's byte, without a branch: the payload's bits and what is
 * added to them, where that goes, how far it is to the next one. Size 0: it is done slowly.
 */
struct step {
	uint64_t mask;
	uint32_t has;
	uint16_t extra;
	uint8_t slot, size;
};

#define ENDS (1u << 31) /* of a step's `has`: the record ends here */

/* clang-format off */
#define SIZED(header, slot, has)                   \
	[(header)] = {0xff, has, 0, slot, 2},          \
	[(header) | 0x10] = {0xffff, has, 0, slot, 3},     \
	[(header) | 0x20] = {UINT32_MAX, has, 0, slot, 5}, \
	[(header) | 0x30] = {UINT64_MAX, has, 0, slot, 9}
#define ADDRESS(i) \
	[0xb0 + (i)] = {UINT64_MAX, WP_SPE_HAS_ADDRESS(i), 0, WP_SPE_SLOT_ADDRESS + (i), 9}
#define COUNTER(i) \
	[0x98 + (i)] = {0xffff, WP_SPE_HAS_COUNTER(i), 0, WP_SPE_SLOT_COUNTER + (i), 3}
#define OPERATION(i) \
	[0x48 + (i)] = {0xff, WP_SPE_HAS_OPERATION, (i) << 8, WP_SPE_SLOT_OPERATION, 2}
/* clang-format on */

static const struct step steps[256] = {
	[0x01] = {0, ENDS, 0, WP_SPE_SLOT_NONE, 1},
	SIZED(0x42, WP_SPE_SLOT_EVENTS, WP_SPE_HAS_EVENTS),
	SIZED(0x43, WP_SPE_SLOT_SOURCE, WP_SPE_HAS_SOURCE),
	OPERATION(WP_SPE_OTHER),
	OPERATION(WP_SPE_LOAD_STORE),
	OPERATION(WP_SPE_BRANCH),
	OPERATION(3),
	[0x64 ... 0x65] = {UINT32_MAX, WP_SPE_HAS_CONTEXT, 0, WP_SPE_SLOT_CONTEXT, 5},
	[0x66 ... 0x67] = {0, 0, 0, WP_SPE_SLOT_NONE, 5},
	[0x71] = {UINT64_MAX, WP_SPE_HAS_TIMESTAMP | ENDS, 0, WP_SPE_SLOT_TIMESTAMP, 9},
	COUNTER(WP_SPE_TOTAL),
	COUNTER(WP_SPE_ISSUE),
	COUNTER(WP_SPE_TRANSLATION),
	[0x9b ... 0x9f] = {0, 0, 0, WP_SPE_SLOT_NONE, 3},
	ADDRESS(WP_SPE_PC),
	ADDRESS(WP_SPE_TARGET),
	ADDRESS(WP_SPE_VIRTUAL),
	ADDRESS(WP_SPE_PHYSICAL),
	ADDRESS(WP_SPE_PREVIOUS),
	[0xb5 ... 0xb7] = {0, 0, 0, WP_SPE_SLOT_NONE, 9},
};

/* A second PC is of another operation: the end of the first one is missing. */
static inline void put_spe_payload(struct wp_spe_record *record, const struct step *step,
				   uint64_t payload)
{
	record->slots[step->slot] = (payload & step->mask) | step->extra;
	record->damaged |= record->has & step->has & WP_SPE_HAS_ADDRESS(WP_SPE_PC);
	record->has |= step->has & ~ENDS;
}

/* Extended headers have no meaning yet but what short ones say too. */
static const struct step *step_of_extended(const struct wp_spe_packet *packet)
{
	unsigned int base = packet->kind == WP_SPE_ADDRESS ? 0xb0 : 0x98;

	return &steps[base + (packet->index < 8 ? packet->index : 7)];
}

/* True at the end of the record. */
static bool take_packet(struct wp_spe_decoder *d, uint8_t header,
			const struct wp_spe_packet *packet)
{
	const struct step *step = &steps[header];

	if (packet->kind == WP_SPE_PADDING)
		return false;
	if (packet->kind == WP_SPE_BAD) {
		d->record.damaged = true;
		d->bad_bytes++;
		return false;
	}
	if (!step->size)
		step = step_of_extended(packet);
	put_spe_payload(&d->record, step, packet->payload);
	return step->has & ENDS;
}

/* Of the carry and as much of the piece as a packet may have; 0: there is not enough. */
static size_t read_carried(struct wp_spe_decoder *d, struct wp_spe_packet *packet, uint8_t *header)
{
	size_t room = sizeof(d->carry) - d->n_carry, left = (size_t)(d->end - d->at);
	size_t more = left < room ? left : room, had = d->n_carry, size;

	if (more)
		memcpy(d->carry + had, d->at, more);
	*header = d->carry[0];
	size = wp_spe_packet_read(d->carry, had + more, d->offset, packet);
	if (!size) {
		d->at += more;
		d->n_carry += more;
	} else if (size < had) {
		memmove(d->carry, d->carry + size, had - size);
		d->n_carry -= size;
	} else {
		d->at += size - had;
		d->n_carry = 0;
	}
	return size;
}

static size_t read_next(struct wp_spe_decoder *d, struct wp_spe_packet *packet, uint8_t *header)
{
	size_t left = (size_t)(d->end - d->at), size;

	if (d->n_carry)
		return read_carried(d, packet, header);
	*header = left ? *d->at : 0;
	size = wp_spe_packet_read(d->at, left, d->offset, packet);
	if (!size && left) {
		memcpy(d->carry, d->at, left);
		d->n_carry = left;
		d->at = d->end;
	}
	if (size) /* nothing was fed yet: NULL */
		d->at += size;
	return size;
}

static inline void open_record(struct wp_spe_decoder *d, uint64_t offset)
{
	d->open = true;
	d->record.has = 0;
	d->record.damaged = false;
	d->record.offset = offset;
}

/* How many of the 8 bytes, of which the first is 0, are 0 up to the first one that is not. */
static inline size_t count_padding(const uint8_t *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return word ? (size_t)__builtin_ctzll(word) / 8 : sizeof(word);
}

/* While there are bytes enough for any packet, up to the record's end (true) or to what is done
 * slowly. */
static bool run_steps(struct wp_spe_decoder *d)
{
	const uint8_t *p = d->at, *begin = p;
	const struct step *step;
	uint64_t payload;
	bool ended = false;

	while (!ended && (size_t)(d->end - p) >= WP_SPE_PACKET_MAX) {
		if (!*p) {
			p += count_padding(p);
			continue;
		}
		step = &steps[*p];
		if (!step->size)
			break;
		if (!d->open)
			open_record(d, d->offset + (uint64_t)(p - begin));
		memcpy(&payload, p + 1, sizeof(payload));
		put_spe_payload(&d->record, step, payload);
		p += step->size;
		ended = step->has & ENDS;
	}
	d->offset += (uint64_t)(p - begin);
	d->at = p;
	return ended;
}

/* At the end of a piece, or where something rare begins. */
static bool step_slowly(struct wp_spe_decoder *d, bool *ret_ended)
{
	struct wp_spe_packet packet;
	uint8_t header;
	size_t size = read_next(d, &packet, &header);

	if (!size)
		return false;
	if (!d->open && packet.kind != WP_SPE_PADDING)
		open_record(d, d->offset);
	*ret_ended = take_packet(d, header, &packet);
	d->offset += size;
	return true;
}

const struct wp_spe_record *wp_spe_decoder_next(struct wp_spe_decoder *d)
{
	bool ended = false;

	while (!ended) {
		ended = !d->n_carry && run_steps(d);
		if (!ended && !step_slowly(d, &ended))
			return NULL;
	}
	d->open = false;
	d->records++;
	d->damaged += d->record.damaged;
	return &d->record;
}

void wp_spe_decoder_finish(struct wp_spe_decoder *d)
{
	d->bad_bytes += d->n_carry;
	d->cut += d->open || d->n_carry;
	d->offset += d->n_carry;
	d->n_carry = 0;
	d->open = false;
}

/* Bits 63:56 have the state in which it was executed; what stood there is of a kernel all ones. */
uint64_t wp_spe_code_address(uint64_t payload)
{
	unsigned int level = wp_spe_level(payload);
	uint64_t address = payload & ADDRESS_MASK;

	return payload & NON_SECURE && (level == 1 || level == 2) ? address | UPPER_BYTE : address;
}

uint64_t wp_spe_data_address(uint64_t payload)
{
	uint64_t address = payload & ADDRESS_MASK;

	return address >> 52 == 0xf ? address | UPPER_BYTE : address;
}
