/* SPDX-License-Identifier: BSD-3-Clause */
/* test_variables: where this very program has its own parameters and variables; a made one's, too,
 * with the machine that it is not of. */
#include "check.h"
#include "resolve/lines/variables.h"

#include <fcntl.h>
#include <libelf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where the first two numbers of a call are, by DWARF's numbers. */
#ifdef __aarch64__
#define FIRST  0
#define SECOND 1
#else
#define FIRST  5
#define SECOND 4
#endif

static struct wp_srclines *lines;
static Elf *program;

__attribute__((noinline)) static int landmark(int number, const char *text, double real)
{
	static int kept;

	kept += number + (int)real;
	return kept + *text;
}

static enum wp_variable_answer find_at(uint64_t rva, const char *name, bool arm64,
				       struct wp_variable *ret)
{
	struct wp_variable_query query = {name, {rva}, program, arm64, false};

	return wp_variable_find(lines, &query, ret);
}

static void open_lines(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	CHECK(fd >= 0);
	elf_version(EV_CURRENT);
	program = elf_begin(fd, ELF_C_READ, NULL);
	lines = wp_srclines_open(dup(fd), 0, NULL);
	CHECK(program && lines);
}

static int take_base(struct dl_phdr_info *info, size_t size, void *arg)
{
	(void)size;
	*(uint64_t *)arg = info->dlpi_addr;
	return 1; /* the program comes first */
}

/* In registers, as a parameter of optimised code or as the convention has it. */
static void check_register(uint64_t at, const char *name, uint32_t nth, uint8_t number)
{
	struct wp_variable found;
	enum wp_variable_answer answer = find_at(at, name, FIRST == 0, &found);

	if (answer == WP_VARIABLE_PASSED) {
		CHECK_U64(found.nth, nth);
		return;
	}
	CHECK_U64(answer, WP_VARIABLE_FOUND);
	CHECK_U64(found.operand.kind, WP_OPERAND_REGISTER);
	CHECK_U64(found.operand.base, number);
}

static void test_ourselves(void)
{
	struct wp_variable found;
	uint64_t base = 0, at;

	dl_iterate_phdr(take_base, &base);
	at = (uint64_t)(uintptr_t)landmark - base;
	CHECK_U64(landmark(1, "a", 2.5), 3 + 'a');
	open_lines("/proc/self/exe");
	check_register(at, "number", 1, FIRST);
	check_register(at, "text", 2, SECOND);
	CHECK_U64(find_at(at, "real", FIRST == 0, &found), WP_VARIABLE_NO_NUMBER);
	CHECK_STR(found.text, "a floating-point number (double)");
	CHECK_U64(find_at(at, "kept", FIRST == 0, &found), WP_VARIABLE_FOUND);
	CHECK_U64(found.operand.kind, WP_OPERAND_MEMORY);
	CHECK_U64(find_at(at, "other", FIRST == 0, &found), WP_VARIABLE_NONE);
	CHECK_U64(find_at(3, "number", FIRST == 0, &found), WP_VARIABLE_NO_FUNCTION);
	wp_srclines_free(lines);
	elf_end(program);
}

/* tests/fuzz/make_seeds_dwarf.py: variables() */
static void test_made(void)
{
	struct wp_variable found;
	char path[4096];

	if (!getenv("TOP"))
		return; /* ctest sets it */
	snprintf(path, sizeof(path), "%s/tests/fuzz/corpus/fuzz_variables/frame", getenv("TOP"));
	open_lines(path);
	/* Where it begins, parameters are where the caller put them. */
	CHECK_U64(find_at(0x2000, "number", false, &found), WP_VARIABLE_PASSED);
	CHECK_U64(found.nth, 1);
	CHECK_U64(found.operand.size, 4);
	CHECK(found.operand.is_signed && !found.is_text);
	CHECK_U64(find_at(0x2000, "text", false, &found), WP_VARIABLE_PASSED);
	CHECK_U64(found.nth, 2);
	CHECK(found.is_text);
	CHECK_U64(find_at(0x2000, "both", false, &found), WP_VARIABLE_NO_NUMBER);
	CHECK_STR(found.text, "a struct (pair)");
	/* On the stack above the return address, which arm64 has in a register. */
	CHECK_U64(find_at(0x2000, "behind", false, &found), WP_VARIABLE_FOUND);
	CHECK_U64(found.operand.base, 7);
	CHECK_U64(found.operand.value, 16);
	CHECK_U64(find_at(0x2000, "behind", true, &found), WP_VARIABLE_FOUND);
	CHECK_U64(found.operand.base, 31);
	CHECK_U64(found.operand.value, 8);
	CHECK_U64(find_at(0x2000, "fixed", true, &found), WP_VARIABLE_FOUND);
	CHECK_U64(found.operand.base, WP_OPERAND_IP_ARM64);
	CHECK_U64(found.operand.value, 0x1000);
	/* A block has names of its own. */
	CHECK_U64(find_at(0x2030, "number", false, &found), WP_VARIABLE_FOUND);
	CHECK_U64(found.operand.kind, WP_OPERAND_REGISTER);
	CHECK_U64(found.operand.base, 5);
	CHECK_U64(find_at(0x2030, "kept", false, &found), WP_VARIABLE_FOUND);
	CHECK_U64(found.operand.kind, WP_OPERAND_CONSTANT);
	CHECK_U64(found.operand.value, 3);
	CHECK_U64(find_at(0x2080, "kept", false, &found), WP_VARIABLE_TANGLED);
	CHECK(strstr(found.text, "DW_OP_entry_value"));
	CHECK_U64(find_at(0x20f0, "number", false, &found), WP_VARIABLE_NO_FUNCTION);
	wp_srclines_free(lines);
	elf_end(program);
}

int main(void)
{
	RUN(test_ourselves);
	RUN(test_made);
	return check_done();
}
