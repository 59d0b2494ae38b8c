/* SPDX-License-Identifier: BSD-3-Clause */
/* linux/types.h for Windows: the kernel's words for integers. */
#ifndef WP_WINDOWS_LINUX_TYPES_H
#define WP_WINDOWS_LINUX_TYPES_H

typedef unsigned char __u8;
typedef unsigned short __u16;
typedef unsigned int __u32;
typedef unsigned long long __u64;
typedef signed char __s8;
typedef short __s16;
typedef int __s32;
typedef long long __s64;

#endif
