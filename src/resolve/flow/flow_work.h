/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * flow_work: a function's instructions as far as they were followed, and what leads to each.
 *
 * flow_value asks where an indirect jump leads, flow_table reads it, code_flow goes there.
 */
#ifndef WP_FLOW_WORK_H
#define WP_FLOW_WORK_H

#include "base/map.h"
#include "core/flow_graph.h"
#include "resolve/flow/flow_input.h"
#include "resolve/flow/flow_op.h"

#define WP_FLOW_NONE	    UINT32_MAX
#define WP_FLOW_BYTE_VALUES 256

struct wp_flow_work {
	const struct wp_code_flow_of *of;
	struct wp_flow_decoder *decoder;
	WP_VEC(struct wp_flow_op) ops; /* as they were found */
	uint32_t *op_at;	       /* by offset: index + 1 in ops */
	uint32_t *led_by;	       /* by offset: index + 1 in ways of one that leads there */
	uint8_t *is_taken;	       /* by offset: that byte is of an instruction, or a table */
	WP_VEC(struct wp_flow_way {
		uint32_t from; /* index in ops */
		uint32_t to;   /* offset */
		uint32_t next; /* one more that leads there: index + 1 */
		enum wp_edge_kind kind;
	}) ways;
	WP_VEC(uint32_t) todo;	   /* offsets that something leads to */
	WP_VEC(uint32_t) indirect; /* indexes of indirect jumps, as they were found */
	uint8_t *sweep;		   /* by offset: bits of WP_SWEEP_; NULL: nobody has asked yet */
	struct wp_map begins;	   /* of tables that are known */
	uint32_t tables, guessed, data_bytes;
	size_t entries; /* of all tables */
	bool cut;

	/* flow_value's: */
	WP_VEC(uint32_t) stamps; /* by op: the last search that met it */
	WP_VEC(uint32_t) stack;
	uint32_t search;
	uint64_t steps; /* of all searches */
};

/* Where an indirect jump leads. */
struct wp_flow_target {
	enum {
		WP_TARGET_NOT_KNOWN,
		WP_TARGET_POINTER, /* what is loaded from one place, or was given to the function */
		WP_TARGET_TABLE,
	} kind;
	/* The entry number i is `width` bytes at table + (i << stride), and leads to
	 * plus + (entry << shift), or is the address itself when there is no plus. */
	uint64_t table, plus;
	bool has_plus, is_signed;
	uint8_t stride, width, shift;
	uint64_t n;   /* entries at most */
	bool guessed; /* nothing compares: the index is a byte (n is 256), or may be anything */
	/* i is a byte of another table, at index_table + j, of which there are that many; or 0. */
	uint64_t index_table, n_index;
};

/* of the INDIRECT op of that index */
struct wp_flow_target wp_flow_value(struct wp_flow_work *work, uint32_t op);
/* Reads the table and adds ways to where it leads; false when it makes no sense. */
bool wp_flow_table(struct wp_flow_work *work, uint32_t op, const struct wp_flow_target *target);
/*
 * Bits of an offset, of a reading from the first byte to the last: an instruction begins there; and
 * something leads to it, or what stands before does not go on.
 */
#define WP_SWEEP_BEGINS 1u
#define WP_SWEEP_LED_TO 2u
uint8_t wp_flow_sweep_at(struct wp_flow_work *work, uint64_t offset);
/* Something leads from an op to an offset. */
void wp_flow_work_lead(struct wp_flow_work *work, uint32_t from, uint32_t to,
		       enum wp_edge_kind kind);

#endif
