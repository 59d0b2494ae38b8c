/* SPDX-License-Identifier: BSD-3-Clause */
/* sampling_switch: see sampling_switch.h. */
#include "session/live/sampling_switch.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NS_PER_HUNDREDTH (WP_NS_PER_S / 100)

bool wp_sampling_switch_unit(const char *text, uint64_t *ret_bytes, uint64_t *ret_ns)
{
	static const struct {
		char unit;
		bool is_time;
		uint64_t factor;
	} units[] = {
		{'B', false, 1},
		{'K', false, UINT64_C(1) << 10},
		{'M', false, UINT64_C(1) << 20},
		{'G', false, UINT64_C(1) << 30},
		{'s', true, WP_NS_PER_S},
		{'m', true, 60 * WP_NS_PER_S},
		{'h', true, 3600 * WP_NS_PER_S},
		{'d', true, 86400 * WP_NS_PER_S},
	};
	size_t len = strlen(text);
	wp_autofree char *digits = len ? wp_strndup(text, len - 1) : NULL;
	uint64_t n;

	for (size_t i = 0; len && i < WP_ARRAY_LEN(units); i++) {
		if (text[len - 1] != units[i].unit)
			continue;
		if (!wp_str_to_u64(digits, 10, UINT64_MAX / units[i].factor, &n) || !n)
			return false;
		*(units[i].is_time ? ret_ns : ret_bytes) = n * units[i].factor;
		return true;
	}
	return false;
}

struct wp_err *wp_sampling_switch_parse(const char *text, uint64_t files,
					struct wp_sampling_switch *ret)
{
	if (!text && files)
		return wp_err_new(WP_ERR_USAGE,
				  "--switch-max-files is of recordings one after the other: say "
				  "when the next one begins (--switch-output, --snapshot)");
	ret->on = text != NULL;
	ret->files = files;
	if (!text || strcmp(text, "signal") == 0 ||
	    wp_sampling_switch_unit(text, &ret->bytes, &ret->ns))
		return NULL;
	return wp_err_new(WP_ERR_USAGE,
			  "--switch-output %s: want signal, a size (500K, 10M, 1G) or a time (30s, "
			  "5m, 1h); a command stands behind --",
			  text);
}

/* perf.data.2026112503004512 */
static char *make_switched_name(const char *path, uint64_t hundredths)
{
	time_t second = (time_t)(hundredths / 100);
	struct tm day = {0};
	char text[32] = "";

	localtime_r(&second, &day);
	strftime(text, sizeof(text), "%Y%m%d%H%M%S", &day);
	return wp_asprintf("%s.%s%02u", path, text, (unsigned int)(hundredths % 100));
}

static void remove_oldest(struct wp_sampling_switch *sw)
{
	char *name = sw->names.v[0];
	wp_autofree char *image = wp_asprintf("%s.python", name);

	unlink(name);
	unlink(image);
	free(name);
	memmove(sw->names.v, sw->names.v + 1, (sw->names.n - 1) * sizeof(*sw->names.v));
	sw->names.n--;
}

const char *wp_sampling_switch_name(struct wp_sampling_switch *sw, const char *path)
{
	struct timespec now = {0};
	uint64_t hundredths;
	char *name;

	clock_gettime(CLOCK_REALTIME, &now);
	hundredths = (uint64_t)now.tv_sec * 100 + (uint64_t)now.tv_nsec / NS_PER_HUNDREDTH;
	if (hundredths <= sw->hundredths)
		hundredths = sw->hundredths + 1;
	name = make_switched_name(path, hundredths);
	while (access(name, F_OK) == 0) { /* two within a hundredth of a second */
		free(name);
		name = make_switched_name(path, ++hundredths);
	}
	while (sw->files && sw->names.n >= sw->files)
		remove_oldest(sw);
	sw->hundredths = hundredths;
	wp_vec_push(&sw->names, name);
	sw->began_ns = wp_clock_now_ns();
	return name;
}

static bool was_asked(struct wp_sampling_switch *sw)
{
	sig_atomic_t asked = sw->asked ? *sw->asked : 0;
	bool ret = asked != sw->answered;

	sw->answered = asked;
	return ret;
}

bool wp_sampling_switch_is_due(struct wp_sampling_switch *sw, uint64_t samples, uint64_t bytes)
{
	if (!sw->on)
		return false;
	if (!sw->bytes && !sw->ns)
		return was_asked(sw);
	if (!samples)
		return false;
	return (sw->bytes && bytes >= sw->bytes) ||
	       (sw->ns && wp_clock_now_ns() - sw->began_ns >= sw->ns);
}

void wp_sampling_switch_deinit(struct wp_sampling_switch *sw)
{
	wp_vec_each (char *, name, &sw->names)
		free(*name);
	wp_vec_deinit(&sw->names);
}
