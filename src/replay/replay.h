/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay: records from a text script, so that every layout can be tested without a PMU, a privilege
 * or a clock.
 *
 * The script also describes the machine, the processes and the symbols (docs/replay.md has the
 * grammar). Time is the script's: `wait` lines make it pass, ops->elapsed_ns says how much has, and
 * ops->next never sleeps. So a session must ask elapsed_ns, not the clock, whether time is up.
 */
#ifndef WP_REPLAY_H
#define WP_REPLAY_H

#include "core/event.h"
#include "core/machine.h"
#include "core/source.h"
#include "core/target.h"
#include "format/replay/replay_script.h"

#include <sys/types.h>

struct wp_replay;

/* Reads and checks a script; errors name file and line. The caller frees, after closing its source.
 */
struct wp_err *wp_replay_load(const char *path, struct wp_replay **ret) WP_MUST_CHECK;
void wp_replay_free(struct wp_replay *replay);

/* The machine that the script describes; borrowed. */
const struct wp_machine *wp_replay_machine(const struct wp_replay *replay);
/* All below are borrowed, in the script's order. */
const struct wp_replay_process *wp_replay_processes(const struct wp_replay *replay, size_t *ret_n);
const struct wp_replay_symbol *wp_replay_symbols(const struct wp_replay *replay, size_t *ret_n);
const struct wp_replay_line *wp_replay_lines(const struct wp_replay *replay, size_t *ret_n);
const struct wp_replay_code *wp_replay_codes(const struct wp_replay *replay, size_t *ret_n);
const struct wp_replay_python *wp_replay_pythons(const struct wp_replay *replay, size_t *ret_n);
/* The text of a source line; NULL when the script has none. */
const char *wp_replay_pytext(const struct wp_replay *replay, const char *file, uint32_t line);
/*
 * What /proc says before the recording begins: COMM and MAP records of the `process` and `map`
 * lines in front of the first other record. The source does not deliver them again.
 */
const struct wp_record *wp_replay_snapshot(const struct wp_replay *replay, size_t *ret_n);
/* The status of the launched process's `exit` line, or 0. */
int wp_replay_exit_status(const struct wp_replay *replay);
/* The CPU time of the launched process; false when the line does not say it. */
bool wp_replay_cpu_times(const struct wp_replay *replay, uint64_t *ret_user_ns,
			 uint64_t *ret_system_ns);

/*
 * A source over the script's records: events in the script are matched by name with those of the
 * set. Events of the set that the script does not mention get count 0, never scheduled (running_ns
 * 0). Each start...stop takes one block of the script.
 */
struct wp_err *wp_replay_open(struct wp_replay *replay, const struct wp_event_set *events,
			      struct wp_source **ret) WP_MUST_CHECK;
/*
 * Limits an opened source to what the target would let a kernel deliver: samples of its processes
 * (and what they fork) and CPUs, counts of its CPUs, kernel samples only with `kernel`. Borrowed.
 */
void wp_replay_watch(struct wp_source *source, const struct wp_target *target);

#endif
