/* SPDX-License-Identifier: BSD-3-Clause */
/* python_like: by what an interpreter is found again: in the program, in a library, and where
 * nothing says. */
#include "runtime/python_like.h"

#include "check.h"

#include <elf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PROGRAM	    0x10000 /* where it is mapped, in a memory of so many bytes */
#define BYTES	    0x8000
#define DYNAMIC	    0x200 /* linked addresses */
#define LOOP	    0x1000
#define LINKS	    0x3000
#define LIBRARY	    0x14000
#define LIB_DYNAMIC 0x800

static uint8_t image[BYTES];

static bool read_image(void *arg, uint64_t addr, void *ret, size_t n)
{
	(void)arg;
	if (addr < PROGRAM || n > BYTES || addr - PROGRAM > BYTES - n)
		return false;
	memcpy(ret, image + (addr - PROGRAM), n);
	return true;
}

static const struct wp_memory memory = {.read = read_image};
static const struct wp_python_build build = {.layout = {.eval_start = LOOP}};
static const struct wp_python_program program = {.phdr = PROGRAM + 0x40, .phnum = 2};

static void put(uint64_t at, const void *bytes, size_t n)
{
	memcpy(image + at, bytes, n);
}

static void put_word(uint64_t at, uint64_t word)
{
	put(at, &word, sizeof(word));
}

/* struct link_map number i. */
static void put_link(int i, uint64_t delta, uint64_t dynamic, bool more)
{
	uint64_t at = LINKS + 0x100 + (uint64_t)i * 32;

	put_word(at, delta);
	put_word(at + 16, dynamic);
	put_word(at + 24, more ? PROGRAM + at + 32 : 0);
}

static void make(void)
{
	Elf64_Phdr headers[] = {{.p_type = PT_PHDR, .p_vaddr = 0x40},
				{.p_type = PT_DYNAMIC, .p_vaddr = DYNAMIC}};
	Elf64_Dyn dynamic[] = {{.d_tag = DT_NEEDED}, {.d_tag = DT_DEBUG}, {.d_tag = DT_NULL}};

	memset(image, 0, sizeof(image));
	dynamic[1].d_un.d_ptr = PROGRAM + LINKS;
	put(0x40, headers, sizeof(headers));
	put(DYNAMIC, dynamic, sizeof(dynamic));
	put_word(LINKS + WP_PYTHON_DEBUG_MAP, PROGRAM + LINKS + 0x100);
	put_link(0, PROGRAM, PROGRAM + DYNAMIC, true);
	put_link(1, LIBRARY, LIBRARY + LIB_DYNAMIC, false);
	put_word(LOOP, 0x1122334455667788);
	put_word(LIBRARY - PROGRAM + LOOP, 0x99);
}

static bool like_of(uint64_t delta, struct wp_python_like *ret)
{
	return wp_python_like_make(&build, delta, &program, &memory, ret);
}

static void test_in_program(void)
{
	struct wp_python_like like;

	make();
	CHECK(like_of(PROGRAM, &like));
	CHECK_U64(like.delta, PROGRAM);
	CHECK_U64(like.debug, 0);
	CHECK_U64(like.proof_at, PROGRAM + LOOP);
	CHECK_U64(like.proof[0], 0x1122334455667788);
}

static void test_in_library(void)
{
	struct wp_python_like like;

	make();
	CHECK(like_of(LIBRARY, &like));
	CHECK_U64(like.debug, PROGRAM + DYNAMIC + sizeof(Elf64_Dyn) + 8);
	CHECK_U64(like.dynamic, LIB_DYNAMIC);
	CHECK_U64(like.proof[0], 0x99);
	CHECK(!like_of(LIBRARY + 0x1000, &like)); /* dlopen()ed: not in the list when it began */
}

/* _PyRuntime's first bytes never change and are there before anything runs. */
static void test_cookie(void)
{
	struct wp_python_build newer = build;
	struct wp_python_like like;

	make();
	newer.cookie = LOOP + 0x100;
	put_word(LOOP + 0x100, 0x77);
	CHECK(wp_python_like_make(&newer, PROGRAM, &program, &memory, &like));
	CHECK_U64(like.proof_at, PROGRAM + LOOP + 0x100);
	CHECK_U64(like.proof[0], 0x77);
}

static void test_nothing(void)
{
	struct wp_python_build no_loop = {0}, far = {.layout = {.eval_start = 0x100000}};
	struct wp_python_program none = {.phdr = 0x40, .phnum = UINT64_MAX};
	struct wp_python_like like;

	make();
	CHECK(!wp_python_like_make(&no_loop, PROGRAM, &program, &memory, &like));
	CHECK(!wp_python_like_make(&far, PROGRAM, &program, &memory, &like));
	CHECK(!wp_python_like_make(&build, PROGRAM, &none, &memory, &like));
	/* A list that goes in circles, and one that leads nowhere. */
	put_word(LINKS + 0x100 + 24, PROGRAM + LINKS + 0x100);
	CHECK(!like_of(LIBRARY, &like));
	put_word(LINKS + 0x100 + 24, 8);
	CHECK(!like_of(LIBRARY, &like));
	/* A dynamic section without an end. */
	for (uint64_t at = DYNAMIC; at + 16 <= BYTES; at += 16)
		put_word(at, DT_NEEDED);
	CHECK(!like_of(LIBRARY, &like));
}

#define LINKED 0x400000 /* address of the first byte of a file of BYTES */

/* A file whose code begins at `code`; -1: no memory. */
static int make_file(uint64_t code)
{
	Elf64_Ehdr head = {
		.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB,
			    EV_CURRENT},
		.e_type = ET_EXEC,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_phoff = sizeof(Elf64_Ehdr),
		.e_phnum = 3,
		.e_phentsize = sizeof(Elf64_Phdr),
	};
	Elf64_Phdr headers[] = {
		{.p_type = PT_LOAD, .p_flags = PF_R, .p_vaddr = LINKED, .p_filesz = BYTES},
		{.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = code, .p_filesz = 0x100},
		{.p_type = PT_DYNAMIC, .p_vaddr = LINKED + DYNAMIC, .p_offset = DYNAMIC},
	};
	int fd = memfd_create("like", MFD_CLOEXEC);

	for (int i = 0; i < 3; i++)
		headers[i].p_memsz = headers[i].p_filesz;
	headers[1].p_offset = code - LINKED;
	make();
	put(0, &head, sizeof(head));
	put(sizeof(head), headers, sizeof(headers));
	if (fd >= 0 && write(fd, image, BYTES) == BYTES)
		return fd;
	return -1;
}

/* What is found of files is what is found of processes, less where these are. */
static void test_files(void)
{
	struct wp_python_build linked = {.layout = {.eval_start = LINKED + LOOP}};
	int file = make_file(LINKED + 0x2000), library = make_file(LINKED + 0x3000);
	struct wp_python_like like;
	uint64_t code;

	CHECK(file >= 0 && library >= 0);
	CHECK(wp_python_like_of_files(&linked, file, file, &like, &code));
	CHECK_U64(code, LINKED + 0x2000);
	CHECK(like.delta == 0 && like.debug == 0 && like.dynamic == 0);
	CHECK_U64(like.proof_at, LINKED + LOOP);
	CHECK_U64(like.proof[0], 0x1122334455667788);
	CHECK(wp_python_like_of_files(&linked, file, library, &like, &code));
	CHECK_U64(like.debug, LINKED + DYNAMIC + sizeof(Elf64_Dyn) + 8);
	CHECK_U64(like.dynamic, LINKED + DYNAMIC);
	CHECK_U64(code, LINKED + 0x2000 - like.debug);
	linked.layout.eval_start = LINKED + BYTES;
	CHECK(!wp_python_like_of_files(&linked, file, library, &like, &code));
	CHECK(ftruncate(file, 20) == 0);
	CHECK(!wp_python_like_of_files(&linked, file, library, &like, &code));
	close(file);
	close(library);
}

int main(void)
{
	RUN(test_in_program);
	RUN(test_in_library);
	RUN(test_cookie);
	RUN(test_nothing);
	RUN(test_files);
	return check_done();
}
