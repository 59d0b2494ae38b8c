/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_layout: see python_layout.h.
 *
 * Sources, per version: Include/frameobject.h (cpython/frameobject.h), Include/code.h
 * (cpython/code.h), Include/pystate.h (cpython/pystate.h), Include/unicodeobject.h
 * (cpython/unicodeobject.h), Include/internal/pycore_{runtime,interp,gil,frame}.h; 2.7:
 * Include/{frame,string}object.h. tests/live/test_python_build.sh holds every number against the
 * debug information and the headers of the interpreters that are installed.
 */
#include "runtime/python_layout.h"

#include "base/mem.h"

#include <stddef.h>

#define LONGER_HEAD 16

/* Where final versions begin and end: 0xMMmmppLS, the level L being 0xa, 0xb, 0xc or 0xf. */
#define FROM(major, minor, patch) ((major) << 24 | (minor) << 16 | (patch) << 8 | 0xc0)
#define TO(major, minor, patch)	  ((major) << 24 | (minor) << 16 | (patch) << 8 | 0xff)

/* PyASCIIObject and PyCompactUnicodeObject; from 3.12 on without wstr. */
#define STRINGS(ascii, compact)                                                              \
	.str_length = 16, .str_state = 32, .str_ascii = (ascii), .str_compact = (compact),   \
	.str_kind_shift = 2, .str_compact_shift = 5, .str_ascii_shift = 6, .bytes_size = 16, \
	.bytes_data = 32, .object_type = 8

static const struct wp_python_layout layouts[] = {
	{
		.from = FROM(2u, 7u, 0u),
		.to = TO(2u, 7u, 255u),
		.lines = WP_PYTHON_LNOTAB_UNSIGNED,
		.code_basic = 128,
		.code_code = 32,
		.dicts = {WP_PYTHON_DICTS_OPEN, 16, 0},
		.plan = {
			.flags = WP_PYTHON_FRAME_OBJECTS | WP_PYTHON_BYTES_NAMES |
				 WP_PYTHON_TLS_KEY_INT,
			.interp_next = 0,
			.interp_threads = 8,
			.ts_next = 0,
			.ts_interp = 8,
			.ts_frame = 16,
			.ts_thread_id = 144,
			.frame_previous = 24,
			.frame_code = 32,
			.frame_instr = 120,
			.code_filename = 80,
			.code_name = 88,
			.code_first_line = 96,
			.code_lines = 104,
			.code_bytes = 112,
			.bytes_size = 16,
			.bytes_data = 36,
			.object_type = 8,
		},
	},
	{
		.from = FROM(3u, 6u, 0u),
		.to = TO(3u, 6u, 255u),
		.lines = WP_PYTHON_LNOTAB_SIGNED,
		.code_basic = 144,
		.code_code = 40,
		.dicts = {WP_PYTHON_DICTS_INDEXED, 16, 0},
		.plan = {
			STRINGS(48, 72),
			.flags = WP_PYTHON_FRAME_OBJECTS | WP_PYTHON_TLS_KEY_INT,
			.interp_next = 0,
			.interp_threads = 8,
			.ts_next = 8,
			.ts_interp = 16,
			.ts_frame = 24,
			.ts_thread_id = 152,
			.frame_previous = 24,
			.frame_code = 32,
			.frame_instr = 120,
			.code_first_line = 36,
			.code_filename = 96,
			.code_name = 104,
			.code_lines = 112,
			.code_bytes = 120,
		},
	},
	{
		.from = FROM(3u, 7u, 0u),
		.to = TO(3u, 7u, 3u),
		.lines = WP_PYTHON_LNOTAB_SIGNED,
		.code_basic = 144,
		.code_code = 40,
		.runtime_interpreters = 24,
		.runtime_current = 1392,
		.runtime_key = 1420,
		.aarch64_shift = 16,
		.dicts = {WP_PYTHON_DICTS_INDEXED, 40, 0},
		.plan = {
			STRINGS(48, 72),
			.flags = WP_PYTHON_FRAME_OBJECTS,
			.interp_next = 0,
			.interp_threads = 8,
			.ts_next = 8,
			.ts_interp = 16,
			.ts_frame = 24,
			.ts_thread_id = 176,
			.frame_previous = 24,
			.frame_code = 32,
			.frame_instr = 104,
			.code_first_line = 36,
			.code_filename = 96,
			.code_name = 104,
			.code_lines = 112,
			.code_bytes = 120,
		},
	},
	{
		.from = FROM(3u, 7u, 4u),
		.to = TO(3u, 7u, 255u),
		.lines = WP_PYTHON_LNOTAB_SIGNED,
		.code_basic = 144,
		.code_code = 40,
		.runtime_interpreters = 24,
		.runtime_current = 1480,
		.runtime_key = 1508,
		.aarch64_shift = 16,
		.dicts = {WP_PYTHON_DICTS_INDEXED, 40, 0},
		.plan = {
			STRINGS(48, 72),
			.flags = WP_PYTHON_FRAME_OBJECTS,
			.interp_next = 0,
			.interp_threads = 8,
			.ts_next = 8,
			.ts_interp = 16,
			.ts_frame = 24,
			.ts_thread_id = 176,
			.frame_previous = 24,
			.frame_code = 32,
			.frame_instr = 104,
			.code_first_line = 36,
			.code_filename = 96,
			.code_name = 104,
			.code_lines = 112,
			.code_bytes = 120,
		},
	},
	{
		.from = FROM(3u, 8u, 0u),
		.to = TO(3u, 8u, 255u),
		.lines = WP_PYTHON_LNOTAB_SIGNED,
		.code_basic = 176,
		.code_code = 48,
		.runtime_interpreters = 32,
		.runtime_current = 1368,
		.runtime_key = 1396,
		.aarch64_shift = 16,
		.dicts = {WP_PYTHON_DICTS_INDEXED, 56, 0},
		.plan = {
			STRINGS(48, 72),
			.flags = WP_PYTHON_FRAME_OBJECTS,
			.interp_next = 0,
			.interp_threads = 8,
			.ts_next = 8,
			.ts_interp = 16,
			.ts_frame = 24,
			.ts_thread_id = 176,
			.frame_previous = 24,
			.frame_code = 32,
			.frame_instr = 104,
			.code_first_line = 40,
			.code_filename = 104,
			.code_name = 112,
			.code_lines = 120,
			.code_bytes = 128,
		},
	},
	{
		.from = FROM(3u, 9u, 0u),
		.to = TO(3u, 9u, 255u),
		.lines = WP_PYTHON_LNOTAB_SIGNED,
		.code_basic = 176,
		.code_code = 48,
		.runtime_interpreters = 32,
		.runtime_current = 568,
		.runtime_key = 588,
		.aarch64_shift = 16,
		.dicts = {WP_PYTHON_DICTS_INDEXED, 856, 0},
		.plan = {
			STRINGS(48, 72),
			.flags = WP_PYTHON_FRAME_OBJECTS,
			.interp_next = 0,
			.interp_threads = 8,
			.ts_next = 8,
			.ts_interp = 16,
			.ts_frame = 24,
			.ts_thread_id = 176,
			.frame_previous = 24,
			.frame_code = 32,
			.frame_instr = 104,
			.code_first_line = 40,
			.code_filename = 104,
			.code_name = 112,
			.code_lines = 120,
			.code_bytes = 128,
		},
	},
	{
		.from = FROM(3u, 10u, 0u),
		.to = TO(3u, 10u, 255u),
		.lines = WP_PYTHON_LINETABLE,
		.code_basic = 176,
		.code_code = 48,
		.runtime_interpreters = 32,
		.runtime_current = 568,
		.runtime_key = 588,
		.aarch64_shift = 16,
		.dicts = {WP_PYTHON_DICTS_INDEXED, 856, 0},
		.plan = {
			STRINGS(48, 72),
			.flags = WP_PYTHON_FRAME_OBJECTS | WP_PYTHON_LASTI_UNITS,
			.interp_next = 0,
			.interp_threads = 8,
			.ts_next = 8,
			.ts_interp = 16,
			.ts_frame = 24,
			.ts_thread_id = 176,
			.frame_previous = 24,
			.frame_code = 32,
			.frame_instr = 96,
			.code_first_line = 40,
			.code_filename = 104,
			.code_name = 112,
			.code_lines = 120,
			.code_bytes = 128,
		},
	},
	{
		.from = FROM(3u, 11u, 0u),
		.to = TO(3u, 11u, 255u),
		.lines = WP_PYTHON_LOCATIONS,
		.code_basic = 184,
		.eval_prologue = 128,
		.runtime_interpreters = 40,
		.runtime_current = 576,
		.runtime_key = 596,
		.aarch64_shift = 16,
		.dicts = {WP_PYTHON_DICTS_VALUES, 888, 864},
		.plan = {
			STRINGS(48, 72),
			.flags = WP_PYTHON_CFRAME | WP_PYTHON_IS_ENTRY | WP_PYTHON_INSTR_POINTER,
			.interp_next = 0,
			.interp_threads = 16,
			.ts_next = 8,
			.ts_interp = 16,
			.ts_frame = 56,
			.ts_thread_id = 152,
			.cframe_current = 8,
			.cframe_previous = 16,
			.frame_code = 32,
			.frame_previous = 48,
			.frame_instr = 56,
			.frame_is_entry = 68,
			.frame_owner = 69,
			.code_first_line = 72,
			.code_filename = 112,
			.code_name = 120,
			.code_qualname = 128,
			.code_lines = 136,
			.code_first_instr = 184,
			.code_bytes = 144,
		},
	},
	{
		.from = FROM(3u, 12u, 0u),
		.to = TO(3u, 12u, 255u),
		.lines = WP_PYTHON_LOCATIONS,
		.code_basic = 192,
		.eval_prologue = 192,
		.runtime_interpreters = 40,
		.runtime_key = 1548,
		.dicts = {WP_PYTHON_DICTS_TAGGED, 944, 872},
		.plan = {
			STRINGS(40, 56),
			.flags = WP_PYTHON_CFRAME | WP_PYTHON_ENTRY_FRAMES |
				 WP_PYTHON_INSTR_POINTER,
			.interp_next = 0,
			.interp_threads = 72,
			.interp_gil = 384,
			.gil_holder = 8,
			.gil_locked = 16,
			.ts_next = 8,
			.ts_interp = 16,
			.ts_frame = 56,
			.ts_thread_id = 136,
			.cframe_current = 0,
			.cframe_previous = 8,
			.frame_code = 0,
			.frame_previous = 8,
			.frame_instr = 56,
			.frame_owner = 70,
			.code_first_line = 68,
			.code_version = 92,
			.code_filename = 112,
			.code_name = 120,
			.code_qualname = 128,
			.code_lines = 136,
			.code_first_instr = 192,
			.code_bytes = 144,
		},
	},
};

const struct wp_python_layout *wp_python_layout_of(uint32_t version)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(layouts); i++)
		if (version >= layouts[i].from && version <= layouts[i].to)
			return &layouts[i];
	return NULL;
}

static void move_offset(__u16 *offset)
{
	if (*offset)
		*offset += LONGER_HEAD;
}

void wp_python_layout_trace_refs(struct wp_python_plan *plan)
{
	if (plan->flags & WP_PYTHON_FRAME_OBJECTS) {
		move_offset(&plan->frame_previous);
		move_offset(&plan->frame_code);
		move_offset(&plan->frame_instr);
	}
	move_offset(&plan->object_type);
	move_offset(&plan->code_first_line);
	move_offset(&plan->code_version);
	move_offset(&plan->code_name);
	move_offset(&plan->code_qualname);
	move_offset(&plan->code_filename);
	move_offset(&plan->code_lines);
	move_offset(&plan->code_first_instr);
	move_offset(&plan->code_bytes);
	move_offset(&plan->str_length);
	move_offset(&plan->str_state);
	move_offset(&plan->str_ascii);
	move_offset(&plan->str_compact);
	move_offset(&plan->bytes_size);
	move_offset(&plan->bytes_data);
}
