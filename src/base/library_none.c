/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * library_none: takes library.c's place where the C library is linked statically too: nothing is
 * loaded. See library.h.
 *
 * glibc's own dlopen() would then load the system's C library, of another version, beside it.
 * These stand before it, since libdw calls it when a program starts.
 */
#include "base/library.h"

#include <dlfcn.h>

struct wp_err *wp_library_load(const struct wp_library *library)
{
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "%s cannot be loaded: this wperf is static; use one that is not",
			  library->sonames[0]);
}

void *dlopen(const char *file, int mode)
{
	(void)file, (void)mode;
	return NULL;
}

void *dlsym(void *restrict library, const char *restrict name)
{
	(void)library, (void)name;
	return NULL;
}
