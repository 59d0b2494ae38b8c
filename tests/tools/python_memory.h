/* SPDX-License-Identifier: BSD-3-Clause */
/* python_memory: a running process as plans of its interpreters see it, for tools of tests. */
#ifndef WP_PYTHON_MEMORY_H
#define WP_PYTHON_MEMORY_H

#include "core/record.h"
#include "format/elf/elf_image.h"
#include "runtime/python_build.h"

#include <sys/uio.h>

static inline bool read_memory(void *arg, uint64_t addr, void *ret, size_t n)
{
	struct iovec local = {ret, n}, remote = {(void *)(uintptr_t)addr, n};

	return process_vm_readv(*(pid_t *)arg, &local, 1, &remote, 1, 0) == (ssize_t)n;
}

/* Run-time minus linked address; false when the mapping is of no segment. */
static inline bool delta_of(int fd, const struct wp_record_map *map, uint64_t *ret)
{
	Elf *elf = wp_elf_open(fd);
	struct wp_elf_image image = {0};
	wp_autoerr struct wp_err *err = wp_elf_image_read(elf, &image);
	struct wp_rva rva;
	bool found = !err && wp_elf_image_rva(&image, map->pgoff, &rva);

	if (found)
		*ret = map->start.v - rva.v;
	wp_elf_image_deinit(&image);
	elf_end(elf);
	return found;
}

/* Whether the mapping is the interpreter, not a page of its file that libffi has mapped. */
static inline bool runs_in(const struct wp_python_build *build, const struct wp_record_map *map,
			   uint64_t delta)
{
	return wp_python_build_runs_in(build, map->start.v - delta, map->len);
}

#endif
