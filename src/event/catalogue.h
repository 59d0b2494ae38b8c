/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * catalogue: what names mean in one run, as the files of this folder see it: the machine, the extra
 * events of -E, the metrics, built in, of the CPU and of -C. Everything else is looked up where it
 * stands (event_lookup.h). What is known of the machine's CPU and of all others hangs here (cpu.h).
 */
#ifndef WP_CATALOGUE_H
#define WP_CATALOGUE_H

#include "event/cpu.h"
#include "event/event_parse.h"

/* One `name:hex` of -E. */
struct wp_extra_event {
	const char *name; /* lower case, without its class prefix */
	enum wp_event_class class;
	uint64_t config;
};

struct wp_metric {
	const char *name;
	const char *events;		    /* in the grammar of -e */
	const char *text;		    /* what it tells in one sentence, or NULL (from -C) */
	const struct wp_cpu_metric *of_cpu; /* its formula and unit, or NULL: only events */
};

struct wp_catalogue {
	const struct wp_machine *machine;
	const struct wp_log *log;
	struct wp_arena arena;
	WP_VEC(struct wp_extra_event) extra;
	WP_VEC(struct wp_metric) metrics; /* sorted by name */
	/* This machine's, and with it the groups of metrics; NULL when it is not known. */
	const struct wp_cpu *cpu;
	uint64_t dmc; /* the only memory controller to be counted, or WP_DMC_ALL */
	WP_VEC(const struct wp_cpu *) loaded; /* from --event-data; they hide built-in ones */
};

/* True when the machine is the computer this runs on, not a script's or a folder of files. */
bool wp_catalogue_is_host(const struct wp_catalogue *catalogue);
/* By name or alias, of --event-data or built in; NULL when there is none. */
const struct wp_cpu *wp_catalogue_cpu(const struct wp_catalogue *catalogue, const char *name);

/* By exact name; NULL when there is none. */
const struct wp_metric *wp_catalogue_metric(const struct wp_catalogue *catalogue, const char *name);
/* Adds a metric or replaces the one of that name; all strings are copied. */
void wp_catalogue_put_metric(struct wp_catalogue *catalogue, const struct wp_metric *metric);
/* The extra event of that name (or, name NULL, of that config), or NULL. */
const struct wp_extra_event *wp_catalogue_extra(const struct wp_catalogue *catalogue,
						enum wp_event_class class, const char *name,
						uint64_t config);
/*
 * Makes that the machine's CPU: its metrics take the place of another CPU's. NULL: none. It must
 * outlive the catalogue.
 */
void wp_catalogue_use_cpu(struct wp_catalogue *catalogue, const struct wp_cpu *cpu);

#endif
