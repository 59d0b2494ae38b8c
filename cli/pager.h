/* SPDX-License-Identifier: BSD-3-Clause */
/* pager: long reports through the user's pager, on a terminal only. */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include <stdbool.h>
#include <sys/types.h>

struct pager {
	bool is_wanted; /* the verb's output is worth one, and nobody said --no-pager */
	bool chops;	/* rows may be wider than the screen: none is to be wrapped */
	pid_t pid;	/* 0: none runs */
};

/* True when one would be tried: standard output is a terminal, and $WPERF_PAGER, else $PAGER, else
 * less, is not empty or `cat`. */
bool pager_is_possible(const struct pager *pager);
/*
 * Starts it when it is possible: standard output leads to it from now on. Where it cannot be
 * started everything stays as it is. What was written before must have been flushed.
 */
void pager_open(struct pager *pager);
/* After the last byte was written: waits until the user has seen enough. */
void pager_close(struct pager *pager);

#endif
