/* SPDX-License-Identifier: BSD-3-Clause */
/* test_pdb: the seeds of fuzz_pdb, small PDBs of which every answer is known. */
#include "base/file.h"
#include "check.h"
#include "format/pdb/pdb.h"
#include "format/pdb/pdb_frames.h"

/* One file in memory, opened. */
struct opened {
	char *memory;
	struct wp_pdb_bytes bytes;
	struct wp_pdb *pdb;
};

static struct wp_err *open_seed(const char *name, struct opened *ret)
{
	const char *top = getenv("TOP");
	wp_autofree char *path =
		wp_asprintf("%s/tests/fuzz/corpus/fuzz_pdb/%s", top ? top : ".", name);

	TRY(wp_file_read(path, 1 << 20, &ret->memory, &ret->bytes.size));
	ret->bytes.data = ret->memory;
	struct wp_pdb_input input = wp_pdb_input_of("seed.pdb", &ret->bytes);
	return wp_pdb_open(&input, &ret->pdb);
}

static void close_seed(struct opened *opened)
{
	wp_pdb_close(opened->pdb);
	free(opened->memory);
}

/* "function+offset", or "-". */
static void check_function(struct wp_pdb *pdb, uint64_t rva, const char *want)
{
	struct wp_pdb_function f;
	char got[200] = "-";

	if (wp_pdb_function(pdb, (struct wp_rva){rva}, &f))
		snprintf(got, sizeof(got), "%s+%lld of %llu", f.name, (long long)(rva - f.start.v),
			 (unsigned long long)f.size);
	CHECK_STR(got, want);
}

static void check_line(struct wp_pdb *pdb, uint64_t rva, const char *want)
{
	struct wp_pdb_line line;
	char got[200] = "-";

	if (wp_pdb_line(pdb, (struct wp_rva){rva}, &line))
		snprintf(got, sizeof(got), "%s:%u", line.file, line.line);
	CHECK_STR(got, want);
}

/* Outermost first, each with a blank behind it. */
static void check_inlines(struct wp_pdb *pdb, uint64_t rva, const char *want)
{
	struct wp_pdb_inline calls[WP_PDB_INLINES_MAX];
	size_t n = wp_pdb_inlines(pdb, (struct wp_rva){rva}, calls), len = 0;
	char got[400] = "";

	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(got + len, sizeof(got) - len, "%s@%s:%u ", calls[i].name,
					calls[i].line.file, calls[i].line.line);
	CHECK_STR(got, want);
}

static const char *decorated(struct wp_pdb *pdb, uint64_t rva)
{
	struct wp_pdb_function f;

	return wp_pdb_function(pdb, (struct wp_rva){rva}, &f) ? wp_pdb_decorated(pdb, &f) : NULL;
}

static void test_identity(void)
{
	struct opened o = {0};
	uint8_t guid[16];

	CHECK_OK(open_seed("plain", &o));
	memcpy(guid, wp_pdb_id(o.pdb)->guid, sizeof(guid));
	CHECK_U64(guid[0], 0x10);
	CHECK_U64(guid[15], 0x1f);
	CHECK_U64(wp_pdb_machine(o.pdb), 0x8664);
	/* The age that the linker copied into the image, not that of the last tool. */
	CHECK(wp_pdb_matches(o.pdb, guid, 2));
	CHECK(!wp_pdb_matches(o.pdb, guid, 3));
	CHECK_U64(wp_pdb_id(o.pdb)->info_age, 3);
	guid[15]++;
	CHECK(!wp_pdb_matches(o.pdb, guid, 2));
	close_seed(&o);
}

static void test_functions(void)
{
	struct opened o = {0};

	CHECK_OK(open_seed("plain", &o));
	check_function(o.pdb, 0x1000, "shop::outer+0 of 64");
	check_function(o.pdb, 0x103f, "shop::outer+63 of 64");
	check_function(o.pdb, 0x1040, "`anonymous namespace'::hidden+0 of 16");
	check_function(o.pdb, 0x105f, "lambda+15 of 16");
	check_function(o.pdb, 0x1060, "thunk+0 of 8");
	check_function(o.pdb, 0x1068, "-");
	check_function(o.pdb, 0x1208, "shop::outer+8 of 16"); /* its moved piece */
	check_function(o.pdb, 0x1304, "ILT+0(`anonymous namespace'::hidden)+4 of 5");
	check_function(o.pdb, 0x1120, "-"); /* behind main, which says its size */
	check_function(o.pdb, 0x1160, "_asm_code+16 of 688");
	check_function(o.pdb, 0x2000, "-"); /* data */
	check_function(o.pdb, 0x100001000, "-");
	CHECK_STR(decorated(o.pdb, 0x1020), "?outer@shop@@YAXXZ");
	CHECK_STR(decorated(o.pdb, 0x1160), "_asm_code");
	CHECK_STR(decorated(o.pdb, 0x1050), NULL);
	CHECK_U64(wp_pdb_damage(o.pdb), 0);
	close_seed(&o);
}

static void test_lines(void)
{
	struct opened o = {0};

	CHECK_OK(open_seed("plain", &o));
	check_line(o.pdb, 0x1003, "a.c:10");
	check_line(o.pdb, 0x1004, "a.c:11");
	check_line(o.pdb, 0x1010, "b.h:77"); /* of two files, in the order of addresses */
	check_line(o.pdb, 0x1030, "a.c:13");
	check_line(o.pdb, 0x103c, "a.c:13"); /* never stepped into: of the line before it */
	check_line(o.pdb, 0x1040, "a.c:20"); /* before the first row of its table */
	check_line(o.pdb, 0x1050, "-");
	check_line(o.pdb, 0x1108, "b.h:2");
	check_line(o.pdb, 0x1120, "-");
	close_seed(&o);
}

static void test_inlines(void)
{
	struct opened o = {0};

	CHECK_OK(open_seed("plain", &o));
	check_inlines(o.pdb, 0x1003, "");
	check_inlines(o.pdb, 0x1004, "shop::Box<int>::Box<int>@b.h:101 ");
	check_inlines(o.pdb, 0x1008, "shop::Box<int>::Box<int>@b.h:101 shop::twice@a.c:50 ");
	check_inlines(o.pdb, 0x1010, "shop::Box<int>::Box<int>@b.h:101 ");
	check_inlines(o.pdb, 0x1024, "");
	check_inlines(o.pdb, 0x1028, "shop::Big::grow@a.c:201 ");
	check_inlines(o.pdb, 0x102a, "");
	check_inlines(o.pdb, 0x1030, "shop::Big::grow@b.h:203 ");
	check_inlines(o.pdb, 0x1038, "");
	close_seed(&o);
}

/* A module that imports names the other one by its path; or by a name that nobody has. */
static void test_imports(void)
{
	struct opened o = {0};

	CHECK_OK(open_seed("paths", &o));
	check_inlines(o.pdb, 0x1008, "shop::Box<int>::Box<int>@b.h:101 shop::twice@a.c:50 ");
	close_seed(&o);
	CHECK_OK(open_seed("nameless", &o));
	check_inlines(o.pdb, 0x1008, "shop::Box<int>::Box<int>@b.h:101 unknown@a.c:50 ");
	close_seed(&o);
}

/* The same questions where each half of `outer` lies elsewhere in the image. */
static void test_moved_code(void)
{
	struct opened o = {0};

	CHECK_OK(open_seed("omap", &o));
	check_function(o.pdb, 0x5104, "shop::outer+4 of 64");
	check_function(o.pdb, 0x5120, "`anonymous namespace'::hidden+0 of 16");
	check_function(o.pdb, 0x5160, "main+0 of 32");
	check_function(o.pdb, 0x5020, "-");
	check_line(o.pdb, 0x5104, "a.c:11");
	check_line(o.pdb, 0x5010, "a.c:13");
	check_inlines(o.pdb, 0x5108, "shop::Box<int>::Box<int>@b.h:101 shop::twice@a.c:50 ");
	check_inlines(o.pdb, 0x5008, "shop::Big::grow@a.c:201 ");
	CHECK_STR(decorated(o.pdb, 0x5010), "?outer@shop@@YAXXZ");
	close_seed(&o);
}

static void test_publics_alone(void)
{
	struct opened o = {0};

	CHECK_OK(open_seed("x86", &o));
	check_function(o.pdb, 0x1001, "main+1 of 16");
	check_function(o.pdb, 0x1010, "stdcall_one+0 of 16");
	check_function(o.pdb, 0x1020, "fast_one+0 of 16");
	check_function(o.pdb, 0x1030, "?f@@YAHXZ+0 of 16");
	check_function(o.pdb, 0x1040, "_+0 of 4");
	check_function(o.pdb, 0x1044, "_@4+0 of 4");
	check_function(o.pdb, 0x1048, "-");
	CHECK_STR(decorated(o.pdb, 0x1010), "_stdcall_one@8");
	check_line(o.pdb, 0x1001, "-");
	close_seed(&o);
}

static void check_row(const struct wp_unwind_rows *rows, uint32_t pc, int cfa, int flags,
		      int cfa_off, int ra_off, int fp_off)
{
	const struct wp_unwind_rule *r = wp_unwind_rule_find(rows->rows.v, rows->rows.n, pc);

	CHECK(r && r->cfa == cfa && r->flags == flags && r->cfa_off == cfa_off &&
	      r->ra_off == ra_off && r->fp_off == fp_off);
	if (r && r->cfa != cfa)
		printf("%x: %d %d %d %d %d\n", pc, r->cfa, r->flags, r->cfa_off, r->ra_off,
		       r->fp_off);
}

/* Frames of x86: programs, stretches within stretches, FPO where no program says anything. */
static void test_frames(void)
{
	const int saved = WP_UNWIND_RA_SAVED, both = saved | WP_UNWIND_FP_SAVED;
	const int params = WP_UNWIND_PARAMS, lost = WP_UNWIND_BX_LOST;
	struct wp_unwind_rows rows = {.base = 0x400000};
	struct opened o = {0};

	CHECK_OK(open_seed("frames", &o));
	wp_pdb_frames(o.pdb, &rows);
	check_row(&rows, 0x1000, WP_UNWIND_SEARCH, saved | params, 1, 2, 0);
	check_row(&rows, 0x1004, WP_UNWIND_SEARCH, both | params, 7, 2, -3);
	check_row(&rows, 0x1010, WP_UNWIND_NONE, 0, 0, 0, 0);
	check_row(&rows, 0x1014, WP_UNWIND_SEARCH, both | params, 7, 2, -3);
	check_row(&rows, 0x1020, WP_UNWIND_SEARCH, saved | params | lost, 6, 1, 0);
	check_row(&rows, 0x1028, WP_UNWIND_NONE, 0, 0, 0, 0);
	check_row(&rows, 0x1030, WP_UNWIND_FP, both | params, 2, 1, -2);
	check_row(&rows, 0x1050, WP_UNWIND_FP, both, 2, -1, -2);
	check_row(&rows, 0x1058, WP_UNWIND_NONE, 0, 0, 0, 0);
	check_row(&rows, 0x1063, WP_UNWIND_FP, both | lost, 2, -1, -2);
	check_row(&rows, 0x1071, WP_UNWIND_NONE, 0, 0, 0, 0);
	wp_unwind_rows_deinit(&rows);
	close_seed(&o);
	CHECK_OK(open_seed("plain", &o)); /* x64 */
	wp_pdb_frames(o.pdb, &rows);
	CHECK_U64(rows.rows.n, 0);
	close_seed(&o);
}

static void test_programs(void)
{
	const struct wp_pdb_frame frame = {.locals = 12, .saved = 8};
	struct wp_unwind_rule rule;

	/* by ebx, which is saved itself */
	rule = wp_pdb_frame_rule("$T0 $ebx = $eip $T0 4 + ^ = $ebx $T0 ^ = $esp $T0 8 + = "
				 "$ebp $ebx 4 - ^ =",
				 &frame);
	CHECK_U64(rule.cfa, WP_UNWIND_NONE); /* $ebx is the caller's by then */
	rule = wp_pdb_frame_rule("$T0 $ebx = $eip $T0 4 + ^ = $ebp $T0 4 - ^ = $esp $T0 8 + = "
				 "$ebx $T0 ^ =",
				 &frame);
	CHECK(rule.cfa == WP_UNWIND_REG + 3 && rule.cfa_off == 2 && rule.ra_off == -2 &&
	      rule.fp_off == -3);
	CHECK_U64(rule.flags, WP_UNWIND_RA_SAVED | WP_UNWIND_FP_SAVED | WP_UNWIND_BX_SAVED);
	CHECK_U64(wp_pdb_frame_rule("", &frame).cfa, WP_UNWIND_NONE);
	CHECK_U64(wp_pdb_frame_rule("$esp ^", &frame).cfa, WP_UNWIND_NONE);
	CHECK_U64(wp_pdb_frame_rule("= = ^ + @", &frame).cfa, WP_UNWIND_NONE);
	CHECK_U64(wp_pdb_frame_rule("1 2 3 4 5 6 7 8 9 1 2 3 4 5 6 7 8 9", &frame).cfa,
		  WP_UNWIND_NONE);
	CHECK_U64(wp_pdb_frame_rule("$esp $esp 99999999 + = $eip $esp ^ =", &frame).cfa,
		  WP_UNWIND_NONE);
	CHECK_U64(wp_pdb_frame_rule("$esp $esp 5 + = $eip $esp ^ =", &frame).cfa, WP_UNWIND_NONE);
}

static void check_refused(const char *name, const char *words)
{
	struct opened o = {0};

	CHECK_ERR(open_seed(name, &o), words);
	close_seed(&o);
}

static void test_refused(void)
{
	struct wp_pdb_bytes bytes = {"BSJB and so on", 14};
	struct wp_pdb_input input = wp_pdb_input_of("x.pdb", &bytes);
	struct wp_pdb *pdb;

	check_refused("fastlink", "link with /DEBUG:FULL");
	check_refused("compiler", "vc140.pdb");
	check_refused("absurd", "larger than the file");
	check_refused("cyclic", "damaged PDB");
	CHECK_ERR(wp_pdb_open(&input, &pdb), "a portable PDB of .NET");
	bytes = (struct wp_pdb_bytes){"", 0};
	input = wp_pdb_input_of("x.pdb", &bytes);
	CHECK_ERR(wp_pdb_open(&input, &pdb), "x.pdb: not a PDB file");
}

static void ask_everything(struct wp_pdb *pdb)
{
	struct wp_pdb_inline calls[WP_PDB_INLINES_MAX];
	struct wp_pdb_function f;
	struct wp_pdb_line line;

	for (uint64_t rva = 0x1000; rva < 0x1400; rva += 8) {
		struct wp_rva at = {rva};

		if (wp_pdb_function(pdb, at, &f))
			wp_pdb_decorated(pdb, &f);
		wp_pdb_line(pdb, at, &line);
		wp_pdb_inlines(pdb, at, calls);
	}
}

/* A file cut off anywhere is refused, and one with any byte inverted does no harm. */
static void test_damage(void)
{
	struct opened o = {0};
	size_t size, opened = 0;

	CHECK_OK(open_seed("plain", &o));
	size = o.bytes.size;
	for (size_t i = 0; i < size; i++) {
		struct wp_pdb_bytes bytes = {o.memory, i};
		struct wp_pdb_input input = wp_pdb_input_of("cut.pdb", &bytes);
		struct wp_pdb *pdb = NULL;
		wp_autoerr struct wp_err *err = wp_pdb_open(&input, &pdb);

		if (!err)
			ask_everything(pdb);
		opened += !err;
		wp_pdb_close(pdb);
	}
	/* The last block is not full, and what fills it does not matter. */
	CHECK(opened < 512);
	for (size_t i = 0; i < size; i++) {
		struct wp_pdb_input input = wp_pdb_input_of("bad.pdb", &o.bytes);
		struct wp_pdb *pdb = NULL;

		o.memory[i] = (char)~o.memory[i];
		wp_autoerr struct wp_err *err = wp_pdb_open(&input, &pdb);
		if (!err)
			ask_everything(pdb);
		wp_pdb_close(pdb);
		o.memory[i] = (char)~o.memory[i];
	}
	close_seed(&o);
}

/* Where there is no more memory parts of it are missing, and that is known. */
static void test_budget(void)
{
	struct wp_budget budget = {.limit = 1 << 20};
	struct opened o = {0};
	uint64_t whole;

	CHECK_OK(open_seed("plain", &o));
	struct wp_pdb_input input = wp_pdb_input_of("seed.pdb", &o.bytes);
	wp_pdb_close(o.pdb);
	input.budget = &budget;
	CHECK_OK(wp_pdb_open(&input, &o.pdb));
	check_line(o.pdb, 0x1000, "a.c:10");
	whole = budget.used;
	CHECK(whole > 0 && !wp_budget_is_spent(&budget, WP_BUDGET_PDB));
	wp_pdb_close(o.pdb);
	budget = (struct wp_budget){.limit = whole};
	CHECK_OK(wp_pdb_open(&input, &o.pdb));
	ask_everything(o.pdb);
	CHECK(wp_budget_is_spent(&budget, WP_BUDGET_PDB) && budget.used <= whole / 2);
	CHECK(wp_pdb_damage(o.pdb) > 0);
	close_seed(&o);
}

int main(void)
{
	RUN(test_identity);
	RUN(test_functions);
	RUN(test_lines);
	RUN(test_inlines);
	RUN(test_imports);
	RUN(test_moved_code);
	RUN(test_publics_alone);
	RUN(test_frames);
	RUN(test_programs);
	RUN(test_refused);
	RUN(test_damage);
	RUN(test_budget);
	return check_done();
}
