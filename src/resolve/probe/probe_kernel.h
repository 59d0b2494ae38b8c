/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_kernel: whether the kernel has a function that a kprobe names, and of which module. */
#ifndef WP_PROBE_KERNEL_H
#define WP_PROBE_KERNEL_H

#include "base/err.h"

/*
 * WP_ERR_NOT_FOUND with the nearest name; NULL also where the kernel does not say what it has.
 * *ret_module: whose function it is, for the caller to free; NULL: the kernel's own.
 */
struct wp_err *wp_probe_kernel_check(const char *event, const char *name,
				     char **ret_module) WP_MUST_CHECK;

#endif
