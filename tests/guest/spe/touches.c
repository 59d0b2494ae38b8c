/* touches ROUNDS: so many thousand times through 64 KB with loads, in loads(), and twice as often
 * through 32 KB with stores, in stores(). Each turn begins with its access, where alone an emulated
 * machine is interrupted. Prints "NAME START END" of both areas. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t read_area[8192], written_area[4096];

__attribute__((noinline)) static void loads(const uint64_t *at, const uint64_t *end)
{
	uint64_t value;

	__asm__ volatile("1: ldr %1, [%0]\n\tadd %0, %0, #8\n\tcmp %0, %2\n\tb.ne 1b"
			 : "+r"(at), "=&r"(value)
			 : "r"(end)
			 : "cc", "memory");
}

__attribute__((noinline)) static void stores(uint64_t *at, const uint64_t *end)
{
	__asm__ volatile("1: str xzr, [%0]\n\tadd %0, %0, #8\n\tcmp %0, %1\n\tb.ne 1b"
			 : "+r"(at)
			 : "r"(end)
			 : "cc", "memory");
}

int main(int argc, char **argv)
{
	unsigned long rounds = (argc > 1 ? strtoul(argv[1], NULL, 10) : 1) * 1000;

	printf("loads %p %p\nstores %p %p\n", (void *)read_area, (void *)(read_area + 8192),
	       (void *)written_area, (void *)(written_area + 4096));
	while (rounds--) {
		loads(read_area, read_area + 8192);
		stores(written_area, written_area + 4096);
		stores(written_area, written_area + 4096);
	}
	return 0;
}
