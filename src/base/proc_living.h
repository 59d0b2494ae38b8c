/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * proc_living: whose folder below /proc tells what a process has.
 *
 * A process whose first thread has ended (pthread_exit() in main) is a zombie to look at: without
 * memory, mappings, program and root. Its other threads have them all.
 */
#ifndef WP_PROC_LIVING_H
#define WP_PROC_LIVING_H

#include <stdint.h>

/*
 * The id itself; while the first thread has ended and others run, that of one of them, which is
 * good below /proc and for process_vm_readv(). Costs one system call where it is the id itself.
 */
uint32_t wp_proc_living(uint32_t pid);

#endif
