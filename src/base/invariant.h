/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * invariant: states what only a mistake of ours can break. A broken one ends the program in builds
 * for development and tests; releases (NDEBUG) do not look. What comes from outside is checked, not
 * asserted.
 */
#ifndef WP_INVARIANT_H
#define WP_INVARIANT_H

#ifdef NDEBUG
#define wp_assert(holds)               \
	do {                           \
		if (0)                 \
			(void)(holds); \
	} while (0)
#else
#include <assert.h>
#define wp_assert(holds) assert(holds)
#endif

#endif
