/* SPDX-License-Identifier: BSD-3-Clause */
/* elf_core: a core of two threads, whole and cut at every byte. */
#include "format/elf/elf_core.h"

#include "base/str.h"
#include "check.h"

#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>

#define CODE  0x401000
#define STACK 0x7ffc00000000

static void put(struct wp_str *out, const void *data, size_t n)
{
	wp_str_append(out, data, n);
}

static void put_u64(struct wp_str *out, uint64_t value)
{
	put(out, &value, sizeof(value));
}

static void put_note(struct wp_str *out, uint32_t type, const void *desc, size_t n)
{
	Elf64_Nhdr head = {5, (Elf64_Word)n, type};

	put(out, &head, sizeof(head));
	put(out, "CORE\0\0\0", 8);
	put(out, desc, n);
	wp_str_pad(out, '\0', (4 - n % 4) % 4);
}

static void put_status(struct wp_str *out, uint16_t signal, uint32_t tid, uint64_t orig_rax)
{
	uint8_t desc[336] = {0};
	uint64_t regs[27] = {0};

	for (uint64_t i = 0; i < WP_ARRAY_LEN(regs); i++)
		regs[i] = 0x100 + i;
	regs[15] = orig_rax;
	regs[16] = CODE + 7;
	regs[19] = STACK + 16;
	memcpy(desc + 12, &signal, sizeof(signal));
	memcpy(desc + 32, &tid, sizeof(tid));
	memcpy(desc + 112, regs, sizeof(regs));
	put_note(out, NT_PRSTATUS, desc, sizeof(desc));
}

static void put_notes(struct wp_str *out)
{
	wp_autostr struct wp_str files = {0};
	uint8_t info[136] = {0}, siginfo[128] = {11, 0, 0, 0, 0, 0, 0, 0, 1};
	uint64_t auxv[] = {AT_PHDR, CODE + 0x40, AT_NULL, 0}, fault = 0x10;
	uint32_t pid = 77;

	memcpy(info + 24, &pid, sizeof(pid));
	memcpy(info + 40, "app", 4);
	memcpy(info + 56, "app -x", 7);
	memcpy(siginfo + 16, &fault, sizeof(fault));
	put_u64(&files, 1);
	put_u64(&files, 4096);
	put_u64(&files, CODE);
	put_u64(&files, CODE + 0x1000);
	put_u64(&files, 2);
	put(&files, "/opt/app", 9);
	put_status(out, 11, 77, UINT64_MAX);
	put_note(out, NT_PRPSINFO, info, sizeof(info));
	put_note(out, NT_SIGINFO, siginfo, sizeof(siginfo));
	put_note(out, NT_AUXV, auxv, sizeof(auxv));
	put_note(out, NT_FILE, files.s, files.len);
	put_status(out, 11, 78, 202);
}

/* Notes, code that only the file has, and 32 bytes of a stack. */
static void make_core(struct wp_str *ret)
{
	wp_autostr struct wp_str notes = {0};
	Elf64_Ehdr head = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_CORE,
		.e_machine = EM_X86_64,
		.e_phoff = sizeof(head),
		.e_phentsize = sizeof(Elf64_Phdr),
		.e_phnum = 3,
	};
	uint64_t behind = sizeof(head) + 3 * sizeof(Elf64_Phdr);
	Elf64_Phdr p[3] = {
		{.p_type = PT_NOTE, .p_offset = behind},
		{.p_type = PT_LOAD, .p_flags = PF_X, .p_vaddr = CODE, .p_memsz = 0x1000},
		{.p_type = PT_LOAD, .p_vaddr = STACK, .p_filesz = 32, .p_memsz = 32},
	};

	put_notes(&notes);
	p[0].p_filesz = notes.len;
	p[2].p_offset = behind + notes.len;
	put(ret, &head, sizeof(head));
	put(ret, p, sizeof(p));
	put(ret, notes.s, notes.len);
	put(ret, "0123456789abcdef0123456789ABCDEF", 32);
}

static int open_core(const struct wp_str *core, size_t n)
{
	int fd = memfd_create("core", MFD_CLOEXEC);

	CHECK(fd >= 0 && write(fd, core->s, n) == (ssize_t)n);
	return fd;
}

static void check_threads(const struct wp_elf_core *core)
{
	CHECK_U64(core->threads.n, 2);
	CHECK_U64(core->threads.v[0].tid, 77);
	CHECK(!core->threads.v[0].in_call);
	CHECK_U64(core->threads.v[0].regs.r[16], CODE + 7);
	CHECK_U64(core->threads.v[0].regs.r[7], STACK + 16);
	CHECK_U64(core->threads.v[0].regs.r[6], 0x104); /* rbp */
	CHECK_U64(core->threads.v[0].pointer, 0x115);
	CHECK(core->threads.v[1].in_call);
	CHECK_U64((uint64_t)core->threads.v[1].call, 202);
	CHECK_U64(core->threads.v[1].args[0], 0x10e); /* rdi */
}

static void test_whole(void)
{
	wp_autostr struct wp_str bytes = {0};
	struct wp_elf_core core;
	char got[64] = "";

	make_core(&bytes);
	int fd = open_core(&bytes, bytes.len);
	CHECK(wp_elf_core_is(fd));
	CHECK(!wp_elf_core_read(fd, "core", &core));
	check_threads(&core);
	CHECK_U64(core.pid, 77);
	CHECK_STR(core.name, "app");
	CHECK_STR(core.command, "app -x");
	CHECK_U64(core.signal, 11);
	CHECK(core.has_address);
	CHECK_U64(core.address, 0x10);
	CHECK_U64(core.program, CODE + 0x40);
	CHECK_U64(core.missing, 0);
	CHECK_STR(wp_elf_core_file_at(&core, CODE + 0xfff)->path, "/opt/app");
	CHECK_U64(wp_elf_core_file_at(&core, CODE)->offset, 8192);
	CHECK(!wp_elf_core_file_at(&core, CODE + 0x1000));
	CHECK(wp_elf_core_segment_at(&core, CODE)->exec);
	CHECK_U64(wp_elf_core_memory(&core, CODE, got, 1), 0);
	CHECK_U64(wp_elf_core_memory(&core, STACK + 10, got, sizeof(got)), 22);
	CHECK_STR(got, "abcdef0123456789ABCDEF");
	CHECK_U64(wp_elf_core_memory(&core, STACK - 1, got, 1), 0);
	wp_elf_core_deinit(&core);
	close(fd);
}

/* Everything that can still be read is; what is missing is counted. */
static void test_cut(void)
{
	wp_autostr struct wp_str bytes = {0};
	struct wp_elf_core core;

	make_core(&bytes);
	for (size_t n = 0; n < bytes.len; n++) {
		int fd = open_core(&bytes, n);
		struct wp_err *err = wp_elf_core_read(fd, "core", &core);

		CHECK((err == NULL) == (n >= bytes.len - 32));
		CHECK_U64(core.missing, err ? core.missing : bytes.len - n);
		wp_err_free(err);
		wp_elf_core_deinit(&core);
		close(fd);
	}
}

int main(void)
{
	RUN(test_whole);
	RUN(test_cut);
	return check_done();
}
