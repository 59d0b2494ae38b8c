/* SPDX-License-Identifier: BSD-3-Clause */
/* proc_maps: see proc_maps.h. */
#include "format/maps/proc_maps.h"

#include "base/str.h"

#include <string.h>

#define DELETED " (deleted)"

size_t wp_proc_maps_path_len(const char *path)
{
	size_t len = strlen(path);

	if (path[0] == '/' && wp_str_has_suffix(path, DELETED))
		len -= strlen(DELETED);
	return len;
}

/* Cuts the word before the separator off *at; false when the separator is not there. */
static bool cut_word(char **at, const char *separator, char **ret)
{
	*ret = strsep(at, separator);
	return *at;
}

static bool number(char **at, const char *separator, int base, uint64_t max, uint64_t *ret)
{
	char *text;

	return cut_word(at, separator, &text) && wp_str_to_u64(text, base, max, ret);
}

static bool parse_maps_line(char *line, bool all, struct wp_record_map *ret)
{
	struct wp_record_map map = {0};
	uint64_t end, major, minor;
	char *perms;

	if (!number(&line, "-", 16, UINT64_MAX, &map.start.v) ||
	    !number(&line, " ", 16, UINT64_MAX, &end) || !cut_word(&line, " ", &perms) ||
	    !number(&line, " ", 16, UINT64_MAX, &map.pgoff.v) ||
	    !number(&line, ":", 16, UINT32_MAX, &major) ||
	    !number(&line, " ", 16, UINT32_MAX, &minor) ||
	    !number(&line, " ", 10, UINT64_MAX, &map.inode))
		return false;
	if (strlen(perms) != 4 || end <= map.start.v)
		return false;
	/* Of what is not executable, only a private mapping of a file's beginning matters. */
	map.data = perms[2] != 'x';
	if (!all && map.data && (perms[3] != 'p' || map.pgoff.v || !map.inode))
		return false;
	map.len = end - map.start.v;
	map.dev_major = (uint32_t)major;
	map.dev_minor = (uint32_t)minor;
	line += strspn(line, " ");
	line[wp_proc_maps_path_len(line)] = '\0';
	map.path = *line ? line : WP_PROC_MAPS_ANON;
	*ret = map;
	return true;
}

static bool find_maps_line(char **at, bool all, struct wp_record_map *ret)
{
	char *line;

	while (*at && **at) {
		line = strsep(at, "\n");
		if (parse_maps_line(line, all, ret))
			return true;
	}
	return false;
}

bool wp_proc_maps_next_any(char **at, struct wp_record_map *ret)
{
	return find_maps_line(at, false, ret);
}

bool wp_proc_maps_next_all(char **at, struct wp_record_map *ret)
{
	return find_maps_line(at, true, ret);
}

bool wp_proc_maps_next(char **at, struct wp_record_map *ret)
{
	struct wp_record_map map;

	while (wp_proc_maps_next_any(at, &map)) {
		if (map.data)
			continue;
		*ret = map;
		return true;
	}
	return false;
}
