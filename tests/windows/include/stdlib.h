/* SPDX-License-Identifier: BSD-3-Clause */
/* stdlib.h for unit tests on Windows: a folder of one's own, and numbers of 30 bits. */
#ifndef WP_TEST_STDLIB_H
#define WP_TEST_STDLIB_H

#include_next <stdlib.h>

#include <stdio.h>
#include <string.h>

int wp_posix_mkdir(const char *path);

static inline void srandom(unsigned int seed)
{
	srand(seed);
}

static inline long random(void)
{
	return (long)rand() << 15 | rand();
}

static inline char *mkdtemp(char *name)
{
	for (int i = 0; i < 1000000; i++) {
		snprintf(name + strlen(name) - 6, 7, "%06d", i);
		if (wp_posix_mkdir(name) == 0)
			return name;
	}
	return NULL;
}

#endif
