/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned_memory: a process's memory as it stands still: read page by page, each page once.
 *
 * Source stage; process_vm_readv(2). A walk reads a few words from each of many structures that lie
 * close together, and a system call costs more than the page it brings: so those pages that the
 * thread's walk before needed are fetched at once. What is kept is of one instant: it is forgotten
 * before the next walk.
 */
#ifndef WP_PINNED_MEMORY_H
#define WP_PINNED_MEMORY_H

#include "core/memory.h"

#include <sys/uio.h>

#define WP_PINNED_PAGE	4096
#define WP_PINNED_PAGES 128 /* kept at once; a power of two */

#define WP_PINNED_TOUCHED 32 /* pages of a walk that are fetched at once for the next one */

/* Pages that a walk needed. */
struct wp_pinned_pages {
	uint32_t n;
	uint64_t addr[WP_PINNED_TOUCHED];
};

struct wp_pinned_page {
	uint64_t walk;	  /* that it was read in; 0: none */
	uint64_t touched; /* the last walk that needed it */
	uint64_t addr;
	bool good;
	uint8_t bytes[WP_PINNED_PAGE];
};

/* All-zero is empty. One thread. */
struct wp_pinned_memory {
	uint32_t id;
	const struct wp_memory *other; /* what is read instead of a process; NULL: none */
	uint64_t walk;
	uint64_t calls;			/* of process_vm_readv(2) */
	int os_errno;			/* of the last one that failed */
	struct wp_pinned_pages touched; /* in this walk */
	struct iovec here[WP_PINNED_TOUCHED], there[WP_PINNED_TOUCHED]; /* of one call */
	struct wp_pinned_page pages[WP_PINNED_PAGES];
};

/* Forgets everything; from now on it is the memory of the process that has a thread of that id. */
void wp_pinned_memory_begin(struct wp_pinned_memory *memory, uint32_t id);
/* Fetches pages that will be needed, as far as they can be read. */
void wp_pinned_memory_fetch(struct wp_pinned_memory *memory, const struct wp_pinned_pages *pages);
bool wp_pinned_memory_read(struct wp_pinned_memory *memory, uint64_t addr, void *ret, size_t n);
/* Lends it to those who read structures. */
struct wp_memory wp_pinned_memory_of(struct wp_pinned_memory *memory);

#endif
