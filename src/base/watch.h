/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * watch: whoever wants to know how many bytes have gone by.
 *
 * Base. Long reading and writing tells it after every piece; an all-zero one, or NULL, is told
 * nothing.
 */
#ifndef WP_WATCH_H
#define WP_WATCH_H

#include <stdint.h>

struct wp_watch {
	void (*told)(void *arg, uint64_t bytes); /* so far */
	void *arg;
};

static inline void wp_watch_tell(const struct wp_watch *watch, uint64_t bytes)
{
	if (watch && watch->told)
		watch->told(watch->arg, bytes);
}

#endif
