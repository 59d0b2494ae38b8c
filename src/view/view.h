/* view: a document to bytes. One file per output; the list is in view.c. */
#ifndef WP_VIEW_H
#define WP_VIEW_H

#include "base/writer.h"
#include "core/doc.h"

struct wp_view_ops {
	const char *name;
	void (*render)(const struct wp_doc *doc, struct wp_writer *out);
};

extern const struct wp_view_ops wp_view_text, wp_view_json, wp_view_csv;

/* One row of a table as the CSV view prints it, for a file that grows line by line. */
void wp_view_csv_row(const struct wp_table *table, size_t row, struct wp_writer *out);

/* The view of that name, or NULL. */
const struct wp_view_ops *wp_view_find(const char *name);

#endif
