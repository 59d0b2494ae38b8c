/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_memory: how the program reads user memory.
 *
 * Part of walk.bpf.c. bpf_probe_read_user() takes a tenth of a microsecond for a word. The kernel
 * has the same memory mapped for itself, where a copy takes a third of that and a word next to
 * nothing; which page it is the process's page tables say. Whatever is not plainly a present page
 * of user memory is left to bpf_probe_read_user(), and so is a page that was exchanged meanwhile.
 */
#ifndef WP_BPF_WALK_MEMORY_H
#define WP_BPF_WALK_MEMORY_H

#include "bpf/walk_state.h"

/* Longer copies are what bpf_probe_read_user() does faster. */
#define DIRECT_MAX 2048

/*
 * Linux 6.2: a pointer into the kernel's memory; what cannot be read there is 0. As the headers of
 * libbpf 1.4 and newer declare it, or they do not compile beside it.
 */
extern void *bpf_rdonly_cast(const void *object, __u32 btf_id) __ksym __weak;

/* Entries of page tables (Intel SDM vol. 3, 4.5; the kernel's asm/pgtable_types.h). */
#define PAGE_PRESENT 0x001
#define PAGE_USER    0x004
#define PAGE_TOUCHED 0x060 /* accessed, dirty: the hardware sets them */
#define PAGE_LARGE   0x080
#define PAGE_SPECIAL 0x200 /* not memory, maybe */
#define PAGE_FRAME   0x000ffffffffff000ull
#define TABLE_INDEX  511
#define USER_BITS    47
#define DIRECT_SHIFT 30

static __always_inline __u64 kernel_word(__u64 at)
{
	const struct timespec64 *word =
		bpf_rdonly_cast((const void *)at, bpf_core_type_id_kernel(struct timespec64));

	return (__u64)word->tv_sec;
}

static __always_inline int find_mapped(__u64 tables, __u64 base, __u64 end, __u64 addr,
				       struct mapped *ret)
{
	__u64 table = tables;

	if (addr >> USER_BITS)
		return -1;
#pragma unroll
	for (int shift = 39; shift >= 12; shift -= 9) {
		__u64 size = 1ull << shift, frame;
		int last = shift == 12;

		ret->entry_at = table + ((addr >> shift) & TABLE_INDEX) * 8;
		ret->entry = kernel_word(ret->entry_at);
		if ((~ret->entry & (PAGE_PRESENT | PAGE_USER)) != 0)
			return -1;
		last |= shift < 39 && (ret->entry & PAGE_LARGE);
		frame = ret->entry & PAGE_FRAME;
		if (last)
			frame &= ~(size - 1);
		if (frame >= end)
			return -1;
		table = base + frame;
		if (last) {
			ret->at = table + (addr & (size - 1));
			return ret->entry & PAGE_SPECIAL ? -1 : 0;
		}
	}
	return -1;
}

/* Of a search for where the kernel has all memory mapped. */
struct direct_search {
	__u64 pgd, lowest, addr;
	__u64 magic[WP_WALK_MAGIC_WORDS];
	struct wp_walk_direct direct;
	__u64 found;
};

/* The table that four levels begin with. Of a fifth only the first entry is ever used: others are
 * for addresses behind USER_BITS. */
static __always_inline __u64 first_table(__u64 pgd, struct wp_walk_direct direct)
{
	__u64 frame;

	if (direct.levels == 4)
		return pgd;
	frame = kernel_word(pgd) & PAGE_FRAME;
	return frame < direct.end ? direct.base + frame : 0;
}

/* Global, so that the verifier looks at it once: else a third of the time that loading takes. */
__noinline int wp_walk_find_mapped(__u64 addr)
{
	struct walk *w = walk_of_cpu();

	if (!w || WP_BOUNDED || !config.direct)
		return -1;
	return find_mapped(w->tables, values.direct.base, values.direct.end, addr, &w->mapped);
}

/* Where a page is remembered. */
static __always_inline struct known_page *known_page_at(struct walk *w, __u64 page)
{
	__u64 i = page ^ page >> 9;

	MASK(i, PAGES - 1);
	return &w->pages[i];
}

/*
 * So many bytes of user memory within one page. What is remembered of a page may hold no longer:
 * is_mapped() finds that out.
 */
static __always_inline int map_user(struct walk *w, __u64 from, __u32 bytes, struct mapped *ret)
{
	__u64 within = from & (WP_WALK_PAGE - 1), page = from / WP_WALK_PAGE;
	struct known_page *known;

	if (WP_BOUNDED || !config.direct || !w->tables || within + bytes > WP_WALK_PAGE)
		return -1;
	known = known_page_at(w, page);
	if (known->page != page || known->tables != w->tables) {
		if (wp_walk_find_mapped(from - within))
			return -1;
		known->page = page;
		known->tables = w->tables;
		known->mapped = w->mapped;
	}
	*ret = known->mapped;
	ret->at += within;
	return 0;
}

/* Behind the last look at it: it was that memory, and not what the page has become since. */
static __always_inline int is_mapped(struct walk *w, __u64 from, const struct mapped *mapped)
{
	if (!((kernel_word(mapped->entry_at) ^ mapped->entry) & ~(__u64)PAGE_TOUCHED))
		return 1;
	known_page_at(w, from / WP_WALK_PAGE)->tables = 0;
	return 0;
}

static __always_inline int read_word_mapped(struct walk *w, __u64 *to, __u64 from)
{
	struct mapped mapped;

	if (map_user(w, from, sizeof(*to), &mapped))
		return -1;
	*to = kernel_word(mapped.at);
	return is_mapped(w, from, &mapped) ? 0 : -1;
}

static __always_inline int read_user_word(struct walk *w, __u64 *to, __u64 from)
{
	if (!(from & 7) && !read_word_mapped(w, to, from))
		return 0;
	return (int)bpf_probe_read_user(to, sizeof(*to), (const void *)from);
}

/*
 * Where a copy is to come from: w->copied. Copies are made at so many places that this is global,
 * too, and so is what follows it: half of the time that loading takes.
 */
__noinline int wp_walk_map_user(__u64 from, __u32 bytes)
{
	struct walk *w = walk_of_cpu();

	return !w || bytes > DIRECT_MAX || map_user(w, from, bytes, &w->copied) ? -1 : 0;
}

__noinline int wp_walk_is_mapped(__u64 from)
{
	struct walk *w = walk_of_cpu();

	return w && !WP_BOUNDED && config.direct && is_mapped(w, from, &w->copied);
}

static __always_inline int read_user(struct walk *w, void *to, __u32 bytes, __u64 from)
{
	if (!WP_BOUNDED && config.direct && !wp_walk_map_user(from, bytes) &&
	    !bpf_probe_read_kernel(to, bytes, (const void *)w->copied.at) &&
	    wp_walk_is_mapped(from))
		return 0;
	return (int)bpf_probe_read_user(to, bytes, (const void *)from);
}

/* Of a walk, in the current process. Global, so that the verifier looks at it once. */
__noinline int wp_walk_begin_memory(void)
{
	struct wp_walk_direct direct = {values.direct.base, values.direct.end,
					values.direct.levels};
	const struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct walk *w = walk_of_cpu();

	if (!w)
		return 0;
	w->tables = 0;
	if (WP_BOUNDED || !config.direct || !direct.end)
		return 0;
	/* Through memory, behind which the verifier takes it for a number. */
	w->tables = (__u64)task->mm->pgd;
	w->tables = first_table(*(volatile __u64 *)&w->tables, direct);
	return 0;
}

/* The i-th place that all memory may be mapped at: is the magic where it must be then? */
static long try_direct(__u32 i, void *arg)
{
	struct direct_search *search = arg;
	struct mapped mapped;
	__u64 table;

	search->direct.base = search->lowest + ((__u64)i << DIRECT_SHIFT);
	table = first_table(search->pgd, search->direct);
	if (!table ||
	    find_mapped(table, search->direct.base, search->direct.end, search->addr, &mapped))
		return 0;
	for (int word = 0; word < WP_WALK_MAGIC_WORDS; word++)
		if (kernel_word(mapped.at + word * 8) != search->magic[word])
			return 0;
	search->found = 1;
	return 1;
}

/*
 * The caller's own page tables are in that mapping, so it begins not more than the size of memory
 * before them, at a multiple of 1 GB (the kernel's mm/kaslr.c). It is looked for upwards from
 * there: below it is nothing that a read could disturb, and nothing behind its end is ever read.
 */
static __always_inline void search_direct_mapping(const struct task_struct *task,
						  struct wp_walk_search *asked)
{
	struct direct_search search = {.addr = asked->addr, .direct = asked->direct};
	__u64 step = 1ull << DIRECT_SHIFT;

	for (int i = 0; i < WP_WALK_MAGIC_WORDS; i++)
		search.magic[i] = asked->magic[i];
	bpf_core_read(&search.pgd, sizeof(search.pgd), &task->mm->pgd);
	search.lowest = (search.pgd - search.direct.end + step - 1) & ~(step - 1);
	bpf_loop(((search.pgd - search.lowest) >> DIRECT_SHIFT) + 1, try_direct, &search, 0);
	asked->direct.base = search.found ? search.direct.base : 0;
}

#endif
