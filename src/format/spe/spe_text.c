/* SPDX-License-Identifier: BSD-3-Clause */
/* spe_text: see spe_text.h. */
#include "format/spe/spe_text.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

struct text {
	char *at, *end;
};

WP_PRINTF(2, 3) static void add_words(struct text *text, const char *format, ...)
{
	size_t room = (size_t)(text->end - text->at);
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(text->at, room, format, args);
	va_end(args);
	if (n > 0)
		text->at += (size_t)n < room ? (size_t)n : room - 1;
}

static const char *const event_words[WP_SPE_EVENT_BITS] = {
	[WP_SPE_EXCEPTION] = "EXCEPTION-GEN",
	[WP_SPE_RETIRED] = "RETIRED",
	[WP_SPE_L1D_ACCESS] = "L1D-ACCESS",
	[WP_SPE_L1D_REFILL] = "L1D-REFILL",
	[WP_SPE_TLB_ACCESS] = "TLB-ACCESS",
	[WP_SPE_TLB_WALK] = "TLB-REFILL",
	[WP_SPE_NOT_TAKEN] = "NOT-TAKEN",
	[WP_SPE_MISPREDICTED] = "MISPRED",
	[WP_SPE_LLC_ACCESS] = "LLC-ACCESS",
	[WP_SPE_LLC_MISS] = "LLC-REFILL",
	[WP_SPE_REMOTE] = "REMOTE-ACCESS",
	[WP_SPE_MISALIGNED] = "ALIGNMENT",
	[WP_SPE_TRANSACTION] = "TXN",
	[WP_SPE_PARTIAL_PREDICATE] = "SVE-PARTIAL-PRED",
	[WP_SPE_EMPTY_PREDICATE] = "SVE-EMPTY-PRED",
	[WP_SPE_L2D_ACCESS] = "L2D-ACCESS",
	[WP_SPE_L2D_MISS] = "L2D-MISS",
	[WP_SPE_MODIFIED] = "HITM",
	[WP_SPE_RECENTLY_FETCHED] = "LFB",
	[WP_SPE_SNOOPED] = "SNOOPED",
	[WP_SPE_STREAMING] = "STREAMING-SVE",
	[WP_SPE_SMCU] = "SMCU",
};

const char *wp_spe_text_event(unsigned int bit)
{
	return bit < WP_SPE_EVENT_BITS ? event_words[bit] : NULL;
}

static void add_event_words(struct text *text, uint64_t events)
{
	add_words(text, "EV");
	for (unsigned int bit = 0; bit < WP_SPE_EVENT_BITS; bit++)
		if (events >> bit & 1 && event_words[bit])
			add_words(text, " %s", event_words[bit]);
}

/* Bits of a vector that the operation had, of SVE. */
static void add_vector(struct text *text, unsigned int op)
{
	add_words(text, " EVLEN %u", 32u << (op >> 4 & 7));
}

static void add_other(struct text *text, unsigned int op)
{
	if ((op & 0x89) == 0x08) {
		add_words(text, "SVE-OTHER");
		add_vector(text, op);
		add_words(text, "%s%s", op & 2 ? " FP" : "", op & 4 ? " PRED" : "");
		return;
	}
	if ((op & 0x89) == 0x88) {
		add_words(text, "SME-OTHER ETS %u%s", 128u << ((op >> 4 & 7) * 2 + (op >> 2 & 1)),
			  op & 2 ? " FP" : "");
		return;
	}
	add_words(text, "OTHER %s", op & 1 ? "COND-SELECT" : "INSN-OTHER");
	if (!(op & 0xf8))
		add_words(text, "%s%s", op & 4 ? " ASE" : "", op & 2 ? " FP" : "");
}

/* What a load or store is of, in the cases where that is the whole payload. */
static const char *register_word(unsigned int op)
{
	switch (op & 0xfe) {
	case 0x00: return " GP-REG";
	case 0x04: return " SIMD-FP";
	case 0x10: return " UNSPEC-REG";
	case 0x14: return " MTE-TAG";
	case 0x20: return " MEMCPY";
	case 0x24: return op & 1 ? " MEMSET" : "";
	case 0x30: return " NV-SYSREG";
	default: return "";
	}
}

static void add_load_store(struct text *text, unsigned int op)
{
	add_words(text, "%s", op & 1 ? "ST" : "LD");
	if ((op & 0xe2) == 0x02)
		add_words(text, "%s%s%s", op & 4 ? " AT" : "", op & 8 ? " EXCL" : "",
			  op & 0x10 ? " AR" : "");
	add_words(text, "%s", register_word(op));
	if ((op & 0x0a) == 0x08) {
		add_vector(text, op);
		add_words(text, "%s%s", op & 4 ? " PRED" : "", op & 0x80 ? " SG" : "");
	}
	if ((op & 0xfa) == 0x40)
		add_words(text, " GCS%s", op & 4 ? " COMM" : "");
}

static void add_branch(struct text *text, unsigned int op)
{
	static const char *const calls[] = {"", " CR-BL", " CR-RET", " CR-NON-BL-RET"};

	add_words(text, "B%s%s%s%s", op & 1 ? " COND" : "", (op & 0xfe) == 2 ? " IND" : "",
		  op & 4 ? " GCS" : "", calls[op >> 3 & 3]);
}

static void add_operation(struct text *text, const struct wp_spe_packet *packet)
{
	unsigned int op = (unsigned int)packet->payload;

	switch (packet->index) {
	case WP_SPE_OTHER: add_other(text, op); break;
	case WP_SPE_LOAD_STORE: add_load_store(text, op); break;
	case WP_SPE_BRANCH: add_branch(text, op); break;
	default: add_words(text, "OP-TYPE 0x%x (%u)", op, packet->index);
	}
}

static void add_address(struct text *text, const struct wp_spe_packet *packet)
{
	static const char *const words[] = {
		[WP_SPE_PC] = "PC", [WP_SPE_TARGET] = "TGT", [WP_SPE_PREVIOUS] = "PBT"};
	uint64_t payload = packet->payload, address = payload & 0xffffffffffffff;
	unsigned int ns = payload >> 63, index = packet->index;

	switch (index) {
	case WP_SPE_PC:
	case WP_SPE_TARGET:
	case WP_SPE_PREVIOUS:
		add_words(text, "%s 0x%" PRIx64 " el%u ns=%u", words[index], address,
			  (unsigned int)(payload >> 61 & 3), ns);
		break;
	case WP_SPE_VIRTUAL: add_words(text, "VA 0x%" PRIx64, payload); break;
	case WP_SPE_PHYSICAL:
		add_words(text, "PA 0x%" PRIx64 " ns=%u ch=%u pat=%x", address, ns,
			  (unsigned int)(payload >> 62 & 1), (unsigned int)(payload >> 56 & 15));
		break;
	default: add_words(text, "ADDR 0x%" PRIx64 " (%u)", payload, index);
	}
}

void wp_spe_text(const struct wp_spe_packet *packet, char *ret)
{
	static const char *const counters[] = {"TOT", "ISSUE", "XLAT"};
	struct text text = {ret, ret + WP_SPE_TEXT_MAX};

	switch (packet->kind) {
	case WP_SPE_BAD: add_words(&text, "Bad packet!"); break;
	case WP_SPE_PADDING: add_words(&text, "PAD"); break;
	case WP_SPE_END: add_words(&text, "END"); break;
	case WP_SPE_TIMESTAMP: add_words(&text, "TS %" PRId64, (int64_t)packet->payload); break;
	case WP_SPE_EVENTS: add_event_words(&text, packet->payload); break;
	case WP_SPE_SOURCE:
		add_words(&text, "DATA-SOURCE %" PRId64, (int64_t)packet->payload);
		break;
	case WP_SPE_CONTEXT:
		add_words(&text, "CONTEXT 0x%" PRIx64 " el%u", packet->payload, packet->index + 1u);
		break;
	case WP_SPE_OPERATION: add_operation(&text, packet); break;
	case WP_SPE_ADDRESS: add_address(&text, packet); break;
	case WP_SPE_COUNTER:
		add_words(&text, "LAT %u %s", (unsigned int)(packet->payload & 0xffff),
			  packet->index < WP_SPE_COUNTERS ? counters[packet->index] : "");
		break;
	}
}
