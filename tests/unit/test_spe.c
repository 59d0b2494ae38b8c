/* SPDX-License-Identifier: BSD-3-Clause */
/* spe: packets, records in pieces, bad bytes, and what they say of memory. */
#include "core/data_src.h"
#include "format/spe/spe_source.h"
#include "format/spe/spe_text.h"

#include "check.h"

#define MIDR_N1	    0x414fd0c1
#define MIDR_AMPERE 0xc00fac30
#define MIDR_OTHER  0x410fd034

/* A load as a core writes it: 64 bytes, the third and fourth of them padding. */
static const uint8_t load[64] = {
	0x49, 0x00, 0x00, 0x00,					    /* a load of a register */
	0xb0, 0x78, 0x56, 0x34, 0x12, 0x00, 0x00, 0xff, 0xa0,	    /* of a kernel */
	0xb2, 0x00, 0x10, 0x00, 0x00, 0xff, 0x7f, 0x00, 0x5a,	    /* tagged */
	0x62, 0x36, 0x03, 0x00, 0x00,				    /* L1D, walk, LLC miss */
	0x43, 0x0e, 0x98, 0x34, 0x12, 0x99, 0x05, 0x00, 0x9a, 0x07, /* DRAM; counters */
	0x00, 0x65, 0x2a, 0x00, 0x00, 0x00,			    /* a context of EL2 */
	0x71, 0x15, 0xcd, 0x5b, 0x07, 0x00, 0x00, 0x00, 0x00,
};

static void check_load(const struct wp_spe_record *record)
{
	CHECK(record && !record->damaged);
	if (!record)
		return;
	CHECK_U64(wp_spe_code_address(record->address[WP_SPE_PC]), 0xffff000012345678);
	CHECK_U64(wp_spe_level(record->address[WP_SPE_PC]), 1);
	CHECK_U64(wp_spe_data_address(record->address[WP_SPE_VIRTUAL]), 0x7fff00001000);
	CHECK_U64(wp_spe_class(record), WP_SPE_LOAD_STORE);
	CHECK_U64(record->events, 0x336);
	CHECK_U64(record->source, 0xe);
	CHECK_U64(record->counter[WP_SPE_TOTAL], 0x1234);
	CHECK_U64(record->counter[WP_SPE_ISSUE], 5);
	CHECK_U64(record->counter[WP_SPE_TRANSLATION], 7);
	CHECK_U64(record->context, 42);
	CHECK_U64(record->timestamp, 123456789);
}

static void test_record(void)
{
	struct wp_spe_decoder decoder;

	wp_spe_decoder_init(&decoder, 128);
	wp_spe_decoder_feed(&decoder, load, sizeof(load));
	check_load(wp_spe_decoder_next(&decoder));
	CHECK_U64(decoder.record.offset, 128);
	CHECK(!wp_spe_decoder_next(&decoder));
	wp_spe_decoder_finish(&decoder);
	CHECK(decoder.records == 1 && !decoder.cut && !decoder.bad_bytes);
	CHECK_U64(decoder.offset, 128 + 64);
}

/* Two pieces, wherever the first one ends, are as one. */
static void test_pieces(void)
{
	const struct wp_spe_record *record;
	struct wp_spe_decoder decoder;

	for (size_t cut = 0; cut <= sizeof(load); cut++) {
		wp_spe_decoder_init(&decoder, 0);
		wp_spe_decoder_feed(&decoder, load, cut);
		record = wp_spe_decoder_next(&decoder);
		if (record) {
			check_load(record);
			CHECK(!wp_spe_decoder_next(&decoder));
		}
		wp_spe_decoder_feed(&decoder, load + cut, sizeof(load) - cut);
		if (!record)
			check_load(wp_spe_decoder_next(&decoder));
		CHECK(!wp_spe_decoder_next(&decoder));
		CHECK(decoder.records == 1 && !decoder.bad_bytes && !decoder.damaged);
	}
}

/* Wherever a buffer ends, there is no record that is not whole, and the next buffer's is. */
static void test_truncation(void)
{
	struct wp_spe_decoder decoder;

	for (size_t n = 0; n < 52; n++) {
		wp_spe_decoder_init(&decoder, 0);
		wp_spe_decoder_feed(&decoder, load, n);
		CHECK(!wp_spe_decoder_next(&decoder));
		wp_spe_decoder_finish(&decoder);
		CHECK_U64(decoder.cut, n != 0);
		wp_spe_decoder_feed(&decoder, load, sizeof(load));
		check_load(wp_spe_decoder_next(&decoder));
	}
}

static void test_bad_bytes(void)
{
	uint8_t bytes[4 * sizeof(load)];
	struct wp_spe_decoder decoder;

	for (int i = 0; i < 4; i++)
		memcpy(bytes + i * sizeof(load), load, sizeof(load));
	bytes[3] = 0xff;		/* in the first one */
	memset(bytes + 64 + 50, 0, 64); /* the end of the second, the head of the third */
	wp_spe_decoder_init(&decoder, 0);
	wp_spe_decoder_feed(&decoder, bytes, sizeof(bytes));
	CHECK(wp_spe_decoder_next(&decoder)->damaged);
	CHECK(!wp_spe_decoder_next(&decoder)->damaged);
	check_load(wp_spe_decoder_next(&decoder));
	CHECK(!wp_spe_decoder_next(&decoder));
	CHECK_U64(decoder.damaged, 1);
	CHECK_U64(decoder.bad_bytes, 1);
}

/* Without the end of the first: two operations in what looks like one. */
static void test_joined(void)
{
	uint8_t bytes[52 - 9 + sizeof(load)];
	struct wp_spe_decoder decoder;

	memcpy(bytes, load, 43);
	memcpy(bytes + 43, load, sizeof(load));
	wp_spe_decoder_init(&decoder, 0);
	wp_spe_decoder_feed(&decoder, bytes, sizeof(bytes));
	CHECK(wp_spe_decoder_next(&decoder)->damaged);
	CHECK(!wp_spe_decoder_next(&decoder));
}

static void test_headers(void)
{
	const uint8_t extended[] = {0x21, 0xb2, 1, 0, 0, 0, 0, 0, 0, 0};
	const uint8_t aligned[8] = {0x22, 0x00};
	struct wp_spe_packet packet;

	CHECK_U64(wp_spe_packet_read(extended, 10, 0, &packet), 10);
	CHECK(packet.kind == WP_SPE_ADDRESS && packet.index == 10 && packet.payload == 1);
	CHECK_U64(wp_spe_packet_read(extended, 9, 0, &packet), 0);
	CHECK_U64(wp_spe_packet_read(extended, 1, 0, &packet), 0);
	CHECK_U64(wp_spe_packet_read(aligned, 8, 16, &packet), 8);
	CHECK_U64(wp_spe_packet_read(aligned, 8, 19, &packet), 5);
	CHECK_U64(packet.kind, WP_SPE_PADDING);
	CHECK_U64(wp_spe_packet_read(aligned, 4, 19, &packet), 0);
	for (unsigned int header = 0; header < 256; header++) {
		uint8_t bytes[16] = {(uint8_t)header, 0xff};
		size_t size = wp_spe_packet_read(bytes, sizeof(bytes), 0, &packet);

		CHECK(size == packet.size && size >= 1 && size <= 9);
	}
}

static void test_text(void)
{
	struct wp_spe_packet packet = {.kind = WP_SPE_EVENTS, .payload = UINT64_MAX};
	char words[WP_SPE_TEXT_MAX];

	wp_spe_text(&packet, words);
	CHECK(strlen(words) < WP_SPE_TEXT_MAX - 64 && strstr(words, " SMCU"));
	packet = (struct wp_spe_packet){.kind = WP_SPE_OPERATION, .index = 1, .payload = 0x1f};
	wp_spe_text(&packet, words);
	CHECK_STR(words, "ST AT EXCL AR");
	CHECK_STR(wp_spe_text_event(2), "L1D-ACCESS");
	CHECK(!wp_spe_text_event(12) && !wp_spe_text_event(64));
}

static void test_source(void)
{
	struct wp_spe_record record = {
		.has = WP_SPE_HAS_OPERATION | WP_SPE_HAS_EVENTS | WP_SPE_HAS_SOURCE,
		.operation = WP_SPE_LOAD_STORE << 8,
		.events = 1 << WP_SPE_LLC_ACCESS | 1 << WP_SPE_TLB_ACCESS | 1 << WP_SPE_TLB_WALK,
		.source = 0xd,
	};
	const struct wp_spe_family *n1 = wp_spe_source_family(MIDR_N1);
	uint64_t src = wp_spe_source_data(&record, n1);

	CHECK(n1 && !wp_spe_source_family(MIDR_OTHER));
	CHECK(wp_spe_source_family(MIDR_AMPERE) && wp_spe_source_family(MIDR_AMPERE) != n1);
	CHECK_U64(wp_src_op(src), WP_OP_LOAD);
	CHECK_U64(wp_src_tlb(src), WP_TLB_WALKER | WP_TLB_MISS);
	CHECK_U64(wp_src_number(src), WP_NUMBER_NA);
	CHECK(src & WP_SRC_REMOTE);
	src = wp_spe_source_data(&record, NULL); /* what the events say */
	CHECK_U64(wp_src_level(src), WP_LEVEL_L3 | WP_LEVEL_HIT);
	record.operation |= 1;
	CHECK_U64(wp_src_op(wp_spe_source_data(&record, n1)), WP_OP_STORE);
	record.operation = WP_SPE_BRANCH << 8;
	CHECK_U64(wp_spe_source_data(&record, n1), 0);
}

int main(void)
{
	RUN(test_record);
	RUN(test_pieces);
	RUN(test_truncation);
	RUN(test_bad_bytes);
	RUN(test_joined);
	RUN(test_headers);
	RUN(test_text);
	RUN(test_source);
	return check_done();
}
