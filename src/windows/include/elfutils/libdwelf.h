/* SPDX-License-Identifier: BSD-3-Clause */
/* elfutils/libdwelf.h for Windows: see libdw.h. */
#include <elfutils/libdw.h>
