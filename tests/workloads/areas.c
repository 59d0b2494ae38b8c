/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * areas: a page fault at each page of memory of every kind: heap, stacks, anonymous, shared, a
 * file. Each kind is touched by a function of its own.
 *
 * areas FILE [wait]: FILE is mapped, and made. With "wait" the faults begin when a line comes from
 * standard input; "ready" says that all is mapped.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#define PAGE 4096

static void touch_pages(volatile char *at, size_t pages)
{
	for (size_t i = 0; i < pages; i++)
		at[i * PAGE] = 1;
}

/* Its frames grow downwards, a page each. */
__attribute__((noinline)) static int touch_stack(int pages)
{
	volatile char page[PAGE];

	page[0] = (char)pages;
	return pages > 1 ? touch_stack(pages - 1) + page[0] : page[0];
}

static void *run_thread(void *arg)
{
	prctl(PR_SET_NAME, "stacker");
	touch_stack(48);
	return arg;
}

static volatile char *map_pages(size_t pages, int flags, int fd)
{
	void *at = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, flags, fd, 0);

	if (at == MAP_FAILED) {
		perror("areas: mmap");
		exit(EXIT_FAILURE);
	}
	madvise(at, pages * PAGE, MADV_NOHUGEPAGE);
	return at;
}

int main(int argc, char **argv)
{
	int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
	volatile char *first, *heap, *anon, *shared, *file;
	pthread_t thread;

	if (fd < 0 || ftruncate(fd, 80 * PAGE) != 0) {
		perror("areas: FILE");
		return EXIT_FAILURE;
	}
	/* The kernel calls it the heap when it grows: while it is made, its end is not set yet. */
	first = sbrk(PAGE);
	heap = sbrk(64 * PAGE);
	first[0] = 1;
	anon = map_pages(96, MAP_PRIVATE | MAP_ANONYMOUS, -1);
	shared = map_pages(112, MAP_SHARED | MAP_ANONYMOUS, -1);
	file = map_pages(80, MAP_SHARED, fd);
	if (argc > 2 && strcmp(argv[2], "wait") == 0) {
		puts("ready");
		fflush(stdout);
		getchar();
	}
	touch_pages(heap, 64);
	touch_pages(anon, 96);
	touch_pages(shared, 112);
	touch_pages(file, 80);
	touch_stack(160);
	if (pthread_create(&thread, NULL, run_thread, NULL) == 0)
		pthread_join(thread, NULL);
	return EXIT_SUCCESS;
}
