/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * uncore_doc: counts of units outside the cores: DSU clusters, DMC-620 memory controllers, and any
 * other shared PMU.
 *
 * Aggregate stage, a part of stat_doc. Layouts of the first two, and of the summaries of the
 * metrics l3_cache and ddr_bw, are WindowsPerf's; bandwidths there are amounts, not rates.
 */
#ifndef WP_UNCORE_DOC_H
#define WP_UNCORE_DOC_H

#include "aggregate/stat_info.h"
#include "core/doc.h"

/* Adds the members `dsu`, `dmc` and, if there is something in it, `uncore`. */
void wp_uncore_doc_add(struct wp_doc *doc, struct wp_node *parent, const struct wp_stat_info *info,
		       const struct wp_counts *counts, bool overall);

#endif
