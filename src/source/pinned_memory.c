/* pinned_memory: see pinned_memory.h. */
#include "source/pinned_memory.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>

void wp_pinned_memory_begin(struct wp_pinned_memory *memory, uint32_t id)
{
	memory->id = id;
	memory->walk++;
	memory->touched.n = 0;
}

static struct wp_pinned_page *place_of(struct wp_pinned_memory *memory, uint64_t addr)
{
	return &memory->pages[addr / WP_PINNED_PAGE & (WP_PINNED_PAGES - 1)];
}

/* Reads pages into their places, in order; those behind one that cannot be read are not there. */
static size_t read_pages(struct wp_pinned_memory *memory, const uint64_t *addr, size_t n)
{
	struct iovec here[WP_PINNED_TOUCHED], there[WP_PINNED_TOUCHED];
	ssize_t got;

	for (size_t i = 0; i < n; i++) {
		here[i] = (struct iovec){place_of(memory, addr[i])->bytes, WP_PINNED_PAGE};
		there[i] = (struct iovec){(void *)(uintptr_t)addr[i], WP_PINNED_PAGE};
	}
	got = process_vm_readv((pid_t)memory->id, here, n, there, n, 0);
	memory->calls++;
	if (got < 0)
		memory->os_errno = errno;
	return got < 0 ? 0 : (size_t)got / WP_PINNED_PAGE;
}

void wp_pinned_memory_fetch(struct wp_pinned_memory *memory, const struct wp_pinned_pages *pages)
{
	uint64_t addr[WP_PINNED_TOUCHED];
	size_t n = 0, got;

	for (size_t i = 0; i < pages->n && i < WP_PINNED_TOUCHED; i++) {
		struct wp_pinned_page *page = place_of(memory, pages->addr[i]);

		if (page->walk == memory->walk)
			continue; /* one of those before has its place */
		page->walk = memory->walk;
		page->addr = pages->addr[i];
		page->good = false;
		addr[n++] = page->addr;
	}
	got = n ? read_pages(memory, addr, n) : 0;
	for (size_t i = 0; i < n; i++) {
		place_of(memory, addr[i])->good = i < got;
		if (i >= got)
			place_of(memory, addr[i])->walk = 0;
	}
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
	struct wp_pinned_page *page = place_of(memory, addr);

	if (page->walk != memory->walk || page->addr != addr) {
		page->walk = memory->walk;
		page->addr = addr;
		page->touched = 0;
		page->good = read_pages(memory, &addr, 1) == 1;
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

static bool read_memory(void *arg, uint64_t addr, void *ret, size_t n)
{
	return wp_pinned_memory_read(arg, addr, ret, n);
}

struct wp_memory wp_pinned_memory_of(struct wp_pinned_memory *memory)
{
	return (struct wp_memory){.read = read_memory, .arg = memory};
}
