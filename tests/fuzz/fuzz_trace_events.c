/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_trace_events: descriptions of tracepoints (perf.data's TRACING_DATA), and payloads that are
 * printed by them. Two bytes say how long the payload is, which comes first.
 */
#include "format/trace/trace_events.h"

#include "base/mem.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define WANTED 16

/*
 * libtraceevent 1.7 does not free the words in front of where it refuses a print fmt: less than the
 * text itself has, of files that are damaged only.
 */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libtraceevent.so\n";
}

static volatile size_t sink;

static size_t list_ids(const uint8_t *bytes, size_t size, uint64_t *ret)
{
	struct wp_trace_data all;
	struct wp_trace_text text;
	uint32_t id;
	size_t n = 0;

	if (!wp_trace_data_open(bytes, size, &all))
		return 0;
	while (n < WANTED && wp_trace_data_next(&all, &text))
		if (wp_trace_text_id(text.text, text.bytes, &id))
			ret[n++] = id;
	return n;
}

static void print_all(struct wp_trace_events *events, const uint64_t *ids, size_t n,
		      const uint8_t *payload, size_t bytes)
{
	for (size_t i = 0; i < n; i++) {
		const struct wp_trace_event *event = wp_trace_events_find(events, ids[i]);
		wp_autostr struct wp_str out = {0};

		if (!event)
			continue;
		wp_trace_events_print(events, event, 0, payload, bytes, &out);
		wp_fields_text(&event->description.fields, payload, bytes, &out);
		sink += out.len;
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t ids[WANTED];
	size_t bytes, n;

	if (size < 2)
		return 0;
	bytes = (size_t)data[0] | (size_t)data[1] << 8;
	if (bytes > size - 2)
		return 0;
	n = list_ids(data + 2 + bytes, size - 2 - bytes, ids);
	wp_autofree uint8_t *payload = wp_calloc(bytes + 1, 1);
	memcpy(payload, data + 2, bytes);
	struct wp_trace_events *events =
		wp_trace_events_new(data + 2 + bytes, size - 2 - bytes, ids, n);
	print_all(events, ids, n, payload, bytes);
	wp_trace_events_free(events);
	return 0;
}
