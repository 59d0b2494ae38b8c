/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * gecko_tables: what all threads of a Firefox profile share; see export_gecko.c.
 */
#ifndef WP_GECKO_TABLES_H
#define WP_GECKO_TABLES_H

#include "base/writer.h"
#include "view/export/export_funcs.h"

/* Writes the value of "shared". Indexes of stacks are the profile's; libraries are funcs->libs. */
void wp_gecko_tables_put(const struct wp_profile *profile, const struct wp_export_funcs *funcs,
			 struct wp_writer *out);

#endif
