/*
 * sampling_recorded: samples of a recording, where live sampling has walkers and processes: frames
 * come whole, Python ones by number.
 */
#ifndef WP_SAMPLING_RECORDED_H
#define WP_SAMPLING_RECORDED_H

#include "base/vec.h"
#include "core/record.h"
#include "resolve/debuginfod.h"
#include "session/report_filter.h"
#include "session/report_sort.h"

struct wp_sampling;

/* All-zero: samples are live. */
struct wp_sampling_recorded {
	bool on;
	const char *transport;	    /* how Python frames were read; NULL: there were none */
	WP_VEC(uint32_t) symbol_of; /* by number of the function; id + 1 */
	struct wp_report_filter filter;
	struct wp_report_sort sort;
	struct wp_debuginfod *debuginfod;
	bool kernel_seen;  /* where the recording's kernel lay */
	uint64_t left_out; /* samples that a filter kept out */
};

/* Opens the recording that the options name. */
struct wp_err *wp_sampling_open_recorded(struct wp_sampling *s) WP_MUST_CHECK;
/* False for samples of a recording that a filter keeps out. */
bool wp_sampling_wants(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol);
/* Counts a sample's Python frames and, with -g, its stack. */
void wp_sampling_add_recorded(struct wp_sampling *s, const struct wp_record *sample,
			      uint32_t symbol);
/* By its first records: the program that the recording is of, and whose kernel it ran on. */
void wp_sampling_recorded_record(struct wp_sampling *s, const struct wp_record *record);
/* After the last record: what the recording says of its run. */
void wp_sampling_recorded_end(struct wp_sampling *s);
void wp_sampling_recorded_deinit(struct wp_sampling_recorded *recorded);

#endif
