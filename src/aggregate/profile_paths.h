/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_paths: source files of Python code told apart by as little of their paths as does it.
 *
 * Aggregate stage. In: a profile whose modules have paths. Out: their names: "base.py" where there
 * is one of that name, "db/models/base.py" and "template/base.py" where there are more.
 */
#ifndef WP_PROFILE_PATHS_H
#define WP_PROFILE_PATHS_H

#include "core/profile.h"

/* Makes the names of Python's source files longer where they are not unique; they stay ends of
 * their paths. */
void wp_profile_tell_files_apart(struct wp_profile *profile);

#endif
