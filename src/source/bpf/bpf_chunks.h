/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_chunks: memory that a BPF program reads, as slots in chunks made when they are needed.
 *
 * Source stage. Who makes a chunk's memory is the owner's business (a map, or in tests the heap).
 */
#ifndef WP_BPF_CHUNKS_H
#define WP_BPF_CHUNKS_H

#include "source/bpf/bpf_pool.h"

#include <stddef.h>

struct wp_bpf_chunks {
	struct wp_bpf_pool pool;
	size_t slot_bytes;
	/* Zeroed memory of chunk `index`, which it keeps and frees; NULL when there is none left.
	 */
	void *(*make)(void *arg, uint32_t index);
	void *arg;
	WP_VEC(uint8_t *) memory;
};

/* Takes n slots and makes the chunks that they lie in; false when there is no room. */
bool wp_bpf_chunks_take(struct wp_bpf_chunks *chunks, uint32_t n, struct wp_bpf_slice *ret);
void wp_bpf_chunks_give(struct wp_bpf_chunks *chunks, struct wp_bpf_slice slice);
/* Copies n slots to those from `first` on. */
void wp_bpf_chunks_write(struct wp_bpf_chunks *chunks, uint32_t first, const void *slots,
			 uint32_t n);
void wp_bpf_chunks_deinit(struct wp_bpf_chunks *chunks);

#endif
