/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * event_parse: the words behind -e and -m to events that a source can open.
 *
 * Grammar and messages are WindowsPerf's (docs/events.md); names are looked up in, in this order:
 * extra events (-E), the CPU PMU's sysfs folder, the CPU's table (cpu.h), generic hardware, cache
 * and software events, tracepoints, other PMUs, libpfm4 (on the computer itself).
 */
#ifndef WP_EVENT_PARSE_H
#define WP_EVENT_PARSE_H

#include "base/err.h"
#include "base/log.h"
#include "core/event.h"
#include "core/machine.h"

/* What names mean in this run: made once, filled by -E and -C, then used for -e and -m. */
struct wp_catalogue;

struct wp_catalogue *wp_catalogue_new(const struct wp_machine *machine, const struct wp_log *log);
void wp_catalogue_free(struct wp_catalogue *catalogue);
/* --dmc: only that memory controller is counted. */
#define WP_DMC_ALL 255
void wp_catalogue_choose_dmc(struct wp_catalogue *catalogue, uint64_t dmc);
/* -E: `name:hex,...`, or a file of such lines. */
struct wp_err *wp_catalogue_add_events(struct wp_catalogue *catalogue,
				       const char *file_or_text) WP_MUST_CHECK;
/* -C: a file of `name:{ev,ev},ev` lines. A bad line warns and ends the file; lines before it are
 * kept. */
struct wp_err *wp_catalogue_add_metrics(struct wp_catalogue *catalogue,
					const char *file) WP_MUST_CHECK;

/*
 * --event-data: a file of Arm's telemetry data, or a folder of them (and folders below it). What it
 * says of this machine's CPU takes the built-in table's place. Files of other things are passed
 * over; broken ones are warned of. Before -E and -C.
 */
struct wp_err *wp_catalogue_add_data(struct wp_catalogue *catalogue,
				     const char *file_or_folder) WP_MUST_CHECK;

/* -e of stat and test: appends to ret. */
struct wp_err *wp_event_parse_counting(const struct wp_catalogue *catalogue, const char *list,
				       struct wp_event_set *ret) WP_MUST_CHECK;
/*
 * What stat counts when nothing is named: a clock (of the `cpus`, else of the processes), context
 * switches, migrations, page faults, cycles, instructions, branches and branch misses. What this
 * user or machine cannot count is in the set as WP_EVENT_REFUSED; who may not count the kernel
 * counts user mode (:u).
 */
struct wp_err *wp_event_default_counting(const struct wp_catalogue *catalogue, bool cpus,
					 struct wp_event_set *ret) WP_MUST_CHECK;
/* Notes what of that is refused, and the remedy. */
void wp_event_note_refused(const struct wp_catalogue *catalogue, const struct wp_event_set *set);
/* True when this user may count inside the kernel. */
bool wp_event_may_count_kernel(const struct wp_machine *machine);
/* -m: appends the events of the named metrics to ret. */
struct wp_err *wp_event_parse_metrics(const struct wp_catalogue *catalogue, const char *list,
				      struct wp_event_set *ret) WP_MUST_CHECK;
/*
 * -e of sample and record: `event[:interval]`, comma separated. freq_hz, unless 0, replaces the
 * default interval. Without an interval or frequency: 0x4000000 for what WindowsPerf knows (CPU
 * events), 999 a second for clocks, and every single one for software events, tracepoints and
 * breakpoints.
 */
struct wp_err *wp_event_parse_sampling(const struct wp_catalogue *catalogue, const char *list,
				       uint64_t freq_hz, struct wp_event_set *ret) WP_MUST_CHECK;
/*
 * The default event of sample and record: the CPU's cycles (interval 0x8000000), or cpu-clock where
 * there is no hardware PMU, which is said in one note.
 */
struct wp_err *wp_event_default_sampling(const struct wp_catalogue *catalogue, uint64_t freq_hz,
					 struct wp_event_set *ret) WP_MUST_CHECK;
/*
 * Puts the fixed cycle counter in front of a counting set when the machine has a hardware PMU and
 * the set has core hardware events or nothing is refused by it; notes its absence otherwise.
 */
void wp_event_add_fixed(const struct wp_catalogue *catalogue, struct wp_event_set *set);

#endif
