// Stacks of every kind, one after another, in a thread each: argv[1] says which.
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <pthread.h>
#include <algorithm>
#include <stdexcept>
#include <string>
#include <sys/time.h>
#include <unistd.h>
#include <vector>

#define NOINLINE __attribute__((noinline))
volatile unsigned long sink;
volatile bool done; // never; the compiler must not know
static NOINLINE void spin_here(void)
{
	while (!done)
		sink += 1;
}
struct Guard { ~Guard() { spin_here(); } };
static NOINLINE void thrower(int n) { if (n) { thrower(n - 1); sink++; } else throw std::runtime_error("x"); }
static NOINLINE void exceptions(void)
{
	for (;;)
		try { thrower(20); } catch (const std::exception &e) { sink += strlen(e.what()); }
}
static NOINLINE void unwinding(void) { sink++; try { Guard g; thrower(3); } catch (...) { sink++; } }
static void handler(int) { spin_here(); }
static NOINLINE void raise_here(void) { raise(SIGUSR1); sink++; }
static NOINLINE void in_signal(void) { signal(SIGUSR1, handler); raise_here(); sink++; }
static void alarmed(int) { spin_here(); }
static NOINLINE void in_timer(void)
{
	struct itimerval t = {{0, 0}, {0, 20000}};
	signal(SIGALRM, alarmed);
	setitimer(ITIMER_REAL, &t, nullptr);
	for (;;)
		sink += 1;
}
static NOINLINE void in_vdso(void) { struct timespec t; for (;;) { clock_gettime(CLOCK_MONOTONIC, &t); sink += t.tv_nsec; } }
static NOINLINE void in_plt(void) { for (;;) sink += labs((long)sink) + abs((int)sink) + strlen(getenv("HOME") ?: ""); }
static NOINLINE int compare(const void *a, const void *b) { sink++; return *(const int *)a - *(const int *)b; }
static NOINLINE void in_sort(void)
{
	std::vector<int> v(5000);
	for (;;) {
		for (auto &x : v) x = rand();
		qsort(v.data(), v.size(), sizeof(int), compare);
		std::sort(v.begin(), v.end(), [](int a, int b) { return std::to_string(a) < std::to_string(b); });
	}
}
static NOINLINE void *alloca_user(size_t n) { char *p = (char *)__builtin_alloca(n); memset(p, 1, n); spin_here(); sink += p[n / 2]; return nullptr; }
#ifdef __x86_64__
typedef double v4 __attribute__((vector_size(32)));
__attribute__((noinline, target("avx"), force_align_arg_pointer)) static double realigned(int n)
{
	volatile v4 x = {1.0 * n, 2, 3, 4};
	if (n)
		return realigned(n - 1) + x[0];
	spin_here();
	return x[1];
}
__attribute__((noinline, force_align_arg_pointer)) static double realigned_more(int n, char *p)
{
	alignas(64) volatile char buf[64 * 3];
	char *q = (char *)__builtin_alloca(n * 16 + 16);
	buf[n] = p ? *p : 1, q[0] = 2;
	if (n)
		return realigned_more(n - 1, q) + buf[n];
	return realigned(3) + buf[0];
}
#else
static NOINLINE double realigned_more(int n, char *) { spin_here(); return n; }
#endif
static NOINLINE void *thread_main(void *f) { ((void (*)(void))f)(); sink++; return nullptr; }
int main(int argc, char **argv)
{
	struct { const char *name; void (*f)(void); } const all[] = {
		{"exceptions", exceptions}, {"unwinding", unwinding}, {"signal", in_signal}, {"timer", in_timer}, {"vdso", in_vdso},
		{"plt", in_plt}, {"sort", in_sort}, {"alloca", [] { alloca_user(3000); sink++; }}, {"realigned", [] { sink += realigned_more(4, nullptr); }},
	};
	for (auto &one : all)
		if (argc > 1 && !strcmp(one.name, argv[1])) {
			pthread_t t;
			if (argc > 2) pthread_create(&t, nullptr, thread_main, (void *)one.f);
			one.f();
			sink++;
		}
	return 2;
}
