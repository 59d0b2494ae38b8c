/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * slow_load: wperf for the test that a module which takes long to load stops nothing.
 *
 * SLOW_LOAD=NAME:MILLISECONDS delays the symbols of files of that name. The linker puts this in
 * front of wp_symfile_load (--wrap), so that wperf itself knows nothing of it.
 */
#include "base/str.h"
#include "resolve/symbols/symfile.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct wp_err *__real_wp_symfile_load(const struct wp_symfile_source *source,
				      struct wp_symfile *ret);
struct wp_err *__wrap_wp_symfile_load(const struct wp_symfile_source *source,
				      struct wp_symfile *ret);

struct wp_err *__wrap_wp_symfile_load(const struct wp_symfile_source *source,
				      struct wp_symfile *ret)
{
	const char *slow = getenv("SLOW_LOAD"), *colon = slow ? strchr(slow, ':') : NULL;
	const char *name = wp_str_basename(source->path);

	if (colon && strlen(name) == (size_t)(colon - slow) &&
	    strncmp(slow, name, strlen(name)) == 0)
		usleep((useconds_t)strtoul(colon + 1, NULL, 10) * 1000);
	return __real_wp_symfile_load(source, ret);
}
