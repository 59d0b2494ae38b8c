/* SPDX-License-Identifier: BSD-3-Clause */
/* read_recording: reads all that an opened recording has, for harnesses of its formats. */
#ifndef WP_FUZZ_READ_RECORDING_H
#define WP_FUZZ_READ_RECORDING_H

#include "core/stack.h"
#include "recording/recording.h"

#include <string.h>

static volatile uint64_t sink;

/* Every byte that a record points at must be there. */
static inline void touch_record(const struct wp_record *r)
{
	const struct wp_stack_raw *raw = r->kind == WP_RECORD_SAMPLE ? r->sample.stack : NULL;

	for (size_t i = 0; raw && i < raw->dump_bytes; i++)
		sink += raw->dump[i];
	for (size_t i = 0; raw && i < raw->n_user; i++)
		sink += raw->user_ips[i];
	for (size_t i = 0; raw && raw->note && i < raw->note->n_frames; i++)
		sink += raw->note->frames[i];
	if (r->kind == WP_RECORD_MAP)
		sink += strlen(r->map.path) + r->map.build_id[r->map.build_id_len / 2];
	if (r->kind == WP_RECORD_COMM)
		sink += strlen(r->comm.name);
}

static inline struct wp_err *read_recording(struct wp_source *source)
{
	size_t events = wp_recording_events(source)->events.n;
	struct wp_batch batch = {0};

	TRY(source->ops->start(source));
	while (!batch.ended) {
		TRY(source->ops->next(source, 0, &batch));
		for (size_t i = 0; i < batch.n; i++) {
			touch_record(&batch.records[i]);
			if (batch.records[i].kind == WP_RECORD_SAMPLE &&
			    batch.records[i].sample.event >= events)
				__builtin_trap();
		}
	}
	for (uint32_t i = 0; i < 100; i++) {
		const struct wp_recording_function *function = wp_recording_function(source, i);

		if (function)
			sink += strlen(function->file) +
				(function->name ? strlen(function->name) : 0);
	}
	if (wp_recording_run(source)->cwd)
		sink += strlen(wp_recording_run(source)->cwd);
	sink += source->ops->elapsed_ns(source);
	return source->ops->stop(source);
}

#endif
