/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_kernel: whether the kernel has a function, as /proc/kallsyms says; see probe_kernel.h. */
#include "resolve/probe/probe_kernel.h"

#include "base/file.h"
#include "base/nearest.h"
#include "format/maps/kallsyms.h"

#include <string.h>

#define KALLSYMS       "/proc/kallsyms"
#define KALLSYMS_LIMIT (256u << 20)

static struct wp_err *look_up_kernel_name(struct wp_bytes text, const char *event, const char *name,
					  char **ret_module)
{
	struct wp_nearest nearest = wp_nearest_to(name);
	struct wp_kallsyms_entry entry;
	struct wp_err *err;
	bool found = false;

	while (!found && wp_kallsyms_next(&text, &entry)) {
		wp_autofree char *other = NULL;

		if (!strchr("tTwW", entry.type))
			continue;
		other = wp_strndup(entry.name, entry.name_len);
		found = strcmp(other, name) == 0;
		if (found && entry.module)
			*ret_module = wp_strndup(entry.module, entry.module_len);
		wp_nearest_try(&nearest, other);
	}
	err = found ? NULL
		    : wp_err_new(WP_ERR_NOT_FOUND,
				 "event '%s': the kernel has no function %s%s%s%s", event, name,
				 nearest.name ? ", did you mean " : "",
				 nearest.name ? nearest.name : "", nearest.name ? "?" : "");
	wp_nearest_deinit(&nearest);
	return err;
}

struct wp_err *wp_probe_kernel_check(const char *event, const char *name, char **ret_module)
{
	wp_autofree char *text = NULL;
	size_t size;
	wp_autoerr struct wp_err *err = wp_file_read(KALLSYMS, KALLSYMS_LIMIT, &text, &size);

	*ret_module = NULL;
	if (err || !size)
		return NULL;
	return look_up_kernel_name(wp_bytes_of(text, size), event, name, ret_module);
}
