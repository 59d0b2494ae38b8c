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

#include "core/operand.h"

#include <stddef.h>

#define WP_PROBE_PLACES 1024 /* of one probe */
#define WP_PROBE_ARGS	16   /* that are asked of one */
/* What a format file calls a probe whose samples have arguments: numbers from here downwards. */
#define WP_PROBE_FORMAT_ID 65535

enum wp_probe_kind {
	WP_PROBE_USER,	 /* uprobe:BINARY:... */
	WP_PROBE_KERNEL, /* kprobe:... */
	WP_PROBE_MARKER, /* usdt:BINARY:PROVIDER:NAME */
};

struct wp_probe_place {
	uint64_t offset;    /* in the file */
	uint64_t semaphore; /* its place in the file, raised while the probe is open; 0: none */
	const struct wp_operand *operands; /* one for each argument; NULL: there are none */
};

/* What is wanted of each hit, as it was typed. */
struct wp_probe_arg {
	const char *name; /* of the field */
	uint32_t number;  /* by the calling convention or of the marker, from 1; 0: by name */
	const char *word; /* the parameter's own name, where that is not the field's */
	bool is_result;	  /* what the function returns */
	bool is_string;
	bool is_typed; /* size and sign were typed; else they are found out */
	bool is_signed;
	uint8_t size;
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

	struct wp_probe_arg *args;
	size_t n_args;
	uint16_t format_id; /* of the description of its samples' payloads; 0: they have none */
};

#endif
