/* SPDX-License-Identifier: BSD-3-Clause */
/* Unwind rules read off instructions. */
#include "check.h"
#include "format/unwind/code_frames.h"

#define SAVED (WP_UNWIND_RA_SAVED | WP_UNWIND_BX_LOST)
#define BOTH  (SAVED | WP_UNWIND_FP_SAVED)

struct row {
	uint32_t pc;
	int cfa, flags, cfa_off, fp_off;
};

static void check(int line, const uint8_t *code, size_t size, bool many, const struct row *want,
		  size_t n)
{
	struct wp_code_frames *frames = wp_code_frames_new();
	struct wp_unwind_rows rows = {.base = 0x1000};

	wp_code_frames_add(frames, code, size, 0x1000, many, &rows);
	CHECK_U64(rows.rows.n, n);
	for (size_t i = 0; i < n && i < rows.rows.n; i++) {
		const struct wp_unwind_rule *r = &rows.rows.v[i];

		if (r->pc == want[i].pc && r->cfa == want[i].cfa && r->flags == want[i].flags &&
		    r->cfa_off == want[i].cfa_off && r->fp_off == want[i].fp_off)
			continue;
		printf("line %d: row %zu is %x %d %d %d %d\n", line, i, r->pc, r->cfa, r->flags,
		       r->cfa_off, r->fp_off);
		CHECK(!"rows as wanted");
	}
	wp_unwind_rows_deinit(&rows);
	wp_code_frames_free(frames);
}

#define CHECK_CODE(code, many, ...)                                            \
	check(__LINE__, code, sizeof(code), many, (struct row[]){__VA_ARGS__}, \
	      sizeof((struct row[]){__VA_ARGS__}) / sizeof(struct row))

static void test_by_sp(void)
{
	const uint8_t code[] = {
		0x41, 0x57,		/* push r15 */
		0x55,			/* push rbp */
		0x48, 0x83, 0xec, 0x18, /* sub rsp, 24 */
		0x74, 0x08,		/* je 0x11 */
		0x48, 0x83, 0xc4, 0x18, /* add rsp, 24 */
		0x5d,			/* pop rbp */
		0x41, 0x5f,		/* pop r15 */
		0xc3,			/* ret */
		0x90,			/* 0x11: nop (padding) */
		0x31, 0xc0,		/* 0x12: xor eax, eax */
		0xeb, 0xf3,		/* jmp 0x9 */
	};

	CHECK_CODE(code, false, {0, WP_UNWIND_SP, SAVED, 1}, {2, WP_UNWIND_SP, SAVED, 2},
		   {3, WP_UNWIND_SP, BOTH, 3, -3}, {7, WP_UNWIND_SP, BOTH, 6, -3},
		   {0xd, WP_UNWIND_SP, BOTH, 3, -3}, {0xe, WP_UNWIND_SP, SAVED, 2},
		   {0x10, WP_UNWIND_SP, SAVED, 1}, {0x12, WP_UNWIND_SP, BOTH, 6, -3},
		   {0x16, WP_UNWIND_NONE});
}

static void test_by_fp(void)
{
	const uint8_t code[] = {
		0x55,			/* push rbp */
		0x48, 0x89, 0xe5,	/* mov rbp, rsp */
		0x48, 0x83, 0xe4, 0xe0, /* and rsp, -32 */
		0xc9,			/* leave */
		0xc3,			/* ret */
	};

	CHECK_CODE(code, false, {0, WP_UNWIND_SP, SAVED, 1}, {1, WP_UNWIND_SP, BOTH, 2, -2},
		   {4, WP_UNWIND_FP, BOTH, 2, -2}, {9, WP_UNWIND_SP, SAVED, 1},
		   {10, WP_UNWIND_NONE});
}

static void test_what_it_cannot_tell(void)
{
	const uint8_t code[] = {
		0x53,		  /* push rbx */
		0x48, 0x89, 0xc4, /* mov rsp, rax */
		0x31, 0xc0,	  /* xor eax, eax */
		0xc3,		  /* ret */
		0x06,		  /* no instruction */
	};

	CHECK_CODE(code, false, {0, WP_UNWIND_SP, SAVED, 1}, {1, WP_UNWIND_SP, SAVED, 2},
		   {4, WP_UNWIND_NONE});
}

static void test_many_functions(void)
{
	const uint8_t code[] = {
		0x53,				    /* push rbx */
		0xe8, 0x1a, 0,	  0,	0,	    /* call 0x20, which does not return */
		0x0f, 0x1f, 0x80, 0,	0, 0, 0,    /* nop */
		0x0f, 0x1f, 0,			    /* nop */
		0x50,				    /* 0x10: push rax */
		0xe8, 0x0a, 0,	  0,	0,	    /* call 0x20 */
		0x66, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, /* nop */
		0,    0x90,			    /* nop, nop */
		0x58,				    /* 0x20: pop rax */
		0xc3,				    /* ret */
	};

	CHECK_CODE(code, true, {0, WP_UNWIND_SP, SAVED, 1}, {1, WP_UNWIND_SP, SAVED, 2},
		   {0x10, WP_UNWIND_SP, SAVED, 1}, {0x11, WP_UNWIND_SP, SAVED, 2},
		   {0x20, WP_UNWIND_SP, SAVED, 1}, {0x21, WP_UNWIND_NONE});
}

int main(void)
{
	RUN(test_by_sp);
	RUN(test_by_fp);
	RUN(test_what_it_cannot_tell);
	RUN(test_many_functions);
	return check_done();
}
