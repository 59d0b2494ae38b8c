/* SPDX-License-Identifier: BSD-3-Clause */
/* kallsyms: see kallsyms.h. */
#include "format/maps/kallsyms.h"

#include "format/textline.h"

#include <string.h>

static bool parse_kallsyms_line(struct wp_textline line, struct wp_kallsyms_entry *ret)
{
	struct wp_kallsyms_entry e = {0};

	if (!wp_textline_hex(&line, &e.addr) || line.len < 3 || line.s[1] != ' ')
		return false;
	e.type = line.s[0];
	e.name = line.s + 2;
	e.name_len = line.len - 2;
	const char *tab = memchr(e.name, '\t', e.name_len);
	if (tab) {
		size_t rest = e.name_len - (size_t)(tab - e.name);

		e.name_len = (size_t)(tab - e.name);
		if (rest < 4 || tab[1] != '[' || tab[rest - 1] != ']')
			return false;
		e.module = tab + 2;
		e.module_len = rest - 3;
	}
	if (!e.name_len)
		return false;
	*ret = e;
	return true;
}

bool wp_kallsyms_next(struct wp_bytes *b, struct wp_kallsyms_entry *ret)
{
	struct wp_textline line;

	while (wp_textline_next(b, &line))
		if (parse_kallsyms_line(line, ret))
			return true;
	return false;
}
