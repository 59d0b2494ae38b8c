/* SPDX-License-Identifier: BSD-3-Clause */
/* sys/sysmacros.h for Windows: the numbers of a device of Linux; a volume has one. */
#ifndef WP_WINDOWS_SYSMACROS_H
#define WP_WINDOWS_SYSMACROS_H

#define major(device) ((unsigned int)((device) >> 32))
#define minor(device) ((unsigned int)(device))

#endif
