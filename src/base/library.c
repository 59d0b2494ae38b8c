/* library: see library.h. */
#include "base/library.h"

#include <dlfcn.h>
#include <string.h>

static bool has_functions(void *library, const struct wp_library_function *wanted, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!dlsym(library, wanted[i].name))
			return false;
	return true;
}

bool wp_library_load(const char *const sonames[], const struct wp_library_function *wanted,
		     size_t n)
{
	for (; *sonames; sonames++) {
		void *library = dlopen(*sonames, RTLD_NOW | RTLD_LOCAL);

		if (!library || !has_functions(library, wanted, n))
			continue;
		for (size_t i = 0; i < n; i++) {
			void *found = dlsym(library, wanted[i].name);

			memcpy(wanted[i].at, &found, sizeof(found));
		}
		return true;
	}
	return false;
}
