/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder_file: the file a recording goes to, and how it takes a former one's place.
 *
 * Store stage. A file that `replaces` is made without a name, or under one of its own, and takes
 * its place only when there is something in it; the former one and its Python image (FILE.python)
 * are then FILE.old. Nothing that lies in the folder is opened or followed, whoever put it there.
 */
#ifndef WP_RECORDER_FILE_H
#define WP_RECORDER_FILE_H

#include "base/err.h"

#include <stdbool.h>

struct wp_recorder_file {
	int fd;
	char *path;    /* absolute: where it is, or will be */
	char *image;   /* path.python: its Python functions, for perf */
	char *fresh;   /* its name until it takes its place; NULL: it has, or none is needed */
	bool nameless; /* it is in no folder until it takes its place */
};

/* The caller closes; not after a failure. */
struct wp_err *wp_recorder_file_open(const char *path, bool replaces,
				     struct wp_recorder_file *ret) WP_MUST_CHECK;
/* Nothing to do a second time. */
struct wp_err *wp_recorder_file_place(struct wp_recorder_file *file) WP_MUST_CHECK;
/* A file that has not taken its place goes. */
struct wp_err *wp_recorder_file_close(struct wp_recorder_file *file) WP_MUST_CHECK;

#endif
