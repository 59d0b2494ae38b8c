/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * timeline_file: the CSV files of a timeline, one for each class of events, growing line by line.
 *
 * Session stage. When multiplexing begins the columns change, and the file is written anew with
 * all lines so far.
 */
#ifndef WP_TIMELINE_FILE_H
#define WP_TIMELINE_FILE_H

#include "aggregate/timeline_doc.h"
#include "session/stat/counting.h"

struct wp_timeline_file {
	enum wp_event_class class;
	char *path;
	struct wp_writer *out;
	bool multiplexed; /* of the columns that are in it */
	size_t periods;	  /* how many are in it */
};

struct wp_timeline_files {
	const struct wp_stat_info *info;
	uint64_t interval_ns;
	WP_VEC(struct wp_timeline_file) files;
};

/* Names and makes the files (-v tells their names). The caller deinits, also after a failure. */
struct wp_err *wp_timeline_files_open(struct wp_timeline_files *files,
				      const struct wp_counting *counting,
				      uint64_t interval_ns) WP_MUST_CHECK;
/* The timeline has one more period: it is on its way to the disk when this returns. */
struct wp_err *wp_timeline_files_add(struct wp_timeline_files *files,
				     const struct wp_timeline *timeline) WP_MUST_CHECK;
/* Ends the files; errors of writing come out here. */
struct wp_err *wp_timeline_files_close(struct wp_timeline_files *files) WP_MUST_CHECK;
/* Closes what is still open, without a word. */
void wp_timeline_files_deinit(struct wp_timeline_files *files);

#endif
