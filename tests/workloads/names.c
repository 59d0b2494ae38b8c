/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * names: calls of functions with parameters and variables of many kinds, whose values it writes to
 * the file `truth`; built by the tests of probes, optimised and not.
 */
#include <stdio.h>
#include <string.h>

enum kind { SMALL, LARGE = 70000 };
struct pair {
	int a, b;
};
long shared;
static int calls;

__attribute__((noinline)) long hit(int x, long y, const char *text, unsigned char small, double d,
				   enum kind kind, short *where, long seventh, int eighth, float f)
{
	long local = y * 2 + x;
	static int times = 0;

	times++;
	calls += (int)d + (int)f;
	for (int i = 0; i < 2; i++) {
		long inner = local + i;
		shared = inner + *where; /* here */
		__asm__ volatile("" : : "r"(inner) : "memory");
	}
	return shared + small + kind + seventh + eighth + (long)strlen(text);
}

__attribute__((noinline)) int behind(struct pair p, int after)
{
	__asm__ volatile("");
	return p.a + p.b + after;
}

int main(void)
{
	FILE *out = fopen("truth", "w");

	for (int i = 0; i < 50; i++) {
		char text[32];
		short where = (short)(i * 300);
		long y = (long)i * 10000000019 * (i % 2 ? -1 : 1);

		snprintf(text, sizeof(text), "step %d", i * i);
		fprintf(out, "x=%d y=%ld text=\"%s\" small=%d kind=%d seventh=%ld eighth=%d\n",
			i - 25, y, text, (unsigned char)(i * 5), i % 2 ? LARGE : SMALL, y - 1, -i);
		hit(i - 25, y, text, (unsigned char)(i * 5), i * 0.5, i % 2 ? LARGE : SMALL, &where,
		    y - 1, -i, 1.f);
		behind((struct pair){i, i}, i);
	}
	return 0;
}
