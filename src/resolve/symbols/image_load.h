/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * image_load: a module's symbols and unwind rules, loaded by a worker.
 *
 * Resolve stage. In: an open file. Out: symbols first, in a place of the caller's, who may use them
 * while the worker is still at the rules, which need them too. Path and identity in the source must
 * stay until the end.
 */
#ifndef WP_IMAGE_LOAD_H
#define WP_IMAGE_LOAD_H

#include "base/worker.h"
#include "core/unwind_rows.h"
#include "resolve/symbols/symfile.h"

struct wp_image_load_order {
	struct wp_symfile_source source;
	bool symbols, rules;	 /* what is to be loaded */
	struct wp_symfile *file; /* the caller's: filled by `symbols`, read by `rules` */
};

struct wp_image_load {
	struct wp_job job;
	struct wp_image_load_order order;
	bool has_symbols;
	struct wp_log_kept log;	    /* what the symbols' loading has to say */
	struct wp_err *err;	    /* of the symbols; NULL: they are there */
	struct wp_unwind_rows rows; /* for whoever takes them when the job is done */
};

/* Adds a job; takes over the file descriptor of its source. */
struct wp_image_load *wp_image_load_start(struct wp_worker *worker,
					  const struct wp_image_load_order *order);
/* True when `file`, `log` and `err` may be read. */
bool wp_image_load_has_symbols(const struct wp_image_load *load);
/* Ends a job that is done, or nobody waits for, and frees what was not taken (by zeroing it). */
void wp_image_load_end(struct wp_worker *worker, struct wp_image_load *load);

#endif
