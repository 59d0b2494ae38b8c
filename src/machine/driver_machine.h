/* SPDX-License-Identifier: BSD-3-Clause */
/* driver_machine: the machine as WindowsPerf's driver tells of it: its cores, counters, events. */
#ifndef WP_DRIVER_MACHINE_H
#define WP_DRIVER_MACHINE_H

#include "core/machine.h"
#include "source/wperfdrv/drv.h"

/* Texts live in the machine's arena, and the map of counters as long as the driver is ours. */
void wp_driver_machine_describe(const struct wp_drv *drv, struct wp_machine *ret);

#endif
