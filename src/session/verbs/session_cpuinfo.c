/* SPDX-License-Identifier: BSD-3-Clause */
/* session_cpuinfo: the CPUs that run: where each is, and what it is. */
#include "session/setup.h"
#include "session/verbs/machine_docs.h"

#include "event/cpu.h"

static struct wp_cell number_cell(int32_t number)
{
	return number < 0 ? wp_cell_str("-") : wp_cell_number((uint64_t)number);
}

/* What it is called and how it says so itself: on Arm each CPU for itself, clusters differ. */
static void add_kind(struct wp_doc *doc, const struct wp_machine *machine,
		     const struct wp_cpu_place *place, struct wp_cell ret[2])
{
	const struct wp_cpu *cpu = wp_cpu_of_midr(place->midr);

	ret[0] = wp_cell_str(cpu ? cpu->name : machine->product ? machine->product : "unknown");
	ret[1] = wp_cell_str(place->midr      ? wp_arena_printf(&doc->arena, "0x%llx",
								(unsigned long long)place->midr)
			     : machine->cpuid ? machine->cpuid
					      : "-");
}

static struct wp_doc *cpuinfo_doc(const struct wp_world *world, const struct wp_machine *machine)
{
	struct wp_doc *doc = wp_doc_new();
	struct wp_table *table = wp_doc_table(doc, doc->root, "CPUs");
	static const char *const columns[] = {"Core", "Socket", "Die", "Core ID", "Node"};

	for (size_t i = 0; i < WP_ARRAY_LEN(columns); i++)
		wp_table_column(table, columns[i], WP_ALIGN_RIGHT);
	wp_table_column(table, "Product", WP_ALIGN_LEFT);
	wp_table_column(table, machine->midr ? "MIDR_EL1" : "CPUID", WP_ALIGN_LEFT);
	wp_vec_each (const uint32_t, cpu, &machine->online.cpus) {
		struct wp_cpu_place place = world->ops->place(world, *cpu);
		struct wp_cell cells[7] = {
			number_cell((int32_t)*cpu), number_cell(place.socket),
			number_cell(place.die),	    number_cell(place.core),
			number_cell(place.node),
		};

		add_kind(doc, machine, &place, cells + 5);
		wp_table_add(table, cells);
	}
	return doc;
}

struct wp_err *wp_session_cpuinfo(const struct wp_session_options *options,
				  struct wp_session_io *io, int *ret_exit)
{
	wp_autosetup struct wp_setup setup;

	TRY(wp_setup_init(options, io, &setup));
	*ret_exit = 0;
	return wp_emit_and_free(options, io, cpuinfo_doc(setup.world, setup.machine));
}
