/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_lookup: one word of -e, without braces and interval, to an event. The order of the places
 * it is looked for is that of event_parse.h.
 */
#ifndef WP_EVENT_LOOKUP_H
#define WP_EVENT_LOOKUP_H

#include "event/catalogue.h"

/*
 * The next word of a comma list, cut out of it; NULL behind the last. Commas between the slashes of
 * `pmu/a=1,b=2/` do not separate. *rest must point into a string that may be changed.
 */
char *wp_event_word_next(char **rest);
/* A word of the list is empty: `a, b` has a space that ends it. */
struct wp_err *wp_event_word_empty(const char *list) WP_MUST_CHECK;
/* Skips a class prefix such as "/dsu/", any case; WP_EVENT_CORE when there is none. */
enum wp_event_class wp_event_class_skip(const char **word);
/*
 * What an event of sysfs is called within its class: Linux names both clock domains of a DMC-620
 * in one folder, "clkdiv2_rdwr" is "rdwr" of one of them. NULL: it is of another class.
 */
const char *wp_event_class_own(enum wp_event_class class, const char *sysfs_name);
/* "/dsu/" and so on; "" for core. */
const char *wp_event_class_prefix(enum wp_event_class class);

/*
 * Resolves `name[:modifiers]`, `rHEX`, a number, `subsystem:name`, `pmu/terms/[modifiers]`,
 * `mem:ADDR...` and probes (event_probe.h). The event is complete but for group, metric, period and
 * frequency; its name, as it is shown, is in arena. Errors: WP_ERR_NOT_FOUND for an unknown name
 * (with a suggestion), WP_ERR_UNSUPPORTED where the machine has no counter for it, WP_ERR_USAGE for
 * anything else.
 */
struct wp_err *wp_event_lookup(const struct wp_catalogue *catalogue, enum wp_event_class class,
			       const char *word, struct wp_arena *arena,
			       struct wp_event *ret) WP_MUST_CHECK;
/*
 * Parses a raw event's number (base 16 or 0). It must fit what the CPU's PMU can take: 16 bits on
 * Arm, 64 elsewhere. False when it is none.
 */
bool wp_event_raw_number(const struct wp_catalogue *catalogue, const char *text, int base,
			 uint64_t *ret);
/* The event that counts a raw number of a class; name is not set. */
struct wp_err *wp_event_raw(const struct wp_catalogue *catalogue, enum wp_event_class class,
			    uint64_t config, struct wp_event *ret) WP_MUST_CHECK;

/* The known name that is nearest to an unknown one, or NULL. The caller frees. */
char *wp_event_suggest(const struct wp_catalogue *catalogue, const char *word);
/* The name that -m knows and that is nearest to an unknown one, or NULL. The caller frees. */
char *wp_metric_suggest(const struct wp_catalogue *catalogue, const char *word);
/* The name of the CPU's events, metrics and groups that is nearest, or NULL. The caller frees. */
char *wp_cpu_suggest(const struct wp_cpu *cpu, const char *word);

/* The text of a file of events (-E) or metrics (-C), which the caller frees. */
struct wp_err *wp_event_config_read(const char *file, char **ret) WP_MUST_CHECK;

#endif
