/* SPDX-License-Identifier: BSD-3-Clause */
/* no_return: functions of well-known libraries that do not return to their caller. */
#ifndef WP_NO_RETURN_H
#define WP_NO_RETURN_H

#include <stdbool.h>

/* name: as of the symbol table or demangled, "abort@plt" too. False for what is not known. */
bool wp_no_return_name(const char *name);

#endif
