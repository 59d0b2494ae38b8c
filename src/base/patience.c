/* SPDX-License-Identifier: BSD-3-Clause */
/* patience: see patience.h. */
#include "base/patience.h"

#include "base/clock.h"

#define REST_NS (WP_NS_PER_S / 2)

void wp_patience_end_at(struct wp_patience *patience, uint64_t end_ns)
{
	uint64_t until_ns = end_ns + REST_NS;

	if (!patience->until_ns || until_ns < patience->until_ns)
		patience->until_ns = until_ns;
}

bool wp_patience_is_over(struct wp_patience *patience)
{
	if (!patience)
		return false;
	if (patience->interrupted && *patience->interrupted)
		wp_patience_end_at(patience, wp_clock_now_ns());
	return patience->until_ns && wp_clock_now_ns() >= patience->until_ns;
}
