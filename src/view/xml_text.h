/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * xml_text: any text as character data or an attribute's value of an XML document (XML 1.0).
 *
 * View stage. Bytes that are not UTF-8, and characters that XML has no place for, become U+FFFD.
 */
#ifndef WP_XML_TEXT_H
#define WP_XML_TEXT_H

#include "base/writer.h"

#include <stddef.h>

/* At most `columns` of the text, counted as wp_xml_columns() does. */
void wp_xml_text(struct wp_writer *out, const char *text, size_t columns);
/* Columns of the text in a font of fixed width (wp_utf8_columns). */
size_t wp_xml_columns(const char *text);

#endif
