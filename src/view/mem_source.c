/* SPDX-License-Identifier: BSD-3-Clause */
/* mem_source: see mem_source.h. */
#include "view/mem_source.h"

#include "base/mem.h"

#include <stdbool.h>

/* First bit and width of each part. */
enum part {
	OP = 0,
	LEVEL = 5,
	SNOOP = 19,
	LOCK = 24,
	TLB = 26,
	LEVEL_NUMBER = 33,
	REMOTE = 37,
	SNOOP_MORE = 38,
	BLOCKED = 40,
	HOPS = 43,
};

#define NA   1u
#define HIT  2u
#define MISS 4u

static const char *const levels[14] = {
	"N/A",
	"HIT",
	"MISS",
	"L1",
	"LFB",
	"L2",
	"L3",
	"Local RAM",
	"Remote RAM (1 hop)",
	"Remote RAM (2 hops)",
	"Remote Cache (1 hop)",
	"Remote Cache (2 hops)",
	"I/O",
	"Uncached",
};
static const char *const level_numbers[16] = {
	[0x9] = "CXL", [0xa] = "I/O",  [0xb] = "Any cache", [0xc] = "LFB",
	[0xd] = "RAM", [0xe] = "PMEM", [0xf] = "N/A",
};
static const char *const hops[8] = {
	"N/A", "core, same node", "node, same socket", "socket, same board", "board", "", "", "",
};
static const char *const snoops[5] = {"N/A", "None", "Hit", "Miss", "HitM"};
static const char *const more_snoops[2] = {"Fwd", "Peer"};
static const char *const tlbs[7] = {"N/A", "HIT", "MISS", "L1", "L2", "Walker", "Fault"};

static unsigned int source_part_of(uint64_t source, enum part first, unsigned int width)
{
	return (unsigned int)(source >> first & ((1u << width) - 1));
}

static void put_word(struct wp_writer *out, const char *word, bool *any)
{
	wp_writer_printf(out, "%s%s", *any ? " or " : "", word);
	*any = true;
}

static void put_bits(unsigned int bits, const char *const *words, size_t n, struct wp_writer *out,
		     bool *any)
{
	for (size_t i = 0; i < n; i++)
		if (bits >> i & 1)
			put_word(out, words[i], any);
}

static void put_end(unsigned int bits, bool any, struct wp_writer *out)
{
	if (!any)
		wp_writer_puts(out, "N/A");
	if (bits & HIT)
		wp_writer_puts(out, " hit");
	if (bits & MISS)
		wp_writer_puts(out, " miss");
}

static void put_operation(unsigned int bits, struct wp_writer *out)
{
	static const char *const words[] = {"N/A", "LOAD", "STORE", "PFETCH", "EXEC"};

	for (size_t i = 0; i < WP_ARRAY_LEN(words); i++)
		if (bits >> i & 1) {
			wp_writer_puts(out, words[i]);
			return;
		}
	wp_writer_puts(out, "No");
}

static void put_level(uint64_t source, struct wp_writer *out)
{
	unsigned int bits = source_part_of(source, LEVEL, 14),
		     number = source_part_of(source, LEVEL_NUMBER, 4);
	unsigned int distance = source_part_of(source, HOPS, 3);
	bool any = false;

	if (source_part_of(source, REMOTE, 1))
		wp_writer_puts(out, "Remote ");
	if (distance)
		wp_writer_printf(out, "%s ", hops[distance]);
	put_bits(bits & ~(HIT | MISS), levels, WP_ARRAY_LEN(levels), out, &any);
	if (number && level_numbers[number])
		put_word(out, level_numbers[number], &any);
	else if (number)
		wp_writer_printf(out, "%sL%u", any ? " or " : "", number);
	put_end(bits, any || number || source_part_of(source, REMOTE, 1) || distance, out);
}

static void put_snoop(uint64_t source, struct wp_writer *out)
{
	unsigned int bits = source_part_of(source, SNOOP, 5),
		     more = source_part_of(source, SNOOP_MORE, 2);
	bool any = false;

	put_bits(bits, snoops, WP_ARRAY_LEN(snoops), out, &any);
	put_bits(more, more_snoops, WP_ARRAY_LEN(more_snoops), out, &any);
	if (!any)
		wp_writer_puts(out, "N/A");
}

static void put_tlb(unsigned int bits, struct wp_writer *out)
{
	bool any = false;

	put_bits(bits & ~(HIT | MISS), tlbs, WP_ARRAY_LEN(tlbs), out, &any);
	put_end(bits, any, out);
}

static void put_blocked(unsigned int bits, struct wp_writer *out)
{
	if (!bits || bits & NA)
		wp_writer_puts(out, "N/A");
	else
		wp_writer_printf(out, "%s%s%s", bits & 2 ? "Data" : "", (bits & 6) == 6 ? " " : "",
				 bits & 4 ? "Addr" : "");
}

static void put_locked(unsigned int bits, struct wp_writer *out)
{
	wp_writer_puts(out, bits & NA ? "N/A" : bits & 2 ? "Yes" : "No");
}

void wp_mem_source_put_part(uint64_t source, enum wp_mem_source_part part, struct wp_writer *out)
{
	switch (part) {
	case WP_MEM_SOURCE_LEVEL: put_level(source, out); break;
	case WP_MEM_SOURCE_SNOOP: put_snoop(source, out); break;
	case WP_MEM_SOURCE_TLB: put_tlb(source_part_of(source, TLB, 7), out); break;
	case WP_MEM_SOURCE_LOCKED: put_locked(source_part_of(source, LOCK, 2), out); break;
	case WP_MEM_SOURCE_BLOCKED: put_blocked(source_part_of(source, BLOCKED, 3), out); break;
	}
}

void wp_mem_source_put(uint64_t source, struct wp_writer *out)
{
	static const char *const titles[] = {"|LVL ", "|SNP ", "|TLB ", "|LCK ", "|BLK  "};

	wp_writer_puts(out, "|OP ");
	put_operation(source_part_of(source, OP, 5), out);
	for (enum wp_mem_source_part part = 0; part < WP_ARRAY_LEN(titles); part++) {
		wp_writer_puts(out, titles[part]);
		wp_mem_source_put_part(source, part, out);
	}
}
