/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_core_data: what a core file says; see elf_core.h. */
#ifndef WP_ELF_CORE_DATA_H
#define WP_ELF_CORE_DATA_H

#include "base/arena.h"
#include "base/vec.h"
#include "core/stack.h"

#include <stdbool.h>
#include <stdint.h>

#define WP_ELF_CORE_ARGS 6

struct wp_elf_core_thread {
	uint32_t tid;
	struct wp_stack_regs regs;
	uint64_t pointer; /* its thread pointer; 0: not known */
	bool in_call;	  /* it was in that system call; told on x86-64 only */
	int64_t call;
	uint64_t args[WP_ELF_CORE_ARGS];
};

/* A range of memory that the process had mapped. */
struct wp_elf_core_segment {
	uint64_t start, bytes;
	uint64_t offset, in_file; /* where in the core its first bytes are, and how many */
	bool exec;
};

/* A part of a file that the process had mapped. */
struct wp_elf_core_file {
	uint64_t start, bytes, offset;
	const char *path;
};

/* All-zero is empty. */
struct wp_elf_core {
	int fd; /* borrowed */
	uint16_t machine;
	uint32_t pid;
	char name[16 + 1], command[80 + 1]; /* any bytes */
	uint32_t signal; /* that ended it; 0: none, as in a core that gcore made */
	bool has_address;
	uint64_t address; /* that a fault was at */
	uint64_t program; /* an address of the file that was executed; 0: not known */
	uint64_t missing; /* bytes that the file should have */
	WP_VEC(struct wp_elf_core_thread) threads;   /* the one that ended it first */
	WP_VEC(struct wp_elf_core_segment) segments; /* by address */
	WP_VEC(struct wp_elf_core_file) files;	     /* by address */
	struct wp_arena arena;
};

#endif
