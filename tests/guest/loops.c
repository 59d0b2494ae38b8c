/* loops MILLIONS: that many million turns of two instructions each, a third of them in once(), the
 * rest in twice(). */
#include <stdlib.h>

#define LOOP(n) __asm__ volatile("1: subs %0, %0, #1\n\tb.ne 1b" : "+r"(n) : : "cc")

__attribute__((noinline)) static void once(unsigned long n)
{
	LOOP(n);
}

__attribute__((noinline)) static void twice(unsigned long n)
{
	LOOP(n);
}

int main(int argc, char **argv)
{
	unsigned long third = (argc > 1 ? strtoul(argv[1], NULL, 10) : 3) * 1000000 / 3;

	once(third);
	twice(2 * third);
	return 0;
}
