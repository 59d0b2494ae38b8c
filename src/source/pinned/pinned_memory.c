/* SPDX-License-Identifier: BSD-3-Clause */
/* pinned_memory: see pinned_memory.h. */
#include "source/pinned/pinned_memory.h"

#include <errno.h>
#include <string.h>

#define PROBES 8

void wp_pinned_memory_begin(struct wp_pinned_memory *memory, uint32_t id)
{
	memory->id = id;
	memory->walk++;
	memory->touched.n = 0;
}

/* Where a page is, or is to be put: the first place is given up where all that it may have are
 * taken in this walk. */
static struct wp_pinned_page *place_of_page(struct wp_pinned_memory *memory, uint64_t addr)
{
	uint64_t first = addr / WP_PINNED_PAGE;

	for (uint64_t i = 0; i < PROBES; i++) {
		struct wp_pinned_page *page = &memory->pages[(first + i) & (WP_PINNED_PAGES - 1)];

		if (page->walk != memory->walk || page->addr == addr)
			return page;
	}
	return &memory->pages[first & (WP_PINNED_PAGES - 1)];
}

static void read_other_pages(struct wp_pinned_memory *memory, struct wp_pinned_page *const *pages,
			     size_t n)
{
	for (size_t i = 0; i < n; i++)
		pages[i]->good = memory->other->read(memory->other->arg, pages[i]->addr,
						     pages[i]->bytes, WP_PINNED_PAGE);
}

/* Reads pages into their places; those from the first one on that cannot be read are not good. */
static void read_pages(struct wp_pinned_memory *memory, struct wp_pinned_page *const *pages,
		       size_t n)
{
	struct iovec *here = memory->here, *there = memory->there;
	ssize_t got;

	if (memory->other) {
		read_other_pages(memory, pages, n);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		here[i] = (struct iovec){pages[i]->bytes, WP_PINNED_PAGE};
		there[i] = (struct iovec){(void *)(uintptr_t)pages[i]->addr, WP_PINNED_PAGE};
	}
	got = process_vm_readv((pid_t)memory->id, here, n, there, n, 0);
	memory->calls++;
	if (got < 0)
		memory->os_errno = errno;
	for (size_t i = 0; i < n; i++)
		pages[i]->good = got > 0 && i < (size_t)got / WP_PINNED_PAGE;
}

/* The place of a page that has none yet in this walk. */
static void claim(struct wp_pinned_memory *memory, struct wp_pinned_page *page, uint64_t addr)
{
	page->walk = memory->walk;
	page->addr = addr;
	page->touched = 0;
	page->good = false;
}

void wp_pinned_memory_fetch(struct wp_pinned_memory *memory, const struct wp_pinned_pages *pages)
{
	struct wp_pinned_page *fetched[WP_PINNED_TOUCHED];
	size_t n = 0;

	for (size_t i = 0; i < pages->n && i < WP_PINNED_TOUCHED; i++) {
		struct wp_pinned_page *page = place_of_page(memory, pages->addr[i]);

		if (page->walk == memory->walk)
			continue; /* there already, or no place left */
		claim(memory, page, pages->addr[i]);
		fetched[n++] = page;
	}
	if (n)
		read_pages(memory, fetched, n);
	/* Behind one that is gone others may be there: they are read when they are needed. */
	for (size_t i = 0; i < n; i++)
		if (!fetched[i]->good)
			fetched[i]->walk = 0;
}

static void touch(struct wp_pinned_memory *memory, struct wp_pinned_page *page)
{
	if (page->touched == memory->walk || memory->touched.n == WP_PINNED_TOUCHED)
		return;
	page->touched = memory->walk;
	memory->touched.addr[memory->touched.n++] = page->addr;
}

static const struct wp_pinned_page *page_at(struct wp_pinned_memory *memory, uint64_t addr)
{
	struct wp_pinned_page *page = place_of_page(memory, addr);

	if (page->walk != memory->walk || page->addr != addr) {
		claim(memory, page, addr);
		read_pages(memory, &page, 1);
	}
	if (page->good)
		touch(memory, page);
	return page;
}

bool wp_pinned_memory_read(struct wp_pinned_memory *memory, uint64_t addr, void *ret, size_t n)
{
	uint8_t *to = ret;

	if (addr + n < addr)
		return false;
	while (n) {
		uint64_t at = addr & (WP_PINNED_PAGE - 1);
		size_t part = (size_t)(WP_PINNED_PAGE - at) < n ? (size_t)(WP_PINNED_PAGE - at) : n;
		const struct wp_pinned_page *page = page_at(memory, addr - at);

		if (!page->good)
			return false;
		memcpy(to, page->bytes + at, part);
		to += part;
		addr += part;
		n -= part;
	}
	return true;
}

static bool read_pinned_memory(void *arg, uint64_t addr, void *ret, size_t n)
{
	return wp_pinned_memory_read(arg, addr, ret, n);
}

struct wp_memory wp_pinned_memory_of(struct wp_pinned_memory *memory)
{
	return (struct wp_memory){.read = read_pinned_memory, .arg = memory};
}
