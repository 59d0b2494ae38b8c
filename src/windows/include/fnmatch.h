/* SPDX-License-Identifier: BSD-3-Clause */
/* fnmatch.h for Windows: names with * ? and [...] (posix_fnmatch.c). */
#ifndef WP_WINDOWS_FNMATCH_H
#define WP_WINDOWS_FNMATCH_H

#define FNM_NOMATCH  1
#define FNM_CASEFOLD 16

/* 0 or FNM_NOMATCH. */
int fnmatch(const char *pattern, const char *name, int flags);

#endif
