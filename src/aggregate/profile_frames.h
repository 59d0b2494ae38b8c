/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_frames: which frames a profile's stacks keep, and what counts as one function.
 *
 * Aggregate stage. In: a finished profile. Out: the same samples with shorter stacks, or with
 * functions split by the lines that run. Frames that no stack has any more are gone.
 */
#ifndef WP_PROFILE_FRAMES_H
#define WP_PROFILE_FRAMES_H

#include "core/profile.h"

enum wp_keep_frames {
	WP_KEEP_ALL,
	WP_KEEP_PROGRAM, /* not how an interpreter came to run the program's <module> */
	WP_KEEP_PYTHON,	 /* of WP_KEEP_PROGRAM the Python functions */
	WP_KEEP_NATIVE,	 /* all that are no Python functions */
};

/*
 * An interpreter's start-up are the frames outside of the outermost <module>, where they are those
 * of its main() and of runpy and importlib. What a thread begins with, and what a program that
 * embeds an interpreter does before, stay.
 */
void wp_profile_keep_frames(struct wp_profile *profile, enum wp_keep_frames keep);
/* A function with two lines becomes two: frame.symbol differs, frame.first_line is the line. */
void wp_profile_split_lines(struct wp_profile *profile);

#endif
