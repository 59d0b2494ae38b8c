/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * command_end: how a command that we started ended, for the worlds of a system.
 *
 * Machine stage. Inline, since Windows has files of its own in this room.
 */
#ifndef WP_COMMAND_END_H
#define WP_COMMAND_END_H

#include "core/world.h"
#include "source/proc/launch.h"

/* struct wp_world_ops */
static inline struct wp_world_end wp_command_end(const struct wp_world *world,
						 struct wp_launch *launch)
{
	(void)world;
	return (struct wp_world_end){
		.status = wp_launch_ended(launch) ? wp_launch_exit_status(launch) : 0,
		.timed = launch->reaped,
		.user_ns = launch->user_ns,
		.system_ns = launch->system_ns,
	};
}

#endif
