/* SPDX-License-Identifier: BSD-3-Clause */
/* Disassembly, and the bytes and sections of ELF files (this program's own). */
#include "check.h"

#include "base/str.h"
#include "format/elf/elf_sections.h"
#include "resolve/lines/disasm.h"
#include "resolve/lines/elf_code.h"

#include <fcntl.h>
#include <unistd.h>

static void collect(void *arg, const struct wp_instruction *instruction)
{
	static const char *const flows[] = {"", " jump", " call"};

	wp_str_printf(arg, "%llx %s%s", (unsigned long long)instruction->address.v,
		      instruction->text, flows[instruction->flow]);
	if (instruction->has_target)
		wp_str_printf(arg, " to %llx", (unsigned long long)instruction->target.v);
	wp_str_putc(arg, '\n');
}

static void check_style(const char *arch, enum wp_disasm_style style, const char *bytes, size_t n,
			const char *want)
{
	wp_autostr struct wp_str text = {0};
	struct wp_disasm *disasm;

	CHECK_OK(wp_disasm_open(arch, style, &disasm));
	wp_disasm_run(disasm, (const uint8_t *)bytes, n, (struct wp_rva){0x1000}, collect, &text);
	CHECK_STR(text.s ? text.s : "", want);
	wp_disasm_close(disasm);
}

static void check_code(const char *arch, const char *bytes, size_t n, const char *want)
{
	check_style(arch, WP_DISASM_ATT, bytes, n, want);
}

static void test_styles(void)
{
	check_style("x86_64", WP_DISASM_INTEL, "\x48\x89\xe5\x48\x8b\x05\x10\x00\x00\x00\xc3", 11,
		    "1000 mov   rbp, rsp\n1003 mov   rax, qword ptr [rip + 0x10]\n100a ret\n");
	check_style("x86_64", WP_DISASM_INTEL, "\x75\xfe\xe8\x00\x01\x00\x00", 7,
		    "1000 jne   0x1000 jump to 1000\n1002 call  0x1107 call to 1107\n");
	check_style("aarch64", WP_DISASM_INTEL, "\xe0\x03\x01\xaa", 4, "1000 mov   x0, x1\n");
}

static void test_disasm(void)
{
	struct wp_disasm *disasm;

	check_code("x86_64", "\x55\x48\x89\xe5\xc3", 5,
		   "1000 pushq %rbp\n1001 movq  %rsp, %rbp\n1004 retq\n");
	check_code("x86_64", "\xc3\x0f\xff", 1, "1000 retq\n");
	check_code("x86_64", "\x06\xc3", 2, "1000 .byte 0x06\n1001 retq\n");
	check_code("x86_64", "\x75\xfe\xeb\x02\xe8\x00\x01\x00\x00\xff\xd0", 11,
		   "1000 jne   0x1000 jump to 1000\n1002 jmp   0x1006 jump to 1006\n"
		   "1004 callq 0x1109 call to 1109\n1009 callq *%rax call\n");
	check_code("aarch64", "\x02\x00\x00\x94\x40\x00\x00\xb4\x41\x00\x18\x36\x00\x00\x3f\xd6",
		   16,
		   "1000 bl    #0x1008 call to 1008\n1004 cbz   x0, #0x100c jump to 100c\n"
		   "1008 tbz   w1, #3, #0x1010 jump to 1010\n100c blr   x0 call\n");
	check_code("aarch64", "\xe0\x03\x01\xaa\xc0\x03\x5f\xd6", 8,
		   "1000 mov   x0, x1\n1004 ret\n");
	check_code("aarch64", "\xe0\x03\x01\xaa\xc0\x03", 6,
		   "1000 mov   x0, x1\n1004 .byte 0xc0, 0x03\n");
	check_code("x86_64", "", 0, "");
	CHECK_ERR(wp_disasm_open("vax", WP_DISASM_ATT, &disasm),
		  "cannot disassemble code for 'vax'");
}

#ifdef __PIE__
extern const char __executable_start[];
static int pointed_at[4];
static int *const volatile pointers[] = {&pointed_at[3], &pointed_at[1]};

/* Pointers of this program, which its relocations make. */
static void check_pointers(struct wp_elf_code *code)
{
	uint64_t base = (uint64_t)(uintptr_t)__executable_start, to = 0;
	struct wp_rva at = {(uint64_t)(uintptr_t)&pointers[1] - base};

	CHECK(wp_elf_code_pointer(code, at, &to));
	CHECK_U64(to, (uint64_t)(uintptr_t)&pointed_at[1] - base);
	CHECK(!wp_elf_code_pointer(code, (struct wp_rva){UINT64_MAX}, &to));
}
#else
static void check_pointers(struct wp_elf_code *code)
{
	(void)code;
}
#endif

static struct wp_err *open_code(const char *path, struct wp_elf_code **ret)
{
	return wp_elf_code_open(open(path, O_RDONLY), path, ret);
}

static void test_elf(void)
{
	struct wp_elf_code *code;
	struct wp_elf_section section;
	bool text_seen = false;
	uint8_t byte[1 << 12];

	CHECK_OK(open_code("/proc/self/exe", &code));
	for (size_t i = 0; wp_elf_code_section(code, i, &section); i++)
		if (strcmp(section.name, ".text") == 0) {
			text_seen = true;
			CHECK_U64(wp_elf_code_read(code, section.start, byte, 16), 16);
		}
	CHECK(text_seen);
	check_pointers(code);
	CHECK_U64(wp_elf_code_read(code, (struct wp_rva){UINT64_MAX}, byte, sizeof(byte)), 0);
	wp_elf_code_close(code);
	CHECK_ERR(open_code("/nonexistent", &code), "/nonexistent is not here as it was mapped");
	CHECK_ERR(open_code("/proc/self/status", &code), "is neither an ELF nor a PE file");
	CHECK_ERR(open_code("/proc/self", &code), "is neither an ELF nor a PE file");
}

int main(void)
{
	RUN(test_disasm);
	RUN(test_styles);
	RUN(test_elf);
	return check_done();
}
