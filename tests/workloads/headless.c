/* headless SECONDS: its first thread ends (pthread_exit) after a fifth of the time (or of a
 * second), the other one works on, for so long by the clock of the CPU. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds = 1;
static volatile unsigned long sink;

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

__attribute__((noinline)) void innermost(void)
{
	for (int i = 0; i < 10000; i++)
		sink += (unsigned long)i;
}

__attribute__((noinline)) void between(void)
{
	innermost();
	sink++;
}

static void *work(void *arg)
{
	double end = now() + seconds;

	(void)arg;
	while (now() < end)
		between();
	exit(0);
}

int main(int argc, char **argv)
{
	pthread_t thread;

	seconds = argc > 1 ? atof(argv[1]) : seconds;
	if (pthread_create(&thread, NULL, work, NULL) != 0)
		return 1;
	nanosleep(&(struct timespec){.tv_nsec = (long)((seconds < 1 ? seconds : 1) / 5 * 1e9)},
		  NULL);
	pthread_exit(NULL);
}
