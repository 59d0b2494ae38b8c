/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe: a place in a program, a library or the kernel whose hits are an event: uprobe, kprobe and
 * USDT marker.
 *
 * Core; plain data. The event stage makes it from the words of -e; what stands where in which file
 * is found by the resolve stage, which fills in file and places; the source opens an event of the
 * kernel's uprobe or kprobe PMU for each place. Nothing is written to tracefs.
 */
#ifndef WP_CORE_PROBE_H
#define WP_CORE_PROBE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WP_PROBE_PLACES 1024 /* of one probe */

enum wp_probe_kind {
	WP_PROBE_USER,	 /* uprobe:BINARY:... */
	WP_PROBE_KERNEL, /* kprobe:... */
	WP_PROBE_MARKER, /* usdt:BINARY:PROVIDER:NAME */
};

struct wp_probe_place {
	uint64_t offset;    /* in the file */
	uint64_t semaphore; /* its place in the file, raised while the probe is open; 0: none */
};

/* All strings are in the arena of the event's set. */
struct wp_probe {
	enum wp_probe_kind kind;
	const char *binary;   /* as it was typed: a path, a name, a process's number; kernel: "" */
	const char *provider; /* of a marker; NULL: any */
	const char *symbol;   /* function, marker or source file; NULL: `offset` is an address */
	uint64_t offset;      /* behind the function's beginning, in bytes */
	uint32_t line;	      /* of the source file, or counted from the function's; 0: none */
	bool is_return;	      /* when the function returns */

	const char *file; /* what the kernel is to open; NULL until it was found */
	const struct wp_probe_place *places;
	size_t n_places;
};

#endif
