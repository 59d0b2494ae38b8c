/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_fixture: a catalogue of events over a machine made by hand, the events a test parses with
 * it, and the last line it logged.
 */
#ifndef WP_EVENT_FIXTURE_H
#define WP_EVENT_FIXTURE_H

#include "check.h"

#include "event/event_parse.h"

struct event_fixture {
	struct wp_machine machine;
	struct wp_event_set set;
};

static char last_log[512];

static inline void keep(void *arg, enum wp_log_level level, const char *line)
{
	(void)arg, (void)level;
	snprintf(last_log, sizeof(last_log), "%s", line);
}

static const struct wp_log logger = {.sink = keep};

static inline void add_event(struct wp_machine *machine, const char *pmu, const char *name,
			     uint64_t config)
{
	wp_vec_push(&machine->events,
		    (struct wp_machine_event){.pmu = pmu, .name = name, .config = config});
}

static inline void add_pmu(struct wp_machine *machine, const char *name, uint32_t type, bool core)
{
	wp_vec_push(
		&machine->pmus,
		(struct wp_machine_pmu){.name = name, .dir = "", .type = type, .is_core = core});
}

/* Five counters and the cycle counter, all free. */
static inline void arm(struct wp_machine *machine)
{
	*machine = (struct wp_machine){
		.root = "/nonexistent",
		.arch = "aarch64",
		.midr = 0x413fd0c1,
		.has_hw_pmu = true,
		.gpc_total = 5,
		.gpc_free = 5,
		.fpc = 1,
	};
	add_pmu(machine, "armv8_pmuv3_0", 8, true);
	add_pmu(machine, "arm_dsu_0", 12, false);
	add_pmu(machine, "msr", 9, false);
	add_event(machine, "armv8_pmuv3_0", "cpu_cycles", 0x11);
	add_event(machine, "armv8_pmuv3_0", "inst_retired", 0x08);
	add_event(machine, "armv8_pmuv3_0", "inst_spec", 0x1b);
	add_event(machine, "armv8_pmuv3_0", "ld_spec", 0x70);
	add_event(machine, "armv8_pmuv3_0", "st_spec", 0x71);
	add_event(machine, "armv8_pmuv3_0", "vfp_spec", 0x75);
	add_event(machine, "armv8_pmuv3_0", "dp_spec", 0x73);
	add_event(machine, "arm_dsu_0", "l3d_cache", 0x2b);
	add_event(machine, "arm_dsu_0", "l3d_cache_refill", 0x2a);
	add_event(machine, "msr", "tsc", 0);
	add_event(machine, "tracepoint", "sched:sched_switch", 314);
}

static inline void no_pmu(struct wp_machine *machine)
{
	*machine = (struct wp_machine){
		.root = "/nonexistent",
		.arch = "x86_64",
		.hw_pmu_why = "this virtual machine has no virtual PMU",
	};
	add_pmu(machine, "software", 1, false);
	add_event(machine, "tracepoint", "sched:sched_switch", 314);
}

static inline struct wp_catalogue *fixture_arm(struct event_fixture *f)
{
	*f = (struct event_fixture){0};
	arm(&f->machine);
	return wp_catalogue_new(&f->machine, &logger);
}

static inline struct wp_catalogue *fixture_no_pmu(struct event_fixture *f)
{
	*f = (struct event_fixture){0};
	no_pmu(&f->machine);
	return wp_catalogue_new(&f->machine, &logger);
}

static inline void fixture_deinit(struct event_fixture *f, struct wp_catalogue *catalogue)
{
	wp_event_set_deinit(&f->set);
	wp_catalogue_free(catalogue);
	wp_machine_deinit(&f->machine);
}

/* One parsed list: its events as "name type:config [g]" words, or the error's text. */
static inline const char *parsed(struct wp_catalogue *catalogue, const char *list)
{
	static char text[1024];
	struct wp_event_set set = {0};
	struct wp_err *err = wp_event_parse_counting(catalogue, list, &set);
	size_t n = 0;

	text[0] = '\0';
	if (err)
		n += (size_t)snprintf(text, sizeof(text), "%s", err->text);
	else
		wp_vec_each (struct wp_event, event, &set.events) {
			n += (size_t)snprintf(text + n, sizeof(text) - n, "%s%s %u:%llx",
					      n ? "," : "", event->name, event->type,
					      (unsigned long long)event->config);
			if (event->group != WP_EVENT_NO_GROUP)
				n += (size_t)snprintf(text + n, sizeof(text) - n, " g%d",
						      event->group);
			if (event->core)
				n += (size_t)snprintf(text + n, sizeof(text) - n, " core %u",
						      event->core - 1);
		}
	wp_err_free(err);
	wp_event_set_deinit(&set);
	return text;
}

static inline void write_text(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	CHECK(file != NULL);
	if (file) {
		fputs(text, file);
		fclose(file);
	}
}

#endif
