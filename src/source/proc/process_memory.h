/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * process_memory: reads another process's memory with process_vm_readv(2), which needs the right to
 * trace it.
 */
#ifndef WP_PROCESS_MEMORY_H
#define WP_PROCESS_MEMORY_H

#include "core/memory.h"

/* A reader of that process; nothing to undo. A process that is gone reads as nothing. */
struct wp_memory wp_process_memory(uint32_t pid);

/*
 * A process that is no more, and what stands for its memory (its core), for the whole program; the
 * last call counts. pid 0: none.
 */
void wp_process_memory_stand_in(uint32_t pid, struct wp_memory memory);
bool wp_process_memory_stands_in(uint32_t pid);

#endif
