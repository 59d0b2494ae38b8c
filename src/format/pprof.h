/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pprof: writes the profiles that `go tool pprof` reads: messages of profile.proto, gzipped.
 *
 * In: types, samples, mappings, locations and functions, in any order. Out: bytes to a writer, as
 * they come; only the strings are kept to the end. Ids are the caller's, from 1; 0 is none. Spec:
 * profile.proto of github.com/google/pprof (package perftools.profiles).
 */
#ifndef WP_PPROF_H
#define WP_PPROF_H

#include "base/writer.h"

#include <stdint.h>

struct wp_pprof;

struct wp_pprof_mapping {
	uint64_t id;
	uint64_t start, limit; /* addresses of locations in it */
	const char *path, *build_id;
};

/* A location is in functions that are inlined into one another, innermost first. */
struct wp_pprof_line {
	uint64_t function;
	uint32_t line; /* 0: not known */
};

struct wp_pprof_location {
	uint64_t id, mapping, address;
	const struct wp_pprof_line *lines;
	size_t n_lines;
};

struct wp_pprof_function {
	uint64_t id;
	const char *name, *file; /* file "": not known */
	uint32_t line;		 /* its first one; 0: not known */
};

struct wp_pprof_label {
	const char *key;
	const char *text; /* NULL: it is a number */
	uint64_t number;
};

struct wp_pprof_sample {
	const uint64_t *locations; /* innermost first */
	size_t n_locations;
	const uint64_t *values; /* one for each type */
	size_t n_values;
	const struct wp_pprof_label *labels;
	size_t n_labels;
};

/* Of the whole profile. */
struct wp_pprof_facts {
	uint64_t time_unix_ns, duration_ns;
	const char *period_type, *period_unit;
	uint64_t period;
	const char *default_type; /* of samples: what is shown first */
	const char *comment;	  /* "": none */
};

/* Bytes go to out, which the caller closes after wp_pprof_finish(). */
struct wp_pprof *wp_pprof_new(struct wp_writer *out);
/* A column of the samples' values: "cpu-clock" in "nanoseconds". */
void wp_pprof_put_type(struct wp_pprof *p, const char *type, const char *unit);
void wp_pprof_put_mapping(struct wp_pprof *p, const struct wp_pprof_mapping *mapping);
void wp_pprof_put_location(struct wp_pprof *p, const struct wp_pprof_location *location);
void wp_pprof_put_function(struct wp_pprof *p, const struct wp_pprof_function *function);
void wp_pprof_put_sample(struct wp_pprof *p, const struct wp_pprof_sample *sample);
/* Writes what is left, and frees p. */
void wp_pprof_finish(struct wp_pprof *p, const struct wp_pprof_facts *facts);

#endif
