/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_lines: source lines and instructions of the hot functions, for --annotate and
 * --disassemble. */
#ifndef WP_SAMPLING_LINES_H
#define WP_SAMPLING_LINES_H

#include "aggregate/sample_doc.h"
#include "session/live/sampling.h"

/*
 * Annotates every function that the report's tables show. The report needs its profiles, filter and
 * main module. A function without line information is passed over and noted on the log.
 */
void wp_sampling_annotate(struct wp_sampling *sampling, const struct wp_sample_report *report,
			  struct wp_annotation *ret);

#endif
