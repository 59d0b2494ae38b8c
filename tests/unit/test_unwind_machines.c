/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The unwinder of both machines on made-up programs: an ELF file is written with hand-assembled
 * call frame information, a stack is laid out by hand.
 */
#include "check.h"
#include "eh_bytes.h"
#include "resolve/resolver.h"
#include "resolve/resolver_stack.h"

#include <elf.h>
#include <unistd.h>

static struct wp_processes processes;

#define BASE	0x7000000ull /* of the mapping */
#define SP	0x100000ull  /* of the stack's copy */
#define EH_ADDR ADDR
#define PID	424242
#define SIZE	0x6000
#define VDSO	0xf7f00000ull /* that of a process that is gone */

static char path[] = "/tmp/wp_unwind_machines_XXXXXX";

struct program {
	struct section eh;
	uint64_t stack[256];
	size_t words;
	struct wp_stack_regs regs;
	struct wp_resolver *resolver;
	struct wp_stack got;
};

static Elf64_Shdr section_header(uint32_t name, uint32_t type, uint64_t flags, uint64_t addr,
				 uint64_t size)
{
	return (Elf64_Shdr){.sh_name = name,
			    .sh_type = type,
			    .sh_flags = flags,
			    .sh_addr = addr,
			    .sh_offset = addr,
			    .sh_size = size,
			    .sh_addralign = 8};
}

/* Addresses are file positions; .text at 0x1000, .eh_frame at 0x4000. */
static void write_file(const struct section *eh, uint16_t machine)
{
	static uint8_t file[SIZE];
	const char names[] = "\0.text\0.eh_frame\0.shstrtab";
	Elf64_Shdr headers[] = {
		{0},
		section_header(1, SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 0x1000, 0x1000),
		section_header(7, SHT_PROGBITS, SHF_ALLOC, EH_ADDR, eh->n),
		section_header(17, SHT_STRTAB, 0, 0x400, sizeof(names)),
	};
	Elf64_Phdr load = {.p_type = PT_LOAD,
			   .p_flags = PF_R | PF_X,
			   .p_filesz = SIZE,
			   .p_memsz = SIZE,
			   .p_align = 0x1000};
	Elf64_Ehdr header = {.e_type = ET_DYN,
			     .e_machine = machine,
			     .e_version = 1,
			     .e_phoff = sizeof(header),
			     .e_shoff = 0x200,
			     .e_ehsize = sizeof(header),
			     .e_phentsize = sizeof(load),
			     .e_phnum = 1,
			     .e_shentsize = sizeof(headers[0]),
			     .e_shnum = 4,
			     .e_shstrndx = 3};

	memcpy(header.e_ident, "\177ELF\2\1\1", 7);
	memset(file, 0, sizeof(file));
	memcpy(file, &header, sizeof(header));
	memcpy(file + sizeof(header), &load, sizeof(load));
	memcpy(file + 0x200, headers, sizeof(headers));
	memcpy(file + 0x400, names, sizeof(names));
	memcpy(file + EH_ADDR, eh->bytes, eh->n);
	file[0x1090 - 5] = 0xe8; /* x86: a call ends in front of 0x1090 */
	FILE *out = fopen(path, "w");
	CHECK(out && fwrite(file, sizeof(file), 1, out) == 1 && fclose(out) == 0);
}

static void put_word(struct program *p, uint64_t word)
{
	p->stack[p->words++] = word;
}

static void pad_to(struct program *p, uint64_t addr)
{
	while (SP + p->words * 8 < addr)
		put_word(p, 0xdeadbeef00000000);
}

static void unwind(struct program *p, uint16_t machine)
{
	struct wp_resolver_options options = {.processes = &processes};
	struct wp_stack_raw raw = {
		.regs = &p->regs, .dump = (const uint8_t *)p->stack, .dump_bytes = p->words * 8};
	struct wp_record map = {.kind = WP_RECORD_MAP, .pid = PID};
	struct wp_record sample = {.kind = WP_RECORD_SAMPLE, .pid = PID};

	write_file(&p->eh, machine);
	map.map.start.v = BASE;
	map.map.len = SIZE;
	map.map.path = path;
	sample.sample.ip.v = p->regs.r[machine == EM_AARCH64 ? 32 : machine == EM_386 ? 8 : 16];
	sample.sample.stack = &raw;
	p->resolver = wp_resolver_new(&options);
	wp_processes_take(&processes, &map);
	if (machine == EM_386) {
		map.map.start.v = VDSO;
		map.map.len = 0x2000;
		map.map.path = "[vdso]";
		wp_processes_take(&processes, &map);
	}
	wp_resolver_stack(p->resolver, &sample, &p->got);
	wp_resolver_free(p->resolver);
	wp_processes_deinit(&processes);
}

static void check_frames(struct program *p, const struct wp_stack_frame *want, size_t n)
{
	CHECK_U64(p->got.n_user, n);
	for (size_t i = 0; i < n && i < p->got.n_user; i++) {
		CHECK_U64(p->got.frames[i].ip.v, want[i].ip.v);
		CHECK_U64(p->got.frames[i].sp, want[i].sp);
	}
}

#define CHECK_FRAMES(p, ...)                                          \
	check_frames(p, (struct wp_stack_frame[]){__VA_ARGS__},       \
		     sizeof((struct wp_stack_frame[]){__VA_ARGS__}) / \
			     sizeof(struct wp_stack_frame))
#define AT(rva, sp)                \
	{                          \
		{BASE + (rva)}, sp \
	}
#define SIGNED(rva)   ((BASE + (rva)) | 0x00a5000000000000ull)
#define ARM_CIE(s)    PUT_CIE(s, 1, 'z', 'R', 0, 4, 0x78, 30, 1, 0x1b, 0x0c, 31, 0)
#define ARM_SIGNAL(s) PUT_CIE(s, 1, 'z', 'R', 'S', 0, 4, 0x78, 30, 1, 0x1b, 0x0c, 31, 0)

/* Leaf functions in front of the signal handler's frames and behind them; signed addresses. */
static void test_arm64(void)
{
	struct program p = {0};

	ARM_CIE(&p.eh);
	PUT_FDE(&p.eh, 0x1000, 0x20, 0);				/* leaf */
	PUT_FDE(&p.eh, 0x1020, 0x20, 0x2d, 0x0e, 32, 0x9d, 4, 0x9e, 3); /* by sp */
	PUT_FDE(&p.eh, 0x1040, 0x20, 0x0c, 29, 48, 0x9d, 6, 0x9e, 5);	/* by x29 */
	PUT_FDE(&p.eh, 0x10c0, 0x20, 0x07, 30);				/* outermost */
	ARM_SIGNAL(&p.eh);
	PUT_FDE(&p.eh, 0x1080, 0x20, 0);
	p.regs.valid = (1ull << 33) - 1;
	p.regs.r[32] = BASE + 0x1008;
	p.regs.r[31] = SP;
	p.regs.r[30] = SIGNED(0x1030);
	p.regs.r[29] = SP + 48;
	put_word(&p, SP + 48), put_word(&p, SIGNED(0x1050)); /* of 0x1030: x29, x30 */
	pad_to(&p, SP + 48);				     /* of 0x1050, whose x29 is here */
	put_word(&p, 0x1234), put_word(&p, BASE + 0x1081);
	pad_to(&p, SP + 96); /* rt_sigframe */
	pad_to(&p, SP + 96 + 544);
	uint64_t below = SP + 96 + 544 + 32;
	put_word(&p, 0x5678), put_word(&p, SIGNED(0x10c4)), put_word(&p, below);
	put_word(&p, BASE + 0x1000);
	unwind(&p, EM_AARCH64);
	CHECK_U64(p.got.end, WP_STACK_COMPLETE);
	CHECK_FRAMES(&p, AT(0x1008, SP), AT(0x1030, SP), AT(0x1050, SP + 32), AT(0x1081, SP + 96),
		     AT(0x1000, below), AT(0x10c4, below));
}

/* Only the innermost function can have its return address in lr. */
static void test_arm64_without_lr(void)
{
	struct program p = {0};

	ARM_CIE(&p.eh);
	PUT_FDE(&p.eh, 0x1000, 0x20, 0);
	p.regs.valid = (1ull << 33) - 1;
	p.regs.r[32] = BASE + 0x1008;
	p.regs.r[31] = SP;
	p.regs.r[30] = BASE + 0x1004;
	put_word(&p, 0);
	unwind(&p, EM_AARCH64);
	CHECK_U64(p.got.end, WP_STACK_UNREADABLE);
	CHECK_U64(p.got.n_user, 2);
}

static void x86_regs(struct program *p, uint64_t rva, uint64_t fp)
{
	p->regs.valid = 1 << 6 | 1 << 7 | 1 << 16;
	p->regs.r[16] = BASE + rva;
	p->regs.r[7] = SP;
	p->regs.r[6] = fp;
}

/* A frame pointer that nobody told: its own frame has no caller, until a frame that saved it. */
static void test_x86_without_fp(void)
{
	struct program p = {0};

	X86_CIE(&p.eh);
	PUT_FDE(&p.eh, 0x1020, 0x20, 0);
	PUT_FDE(&p.eh, 0x1060, 0x20, PUSH_RBP, MOV_RBP);
	x86_regs(&p, 0x1024, 0);
	p.regs.valid &= ~(1ull << 6);
	put_word(&p, BASE + 0x1070); /* not saved by the function at 0x1020 */
	put_word(&p, 0), put_word(&p, BASE + 0x1030);
	unwind(&p, EM_X86_64);
	CHECK_FRAMES(&p, AT(0x1024, SP), AT(0x1070, SP + 8));
	CHECK_U64(p.got.end, WP_STACK_UNREADABLE);

	p = (struct program){0};
	X86_CIE(&p.eh);
	PUT_FDE(&p.eh, 0x1020, 0x20, 0);
	PUT_FDE(&p.eh, 0x1060, 0x20, PUSH_RBP, MOV_RBP);
	x86_regs(&p, 0x1061, 0); /* behind the push, in front of the move */
	p.regs.valid &= ~(1ull << 6);
	put_word(&p, SP + 32), put_word(&p, BASE + 0x1070);
	pad_to(&p, SP + 32);
	put_word(&p, 0), put_word(&p, BASE + 0x1070); /* the saved one is 0: the outermost frame */
	unwind(&p, EM_X86_64);
	CHECK_FRAMES(&p, AT(0x1061, SP), AT(0x1070, SP + 16), AT(0x1070, SP + 48));
	CHECK_U64(p.got.end, WP_STACK_COMPLETE);
}

static void test_x86_kinds(void)
{
	struct program p = {0};

	X86_CIE(&p.eh);
	PUT_FDE(&p.eh, 0x1000, 0x20, 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x33, 0x24,
		0x22);							/* PLT */
	PUT_FDE(&p.eh, 0x1020, 0x20, 0x0f, 5, 0x77, 16, 0x06, 0x23, 8); /* word at sp + 16 */
	PUT_FDE(&p.eh, 0x1040, 0x20, 0x10, 6, 2, 0x76, 0, 0x0f, 3, 0x76, 0x78, 0x06);
	PUT_FDE(&p.eh, 0x1060, 0x20, PUSH_RBP, MOV_RBP);
	PUT_FDE(&p.eh, 0x10c0, 0x20, 0x07, 16);
	PUT_CIE(&p.eh, 1, 'z', 'R', 'S', 0, 1, 0x78, 16, 1, 0x1b);
	PUT_FDE(&p.eh, 0x1080, 0x20, 0);
	x86_regs(&p, 0x101c, SP + 80); /* in a PLT entry, the index pushed */
	put_word(&p, 7), put_word(&p, BASE + 0x1030);
	/* 0x1030 at SP + 16: the sp of its entry is at + 16 */
	put_word(&p, 1), put_word(&p, 2), put_word(&p, SP + 48), put_word(&p, 3);
	put_word(&p, BASE + 0x1050); /* SP + 48; cfa SP + 56 */
	/* 0x1050: fp is SP + 80, where the caller's is; the cfa lies at fp - 8 */
	pad_to(&p, SP + 72);
	put_word(&p, SP + 112), put_word(&p, SP + 128), put_word(&p, 0);
	put_word(&p, BASE + 0x1070); /* SP + 96: a copy that gcc makes */
	put_word(&p, BASE + 0x1070); /* SP + 104 */
	/* 0x1070: sp SP + 112, fp SP + 128 */
	pad_to(&p, SP + 128);
	put_word(&p, 0x99), put_word(&p, BASE + 0x1081); /* SP + 128, 136; a signal's trampoline */
	pad_to(&p, SP + 144 + 120);
	put_word(&p, 0x77);
	pad_to(&p, SP + 144 + 160);
	uint64_t below = SP + 144 + 200;
	put_word(&p, below),
		put_word(&p, BASE + 0x1060); /* its first instruction was interrupted */
	pad_to(&p, below);
	put_word(&p, BASE + 0x10c1);
	unwind(&p, EM_X86_64);
	CHECK_U64(p.got.end, WP_STACK_COMPLETE);
	CHECK_FRAMES(&p, AT(0x101c, SP), AT(0x1030, SP + 16), AT(0x1050, SP + 56),
		     AT(0x1070, SP + 112), AT(0x1081, SP + 144), AT(0x1060, below),
		     AT(0x10c1, below + 8));
}

/* A handler on a stack of its own, above and below the one that it interrupted. */
static void test_x86_other_stack(void)
{
	const uint64_t others[] = {0x10000, 0x900000};

	for (size_t i = 0; i < WP_ARRAY_LEN(others); i++) {
		struct program p = {0};

		X86_CIE(&p.eh);
		PUT_FDE(&p.eh, 0x1060, 0x20, 0);
		PUT_CIE(&p.eh, 1, 'z', 'R', 'S', 0, 1, 0x78, 16, 1, 0x1b);
		PUT_FDE(&p.eh, 0x1080, 0x20, 0);
		x86_regs(&p, 0x1064, 0);
		put_word(&p, BASE + 0x1081);
		pad_to(&p, SP + 8 + 160);
		put_word(&p, others[i]), put_word(&p, BASE + 0x1070);
		unwind(&p, EM_X86_64);
		CHECK_U64(p.got.end, WP_STACK_CUT);
		CHECK_FRAMES(&p, AT(0x1064, SP), AT(0x1081, SP + 8), AT(0x1070, others[i]));
	}
}

static void test_x86_nonsense(void)
{
	struct program p = {0};

	X86_CIE(&p.eh);
	PUT_FDE(&p.eh, 0x1000, 0x20, 0x0f, 3, 0x76, 0, 0x06); /* the cfa at fp */
	PUT_FDE(&p.eh, 0x1020, 0x20, 0x0c, 6, 16);
	x86_regs(&p, 0x1004, SP);
	put_word(&p, SP - 64); /* backwards */
	unwind(&p, EM_X86_64);
	CHECK_U64(p.got.end, WP_STACK_UNREADABLE);
	x86_regs(&p, 0x1024, 0x1001); /* not aligned */
	unwind(&p, EM_X86_64);
	CHECK_U64(p.got.end, WP_STACK_UNREADABLE);
	x86_regs(&p, 0x1044, 0); /* a gap */
	unwind(&p, EM_X86_64);
	CHECK_U64(p.got.end, WP_STACK_NO_RULE);
	CHECK_U64(p.got.n_user, 1);
}

/* Two words of 4 bytes. */
static void put_two(struct program *p, uint32_t first, uint32_t second)
{
	put_word(p, (uint64_t)second << 32 | first);
}

/* By esp that is no multiple of 8, by ebp, a signal frame, by ebp without a rule, the outermost. */
static void test_x86_32(void)
{
	struct program p = {.regs = {.x86 = true}};
	const uint32_t base = (uint32_t)BASE, sp = (uint32_t)SP;

	PUT_CIE(&p.eh, 1, 'z', 'R', 0, 1, 0x7c, 8, 1, 0x1b, 0x0c, 4, 4, 0x88, 1);
	PUT_FDE(&p.eh, 0x1000, 0x20, 0x0e, 8);
	PUT_FDE(&p.eh, 0x1020, 0x20, 0x0c, 5, 8, 0x85, 2);
	PUT_FDE(&p.eh, 0x1080, 0x20, 0x07, 8); /* eip undefined */
	PUT_CIE(&p.eh, 1, 'z', 'R', 'S', 0, 1, 0x7c, 8, 1, 0x1b);
	PUT_FDE(&p.eh, 0x103f, 0x10, 0x0f, 3, 0x74, 32, 0x06);
	p.regs.r[8] = BASE + 0x1004;
	p.regs.r[4] = SP;
	p.regs.r[5] = SP + 16;
	p.regs.valid = 1 << 4 | 1 << 5 | 1 << 8;
	put_two(&p, 0, base + 0x1030);
	put_two(&p, 0, 0);
	put_two(&p, sp + 24, base + 0x1040);
	/* the signal's number, then sigcontext: ebp, esp, eip */
	while (p.words < 20)
		put_word(&p, 0);
	memcpy((uint8_t *)p.stack + 24 + 4 + 24, &(uint32_t){sp + 124}, 4);
	memcpy((uint8_t *)p.stack + 24 + 4 + 28, &(uint32_t){sp + 116}, 4);
	memcpy((uint8_t *)p.stack + 24 + 4 + 56, &(uint32_t){base + 0x1064}, 4);
	memcpy((uint8_t *)p.stack + 128, &(uint32_t){base + 0x1090}, 4);
	unwind(&p, EM_386);
	CHECK_FRAMES(&p, {{BASE + 0x1004}, SP}, {{BASE + 0x1030}, SP + 8},
		     {{BASE + 0x1040}, SP + 24}, {{BASE + 0x1064}, SP + 116},
		     {{BASE + 0x1090}, SP + 132});
	CHECK_U64(p.got.end, WP_STACK_COMPLETE);
	/* the same file as one of 64 bits: its rules count in other words */
	p.regs.x86 = false;
	p.regs.r[16] = p.regs.r[8];
	p.regs.r[7] = SP;
	p.regs.valid = 1 << 7 | 1 << 16;
	unwind(&p, EM_386);
	CHECK_U64(p.got.n_user, 1);
	CHECK_U64(p.got.end, WP_STACK_NO_RULE);
}

/* x86's vdso that cannot be read: a system call in it, and what a signal handler returns to. */
static void test_x86_vdso(void)
{
	struct program p = {.regs = {.x86 = true, .valid = 1 << 4 | 1 << 5 | 1 << 8}};
	const uint32_t base = (uint32_t)BASE, sp = (uint32_t)SP;
	uint8_t *stack = (uint8_t *)p.stack;

	PUT_CIE(&p.eh, 1, 'z', 'R', 0, 1, 0x7c, 8, 1, 0x1b, 0x0c, 4, 4, 0x88, 1);
	PUT_FDE(&p.eh, 0x1080, 0x20, 0x44); /* in the middle of it, nothing is pushed */
	p.regs.r[8] = VDSO + 0x5e9;
	p.regs.r[4] = SP;
	p.words = 40;
	memcpy(stack, &(uint32_t){sp + 200}, 4); /* ebp, edx, ecx */
	memcpy(stack + 12, &(uint32_t){base + 0x1090}, 4);
	memcpy(stack + 16, &(uint32_t){(uint32_t)VDSO + 0x600}, 4);
	/* the signal's number, then sigcontext: esp, eip, cs */
	memcpy(stack + 24 + 28, &(uint32_t){sp + 160}, 4);
	memcpy(stack + 24 + 56, &(uint32_t){base + 0x1090}, 4);
	memcpy(stack + 24 + 60, &(uint32_t){0x23}, 4);
	memcpy(stack + 160, &(uint32_t){base + 0x1000}, 4);
	unwind(&p, EM_386);
	CHECK_FRAMES(&p, {{VDSO + 0x5e9}, SP}, {{BASE + 0x1090}, SP + 16},
		     {{VDSO + 0x600}, SP + 20}, {{BASE + 0x1090}, SP + 160},
		     {{BASE + 0x1000}, SP + 164});
	CHECK_U64(p.got.end, WP_STACK_NO_RULE);
}

/* Code in memory without a file: frame pointers, as long as they can be ones. */
static void test_jit_code(void)
{
	struct wp_resolver_options options = {.processes = &processes};
	uint64_t words[] = {0, SP + 48, 0x5000100, 0, 0, 0, 0x3, 0x5000200, 0};
	struct wp_stack_regs regs = {.valid = 1 << 6 | 1 << 7 | 1 << 16};
	struct wp_stack_raw raw = {
		.regs = &regs, .dump = (const uint8_t *)words, .dump_bytes = sizeof(words)};
	struct wp_record map = {.kind = WP_RECORD_MAP, .pid = PID};
	struct wp_record sample = {.kind = WP_RECORD_SAMPLE, .pid = PID};
	struct wp_resolver *resolver = wp_resolver_new(&options);
	static struct wp_stack got;

	map.map.start.v = 0x5000000;
	map.map.len = 0x1000;
	map.map.path = "//anon";
	wp_processes_take(&processes, &map);
	regs.r[16] = sample.sample.ip.v = 0x5000080;
	regs.r[7] = SP;
	regs.r[6] = SP + 8;
	sample.sample.stack = &raw;
	wp_resolver_stack(resolver, &sample, &got);
	CHECK_U64(got.n_user, 3);
	CHECK_U64(got.frames[1].ip.v, 0x5000100);
	CHECK_U64(got.frames[1].sp, SP + 24);
	CHECK_U64(got.frames[2].sp, SP + 64);
	CHECK_U64(got.end, WP_STACK_NO_RULE);
	wp_resolver_free(resolver);
	wp_processes_deinit(&processes);
}

int main(void)
{
	int fd = mkstemp(path);

	setenv("XDG_CACHE_HOME", "/proc/none", 1);
	if (fd < 0)
		return 2;
	close(fd);
	RUN(test_arm64);
	RUN(test_arm64_without_lr);
	RUN(test_x86_without_fp);
	RUN(test_x86_kinds);
	RUN(test_x86_other_stack);
	RUN(test_x86_nonsense);
	RUN(test_x86_32);
	RUN(test_x86_vdso);
	RUN(test_jit_code);
	unlink(path);
	return check_done();
}
