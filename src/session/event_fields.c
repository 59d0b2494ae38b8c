/* SPDX-License-Identifier: BSD-3-Clause */
/* event_fields: see event_fields.h. */
#include "session/event_fields.h"

#include "base/file.h"
#include "base/mem.h"
#include "core/wait.h"
#include "core/waker.h"
#include "format/trace/probe_format.h"

#include <stdlib.h>
#include <string.h>

#define FORMAT_BYTES_MAX ((size_t)1 << 20)
#define PRINTK_BYTES_MAX ((size_t)4 << 20)

/* NULL: it has none. */
static const struct wp_trace_event *find_description(const struct wp_event_fields *fields,
						     const struct wp_event *event)
{
	uint64_t id = wp_event_format_id(event);

	return id ? wp_trace_events_find(fields->events, id) : NULL;
}

static void describe_fields(struct wp_event_fields *fields, const void *bytes, size_t n,
			    struct wp_event_set *set)
{
	WP_VEC(uint64_t) ids = {0};

	wp_vec_each (struct wp_event, event, &set->events)
		if (wp_event_format_id(event))
			wp_vec_push(&ids, wp_event_format_id(event));
	fields->events = ids.n ? wp_trace_events_new(bytes, n, ids.v, ids.n) : NULL;
	wp_vec_deinit(&ids);
	wp_vec_each (struct wp_event, event, &set->events) {
		const struct wp_trace_event *known = find_description(fields, event);

		if (known)
			event->fields = &known->description.fields;
	}
}

/* Files without descriptions of events have names like "2:0x2c1". */
static void name_unnamed(const struct wp_event_fields *fields, struct wp_event_set *set)
{
	wp_vec_each (struct wp_event, event, &set->events) {
		const struct wp_trace_event *known =
			wp_trace_events_find(fields->events, event->config);

		if (event->fields && known && strncmp(event->name, "2:0x", 4) == 0)
			event->name = wp_arena_printf(&set->arena, "%s:%s", known->system,
						      known->description.name);
	}
}

/* What comes at their tracepoint becomes a payload of our own. */
static void describe_waits(struct wp_event_fields *fields, struct wp_event_set *set)
{
	wp_vec_each (struct wp_event, event, &set->events) {
		if (wp_event_is_wakers(event))
			event->fields = wp_waker_fields();
		if (!wp_event_is_off_cpu(event))
			continue;
		fields->prev_pid = wp_fields_find(event->fields, "prev_pid");
		fields->prev_state = wp_fields_find(event->fields, "prev_state");
		event->fields = wp_wait_fields();
	}
}

void wp_event_fields_recorded(struct wp_event_fields *fields, const uint8_t *bytes, size_t n,
			      struct wp_event_set *set)
{
	if (n)
		describe_fields(fields, bytes, n, set);
	if (n)
		name_unnamed(fields, set);
	describe_waits(fields, set);
}

static bool read_text_file(const char *path, size_t limit, struct wp_arena *arena,
			   struct wp_trace_text *ret)
{
	char *text = NULL;
	size_t n = 0;
	wp_autoerr struct wp_err *err = wp_file_read(path, limit, &text, &n);
	wp_autofree char *own = err ? NULL : text;

	if (err)
		return false;
	ret->text = wp_arena_strndup(arena, own, n);
	ret->bytes = n;
	return true;
}

static void read_more(const char *events, struct wp_arena *arena, struct wp_trace_extra *ret)
{
	wp_autofree char *page = wp_asprintf("%s/header_page", events);
	wp_autofree char *event = wp_asprintf("%s/header_event", events);
	wp_autofree char *printk = wp_asprintf("%s/../printk_formats", events);

	read_text_file(page, FORMAT_BYTES_MAX, arena, &ret->header_page);
	read_text_file(event, FORMAT_BYTES_MAX, arena, &ret->header_event);
	read_text_file(printk, PRINTK_BYTES_MAX, arena, &ret->printk);
}

static int by_system(const void *a, const void *b)
{
	const struct wp_trace_text *x = a, *y = b;

	return strcmp(x->system, y->system);
}

/* Once each, though an event may stand in the set for each of several cgroups. */
static bool is_first(const struct wp_event_set *set, const struct wp_event *event)
{
	for (const struct wp_event *other = set->events.v; other < event; other++)
		if (wp_event_format_id(other) == wp_event_format_id(event))
			return false;
	return true;
}

/* A probe is described as tracefs would, had it been defined there. */
static void write_format(const struct wp_probe *probe, struct wp_arena *arena,
			 struct wp_trace_text *ret)
{
	static const char *const systems[] = {[WP_PROBE_USER] = "uprobe",
					      [WP_PROBE_KERNEL] = "kprobe",
					      [WP_PROBE_MARKER] = "usdt"};
	wp_autostr struct wp_str text = {0};

	wp_probe_format_put(probe, &text);
	ret->system = systems[probe->kind];
	ret->text = wp_arena_strndup(arena, text.s, text.len);
	ret->bytes = text.len;
}

/* "system:name", perhaps with terms behind a slash */
static bool read_format(const char *events, const char *name, struct wp_arena *arena,
			struct wp_trace_text *ret)
{
	const char *colon = strchr(name, ':');
	size_t n = colon ? strcspn(colon + 1, ":/") : 0;

	if (!colon)
		return false;
	ret->system = wp_arena_strndup(arena, name, (size_t)(colon - name));
	wp_autofree char *path =
		wp_asprintf("%s/%s/%.*s/format", events, ret->system, (int)n, colon + 1);
	return read_text_file(path, FORMAT_BYTES_MAX, arena, ret);
}

static const char *format_name(const struct wp_event *event)
{
	return event->switch_id ? "sched:sched_switch" : event->name;
}

void wp_event_fields_live(struct wp_event_fields *fields, const struct wp_machine *machine,
			  struct wp_event_set *set)
{
	const char *events = machine->limits.tracefs_events;
	struct wp_trace_extra extra = {0};
	WP_VEC(struct wp_trace_text) texts = {0};
	struct wp_arena arena = {0};

	wp_vec_each (struct wp_event, event, &set->events) {
		struct wp_trace_text text = {0};

		if (!wp_event_format_id(event) || !is_first(set, event))
			continue;
		if (wp_event_has_args(event))
			write_format(event->probe, &arena, &text);
		else if (!events || !read_format(events, format_name(event), &arena, &text))
			continue;
		wp_vec_push(&texts, text);
	}
	if (texts.n) {
		qsort(texts.v, texts.n, sizeof(*texts.v), by_system);
		if (events)
			read_more(events, &arena, &extra);
		wp_trace_data_put(&fields->bytes, texts.v, texts.n, &extra);
		describe_fields(fields, fields->bytes.s, fields->bytes.len, set);
	}
	describe_waits(fields, set);
	wp_vec_deinit(&texts);
	wp_arena_deinit(&arena);
}

/* A function of the kernel, for pointers to code. */
static const char *find_kernel_function(void *arg, uint64_t *addr)
{
	struct wp_resolver *resolver = arg;
	static const struct wp_record nowhere = {.kind = WP_RECORD_SAMPLE};
	const struct wp_symbol *symbol;
	struct wp_rva rva;
	uint32_t id = wp_resolver_symbol_at(resolver, &nowhere, (struct wp_va){*addr},
					    WP_MODE_KERNEL, &rva);

	symbol = wp_resolver_symbol_of(resolver, id);
	if (!symbol->name || symbol->reason != WP_SYMBOL_KNOWN)
		return NULL;
	*addr = symbol->start.v;
	return symbol->name;
}

void wp_event_fields_functions(struct wp_event_fields *fields, struct wp_resolver *resolver)
{
	if (fields->events)
		wp_trace_events_functions(fields->events, find_kernel_function, resolver);
}

static struct wp_err *check_weight(const struct wp_event *event)
{
	const struct wp_field *field =
		event->weight ? wp_fields_find(event->fields, event->weight) : NULL;
	wp_autostr struct wp_str names = {0};

	if (!event->weight || (field && wp_field_is_number(field)))
		return NULL;
	for (size_t i = 0; event->fields && i < event->fields->n; i++)
		if (wp_field_is_number(&event->fields->v[i]) &&
		    !wp_str_has_prefix(event->fields->v[i].name, WP_FIELD_COMMON))
			wp_str_printf(&names, "%s%s", names.len ? ", " : "",
				      event->fields->v[i].name);
	return wp_err_new(WP_ERR_NOT_FOUND, "event '%s': weight=%s: want one of its numbers: %s",
			  event->name, event->weight, names.len ? names.s : "it has none");
}

struct wp_err *wp_event_fields_check(const struct wp_event_set *set)
{
	wp_vec_each (struct wp_event, event, &set->events)
		TRY(check_weight(event));
	return NULL;
}

struct wp_err *wp_event_fields_known(const struct wp_event_set *set, const char *option,
				     const char *word)
{
	const char *colon = strchr(word, ':');

	wp_vec_each (struct wp_event, event, &set->events)
		if (wp_fields_find(event->fields, colon ? colon + 1 : word))
			return NULL;
	return wp_err_new(WP_ERR_NOT_FOUND,
			  "%s %s: no event of the recording has such a field (script -F trace "
			  "shows those that there are)",
			  option, word);
}

/* What is negative (an error that a call returned) weighs nothing. */
void wp_event_fields_weigh(const struct wp_event *event, struct wp_record_sample *sample)
{
	const struct wp_field *field = wp_fields_find(event->fields, event->weight);
	int64_t value = 0;

	if (field)
		wp_field_number(field, sample->payload, sample->payload_bytes, &value);
	sample->period = value < 0 && field && field->is_signed ? 0 : (uint64_t)value;
}

void wp_event_fields_print(struct wp_event_fields *fields, const struct wp_event *event,
			   const struct wp_record *sample, struct wp_str *out)
{
	const struct wp_trace_event *known = find_description(fields, event);
	const uint8_t *payload = sample->sample.payload;
	size_t bytes = sample->sample.payload_bytes;

	if (!event->fields || !payload)
		return;
	if (known && !wp_event_is_off_cpu(event))
		wp_trace_events_print(fields->events, known, sample->cpu, payload, bytes, out);
	else
		wp_fields_text(event->fields, payload, bytes, out);
}

void wp_event_fields_deinit(struct wp_event_fields *fields)
{
	wp_trace_events_free(fields->events);
	wp_str_deinit(&fields->bytes);
}
