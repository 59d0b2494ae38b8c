/* SPDX-License-Identifier: BSD-3-Clause */
/* option_fields: what an option does to struct wp_session_options, in a word; private to
 * options*.c. */
#ifndef CLI_OPTION_FIELDS_H
#define CLI_OPTION_FIELDS_H

#include "opt.h"

#define AT(field)		   .at = offsetof(struct wp_session_options, field)
#define FLAG(field)		   .kind = OPT_KIND_FLAG, AT(field)
#define TEXT(field)		   .kind = OPT_KIND_TEXT, AT(field)
#define LIST(field)		   .kind = OPT_KIND_LIST, AT(field)
#define NUMBER(field, least, most) .kind = OPT_KIND_NUMBER, AT(field), .min = least, .max = most
#define CHOICE(field, value)	   .kind = OPT_KIND_CHOICE, AT(field), .means = value
#define BITS(field, bits)	   .kind = OPT_KIND_BITS, AT(field), .means = bits
#define DURATION(field)		   .kind = OPT_KIND_DURATION, AT(field)

#endif
