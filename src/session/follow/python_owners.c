/* SPDX-License-Identifier: BSD-3-Clause */
/* python_owners: see python_owners.h. */
#include "session/follow/python_owners.h"

#include "base/clock.h"
#include "resolve/find/process_owner.h"

#define AGAIN_NS (100 * WP_NS_PER_MS)

void wp_python_owners_look(struct wp_python_owners *owners, uint32_t pid, uint64_t now_ns)
{
	uint64_t *due_ns = wp_map_put(&owners->due_of, pid);

	if (now_ns < *due_ns)
		return;
	*due_ns = now_ns + AGAIN_NS;
	wp_process_owner(pid, &owners->met);
}

void wp_python_owners_end(struct wp_python_owners *owners, uint32_t pid)
{
	wp_map_remove(&owners->due_of, pid);
}

void wp_python_owners_code(struct wp_python_owners *owners, const struct wp_record *record)
{
	wp_python_owners_look(owners, record->pid, record->time_ns);
	if (record->code.has_uid && !wp_owners_has_uid(&owners->met, record->code.uid))
		wp_owners_add_uid(&owners->met, record->code.uid);
}

void wp_python_owners_finish(struct wp_python_owners *owners)
{
	for (size_t i = 0; i < owners->due_of.cap; i++)
		if (owners->due_of.slots[i].used)
			wp_process_owner((uint32_t)owners->due_of.slots[i].key, &owners->met);
}

void wp_python_owners_deinit(struct wp_python_owners *owners)
{
	wp_owners_deinit(&owners->met);
	wp_map_deinit(&owners->due_of);
}
