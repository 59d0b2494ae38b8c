/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_direct: see bpf_direct.h. */
#include "source/bpf/bpf_direct.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

uint64_t wp_bpf_direct_end(FILE *zoneinfo)
{
	uint64_t start, spanned = 0, end = 0;
	char line[256];

	while (fgets(line, sizeof(line), zoneinfo)) {
		if (sscanf(line, " spanned %lu", &spanned) == 1 ||
		    sscanf(line, " start_pfn: %lu", &start) != 1)
			continue;
		if (start + spanned > end)
			end = start + spanned;
	}
	return end * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t end_of_memory(void)
{
	FILE *zoneinfo = fopen("/proc/zoneinfo", "re");
	uint64_t end;

	if (!zoneinfo)
		return 0;
	end = wp_bpf_direct_end(zoneinfo);
	fclose(zoneinfo);
	return end;
}

/* Page tables may have four or five levels: of the wrong number nothing is found. */
static bool search_page(wp_bpf_direct_ask *ask, void *arg, const uint64_t *magic, uint64_t end,
			struct wp_walk_direct *ret)
{
	struct wp_walk_search asked = {.addr = (uintptr_t)magic};

	memcpy(asked.magic, magic, sizeof(asked.magic));
	for (uint64_t levels = 4; levels <= 5; levels++) {
		asked.direct = (struct wp_walk_direct){.end = end, .levels = levels};
		if (ask(arg, &asked) && asked.direct.base) {
			*ret = asked.direct;
			return true;
		}
	}
	return false;
}

bool wp_bpf_direct_find(wp_bpf_direct_ask *ask, void *arg, struct wp_walk_direct *ret)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE),
	       wanted = sizeof(uint64_t) * WP_WALK_MAGIC_WORDS;
	uint64_t end = end_of_memory(), *magic;
	bool found = false;

	*ret = (struct wp_walk_direct){0};
	if (!end)
		return false;
	magic = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (magic == MAP_FAILED)
		return false;
	if (getrandom(magic, wanted, 0) == (ssize_t)wanted)
		found = search_page(ask, arg, magic, end, ret);
	munmap(magic, bytes);
	return found;
}
