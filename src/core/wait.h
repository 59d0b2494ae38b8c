/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wait: what a sample of the event offcpu-time says of the time in which a thread did not run.
 *
 * Core. Such a sample weighs nanoseconds (its period, and `ns` of its payload), has the stack of
 * the place where the thread stopped, and the time at which it ran again.
 */
#ifndef WP_WAIT_H
#define WP_WAIT_H

#include "core/field.h"
#include "core/record.h"

/* What a thread is that a sample of any other event met. */
#define WP_WAIT_RUNNING "running"
/* What a wait is for of which nobody saw where it began. */
#define WP_WAIT_UNKNOWN "unknown"
/* The field that a wait weighs. */
#define WP_WAIT_WEIGHT "ns"

enum wp_wait_state {
	WP_WAIT_INTERRUPTIBLE,
	WP_WAIT_UNINTERRUPTIBLE, /* of a disk, mostly */
	WP_WAIT_PREEMPTED,	 /* it would have run, but there was no CPU for it */
	WP_WAIT_STOPPED,	 /* by a signal or a debugger */
	WP_WAIT_GIL,		 /* interruptible: of a Python thread, until it has the GIL */
	WP_WAIT_SHORT,		 /* all waits of a thread that are below the threshold, together */
	WP_WAIT_STATES,
	WP_WAIT_NONE = WP_WAIT_STATES, /* the thread has ended: it never runs again */
};

#define WP_WAIT_KIND  16 /* bytes of a kind, its NUL with them */
#define WP_WAIT_WAKER 24 /* and of who ended it */
#define WP_WAIT_ON    160

/* Who ended a wait that nobody was seen to end; that has not ended. */
#define WP_WAIT_UNSEEN	"[not seen]"
#define WP_WAIT_LASTING "[nobody yet]"

/* Older recordings have it up to `state`. */
struct wp_wait_payload {
	uint32_t magic; /* WP_WAIT_MAGIC: other programs' samples of that event have others */
	uint32_t waits; /* that it stands for */
	uint64_t ns;
	char state[16];
	char kind[WP_WAIT_KIND]; /* what was waited for (core/wait_kind.h) */
	int32_t call;		 /* the number of the system call; -1: none, or not known */
	int32_t fd;		 /* the descriptor that it is about; -1: none */
	uint64_t argument;	 /* the first one of the system call */
	uint64_t inode;		 /* of the descriptor's file; 0: not known */
	uint32_t on_where;	 /* low half: where `on` lies; high half: its bytes, 0: no name */
	/* Who ended it: the name of a thread, or what else that was ("[timer]"); "": it is not
	 * told, or nobody: the thread could have run. */
	char waker[WP_WAIT_WAKER];
	uint32_t waker_tid; /* of that thread; 0: it is none */
	uint64_t wake; /* the number of the sample of `wakers` that is of it; 0: there is none */
	char on[WP_WAIT_ON]; /* what the descriptor is: as far as it is filled */
};

#define WP_WAIT_BASE_BYTES offsetof(struct wp_wait_payload, kind)

#define WP_WAIT_MAGIC 0x74696177u /* "wait" */

/* Its fields: waits, ns, state, kind, call, fd, argument, inode, on, waker, waker_tid, wake. */
const struct wp_fields *wp_wait_fields(void);
const char *wp_wait_state_name(enum wp_wait_state state);
/* Of prev_state in sched:sched_switch (include/trace/events/sched.h, Linux 4.14 and newer). */
enum wp_wait_state wp_wait_state_of(int64_t prev_state);
/* Of what a thread waits for, the state says it all: it is no system call's. */
bool wp_wait_says_kind(enum wp_wait_state state);
/* It stands for a debugger, or for whoever else follows it by ptrace(2). */
bool wp_wait_is_traced(int64_t prev_state);
/* All of it but what the thread waited for, which is not known then. */
void wp_wait_fill(enum wp_wait_state state, uint32_t waits, uint64_t ns,
		  struct wp_wait_payload *ret);
/* Says what the descriptor is: a path, "pipe:[7]"; of what is too long the end. */
void wp_wait_name(const char *on, struct wp_wait_payload *ret);
/* A multiple of 8: as much of it as is filled. */
uint32_t wp_wait_bytes(const struct wp_wait_payload *payload);
/* False where the sample brings none of ours. */
bool wp_wait_read(const struct wp_record_sample *sample, enum wp_wait_state *ret_state,
		  uint32_t *ret_waits);
/*
 * The payload, its texts ended, but with whatever characters a file has; of an old one, what the
 * state does not say is not known. False: as wp_wait_read(), and *ret is not to be used.
 */
bool wp_wait_read_all(const struct wp_record_sample *sample, struct wp_wait_payload *ret);

#endif
