/* SPDX-License-Identifier: BSD-3-Clause */
/* stat_place: see stat_place.h. */
#include "aggregate/stat_place.h"

static int compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

int wp_stat_place_compare(const struct wp_stat_place *a, const struct wp_stat_place *b)
{
	const int64_t numbers[][2] = {
		{a->split, b->split},	{a->at.node, b->at.node}, {a->at.socket, b->at.socket},
		{a->at.die, b->at.die}, {a->at.core, b->at.core}, {a->id, b->id},
	};
	int order = 0;

	for (size_t i = 0; !order && i < WP_ARRAY_LEN(numbers); i++)
		order = compare(numbers[i][0], numbers[i][1]);
	return order;
}

const char *wp_stat_place_key(enum wp_split split)
{
	static const char *const keys[] = {
		[WP_SPLIT_NONE] = "",	      [WP_SPLIT_CPU] = "cpu",
		[WP_SPLIT_CORE] = "core",     [WP_SPLIT_DIE] = "die",
		[WP_SPLIT_SOCKET] = "socket", [WP_SPLIT_NODE] = "node",
		[WP_SPLIT_THREAD] = "thread",
	};

	return keys[split];
}

const char *wp_stat_place_heading(enum wp_split split)
{
	static const char *const headings[] = {
		[WP_SPLIT_NONE] = "",
		[WP_SPLIT_CPU] = " CPU       ",
		[WP_SPLIT_CORE] = " core            cpus",
		[WP_SPLIT_DIE] = " die          cpus",
		[WP_SPLIT_SOCKET] = " socket cpus",
		[WP_SPLIT_NODE] = " node   cpus",
		[WP_SPLIT_THREAD] = "             comm-pid     ",
	};

	return headings[split];
}

bool wp_stat_place_is_many(const struct wp_stat_place *place)
{
	return place->split >= WP_SPLIT_CORE && place->split <= WP_SPLIT_NODE;
}

void wp_stat_place_name(struct wp_str *out, const struct wp_stat_place *place)
{
	const struct wp_cpu_place *at = &place->at;

	switch (place->split) {
	case WP_SPLIT_NONE: break;
	case WP_SPLIT_CPU: wp_str_printf(out, "%u", place->id); break;
	case WP_SPLIT_CORE: wp_str_printf(out, "S%d-D%d-C%d", at->socket, at->die, at->core); break;
	case WP_SPLIT_DIE: wp_str_printf(out, "S%d-D%d", at->socket, at->die); break;
	case WP_SPLIT_SOCKET: wp_str_printf(out, "S%d", at->socket); break;
	case WP_SPLIT_NODE: wp_str_printf(out, "N%d", at->node); break;
	case WP_SPLIT_THREAD:
		wp_str_printf(out, "%s-%u", place->comm ? place->comm : "?", place->id);
		break;
	}
}

void wp_stat_place_text(struct wp_str *out, const struct wp_stat_place *place)
{
	const struct wp_cpu_place *at = &place->at;

	switch (place->split) {
	case WP_SPLIT_NONE: return;
	case WP_SPLIT_CPU: wp_str_printf(out, "CPU%-7u ", place->id); return;
	case WP_SPLIT_CORE:
		wp_str_printf(out, "S%d-D%d-C%-8d ", at->socket, at->die, at->core);
		break;
	case WP_SPLIT_DIE: wp_str_printf(out, "S%d-D%-8d ", at->socket, at->die); break;
	case WP_SPLIT_SOCKET: wp_str_printf(out, "S%-5d ", at->socket); break;
	case WP_SPLIT_NODE: wp_str_printf(out, "N%-5d ", at->node); break;
	case WP_SPLIT_THREAD:
		wp_str_printf(out, "%16s-%-8u ", place->comm ? place->comm : "?", place->id);
		return;
	}
	wp_str_printf(out, "%4zu ", place->cpus);
}

void wp_stat_place_csv(struct wp_str *out, const struct wp_stat_place *place, const char *separator)
{
	if (place->split == WP_SPLIT_NONE)
		return;
	if (place->split == WP_SPLIT_CPU)
		wp_str_puts(out, "CPU");
	wp_stat_place_name(out, place);
	wp_str_puts(out, separator);
	if (wp_stat_place_is_many(place))
		wp_str_printf(out, "%zu%s", place->cpus, separator);
}
