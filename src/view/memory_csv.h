/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory_csv: operations and accesses to data as CSV, a line for each, for notebooks. `wperf
 * export --format csv`.
 *
 * View stage. In: what is known of one. What is not is an empty field; numbers of addresses and of
 * bits are hexadecimal.
 */
#ifndef WP_MEMORY_CSV_H
#define WP_MEMORY_CSV_H

#include "base/writer.h"
#include "core/sample_data.h"

#include <stdint.h>

/* Texts are borrowed; NULL: not known. */
struct wp_memory_row {
	uint64_t time_ns, pc, period;
	uint32_t pid, tid, cpu;
	const char *event, *symbol, *module;
	const char *python_function, *python_file;
	uint32_t python_line;	/* 0: not known */
	const char *python_how; /* "exact", "line", "function", "between", "sample" */
	const struct wp_sample_data *data;
};

void wp_memory_csv_head(struct wp_writer *out);
void wp_memory_csv_row(const struct wp_memory_row *row, struct wp_writer *out);

#endif
