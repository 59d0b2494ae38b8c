/* SPDX-License-Identifier: BSD-3-Clause */
/* proc_task: see proc_task.h. */
#include "format/maps/proc_task.h"

#include "base/str.h"

#include <string.h>

#define WORD_CHARS 24

/* The next word, and *at behind it; false: there is none, or one too long for a number. */
static bool next_task_word(const char **at, char ret[WORD_CHARS])
{
	const char *word = *at + strspn(*at, " ");
	size_t n = strcspn(word, " \n");

	if (!n || n >= WORD_CHARS)
		return false;
	memcpy(ret, word, n);
	ret[n] = '\0';
	*at = word + n;
	return true;
}

static bool next_task_address(const char **at, uint64_t *ret)
{
	char word[WORD_CHARS];

	return next_task_word(at, word) && wp_str_has_prefix(word, "0x") &&
	       wp_str_to_u64(word + 2, 16, UINT64_MAX, ret);
}

/* A system call's number; -1: none. */
static bool read_task_call(const char *word, struct wp_proc_task *ret)
{
	uint64_t call;

	ret->kind = strcmp(word, "-1") == 0 ? WP_PROC_TASK_STANDS : WP_PROC_TASK_WAITS;
	ret->call = -1;
	if (ret->kind == WP_PROC_TASK_STANDS)
		return true;
	if (!wp_str_to_u64(word, 10, INT64_MAX, &call))
		return false;
	ret->call = (int64_t)call;
	return true;
}

bool wp_proc_task_place(const char *syscall, struct wp_proc_task *ret)
{
	char word[WORD_CHARS];

	*ret = (struct wp_proc_task){0};
	if (!next_task_word(&syscall, word))
		return false;
	if (strcmp(word, "running") == 0)
		return true;
	if (!read_task_call(word, ret))
		return false;
	for (int i = 0; ret->kind == WP_PROC_TASK_WAITS && i < WP_PROC_TASK_ARGS; i++)
		if (!next_task_address(&syscall, &ret->args[i]))
			return false;
	return next_task_address(&syscall, &ret->sp) && next_task_address(&syscall, &ret->ip);
}

bool wp_proc_task_turns(const char *schedstat, uint64_t *ret)
{
	char word[WORD_CHARS];

	for (int i = 0; i < 3; i++)
		if (!next_task_word(&schedstat, word))
			return false;
	/* Whoever can be asked about has run at least once: 0 is what is not counted. */
	return wp_str_to_u64(word, 10, UINT64_MAX, ret) && *ret;
}
