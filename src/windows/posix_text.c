/* SPDX-License-Identifier: BSD-3-Clause */
/* posix_text: functions of glibc on strings and bytes (include/string.h). */
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

char *strsep(char **rest, const char *ends)
{
	char *word = *rest, *end;

	if (!word)
		return NULL;
	end = word + strcspn(word, ends);
	*rest = *end ? end + 1 : NULL;
	*end = '\0';
	return word;
}

char *strndup(const char *text, size_t n)
{
	size_t length = strnlen(text, n);
	char *copy = malloc(length + 1);

	if (!copy)
		return NULL;
	copy[length] = '\0';
	return memcpy(copy, text, length);
}

char *strcasestr(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (; *text || !n; text++)
		if (strnicmp(text, word, n) == 0)
			return (char *)text;
	return NULL;
}

char *strchrnul(const char *text, int byte)
{
	while (*text && *text != (char)byte)
		text++;
	return (char *)text;
}

void *memmem(const void *bytes, size_t n, const void *wanted, size_t n_wanted)
{
	const uint8_t *at = bytes, *end = at + n, *first = wanted;

	if (!n_wanted)
		return (void *)bytes;
	while ((size_t)(end - at) >= n_wanted &&
	       (at = memchr(at, *first, (size_t)(end - at) - n_wanted + 1))) {
		if (memcmp(at, wanted, n_wanted) == 0)
			return (void *)at;
		at++;
	}
	return NULL;
}

void *mempcpy(void *to, const void *from, size_t n)
{
	return (uint8_t *)memcpy(to, from, n) + n;
}

const char *sigabbrev_np(int number)
{
	static const char *const names[] = {
		NULL,	  "HUP",  "INT",    "QUIT", "ILL",   "TRAP", "ABRT", "BUS",
		"FPE",	  "KILL", "USR1",   "SEGV", "USR2",  "PIPE", "ALRM", "TERM",
		"STKFLT", "CHLD", "CONT",   "STOP", "TSTP",  "TTIN", "TTOU", "URG",
		"XCPU",	  "XFSZ", "VTALRM", "PROF", "WINCH", "POLL", "PWR",  "SYS",
	};

	return number > 0 && (size_t)number < sizeof(names) / sizeof(names[0]) ? names[number]
									       : NULL;
}
