/* SPDX-License-Identifier: BSD-3-Clause */
/* habits: words of perf that wperf does not have, each with what to do here. */
#ifndef CLI_HABITS_H
#define CLI_HABITS_H

/*
 * The answer to a word behind a verb (its names, as in struct verb), or where the verb is expected
 * (NULL); "" is a plain word where only options are. NULL: there is no answer.
 */
const char *habit_find(const char *verb, const char *word);

#endif
