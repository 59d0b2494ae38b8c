/* SPDX-License-Identifier: BSD-3-Clause */
/* test_symtab: folding of names, nesting, fillers, and lookups at every edge. */
#include "check.h"
#include "core/symtab.h"

static struct wp_symtab_builder builder;

static void add(uint64_t start, uint64_t size, const char *name, bool filler)
{
	wp_symtab_add(&builder, &(struct wp_symtab_input){
					.start = start,
					.size = size,
					.name = name,
					.rank = wp_symtab_rank(WP_SYMTAB_GLOBAL, name),
					.filler = filler,
				});
}

static const char *at(const struct wp_symtab *t, uint64_t addr)
{
	size_t piece = wp_symtab_find(t, addr);

	return piece == WP_SYMTAB_NONE ? NULL : wp_symtab_name(t, piece);
}

static void test_edges(void)
{
	struct wp_symtab t;

	add(0x100, 0x10, "a", false);
	add(0x110, 0x10, "b", false);
	add(0x130, 1, "c", false);
	wp_symtab_build(&builder, &t);
	CHECK_STR(at(&t, 0xff), NULL);
	CHECK_STR(at(&t, 0x100), "a");
	CHECK_STR(at(&t, 0x10f), "a");
	CHECK_STR(at(&t, 0x110), "b");
	CHECK_STR(at(&t, 0x120), NULL);
	CHECK_STR(at(&t, 0x130), "c");
	CHECK_STR(at(&t, 0x131), NULL);
	CHECK_STR(at(&t, UINT64_MAX), NULL);
	wp_symtab_deinit(&t);
}

static void test_empty(void)
{
	struct wp_symtab t;

	wp_symtab_build(&builder, &t);
	CHECK_STR(at(&t, 0), NULL);
	wp_symtab_deinit(&t);
}

static void test_nesting(void)
{
	struct wp_symtab t;

	add(0x100, 0x100, "outer", false);
	add(0x120, 0x10, "inner", false);
	add(0x1f0, 0x20, "overlap", false);
	wp_symtab_build(&builder, &t);
	CHECK_STR(at(&t, 0x11f), "outer");
	CHECK_STR(at(&t, 0x12f), "inner");
	CHECK_STR(at(&t, 0x130), "outer");
	CHECK_STR(at(&t, 0x1ef), "outer");
	CHECK_STR(at(&t, 0x1ff), "overlap");
	CHECK_STR(at(&t, 0x20f), "overlap");
	size_t piece = wp_symtab_find(&t, 0x150);
	CHECK_U64(t.starts[t.pieces[piece].head], 0x100);
	CHECK_U64(t.pieces[piece].size, 0x100);
	wp_symtab_deinit(&t);
}

static void test_names(void)
{
	struct wp_symtab t;

	add(0x100, 0x10, "__libc_malloc", false);
	add(0x100, 0x10, "malloc", false);
	add(0x100, 0x10, "malloc@@GLIBC_2.2.5", false);
	wp_symtab_add(&builder, &(struct wp_symtab_input){0x200, 8, "weak",
							  wp_symtab_rank(WP_SYMTAB_WEAK, "weak")});
	wp_symtab_add(&builder, &(struct wp_symtab_input){0x200, 8, "local",
							  wp_symtab_rank(WP_SYMTAB_LOCAL, "x")});
	wp_symtab_add(&builder,
		      &(struct wp_symtab_input){0x200, 16, "global_name",
						wp_symtab_rank(WP_SYMTAB_GLOBAL, "global_name")});
	wp_symtab_build(&builder, &t);
	CHECK_STR(at(&t, 0x108), "malloc");
	CHECK_STR(at(&t, 0x208), "global_name");
	wp_symtab_deinit(&t);
}

static void test_fillers(void)
{
	struct wp_symtab t;

	add(0x100, 0x10, "f", false);
	add(0x108, 0x100, "label_in_f", true);
	add(0x118, 0x1000, "label", true);
	add(0x130, 0x10, "g", false);
	add(0x150, 0x10, "last", true);
	wp_symtab_build(&builder, &t);
	CHECK_STR(at(&t, 0x109), "f");
	CHECK_STR(at(&t, 0x110), NULL);
	CHECK_STR(at(&t, 0x12f), "label");
	CHECK_U64(t.pieces[wp_symtab_find(&t, 0x12f)].size, 0x18);
	CHECK_STR(at(&t, 0x130), "g");
	CHECK_STR(at(&t, 0x140), NULL);
	CHECK_STR(at(&t, 0x15f), "last");
	CHECK_STR(at(&t, 0x160), NULL);
	wp_symtab_deinit(&t);
}

/* Random tables against the definition: the symbol that starts last among those that cover. */
static void test_random(void)
{
	uint64_t state = 88172645463325252u;
	static char names[64][8];

	for (int round = 0; round < 200; round++) {
		uint64_t start[64], size[64];
		struct wp_symtab t;
		int bad = 0;

		for (int i = 0; i < 64; i++) {
			state ^= state << 13, state ^= state >> 7, state ^= state << 17;
			start[i] = (state >> 8 & 0xff) * 64 + (uint64_t)i;
			size[i] = 1 + (state >> 16 & (state & 1 ? 0x3f : 0xfff));
			snprintf(names[i], sizeof(names[i]), "s%d", i);
			add(start[i], size[i], names[i], false);
		}
		wp_symtab_build(&builder, &t);
		for (uint64_t a = 0; a < 0x5000; a += 7) {
			int best = -1;

			for (int i = 0; i < 64; i++)
				if (a - start[i] < size[i] && (best < 0 || start[i] > start[best]))
					best = i;
			const char *got = at(&t, a);
			bad += best < 0 ? got != NULL : !got || strcmp(got, names[best]) != 0;
		}
		CHECK_U64(bad, 0);
		wp_symtab_deinit(&t);
	}
}

/* Sizes that overflow, and a symbol larger than a piece can say. */
static void test_hostile(void)
{
	struct wp_symtab t;

	add(UINT64_MAX - 8, UINT64_MAX, "end", false);
	add(0, UINT64_MAX, "all", false);
	add(0x100, 0, "empty", false);
	wp_symtab_build(&builder, &t);
	CHECK_STR(at(&t, 0x100), "all");
	CHECK_STR(at(&t, UINT64_MAX - 8), "end");
	CHECK_STR(at(&t, 1ull << 40), NULL);
	wp_symtab_deinit(&t);
}

int main(void)
{
	RUN(test_edges);
	RUN(test_empty);
	RUN(test_nesting);
	RUN(test_names);
	RUN(test_fillers);
	RUN(test_random);
	RUN(test_hostile);
	return check_done();
}
