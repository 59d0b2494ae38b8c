/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_mode: the words of --python: how Python frames are read.
 */
#ifndef WP_PYTHON_MODE_H
#define WP_PYTHON_MODE_H

#include "base/err.h"

#include <stdbool.h>

enum wp_python_way {
	WP_PYTHON_OFF,
	WP_PYTHON_BPF,	  /* by the program that runs in the interrupt */
	WP_PYTHON_PINNED, /* by a reader on the same CPU */
	WP_PYTHON_REPLAY, /* a script says what they were */
};

struct wp_python_mode {
	enum wp_python_way way;
	bool chosen; /* by us: `auto` */
};

/* text is that of --python, NULL for `auto`. */
struct wp_err *wp_python_mode_parse(const char *text, struct wp_python_mode *ret) WP_MUST_CHECK;
/* "off", "bpf", "pinned", "replay". */
const char *wp_python_mode_name(enum wp_python_way way);

#endif
