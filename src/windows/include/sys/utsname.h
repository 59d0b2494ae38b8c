/* SPDX-License-Identifier: BSD-3-Clause */
/* sys/utsname.h for Windows: what the system is called (posix_system.c). */
#ifndef WP_WINDOWS_UTSNAME_H
#define WP_WINDOWS_UTSNAME_H

struct utsname {
	char sysname[16], nodename[64], release[32], version[32], machine[16];
};

int uname(struct utsname *ret);

#endif
