/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_spe: Arm SPE bytes, whole and in pieces: the same records, and every byte belongs to one
 * packet. */
#include "core/data_src.h"
#include "format/spe/spe_source.h"
#include "format/spe/spe_text.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool are_equal(const struct wp_spe_record *a, const struct wp_spe_record *b)
{
	if (a->has != b->has || a->damaged != b->damaged || a->offset != b->offset)
		return false;
	for (int i = 0; i < WP_SPE_ADDRESSES; i++)
		if (a->has & WP_SPE_HAS_ADDRESS(i) && a->address[i] != b->address[i])
			return false;
	return !(a->has & WP_SPE_HAS_EVENTS) || a->events == b->events;
}

static void check_record(const struct wp_spe_record *record)
{
	uint64_t src = wp_spe_source_data(record, wp_spe_source_family(0x414fd0c1));

	if (src && !(wp_src_op(src) & (WP_OP_LOAD | WP_OP_STORE)))
		abort();
}

/* The pieces' lengths follow from the bytes. */
static const struct wp_spe_record *next_of_pieces(struct wp_spe_decoder *decoder,
						  const uint8_t **at, const uint8_t *end)
{
	const struct wp_spe_record *record;
	size_t n;

	while (!(record = wp_spe_decoder_next(decoder))) {
		if (*at == end)
			return NULL;
		n = 1 + **at % 23;
		n = n < (size_t)(end - *at) ? n : (size_t)(end - *at);
		wp_spe_decoder_feed(decoder, *at, n);
		*at += n;
	}
	return record;
}

static void check_packets(const uint8_t *data, size_t size)
{
	char words[WP_SPE_TEXT_MAX];
	struct wp_spe_packet packet;
	size_t at = 0, n;

	while ((n = wp_spe_packet_read(data + at, size - at, at, &packet))) {
		wp_spe_text(&packet, words);
		if (n != packet.size || n > size - at || strlen(words) >= sizeof(words) - 64)
			abort();
		at += n;
	}
	if (size - at >= WP_SPE_PACKET_MAX)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct wp_spe_record *record, *again;
	struct wp_spe_decoder whole, pieces;
	const uint8_t *at = data;

	check_packets(data, size);
	wp_spe_decoder_init(&whole, 0);
	wp_spe_decoder_init(&pieces, 0);
	wp_spe_decoder_feed(&whole, data, size);
	wp_spe_decoder_feed(&pieces, data, 0);
	do {
		record = wp_spe_decoder_next(&whole);
		again = next_of_pieces(&pieces, &at, data + size);
		if (!record != !again || (record && !are_equal(record, again)))
			abort();
		if (record)
			check_record(record);
	} while (record);
	wp_spe_decoder_finish(&whole);
	wp_spe_decoder_finish(&pieces);
	if (whole.offset != size || pieces.offset != size || whole.bad_bytes != pieces.bad_bytes)
		abort();
	return 0;
}
