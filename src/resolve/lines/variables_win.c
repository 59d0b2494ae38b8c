/* SPDX-License-Identifier: BSD-3-Clause */
/* variables_win: see variables.h; without DWARF no function is known. */
#include "resolve/lines/variables.h"

enum wp_variable_answer wp_variable_find(struct wp_srclines *lines,
					 const struct wp_variable_query *query,
					 struct wp_variable *ret)
{
	(void)lines, (void)query, (void)ret;
	return WP_VARIABLE_NO_FUNCTION;
}
