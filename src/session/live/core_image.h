/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * core_image: a core file and the files that its process had mapped, read as if it still stood
 * there.
 *
 * Session stage. The kernel leaves out of a core what the files have that were mapped
 * (core(5), /proc/PID/coredump_filter): that is read from these files, as far as they are the same
 * ones by their build-ids. Which one is another one is told in a warning, once.
 */
#ifndef WP_CORE_IMAGE_H
#define WP_CORE_IMAGE_H

#include "base/log.h"
#include "base/map.h"
#include "core/instant.h"
#include "core/memory.h"
#include "core/owner.h"
#include "core/record_keep.h"
#include "format/elf/elf_core.h"

/* A file that was mapped. */
struct wp_core_file {
	const char *path; /* of the core */
	uint8_t build_id[WP_BUILD_ID_MAX];
	uint8_t build_id_len; /* 0: not known */
	int fd;		      /* -1: it is gone, or another one */
};

struct wp_core_image {
	const char *path; /* borrowed */
	const struct wp_log *log;
	int fd;
	/* What its process goes by: its own id, or one that no process has while another one has
	 * that. */
	uint32_t pid;
	struct wp_owners owners; /* of the core */
	struct wp_elf_core core;
	WP_VEC(struct wp_core_file) files;
	WP_VEC(uint32_t) file_of; /* of core.files -> index of files */
	struct wp_map thread_of;  /* tid -> index of core.threads */
	uint8_t *stack;		  /* the last copy */
	size_t stack_cap;
};

/* The core, and the files that it names; from now on wp_process_memory() of its pid reads it.
 * *ret must not move. The caller deinits, also after a failure. */
struct wp_err *wp_core_image_open(const char *path, const struct wp_log *log,
				  struct wp_core_image *ret) WP_MUST_CHECK;
void wp_core_image_deinit(struct wp_core_image *image);
/* The memory, of the core and of the files; valid as long as the image. */
struct wp_memory wp_core_image_memory(struct wp_core_image *image);
/* Appends the name of the process and the code that it had mapped, as wp_procfs_snapshot(). */
void wp_core_image_snapshot(const struct wp_core_image *image, struct wp_records *ret);
/*
 * The instant of one thread with at most stack_bytes of its stack, but without Python frames;
 * borrowed until the next call. *ret_pointer: its thread pointer, or 0. False: no such thread.
 */
bool wp_core_image_instant(struct wp_core_image *image, uint32_t tid, size_t stack_bytes,
			   struct wp_instant *ret, uint64_t *ret_pointer);
/* "x86_64", "aarch64". */
const char *wp_core_image_arch(const struct wp_core_image *image);
/* The file that was executed; NULL: not known. */
const char *wp_core_image_program(const struct wp_core_image *image);

#endif
