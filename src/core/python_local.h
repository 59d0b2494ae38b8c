/* SPDX-License-Identifier: BSD-3-Clause */
/* python_local: a variable of a Python function that runs, as text. Core, plain data. */
#ifndef WP_PYTHON_LOCAL_H
#define WP_PYTHON_LOCAL_H

#include <stdint.h>

struct wp_python_local {
	uint32_t slot;		  /* of the frame, in the stack's slots */
	const char *name, *value; /* fit for a terminal */
};

#endif
