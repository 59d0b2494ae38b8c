/* SPDX-License-Identifier: BSD-3-Clause */
/* Words of -e, -E and of sample's -e over a machine that names a few events. */
#include "base/str.h"
#include "event/event_parse.h"

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void describe(struct wp_machine *machine)
{
	static const char *const names[][2] = {
		{"armv8_pmuv3_0", "ld_spec"},
		{"arm_dsu_0", "l3d_cache"},
		{"tracepoint", "sched:sched_switch"},
	};

	machine->root = "/nonexistent";
	machine->arch = "aarch64";
	machine->has_hw_pmu = true;
	machine->gpc_total = machine->gpc_free = 3;
	wp_vec_push(&machine->pmus, (struct wp_machine_pmu){.name = "armv8_pmuv3_0",
							    .dir = "/nonexistent",
							    .type = 8,
							    .is_core = true});
	wp_vec_push(&machine->pmus,
		    (struct wp_machine_pmu){.name = "arm_dsu_0", .dir = "/nonexistent", .type = 9});
	wp_vec_push(&machine->pmus,
		    (struct wp_machine_pmu){.name = "uprobe", .dir = "/nonexistent", .type = 10});
	wp_vec_push(&machine->pmus,
		    (struct wp_machine_pmu){.name = "kprobe", .dir = "/nonexistent", .type = 11});
	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++)
		wp_vec_push(&machine->events, (struct wp_machine_event){.pmu = names[i][0],
									.name = names[i][1],
									.config = 0x70 + i});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct wp_machine machine = {0};
	struct wp_event_set counted = {0}, sampled = {0};
	char *text = wp_strndup((const char *)data, size < 4096 ? size : 4096);

	describe(&machine);
	struct wp_catalogue *catalogue = wp_catalogue_new(&machine, NULL);
	if (text[0] != '/' && text[0] != '.')
		wp_err_free(wp_catalogue_add_events(catalogue, text));
	wp_err_free(wp_event_parse_counting(catalogue, text, &counted));
	wp_err_free(wp_event_parse_sampling(catalogue, text, 0, &sampled));
	wp_event_set_deinit(&counted);
	wp_event_set_deinit(&sampled);
	wp_catalogue_free(catalogue);
	wp_machine_deinit(&machine);
	free(text);
	return 0;
}
