/* SPDX-License-Identifier: BSD-3-Clause */
/* library_win: see library.h; symbol servers are not asked on Windows yet. */
#include "base/library.h"

struct wp_err *wp_library_load(const struct wp_library *library)
{
	return wp_err_new(WP_ERR_UNSUPPORTED, "%s is not loaded on Windows", library->sonames[0]);
}
