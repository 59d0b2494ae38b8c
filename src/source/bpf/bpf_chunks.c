/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_chunks: see bpf_chunks.h. */
#include "source/bpf/bpf_chunks.h"

#include <string.h>

bool wp_bpf_chunks_take(struct wp_bpf_chunks *chunks, uint32_t n, struct wp_bpf_slice *ret)
{
	struct wp_bpf_slice slice;

	if (!wp_bpf_pool_take(&chunks->pool, n, &slice))
		return false;
	while (n && chunks->memory.n * chunks->pool.chunk < (size_t)slice.first + n) {
		void *memory = chunks->make(chunks->arg, (uint32_t)chunks->memory.n);

		if (!memory) {
			wp_bpf_pool_give(&chunks->pool, slice);
			return false;
		}
		wp_vec_push(&chunks->memory, memory);
	}
	*ret = slice;
	return true;
}

void wp_bpf_chunks_give(struct wp_bpf_chunks *chunks, struct wp_bpf_slice slice)
{
	wp_bpf_pool_give(&chunks->pool, slice);
}

void wp_bpf_chunks_write(struct wp_bpf_chunks *chunks, uint32_t first, const void *slots,
			 uint32_t n)
{
	const uint8_t *from = slots;
	uint32_t per_chunk = chunks->pool.chunk;

	while (n) {
		uint32_t at = first % per_chunk, some = per_chunk - at < n ? per_chunk - at : n;

		memcpy(chunks->memory.v[first / per_chunk] + at * chunks->slot_bytes, from,
		       some * chunks->slot_bytes);
		from += some * chunks->slot_bytes;
		first += some;
		n -= some;
	}
}

void wp_bpf_chunks_deinit(struct wp_bpf_chunks *chunks)
{
	wp_vec_deinit(&chunks->memory);
	wp_bpf_pool_deinit(&chunks->pool);
}
