/* SPDX-License-Identifier: BSD-3-Clause */
/* code_join: see code_join.h. */
#include "source/bpf/code_join.h"

#include "core/record_keep.h"

#include <string.h>

static struct wp_code_waiting *codes_waiting_of(struct wp_code_join *join, size_t ring)
{
	while (join->rings.n <= ring)
		wp_vec_push(&join->rings, (struct wp_code_waiting){0});
	return &join->rings.v[ring];
}

static void add_bytes(struct wp_code_waiting *waiting, const uint8_t *bytes, size_t n)
{
	while (waiting->lines.cap - waiting->lines.n < n)
		waiting->lines.v =
			wp_vec_grow_(waiting->lines.v, waiting->lines.cap, &waiting->lines.cap, 1);
	if (n)
		memcpy(waiting->lines.v + waiting->lines.n, bytes, n);
	waiting->lines.n += n;
}

static bool has_pieces(const struct wp_record_code *code)
{
	return code->lines_captured && code->lines_captured < code->lines_len &&
	       code->lines_len <= WP_WALK_TABLE_MAX;
}

void wp_code_join_code(struct wp_code_join *join, size_t ring, const struct wp_record *record)
{
	struct wp_code_waiting *waiting = codes_waiting_of(join, ring);

	waiting->used = has_pieces(&record->code);
	if (!waiting->used)
		return;
	wp_arena_deinit(&waiting->texts);
	waiting->lines.n = 0;
	add_bytes(waiting, record->code.lines, record->code.lines_captured);
	waiting->record = *record;
	waiting->record.code.lines = NULL;
	waiting->record.code.lines_captured = 0;
	wp_record_keep(&waiting->texts, &waiting->record);
}

static bool is_next(const struct wp_code_waiting *waiting, const struct wp_bpf_lines *lines)
{
	const struct wp_record_code *code = &waiting->record.code;

	return waiting->used && waiting->record.pid == lines->pid && code->addr == lines->code &&
	       code->id == lines->id && code->generation == lines->generation &&
	       lines->from == waiting->lines.n && lines->n <= code->lines_len - waiting->lines.n;
}

const struct wp_record *wp_code_join_lines(struct wp_code_join *join, size_t ring,
					   const struct wp_bpf_lines *lines)
{
	struct wp_code_waiting *waiting = codes_waiting_of(join, ring);

	if (!is_next(waiting, lines)) {
		waiting->used = false;
		join->unused++;
		return NULL;
	}
	add_bytes(waiting, lines->bytes, lines->n);
	if (waiting->lines.n < waiting->record.code.lines_len)
		return NULL;
	waiting->used = false;
	waiting->record.code.lines = waiting->lines.v;
	waiting->record.code.lines_captured = (uint32_t)waiting->lines.n;
	join->joined++;
	return &waiting->record;
}

void wp_code_join_deinit(struct wp_code_join *join)
{
	wp_vec_each (struct wp_code_waiting, waiting, &join->rings) {
		wp_arena_deinit(&waiting->texts);
		wp_vec_deinit(&waiting->lines);
	}
	wp_vec_deinit(&join->rings);
}
