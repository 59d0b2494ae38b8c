/* SPDX-License-Identifier: BSD-3-Clause */
/* Which known name a misspelt word is taken for. */
#include "check.h"

#include "base/nearest.h"

#include <stddef.h>

static const char *const names[] = {"stat", "sample", "record", "report", "script"};

static void check_near(const char *word, const char *want)
{
	struct wp_nearest nearest = wp_nearest_to(word);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		wp_nearest_try(&nearest, names[i]);
	CHECK_STR(nearest.name ? nearest.name : "none", want);
	wp_nearest_deinit(&nearest);
}

int main(void)
{
	check_near("recrod", "record");
	check_near("reprot", "report");
	check_near("smaple", "sample");
	check_near("stats", "stat");
	check_near("stttt", "none"); /* of a short word one letter may differ */
	check_near("scirpts", "script");
	check_near("profile", "none");
	check_near("", "none");
	return check_done();
}
