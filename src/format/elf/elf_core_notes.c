/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * elf_core_notes: see elf_core_notes.h. A thread's notes follow its NT_PRSTATUS; those of the
 * process stand behind that of the first thread.
 */
#include "format/elf/elf_core_notes.h"

#include "base/mem.h"

#include <elf.h>
#include <string.h>

#define THREADS_MAX (1u << 20)
#define FILES_MAX   (1u << 18)
#define PATH_BYTES  4096

/* struct elf_prstatus, 64-bit */
#define STATUS_SIGNAL 12 /* pr_cursig, 2 bytes */
#define STATUS_TID    32
#define STATUS_REGS   112
/* struct elf_prpsinfo, 64-bit */
#define INFO_PID     24
#define INFO_NAME    40
#define INFO_COMMAND 56
/* siginfo_t */
#define SIGINFO_SIGNAL	0
#define SIGINFO_ADDRESS 16

/* x86-64: struct user_regs_struct (sys/user.h) */
enum { X86_RAX = 10, X86_ORIG_RAX = 15, X86_RIP, X86_RSP = 19, X86_FS_BASE = 21, X86_WORDS = 27 };
/* arm64: struct user_pt_regs: x0 to x30, sp, pc, pstate */
#define ARM_WORDS 34
/* Not in every elf.h. */
#define NOTE_ARM_TLS 0x401

static void take_x86_regs(const uint8_t *words, struct wp_elf_core_thread *ret)
{
	/* By DWARF's number (System V ABI, AMD64 supplement, 3.6.2). */
	static const uint8_t word_of[] = {10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16};
	/* The arguments of a system call: rdi, rsi, rdx, r10, r8, r9. */
	static const uint8_t args[WP_ELF_CORE_ARGS] = {14, 13, 12, 7, 9, 8};

	for (size_t i = 0; i < WP_ARRAY_LEN(word_of); i++)
		ret->regs.r[i] = wp_u64_at(words + 8 * word_of[i]);
	ret->regs.valid = (1ull << WP_ARRAY_LEN(word_of)) - 1;
	ret->pointer = wp_u64_at(words + 8 * X86_FS_BASE);
	ret->call = (int64_t)wp_u64_at(words + 8 * X86_ORIG_RAX);
	ret->in_call = ret->call >= 0;
	for (size_t i = 0; i < WP_ELF_CORE_ARGS; i++)
		ret->args[i] = wp_u64_at(words + 8 * args[i]);
}

static void take_arm_regs(const uint8_t *words, struct wp_elf_core_thread *ret)
{
	for (size_t i = 0; i < WP_REGS_MAX; i++)
		ret->regs.r[i] = wp_u64_at(words + 8 * i);
	ret->regs.valid = (1ull << WP_REGS_MAX) - 1;
}

static void take_core_status(struct wp_elf_core *core, const uint8_t *desc, size_t n)
{
	size_t words = core->machine == EM_X86_64 ? X86_WORDS : ARM_WORDS;
	struct wp_elf_core_thread add = {0};

	if (n < STATUS_REGS + 8 * words || core->threads.n >= THREADS_MAX)
		return;
	add.tid = wp_u32_at(desc + STATUS_TID);
	/* The kernel says it of all threads. */
	if (!core->threads.n && !core->signal)
		core->signal = wp_u16_at(desc + STATUS_SIGNAL);
	if (core->machine == EM_X86_64)
		take_x86_regs(desc + STATUS_REGS, &add);
	else
		take_arm_regs(desc + STATUS_REGS, &add);
	wp_vec_push(&core->threads, add);
}

static void take_core_info(struct wp_elf_core *core, const uint8_t *desc, size_t n)
{
	if (n < INFO_COMMAND + sizeof(core->command) - 1)
		return;
	core->pid = wp_u32_at(desc + INFO_PID);
	memcpy(core->name, desc + INFO_NAME, sizeof(core->name) - 1);
	memcpy(core->command, desc + INFO_COMMAND, sizeof(core->command) - 1);
}

/* Only faults have an address: include/uapi/asm-generic/siginfo.h. */
static void take_core_siginfo(struct wp_elf_core *core, const uint8_t *desc, size_t n)
{
	enum { ILL = 4, BUS = 7, FPE = 8, SEGV = 11 };
	int32_t code;

	if (core->has_address || n < SIGINFO_ADDRESS + 8)
		return;
	core->signal = wp_u32_at(desc + SIGINFO_SIGNAL);
	code = (int32_t)wp_u32_at(desc + SIGINFO_SIGNAL + 8);
	core->address = wp_u64_at(desc + SIGINFO_ADDRESS);
	core->has_address = code > 0 && code < 0x80 /* SI_KERNEL */ &&
			    (core->signal == ILL || core->signal == BUS || core->signal == FPE ||
			     core->signal == SEGV);
}

/* Numbers, then as many paths: fs/binfmt_elf.c, fill_files_note(). */
static void take_core_files(struct wp_elf_core *core, const uint8_t *desc, size_t n)
{
	struct wp_bytes numbers = wp_bytes_of(desc, n), paths = numbers;
	uint64_t count = wp_bytes_u64(&numbers), page = wp_bytes_u64(&numbers);

	if (numbers.failed || count > FILES_MAX || page > 1u << 20)
		return;
	wp_bytes_seek(&paths, 16 + 24 * count);
	for (uint64_t i = 0; i < count; i++) {
		uint64_t start = wp_bytes_u64(&numbers), end = wp_bytes_u64(&numbers);
		uint64_t offset = wp_bytes_u64(&numbers);
		const char *path = wp_bytes_str(&paths, PATH_BYTES);

		if (numbers.failed || paths.failed)
			return;
		if (end <= start || offset > UINT64_MAX >> 20)
			continue;
		wp_vec_push(&core->files, (struct wp_elf_core_file){
						  .start = start,
						  .bytes = end - start,
						  .offset = offset * page,
						  .path = wp_arena_strdup(&core->arena, path),
					  });
	}
}

static void take_core_auxv(struct wp_elf_core *core, const uint8_t *desc, size_t n)
{
	struct wp_bytes b = wp_bytes_of(desc, n);

	while (wp_bytes_left(&b) >= 16) {
		uint64_t type = wp_bytes_u64(&b), value = wp_bytes_u64(&b);

		if (type == AT_PHDR)
			core->program = value;
	}
}

static void take_core_tls(struct wp_elf_core *core, const uint8_t *desc, size_t n)
{
	if (n >= 8 && core->threads.n && core->machine == EM_AARCH64)
		core->threads.v[core->threads.n - 1].pointer = wp_u64_at(desc);
}

static void take_core_note(struct wp_elf_core *core, uint32_t type, const uint8_t *desc, size_t n)
{
	switch (type) {
	case NT_PRSTATUS: take_core_status(core, desc, n); break;
	case NT_PRPSINFO: take_core_info(core, desc, n); break;
	case NT_SIGINFO: take_core_siginfo(core, desc, n); break;
	case NT_FILE: take_core_files(core, desc, n); break;
	case NT_AUXV: take_core_auxv(core, desc, n); break;
	case NOTE_ARM_TLS: take_core_tls(core, desc, n); break;
	default: break;
	}
}

void wp_elf_core_notes(struct wp_elf_core *core, struct wp_bytes notes)
{
	while (wp_bytes_left(&notes) >= 12) {
		uint32_t name_len = wp_bytes_u32(&notes), len = wp_bytes_u32(&notes);
		uint32_t type = wp_bytes_u32(&notes);
		const char *name = wp_bytes_take(&notes, ((uint64_t)name_len + 3) & ~3ull);
		const uint8_t *desc = wp_bytes_take(&notes, ((uint64_t)len + 3) & ~3ull);

		if (!name || !desc)
			return;
		/* "CORE", "LINUX"; others have numbers of their own. */
		if (name_len >= 5 &&
		    (memcmp(name, "CORE", 5) == 0 || memcmp(name, "LINUX", 5) == 0))
			take_core_note(core, type, desc, len);
	}
}
