/* event: see event.h. */
#include "core/event.h"

void wp_event_set_deinit(struct wp_event_set *set)
{
	wp_arena_deinit(&set->arena);
	wp_vec_deinit(&set->events);
}
