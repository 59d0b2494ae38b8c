/* SPDX-License-Identifier: BSD-3-Clause */
/* process_memory: see process_memory.h. */
#include "source/proc/process_memory.h"

#include "base/proc_living.h"

#include <errno.h>
#include <sys/uio.h>

static bool read_process_memory(void *arg, uint64_t addr, void *ret, size_t n)
{
	struct iovec here = {.iov_base = ret, .iov_len = n};
	struct iovec there = {.iov_base = (void *)(uintptr_t)addr, .iov_len = n};
	pid_t pid = (pid_t)(uintptr_t)arg;

	ssize_t got = process_vm_readv(pid, &here, 1, &there, 1, 0);

	if (got < 0 && errno == ESRCH)
		got = process_vm_readv((pid_t)wp_proc_living((uint32_t)pid), &here, 1, &there, 1,
				       0);
	return got == (ssize_t)n;
}

static struct {
	uint32_t pid; /* 0: none */
	struct wp_memory memory;
} stand_in;

void wp_process_memory_stand_in(uint32_t pid, struct wp_memory memory)
{
	stand_in.pid = pid;
	stand_in.memory = memory;
}

bool wp_process_memory_stands_in(uint32_t pid)
{
	return pid && pid == stand_in.pid;
}

struct wp_memory wp_process_memory(uint32_t pid)
{
	if (wp_process_memory_stands_in(pid))
		return stand_in.memory;
	return (struct wp_memory){.read = read_process_memory, .arg = (void *)(uintptr_t)pid};
}
