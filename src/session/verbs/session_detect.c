/* SPDX-License-Identifier: BSD-3-Clause */
/* session_detect: the PMUs that the kernel registered, where WindowsPerf shows its devices. */
#include "session/emit.h"
#include "session/verbs/machine_docs.h"
#include "session/setup.h"

#include <string.h>

struct wp_err *wp_emit_and_free(const struct wp_session_options *options, struct wp_session_io *io,
				struct wp_doc *doc)
{
	struct wp_err *err = wp_emit(options, io, doc);

	wp_doc_free(doc);
	return err;
}

struct wp_doc *wp_detect_doc(const struct wp_machine *machine)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_table *table = wp_doc_table(doc, doc->root, "Devices");
	size_t root = machine->root ? strlen(machine->root) : 0;

	wp_table_column(table, "Device Instance ID", WP_ALIGN_LEFT);
	wp_table_column(table, "Hardware IDs", WP_ALIGN_LEFT);
	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus) {
		const char *dir = pmu->dir ? pmu->dir : "";

		if (root && strncmp(dir, machine->root, root) == 0)
			dir += root;
		wp_table_add(table, (struct wp_cell[]){
					    wp_cell_str(wp_arena_strdup(&doc->arena, dir)),
					    wp_cell_str(wp_arena_printf(&doc->arena, "%s,%u",
									pmu->name, pmu->type))});
	}
	return doc;
}

struct wp_err *wp_session_detect(const struct wp_session_options *options, struct wp_session_io *io,
				 int *ret_exit)
{
	wp_autosetup struct wp_setup setup;

	TRY(wp_setup_init(options, io, &setup));
	*ret_exit = 0;
	if (!setup.machine->pmus.n)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "No active device interfaces found: the kernel shows no PMU in "
				  "/sys/bus/event_source/devices");
	return wp_emit_and_free(options, io, wp_detect_doc(setup.machine));
}
