/* SPDX-License-Identifier: BSD-3-Clause */
/* test_symbol_text: the text formats kallsyms and perf map, the binary jitdump, and what is made of
 * them. */
#include "check.h"
#include "format/maps/jitdump.h"
#include "format/maps/kallsyms.h"
#include "format/maps/perfmap.h"
#include "resolve/jit/jit_code.h"
#include "resolve/symbols/kernel_symbols.h"

static const char kallsyms[] = "ffffffff81000000 T _stext\n"
			       "ffffffff81000000 T startup_64\n"
			       "ffffffff81000100 t secondary\n"
			       "garbage\n"
			       "ffffffff81000180 D data_here\n"
			       "ffffffff81000200 W weak_one\n"
			       "ffffffffc0000000 t ext4_read\t[ext4]\n"
			       "ffffffffc0000040 T ext4_write\t[ext4]\n"
			       "ffffffffc0100000 t nf_hook\t[nf_tables]";

static void test_kallsyms(void)
{
	struct wp_bytes b = wp_bytes_of(kallsyms, sizeof(kallsyms) - 1);
	struct wp_kallsyms_entry e;
	int n = 0;

	while (wp_kallsyms_next(&b, &e))
		n++;
	CHECK_U64(n, 8);
	CHECK_U64(e.addr, 0xffffffffc0100000u);
	CHECK(e.module_len == 9 && memcmp(e.module, "nf_tables", 9) == 0);
	CHECK(e.name_len == 7 && memcmp(e.name, "nf_hook", 7) == 0);
}

static const char *kernel_at(const struct wp_kernel_symbols *k, uint64_t addr, const char **module)
{
	size_t at = wp_symtab_find(&k->table, addr);

	*module =
		at == WP_SYMTAB_NONE ? NULL : wp_strpool_get(&k->modules, k->table.pieces[at].tag);
	return at == WP_SYMTAB_NONE ? NULL : wp_symtab_name(&k->table, at);
}

static void test_kernel(void)
{
	struct wp_kernel_symbols k;
	const char *module;

	wp_kernel_symbols_parse(kallsyms, sizeof(kallsyms) - 1, &k);
	CHECK(!k.hidden);
	CHECK_STR(kernel_at(&k, 0xffffffff81000010u, &module), "startup_64");
	CHECK_STR(module, "[kernel]");
	CHECK_STR(kernel_at(&k, 0xffffffff8100017fu, &module), "secondary");
	CHECK_STR(kernel_at(&k, 0xffffffff81000180u, &module), NULL);
	CHECK_STR(kernel_at(&k, 0xffffffff81001000u, &module), "weak_one");
	CHECK_STR(kernel_at(&k, 0xffffffff81005000u, &module), NULL);
	CHECK_STR(kernel_at(&k, 0xffffffffc0000044u, &module), "ext4_write");
	CHECK_STR(module, "[ext4]");
	wp_kernel_symbols_deinit(&k);
	wp_kernel_symbols_parse("0000000000000000 T _text\n0000000000000000 t x\n", 46, &k);
	CHECK(k.hidden);
	wp_kernel_symbols_deinit(&k);
}

static void test_perfmap(void)
{
	static const char text[] =
		"7f00 10 first\nno good\n0x7f10 0x20 py::g:/a b.py\r\n7f30 0 empty\n"
		"ffffffffffffffff 2 wraps\n7f40 10 unfin";
	struct wp_bytes b = wp_bytes_of(text, sizeof(text) - 1);
	struct wp_perfmap_entry e;

	CHECK(wp_perfmap_next(&b, &e) && e.start == 0x7f00 && e.size == 0x10 && e.name_len == 5);
	CHECK(wp_perfmap_next(&b, &e) && e.start == 0x7f10);
	CHECK(e.name_len == 13 && memcmp(e.name, "py::g:/a b.py", 13) == 0);
	CHECK(!wp_perfmap_next(&b, &e));
	CHECK_STR(text + b.pos, "7f40 10 unfin");
}

static size_t put(uint8_t *to, size_t at, uint64_t value, size_t bytes)
{
	memcpy(to + at, &value, bytes);
	return at + bytes;
}

static void test_jitdump(void)
{
	uint8_t d[256] = {0};
	size_t n = put(d, 0, 0x4a695444, 4);
	struct wp_jitdump_header header;
	struct wp_jitdump_record r;

	n = put(d, n, 1, 4);
	n = put(d, n, 40, 4);
	n = put(d, n, 62, 8);
	n = put(d, n, 1234, 4);
	n = put(d, n, 99, 8);
	n = put(d, n, 0, 8);
	size_t first = n, size = 16 + 40 + 4 + 8;
	n = put(d, n, 0, 4);
	n = put(d, n, size, 4);
	n = put(d, n, 1000, 8);
	n = put(d, n, 0, 16 - 8) + 8;
	n = put(d, n, 0x7000, 8);
	n = put(d, n, 8, 8);
	n = put(d, n, 3, 8);
	memcpy(d + n, "fun\0CODECODE", 12);
	n += 12;
	CHECK_U64(n, first + size);
	struct wp_bytes b = wp_bytes_of(d, n);
	CHECK_U64(wp_jitdump_header(&b, &header), WP_JITDUMP_OK);
	CHECK_U64(header.pid, 1234);
	CHECK(!header.arch_time);
	CHECK_U64(wp_jitdump_next(&b, &r), WP_JITDUMP_OK);
	CHECK(r.kind == WP_JITDUMP_LOAD && r.start == 0x7000 && r.size == 8 && r.time == 1000);
	CHECK_STR(r.name, "fun");
	CHECK_U64(wp_jitdump_next(&b, &r), WP_JITDUMP_MORE);
	for (size_t cut = first; cut < n; cut++) {
		b = wp_bytes_of(d, cut);
		wp_bytes_seek(&b, first);
		CHECK_U64(wp_jitdump_next(&b, &r), WP_JITDUMP_MORE);
		CHECK_U64(b.pos, first);
	}
	put(d, first + 4, 3, 4);
	b = wp_bytes_of(d, n);
	wp_bytes_seek(&b, first);
	CHECK_U64(wp_jitdump_next(&b, &r), WP_JITDUMP_BAD);
}

/* 16 bytes of unwinding data, the table being some of them. */
static enum wp_jitdump_kind unwinding_of(uint64_t size, uint64_t table,
					 struct wp_jitdump_record *ret)
{
	static uint8_t d[16 + 24 + 16];
	size_t n = put(d, 0, 4, 4);

	n = put(d, n, sizeof(d), 4);
	n = put(d, n, 1000, 8);
	n = put(d, n, size, 8);
	n = put(d, n, table, 8);
	put(d, n, 0, 8);
	struct wp_bytes b = wp_bytes_of(d, sizeof(d));
	CHECK_U64(wp_jitdump_next(&b, ret), WP_JITDUMP_OK);
	CHECK_U64(b.pos, sizeof(d));
	CHECK(!ret->eh_frame_size || ret->eh_frame == d + 40);
	return ret->kind;
}

static void test_jitdump_unwinding(void)
{
	struct wp_jitdump_record r;

	CHECK_U64(unwinding_of(16, 4, &r), WP_JITDUMP_UNWIND);
	CHECK_U64(r.eh_frame_size, 12);
	CHECK_U64(unwinding_of(14, 14, &r), WP_JITDUMP_UNWIND);
	CHECK_U64(r.eh_frame_size, 0);
	CHECK_U64(unwinding_of(17, 4, &r), WP_JITDUMP_OTHER);
	CHECK_U64(unwinding_of(8, 9, &r), WP_JITDUMP_OTHER);
	CHECK_U64(unwinding_of(UINT64_MAX, UINT64_MAX, &r), WP_JITDUMP_OTHER);
}

static const char *code_at(struct wp_jit_code *code, uint64_t addr, uint64_t time)
{
	struct wp_jit_piece *piece = wp_jit_code_find(code, addr, time);

	return piece ? piece->name : NULL;
}

static void test_jit_code(void)
{
	struct wp_jit_code code = {0};

	CHECK_STR(code_at(&code, 0x100, 5), NULL);
	wp_jit_code_add(&code, 0x100, 0x100, 10, "old", 3);
	wp_jit_code_add(&code, 0x180, 0x100, 20, "new", 3);
	CHECK_STR(code_at(&code, 0x190, 30), "new");
	CHECK_STR(code_at(&code, 0x190, 15), "old");
	CHECK_STR(code_at(&code, 0x190, 5), "old");
	CHECK_STR(code_at(&code, 0x27f, 15), "new");
	CHECK_STR(code_at(&code, 0x110, 30), "old");
	CHECK_STR(code_at(&code, 0x280, 30), NULL);
	wp_jit_code_find(&code, 0x110, 30)->id = 7;
	wp_jit_code_add(&code, 0x80, 0x10, 0, "always", 6);
	wp_jit_code_add(&code, 0x80, 0x10, 0, "later", 5);
	CHECK_STR(code_at(&code, 0x80, 0), "later");
	CHECK_U64(wp_jit_code_find(&code, 0x110, 30)->id, 7);
	CHECK(!wp_jit_code_add(&code, 0x80, 0, 0, "empty", 5));
	wp_jit_code_deinit(&code);
}

int main(void)
{
	RUN(test_kallsyms);
	RUN(test_kernel);
	RUN(test_perfmap);
	RUN(test_jitdump);
	RUN(test_jitdump_unwinding);
	RUN(test_jit_code);
	return check_done();
}
