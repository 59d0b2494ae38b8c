/* SPDX-License-Identifier: BSD-3-Clause */
/* duration: see duration.h. */
#include "base/duration.h"

#include "base/clock.h"
#include "base/mem.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *word;
	uint64_t ns;
} units[] = {
	{"", WP_NS_PER_S},	 {"s", WP_NS_PER_S},	    {"ms", WP_NS_PER_MS},
	{"m", 60 * WP_NS_PER_S}, {"h", 3600 * WP_NS_PER_S}, {"d", 86400 * WP_NS_PER_S},
};

/* Appends one decimal digit to *value; false when it no longer fits. */
static bool push_digit(uint64_t *value, char digit)
{
	return !__builtin_mul_overflow(*value, 10, value) &&
	       !__builtin_add_overflow(*value, (uint64_t)(digit - '0'), value);
}

/* The number in hundredths; moves *text behind it. */
static bool hundredths(const char **text, uint64_t *ret)
{
	const char *p = *text;
	uint64_t value = 0;
	int decimals = 0;

	if (!isdigit((unsigned char)*p) || (p[0] == '0' && isdigit((unsigned char)p[1])))
		return false;
	while (isdigit((unsigned char)*p))
		if (!push_digit(&value, *p++))
			return false;
	if (*p == '.') {
		p++;
		while (decimals < 2 && isdigit((unsigned char)*p)) {
			if (!push_digit(&value, *p++))
				return false;
			decimals++;
		}
		if (!decimals)
			return false;
	}
	for (; decimals < 2; decimals++)
		if (!push_digit(&value, '0'))
			return false;
	*text = p;
	*ret = value;
	return true;
}

bool wp_duration_parse(const char *text, uint64_t *ret_ns)
{
	uint64_t value, ns;

	if (!hundredths(&text, &value))
		return false;
	for (size_t i = 0; i < WP_ARRAY_LEN(units); i++) {
		if (strcmp(text, units[i].word) != 0)
			continue;
		if (__builtin_mul_overflow(value, units[i].ns / 100, &ns))
			return false;
		*ret_ns = ns;
		return true;
	}
	return false;
}
