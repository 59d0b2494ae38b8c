/* SPDX-License-Identifier: BSD-3-Clause */
/* sys/types.h for Windows: MinGW's, with ids of POSIX; a process's is an int, as it is printed. */
#ifndef WP_WINDOWS_SYS_TYPES_H
#define WP_WINDOWS_SYS_TYPES_H

#define _PID_T_
#define _MODE_T_
typedef int _pid_t, pid_t;
typedef unsigned int _mode_t, mode_t;
#include_next <sys/types.h>

typedef unsigned int uid_t, gid_t;

#endif
