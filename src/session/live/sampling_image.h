/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sampling_image: the program of the sampled process, whose functions are named without a module,
 * and where it is loaded.
 *
 * Session stage. A launched process's is what its last exec maps first; of a Windows program under
 * Wine, which the kernel does not know as such, windows_maps tells.
 */
#ifndef WP_SAMPLING_IMAGE_H
#define WP_SAMPLING_IMAGE_H

#include "core/record.h"
#include "resolve/resolver.h"
#include "session/follow/windows_maps.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct wp_sampling_image {
	pid_t pid;
	char *path;    /* as the kernel names it; NULL: not known */
	bool exec_due; /* the process became another program; its first MAP names the image */
	bool has_base;
	uint32_t module; /* or WP_NO_MODULE */
	uint64_t base, delta;
};

/* A MAP or COMM record of a launched process. */
void wp_sampling_image_follow(struct wp_sampling_image *image, const struct wp_record *record);
/* Finds module, base and delta of the path, as mapped now. */
void wp_sampling_image_find(struct wp_sampling_image *image, struct wp_resolver *resolver,
			    const struct wp_windows_maps *windows);

#endif
