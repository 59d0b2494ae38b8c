/*
 * sampling_recorded: samples of a recording, where live sampling has walkers and processes: frames
 * come whole, Python ones by number.
 *
 * Session stage. A verb that wants samples one by one (export, script) says who takes them.
 */
#ifndef WP_SAMPLING_RECORDED_H
#define WP_SAMPLING_RECORDED_H

#include "base/vec.h"
#include "core/record.h"
#include "resolve/debuginfod.h"
#include "session/report_filter.h"
#include "session/report_sort.h"

#define WP_RECORDED_FILE "perf.data" /* without -i */

struct wp_sampling;

/* A frame with its symbol. */
struct wp_recorded_frame {
	uint32_t symbol;
	bool is_python, is_kernel;
	bool is_caller;	   /* ip is its return address; rva, as of its call, 1 less */
	uint32_t line;	   /* of Python code; 0: not known */
	struct wp_va ip;   /* as recorded; of Python code, what stands for it */
	struct wp_rva rva; /* as of wp_sampling_symbol(); of Python code 0 */
};

struct wp_recorded_stack {
	WP_VEC(struct wp_recorded_frame) frames; /* innermost first */
	enum wp_stack_end end;
};

/* Gets each sample that the filters keep, instead of its being counted. */
struct wp_recorded_taker {
	void (*take)(void *arg, struct wp_sampling *s, const struct wp_record *sample);
	void *arg;
};

/* All-zero: samples are live. */
struct wp_sampling_recorded {
	bool on;
	const char *transport;	    /* how Python frames were read; NULL: there were none */
	WP_VEC(uint32_t) symbol_of; /* by number of the function; id + 1 */
	struct wp_report_filter filter;
	struct wp_report_sort sort;
	struct wp_debuginfod *debuginfod;
	bool kernel_seen;		    /* where the recording's kernel lay */
	uint64_t left_out;		    /* samples that a filter kept out */
	struct wp_recorded_taker taker;	    /* take NULL: samples are counted */
	struct wp_recorded_stack stack;	    /* of the sample at hand */
	uint8_t kernel_id[WP_BUILD_ID_MAX]; /* its build-id */
	uint8_t kernel_id_len;
};

/* Opens the recording that the options name. */
struct wp_err *wp_sampling_open_recorded(struct wp_sampling *s) WP_MUST_CHECK;
/* False for samples of a recording that a filter keeps out. */
bool wp_sampling_wants(struct wp_sampling *s, const struct wp_record *sample, uint32_t symbol);
/* Counts a sample's Python frames and, with -g, its stack. */
void wp_sampling_add_recorded(struct wp_sampling *s, const struct wp_record *sample,
			      uint32_t symbol);
/* Makes the sample's stack: recorded.stack. */
void wp_sampling_recorded_stack(struct wp_sampling *s, const struct wp_record *sample);
/* By its first records: the program that the recording is of, and whose kernel it ran on. */
void wp_sampling_recorded_record(struct wp_sampling *s, const struct wp_record *record);
/* Takes all of its samples (or those until Ctrl-C), and what it says of its run. */
struct wp_err *wp_sampling_run_recorded(struct wp_sampling *s) WP_MUST_CHECK;
/* The same, with each sample going to the taker, which may ask for its stack. */
struct wp_err *wp_sampling_hand_out(struct wp_sampling *s,
				    struct wp_recorded_taker taker) WP_MUST_CHECK;
void wp_sampling_recorded_deinit(struct wp_sampling_recorded *recorded);

#endif
