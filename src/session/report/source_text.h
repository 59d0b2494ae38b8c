/* SPDX-License-Identifier: BSD-3-Clause */
/* source_text: source lines as they are written, where --source-prefix says that they are. */
#ifndef WP_SOURCE_TEXT_H
#define WP_SOURCE_TEXT_H

#include "base/arena.h"

#include <stdint.h>

struct wp_sampling;

/* With its indentation, tabs as blanks; NULL when there is none to be had. In the arena. */
const char *wp_source_text(struct wp_sampling *s, struct wp_arena *arena, const char *file,
			   uint32_t line);

#endif
