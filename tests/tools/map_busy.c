/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * map_busy SECONDS: changes a BPF map without end, as a monitor might: for as long as one change
 * takes, the kernel calls no program of an event on this CPU. Exit status 77: no map can be made
 * here.
 */
#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ELEMENTS 16384

static uint32_t keys[ELEMENTS];
static uint64_t values[ELEMENTS];

static int call(int command, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, command, attr, sizeof(*attr));
}

int main(int argc, char **argv)
{
	union bpf_attr map = {
		.map_type = BPF_MAP_TYPE_HASH,
		.key_size = sizeof(keys[0]),
		.value_size = sizeof(values[0]),
		.max_entries = ELEMENTS,
	};
	union bpf_attr change = {.batch = {.keys = (uintptr_t)keys, .values = (uintptr_t)values}};
	time_t end = time(NULL) + (argc > 1 ? atoi(argv[1]) : 1);
	int fd = call(BPF_MAP_CREATE, &map);

	if (fd < 0)
		return 77;
	for (uint32_t i = 0; i < ELEMENTS; i++)
		keys[i] = i;
	for (change.batch.map_fd = (uint32_t)fd; time(NULL) < end;) {
		change.batch.count = ELEMENTS;
		if (call(BPF_MAP_UPDATE_BATCH, &change) < 0)
			return 77;
	}
	return 0;
}
