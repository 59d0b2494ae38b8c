/* SPDX-License-Identifier: BSD-3-Clause */
/* unnamed: see unnamed.h. */
#include "aggregate/unnamed.h"

#include "base/map.h"

#define SHOWN 3

/* Samples with the reason, by module. */
static struct wp_map count_unnamed_by_module(const struct wp_flat *flat,
					     const struct wp_symbol_set *set,
					     enum wp_symbol_reason reason)
{
	struct wp_map samples = {0};

	wp_vec_each (struct wp_flat_event, event, &flat->events)
		wp_vec_each (struct wp_flat_row, row, &event->rows) {
			const struct wp_symbol *symbol = &set->symbols.v[row->symbol];

			if (symbol->reason == reason && symbol->module != WP_NO_MODULE)
				*wp_map_put(&samples, symbol->module) += row->samples;
		}
	return samples;
}

/* The slot with most samples; by module where they are equal, so that a report repeats itself. */
static struct wp_map_slot *most(struct wp_map *samples)
{
	struct wp_map_slot *best = NULL;

	for (size_t i = 0; i < samples->cap; i++) {
		struct wp_map_slot *slot = &samples->slots[i];

		if (!slot->used || !slot->value)
			continue;
		if (!best || slot->value > best->value ||
		    (slot->value == best->value && slot->key < best->key))
			best = slot;
	}
	return best;
}

void wp_unnamed_modules(struct wp_str *out, const struct wp_flat *flat,
			const struct wp_symbol_set *set, enum wp_symbol_reason reason)
{
	struct wp_map samples = count_unnamed_by_module(flat, set, reason);
	struct wp_map_slot *slot;

	for (int i = 0; i < SHOWN && (slot = most(&samples)); i++) {
		wp_str_printf(out, "%s%s",
			      i			  ? ", "
			      : samples.n > SHOWN ? ": mostly "
						  : ": ",
			      set->modules.v[slot->key].name);
		slot->value = 0;
	}
	wp_map_deinit(&samples);
}
