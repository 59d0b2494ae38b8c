/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cmn_map: the map of a coherent mesh network (Arm CMN-600, 650, 700, CI-700, CMN S3).
 *
 * Format stage, pure. In: the text that Linux shows in debugfs, arm-cmn/map
 * (drivers/perf/arm-cmn.c): a grid with a box of 8 characters for each crosspoint (XP), which says
 * its number and its debug and trace controller (DTC), the kind of each device port, and the
 * logical number of what is there. Out: the crosspoints. A node's id follows from its place ("Node
 * ID Mapping" in the technical reference manuals).
 */
#ifndef WP_CMN_MAP_H
#define WP_CMN_MAP_H

#include "base/vec.h"

#include <stdbool.h>
#include <stdint.h>

#define WP_CMN_SIDE    16 /* crosspoints in a row or column, at most; 12 exist */
#define WP_CMN_PORTS   6
#define WP_CMN_DEVICES 4 /* of a port */

struct wp_cmn_port {
	char kind[9];			    /* "HN-F"; "" where nothing is */
	int16_t logical_id[WP_CMN_DEVICES]; /* -1: no node there */
};

struct wp_cmn_xp {
	uint8_t x, y;
	int16_t logical_id;
	int8_t dtc; /* -1: the map does not tell one */
	struct wp_cmn_port ports[WP_CMN_PORTS];
};

struct wp_cmn_map {
	unsigned int columns, rows, ports; /* ports: of a crosspoint, the most there are */
	WP_VEC(struct wp_cmn_xp) xps;	   /* as the map has them: from the highest row on */
};

/* False when the text is no such map; *ret is untouched then. The caller deinits. */
bool wp_cmn_map_parse(const char *text, struct wp_cmn_map *ret);
void wp_cmn_map_deinit(struct wp_cmn_map *map);

/* What `nodeid=` of an event takes: of a crosspoint, and of a device at one of its ports. */
unsigned int wp_cmn_xp_id(const struct wp_cmn_map *map, const struct wp_cmn_xp *xp);
unsigned int wp_cmn_device_id(const struct wp_cmn_map *map, const struct wp_cmn_xp *xp,
			      unsigned int port, unsigned int device);

/* What a crosspoint's registers call a kind of port (5 bits), and `type=` of an event a node at
 * such a port; -1: none, or it depends. */
int wp_cmn_port_type(const char *kind);
int wp_cmn_node_type(const char *kind);

#endif
