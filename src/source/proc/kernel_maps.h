/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kernel_maps: where the running kernel and its modules lie, as MAP records for a recording.
 *
 * Source stage. In: /proc/kallsyms, /proc/modules, /sys/kernel/notes. Out: records as perf writes
 * them: the path names the symbol whose address is pgoff, so that a reader can tell how far the
 * kernel was moved (KASLR). Nothing where addresses are hidden (kptr_restrict).
 */
#ifndef WP_KERNEL_MAPS_H
#define WP_KERNEL_MAPS_H

#include "core/record_keep.h"

#define WP_KERNEL_MAPS_PATH "[kernel.kallsyms]_text" /* of the kernel itself */

/* Appends them, with time 0. */
void wp_kernel_maps(struct wp_records *ret);
/* The running kernel's build-id alone, which takes no time; returns its bytes, 0: not known. */
uint8_t wp_kernel_maps_build_id(uint8_t ret[WP_BUILD_ID_MAX]);

#endif
