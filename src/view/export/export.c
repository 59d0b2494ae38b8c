/* SPDX-License-Identifier: BSD-3-Clause */
/* export: the list of exports, in the order of the help; see view.h. */
#include "view/view.h"

#include <string.h>

static const struct wp_export_ops *const exports[] = {
	&wp_export_flame, &wp_export_folded, &wp_export_speedscope, &wp_export_gecko,
	&wp_export_pprof, &wp_export_chrome, &wp_export_callgrind,  &wp_export_csv,
};

const struct wp_export_ops *wp_export_find(const char *name)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(exports); i++)
		if (strcmp(exports[i]->name, name) == 0)
			return exports[i];
	return NULL;
}

const struct wp_export_ops *wp_export_at(size_t n)
{
	return n < WP_ARRAY_LEN(exports) ? exports[n] : NULL;
}
