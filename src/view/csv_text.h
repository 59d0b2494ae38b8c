/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * csv_text: a text as a field of CSV: quoted where it would break the line (RFC 4180), without
 * control characters, and never a spreadsheet's formula.
 */
#ifndef WP_CSV_TEXT_H
#define WP_CSV_TEXT_H

#include "base/writer.h"

void wp_csv_text_put(struct wp_writer *out, const char *text);

#endif
