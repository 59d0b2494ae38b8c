/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_image: see sampling_image.h. */
#include "session/live/sampling_image.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

void wp_sampling_image_follow(struct wp_sampling_image *image, const struct wp_record *record)
{
	enum wp_process_change_kind kind = wp_process_change_of(record);

	if ((pid_t)record->pid != image->pid)
		return;
	if (kind == WP_PROCESS_EXECED) {
		image->exec_due = true;
	} else if (kind == WP_PROCESS_MAPPED && image->exec_due && !record->map.data) {
		free(image->path);
		image->path = wp_strdup(record->map.path);
		image->exec_due = image->has_base = false;
	}
}

/* Wine's loader becomes the program that it loads; until it has, there is no telling which. */
static bool is_wine(const char *path)
{
	return wp_str_has_prefix(wp_str_basename(path), "wine");
}

/* A Windows program, which the kernel does not know as such; false: the process runs none. */
static bool find_windows(struct wp_sampling_image *image, const struct wp_windows_maps *windows,
			 const struct wp_symbol_set *set, const struct wp_resolver_image *images,
			 size_t n)
{
	struct wp_va start;

	if (!wp_windows_maps_program(windows, (uint32_t)image->pid, &start))
		return false;
	for (size_t i = 0; i < n; i++) {
		if (images[i].start.v != start.v)
			continue;
		free(image->path);
		image->path = wp_strdup(set->modules.v[images[i].module].path);
		return true;
	}
	return false;
}

/* By path; by name where the process runs in another root. */
static const struct wp_resolver_image *pick(const struct wp_symbol_set *set, const char *path,
					    const struct wp_resolver_image *images, size_t n)
{
	const char *name = wp_str_basename(path);

	for (size_t i = 0; i < n; i++)
		if (strcmp(set->modules.v[images[i].module].path, path) == 0)
			return &images[i];
	for (size_t i = 0; i < n; i++)
		if (strcmp(set->modules.v[images[i].module].name, name) == 0)
			return &images[i];
	return NULL;
}

void wp_sampling_image_find(struct wp_sampling_image *image, struct wp_resolver *resolver,
			    const struct wp_windows_maps *windows)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(resolver);
	wp_autofree struct wp_resolver_image *images = NULL;
	const struct wp_resolver_image *found;
	size_t n;

	if (!image->path)
		return;
	n = wp_resolver_images(resolver, (uint32_t)image->pid, &images);
	if (!find_windows(image, windows, set, images, n) && is_wine(image->path))
		return;
	found = pick(set, image->path, images, n);
	if (!found)
		return;
	image->has_base = true;
	image->module = found->module;
	image->base = found->start.v;
	image->delta = found->delta;
}
