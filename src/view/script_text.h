/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * script_text: one sample with its stack as `perf script` prints it, or as JSON, for `wperf
 * script`.
 *
 * View stage. In: a sample whose frames have names. Out: a line about it, then a line for each
 * frame, innermost first, then an empty one. Tools that read perf's text read this one too. JSON is
 * one object in one line.
 */
#ifndef WP_SCRIPT_TEXT_H
#define WP_SCRIPT_TEXT_H

#include "base/writer.h"
#include "core/symbol.h"

#include <stdbool.h>
#include <stddef.h>

/* What is printed, in this order. */
enum wp_script_field {
	WP_SCRIPT_COMM,
	WP_SCRIPT_THREAD,
	WP_SCRIPT_PID,
	WP_SCRIPT_TID,
	WP_SCRIPT_CPU,
	WP_SCRIPT_TIME,
	WP_SCRIPT_PERIOD,
	WP_SCRIPT_EVENT,
	WP_SCRIPT_IP,
	WP_SCRIPT_SYM,
	WP_SCRIPT_SYMOFF,
	WP_SCRIPT_DSO,
	WP_SCRIPT_SRCLINE, /* of native code; Python frames have theirs */
	WP_SCRIPT_FIELDS
};

/* Bit n: enum wp_script_field n. */
#define WP_SCRIPT_DEFAULT \
	(((1u << WP_SCRIPT_FIELDS) - 1) & ~(1u << WP_SCRIPT_SRCLINE | 1u << WP_SCRIPT_THREAD))

/* Without these no frames are printed. */
#define WP_SCRIPT_STACK \
	(1u << WP_SCRIPT_IP | 1u << WP_SCRIPT_SYM | 1u << WP_SCRIPT_DSO | 1u << WP_SCRIPT_SRCLINE)

struct wp_script_frame {
	uint64_t address; /* in the module; of unknown memory, the process's */
	const char *name; /* NULL: unknown */
	enum wp_symbol_kind kind;
	uint64_t offset;    /* from the symbol's start */
	const char *module; /* path; NULL: unknown */
	const char *file;   /* NULL: not known */
	uint32_t line;	    /* 0: not known */
};

struct wp_script_sample {
	const char *comm;   /* NULL: not known */
	const char *thread; /* its program's name for it, else comm */
	uint32_t pid, tid, cpu;
	uint64_t time_ns, period;
	const char *event;
	const struct wp_script_frame *frames; /* innermost first */
	size_t n;
	const char *python; /* what is wrong with its Python frames; NULL: nothing */
};

const char *wp_script_field_name(enum wp_script_field field);
/*
 * Reads a list of names ("comm,tid,ip"), or of changes to the default ones ("+srcline,-cpu"); NULL:
 * the default ones.
 */
struct wp_err *wp_script_fields_parse(const char *text, uint32_t *ret) WP_MUST_CHECK;
void wp_script_text(const struct wp_script_sample *sample, uint32_t fields, struct wp_writer *out);
void wp_script_json(const struct wp_script_sample *sample, uint32_t fields, struct wp_writer *out);

#endif
