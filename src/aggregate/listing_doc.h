/* SPDX-License-Identifier: BSD-3-Clause */
/* listing_doc: functions as they are written, as a document; see listing.h. */
#ifndef WP_LISTING_DOC_H
#define WP_LISTING_DOC_H

#include "aggregate/flat.h"
#include "aggregate/listing.h"
#include "core/doc.h"
#include "core/event.h"

struct wp_listing_report {
	const struct wp_listings *listings;
	const struct wp_event_set *events;
	const struct wp_flat *flat; /* all samples, by event */
	bool hottest; /* lines by falling samples, those without left out, instead of their order */
	uint64_t lost; /* samples */
	/* The text of a source line; NULL: not to be had. Valid as long as the document. */
	const char *(*source)(void *arg, const char *file, uint32_t line);
	void *source_arg;
};

/* The caller frees. Of events without a sample there is nothing. */
struct wp_doc *wp_listing_doc(const struct wp_listing_report *report);

#endif
