/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * kept_output: what a command writes while its terminal is somebody else's: the end of it is kept
 * in memory, to be shown later.
 *
 * Source stage. A thread reads a pipe all the time, so that the command never waits for us.
 */
#ifndef WP_KEPT_OUTPUT_H
#define WP_KEPT_OUTPUT_H

#include "base/err.h"
#include "base/str.h"

struct wp_kept_output;

struct wp_err *wp_kept_output_open(struct wp_kept_output **ret) WP_MUST_CHECK;
/* What the command is to write to. It is closed by what follows. */
int wp_kept_output_end(const struct wp_kept_output *output);
/* Everybody who is to write has it. */
void wp_kept_output_started(struct wp_kept_output *output);
/* Reads what is there, and ends: whole lines of it go to `end`; returns how many bytes came before
 * these. NULL is fine. */
uint64_t wp_kept_output_close(struct wp_kept_output *output, struct wp_str *end);

#endif
