/* SPDX-License-Identifier: BSD-3-Clause */
/* cmn_map: see cmn_map.h. */
#include "format/cmn_map.h"

#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

/* Where the one digit stands in front of the first bar tells what a line is about. */
enum column { COLUMN_Y = 0, COLUMN_PORT = 2, COLUMN_DEVICE = 4, COLUMN_BAR = 5 };

static const struct kind {
	const char *name;
	int16_t port, node; /* -1: none, or several */
} kinds[] = {
	{"RN-I", 0x01, 0x0a},  {"RN-D", 0x02, 0x0d},   {"RN-F_B", 0x04, -1}, {"RN-F_B_E", 0x05, -1},
	{"RN-F_A", 0x06, -1},  {"RN-F_A_E", 0x07, -1}, {"HN-T", 0x08, 0x04}, {"HN-I", 0x09, 0x04},
	{"HN-D", 0x0a, 0x04},  {"HN-P", 0x0b, 0x11},   {"SN-F", 0x0c, -1},   {"SBSX", 0x0d, 0x07},
	{"HN-F", 0x0e, 0x05},  {"SN-F_E", 0x0f, -1},   {"SN-F_D", 0x10, -1}, {"CXHA", 0x11, 0x101},
	{"CXRA", 0x12, 0x100}, {"CXRH", 0x13, -1},     {"RN-F_D", 0x14, -1}, {"RN-F_D_E", 0x15, -1},
	{"RN-F_C", 0x16, -1},  {"RN-F_C_E", 0x17, -1}, {"RN-F_E", 0x18, -1}, {"RN-F_E_E", 0x19, -1},
	{"MTSX", 0x1c, 0x10},  {"HN-V", 0x1d, 0x04},   {"CCG", 0x1e, -1},
};

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(kinds); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

int wp_cmn_port_type(const char *kind)
{
	const struct kind *known = find_kind(kind);

	return known ? known->port : -1;
}

int wp_cmn_node_type(const char *kind)
{
	const struct kind *known = find_kind(kind);

	return known ? known->node : -1;
}

/* "Y P D+--------+--------+": a plus more than there are columns. */
static unsigned int count_columns(const char *line)
{
	unsigned int n = 0;

	for (const char *plus = line; (plus = strchr(plus, '+')); plus++)
		n++;
	return n ? n - 1 : 0;
}

/* The number behind the first '#' or blanks of a box, or -1. */
static int16_t read_number(const char *box)
{
	const char *digit = strpbrk(box, "0123456789");
	uint64_t value;

	if (!digit)
		return -1;
	wp_autofree char *number = wp_strndup(digit, strspn(digit, "0123456789"));
	return wp_str_to_u64(number, 10, INT16_MAX, &value) ? (int16_t)value : -1;
}

/* A new row of crosspoints; false: there are too many. */
static bool add_row(struct wp_cmn_map *map, int16_t y)
{
	if (map->rows == WP_CMN_SIDE || y < 0 || y >= WP_CMN_SIDE)
		return false;
	map->rows++;
	for (unsigned int x = 0; x < map->columns; x++) {
		struct wp_cmn_xp xp = {
			.x = (uint8_t)x, .y = (uint8_t)y, .logical_id = -1, .dtc = -1};

		for (size_t i = 0; i < WP_CMN_PORTS; i++)
			memset(xp.ports[i].logical_id, 0xff, sizeof(xp.ports[i].logical_id));
		wp_vec_push(&map->xps, xp);
	}
	return true;
}

static void read_kind(const char *box, struct wp_cmn_port *ret)
{
	const char *name = box + strspn(box, " ");
	size_t len = strcspn(name, " ");

	if (len >= sizeof(ret->kind))
		len = sizeof(ret->kind) - 1;
	memcpy(ret->kind, name, len);
	ret->kind[len] = '\0';
}

/* One line of boxes, the port and the device of the lines since. */
struct place {
	int port, device;
};

static void read_box(const char *box, struct place place, struct wp_cmn_xp *xp)
{
	if (strstr(box, "XP #"))
		xp->logical_id = read_number(box);
	else if (strstr(box, "DTC")) {
		int16_t dtc = read_number(box);

		xp->dtc = dtc <= INT8_MAX ? (int8_t)dtc : -1;
	} else if (place.port >= 0 && place.device >= 0)
		xp->ports[place.port].logical_id[place.device] = read_number(box);
	else if (place.port >= 0)
		read_kind(box, &xp->ports[place.port]);
}

static void read_boxes(struct wp_cmn_map *map, char *boxes, struct place place)
{
	struct wp_cmn_xp *row = &map->xps.v[map->xps.n - map->columns];
	char *box;

	for (unsigned int x = 0; x < map->columns && (box = strsep(&boxes, "|")); x++)
		if (*box)
			read_box(box, place, &row[x]);
}

/* False: this is no line of a map. */
static bool read_map_line(struct wp_cmn_map *map, char *line, struct place *place)
{
	size_t digit = strcspn(line, "0123456789");
	int16_t number = read_number(line);

	if (strlen(line) <= COLUMN_BAR || line[COLUMN_BAR] != '|')
		return true; /* a border */
	if (digit == COLUMN_Y) {
		if (!add_row(map, number))
			return false;
		*place = (struct place){-1, -1};
	} else if (digit == COLUMN_PORT) {
		if (number >= WP_CMN_PORTS)
			return false;
		*place = (struct place){number, -1};
		if ((unsigned int)number >= map->ports)
			map->ports = (unsigned int)number + 1;
	} else if (digit == COLUMN_DEVICE) {
		if (number >= WP_CMN_DEVICES || place->port < 0)
			return false;
		place->device = number;
	}
	if (map->rows)
		read_boxes(map, line + COLUMN_BAR + 1, *place);
	return true;
}

bool wp_cmn_map_parse(const char *text, struct wp_cmn_map *ret)
{
	wp_autofree char *copy = wp_strdup(text);
	struct wp_cmn_map map = {0};
	struct place place = {-1, -1};
	char *rest = copy, *line;
	bool good = true;

	while (good && (line = strsep(&rest, "\n"))) {
		if (!map.columns && wp_str_has_prefix(line, "Y P D+"))
			map.columns = count_columns(line);
		else if (map.columns && map.columns <= WP_CMN_SIDE)
			good = read_map_line(&map, line, &place);
	}
	if (!good || map.xps.n == 0) {
		wp_cmn_map_deinit(&map);
		return false;
	}
	*ret = map;
	return true;
}

void wp_cmn_map_deinit(struct wp_cmn_map *map)
{
	wp_vec_deinit(&map->xps);
}

/* Bits of a coordinate in a node's id: 2, or 3 or 4 of a mesh that needs them. */
static unsigned int coordinate_bits(const struct wp_cmn_map *map)
{
	unsigned int bits = 2;

	while ((map->columns - 1) >> bits || (map->rows - 1) >> bits)
		bits++;
	return bits;
}

unsigned int wp_cmn_xp_id(const struct wp_cmn_map *map, const struct wp_cmn_xp *xp)
{
	if (map->xps.n == 1)
		return 0;
	return (unsigned int)xp->x << (3 + coordinate_bits(map)) | (unsigned int)xp->y << 3;
}

unsigned int wp_cmn_device_id(const struct wp_cmn_map *map, const struct wp_cmn_xp *xp,
			      unsigned int port, unsigned int device)
{
	/* A mesh of more crosspoints that has a third port has one bit less for the device. */
	unsigned int shift = map->xps.n > 1 && map->ports > 2 ? 1 : 2;

	return wp_cmn_xp_id(map, xp) | port << shift | device;
}
