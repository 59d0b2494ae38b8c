/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * complete: what may stand at the cursor of a command line: the answer to `wperf --list-words`,
 * which the completions of bash, zsh and fish ask (tools/completion).
 *
 * In come the words behind "wperf" up to the cursor, the last one unfinished or empty; out go whole
 * words that begin with it, one a line. What a shell knows better is a kind instead: "<data>"
 * (recordings first), "<file>", "<dir>", "<command>".
 */
#ifndef CLI_COMPLETE_H
#define CLI_COMPLETE_H

#include "opt.h"

/* The caller's words end with NULL. Nothing is printed where nothing is known. */
struct wp_err *complete_words(char **words, const struct opt_tables *tables,
			      struct wp_session_io *io) WP_MUST_CHECK;

#endif
