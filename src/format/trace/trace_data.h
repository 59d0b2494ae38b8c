/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * trace_data: what a recording says of the tracepoints in it: the text files of tracefs that
 * describe them.
 *
 * The format stage's reader and writer of perf.data's feature TRACING_DATA (and of the record of
 * that name in a pipe), which is the header of trace-cmd's file (trace-cmd.dat.v6(5), versions 0.5
 * and 0.6). Pure.
 */
#ifndef WP_TRACE_DATA_H
#define WP_TRACE_DATA_H

#include "base/bytes.h"
#include "base/str.h"

#include <stdbool.h>

/* A format file of tracefs. */
struct wp_trace_text {
	const char *system; /* "sched" */
	const char *text;   /* not terminated */
	size_t bytes;
};

/* A cursor over the descriptions. */
struct wp_trace_data {
	uint8_t long_bytes;
	uint32_t page_bytes;
	struct wp_bytes rest;
	uint32_t systems, formats; /* still to come; formats: of the system at hand */
	const char *system;
};

/* False when there is no sense in the bytes, or they are of a big-endian machine. */
bool wp_trace_data_open(const void *bytes, size_t size, struct wp_trace_data *ret);
/* The next description, borrowed from the bytes; false at the end, or where they make no sense. */
bool wp_trace_data_next(struct wp_trace_data *data, struct wp_trace_text *ret);
/* Behind the last description: addresses of strings of the kernel, "0x... : "text"" a line. */
bool wp_trace_data_printk(struct wp_trace_data *data, struct wp_trace_text *ret);

/* What is written besides the descriptions: texts of tracefs, or empty. */
struct wp_trace_extra {
	struct wp_trace_text header_page, header_event, printk;
};

/* Events of one system stand together. */
void wp_trace_data_put(struct wp_str *out, const struct wp_trace_text *texts, size_t n,
		       const struct wp_trace_extra *extra);

#endif
