/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spe_dump FILE: prints the packets of raw Arm SPE bytes as `perf report -D` does, a line each:
 * place, bytes, words. Padding goes on a line of up to 16 bytes.
 *
 * -r FILE: the records instead, a line each: has, offset, damaged, PC, data's address, events,
 * source. -t N FILE: decodes it N times; prints bytes a second of CPU time and how many records
 * there were.
 */
#include "base/file.h"
#include "format/spe/spe_decoder.h"
#include "format/spe/spe_text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void dump_packets(const uint8_t *bytes, size_t n)
{
	char words[WP_SPE_TEXT_MAX];
	struct wp_spe_packet packet;
	size_t at = 0, size;

	for (; at < n; at += size) {
		size = wp_spe_packet_read(bytes + at, n - at, at, &packet);
		if (!size) {
			packet.kind = WP_SPE_BAD;
			size = 1;
		}
		while (packet.kind == WP_SPE_PADDING && size < 16 && at + size < n &&
		       !bytes[at + size])
			size++;
		wp_spe_text(&packet, words);
		printf(".  %08zx: ", at);
		for (size_t i = 0; i < 16; i++)
			i < size ? printf(" %02x", bytes[at + i]) : printf("   ");
		printf(" %s\n", words);
	}
}

static void dump_records(const uint8_t *bytes, size_t n)
{
	const struct wp_spe_record *record;
	struct wp_spe_decoder decoder;

	wp_spe_decoder_init(&decoder, 0);
	wp_spe_decoder_feed(&decoder, bytes, n);
	while ((record = wp_spe_decoder_next(&decoder)))
		printf("%x %" PRIx64 " %d %" PRIx64 " %" PRIx64 " %" PRIx64 " %" PRIx64 "\n",
		       record->has, record->offset, record->damaged,
		       wp_spe_code_address(record->address[WP_SPE_PC]),
		       wp_spe_data_address(record->address[WP_SPE_VIRTUAL]), record->events,
		       record->source);
}

static void time_decoder(const uint8_t *bytes, size_t n, unsigned long times)
{
	uint64_t sum = 0, records = 0;
	clock_t begin = clock(), took;
	const struct wp_spe_record *record;
	struct wp_spe_decoder decoder;

	for (unsigned long i = 0; i < times; i++) {
		wp_spe_decoder_init(&decoder, 0);
		wp_spe_decoder_feed(&decoder, bytes, n);
		while ((record = wp_spe_decoder_next(&decoder)))
			sum += record->events ^ record->address[WP_SPE_PC];
		records += decoder.records;
	}
	took = clock() - begin;
	printf("%.0f MB/s %" PRIu64 " records (%" PRIx64 ")\n",
	       (double)n * (double)times / 1e6 / ((double)took / CLOCKS_PER_SEC), records / times,
	       sum);
}

int main(int argc, char **argv)
{
	wp_autofree char *data = NULL;
	wp_autoerr struct wp_err *err = NULL;
	size_t size;

	if (argc < 2)
		return 2;
	err = wp_file_read(argv[argc - 1], SIZE_MAX / 2, &data, &size);
	if (err) {
		fprintf(stderr, "%s\n", err->text);
		return 1;
	}
	if (argc == 4 && strcmp(argv[1], "-t") == 0)
		time_decoder((const uint8_t *)data, size, strtoul(argv[2], NULL, 10));
	else if (argc == 3 && strcmp(argv[1], "-r") == 0)
		dump_records((const uint8_t *)data, size);
	else
		dump_packets((const uint8_t *)data, size);
	return 0;
}
