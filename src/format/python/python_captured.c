/* SPDX-License-Identifier: BSD-3-Clause */
/* python_captured: see python_captured.h. */
#include "format/python/python_captured.h"

#include "core/python_text.h"

#include <string.h>

/* The text that comes next of what was captured. False: it claims more than there is. */
static bool read_captured_text(struct wp_bytes *b, const struct wp_python_captured_text *text,
			       struct wp_code_text *ret)
{
	if (text->bytes > WP_PYTHON_FILENAME_MASK ||
	    (text->width && text->bytes / text->width > text->length))
		return false;
	ret->width = text->width;
	ret->length = text->length < UINT32_MAX ? (uint32_t)text->length : UINT32_MAX;
	ret->n = text->width ? text->bytes : 0;
	ret->bytes = text->bytes ? wp_bytes_take(b, text->bytes) : NULL;
	return !b->failed && (text->width <= 2 || text->width == 4);
}

bool wp_python_captured_read(struct wp_bytes *b, struct wp_record_code *ret)
{
	const void *bytes = wp_bytes_take(b, sizeof(struct wp_python_captured_head));
	struct wp_python_captured_head head;
	struct wp_record_code code;

	if (!bytes)
		return false;
	memcpy(&head, bytes, sizeof(head));
	code = (struct wp_record_code){.addr = head.addr,
				       .id = head.id,
				       .generation = head.generation,
				       .first_line = head.first_line,
				       .lines_len = head.lines_len,
				       .lines_captured = head.lines_bytes};
	if (!read_captured_text(b, &head.name, &code.name) ||
	    !read_captured_text(b, &head.qualname, &code.qualname) ||
	    !read_captured_text(b, &head.filename, &code.filename) ||
	    head.lines_bytes > head.lines_len)
		return false;
	code.lines = head.lines_bytes ? wp_bytes_take(b, head.lines_bytes) : NULL;
	if (b->failed)
		return false;
	*ret = code;
	return true;
}
