/* SPDX-License-Identifier: BSD-3-Clause */
/* view: a document to bytes. One file per output; the list is in view.c. */
#ifndef WP_VIEW_H
#define WP_VIEW_H

#include "base/writer.h"
#include "core/doc.h"
#include "core/profile.h"

struct wp_view_ops {
	const char *name;
	void (*render)(const struct wp_doc *doc, struct wp_writer *out);
};

extern const struct wp_view_ops wp_view_text, wp_view_json, wp_view_csv;

/* One row of a table as the CSV view prints it, for a file that grows line by line. */
void wp_view_csv_row(const struct wp_table *table, size_t row, struct wp_writer *out);

/* The view of that name, or NULL. */
const struct wp_view_ops *wp_view_find(const char *name);

/* A view of a whole profile: what `wperf export --format` names. */
struct wp_export_ops {
	const char *name;   /* "speedscope" */
	const char *suffix; /* of a file made without -o: ".speedscope.json" */
	const char *text;   /* what it is for, a line of the help */
	bool one_event;	    /* it has room for one: samples are those of events.v[0] alone */
	bool cuts_start;    /* by default, how an interpreter came to the program is left out */
	void (*render)(const struct wp_profile *profile, struct wp_writer *out);
	/* No profile is made: it is a table of records (memory_csv.h), and render is NULL. */
	bool is_records;
};

extern const struct wp_export_ops wp_export_folded, wp_export_flame, wp_export_callgrind,
	wp_export_speedscope, wp_export_gecko, wp_export_pprof, wp_export_chrome, wp_export_csv;

/* The export of that name, or NULL. */
const struct wp_export_ops *wp_export_find(const char *name);
/* The nth one in the order of the help, or NULL behind the last. */
const struct wp_export_ops *wp_export_at(size_t n);

#endif
