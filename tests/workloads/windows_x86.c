/*
 * windows_x86: a Windows program of 32 bits whose functions keep no frame pointers; only its PDB
 * says where they keep their return addresses. It needs no library but kernel32.
 *
 *	windows_x86.exe: runs for 2 seconds
 */
__declspec(dllimport) unsigned long __stdcall GetTickCount(void);
__declspec(dllimport) void __stdcall ExitProcess(unsigned int code);

#define NOINLINE __attribute__((noinline))

static volatile unsigned int sink;

static NOINLINE void hottest(unsigned int turns)
{
	for (unsigned int i = 0; i < turns; i++)
		sink = sink * 1664525 + 1013904223;
}

/* Its caller's arguments are taken off the stack by itself. */
static NOINLINE unsigned int __stdcall takes_its_arguments(unsigned int a, unsigned int b,
							   unsigned int c)
{
	volatile unsigned int space[20];

	space[a % 20] = b;
	hottest(1 + c);
	return space[b % 20] + c;
}

static NOINLINE unsigned int saves_registers(
	unsigned int n, unsigned int(__stdcall *call)(unsigned int, unsigned int, unsigned int))
{
	unsigned int a = n * 3, b = n * 5, c = n * 7;

	a += call(a, b, 1);
	b += call(b, c, 2);
	c += call(c, a, 3);
	return a ^ b ^ c;
}

/* A stack that is aligned to more than its caller's. */
static NOINLINE unsigned int realigned(unsigned int n)
{
	volatile unsigned int space[16] __attribute__((aligned(64)));

	space[n % 16] = n;
	return saves_registers(n, takes_its_arguments) + space[n % 16];
}

static NOINLINE unsigned int descend(unsigned int n)
{
	return n ? descend(n - 1) * 2 + 1 : realigned(n);
}

void start(void)
{
	unsigned long begin = GetTickCount();

	while (GetTickCount() - begin < 2000)
		sink += descend(5);
	ExitProcess(0);
}
