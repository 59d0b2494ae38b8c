/* SPDX-License-Identifier: BSD-3-Clause */
/* opener: shows a file with the program that the user's desktop has for it. */
#ifndef WP_OPENER_H
#define WP_OPENER_H

#include <stdbool.h>

/* Starts it and does not wait. False: there is no desktop here, or it has no such program. */
bool wp_open_on_desktop(const char *path);

#endif
