/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_expect: the CPythons that a command names, and those that earlier runs met where it may
 * start any, told to the walker before they run.
 *
 * Session stage. A program that a shell, make or find starts is not held at its beginning, and some
 * milliseconds pass until it is known. Files say what is to be known of it beforehand.
 */
#ifndef WP_PYTHON_EXPECT_H
#define WP_PYTHON_EXPECT_H

#include "session/follow/python_feed.h"

/*
 * Looks at words of the command (it ends with NULL), and at words within these: "sh -c '...'".
 * NULL: what runs is somebody else's.
 */
void wp_python_expect(struct wp_python_feed *feed, char *const *command);

#endif
