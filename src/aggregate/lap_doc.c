/* SPDX-License-Identifier: BSD-3-Clause */
/* lap_doc: see lap_doc.h. */
#include "aggregate/lap_doc.h"

#include "base/clock.h"

#include <inttypes.h>

static double seconds_of(uint64_t ns)
{
	return (double)ns / (double)WP_NS_PER_S;
}

void wp_lap_doc(struct wp_doc *doc, const struct wp_lap *lap)
{
	struct wp_node *top = wp_doc_object(doc, doc->root, "top");

	wp_doc_prose(doc, top, "%s%s%s: %" PRIu64 " %s in %.2f s, %" PRIu64 " lost\n",
		     lap->clock ? lap->clock : "", lap->clock ? "  " : "", lap->target,
		     lap->samples, lap->samples == 1 ? "sample" : "samples",
		     seconds_of(lap->elapsed_ns), lap->lost);
	wp_doc_int(doc, top, "interval", (int64_t)lap->number);
	if (lap->time)
		wp_doc_str(doc, top, "time", lap->time);
	wp_doc_real(doc, top, "ended", seconds_of(lap->ended_ns), 6);
	wp_doc_real(doc, top, "seconds", seconds_of(lap->elapsed_ns), 6);
	wp_doc_str(doc, top, "target", lap->target);
	wp_doc_int(doc, top, "samples", (int64_t)lap->samples);
	wp_doc_int(doc, top, "lost", (int64_t)lap->lost);
	wp_doc_int(doc, top, "all_samples", (int64_t)lap->all_samples);
	wp_doc_int(doc, top, "all_lost", (int64_t)lap->all_lost);
	wp_doc_bool(doc, top, "last", lap->last);
}

struct wp_doc *wp_lap_doc_end(const struct wp_lap *last, const char *ending)
{
	struct wp_doc *doc = wp_doc_new();

	if (ending)
		wp_doc_prose(doc, doc->root, "%s\n", ending);
	wp_doc_prose(doc, doc->root, "%" PRIu64 " %s in %.2f s, %" PRIu64 " %s, %" PRIu64 " lost\n",
		     last->all_samples, last->all_samples == 1 ? "sample" : "samples",
		     seconds_of(last->ended_ns), last->number,
		     last->number == 1 ? "interval" : "intervals", last->all_lost);
	return doc;
}
