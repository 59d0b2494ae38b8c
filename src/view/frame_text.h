/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * frame_text: what a frame of a profile is called where there is room for one string.
 *
 * View stage. "f (x.py:3)" of Python code: the line is the function's first one, so that a function
 * is one string, or the line that runs in a profile by line, then of native code too;
 * "[libc.so.6]" of a function whose name is not known; else the name alone.
 */
#ifndef WP_FRAME_TEXT_H
#define WP_FRAME_TEXT_H

#include "base/str.h"
#include "core/profile.h"

/* Appends it. */
void wp_frame_text(const struct wp_profile *profile, const struct wp_profile_frame *frame,
		   struct wp_str *ret);

#endif
