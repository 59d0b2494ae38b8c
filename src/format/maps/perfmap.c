/* SPDX-License-Identifier: BSD-3-Clause */
/* perfmap: see perfmap.h. */
#include "format/maps/perfmap.h"

#include "format/textline.h"

static bool parse_perfmap_line(struct wp_textline line, struct wp_perfmap_entry *ret)
{
	struct wp_perfmap_entry e;

	if (!wp_textline_hex(&line, &e.start) || !wp_textline_hex(&line, &e.size))
		return false;
	while (line.len && line.s[line.len - 1] == '\r')
		line.len--;
	e.name = line.s;
	e.name_len = line.len;
	if (!e.size || !e.name_len || e.size > UINT64_MAX - e.start)
		return false;
	*ret = e;
	return true;
}

bool wp_perfmap_next(struct wp_bytes *b, struct wp_perfmap_entry *ret)
{
	struct wp_textline line;
	size_t pos = b->pos;

	while (wp_textline_next(b, &line)) {
		if (!line.complete) {
			wp_bytes_seek(b, pos);
			return false;
		}
		if (parse_perfmap_line(line, ret))
			return true;
		pos = b->pos;
	}
	return false;
}
