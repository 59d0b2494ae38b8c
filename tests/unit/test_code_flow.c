/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Basic blocks of small functions. The code stands at rva 0x1000, and what is behind a function's
 * size are its tables.
 */
#include "check.h"

#include "base/bytes.h"
#include "base/str.h"
#include "resolve/flow/code_flow.h"
#include "resolve/flow/no_return.h"

#define START 0x1000

struct file {
	const char *bytes;
	size_t n;
};

static size_t read_test_bytes(void *arg, uint64_t rva, void *ret, size_t n)
{
	const struct file *file = arg;

	if (rva < START || rva - START >= file->n)
		return 0;
	if (n > file->n - (rva - START))
		n = file->n - (rva - START);
	memcpy(ret, file->bytes + (rva - START), n);
	return n;
}

static bool read_test_pointer(void *arg, uint64_t rva, uint64_t *ret)
{
	uint8_t bytes[8];

	if (read_test_bytes(arg, rva, bytes, 8) != 8)
		return false;
	*ret = wp_u64_at(bytes);
	return true;
}

/* What is called at 0x1100 does not return. */
static bool returns_not(void *arg, uint64_t rva)
{
	(void)arg;
	return rva == START + 0x100;
}

static void print_test_graph(const struct wp_flow_graph *graph, struct wp_str *out)
{
	static const char *const ends[] = {"next",  "jump", "branch",  "table", "return",
					   "leave", "stop", "unknown", "cut"};

	wp_vec_each (const struct wp_flow_block, block, &graph->blocks) {
		wp_str_printf(out, "%x+%u %u %s%s%s:", (unsigned int)(block->start - START),
			      block->size, block->instructions, ends[block->end],
			      block->leaves ? " leaves" : "", block->reached ? "" : " apart");
		for (uint32_t i = 0; i < block->n_to; i++) {
			const struct wp_flow_edge *edge = &graph->edges.v[block->first + i];

			wp_str_printf(out, " %x",
				      (unsigned int)(graph->blocks.v[edge->to].start - START));
		}
		wp_str_printf(out, "\n");
	}
	if (graph->tables || graph->pointers || graph->unfollowed || graph->data_bytes)
		wp_str_printf(out, "tables %u guessed %u pointers %u unfollowed %u data %u\n",
			      graph->tables, graph->guessed, graph->pointers, graph->unfollowed,
			      graph->data_bytes);
}

static void check_flow(const char *arch, const char *bytes, size_t n, size_t function,
		       const char *want)
{
	struct file file = {bytes, n};
	const struct wp_code_flow_of of = {
		.arch = arch,
		.start = START,
		.bytes = (const uint8_t *)bytes,
		.n = function,
		.read = read_test_bytes,
		.pointer = read_test_pointer,
		.no_return = returns_not,
		.arg = &file,
	};
	wp_autoflow_graph struct wp_flow_graph graph;
	wp_autostr struct wp_str text = {0};

	CHECK_OK(wp_code_flow(&of, &graph));
	print_test_graph(&graph, &text);
	CHECK_STR(text.s ? text.s : "", want);
}

#define FLOW(arch, code, function, want) \
	check_flow(arch, code, sizeof(code) - 1, (function) ? (function) : sizeof(code) - 1, want)

/* cmp $3,%edi; ja; mov %edi,%edi; lea table(%rip),%rdx; movslq (%rdx,%rdi,4),%rax; add %rdx,%rax;
 * notrack jmp *%rax; three cases; the default one; ret; the table */
static const char code_relative[] =
	"\x83\xff\x03\x77\x26\x89\xff\x48\x8d\x15\x22\x00\x00\x00\x48\x63"
	"\x04\xba\x48\x01\xd0\x3e\xff\xe0\xb8\x01\x00\x00\x00\xc3\xb8\x02"
	"\x00\x00\x00\xc3\xb8\x03\x00\x00\x00\xeb\x02\x31\xc0\xc3\x66\x90"
	"\xe8\xff\xff\xff\xee\xff\xff\xff\xf4\xff\xff\xff\xe8\xff\xff\xff";

/* cmp $2,%rdi; ja; jmp *table(,%rdi,8); ret; nop; ret; hlt; the table */
static const char code_absolute[] =
	"\x48\x83\xff\x02\x77\x0a\xff\x24\xfd\x18\x10\x00\x00\xc3\x90\xc3"
	"\xf4\x00\x00\x00\x00\x00\x00\x00\x0d\x10\x00\x00\x00\x00\x00\x00"
	"\x0e\x10\x00\x00\x00\x00\x00\x00\x0e\x10\x00\x00\x00\x00\x00\x00";

/* movzbl (%rdi),%eax; lea table(%rip),%rcx; and $1,%eax; movslq (%rcx,%rax,4),%rax; add %rcx,%rax;
 * jmp *%rax; ret; ud2; padding; the table */
static const char code_masked[] = "\x0f\xb6\x07\x48\x8d\x0d\x12\x00\x00\x00\x83\xe0\x01\x48\x63\x04"
				  "\x81\x48\x01\xc8\xff\xe0\xc3\x0f\x0b\x0f\x1f\x00\xfa\xff\xff\xff"
				  "\xfb\xff\xff\xff";

/* The image's base is rva 0: cmp $3,%ecx; ja; lea base(%rip),%rdx; movzbl indexes(%rdx,%rcx),%eax;
 * mov table(%rdx,%rax,4),%ecx; add %rdx,%rcx; jmp *%rcx; ret; nop; ret; int3; indexes; table */
static const char code_msvc[] = "\x83\xf9\x03\x77\x1e\x48\x8d\x15\xf4\xef\xff\xff\x0f\xb6\x84\x0a"
				"\x30\x10\x00\x00\x8b\x8c\x82\x34\x10\x00\x00\x48\x01\xd1\xff\xe1"
				"\xc3\x90\xc3\xcc\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
				"\x00\x01\x01\x00\x20\x10\x00\x00\x21\x10\x00\x00";

/* je over the prefix; lock cmpxchg %ecx,(%rdi); jne; call *%rax; ret */
static const char code_lock[] = "\x74\x01\xf0\x0f\xb1\x0f\x75\xf8\xff\xd0\xc3";

/* imul $24,%rdi,%rdi; add %rsi,%rdi; jmp *%rdi; nop; mov %eax,%ecx; jmp; no instruction; ret */
static const char code_unknown[] =
	"\x48\x6b\xff\x18\x48\x01\xf7\xff\xe7\x90\x89\xc1\xeb\x01\x06\xc3";

/* push %rbx; test %edi,%edi; jne 0x2000; mov (%rsi),%rax; pop %rbx; jmp *%rax */
static const char code_tail[] = "\x53\x85\xff\x0f\x85\xf7\x0f\x00\x00\x48\x8b\x06\x5b\xff\xe0";

/* cmp w0, 3; b.hi; adr x1, table; ldrb w1, [x1, w0, uxtw]; adr x2, first; add x1, x2, w1, sxtb 2;
 * br x1; ret; mov w0, 1; ret; brk 1; cbz x0; b 0x3000; the table */
static const char code_arm64_bytes[] =
	"\x1f\x0c\x00\x71\x48\x01\x00\x54\x61\x01\x00\x10\x21\x48\x60\x38"
	"\x62\x00\x00\x10\x41\x88\x21\x8b\x20\x00\x1f\xd6\xc0\x03\x5f\xd6"
	"\x20\x00\x80\x52\xc0\x03\x5f\xd6\x20\x00\x20\xd4\x80\xff\xff\xb4"
	"\xf4\x07\x00\x14\x00\x01\x03\x00";

/* subs w8, w0, 2; b.hs; adrp x9; add x9; ldrsw x10, [x9, w0, uxtw 2]; add x9, x9, x10; br x9;
 * mov w0, 1; ret; mov x16, x1; br x16; udf 0; nop; the table */
static const char code_arm64_words[] =
	"\x08\x08\x00\x71\x02\x01\x00\x54\x09\x00\x00\x90\x29\xd1\x00\x91"
	"\x2a\x59\xa0\xb8\x29\x01\x0a\x8b\x20\x01\x1f\xd6\x20\x00\x80\x52"
	"\xc0\x03\x5f\xd6\xf0\x03\x01\xaa\x00\x02\x1f\xd6\x00\x00\x00\x00"
	"\x1f\x20\x03\xd5\xe8\xff\xff\xff\xf0\xff\xff\xff";

static void test_tables(void)
{
	FLOW("x86_64", code_relative, 0x2e,
	     "0+5 2 branch: 5 2b\n"
	     "5+19 5 table: 18 1e 24\n"
	     "18+6 2 return:\n"
	     "1e+6 2 return:\n"
	     "24+7 2 jump: 2d\n"
	     "2b+2 1 next: 2d\n"
	     "2d+1 1 return:\n"
	     "tables 1 guessed 0 pointers 0 unfollowed 0 data 0\n");
	FLOW("x86_64", code_absolute, 0x11,
	     "0+6 2 branch: 6 10\n"
	     "6+7 1 table: d e\n"
	     "d+1 1 return:\n"
	     "e+2 2 return:\n"
	     "10+1 1 stop:\n"
	     "tables 1 guessed 0 pointers 0 unfollowed 0 data 0\n");
	FLOW("x86_64", code_masked, 0x1c,
	     "0+22 6 table: 16 17\n"
	     "16+1 1 return:\n"
	     "17+2 1 stop:\n"
	     "tables 1 guessed 0 pointers 0 unfollowed 0 data 0\n");
	FLOW("x86_64", code_msvc, 0,
	     "0+5 2 branch: 5 23\n"
	     "5+27 5 table: 20 21\n"
	     "20+1 1 return:\n"
	     "21+2 2 return:\n"
	     "23+1 1 stop:\n"
	     "tables 1 guessed 0 pointers 0 unfollowed 0 data 12\n");
	FLOW("aarch64", code_arm64_bytes, 0x34,
	     "0+8 2 branch: 8 2c\n"
	     "8+20 5 table: 1c 20 28\n"
	     "1c+4 1 return:\n"
	     "20+8 2 return:\n"
	     "28+4 1 stop:\n"
	     "2c+4 1 branch: 1c 30\n"
	     "30+4 1 leave:\n"
	     "tables 1 guessed 0 pointers 0 unfollowed 0 data 0\n");
	FLOW("aarch64", code_arm64_words, 0x34,
	     "0+8 2 branch: 8 24\n"
	     "8+20 5 table: 1c 24\n"
	     "1c+8 2 return:\n"
	     "24+8 2 leave:\n"
	     "tables 1 guessed 0 pointers 1 unfollowed 0 data 0\n");
}

/* Without the bytes of the table the jump cannot be followed. */
static void test_no_table(void)
{
	check_flow("x86_64", code_relative, 0x2e, 0x2e,
		   "0+5 2 branch: 5 2b\n"
		   "5+19 5 unknown:\n"
		   "18+6 2 return apart:\n"
		   "1e+6 2 return apart:\n"
		   "24+7 2 jump apart: 2d\n"
		   "2b+2 1 next: 2d\n"
		   "2d+1 1 return:\n"
		   "tables 0 guessed 0 pointers 0 unfollowed 1 data 0\n");
	check_flow("aarch64", code_arm64_bytes, 0x34, 0x34,
		   "0+8 2 branch: 8 2c\n"
		   "8+20 5 unknown:\n"
		   "1c+4 1 return:\n"
		   "20+8 2 return apart:\n"
		   "28+4 1 stop apart:\n"
		   "2c+4 1 branch: 1c 30\n"
		   "30+4 1 leave:\n"
		   "tables 0 guessed 0 pointers 0 unfollowed 1 data 0\n");
}

static void test_ends(void)
{
	struct wp_flow_graph graph;
	struct wp_code_flow_of none = {.arch = "vax"};

	FLOW("x86_64", code_lock, 0,
	     "0+2 1 branch: 2 3\n"
	     "2+4 1 next: 6\n"
	     "3+3 1 next: 6\n"
	     "6+2 1 branch: 0 8\n"
	     "8+3 2 return:\n");
	FLOW("x86_64", code_unknown, 0,
	     "0+9 3 unknown:\n"
	     "a+4 2 jump apart: f\n"
	     "f+1 1 return apart:\n"
	     "tables 0 guessed 0 pointers 0 unfollowed 1 data 1\n");
	FLOW("x86_64", code_tail, 0,
	     "0+9 3 branch leaves: 9\n"
	     "9+6 3 leave:\n"
	     "tables 0 guessed 0 pointers 1 unfollowed 0 data 0\n");
	/* call 0x1100, which does not return; then code that nothing leads to */
	FLOW("x86_64", "\xe8\xfb\x00\x00\x00\xc3", 0,
	     "0+5 1 stop:\n"
	     "5+1 1 return apart:\n");
	/* call 0x1105 does, and the function ends there */
	FLOW("x86_64", "\x75\x00\xe8\xfe\x00\x00\x00", 0,
	     "0+2 1 branch: 2\n"
	     "2+5 1 stop:\n");
	/* an endless loop, a jump behind the end, a half instruction */
	FLOW("x86_64", "\xeb\xfe", 0, "0+2 1 jump: 0\n");
	FLOW("x86_64", "\x75\x01\xc3", 0,
	     "0+2 1 branch leaves: 2\n"
	     "2+1 1 return:\n");
	FLOW("x86_64", "\x31\xc0\xe8\x00", 0,
	     "0+2 1 cut:\n"
	     "tables 0 guessed 0 pointers 0 unfollowed 0 data 2\n");
	FLOW("x86_64", "\x06\x06", 0, "tables 0 guessed 0 pointers 0 unfollowed 0 data 2\n");
	CHECK_ERR(wp_code_flow(&none, &graph), "cannot follow code for 'vax'");
}

static void test_no_return(void)
{
	CHECK(wp_no_return_name("abort"));
	CHECK(wp_no_return_name("__stack_chk_fail@plt"));
	CHECK(wp_no_return_name("std::__throw_length_error"));
	CHECK(!wp_no_return_name("aborted"));
	CHECK(!wp_no_return_name("abor"));
	CHECK(!wp_no_return_name(""));
}

int main(void)
{
	RUN(test_tables);
	RUN(test_no_table);
	RUN(test_ends);
	RUN(test_no_return);
	return check_done();
}
