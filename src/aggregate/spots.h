/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * spots: samples by Python function and by Python line, with what was called from there.
 *
 * Aggregate stage. A spot is a function, or a line of it. A sample counts once as `self` for its
 * innermost Python frame (whatever native code that called), once as `total` for every function
 * (and every line) on its stack, however often it is there, and once as `own` for the innermost
 * line of the user's own code, whatever library that called. A program that is an installed package
 * (python -m TOOL, a script that pip made) has no own code: there the package's takes its place.
 */
#ifndef WP_SPOTS_H
#define WP_SPOTS_H

#include "base/map.h"
#include "base/vec.h"
#include "core/sample.h"
#include "core/symbol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wp_spot_gil {
	WP_SPOT_GIL_UNKNOWN, /* no interpreter's thread, or a build without a GIL */
	WP_SPOT_GIL_RELEASED,
	WP_SPOT_GIL_HELD,
};

/* n frames, innermost first; n 0 for a sample without Python frames. */
struct wp_spot_sample {
	uint32_t event;
	uint32_t thread; /* 0: not to be split by thread; else the caller's word for it */
	enum wp_spot_gil gil;
	uint64_t period;
	const struct wp_spot_frame *frames;
	size_t n;
};

struct wp_spot_row {
	uint32_t symbol, line; /* line 0 in rows of functions, and of lines that are not known */
	uint32_t thread;
	uint64_t self, total;		    /* samples */
	uint64_t self_weight, total_weight; /* periods */
	uint64_t own, own_weight;	    /* in and below this line, up to the next own one */
	bool is_own;			    /* of the user's own code */
	uint64_t packaged, packaged_weight; /* as own, of the package that is the program */
	bool is_packaged;
	uint64_t gil_known, gil_held; /* of total */
	uint64_t mark;		      /* the last sample that counted here */
};

/* A thread that was told apart from others. */
struct wp_spot_thread {
	uint32_t thread;
	uint64_t samples, weight, python;
	uint64_t gil_known, gil_held; /* of samples */
};

struct wp_spots_event {
	struct wp_map function_of, line_of, thread_of; /* key -> index + 1 */
	WP_VEC(struct wp_spot_row) functions, lines;
	/* The lines that are the user's own, or the package's where none are; made by sorting. */
	WP_VEC(struct wp_spot_row) own;
	WP_VEC(struct wp_spot_thread) threads;
	uint64_t samples, weight; /* all that were added, with and without Python frames */
	uint64_t python;	  /* of them, those with Python frames */
	/* A stack began in <string>, as those of python -c do: it is the user's own. Else it is
	 * what libraries make and exec(). */
	bool is_typed;
	bool has_own; /* code of the user's own ran, besides a script that starts a package */
	/* The package that the first stack began in, as its paths begin; NULL: in none. Borrowed.
	 */
	const char *package;
	size_t package_bytes;
};

/* All-zero is empty. */
struct wp_spots {
	const struct wp_symbol_set *symbols; /* their files tell whose code it is; NULL: nobody's */
	bool gil_only; /* samples of threads that do not hold the GIL are left out and counted */
	uint64_t left_out;
	WP_VEC(struct wp_spots_event) events; /* grown to the highest event index seen */
	uint64_t n_added;
};

void wp_spots_add(struct wp_spots *spots, const struct wp_spot_sample *sample);
/* What tables are sorted by; the rest breaks ties. */
enum wp_spots_by {
	WP_SPOTS_BY_DEFAULT, /* self; own lines by own */
	WP_SPOTS_BY_SELF,
	WP_SPOTS_BY_TOTAL,
};

/* Rows by what is asked for; threads by falling weight. Ends adding. */
void wp_spots_sort(struct wp_spots *spots, enum wp_spots_by by);
/* The name of the package whose lines stand for the user's own; its length, 0: they are own. */
size_t wp_spots_package(const struct wp_spots_event *event, const char **ret);
void wp_spots_deinit(struct wp_spots *spots);

#endif
