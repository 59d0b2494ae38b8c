/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * touch: a page fault at each page of known objects, each by a function of its own.
 *
 * touch [FILE]: writes the addresses of what it touches there: NAME ADDRESS, a line each.
 */
#include <stdio.h>
#include <stdlib.h>

#define PAGE 4096

static volatile char unset[64 * PAGE];
volatile char other[32 * PAGE];
static volatile char filled[16 * PAGE] = {1};

static void touch_unset(void)
{
	for (size_t i = 0; i < sizeof(unset); i += PAGE)
		unset[i] = 1;
}

static void touch_other(void)
{
	for (size_t i = 0; i < sizeof(other); i += PAGE)
		other[i] = 1;
}

static void touch_filled(void)
{
	for (size_t i = 0; i < sizeof(filled); i += PAGE)
		filled[i] = 1;
}

int main(int argc, char **argv)
{
	FILE *out = argc > 1 ? fopen(argv[1], "w") : NULL;

	if (out) {
		fprintf(out, "unset %p\nother %p\nfilled %p\n", (void *)unset, (void *)other,
			(void *)filled);
		fclose(out);
	}
	touch_unset();
	touch_other();
	touch_filled();
	return EXIT_SUCCESS;
}
