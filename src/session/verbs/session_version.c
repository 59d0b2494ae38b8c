/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * session_version: what works together: wperf and, where WindowsPerf has its driver, the kernel.
 * wperf's features are what it was built with (+) and without (-), the kernel's what this user can
 * have of it.
 */
#include "base/str.h"
#include "event/event_spe.h"
#include "session/emit.h"
#include "session/verbs/machine_docs.h"
#include "session/setup.h"

#include "wperf_build.h"

static struct wp_cell driver_cell(struct wp_doc *doc, const char *text)
{
	return wp_cell_str(wp_arena_strdup(&doc->arena, text));
}

struct wp_doc *wp_version_doc(const struct wp_machine *machine)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_table *table = wp_doc_table(doc, doc->root, "Version");
	const struct wp_machine_limits *limits = &machine->limits;
	const char *features =
		wp_arena_printf(&doc->arena, "%s%s%s%s%s", machine->has_hw_pmu ? "+pmu" : "",
				limits->tracefs ? "+tracefs" : "", limits->btf ? "+btf" : "",
				limits->bpf ? "+bpf" : "", wp_event_spe_pmu(machine) ? "+spe" : "");

	wp_table_column(table, "Component", WP_ALIGN_LEFT);
	wp_table_column(table, "Version", WP_ALIGN_LEFT);
	wp_table_column(table, "GitVer", WP_ALIGN_LEFT);
	wp_table_column(table, "FeatureString", WP_ALIGN_LEFT);
	wp_table_add(table,
		     (struct wp_cell[]){wp_cell_str("wperf"), wp_cell_str(WPERF_VERSION),
					wp_cell_str(WPERF_GITVER), wp_cell_str(WPERF_FEATURES)});
	if (machine->driver.version)
		wp_table_add(table, (struct wp_cell[]){wp_cell_str("wperf-driver"),
						       driver_cell(doc, machine->driver.version),
						       driver_cell(doc, machine->driver.gitver),
						       driver_cell(doc, machine->driver.features)});
	wp_table_add(table,
		     (struct wp_cell[]){wp_cell_str("kernel"),
					wp_cell_str(wp_arena_strdup(&doc->arena, machine->kernel)),
					wp_cell_str(""), wp_cell_str(features)});
	return doc;
}

/* A driver that is there and cannot be used is what somebody who asks this wants to know. */
static struct wp_err *check_driver(const struct wp_setup *setup)
{
	struct wp_world *world = setup->world;
	struct wp_err *err = world->ops->ready ? world->ops->ready(world) : NULL;

	if (!err || err->code != WP_ERR_NOT_FOUND)
		return err;
	wp_log(setup->log, WP_LOG_NOTE, "%s", err->text);
	wp_err_free(err);
	return NULL;
}

struct wp_err *wp_session_version(const struct wp_session_options *options,
				  struct wp_session_io *io, int *ret_exit)
{
	wp_autosetup struct wp_setup setup;

	TRY(wp_setup_init(options, io, &setup));
	*ret_exit = 0;
	TRY(wp_emit_and_free(options, io, wp_version_doc(setup.machine)));
	wp_writer_flush(io->out);
	return check_driver(&setup);
}
