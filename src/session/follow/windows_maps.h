/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * windows_maps: how Wine maps a Windows image, told as if it had been mapped like any other file.
 *
 * Session stage, between the source and the table of processes. In: records in order.
 * Out: the same, but where a PE file's headers are mapped, a MAP record for each of its code
 * sections follows, and what is told of the anonymous memory that Wine reads them into is left out.
 * Wine maps the headers of every image from its file, and maps other sections only if they lie in
 * the file as in memory, which few linkers' do.
 */
#ifndef WP_WINDOWS_MAPS_H
#define WP_WINDOWS_MAPS_H

#include "base/map.h"
#include "base/vec.h"
#include "core/process.h"
#include "resolve/find/other_roots.h"

struct wp_windows_module {
	uint64_t start, end;
	bool is_program; /* an .exe */
	uint32_t name;	 /* a hash of its base name, whatever its case */
};

struct wp_windows_process {
	uint32_t pid;
	WP_VEC(struct wp_windows_module) modules;
};

struct wp_windows_section {
	uint32_t rva, size, offset;
};

/* A file that was looked at. */
struct wp_windows_image {
	uint32_t size, headers_size; /* size 0: no PE file */
	bool is_program;
	bool is_high; /* of 64 bits, and linked for an address that 32 bits cannot say */
	WP_VEC(struct wp_windows_section) sections; /* with code */
};

/* All-zero is empty. */
struct wp_windows_maps {
	bool closed;	   /* no file may be opened (a replay): records pass as they are */
	bool past;	   /* processes have ended (a recording): files are found by their paths */
	const char *symfs; /* the root of a recording's paths; NULL: ours */
	struct wp_map by_pid; /* -> index in processes + 1 */
	WP_VEC(struct wp_windows_process) processes;
	size_t held;	       /* modules of all of them */
	struct wp_map by_file; /* a mix of identity and path -> index in images + 1 */
	WP_VEC(struct wp_windows_image) images;
	WP_VEC(struct wp_record) out;
	struct wp_other_roots roots; /* of processes that were met */
};

/* Listens to the table of processes: forks have the images of their parents, an exec ends them.
 * arg: a struct wp_windows_maps. */
void wp_windows_maps_changed(void *arg, const struct wp_process_change *change);
/* The records that stand for one, for the table; borrowed until the next call. They may be none. */
const struct wp_record *wp_windows_maps_take(struct wp_windows_maps *maps,
					     const struct wp_record *record, size_t *ret_n);
/* Where the process has mapped its program, which is no library; false: it runs none of Windows. */
bool wp_windows_maps_program(const struct wp_windows_maps *maps, uint32_t pid, struct wp_va *ret);
/* The process that has mapped a program of that file name last; false: none has. */
bool wp_windows_maps_named(const struct wp_windows_maps *maps, const char *name, uint32_t *ret_pid);
void wp_windows_maps_deinit(struct wp_windows_maps *maps);

#endif
