/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolver_options: what a resolver is told at its beginning: what it may open, and who helps it.
 */
#ifndef WP_RESOLVER_OPTIONS_H
#define WP_RESOLVER_OPTIONS_H

#include "base/log.h"
#include "base/patience.h"
#include "base/worker.h"
#include "core/budget.h"
#include "core/process.h"
#include "resolve/find/debug_places.h"

#include <stdbool.h>
#include <stdint.h>

struct wp_resolver_options {
	/* What is mapped where; borrowed. The resolver listens to it: what is told of a mapping, it
	 * knows. */
	struct wp_processes *processes;
	bool kernel;  /* resolve kernel addresses with /proc/kallsyms */
	bool offline; /* only what wp_resolver_add_symbol() supplied; no file is opened (replay) */
	bool past;    /* processes have ended (a recording): /proc is not asked about them */
	/* Of a recording: whose it is, any owner's files are believed, and what its clock is behind
	 * that of the wall (0: not known). */
	uint32_t owner;
	bool any_owner;
	uint64_t unix_offset_ns;
	struct wp_debug_places places; /* borrowed */
	const struct wp_log *log;
	/* The PDB that the user names, and the base name of the image that it is for; or NULL. Both
	 * outlive the resolver. */
	const char *pdb, *pdb_image;
	/* Loads symbols and unwind rules; borrowed, outlives the resolver. NULL: the caller's
	 * thread does when it needs them. */
	struct wp_worker *worker;
	/* What files say is taken from it; borrowed, outlives the resolver. */
	struct wp_budget *budget;
	/* How long files of others than root and us are waited for; borrowed like it. */
	struct wp_patience *patience;
};

#endif
