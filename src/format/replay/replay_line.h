/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * replay_line: one line of a replay script to words and typed values.
 *
 * Format stage, pure; the lexical half of replay_script. A line is a directive and `key=value`
 * words; which keys a directive takes is a table of replay_script.c.
 */
#ifndef WP_REPLAY_LINE_H
#define WP_REPLAY_LINE_H

#include "base/arena.h"
#include "base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum wp_replay_type {
	WP_REPLAY_STR,
	WP_REPLAY_U32, /* decimal or 0x, also as the types below */
	WP_REPLAY_U64,
	WP_REPLAY_I64,
	WP_REPLAY_BOOL, /* yes, no; a bare key means yes */
	WP_REPLAY_CPUS, /* struct wp_cpuset; "0,2-3", replaced by each mention */
	WP_REPLAY_NS,	/* decimal seconds, at most 9 places, into uint64 nanoseconds */
};

struct wp_replay_key {
	const char *name;
	enum wp_replay_type type;
	size_t offset; /* in the struct that is filled */
};

/*
 * Cuts the next word from *rest in place: blanks end it, except between double quotes; `\"` and
 * `\\` are understood inside those. NULL at the end of the line or at a `#` that begins a word.
 * An unclosed quote ends with the line.
 */
char *wp_replay_word(char **rest);

/*
 * Stores a word `key=value` in the struct at `base`; sets the bit of its key's index in *given.
 * Strings go to the arena. Errors have no position yet.
 */
struct wp_err *wp_replay_assign(char *word, const struct wp_replay_key *keys, size_t n_keys,
				void *base, struct wp_arena *arena, uint64_t *given) WP_MUST_CHECK;
/* Hexadecimal digits, of the key with that name, in the arena. */
struct wp_err *wp_replay_bytes(const char *text, const char *key, struct wp_arena *arena,
			       const uint8_t **ret, size_t *ret_n) WP_MUST_CHECK;

#endif
