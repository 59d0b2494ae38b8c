/* SPDX-License-Identifier: BSD-3-Clause */
/* proc_status: see proc_status.h. */
#include "format/maps/proc_status.h"

#include "base/str.h"

#include <string.h>

#define INNER "\nNSpid:" /* a number for each namespace, the innermost last */

/* A whole number that ends at a blank or the text's end. */
static bool read_status_number(const char *at, uint64_t max, uint64_t *ret)
{
	char digits[24];
	size_t n = strspn(at, "0123456789");

	if (n >= sizeof(digits) || (at[n] && !strchr(" \t\n", at[n])))
		return false;
	memcpy(digits, at, n);
	digits[n] = '\0';
	return wp_str_to_u64(digits, 10, max, ret);
}

uint32_t wp_proc_status_inner(const char *status, uint32_t id)
{
	const char *at = strstr(status, INNER), *last = NULL;
	uint64_t inner;

	for (at = at ? at + strlen(INNER) : ""; *at == '\t'; at += strcspn(at, "\t\n"))
		last = ++at;
	return last && read_status_number(last, UINT32_MAX, &inner) ? (uint32_t)inner : id;
}

/* `pid (name) state ...`, and a name may contain anything, also newlines and parentheses. */
const char *wp_proc_stat_field(const char *stat, int field)
{
	const char *at = strrchr(stat, ')');

	for (int i = WP_PROC_STAT_STATE - 1; at && i < field; i++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at;
}

bool wp_proc_stat_number(const char *stat, int field, uint64_t *ret)
{
	const char *at = wp_proc_stat_field(stat, field);

	return at && read_status_number(at, UINT64_MAX, ret);
}
