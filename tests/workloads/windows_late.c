/*
 * windows_late: a Windows program that loads a library while it is watched, and that library (built
 * with -DLIBRARY), which computes; both without debug information but what the linker keeps.
 *
 *	windows_late.exe SECONDS LIBRARY
 */
#include <stdio.h>
#include <stdlib.h>
#include <windows.h>

#ifdef LIBRARY

static volatile unsigned int sink;

/* Local, so that no export names it. */
static __attribute__((noinline)) void compute_hard(void)
{
	for (int i = 0; i < 1000000; i++)
		sink = sink * 1664525 + 1013904223;
}

__declspec(dllexport) void compute(void)
{
	compute_hard();
	sink++;
}

#else

int main(int argc, char **argv)
{
	ULONGLONG begin = GetTickCount64(), ms = argc > 2 ? 1000 * strtoull(argv[1], NULL, 10) : 0;
	HMODULE library;
	void (*compute)(void);

	printf("pid %lu\n", GetCurrentProcessId());
	fflush(stdout);
	Sleep(300);
	library = LoadLibraryA(argc > 2 ? argv[2] : "");
	compute = library ? (void (*)(void))GetProcAddress(library, "compute") : NULL;
	if (!compute)
		return 1;
	while (GetTickCount64() - begin < ms)
		compute();
	return 0;
}

#endif
