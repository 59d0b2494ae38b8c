/* SPDX-License-Identifier: BSD-3-Clause */
/* csv_text: see csv_text.h. */
#include "view/csv_text.h"

#include "base/str.h"
#include "base/utf8.h"

#include <string.h>

/* A spreadsheet takes a text that begins so for a formula, unless a quote mark is before it. */
static bool starts_formula(const char *text)
{
	return *text && strchr("=+-@", *text) && text[1];
}

/* As it is, or quoted (RFC 4180) when it would break the line. */
static void put_csv_field(struct wp_writer *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		wp_writer_puts(out, text);
		return;
	}
	wp_writer_puts(out, "\"");
	for (const char *c = text; *c; c++) {
		if (*c == '"')
			wp_writer_puts(out, "\"");
		wp_writer_put(out, c, 1);
	}
	wp_writer_puts(out, "\"");
}

/* Names of strangers reach terminals and spreadsheets. */
void wp_csv_text_put(struct wp_writer *out, const char *text)
{
	wp_autofree char *plain = wp_asprintf("%s%s", starts_formula(text) ? "'" : "", text);

	wp_utf8_hide_controls(plain, "\n\t");
	put_csv_field(out, plain);
}
