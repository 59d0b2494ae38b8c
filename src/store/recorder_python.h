/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * recorder_python: the Python functions of a recording: numbers, and the image that names them to
 * stock tools, which is written again and again while there are more of them.
 *
 * Store stage. In: symbols of kind PYTHON and lines. Out: addresses for call chains, records that
 * tell wperf what they are, and the file FILE.python.
 */
#ifndef WP_RECORDER_PYTHON_H
#define WP_RECORDER_PYTHON_H

#include "base/err.h"
#include "base/map.h"
#include "base/str.h"
#include "base/strpool.h"
#include "core/record.h"
#include "core/symbol.h"
#include "format/perf/perfdata_notes.h"
#include "format/python/python_image.h"
#include "store/recorder_ids.h"

struct wp_recorder_python {
	char *path; /* of the image, absolute */
	bool arm64;
	uint8_t build_id[20];	    /* of it: made at the beginning, since records name it */
	struct wp_map number_of;    /* symbol and which 65536 lines of it -> number */
	WP_VEC(const char *) names; /* by number - 1; the strings' */
	WP_VEC(uint32_t) file_of;   /* by number - 1 */
	struct wp_strpool strings, files;
	struct wp_map seen; /* addresses */
	WP_VEC(struct wp_python_image_line) lines;
	size_t written;	      /* lines that the image has */
	uint64_t due_ns;      /* when it may be written again */
	struct wp_map mapped; /* process -> 1: it has the image */
};

/* An error when there is something at the path that is no image of ours: it is left alone. */
struct wp_err *wp_recorder_python_check(const char *path) WP_MUST_CHECK;
/* `path` is where the image is to be. The caller deinits. */
void wp_recorder_python_init(struct wp_recorder_python *python, const char *path, bool arm64);
void wp_recorder_python_deinit(struct wp_recorder_python *python);
/* The address of a line of a function, which is told in `out` when it is new. */
uint64_t wp_recorder_python_address(struct wp_recorder_python *python,
				    const struct wp_symbol_set *set, uint32_t symbol, uint32_t line,
				    struct wp_perfdata_notes *out);
/* Puts the MAP record of the image before a process's first sample that needs it. */
void wp_recorder_python_map(struct wp_recorder_python *python, const struct wp_record *sample,
			    struct wp_str *out);
/* Says that the image has samples, when there are functions to name. */
void wp_recorder_python_hit(const struct wp_recorder_python *python, struct wp_recorder_ids *ids);
/* COMM, FORK and EXIT: a process that becomes another program loses its mappings. */
void wp_recorder_python_record(struct wp_recorder_python *python, const struct wp_record *record);
/*
 * Writes the image anew when there is more to name; not `whole`: unless that would take too much of
 * the time.
 */
struct wp_err *wp_recorder_python_write(struct wp_recorder_python *python,
					bool whole) WP_MUST_CHECK;

#endif
