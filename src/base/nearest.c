/* SPDX-License-Identifier: BSD-3-Clause */
/* nearest: see nearest.h. */
#include "base/nearest.h"

#include "base/str.h"

#include <stdlib.h>
#include <string.h>

struct wp_nearest wp_nearest_to(const char *word)
{
	return (struct wp_nearest){.word = word, .distance = strlen(word) < 6 ? 2 : 3};
}

void wp_nearest_try(struct wp_nearest *nearest, const char *name)
{
	unsigned int distance = wp_str_distance(nearest->word, name, nearest->distance);

	if (distance >= nearest->distance)
		return;
	free(nearest->name);
	nearest->name = wp_strdup(name);
	nearest->distance = distance;
}

void wp_nearest_deinit(struct wp_nearest *nearest)
{
	free(nearest->name);
	nearest->name = NULL;
}
