/* SPDX-License-Identifier: BSD-3-Clause */
/* driver_machine_win: see driver_machine.h. Its PMU is called as Linux calls Arm's, so that all
 * that knows that name knows this one. */
#include "machine/driver_machine.h"

#include "event/cpu.h"

#define PMU_NAME "armv8_pmuv3_0"
#define PMU_TYPE 8 /* the first that Linux gives */

/* The driver knows the numbers only. */
static const struct wp_cpu_event *name_driver_event(const struct wp_cpu *cpu, uint16_t number)
{
	const struct wp_cpu *architectures[] = {cpu, wp_cpu_find("armv8-a"),
						wp_cpu_find("armv9-a")};

	for (size_t i = 0; i < WP_ARRAY_LEN(architectures); i++) {
		const struct wp_cpu_event *event =
			architectures[i] ? wp_cpu_event_of(architectures[i], number) : NULL;

		if (event)
			return event;
	}
	return NULL;
}

static void list_driver_events(const struct wp_drv *drv, const struct wp_cpu *cpu,
			       struct wp_machine *machine)
{
	wp_vec_each (const uint16_t, number, &drv->events[WP_DRV_CORE].v) {
		const struct wp_cpu_event *event = name_driver_event(cpu, *number);

		if (event)
			wp_vec_push(&machine->events, (struct wp_machine_event){
							      .pmu = PMU_NAME,
							      .name = event->name,
							      .desc = "",
							      .config = *number,
						      });
	}
}

static void describe_driver(const struct wp_drv *drv, struct wp_machine *machine)
{
	const struct wp_drv_version *version = &drv->version;

	machine->driver.version = wp_arena_printf(&machine->arena, "%u.%u.%u", version->major,
						  version->minor, version->patch);
	machine->driver.gitver = wp_arena_strdup(&machine->arena, version->gitver);
	machine->driver.features = wp_arena_strdup(&machine->arena, version->features);
	machine->driver.counter_map = drv->hw.counter_idx_map;
}

static void describe_driver_cpu(const struct wp_drv *drv, struct wp_machine *machine)
{
	machine->arch = "aarch64";
	machine->midr = drv->hw.midr_value;
	machine->id_aa64dfr0 = drv->hw.id_aa64dfr0_value;
	wp_cpu_describe_arm(machine);
	machine->core_count = drv->hw.core_num;
	for (uint32_t core = 0; core < drv->hw.core_num; core++)
		wp_cpuset_add(&machine->online, core);
}

void wp_driver_machine_describe(const struct wp_drv *drv, struct wp_machine *ret)
{
	const struct wp_cpu *cpu = wp_cpu_of_midr(drv->hw.midr_value);

	describe_driver(drv, ret);
	describe_driver_cpu(drv, ret);
	ret->has_hw_pmu = true;
	ret->hw_pmu_why = NULL;
	ret->gpc_total = drv->hw.total_gpc_num;
	ret->gpc_free = drv->hw.gpc_num;
	ret->fpc = drv->hw.fpc_num;
	wp_vec_push(&ret->pmus, (struct wp_machine_pmu){
					.name = PMU_NAME,
					.dir = WP_DRV_INTERFACE,
					.type = PMU_TYPE,
					.is_core = true,
					.midr = ret->midr,
				});
	list_driver_events(drv, cpu, ret);
}
