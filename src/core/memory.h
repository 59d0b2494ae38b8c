/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * memory: another process's memory (or a test's image of one), as those who read structures in it
 * see it.
 */
#ifndef WP_MEMORY_H
#define WP_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_memory {
	/* Copies n bytes; false, and *ret undefined, when any of them cannot be read. */
	bool (*read)(void *arg, uint64_t addr, void *ret, size_t n);
	void *arg;
};

#endif
