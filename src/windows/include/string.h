/* SPDX-License-Identifier: BSD-3-Clause */
/* string.h for Windows: MinGW's, and what glibc has besides (posix_text.c). */
#ifndef WP_WINDOWS_STRING_H
#define WP_WINDOWS_STRING_H

#include <stddef.h>

#include_next <string.h>

char *strsep(char **rest, const char *ends);
char *strndup(const char *text, size_t n);
char *strcasestr(const char *text, const char *word);
char *strchrnul(const char *text, int byte);
void *memmem(const void *bytes, size_t n, const void *wanted, size_t n_wanted);
/* "SEGV"; NULL: no signal of Linux has that number. */
const char *sigabbrev_np(int number);
void *mempcpy(void *to, const void *from, size_t n);

#endif
