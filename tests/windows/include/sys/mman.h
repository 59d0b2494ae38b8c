/* SPDX-License-Identifier: BSD-3-Clause */
/* sys/mman.h for unit tests on Windows: a file without a name, on a disk. */
#ifndef WP_TEST_MMAN_H
#define WP_TEST_MMAN_H

#include "base/scratch_file.h"

#define MFD_CLOEXEC 0

static inline int memfd_create(const char *name, unsigned int flags)
{
	(void)name, (void)flags;
	return wp_scratch_file_open();
}

#endif
