/* SPDX-License-Identifier: BSD-3-Clause */
/* posix_system: what POSIX says of the system and of the process (include/unistd.h, pthread.h,
 * signal.h, sys/ioctl.h, sys/random.h, sys/utsname.h). */
#include "base/mem.h"
#include "base/utf16.h"

#include <errno.h>
#include <io.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>
#include <windows.h>

#include <ntsecapi.h> /* behind windows.h */

#define NS_PER_S    1000000000
#define TICKS_PER_S 100 /* of Linux' user space, in which recordings are written */

uid_t geteuid(void)
{
	return 1000;
}

long sysconf(int name)
{
	MEMORYSTATUSEX memory = {.dwLength = sizeof(memory)};
	SYSTEM_INFO system;

	GetNativeSystemInfo(&system);
	switch (name) {
	case _SC_PAGESIZE: return (long)system.dwPageSize;
	case _SC_NPROCESSORS_ONLN:
	case _SC_NPROCESSORS_CONF: return (long)system.dwNumberOfProcessors;
	case _SC_CLK_TCK: return TICKS_PER_S;
	case _SC_PHYS_PAGES:
		return GlobalMemoryStatusEx(&memory)
			       ? (long)(memory.ullTotalPhys / system.dwPageSize)
			       : -1;
	default: errno = EINVAL; return -1;
	}
}

/* GetVersion() tells what the program was made for, this one what runs. */
static void read_release(struct utsname *ret)
{
	typedef LONG(WINAPI * get_version)(OSVERSIONINFOW *);
	OSVERSIONINFOW info = {.dwOSVersionInfoSize = sizeof(info)};
	get_version get = (get_version)(void *)GetProcAddress(GetModuleHandleW(L"ntdll.dll"),
							      "RtlGetVersion");

	if (get && get(&info) == 0)
		snprintf(ret->release, sizeof(ret->release), "%lu.%lu.%lu", info.dwMajorVersion,
			 info.dwMinorVersion, info.dwBuildNumber);
}

static const char *processor_name(void)
{
	SYSTEM_INFO system;

	GetNativeSystemInfo(&system);
	return system.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64 ? "aarch64" : "x86_64";
}

int uname(struct utsname *ret)
{
	DWORD n = sizeof(ret->nodename);

	memset(ret, 0, sizeof(*ret));
	strcpy(ret->sysname, "Windows");
	strcpy(ret->machine, processor_name());
	read_release(ret);
	if (!GetComputerNameA(ret->nodename, &n))
		ret->nodename[0] = '\0';
	return 0;
}

ssize_t getrandom(void *buf, size_t n, unsigned int flags)
{
	(void)flags;
	if (n > INT32_MAX || !RtlGenRandom(buf, (ULONG)n)) {
		errno = EIO;
		return -1;
	}
	return (ssize_t)n;
}

int setenv(const char *name, const char *value, int overwrites)
{
	if (!overwrites && getenv(name))
		return 0;
	wp_autofree char *both = wp_asprintf("%s=%s", name, value);
	return _putenv(both);
}

int ioctl(int fd, unsigned int what, struct winsize *ret)
{
	CONSOLE_SCREEN_BUFFER_INFO info;

	(void)what;
	if (!GetConsoleScreenBufferInfo((HANDLE)_get_osfhandle(fd), &info)) {
		errno = ENOTTY;
		return -1;
	}
	ret->ws_col = (unsigned short)(info.srWindow.Right - info.srWindow.Left + 1);
	ret->ws_row = (unsigned short)(info.srWindow.Bottom - info.srWindow.Top + 1);
	return 0;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *before)
{
	(void)before;
	return signal(number, action->sa_handler) == SIG_ERR ? -1 : 0;
}

int sigfillset(sigset_t *set)
{
	*set = ~0u;
	return 0;
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *before)
{
	(void)how, (void)set, (void)before;
	return 0;
}

#undef pthread_cond_timedwait

int wp_posix_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *lock,
			    const struct timespec *end)
{
	struct timespec now, wall;
	int64_t ns;

	clock_gettime(CLOCK_MONOTONIC, &now);
	clock_gettime(CLOCK_REALTIME, &wall);
	wall.tv_sec += end->tv_sec - now.tv_sec;
	ns = (int64_t)wall.tv_nsec + end->tv_nsec - now.tv_nsec;
	wall.tv_sec += ns < 0 ? -1 : ns >= NS_PER_S;
	wall.tv_nsec = (long)(ns < 0 ? ns + NS_PER_S : ns % NS_PER_S);
	return pthread_cond_timedwait(condition, lock, &wall);
}
