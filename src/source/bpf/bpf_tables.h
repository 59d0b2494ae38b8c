/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_tables: the unwind rules of modules as the BPF walker reads them.
 *
 * Source stage. A table that is dropped is still read until wp_bpf_tables_give(): by then nothing
 * that the program knows may name it.
 */
#ifndef WP_BPF_TABLES_H
#define WP_BPF_TABLES_H

#include "base/map.h"
#include "bpf/wire.h"
#include "source/bpf/bpf_chunks.h"

struct wp_bpf_table {
	uint32_t id;
	WP_VEC(struct wp_bpf_slice) rows;
	struct wp_bpf_slice buckets; /* none: it was dropped, or found no room */
	uint32_t shift;
	bool left_out;
};

struct wp_bpf_tables {
	struct wp_bpf_chunks rows, buckets;
	struct wp_map of_id; /* -> index in all + 1 */
	WP_VEC(struct wp_bpf_table) all;
	WP_VEC(struct wp_bpf_table) retired; /* read by the program until they are given back */
	size_t too_many; /* rules, which found no room since some was last given back; 0: none did
			  */
	size_t left_out; /* tables that could not be added and are not there */
};

void wp_bpf_tables_deinit(struct wp_bpf_tables *tables);
/*
 * The rules of a module, sorted by pc; copied. id is the caller's name for it, of which there is no
 * table. False when they are not in order or there is no room.
 */
bool wp_bpf_tables_add(struct wp_bpf_tables *tables, uint32_t id,
		       const struct wp_unwind_rule *rules, size_t n);
/* NULL when there is none; valid until the next one is added. */
const struct wp_bpf_table *wp_bpf_tables_find(const struct wp_bpf_tables *tables, uint32_t id);
/* False when there is none. */
bool wp_bpf_tables_drop(struct wp_bpf_tables *tables, uint32_t id);
/* Drops those whose id is no key of `used`; false when that are none. */
bool wp_bpf_tables_keep(struct wp_bpf_tables *tables, const struct wp_map *used);
/* Makes room of what was dropped. */
void wp_bpf_tables_give(struct wp_bpf_tables *tables);

#endif
