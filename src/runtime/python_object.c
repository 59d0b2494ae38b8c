/* SPDX-License-Identifier: BSD-3-Clause */
/* python_object: see python_object.h. */
#include "runtime/python_object.h"

#include "base/bytes.h"

#define HEAD_MAX 128 /* bytes of a str in front of its characters */

bool wp_python_object_bytes(struct wp_python_objects *o, uint64_t addr, void *ret, size_t n)
{
	if (!o->left)
		return false;
	o->left--;
	return o->memory->read(o->memory->arg, addr, ret, n);
}

uint64_t wp_python_object_word(struct wp_python_objects *o, uint64_t addr)
{
	uint8_t bytes[8];

	return wp_python_object_bytes(o, addr, bytes, sizeof(bytes)) ? wp_u64_at(bytes) : 0;
}

bool wp_python_object_part(struct wp_python_objects *o, uint64_t object, uint32_t at, void *ret,
			   size_t n)
{
	return object && wp_python_object_bytes(o, object + o->plan->object_type + at, ret, n);
}

uint64_t wp_python_object_field(struct wp_python_objects *o, uint64_t object, uint32_t at)
{
	uint8_t bytes[8];

	return wp_python_object_part(o, object, at, bytes, sizeof(bytes)) ? wp_u64_at(bytes) : 0;
}

bool wp_python_object_text(struct wp_python_objects *o, uint64_t str, struct wp_code_text *ret,
			   uint64_t *ret_data)
{
	const struct wp_python_plan *plan = o->plan;
	uint8_t head[HEAD_MAX];
	uint64_t length;
	uint32_t state;

	if (plan->flags & WP_PYTHON_BYTES_NAMES) {
		length = wp_python_object_word(o, str + plan->bytes_size);
		*ret = (struct wp_code_text){.width = 1, .length = (uint32_t)length};
		*ret_data = str + plan->bytes_data;
		return length <= UINT32_MAX;
	}
	if (plan->str_state + 4 > HEAD_MAX || plan->str_length + 8 > plan->str_state ||
	    !wp_python_object_bytes(o, str, head, plan->str_state + 4u))
		return false;
	state = wp_u32_at(head + plan->str_state);
	length = wp_u64_at(head + plan->str_length);
	*ret = (struct wp_code_text){.width = state >> plan->str_kind_shift & 7,
				     .length = (uint32_t)length};
	*ret_data =
		str + (state >> plan->str_ascii_shift & 1 ? plan->str_ascii : plan->str_compact);
	return length <= UINT32_MAX && state >> plan->str_compact_shift & 1;
}
