/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_libc: what a libc file tells of its threads (see wp_python_libc in python_build.h).
 *
 * Runtime stage. glibc describes struct pthread to libthread_db: _thread_db_pthread_specific is
 * {bits, elements, offset} of its `specific`, and _thread_db_pthread_tid that of the kernel's id of
 * the thread (nptl_db/structs.def, nptl_db/db_info.c). x86-64's thread pointer is the address of
 * struct pthread; on AArch64 the structure ends there (sysdeps/aarch64/nptl/tls.h), as does musl's
 * (arch/aarch64/pthread_arch.h), whose size only the code of pthread_self() tells.
 */
#include "runtime/python_build.h"
#include "runtime/python_elf.h"

#include <endian.h>

#define FIRST_LEVEL 32 /* pointers in `specific`: PTHREAD_KEY_1STLEVEL_SIZE */
#define MAX_PTHREAD (1u << 16)

static bool read_u32(const struct wp_python_elf *elf, uint64_t addr, uint32_t *ret)
{
	uint32_t word;

	if (!wp_python_elf_read(elf, addr, &word, sizeof(word)))
		return false;
	*ret = le32toh(word);
	return true;
}

/* The offset of `specific` in struct pthread. */
static bool read_specific(const struct wp_python_elf *elf, uint64_t addr, uint32_t *ret)
{
	uint32_t bits, elements, offset;

	if (!addr || !read_u32(elf, addr, &bits) || !read_u32(elf, addr + 4, &elements) ||
	    !read_u32(elf, addr + 8, &offset))
		return false;
	/* The array is told as one element of all its bits, or as its elements. */
	if ((uint64_t)bits * elements != FIRST_LEVEL * 64 || offset % 8 || offset >= MAX_PTHREAD)
		return false;
	*ret = offset;
	return true;
}

/* The offset of `tid`; 0 (where struct pthread has its own address): not told. */
static uint32_t read_tid(const struct wp_python_elf *elf, uint64_t addr)
{
	uint32_t bits, elements, offset;

	if (!addr || !read_u32(elf, addr, &bits) || !read_u32(elf, addr + 4, &elements) ||
	    !read_u32(elf, addr + 8, &offset))
		return 0;
	return bits == 32 && elements == 1 && offset % 4 == 0 && offset < MAX_PTHREAD ? offset : 0;
}

/* bti c (or none); mrs x0, tpidr_el0; sub x0, x0, #imm; ret */
static bool read_self(const struct wp_python_elf *elf, uint64_t addr, uint32_t *ret)
{
	uint32_t word[4];

	for (size_t i = 0; i < WP_ARRAY_LEN(word); i++)
		if (!addr || !read_u32(elf, addr + 4 * i, &word[i]))
			return false;
	const uint32_t *at = word[0] == 0xd503245f ? word + 1 : word;
	if (at[0] != 0xd53bd040 || (at[1] & 0xffc003ff) != 0xd1000000 || at[2] != 0xd65f03c0)
		return false;
	*ret = at[1] >> 10 & 0xfff;
	return *ret != 0;
}

static bool read_libc(const struct wp_python_elf *elf, struct wp_python_libc *ret)
{
	bool aarch64 = elf->image.machine == EM_AARCH64;
	struct wp_python_symbol symbols[] = {{.name = "_thread_db_pthread_specific"},
					     {.name = "_thread_db_sizeof_pthread"},
					     {.name = "pthread_self"},
					     {.name = "gnu_get_libc_version"},
					     {.name = "_thread_db_pthread_tid"}};
	uint32_t specific, tid, size = 0;

	wp_python_elf_find(elf, symbols, WP_ARRAY_LEN(symbols));
	if (!read_specific(elf, symbols[0].addr, &specific)) {
		/* glibc up to 2.33 tells in libpthread.so. */
		if (!aarch64 || symbols[0].addr || symbols[3].addr ||
		    !read_self(elf, symbols[2].addr, &size))
			return false;
		*ret = (struct wp_python_libc){.thread_id_bias = -(int32_t)size};
		return true;
	}
	if (aarch64 && (!symbols[1].addr || !read_u32(elf, symbols[1].addr, &size) ||
			size <= specific || size > MAX_PTHREAD))
		return false;
	tid = read_tid(elf, symbols[4].addr);
	*ret = (struct wp_python_libc){
		.tsd = (int32_t)specific - (int32_t)size,
		.thread_id_bias = -(int32_t)size,
		.tid = tid ? (int32_t)tid - (int32_t)size : 0,
	};
	return true;
}

bool wp_python_libc_read(int fd, struct wp_python_libc *ret)
{
	struct wp_python_elf elf;
	bool tells;

	if (!wp_python_elf_open(fd, &elf))
		return false;
	tells = read_libc(&elf, ret);
	wp_python_elf_close(&elf);
	return tells;
}
