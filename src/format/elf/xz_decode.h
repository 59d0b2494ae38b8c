/* SPDX-License-Identifier: BSD-3-Clause */
/* xz_decode: a whole .xz stream in memory, such as the small symbol table in .gnu_debugdata. */
#ifndef WP_XZ_DECODE_H
#define WP_XZ_DECODE_H

#include "base/err.h"

/* Fails on damaged data and on more than `limit` bytes of output. The caller frees *ret. */
struct wp_err *wp_xz_decode(const void *data, size_t size, size_t limit, void **ret,
			    size_t *ret_size) WP_MUST_CHECK;

#endif
