/* SPDX-License-Identifier: BSD-3-Clause */
/* script_sample: a sample whose frames have names, and which of its fields `wperf script` shows. */
#ifndef WP_SCRIPT_SAMPLE_H
#define WP_SCRIPT_SAMPLE_H

#include "core/sample_data.h"
#include "core/symbol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is printed; as far as SRCLINE in this order. */
enum wp_script_field {
	WP_SCRIPT_COMM,
	WP_SCRIPT_THREAD,
	WP_SCRIPT_PID,
	WP_SCRIPT_TID,
	WP_SCRIPT_CPU,
	WP_SCRIPT_TIME,
	WP_SCRIPT_PERIOD,
	WP_SCRIPT_EVENT,
	WP_SCRIPT_TRACE,  /* what the kernel would print of the event's fields */
	WP_SCRIPT_VALUES, /* field:NAME */
	WP_SCRIPT_IP,
	WP_SCRIPT_SYM,
	WP_SCRIPT_SYMOFF,
	WP_SCRIPT_DSO,
	WP_SCRIPT_SRCLINE, /* of native code; Python frames have theirs */
	/* What the sample carries besides (core/sample_data.h), under perf's names: */
	WP_SCRIPT_ADDR,
	WP_SCRIPT_DATA_SRC,
	WP_SCRIPT_WEIGHT,
	WP_SCRIPT_INS_LAT,
	WP_SCRIPT_CGROUP,
	WP_SCRIPT_IREGS,
	WP_SCRIPT_UREGS,
	WP_SCRIPT_BRSTACK,
	WP_SCRIPT_BRSTACKSYM,
	WP_SCRIPT_PHYS_ADDR,
	WP_SCRIPT_DATA_PAGE_SIZE,
	WP_SCRIPT_CODE_PAGE_SIZE,
	WP_SCRIPT_FIELDS
};

/* Bit n: enum wp_script_field n. */
#define WP_SCRIPT_DEFAULT \
	(((1u << WP_SCRIPT_SRCLINE) - 1) & ~(1u << WP_SCRIPT_THREAD | 1u << WP_SCRIPT_VALUES))

/* What wants the samples' other data. */
#define WP_SCRIPT_DATA (((1u << WP_SCRIPT_FIELDS) - 1) & ~((1u << WP_SCRIPT_ADDR) - 1))

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

/* A field of the event. */
struct wp_script_value {
	const char *name, *text;
	bool is_number;
};

/* An end of a branch: offset from the function's start; name NULL: unknown. */
struct wp_script_end {
	const char *name;
	uint64_t offset;
};

#define WP_SCRIPT_NAMED "field:" /* what stands before a field's name */

enum wp_script_machine {
	WP_SCRIPT_X86, /* of 64 and of 32 bits */
	WP_SCRIPT_ARM64,
	WP_SCRIPT_ARM, /* of 32 bits */
};

struct wp_script_sample {
	const char *comm;	/* NULL: not known */
	const char *thread;	/* its program's name for it, else comm */
	uint32_t pid, tid, cpu; /* pid and tid: -1 of a task that is exiting */
	uint64_t time_ns, period;
	bool no_time; /* its event records none */
	const char *event;
	const char *trace;		      /* NULL: the event has no fields */
	const struct wp_script_value *values; /* in text those of field:NAME, in JSON all */
	size_t n_values;
	const struct wp_script_frame *frames; /* innermost first */
	size_t n;
	const struct wp_sample_data *data; /* NULL: nothing else */
	const struct wp_script_end *ends;  /* of brstacksym: from and to of each branch, or NULL */
	const char *cgroup;		   /* name of data->cgroup; NULL: not known */
	enum wp_script_machine machine;	   /* its registers */
	const char *python;		   /* what is wrong with its Python frames; NULL: nothing */
};

#endif
