/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * instant_wait: what a thread waits for in its system call: descriptors with their names.
 *
 * Source stage. In: an instant with a system call. Out: what its arguments and the memory that they
 * point at say. Everything that is read is bounded; what cannot be read is left out.
 */
#ifndef WP_INSTANT_WAIT_H
#define WP_INSTANT_WAIT_H

#include "core/instant.h"
#include "core/syscalls.h"

/* Fills in at->fds and at->n_fds. */
void wp_instant_wait_read(const struct wp_syscall *call, struct wp_instant *at);

/* What a descriptor is: a path, "pipe:[7]"; cut; "" and false where it cannot be had. */
bool wp_instant_fd_name(uint32_t pid, uint32_t tid, int fd, char ret[WP_INSTANT_PATH]);

/* The inode of what a descriptor is, as the kernel numbers it; 0: it is gone, or not told. */
uint64_t wp_instant_fd_inode(uint32_t pid, uint32_t tid, int fd);

#endif
