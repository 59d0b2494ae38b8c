/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * choice: the few words that an option takes. Who has compared them all in vain asks it for the
 * error, so that all options refuse a wrong word alike: with all that they take, and the nearest.
 */
#ifndef WP_CHOICE_H
#define WP_CHOICE_H

#include "base/err.h"
#include "base/nearest.h"
#include "base/str.h"

struct wp_choice {
	struct wp_nearest nearest; /* to the word that was given, which is borrowed */
	struct wp_str all;
};

struct wp_choice wp_choice_of(const char *word);
void wp_choice_add(struct wp_choice *choice, const char *name);
/* "--color alway: want one of auto, always, never; nearest: always" */
struct wp_err *wp_choice_refuse(const struct wp_choice *choice, const char *option) WP_MUST_CHECK;
void wp_choice_deinit(struct wp_choice *choice);
#define wp_autochoice WP_CLEANUP(wp_choice_deinit)

#endif
