/* SPDX-License-Identifier: BSD-3-Clause */
/* library: see library.h. */
#include "base/library.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

static bool has_wanted_functions(void *handle, const struct wp_library *library)
{
	for (size_t i = 0; i < library->n_wanted; i++)
		if (!dlsym(handle, library->wanted[i].name))
			return false;
	return true;
}

struct wp_err *wp_library_load(const struct wp_library *library)
{
	for (const char *const *soname = library->sonames; *soname; soname++) {
		void *handle = dlopen(*soname, RTLD_NOW | RTLD_LOCAL);

		if (!handle || !has_wanted_functions(handle, library))
			continue;
		for (size_t i = 0; i < library->n_wanted; i++) {
			void *found = dlsym(handle, library->wanted[i].name);

			memcpy(library->wanted[i].at, &found, sizeof(found));
		}
		return NULL;
	}
	return wp_err_new(WP_ERR_UNSUPPORTED, "%s is not here; install %s", library->sonames[0],
			  library->packages);
}
