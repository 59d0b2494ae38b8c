/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_filter: which samples of a recording a report counts: by process, thread, CPU, time and
 * module.
 */
#ifndef WP_REPORT_FILTER_H
#define WP_REPORT_FILTER_H

#include "base/err.h"
#include "base/map.h"
#include "core/record.h"
#include "core/symbol.h"

struct wp_session_options;

/* All-zero keeps every sample. */
struct wp_report_filter {
	struct wp_map pids, tids, cpus; /* empty: all */
	uint64_t from_ns, to_ns;	/* since the first sample; to_ns 0: to the end */
	uint64_t first_ns;		/* of the first sample that was seen */
	bool began;
	bool any;	    /* some samples may not be kept */
	const char *module; /* NULL: all */
};

/* The caller deinits, also after a failure. */
struct wp_err *wp_report_filter_parse(const struct wp_session_options *options,
				      struct wp_report_filter *ret) WP_MUST_CHECK;
void wp_report_filter_deinit(struct wp_report_filter *filter);
/* By who, where and when. If there is `any`, every sample must be asked for, in order. */
bool wp_report_filter_keeps(struct wp_report_filter *filter, const struct wp_record *sample);
/* By what: the module that the symbol is of, by its name or path. */
bool wp_report_filter_keeps_symbol(const struct wp_report_filter *filter,
				   const struct wp_symbol_set *set, uint32_t symbol);

#endif
