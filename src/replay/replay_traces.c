/* SPDX-License-Identifier: BSD-3-Clause */
/* replay_traces: see replay_traces.h. */
#include "replay/replay_traces.h"

#include "format/spe/spe_write.h"

#include <string.h>

void wp_replay_traces_put(struct wp_replay_traces *traces, const struct wp_record *sample,
			  struct wp_record *ret_runs, struct wp_record *ret_piece)
{
	uint64_t *end = wp_map_put(&traces->ends, sample->cpu);
	wp_autostr struct wp_str packets = {0};
	uint8_t *bytes;

	wp_spe_write_sample(&packets, sample);
	bytes = wp_arena_alloc(&traces->arena, packets.len);
	memcpy(bytes, packets.s, packets.len);
	*ret_runs = *sample;
	ret_runs->kind = WP_RECORD_RUNS;
	ret_runs->time_ns -= ret_runs->time_ns > 0;
	*ret_piece = *sample;
	ret_piece->kind = WP_RECORD_AUX;
	ret_piece->aux = (struct wp_record_aux){.bytes = bytes, .n = packets.len, .offset = *end};
	*end += packets.len;
}

void wp_replay_traces_deinit(struct wp_replay_traces *traces)
{
	wp_map_deinit(&traces->ends);
	wp_arena_deinit(&traces->arena);
}
