/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_elf_core: a core file; its memory is read at each thread's stack and at each segment. */
#include "format/elf/elf_core.h"

#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void read_around(const struct wp_elf_core *core, uint64_t addr)
{
	const struct wp_elf_core_file *file = wp_elf_core_file_at(core, addr);
	uint8_t got[64];

	if (wp_elf_core_memory(core, addr, got, sizeof(got)) > sizeof(got) ||
	    (file && addr - file->start >= file->bytes))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd = scratch_file(data, size);
	struct wp_elf_core core;
	struct wp_err *err = wp_elf_core_read(fd, "fuzzed", &core);

	wp_vec_each (struct wp_elf_core_thread, thread, &core.threads)
		read_around(&core, thread->regs.r[7]);
	wp_vec_each (struct wp_elf_core_segment, segment, &core.segments)
		read_around(&core, segment->start + segment->bytes / 2);
	wp_err_free(err);
	wp_elf_core_deinit(&core);
	close(fd);
	return 0;
}
