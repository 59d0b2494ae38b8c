/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mem_doc: the columns of a table of memory accesses, what its rows are sorted by, and the lines
 * above it.
 *
 * Aggregate stage. In: sums of rows (mem_stats.h); the caller says what a row is of.
 */
#ifndef WP_MEM_DOC_H
#define WP_MEM_DOC_H

#include "aggregate/mem_stats.h"
#include "base/err.h"
#include "base/writer.h"
#include "core/doc.h"

struct wp_mem_column;

#define WP_MEM_COLUMNS 24

/* One row with all that can be shown of it. */
struct wp_mem_row {
	uint32_t node; /* its number among the stats */
	struct wp_mem_sums sums;
	struct wp_mem_percentiles at;
};

/* A column by its name; NULL for NULL. An error says which there are. */
struct wp_err *wp_mem_column_find(const char *name, const struct wp_mem_column **ret) WP_MUST_CHECK;
/* Names for completion, one a line. */
void wp_mem_columns_list(struct wp_writer *out);

/*
 * Rows by falling values of a column; without one, by the sum of their latencies where there are
 * some, and by what they stand for. Ties go by that, then by number.
 */
void wp_mem_rows_sort(struct wp_mem_row *rows, size_t n, const struct wp_mem_column *by);

/*
 * Appends the columns that say something of these accesses: one whose values are all 0 is left out.
 * `address`: rows are of an address, so that the threads that touched it matter.
 */
size_t wp_mem_doc_columns(struct wp_table *table, const struct wp_mem_row *total, bool address,
			  const struct wp_mem_column *ret[WP_MEM_COLUMNS]);
/* The cells of a row under these columns. */
void wp_mem_doc_cells(const struct wp_mem_row *row, const struct wp_mem_row *total,
		      const struct wp_mem_column *const *columns, size_t n, struct wp_cell *ret);
/* "loads 12, stores 3 ..." and members of the same names. */
void wp_mem_doc_total(struct wp_doc *doc, struct wp_node *parent, const struct wp_mem_row *total);

#endif
