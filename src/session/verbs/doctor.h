/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * doctor: what limits what this user counts or samples, each thing with its remedy.
 *
 * Session stage. From a machine's description alone; `wperf test` shows it.
 */
#ifndef WP_DOCTOR_H
#define WP_DOCTOR_H

#include "base/arena.h"
#include "base/vec.h"
#include "core/machine.h"

/* One thing that was looked at. */
struct wp_finding {
	const char *name;
	const char *limit; /* what cannot be done; NULL: all is well */
	const char *fix;   /* what to do about it */
};

struct wp_findings {
	struct wp_finding *v;
	size_t n, cap;
};

/* Appends them all; texts are the arena's, the machine's or literals. The caller deinits ret. */
void wp_doctor_look(const struct wp_machine *machine, struct wp_arena *arena,
		    struct wp_findings *ret);

#endif
