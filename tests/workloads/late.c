/* late: a library that is loaded while the program is being sampled. */
unsigned long spin_late(unsigned long n);

unsigned long spin_late(unsigned long n)
{
	unsigned long x = 88172645463325252ul;

	for (unsigned long i = 0; i < n; i++)
		x ^= x << 13, x ^= x >> 7, x ^= x << 17;
	return x;
}
