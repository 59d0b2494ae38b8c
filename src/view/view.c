/* SPDX-License-Identifier: BSD-3-Clause */
/* view: the list of outputs; see view.h. */
#include "view/view.h"

#include <string.h>

static const struct wp_view_ops *const views[] = {
	&wp_view_text,
	&wp_view_json,
	&wp_view_csv,
};

const struct wp_view_ops *wp_view_find(const char *name)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(views); i++)
		if (strcmp(views[i]->name, name) == 0)
			return views[i];
	return NULL;
}
