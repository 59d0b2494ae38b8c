/* SPDX-License-Identifier: BSD-3-Clause */
/* sys/ioctl.h for Windows: how large the console is (posix_system.c). */
#ifndef WP_WINDOWS_IOCTL_H
#define WP_WINDOWS_IOCTL_H

#define TIOCGWINSZ 0x5413

struct winsize {
	unsigned short ws_row, ws_col;
};

int ioctl(int fd, unsigned int what, struct winsize *ret);

#endif
