/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_kernel: whether the kernel has a function that a kprobe names. */
#ifndef WP_PROBE_KERNEL_H
#define WP_PROBE_KERNEL_H

#include "base/err.h"

/* WP_ERR_NOT_FOUND with the nearest name; NULL also where the kernel does not say what it has. */
struct wp_err *wp_probe_kernel_check(const char *event, const char *name) WP_MUST_CHECK;

#endif
