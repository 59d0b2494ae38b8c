/* SPDX-License-Identifier: BSD-3-Clause */
/* refusal: the error for a word that means nothing: what it may have been meant to be. */
#ifndef CLI_REFUSAL_H
#define CLI_REFUSAL_H

#include "opt.h"

/* Where the verb is expected. */
struct wp_err *refuse_verb(const struct opt_tables *tables, const char *word) WP_MUST_CHECK;
/* Behind the verb. is_verb: it is the name of a verb, too. */
struct wp_err *refuse_word(const struct opt_tables *tables, const struct verb *verb, bool is_verb,
			   const char *word) WP_MUST_CHECK;

#endif
