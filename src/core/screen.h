/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * screen: what a text is shown on, as plain data: all-zero is a file, where nothing is shortened.
 */
#ifndef WP_SCREEN_H
#define WP_SCREEN_H

#include <stdbool.h>
#include <stddef.h>

struct wp_screen {
	size_t columns; /* tables fit into so many; 0: they are as wide as they are */
	size_t lines;	/* a text can replace the one before, and has so many; 0: it goes on */
	bool coloured;	/* what is hot stands out */
	bool utf8;	/* what is left out is one character, else three points */
	const char *cwd, *home; /* absolute; paths below them may be shown without; NULL: none */
};

#endif
