/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz_proc_status: the texts of /proc/PID/status and /proc/PID/stat. */
#include "format/maps/proc_status.h"
#include "resolve/find/process_owner.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static volatile uint64_t sink;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	wp_autofree char *text = wp_strndup((const char *)data, size);
	struct wp_owners owners = {0}, again = {0};
	wp_autostr struct wp_str kept = {0};
	uint64_t number = 0;

	sink += wp_proc_status_inner(text, 77);
	for (int field = 3; field < 60; field++) {
		const char *at = wp_proc_stat_field(text, field);

		if (at && (at <= text || at > text + strlen(text)))
			abort();
		if (wp_proc_stat_number(text, field, &number) && (*at < '0' || *at > '9'))
			abort();
	}
	if (wp_process_owner_parse(text, &owners) && !owners.all.n)
		abort();
	wp_owners_put(&owners, &kept); /* as a recording keeps it */
	if (kept.len && (!wp_owners_parse(kept.s, &again) || again.all.n != owners.all.n))
		abort();
	wp_owners_deinit(&again);
	wp_owners_parse(text, &again);
	wp_owners_deinit(&again);
	wp_owners_deinit(&owners);
	return 0;
}
