/* spin: work of a known amount in a shared library. */
unsigned long spin_in_library(unsigned long n);

unsigned long spin_in_library(unsigned long n)
{
	unsigned long x = 88172645463325252ul;

	for (unsigned long i = 0; i < n; i++)
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
	return x;
}
