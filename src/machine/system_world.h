/* SPDX-License-Identifier: BSD-3-Clause */
/* system_world: the system that we run on, as a world. */
#ifndef WP_SYSTEM_WORLD_H
#define WP_SYSTEM_WORLD_H

#include "core/world.h"

/* `probes`: looks at the machine, which is all zero otherwise. The caller closes, after its
 * sources.
 */
struct wp_world *wp_system_world_new(bool probes);

#endif
