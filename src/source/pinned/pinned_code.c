/* SPDX-License-Identifier: BSD-3-Clause */
/* pinned_code: see pinned_code.h. */
#include "source/pinned/pinned_code.h"

#include "base/bytes.h"

#include <string.h>

#define KIND_MASK 7 /* bytes per character, of an str's state: 1, 2, 4 */

/* Appends n bytes of the process's memory; false, and nothing appended, when they are not all
 * readable. */
static bool append(const struct wp_memory *memory, uint64_t addr, uint64_t n,
		   struct wp_pinned_bytes *data)
{
	while (data->v.cap - data->v.n < n)
		data->v.v = wp_vec_grow_(data->v.v, data->v.cap, &data->v.cap, 1);
	if (n && !memory->read(memory->arg, addr, data->v.v + data->v.n, n))
		return false;
	data->v.n += n;
	return true;
}

/* How many bytes of n characters fit. */
static uint32_t count_fitting_bytes(uint64_t n, uint32_t width, uint32_t limit)
{
	return (uint32_t)(n < limit / width ? n * width : limit / width * width);
}

static void capture_characters(const struct wp_memory *memory, uint64_t at, uint64_t length,
			       uint32_t width, struct wp_pinned_text *ret,
			       struct wp_pinned_bytes *data)
{
	uint32_t n = count_fitting_bytes(length, width, WP_PINNED_TEXT_MAX);

	if (length <= UINT32_MAX && append(memory, at, n, data))
		*ret = (struct wp_pinned_text){width, (uint32_t)length, n};
}

static bool read_code_word(const struct wp_memory *memory, uint64_t addr, uint64_t *ret)
{
	return memory->read(memory->arg, addr, ret, sizeof(*ret));
}

static void capture_bytes_name(const struct wp_memory *memory, const struct wp_python_plan *plan,
			       uint64_t addr, struct wp_pinned_text *ret,
			       struct wp_pinned_bytes *data)
{
	uint64_t length;

	if (read_code_word(memory, addr + plan->bytes_size, &length))
		capture_characters(memory, addr + plan->bytes_data, length, 1, ret, data);
}

/* An str of one of the compact forms, as all names are: its characters lie behind its head. */
static void capture_text(const struct wp_memory *memory, const struct wp_python_plan *plan,
			 uint64_t addr, struct wp_pinned_text *ret, struct wp_pinned_bytes *data)
{
	uint64_t length;
	uint32_t state, width;

	if (!addr)
		return;
	if (plan->flags & WP_PYTHON_BYTES_NAMES) {
		capture_bytes_name(memory, plan, addr, ret, data);
		return;
	}
	if (!read_code_word(memory, addr + plan->str_length, &length) ||
	    !memory->read(memory->arg, addr + plan->str_state, &state, sizeof(state)))
		return;
	width = state >> plan->str_kind_shift & KIND_MASK;
	if (!(state >> plan->str_compact_shift & 1) || (width != 1 && width != 2 && width != 4))
		return;
	addr += state >> plan->str_ascii_shift & 1 ? plan->str_ascii : plan->str_compact;
	capture_characters(memory, addr, length, width, ret, data);
}

static void capture_lines(const struct wp_memory *memory, const struct wp_python_plan *plan,
			  uint64_t addr, struct wp_pinned_code_head *ret,
			  struct wp_pinned_bytes *data)
{
	uint64_t length;
	uint32_t n;

	if (!addr || !read_code_word(memory, addr + plan->bytes_size, &length))
		return;
	n = count_fitting_bytes(length, 1, WP_PINNED_LINES_MAX);
	if (!append(memory, addr + plan->bytes_data, n, data))
		return;
	ret->lines_len = length;
	ret->lines_captured = n;
}

void wp_pinned_code_capture(const struct wp_memory *memory, const struct wp_python_plan *plan,
			    const struct wp_pinned_code *code, struct wp_pinned_code_head *ret,
			    struct wp_pinned_bytes *data)
{
	ret->addr = code->addr;
	ret->id = code->id;
	ret->generation = plan->generation;
	ret->first_line = code->first_line;
	capture_text(memory, plan, code->name, &ret->texts[0], data);
	capture_text(memory, plan, code->qualname, &ret->texts[1], data);
	capture_text(memory, plan, code->filename, &ret->texts[2], data);
	if (code->addr & WP_PYTHON_TASK_BIT)
		ret->lines_len = code->number;
	else
		capture_lines(memory, plan, code->lines, ret, data);
}

static void take_text(struct wp_bytes *b, const struct wp_pinned_text *text,
		      struct wp_code_text *ret)
{
	*ret = (struct wp_code_text){text->width, text->length, text->n, wp_bytes_take(b, text->n)};
}

bool wp_pinned_code_record(const void *message, size_t n, struct wp_record *ret)
{
	struct wp_bytes b = wp_bytes_of(message, n);
	const void *bytes = wp_bytes_take(&b, sizeof(struct wp_pinned_code_head));
	struct wp_record record = {.kind = WP_RECORD_CODE, .cpu = WP_ANY_CPU};
	struct wp_pinned_code_head head;

	if (!bytes)
		return false;
	memcpy(&head, bytes, sizeof(head));
	record.pid = head.pid;
	record.tid = head.tid;
	record.time_ns = head.time_ns;
	record.code.addr = head.addr;
	record.code.id = head.id;
	record.code.generation = head.generation;
	record.code.first_line = head.first_line;
	take_text(&b, &head.texts[0], &record.code.name);
	take_text(&b, &head.texts[1], &record.code.qualname);
	take_text(&b, &head.texts[2], &record.code.filename);
	record.code.lines_len = head.lines_len;
	record.code.lines_captured = head.lines_captured;
	record.code.lines = wp_bytes_take(&b, head.lines_captured);
	if (b.failed)
		return false;
	*ret = record;
	return true;
}
