/* SPDX-License-Identifier: BSD-3-Clause */
/* trace_events: see trace_events.h. */
#include "format/trace/trace_events.h"

#include "base/mem.h"
#include "base/vec.h"

#include <stdlib.h>
#include <string.h>

#define PRINTK_BYTES_MAX ((size_t)4 << 20)
#define PRINTK_LINE_MAX	 1024
#define ARGUMENT_QUOTE	 '"'

struct wp_trace_events {
	struct wp_arena arena;
	WP_VEC(struct wp_trace_event) all;
	struct wp_trace_print *print; /* NULL: there is no library */
};

static bool is_wanted_id(uint32_t id, const uint64_t *wanted, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (wanted[i] == id)
			return true;
	return false;
}

static void add_event_format(struct wp_trace_events *events, const struct wp_trace_text *text,
			     const uint64_t *wanted, size_t n)
{
	struct wp_trace_event event = {0};
	uint32_t id;

	if (!wp_trace_text_id(text->text, text->bytes, &id) || !is_wanted_id(id, wanted, n) ||
	    wp_trace_events_find(events, id) ||
	    !wp_trace_text_read(&events->arena, text->text, text->bytes, &event.description))
		return;
	event.system = wp_arena_strdup(&events->arena, text->system);
	event.printable = events->print &&
			  wp_trace_print_add(events->print, event.system, &event.description);
	wp_vec_push(&events->all, event);
}

/* "0xffffffff82a1b2c3 : "text\n"" */
static void add_string(struct wp_trace_events *events, char *line)
{
	char *colon = strchr(line, ':'), *begin, *end;
	uint64_t addr;

	if (!colon || strlen(line) > PRINTK_LINE_MAX)
		return;
	*colon = '\0';
	begin = strchr(colon + 1, ARGUMENT_QUOTE);
	end = begin ? strrchr(begin + 1, ARGUMENT_QUOTE) : NULL;
	line[strcspn(line, " ")] = '\0';
	if (!end || !wp_str_to_u64(line, 0, UINT64_MAX, &addr))
		return;
	*end = '\0';
	if (wp_str_has_suffix(begin + 1, "\\n"))
		end[-2] = '\0';
	wp_trace_print_string(events->print, addr, begin + 1);
}

static void add_strings(struct wp_trace_events *events, struct wp_trace_data *data)
{
	struct wp_trace_text text;
	char *rest, *line;

	if (!events->print || !events->all.n || !wp_trace_data_printk(data, &text) ||
	    text.bytes > PRINTK_BYTES_MAX)
		return;
	wp_autofree char *copy = wp_strndup(text.text, text.bytes);
	for (rest = copy; rest && (line = strsep(&rest, "\n"));)
		add_string(events, line);
}

struct wp_trace_events *wp_trace_events_new(const void *bytes, size_t size, const uint64_t *wanted,
					    size_t n)
{
	struct wp_trace_events *events;
	struct wp_trace_data data;
	struct wp_trace_text text;

	if (!wp_trace_data_open(bytes, size, &data))
		return NULL;
	events = wp_calloc(1, sizeof(*events));
	events->print = wp_trace_print_new(data.long_bytes, data.page_bytes);
	while (wp_trace_data_next(&data, &text))
		add_event_format(events, &text, wanted, n);
	add_strings(events, &data);
	return events;
}

const struct wp_trace_event *wp_trace_events_find(const struct wp_trace_events *events, uint64_t id)
{
	for (size_t i = 0; events && i < events->all.n; i++)
		if (events->all.v[i].description.id == id)
			return &events->all.v[i];
	return NULL;
}

void wp_trace_events_functions(struct wp_trace_events *events, wp_trace_function *find, void *arg)
{
	if (events->print)
		wp_trace_print_functions(events->print, find, arg);
}

void wp_trace_events_print(struct wp_trace_events *events, const struct wp_trace_event *event,
			   uint32_t cpu, const uint8_t *payload, size_t bytes, struct wp_str *out)
{
	if (event->printable)
		wp_trace_print_put(events->print, event->description.id, cpu, payload, bytes, out);
	else
		wp_fields_text(&event->description.fields, payload, bytes, out);
}

void wp_trace_events_free(struct wp_trace_events *events)
{
	if (!events)
		return;
	wp_trace_print_free(events->print);
	wp_vec_deinit(&events->all);
	wp_arena_deinit(&events->arena);
	free(events);
}
