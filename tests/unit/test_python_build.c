/* SPDX-License-Identifier: BSD-3-Clause */
/* python_build: made-up files, the offsets of real ones, processes that are not what they seem. */
#include "runtime/python_build.h"

#include "check.h"
#include "eh_bytes.h"
#include "python_file.h"
#include "python_offsets.h"
#include "runtime/python_debug_offsets.h"
#include "runtime/python_layout.h"
#include "runtime/python_version.h"

static void test_versions(void)
{
	static const struct {
		const char *text;
		uint32_t version;
	} good[] = {{"3.8.18", 0x030812f0},
		    {"2.7.18+", 0x020712f0},
		    {"3.9.0rc1", 0x030900c1},
		    {"3.10.0a7", 0x030a00a7},
		    {"3.11.0b4+", 0x030b00b4}};
	static const char *const bad[] = {
		"",	 "3",	    "3.8",     "3.8.",	   "3.8.18.1", "3.8.18 (default)",
		"4.0.0", "3.256.0", "3.8.0rc", "3.8.0b16", "3.8.0x",   "-3.8.1",
		"3..1"};
	char name[WP_PYTHON_VERSION_MAX];
	uint32_t version;

	for (size_t i = 0; i < WP_ARRAY_LEN(good); i++) {
		CHECK(wp_python_version_parse(good[i].text, &version));
		CHECK_U64(version, good[i].version);
	}
	for (size_t i = 0; i < WP_ARRAY_LEN(bad); i++)
		CHECK(!wp_python_version_parse(bad[i], &version));
	CHECK_STR(wp_python_version_print(0x030b02f0, name), "3.11.2");
	CHECK_STR(wp_python_version_print(0x030f00b1, name), "3.15.0b1");
	CHECK_STR(wp_python_version_print(0xffffffff, name), "255.255.255");
	CHECK(wp_python_version_is_final(0x030f00c1) && !wp_python_version_is_final(0x030f00b1));
	CHECK(wp_python_layout_of(0x030c00f0) && wp_python_layout_of(0x030c00c2));
	CHECK(!wp_python_layout_of(0x030c00b1) && !wp_python_layout_of(0x030d00f0));
	CHECK(!wp_python_layout_of(0x030500f0) && !wp_python_layout_of(0));
	CHECK_U64(wp_python_layout_of(0x030703f0)->runtime_key + 88,
		  wp_python_layout_of(0x030704f0)->runtime_key);
}

/* What every layout must be for a walk. */
static void check_sane(const struct wp_python_plan *p)
{
	CHECK(p->code_bytes && p->code_bytes <= WP_PYTHON_CODE_MAX);
	CHECK(p->code_lines + 8u <= p->code_bytes && p->code_name + 8u <= p->code_bytes);
	CHECK(p->code_filename + 8u <= p->code_bytes && p->code_tlbc + 8u <= p->code_bytes);
	CHECK(p->code_qualname + 8u <= p->code_bytes && p->object_type + 8u <= p->code_bytes);
	CHECK(p->ts_thread_id && p->ts_interp && p->bytes_data > p->bytes_size);
	CHECK(!(p->flags & WP_PYTHON_INSTR_POINTER) == !p->code_first_instr);
}

static void test_layouts(void)
{
	static const uint32_t versions[] = {0x020712f0, 0x03060ff0, 0x030700f0,
					    0x030712f0, 0x030812f0, 0x030912f0,
					    0x030a0df0, 0x030b07f0, 0x030c01f0};

	for (size_t i = 0; i < WP_ARRAY_LEN(versions); i++) {
		struct wp_python_plan plan = wp_python_layout_of(versions[i])->plan, longer = plan;

		check_sane(&plan);
		wp_python_layout_trace_refs(&longer);
		check_sane(&longer);
		CHECK_U64(longer.code_name, plan.code_name + 16u);
		CHECK_U64(longer.ts_frame, plan.ts_frame);
		CHECK_U64(longer.frame_previous,
			  plan.frame_previous + (plan.flags & WP_PYTHON_FRAME_OBJECTS ? 16u : 0));
	}
}

static void test_debug_offsets(void)
{
	struct wp_python_debug_offsets o;

	CHECK_OK(wp_python_debug_offsets_read(offsets_3_13, sizeof(offsets_3_13), &o));
	check_sane(&o.plan);
	CHECK_U64(o.runtime_interpreters, 632);
	CHECK_U64(o.runtime_key, 2164);
	CHECK_U64(o.plan.interp_gil, 16);
	CHECK_U64(o.plan.gil_holder, 8);
	CHECK_U64(o.plan.gil_locked, 16);
	CHECK_U64(o.plan.frame_owner, 70);
	CHECK_U64(o.plan.str_compact, 56);
	CHECK_U64(o.plan.flags, WP_PYTHON_ENTRY_FRAMES | WP_PYTHON_INSTR_POINTER);
	CHECK_OK(wp_python_debug_offsets_read(offsets_3_14t, sizeof(offsets_3_14t), &o));
	check_sane(&o.plan);
	CHECK(o.free_threaded && o.plan.flags & WP_PYTHON_TAGGED &&
	      o.plan.flags & WP_PYTHON_FREE_THREADED);
	CHECK_U64(o.plan.ts_state, 44);
	CHECK_U64(o.plan.interp_gil, 0);
	CHECK_U64(o.plan.frame_tlbc_index, 72);
	CHECK_U64(o.plan.code_tlbc, 224);
	CHECK_U64(o.plan.str_kind_shift, 8);
	CHECK_OK(wp_python_debug_offsets_read(offsets_3_15, sizeof(offsets_3_15), &o));
	check_sane(&o.plan);
	CHECK_U64(o.runtime_key, 0);
	CHECK_U64(o.plan.ts_thread_id, 176);
	CHECK_U64(o.plan.str_compact, 56);
	CHECK_U64(o.plan.str_kind_shift, 2);
}

/* Every truncation is refused, and every word that counts when it is nonsense. */
static void spoil(const uint64_t *words, size_t n, unsigned int want)
{
	static const uint64_t hostile[] = {UINT64_MAX, 1ull << 63, 0xffff, 0x10001, 3};
	struct wp_python_debug_offsets o;
	unsigned int refused = 0;

	for (size_t size = 0; size < n * 8; size++) {
		wp_autofree void *copy = malloc(size + 1);

		memcpy(copy, words, size);
		CHECK_ERR(wp_python_debug_offsets_read(copy, size, &o), "CPython");
	}
	for (size_t i = 0; i < n; i++) {
		bool all = true;

		for (size_t j = 0; j < WP_ARRAY_LEN(hostile); j++) {
			uint64_t copy[128];

			memcpy(copy, words, n * 8);
			copy[i] = hostile[j];
			wp_autoerr struct wp_err *err =
				wp_python_debug_offsets_read(copy, n * 8, &o);
			if (!err)
				check_sane(&o.plan);
			if (j < 2)
				all &= err != NULL;
		}
		refused += all;
	}
	CHECK_U64(refused, want);
}

static void test_hostile_offsets(void)
{
	struct wp_python_debug_offsets o;
	uint64_t newer[WP_ARRAY_LEN(offsets_3_15)];

	spoil(offsets_3_13, WP_ARRAY_LEN(offsets_3_13), 40);
	spoil(offsets_3_14t, WP_ARRAY_LEN(offsets_3_14t), 45);
	spoil(offsets_3_15, WP_ARRAY_LEN(offsets_3_15), 43);
	memcpy(newer, offsets_3_15, sizeof(newer));
	newer[1] = 0x031000f0;
	CHECK_ERR(wp_python_debug_offsets_read(newer, sizeof(newer), &o), "CPython 3.16.0 is not");
	newer[1] = 0x030f00b2;
	CHECK_ERR(wp_python_debug_offsets_read(newer, sizeof(newer), &o),
		  "CPython 3.15.0b2 is not");
}

/* A CPython up to 3.12 in a file: what differs between the cases. */
struct spec {
	const char *version;
	uint64_t number; /* Py_Version; 0: as text only */
	uint64_t code_basic;
	bool traced; /* the head is longer */
	bool old;    /* 2.7, 3.6 */
};

static uint64_t put_code_type(struct python_file *f, const struct spec *spec)
{
	uint64_t type[10] = {1};

	type[spec->traced ? 6 : 4] = spec->code_basic;
	return file_put(f, type, sizeof(type));
}

static void put_get_version(struct python_file *f, const char *version)
{
	uint64_t text = file_put(f, version, strlen(version) + 1);
	uint8_t code[] = {0x90, 0x48, 0x8d, 0x0d, 0, 0, 0, 0, 0xc3};
	uint64_t at = file_put(f, code, sizeof(code));
	uint32_t distance = (uint32_t)(text - (at + 8));

	memcpy(f->bytes + (at - BASE) + 4, &distance, 4);
	file_symbol(f, "Py_GetVersion", at, sizeof(code));
}

static int python(const struct spec *spec)
{
	static struct python_file f;
	static const uint8_t loop[64] = {0x90};
	/* mov 0x100000-... (%rip), %rax; ret: loads from BSS + 0x40 */
	uint8_t head[] = {0x48, 0x8b, 0x05, 0, 0, 0, 0, 0xc3};

	file_begin(&f, EM_X86_64);
	uint64_t text = file_put(&f, loop, sizeof(loop));
	file_section(&f, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text, sizeof(loop));
	file_symbol(&f,
		    spec->old && spec->version[0] == '2' ? "PyEval_EvalFrameEx"
							 : "_PyEval_EvalFrameDefault",
		    text, sizeof(loop));
	put_get_version(&f, spec->version);
	file_symbol(&f, "PyCode_Type", put_code_type(&f, spec), 400);
	if (spec->number)
		file_symbol(&f, "Py_Version", file_put(&f, &spec->number, 8), 8);
	if (spec->old) {
		uint64_t at = file_put(&f, head, sizeof(head));
		uint32_t distance = (uint32_t)(BSS + 0x40 - (at + 7));

		memcpy(f.bytes + (at - BASE) + 3, &distance, 4);
		file_symbol(&f, "_PyThreadState_Current", BSS, 8);
		file_symbol(&f, "PyInterpreterState_Head", at, 8);
	} else {
		file_symbol(&f, "_PyRuntime", BSS, 4096);
	}
	return file_end(&f, SHT_DYNSYM);
}

static struct wp_err *read_python(const struct spec *spec, struct wp_python_build **ret)
{
	wp_autoclose int fd = python(spec);

	*ret = NULL;
	return wp_python_build_read(fd, "libpython.so", ret);
}

static void test_files(void)
{
	struct spec spec = {.version = "3.8.18", .code_basic = 176};
	struct wp_python_build *build;

	CHECK_OK(read_python(&spec, &build));
	wp_autofree char *name = wp_python_build_name(build);
	CHECK_STR(name, "3.8.18");
	CHECK_U64(build->layout.interpreters, BSS + 32);
	CHECK_U64(build->layout.tss_key, BSS + 1396);
	CHECK_U64(build->layout.current, BSS + 1368);
	CHECK_U64(build->eval.parts.n, 1);
	CHECK_U64(build->eval.parts.v[0].end - build->eval.parts.v[0].start, 64);
	CHECK_U64(build->layout.code_name, 112);
	wp_python_build_free(build);
	spec = (struct spec){.version = "3.8.18", .code_basic = 192, .traced = true};
	CHECK_OK(read_python(&spec, &build));
	wp_autofree char *traced = wp_python_build_name(build);
	CHECK_STR(traced, "3.8.18 debug");
	CHECK_U64(build->layout.code_name, 128);
	wp_python_build_free(build);
	spec = (struct spec){.version = "2.7.18", .code_basic = 128, .old = true};
	CHECK_OK(read_python(&spec, &build));
	CHECK_U64(build->layout.interpreters, BSS + 0x40);
	CHECK_U64(build->layout.current, BSS);
	CHECK_U64(build->layout.tss_key, 0);
	wp_python_build_free(build);
}

static void test_refused_files(void)
{
	struct spec spec = {.version = "3.8.18", .code_basic = 200};
	struct wp_python_build *build;

	CHECK_ERR(read_python(&spec, &build), "CPython 3.8.18 has code objects of an unknown");
	spec = (struct spec){.version = "3.5.2", .code_basic = 176};
	CHECK_ERR(read_python(&spec, &build), "CPython 3.5.2 is not known");
	spec = (struct spec){.version = "3.9.0b1", .code_basic = 176};
	CHECK_ERR(read_python(&spec, &build), "CPython 3.9.0b1 is not known");
	spec = (struct spec){.version = "nonsense", .code_basic = 176};
	CHECK_ERR(read_python(&spec, &build), "does not tell its version");
	spec = (struct spec){.version = "", .number = 0x031000f0, .code_basic = 176};
	CHECK_ERR(read_python(&spec, &build), "CPython 3.16.0 is not known");
	spec = (struct spec){.version = "3.7.16", .code_basic = 144, .old = true};
	CHECK_ERR(read_python(&spec, &build), "CPython 3.7.16 has no _PyRuntime");
	CHECK(!build);
}

static void put_offsets(struct python_file *f, const uint64_t *words, size_t n)
{
	static const uint8_t loop[64] = {0x90};
	uint64_t text = file_put(f, loop, sizeof(loop));

	file_section(f, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text, sizeof(loop));
	file_section(f, ".PyRuntime", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, file_put(f, words, n),
		     n);
	file_symbol(f, "_PyEval_EvalFrameDefault", text, sizeof(loop));
	file_symbol(f, "PyCode_Type", BSS, 400);
}

/* No symbol leads to _PyRuntime, but its section does. */
static void test_own_section(void)
{
	static struct python_file f;
	struct wp_python_build *build = NULL;
	uint64_t spoilt[WP_ARRAY_LEN(offsets_3_13)];

	file_begin(&f, EM_AARCH64);
	put_offsets(&f, offsets_3_13, sizeof(offsets_3_13));
	wp_autoclose int fd = file_end(&f, SHT_DYNSYM);
	CHECK_OK(wp_python_build_read(fd, "program", &build));
	CHECK(build && build->version == 0x030d05f0 && build->lines == WP_PYTHON_LOCATIONS);
	CHECK(build && build->cookie && build->layout.interpreters == build->cookie + 632);
	wp_python_build_free(build);
	memcpy(spoilt, offsets_3_13, sizeof(spoilt));
	spoilt[32] = 1 << 20; /* localsplus: not the first that is wrong */
	spoilt[29] = 81;      /* previous */
	file_begin(&f, EM_AARCH64);
	put_offsets(&f, spoilt, sizeof(spoilt));
	wp_autoclose int other = file_end(&f, SHT_DYNSYM);
	CHECK_ERR(wp_python_build_read(other, "program", &build),
		  "make no sense (_PyInterpreterFrame.previous)");
}

/* Adds to the pc-relative start of every FDE behind the first entry. */
static void move_fdes(uint8_t *bytes, size_t n, uint32_t distance)
{
	uint32_t len, start;

	memcpy(&len, bytes, 4);
	for (size_t at = 4 + len; at < n; at += 4 + len) {
		memcpy(&start, bytes + at + 8, 4);
		start += distance;
		memcpy(bytes + at + 8, &start, 4);
		memcpy(&len, bytes + at, 4);
	}
}

#define COLD_CODE 0x300

/* cold at 0, other cold at 0x40, a function at 0x80, the loop at 0x100 */
static void make_cold_code(uint8_t *code)
{
	static const uint8_t back[] = {0xe9, 0x05, 0x01, 0, 0}, call[] = {0xe8, 0, 0, 0, 0},
			     to_cold[] = {0x0f, 0x84, 0xea, 0xfe, 0xff, 0xff},
			     to_function[] = {0xe9, 0x5b, 0xff, 0xff, 0xff},
			     to_other[] = {0x0f, 0x85, 0x0a, 0xff, 0xff, 0xff},
			     other_back[] = {0xe9, 0x3b, 0, 0, 0};

	memset(code, 0x90, COLD_CODE);
	memcpy(code, back, sizeof(back));
	memcpy(code + 0x20, call, sizeof(call));
	memcpy(code + 0x40, other_back, sizeof(other_back)); /* into the function */
	memcpy(code + 0x110, to_cold, sizeof(to_cold));
	memcpy(code + 0x120, to_function, sizeof(to_function));
	memcpy(code + 0x130, to_other, sizeof(to_other));
}

static void put_cold_frames(struct python_file *f, uint64_t text)
{
	struct section eh = {0};

	X86_CIE(&eh);
	/* Addresses as of a section at ADDR; both are moved alike. */
	uint64_t moved = ADDR + 0x1000;
	PUT_FDE(&eh, moved, 0x40, 0x0e, 64);
	PUT_FDE(&eh, moved + 0x40, 0x40, 0x0e, 32);
	PUT_FDE(&eh, moved + 0x80, 0x80, 0x41, 0x0e, 16);
	PUT_FDE(&eh, moved + 0x100, 0x100, 0x41, 0x0e, 64);
	uint64_t at = file_put(f, eh.bytes, eh.n);
	/* FDEs count from themselves: the distance from the section to the code is 0x1000 there. */
	move_fdes(f->bytes + (at - BASE), eh.n, (uint32_t)(text - at - 0x1000));
	file_section(f, ".eh_frame", SHT_PROGBITS, SHF_ALLOC, at, eh.n);
}

/* A loop whose cold part stands before it, without a name, beside another function's. */
static void test_cold_part(void)
{
	static struct python_file f;
	struct wp_python_build *build = NULL;
	uint8_t code[COLD_CODE];

	make_cold_code(code);
	file_begin(&f, EM_X86_64);
	uint64_t text = file_put(&f, code, sizeof(code));
	file_section(&f, ".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, text, sizeof(code));
	file_symbol(&f, "_PyEval_EvalFrameDefault", text + 0x100, 0x100);
	file_symbol(&f, "PyCode_Type", BSS, 400);
	put_cold_frames(&f, text);
	file_section(&f, ".PyRuntime", SHT_PROGBITS, SHF_ALLOC | SHF_WRITE,
		     file_put(&f, offsets_3_13, sizeof(offsets_3_13)), sizeof(offsets_3_13));
	wp_autoclose int fd = file_end(&f, SHT_DYNSYM);
	CHECK_OK(wp_python_build_read(fd, "program", &build));
	CHECK_U64(build ? build->eval.parts.n : 0, 2);
	if (build && build->eval.parts.n == 2) {
		CHECK_U64(build->eval.parts.v[0].start, text);
		CHECK_U64(build->eval.parts.v[0].end, text + 0x40);
		CHECK_U64(build->eval.parts.v[1].start, text + 0x100);
	}
	wp_python_build_free(build);
}

static int libc_with(uint16_t machine, const uint32_t *specific, uint32_t size, bool musl,
		     const uint32_t *tid)
{
	static struct python_file f;
	static const uint32_t self[] = {0xd503245f, 0xd53bd040, 0xd1032000, 0xd65f03c0};

	file_begin(&f, machine);
	if (specific)
		file_symbol(&f, "_thread_db_pthread_specific", file_put(&f, specific, 12), 12);
	if (size)
		file_symbol(&f, "_thread_db_sizeof_pthread", file_put(&f, &size, 4), 4);
	if (tid)
		file_symbol(&f, "_thread_db_pthread_tid", file_put(&f, tid, 12), 12);
	if (musl)
		file_symbol(&f, "pthread_self", file_put(&f, self, 16), 16);
	return file_end(&f, SHT_DYNSYM);
}

static int libc_file(uint16_t machine, const uint32_t *specific, uint32_t size, bool musl)
{
	return libc_with(machine, specific, size, musl, NULL);
}

static int32_t tid_of(int fd)
{
	struct wp_python_libc libc = {0};

	CHECK(wp_python_libc_read(fd, &libc));
	close(fd);
	return libc.tid;
}

static void test_libc_tid(void)
{
	uint32_t specific[] = {0x800, 1, 0x510}, good[] = {32, 1, 0x2d0}, wide[] = {64, 1, 0x2d0},
		 odd[] = {32, 1, 0x2d1}, far[] = {32, 1, 0x7ffffffc};

	CHECK(tid_of(libc_with(EM_X86_64, specific, 0, false, good)) == 0x2d0);
	CHECK(tid_of(libc_with(EM_X86_64, specific, 0, false, NULL)) == 0);
	CHECK(tid_of(libc_with(EM_X86_64, specific, 0, false, wide)) == 0);
	CHECK(tid_of(libc_with(EM_X86_64, specific, 0, false, odd)) == 0);
	CHECK(tid_of(libc_with(EM_X86_64, specific, 0, false, far)) == 0);
	CHECK(tid_of(libc_with(EM_AARCH64, specific, 1856, false, good)) == 0x2d0 - 1856);
}

static void check_libc(int fd, bool tells, int32_t tsd, int32_t bias)
{
	struct wp_python_libc libc = {0};

	CHECK(wp_python_libc_read(fd, &libc) == tells);
	CHECK(libc.tsd == tsd && libc.thread_id_bias == bias);
	close(fd);
}

static void test_libc(void)
{
	uint32_t one[] = {0x800, 1, 0x510}, each[] = {64, 32, 0x310}, odd[] = {0x800, 1, 0x511},
		 other[] = {64, 31, 0x310}, far[] = {0x800, 1, 0x7ffffff8};

	check_libc(libc_file(EM_X86_64, one, 0, false), true, 0x510, 0);
	check_libc(libc_file(EM_X86_64, each, 0, false), true, 0x310, 0);
	check_libc(libc_file(EM_X86_64, odd, 0, false), false, 0, 0);
	check_libc(libc_file(EM_X86_64, other, 0, false), false, 0, 0);
	check_libc(libc_file(EM_X86_64, far, 0, false), false, 0, 0);
	check_libc(libc_file(EM_X86_64, NULL, 0, true), false, 0, 0);
	check_libc(libc_file(EM_AARCH64, each, 1856, false), true, 0x310 - 1856, -1856);
	check_libc(libc_file(EM_AARCH64, each, 0, false), false, 0, 0);
	check_libc(libc_file(EM_AARCH64, each, 0x310, false), false, 0, 0);
	check_libc(libc_file(EM_AARCH64, NULL, 0, true), true, 0, -200);
}

/* A process: a window of words at 0x10000; its threads' struct pthread and blocks are in it too. */
#define WINDOW 0x10000u

struct process {
	uint64_t words[512];
};

static bool read_process(void *arg, uint64_t addr, void *ret, size_t n)
{
	struct process *p = arg;

	if (addr < WINDOW || addr - WINDOW > sizeof(p->words) ||
	    n > sizeof(p->words) - (addr - WINDOW))
		return false;
	memcpy(ret, (const char *)p->words + (addr - WINDOW), n);
	return true;
}

static void set(struct process *p, uint64_t addr, uint64_t value)
{
	p->words[(addr - WINDOW) / 8] = value;
}

#define INTERP (WINDOW + 0x200)
#define THREAD (WINDOW + 0x400)
#define SELF   (WINDOW + 0x600) /* struct pthread, its `specific` at +0x10 */
#define BLOCK  (WINDOW + 0x700)
#define TYPE   (WINDOW + 0xc00)

/* A 3.12 whose _PyRuntime is cut down: interpreters.head at +0, the key at +8. */
static struct wp_python_build small_build(void)
{
	struct wp_python_build build = {.version = 0x030c01f0,
					.layout = wp_python_layout_of(0x030c01f0)->plan};

	build.layout.interpreters = 0x100;
	build.layout.tss_key = 0x108;
	build.layout.eval_start = 0x20;
	build.layout.code_type = TYPE - WINDOW;
	return build;
}

static struct process living(const struct wp_python_plan *layout)
{
	struct process p = {0};

	set(&p, WINDOW + 0x100, INTERP);
	set(&p, WINDOW + 0x108, 3); /* the key */
	set(&p, INTERP + layout->interp_threads, THREAD);
	set(&p, THREAD + layout->ts_interp, INTERP);
	set(&p, THREAD + layout->ts_thread_id, SELF);
	set(&p, SELF + 0x10, BLOCK);
	set(&p, BLOCK + 3 * 16 + 8, THREAD);
	set(&p, TYPE + 168, 1 << 12); /* tp_flags: ready */
	return p;
}

static void test_plan(void)
{
	struct wp_python_build build = small_build();
	struct process p = living(&build.layout), none = {0};
	struct wp_memory memory = {read_process, &p}, empty = {read_process, &none};
	struct wp_python_libc libc = {.tsd = 0x10};
	struct wp_python_plan plan;

	CHECK_OK(wp_python_build_plan(&build, WINDOW, &libc, &memory, &plan));
	CHECK_U64(plan.tss_key, WINDOW + 0x108);
	CHECK_U64(plan.interpreters, WINDOW + 0x100);
	CHECK_U64(plan.eval_start, WINDOW + 0x20);
	CHECK_U64(plan.current, 0);
	CHECK_U64(plan.tsd, 0x10);
	CHECK_U64(plan.code_type, TYPE);
	/* Not begun yet: what the file says. */
	CHECK_OK(wp_python_build_plan(&build, WINDOW, &libc, &empty, &plan));
	CHECK_U64(plan.tss_key, WINDOW + 0x108);
	/* A libc that does not tell, or no memory. */
	CHECK_OK(wp_python_build_plan(&build, WINDOW, NULL, &memory, &plan));
	CHECK_U64(plan.tss_key, 0);
	CHECK_OK(wp_python_build_plan(&build, WINDOW, &libc, NULL, &plan));
	CHECK_U64(plan.tss_key, WINDOW + 0x108);
	/* The program has a PyCode_Type of its own. */
	set(&p, TYPE + 168, 1 << 11);
	CHECK_OK(wp_python_build_plan(&build, WINDOW, &libc, &memory, &plan));
	CHECK_U64(plan.code_type, 0);
	/* A key that leads elsewhere is not used; thread states are then found by their list. */
	set(&p, BLOCK + 3 * 16 + 8, 0x1234);
	CHECK_OK(wp_python_build_plan(&build, WINDOW, &libc, &memory, &plan));
	CHECK_U64(plan.tss_key, 0);
	set(&p, WINDOW + 0x108, 1u << 20);
	CHECK_OK(wp_python_build_plan(&build, WINDOW, &libc, &memory, &plan));
	CHECK_U64(plan.tss_key, 0);
}

static void test_mappings(void)
{
	struct wp_python_build build = small_build();

	CHECK(wp_python_build_runs_in(&build, 0, 0x1000));
	CHECK(wp_python_build_runs_in(&build, 0x20, 1));
	CHECK(!wp_python_build_runs_in(&build, 0x21, 0x1000)); /* a table of libffi's closures */
	CHECK(!wp_python_build_runs_in(&build, 0, 0x20));
	CHECK(!wp_python_build_runs_in(&build, 0x20, 0));
}

static void test_refused_plans(void)
{
	struct wp_python_build build = small_build();
	struct process p = living(&build.layout);
	struct wp_memory memory = {read_process, &p};
	struct wp_python_plan plan;

	set(&p, THREAD + build.layout.ts_interp, THREAD);
	CHECK_ERR(wp_python_build_plan(&build, WINDOW, NULL, &memory, &plan), "thread states");
	set(&p, INTERP + build.layout.interp_threads, THREAD + 1);
	CHECK_ERR(wp_python_build_plan(&build, WINDOW, NULL, &memory, &plan), "thread states");
	/* A list of threads that bites its tail ends. */
	p = living(&build.layout);
	set(&p, THREAD + build.layout.ts_next, THREAD);
	set(&p, BLOCK + 3 * 16 + 8, 8);
	struct wp_python_libc libc = {.tsd = 0x10};
	CHECK_OK(wp_python_build_plan(&build, WINDOW, &libc, &memory, &plan));
	CHECK_U64(plan.tss_key, 0);
	build.cookie = 0x180;
	CHECK_ERR(wp_python_build_plan(&build, WINDOW, NULL, &memory, &plan), "_PyRuntime");
	memcpy(&p.words[0x180 / 8], "xdebugpy", 8);
	CHECK_OK(wp_python_build_plan(&build, WINDOW, NULL, &memory, &plan));
}

int main(void)
{
	RUN(test_versions);
	RUN(test_layouts);
	RUN(test_debug_offsets);
	RUN(test_hostile_offsets);
	RUN(test_files);
	RUN(test_refused_files);
	RUN(test_own_section);
	RUN(test_cold_part);
	RUN(test_libc);
	RUN(test_libc_tid);
	RUN(test_plan);
	RUN(test_mappings);
	RUN(test_refused_plans);
	return check_done();
}
