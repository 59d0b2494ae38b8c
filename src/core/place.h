/* SPDX-License-Identifier: BSD-3-Clause */
/* place: where a CPU is in its machine, and by what of it counts are split. */
#ifndef WP_PLACE_H
#define WP_PLACE_H

#include <stdint.h>

/* The kernel's numbers; -1: it tells none. */
struct wp_cpu_place {
	int32_t socket, die, core, node;
	uint64_t midr; /* MIDR_EL1: what kind of CPU of Arm it is; 0: not of Arm, or not told */
};

/* Each of these has counts of its own. */
enum wp_split {
	WP_SPLIT_NONE, /* one sum of all */
	WP_SPLIT_CPU,
	WP_SPLIT_CORE,
	WP_SPLIT_DIE,
	WP_SPLIT_SOCKET,
	WP_SPLIT_NODE,
	WP_SPLIT_THREAD,
};

#endif
