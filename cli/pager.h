/* pager: long reports through the user's pager, on a terminal only. */
#ifndef CLI_PAGER_H
#define CLI_PAGER_H

#include "base/writer.h"

#include <sys/types.h>

struct pager {
	pid_t pid; /* 0: there is none */
	int fd;	   /* where the report goes */
};

/*
 * Starts $WPERF_PAGER, else $PAGER, else less, when standard output is a terminal; an empty name or
 * `cat` is none. Where none can be started the report goes straight to standard output.
 */
void pager_open(struct pager *ret);
/* After the report's writer was closed: waits until the user has seen enough. */
void pager_close(struct pager *pager);

#endif
