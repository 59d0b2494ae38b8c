/* SPDX-License-Identifier: BSD-3-Clause */
/* Unwind rules from hand-assembled call frame information, and rows laid over one another. */
#include "check.h"
#include "eh_bytes.h"
#include "format/unwind/cfi.h"

#include <elf.h>

struct row {
	uint32_t pc;
	int cfa, flags, cfa_off, ra_off, fp_off;
};

static void compile(uint16_t machine, const struct section *s, struct wp_unwind_rows *rows,
		    struct wp_cfi_stats *stats)
{
	struct wp_cfi_section section = {.data = s->bytes, .size = s->n, .addr = ADDR, .eh = true};

	*rows = (struct wp_unwind_rows){.base = 0x1000};
	*stats = (struct wp_cfi_stats){0};
	wp_cfi_compile(machine, &section, rows, stats);
}

static void check_rows(int line, struct wp_unwind_rows *got, const struct row *want, size_t n)
{
	CHECK_U64(got->rows.n, n);
	for (size_t i = 0; i < n && i < got->rows.n; i++) {
		const struct wp_unwind_rule *r = &got->rows.v[i];

		if (r->pc == want[i].pc && r->cfa == want[i].cfa && r->flags == want[i].flags &&
		    r->cfa_off == want[i].cfa_off && r->ra_off == want[i].ra_off &&
		    r->fp_off == want[i].fp_off)
			continue;
		printf("line %d: row %zu is %x %d %d %d %d %d\n", line, i, r->pc, r->cfa, r->flags,
		       r->cfa_off, r->ra_off, r->fp_off);
		CHECK(!"rows as wanted");
	}
	wp_unwind_rows_deinit(got);
}

#define CHECK_ROWS(rows, ...)                                   \
	check_rows(__LINE__, rows, (struct row[]){__VA_ARGS__}, \
		   sizeof((struct row[]){__VA_ARGS__}) / sizeof(struct row))

#define SAVED	    1
#define BOTH	    3
#define WHY(reason) ((reason) << WP_UNWIND_WHY_SHIFT)

static void test_frame_pointer_function(void)
{
	struct section s = {0};
	struct wp_unwind_rows rows;
	struct wp_cfi_stats stats;

	X86_CIE(&s);
	/* push rbp; mov rbp, rsp; ... leave (remembered); ret; ... */
	PUT_FDE(&s, 0x1000, 0x40, PUSH_RBP, MOV_RBP, 0x02, 0x10, 0x0a, 0xc6, 0x0c, 7, 8, 0x41,
		0x0b);
	PUT_FDE(&s, 0x1050, 0x10, 0);
	compile(EM_X86_64, &s, &rows, &stats);
	CHECK_U64(stats.entries, 2);
	CHECK_U64(stats.damaged, 0);
	CHECK_ROWS(&rows, {0, WP_UNWIND_SP, SAVED, 1, -1, 0}, {1, WP_UNWIND_SP, BOTH, 2, -1, -2},
		   {4, WP_UNWIND_FP, BOTH, 2, -1, -2}, {0x14, WP_UNWIND_SP, SAVED, 1, -1, 0},
		   {0x15, WP_UNWIND_FP, BOTH, 2, -1, -2}, {0x40, WP_UNWIND_NONE},
		   {0x50, WP_UNWIND_SP, SAVED, 1, -1, 0}, {0x60, WP_UNWIND_NONE});
}

static void test_expressions(void)
{
	struct section s = {0};
	struct wp_unwind_rows rows;
	struct wp_cfi_stats stats;

	X86_CIE(&s);
	PUT_FDE(&s, 0x1000, 0x20, 0x0e, 16, 0x46, 0x0e, 24, 0x4a, 0x0f, 11, 0x77, 8, 0x80, 0, 0x3f,
		0x1a, 0x3b, 0x2a, 0x33, 0x24, 0x22);
	/* cfa r10; rbp at fp + 0; then cfa at the word at fp - 8 */
	PUT_FDE(&s, 0x1020, 0x20, 0x45, 0x0c, 10, 0, 0x49, 0x10, 6, 2, 0x76, 0, 0x45, 0x0f, 3, 0x76,
		0x78, 0x06);
	/* cfa = word at sp + 152, plus 8; then something unknown */
	PUT_FDE(&s, 0x1040, 0x20, 0x0f, 6, 0x77, 0x98, 0x01, 0x06, 0x23, 8, 0x48, 0x0f, 2, 0x77, 8);
	compile(EM_X86_64, &s, &rows, &stats);
	CHECK_U64(stats.without[WP_CFI_CFA_REGISTER], 0);
	CHECK_U64(stats.without[WP_CFI_EXPRESSION], 1);
	CHECK_ROWS(&rows, {0, WP_UNWIND_SP, SAVED, 2, -1, 0}, {6, WP_UNWIND_SP, SAVED, 3, -1, 0},
		   {0x10, WP_UNWIND_PLT, SAVED, 11, -1, 0}, {0x20, WP_UNWIND_SP, SAVED, 1, -1, 0},
		   {0x25, WP_UNWIND_REG + 10, SAVED, 0, -1, 0},
		   {0x2e, WP_UNWIND_REG + 10, BOTH | WP_UNWIND_FP_AT_FP, 0, -1, 0},
		   {0x33, WP_UNWIND_AT_FP, BOTH | WP_UNWIND_FP_AT_FP, -1, -1},
		   {0x40, WP_UNWIND_AT_SP, SAVED, 19, -1, 0},
		   {0x48, WP_UNWIND_NONE, WHY(WP_CFI_EXPRESSION)}, {0x60, WP_UNWIND_NONE});
}

/* 4-byte words, and registers as in the i386 psABI: esp 4, ebp 5, eip 8. */
static void test_x86(void)
{
	struct section s = {0};
	struct wp_unwind_rows rows;
	struct wp_cfi_stats stats;

	PUT_CIE(&s, 1, 'z', 'R', 0, 1, 0x7c, 8, 1, 0x1b, 0x0c, 4, 4, 0x88, 1);
	/* push ebp; mov ebp, esp; push ebx */
	PUT_FDE(&s, 0x1000, 0x20, 0x41, 0x0e, 8, 0x85, 2, 0x42, 0x0d, 5, 0x41, 0x83, 3);
	/* cfa ecx; ebp at ebp + 0; cfa the word at ebp - 4: main() as GCC realigns it */
	PUT_FDE(&s, 0x1020, 0x20, 0x44, 0x0c, 1, 0, 0x47, 0x10, 5, 2, 0x75, 0, 0x43, 0x0f, 3, 0x75,
		0x7c, 0x06);
	/* the linker's words for a PLT; an offset that is no multiple of 4 */
	PUT_FDE(&s, 0x1040, 0x20, 0x0f, 11, 0x74, 4, 0x78, 0, 0x3f, 0x1a, 0x3b, 0x2a, 0x32, 0x24,
		0x22, 0x50, 0x0c, 4, 6);
	compile(EM_386, &s, &rows, &stats);
	CHECK_U64(stats.damaged, 0);
	CHECK_U64(stats.without[WP_CFI_RANGE], 1);
	CHECK_ROWS(&rows, {0, WP_UNWIND_SP, SAVED, 1, -1, 0}, {1, WP_UNWIND_SP, BOTH, 2, -1, -2},
		   {3, WP_UNWIND_FP, BOTH, 2, -1, -2},
		   {4, WP_UNWIND_FP, BOTH | WP_UNWIND_BX_SAVED, 2, -3, -2},
		   {0x20, WP_UNWIND_SP, SAVED, 1, -1, 0},
		   {0x24, WP_UNWIND_REG + 1, SAVED, 0, -1, 0},
		   {0x2b, WP_UNWIND_REG + 1, BOTH | WP_UNWIND_FP_AT_FP, 0, -1, 0},
		   {0x2e, WP_UNWIND_AT_FP, BOTH | WP_UNWIND_FP_AT_FP, -1, -1, 0},
		   {0x40, WP_UNWIND_PLT, SAVED, 11, -1, 0},
		   {0x50, WP_UNWIND_NONE, WHY(WP_CFI_RANGE)}, {0x60, WP_UNWIND_NONE});
	/* the vdso: struct sigcontext_32 of a plain frame, then of one with siginfo */
	s = (struct section){0};
	PUT_CIE(&s, 1, 'z', 'R', 'S', 0, 1, 0x7c, 8, 1, 0x1b);
	PUT_FDE(&s, 0x1000, 0x10, 0x0f, 3, 0x74, 32, 0x06, 0x42, 0x0f, 3, 0x74, 28, 0x06);
	PUT_FDE(&s, 0x1010, 0x10, 0x0f, 4, 0x74, 0xbc, 0x01, 0x06);
	compile(EM_386, &s, &rows, &stats);
	CHECK_ROWS(&rows, {0, WP_UNWIND_SIGNAL, 0, 4, 0, 0}, {2, WP_UNWIND_SIGNAL},
		   {0x10, WP_UNWIND_SIGNAL, 0, 160, 0, 0}, {0x20, WP_UNWIND_NONE});
}

static void test_rbx(void)
{
	const int saved = SAVED | WP_UNWIND_BX_SAVED;
	struct section s = {0};
	struct wp_unwind_rows rows;
	struct wp_cfi_stats stats;

	X86_CIE(&s);
	/* as _dl_runtime_resolve: cfa + 16; push rbx; cfa by rbx; rbx restored, cfa by sp */
	PUT_FDE(&s, 0x1000, 0x20, 0x0e, 24, 0x41, 0x0e, 32, 0x83, 4, 0x43, 0x0d, 3, 0x50, 0x0d, 7,
		0xc3, 0x0e, 8);
	/* at fp - 8; undefined; in another register; elsewhere than a row can say */
	PUT_FDE(&s, 0x1020, 0x20, 0x10, 3, 2, 0x76, 0x78, 0x44, 0x07, 3, 0x44, 0x09, 3, 12, 0x44,
		0x08, 3, 0x44, 0x11, 3, 0x80, 0x80, 0x40);
	/* setcontext: cfa by rdx, the return address and sp far behind it */
	PUT_FDE(&s, 0x1040, 0x10, 0x0c, 1, 0, 0x11, 16, 0x6b, 0x11, 3, 0x70, 0x44, 0x11, 7, 0x6c);
	compile(EM_X86_64, &s, &rows, &stats);
	CHECK_U64(stats.without[WP_CFI_CFA_REGISTER], 1);
	CHECK_ROWS(&rows, {0, WP_UNWIND_SP, SAVED, 3, -1, 0}, {1, WP_UNWIND_SP, saved, 4, -4, 0},
		   {4, WP_UNWIND_REG + WP_UNWIND_RBX, saved, 4, -4, 0},
		   {0x14, WP_UNWIND_SP, SAVED, 1, -1, 0},
		   {0x20, WP_UNWIND_SP, saved | WP_UNWIND_BX_AT_FP, 1, -1, 0},
		   {0x24, WP_UNWIND_SP, SAVED | WP_UNWIND_BX_LOST, 1, -1, 0},
		   {0x2c, WP_UNWIND_SP, SAVED, 1, -1, 0},
		   {0x30, WP_UNWIND_SP, SAVED | WP_UNWIND_BX_LOST, 1, -1, 0},
		   {0x40, WP_UNWIND_REG + 1, SAVED | WP_UNWIND_BX_LOST, 0, 21, 0},
		   {0x44, WP_UNWIND_NONE, WHY(WP_CFI_CFA_REGISTER)}, {0x50, WP_UNWIND_NONE});
}

static void test_ends_and_signals(void)
{
	struct section s = {0};
	struct wp_unwind_rows rows;
	struct wp_cfi_stats stats;

	X86_CIE(&s);
	PUT_FDE(&s, 0x1000, 0x10, 0x07, 16);			 /* undefined rip */
	PUT_FDE(&s, 0x1010, 0x10, 0x41, 0x08, 16);		 /* rip unchanged: nonsense */
	PUT_FDE(&s, 0x1020, 0x10, 0x0e, 12);			 /* no multiple of 8 */
	PUT_FDE(&s, 0x1030, 0x10, 0x41, 0x09, 6, 3);		 /* rbp in rbx */
	PUT_FDE(&s, 0x1040, 0x10, 0x0e, 0x80, 0x80, 0x80, 0x01); /* 2 MB: too far */
	PUT_CIE(&s, 1, 'z', 'R', 'S', 0, 1, 0x78, 16, 1, 0x1b);
	PUT_FDE(&s, 0x1050, 0x10, 0x0f, 1, 0x99);
	compile(EM_X86_64, &s, &rows, &stats);
	CHECK_U64(stats.without[WP_CFI_RETURN], 1);
	CHECK_U64(stats.without[WP_CFI_RANGE], 2);
	CHECK_U64(stats.without[WP_CFI_FRAME_POINTER], 1);
	CHECK_ROWS(&rows, {0, WP_UNWIND_END}, {0x10, WP_UNWIND_SP, SAVED, 1, -1, 0},
		   {0x11, WP_UNWIND_NONE, WHY(WP_CFI_RETURN)},
		   {0x20, WP_UNWIND_NONE, WHY(WP_CFI_RANGE)}, {0x30, WP_UNWIND_SP, SAVED, 1, -1, 0},
		   {0x31, WP_UNWIND_NONE, WHY(WP_CFI_FRAME_POINTER)},
		   {0x40, WP_UNWIND_NONE, WHY(WP_CFI_RANGE)}, {0x50, WP_UNWIND_SIGNAL},
		   {0x60, WP_UNWIND_NONE});
}

static void test_arm64(void)
{
	struct section s = {0};
	struct wp_unwind_rows rows;
	struct wp_cfi_stats stats;

	PUT_CIE(&s, 1, 'z', 'R', 'B', 0, 4, 0x78, 30, 1, 0x1b, 0x0c, 31, 0);
	/* paciasp; stp x29, x30, [sp, -32]!; ...; ldp; autiasp; ret */
	PUT_FDE(&s, 0x1000, 0x40, 0x41, 0x2d, 0x41, 0x0e, 32, 0x9d, 4, 0x9e, 3, 0x48, 0xde, 0xdd,
		0x0e, 0, 0x41, 0x2d);
	compile(EM_AARCH64, &s, &rows, &stats);
	CHECK_ROWS(&rows, {0, WP_UNWIND_SP, 0}, {4, WP_UNWIND_SP, WP_UNWIND_RA_SIGNED},
		   {8, WP_UNWIND_SP, BOTH | WP_UNWIND_RA_SIGNED, 4, -3, -4},
		   {40, WP_UNWIND_SP, WP_UNWIND_RA_SIGNED}, {44, WP_UNWIND_SP, 0},
		   {64, WP_UNWIND_NONE});
}

static void test_damage(void)
{
	struct section s = {0};
	struct wp_unwind_rows rows;
	struct wp_cfi_stats stats;

	X86_CIE(&s);
	PUT_FDE(&s, 0x1000, 0x20, PUSH_RBP, 0x3f); /* unknown opcode: up to there it holds */
	PUT_FDE(&s, 0x1020, 0x20, 0x0b);	   /* nothing was remembered */
	PUT_FDE(&s, 0x1040, 0x20, 0);
	PUT_FDE(&s, 0x1050, 0x20, 0); /* overlaps the one before */
	PUT_FDE(&s, 0x0800, 0x20, 0); /* below the base */
	put_entry(&s, 0x99999, "", 0);
	put(&s, "\xff\xff\x00\x00", 4);
	compile(EM_X86_64, &s, &rows, &stats);
	CHECK_U64(stats.damaged, 4);
	CHECK_ROWS(&rows, {0, WP_UNWIND_SP, SAVED, 1, -1, 0}, {1, WP_UNWIND_NONE},
		   {0x40, WP_UNWIND_SP, SAVED, 1, -1, 0}, {0x70, WP_UNWIND_NONE});
	compile(EM_RISCV, &s, &rows, &stats);
	CHECK_U64(rows.rows.n, 0);
}

static void test_header(void)
{
	const uint8_t hdr[] = {1, 0x1b, 3, 0x3b, 0xfc, 0x0f, 0, 0};
	uint64_t at = 0;

	CHECK(wp_cfi_eh_frame_of(hdr, sizeof(hdr), 0x2000, &at));
	CHECK_U64(at, 0x3000);
	CHECK(!wp_cfi_eh_frame_of(hdr, 7, 0x2000, &at));
}

static void test_laid_over(void)
{
	struct wp_unwind_rule sp = {.cfa = WP_UNWIND_SP, .cfa_off = 1}, none = {0};
	struct wp_unwind_rule end = {.cfa = WP_UNWIND_END}, fp = {.cfa = WP_UNWIND_FP};
	struct wp_unwind_rows rows = {.base = 0x1000}, more = {.base = 0x1000};

	wp_unwind_rows_append(&rows, 0x10, sp);
	wp_unwind_rows_append(&rows, 0x20, none);
	wp_unwind_rows_append(&rows, 0x30, sp);
	wp_unwind_rows_append(&rows, 0x40, none);
	wp_unwind_rows_lay(&rows, 0x1008, 0x1038, end, true);
	wp_unwind_rows_lay(&rows, 0x1012, 0x1014, fp, false);
	wp_unwind_rows_append(&more, 0x18, fp);
	wp_unwind_rows_append(&more, 0x48, sp);
	wp_unwind_rows_fill(&rows, &more);
	wp_unwind_rows_deinit(&more);
	CHECK(wp_unwind_rule_find(rows.rows.v, rows.rows.n, 0x13)->cfa == WP_UNWIND_FP);
	CHECK(wp_unwind_rule_find(rows.rows.v, rows.rows.n, 0x1fffff)->cfa == WP_UNWIND_SP);
	CHECK_ROWS(&rows, {0}, {8, WP_UNWIND_END}, {0x10, WP_UNWIND_SP, 0, 1}, {0x12, WP_UNWIND_FP},
		   {0x14, WP_UNWIND_SP, 0, 1}, {0x20, WP_UNWIND_END}, {0x30, WP_UNWIND_SP, 0, 1},
		   {0x40, WP_UNWIND_FP}, {0x48, WP_UNWIND_SP, 0, 1});
	CHECK(!wp_unwind_rule_find(NULL, 0, 5));

	/* A reason is kept where others have nothing either. */
	none.flags = WHY(WP_CFI_EXPRESSION);
	wp_unwind_rows_append(&rows, 0, none);
	wp_unwind_rows_append(&more, 0x10, fp);
	wp_unwind_rows_append(&more, 0x20, (struct wp_unwind_rule){0});
	wp_unwind_rows_fill(&rows, &more);
	wp_unwind_rows_append(&rows, 0x30, (struct wp_unwind_rule){0});
	wp_unwind_rows_deinit(&more);
	wp_unwind_rows_append(&more, 0x40, none);
	wp_unwind_rows_fill(&rows, &more);
	wp_unwind_rows_deinit(&more);
	CHECK_ROWS(&rows, {0, WP_UNWIND_NONE, WHY(WP_CFI_EXPRESSION)}, {0x10, WP_UNWIND_FP},
		   {0x20, WP_UNWIND_NONE, WHY(WP_CFI_EXPRESSION)}, {0x30, WP_UNWIND_NONE},
		   {0x40, WP_UNWIND_NONE, WHY(WP_CFI_EXPRESSION)});
}

int main(void)
{
	RUN(test_frame_pointer_function);
	RUN(test_expressions);
	RUN(test_x86);
	RUN(test_rbx);
	RUN(test_ends_and_signals);
	RUN(test_arm64);
	RUN(test_damage);
	RUN(test_header);
	RUN(test_laid_over);
	return check_done();
}
