/* SPDX-License-Identifier: BSD-3-Clause */
/* system_world: the system that we run on, as a world. */
#ifndef WP_SYSTEM_WORLD_H
#define WP_SYSTEM_WORLD_H

#include "core/world.h"

/*
 * `probes`: looks at the machine, which is all zero otherwise. `force`: where counting is a
 * driver's that one program has at a time, from whoever has it. The caller closes, after its
 * sources.
 */
struct wp_world *wp_system_world_new(bool probes, bool force);

#endif
