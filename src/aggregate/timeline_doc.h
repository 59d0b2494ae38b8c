/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline_doc: counting periods one after the other as a document for CSV and one for JSON.
 *
 * Aggregate stage. In CSV each period is one row and each event of each core one column; in JSON
 * each period is an object of its own, like that of a single `stat` without the system-wide sum.
 */
#ifndef WP_TIMELINE_DOC_H
#define WP_TIMELINE_DOC_H

#include "aggregate/counts.h"
#include "aggregate/stat_doc.h"
#include "core/doc.h"

struct wp_timeline {
	WP_VEC(struct wp_counts) periods;
	bool multiplexed[WP_EVENT_CLASSES]; /* in any of the periods */
};

/* Takes over what counts owns. */
void wp_timeline_add(struct wp_timeline *timeline, const struct wp_event_set *events,
		     const struct wp_counts *counts);
void wp_timeline_deinit(struct wp_timeline *timeline);

/*
 * The CSV of one class: header values, then a table (the root's last child) with a row for each
 * period from `first` on. Columns are those of the CPUs of the first period; they change when
 * multiplexed[class] does. The caller frees.
 */
struct wp_doc *wp_timeline_csv(const struct wp_timeline *timeline, const struct wp_stat_info *info,
			       enum wp_event_class class, uint64_t interval_ns, size_t first);

/* What a timeline was asked for. */
struct wp_timeline_plan {
	uint64_t count_ns;    /* how long each period counts */
	uint64_t interval_ns; /* between the end of one and the beginning of the next */
	uint64_t periods;     /* 0: until it is ended */
};

/*
 * {"count_duration": ..., "count_interval": ..., "count_timeline": ..., "timeline": [...]}; nothing
 * of it is text. Without a number of periods count_timeline is how many there were. The caller
 * frees.
 */
struct wp_doc *wp_timeline_json(const struct wp_timeline *timeline,
				const struct wp_timeline_plan *plan,
				const struct wp_stat_info *info);

#endif
