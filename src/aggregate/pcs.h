/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pcs: how often each instruction was hit; kept only where a report shows instructions or lines.
 *
 * Aggregate stage. In: samples with their symbol. Out: one entry per (event, symbol, rva).
 */
#ifndef WP_PCS_H
#define WP_PCS_H

#include "base/map.h"
#include "base/vec.h"
#include "core/addr.h"
#include "core/sink.h"

#include <stdint.h>

struct wp_pc {
	uint32_t event, symbol;
	struct wp_rva rva;
	struct wp_va va; /* where it was first seen; processes may differ */
	uint64_t samples;
	uint32_t next; /* the next entry with the same hash + 1, or 0 */
};

/* All-zero is empty. */
struct wp_pcs {
	struct wp_sink sink;
	struct wp_map by_hash;
	WP_VEC(struct wp_pc) pcs;
};

/* Takes samples from then on. */
struct wp_sink *wp_pcs_sink(struct wp_pcs *pcs);
/* An address in no module has the rva 0: those are told apart by their va. */
void wp_pcs_add(struct wp_pcs *pcs, uint32_t event, uint32_t symbol, struct wp_rva rva,
		struct wp_va va);
/* Sorts by event, then symbol, then samples (descending), then rva. Ends adding. */
void wp_pcs_sort(struct wp_pcs *pcs);
/* After the sorting: the entries of one event's symbol; *ret_n may be 0. */
const struct wp_pc *wp_pcs_of(const struct wp_pcs *pcs, uint32_t event, uint32_t symbol,
			      size_t *ret_n);
void wp_pcs_deinit(struct wp_pcs *pcs);

#endif
