/*
 * replay: records from a text script, so that every layout can be tested without a PMU, a privilege
 * or a clock.
 *
 * The script also describes the machine, the processes and the symbols (docs/replay.md has the
 * grammar).
 */
#ifndef WP_REPLAY_H
#define WP_REPLAY_H

#include "core/event.h"
#include "core/machine.h"
#include "core/source.h"
#include "core/symbol.h"

#include <sys/types.h>

struct wp_replay;

/* One `symbol` line: the symbol table of a module that exists only in the script. */
struct wp_replay_symbol {
	const char *path; /* of the module, as in `map` lines; "[kernel]" for the kernel */
	struct wp_rva start;
	uint64_t size;
	const char *name;
};

/* Reads and checks a script; errors name file and line. The caller frees, after closing its source.
 */
struct wp_err *wp_replay_load(const char *path, struct wp_replay **ret) WP_MUST_CHECK;
void wp_replay_free(struct wp_replay *replay);

/* The machine that the script describes; borrowed. */
const struct wp_machine *wp_replay_machine(const struct wp_replay *replay);
/* The pid of the script's process with that executable base name, or -1. */
pid_t wp_replay_find(const struct wp_replay *replay, const char *image_name);
/* Borrowed. */
const struct wp_replay_symbol *wp_replay_symbols(const struct wp_replay *replay, size_t *ret_n);
/*
 * A source over the script's records: events in the script are matched by name with those of the
 * set. Events of the set that the script does not mention get count 0, never scheduled. The time is
 * the script's.
 */
struct wp_err *wp_replay_open(struct wp_replay *replay, const struct wp_event_set *events,
			      struct wp_source **ret) WP_MUST_CHECK;

#endif
