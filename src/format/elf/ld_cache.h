/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ld_cache: /etc/ld.so.cache: where the loader finds a library by its name.
 *
 * Format stage; pure. Source: glibc's sysdeps/generic/dl-cache.h, the format
 * "glibc-ld.so.cache1.1", alone or behind the one of libc5.
 */
#ifndef WP_LD_CACHE_H
#define WP_LD_CACHE_H

#include "base/bytes.h"

/*
 * The path of the library of that name for programs of this machine's own kind, borrowed from the
 * bytes, which end with a NUL that their size has not; NULL when there is none.
 */
const char *wp_ld_cache_find(const void *bytes, size_t size, const char *name);

#endif
