/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_head: see recording_head.h. */
#include "recording/recording_head.h"

#include "base/str.h"
#include "event/event_names.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#define SECTION_BYTES 16
#define SECTION_MAX   ((size_t)64 << 20)
#define IDS_MAX	      SECTION_MAX /* bytes of ids of all events */
#define EVENTS_MAX    4096u

/* enum perf_type_id, enum perf_sw_ids */
enum {
	TYPE_HARDWARE = 0,
	TYPE_SOFTWARE = 1,
	TYPE_TRACEPOINT = 2,
	TYPE_HW_CACHE = 3,
	TYPE_RAW = 4,
	TYPE_BREAKPOINT = 5,
};
#define SW_TASK_CLOCK 1 /* cpu-clock is 0 */

static enum wp_event_source event_source_of(uint32_t type)
{
	switch (type) {
	case TYPE_HARDWARE:
	case TYPE_HW_CACHE:
	case TYPE_RAW: return WP_EVENT_HW;
	case TYPE_SOFTWARE: return WP_EVENT_SW;
	case TYPE_TRACEPOINT: return WP_EVENT_TRACEPOINT;
	case TYPE_BREAKPOINT: return WP_EVENT_BREAKPOINT;
	default: return WP_EVENT_PMU;
	}
}

/* What it is called where the recording does not say. */
static const char *name_event(struct wp_arena *arena, const struct wp_perfdata_attr *attr)
{
	const char *name = wp_event_generic_name(arena, attr->type, attr->config);

	if (!name)
		return wp_arena_printf(arena, "%u:0x%llx", attr->type,
				       (unsigned long long)attr->config);
	if (attr->exclude_kernel == attr->exclude_user)
		return name;
	return wp_arena_printf(arena, "%s:%c", name, attr->exclude_kernel ? 'u' : 'k');
}

static void add_attr_event(struct wp_recording_head *head, const struct wp_perfdata_attr *attr)
{
	struct wp_event event = {
		.name = name_event(&head->events.arena, attr),
		.source = event_source_of(attr->type),
		.type = attr->type,
		.config = attr->config,
		.config1 = attr->config1,
		.config2 = attr->config2,
		.user_only = attr->exclude_kernel,
		.kernel_only = attr->exclude_user,
		.is_clock = attr->type == TYPE_SOFTWARE && attr->config <= SW_TASK_CLOCK,
		.group = WP_EVENT_NO_GROUP,
		.period = attr->freq ? 0 : attr->period,
		.freq_hz = attr->freq ? attr->period : 0,
	};

	wp_vec_push(&head->events.events, event);
	wp_vec_push(&head->attrs, *attr);
}

/* An attribute and the ids of its event in the kernel. */
static struct wp_err *take_attr(struct wp_recording_head *head, const struct wp_perfdata_attr *attr,
				struct wp_bytes ids)
{
	if (head->attrs.n >= EVENTS_MAX)
		return wp_err_new(WP_ERR_LIMIT, "it has more than %u events", EVENTS_MAX);
	add_attr_event(head, attr);
	while (wp_bytes_left(&ids) >= 8)
		*wp_map_put(&head->event_of_id, wp_bytes_u64(&ids)) = head->attrs.n - 1;
	return NULL;
}

/* An entry of the section of attributes: attribute, section of its ids. *left is what the sections
 * of ids may have, which may all be the same one. */
static struct wp_err *read_attr_entry(struct wp_recording_file *file, const uint8_t *bytes,
				      size_t size, size_t *left, struct wp_recording_head *head)
{
	struct wp_bytes tail = wp_bytes_of(bytes + size - SECTION_BYTES, SECTION_BYTES);
	struct wp_perfdata_section section = wp_perfdata_section_read(&tail);
	wp_autofree uint8_t *ids = NULL;
	struct wp_perfdata_attr attr;

	TRY(wp_perfdata_attr_read(bytes, size - SECTION_BYTES, &attr));
	if (section.size > *left)
		return wp_err_new(WP_ERR_LIMIT, "its events have more than %zu MB of ids",
				  IDS_MAX >> 20);
	*left -= (size_t)section.size;
	TRY(wp_recording_file_section(file, section, SECTION_MAX, &ids));
	return take_attr(head, &attr, wp_bytes_of(ids, (size_t)section.size));
}

static struct wp_err *read_attrs(struct wp_recording_file *file,
				 const struct wp_perfdata_header *header,
				 struct wp_recording_head *head)
{
	size_t entry = (size_t)header->attr_size;
	wp_autofree uint8_t *bytes = NULL;
	size_t left = IDS_MAX;

	TRY(wp_recording_file_section(file, header->attrs, SECTION_MAX, &bytes));
	for (size_t at = 0; at + entry <= header->attrs.size; at += entry)
		TRY(read_attr_entry(file, bytes + at, entry, &left, head));
	return NULL;
}

/* Kernels of 32 bits say which CPU it was: "i586", "armv7l". */
static bool find_arch(struct wp_recording_head *head, const char *arch)
{
	static const struct {
		const char *name, *pattern;
		bool arm, bits32;
	} machines[] = {
		{"x86_64", "x86_64", false, false}, {"aarch64", "aarch64", true, false},
		{"aarch64", "arm64", true, false},  {"i686", "i[3-6]86", false, true},
		{"i686", "x86", false, true},	    {"arm", "armv[4-8]*l", true, true},
		{"arm", "arm", true, true},
	};

	for (size_t i = 0; i < WP_ARRAY_LEN(machines); i++) {
		if (fnmatch(machines[i].pattern, arch, 0) != 0)
			continue;
		head->arch = machines[i].name;
		head->arm = machines[i].arm;
		head->bits32 = machines[i].bits32;
		return true;
	}
	return false;
}

static struct wp_err *take_arch(struct wp_recording_head *head, struct wp_bytes b)
{
	const char *arch = wp_perfdata_string(&b);

	if (!arch || find_arch(head, arch))
		return NULL;
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "it was recorded on a machine of type %.32s; x86 and Arm, of 64 or 32 "
			  "bits, can be read",
			  arch);
}

static void take_string(struct wp_bytes b, char **ret)
{
	const char *string = wp_perfdata_string(&b);

	free(*ret);
	*ret = string ? wp_strdup(string) : NULL;
}

/* The words behind `--`, or all. */
static void take_recorded_command(struct wp_recording_head *head, struct wp_bytes b)
{
	uint32_t n = wp_bytes_u32(&b);
	struct wp_str command = {0};
	const char *word;
	bool split = false;

	while (n-- && (word = wp_perfdata_string(&b))) {
		if (!split && strcmp(word, "--") == 0) {
			split = true;
			wp_str_deinit(&command);
			continue;
		}
		wp_str_printf(&command, "%s%s", command.len ? " " : "", word);
	}
	free(head->command);
	head->command = command.s;
}

static void take_build_id(struct wp_recording_head *head, struct wp_bytes body, uint16_t misc)
{
	struct wp_perfdata_build_id id;
	uint32_t path_id;

	if (!wp_perfdata_build_id_read(body, misc, &id) || !id.len)
		return;
	path_id = wp_strpool_id(&head->paths, id.path);
	id.path = NULL; /* it goes with the bytes */
	if (path_id < head->build_ids.n)
		head->build_ids.v[path_id] = id;
	else
		wp_vec_push(&head->build_ids, id);
}

/* Records one after the other. */
static void take_build_ids(struct wp_recording_head *head, struct wp_bytes b)
{
	struct wp_perfdata_record record;

	while (wp_perfdata_record_read(b.data + b.pos, wp_bytes_left(&b), &record) ==
	       WP_PERFDATA_WHOLE) {
		take_build_id(head, wp_perfdata_body(b.data + b.pos, &record), record.misc);
		wp_bytes_skip(&b, record.size);
	}
}

static void take_names(struct wp_recording_head *head, struct wp_bytes b)
{
	struct wp_perfdata_desc desc;
	uint32_t n, attr_size;

	if (!wp_perfdata_desc_begin(&b, &n, &attr_size))
		return;
	for (uint32_t i = 0; i < n && wp_perfdata_desc_next(&b, attr_size, &desc); i++) {
		struct wp_event *event =
			i < head->events.events.n ? &head->events.events.v[i] : NULL;

		if (event && event->type == desc.type && event->config == desc.config)
			event->name = wp_arena_strdup(&head->events.arena, desc.name);
	}
}

/* A pipe's events are named one by one. */
static void take_update(struct wp_recording_head *head, struct wp_bytes body)
{
	const uint64_t *event;
	const char *name;
	uint64_t id;

	if (!wp_perfdata_update_read(body, &id, &name))
		return;
	event = wp_map_get(&head->event_of_id, id);
	if (event)
		head->events.events.v[*event].name = wp_arena_strdup(&head->events.arena, name);
}

static void take_tracepoints(struct wp_recording_head *head, const uint8_t *bytes, size_t n)
{
	free(head->tracepoints);
	head->tracepoints = wp_calloc(n + 1, 1);
	head->tracepoints_bytes = n;
	if (n)
		memcpy(head->tracepoints, bytes, n);
}

static struct wp_err *take_feature(struct wp_recording_head *head, uint64_t feature,
				   struct wp_bytes b)
{
	switch (feature) {
	case WP_PERFDATA_ARCH: return take_arch(head, b);
	case WP_PERFDATA_OSRELEASE: take_string(b, &head->release); return NULL;
	case WP_PERFDATA_HOSTNAME: take_string(b, &head->host); return NULL;
	case WP_PERFDATA_CMDLINE: take_recorded_command(head, b); return NULL;
	case WP_PERFDATA_CPUID: take_string(b, &head->cpuid); return NULL;
	case WP_PERFDATA_BUILD_IDS: take_build_ids(head, b); return NULL;
	case WP_PERFDATA_CLOCK_DATA: wp_perfdata_clock_read(b, &head->clock); return NULL;
	case WP_PERFDATA_EVENT_DESC: take_names(head, b); return NULL;
	case WP_PERFDATA_TRACEPOINTS: take_tracepoints(head, b.data, b.size); return NULL;
	case WP_PERFDATA_COMPRESSED: return wp_recording_packed_check(b);
	default: return NULL;
	}
}

/* The file ends before the section does. */
static bool is_cut(const struct wp_recording_file *file, struct wp_perfdata_section section)
{
	return section.offset > file->size || section.size > file->size - section.offset;
}

static struct wp_err *read_feature(struct wp_recording_file *file,
				   const struct wp_perfdata_header *header, const uint8_t *table,
				   enum wp_perfdata_feature feature, struct wp_recording_head *head)
{
	size_t at = (size_t)SECTION_BYTES * wp_perfdata_feature_index(header, feature);
	struct wp_bytes entry = wp_bytes_of(table + at, SECTION_BYTES);
	wp_autofree uint8_t *bytes = NULL;
	struct wp_perfdata_section section;

	if (!wp_perfdata_has(header, feature))
		return NULL;
	section = wp_perfdata_section_read(&entry);
	if (is_cut(file, section)) {
		head->cut = true;
		return NULL;
	}
	TRY(wp_recording_file_section(file, section, SECTION_MAX, &bytes));
	return take_feature(head, feature, wp_bytes_of(bytes, (size_t)section.size));
}

/* Sections of features are listed right behind the data. */
static struct wp_err *read_features(struct wp_recording_file *file,
				    const struct wp_perfdata_header *header,
				    struct wp_recording_head *head)
{
	static const enum wp_perfdata_feature wanted[] = {
		WP_PERFDATA_COMPRESSED, WP_PERFDATA_ARCH,	WP_PERFDATA_OSRELEASE,
		WP_PERFDATA_EVENT_DESC, WP_PERFDATA_BUILD_IDS,	WP_PERFDATA_HOSTNAME,
		WP_PERFDATA_CMDLINE,	WP_PERFDATA_CLOCK_DATA, WP_PERFDATA_TRACEPOINTS,
		WP_PERFDATA_CPUID,
	};
	struct wp_perfdata_section section = {
		.offset = header->data.offset + header->data.size,
		.size = (uint64_t)SECTION_BYTES * wp_perfdata_feature_count(header),
	};
	wp_autofree uint8_t *table = NULL;

	if (is_cut(file, section)) {
		head->cut = true;
		return NULL;
	}
	TRY(wp_recording_file_section(file, section, SECTION_MAX, &table));
	for (size_t i = 0; i < WP_ARRAY_LEN(wanted); i++)
		TRY(read_feature(file, header, table, wanted[i], head));
	return NULL;
}

/* A recording whose end is missing still tells what it has. */
static struct wp_err *read_head_sections(struct wp_recording_file *file,
					 const struct wp_perfdata_header *header,
					 struct wp_recording_head *head)
{
	uint64_t room;

	TRY(read_attrs(file, header, head));
	if (header->data.offset > file->size)
		return wp_err_new(WP_ERR_FORMAT, "its data lies behind the end of the file");
	head->data = header->data;
	room = file->size - header->data.offset;
	if (header->data.size && header->data.size <= room)
		return read_features(file, header, head);
	head->cut = true;
	head->data.size = room;
	return NULL;
}

static struct wp_err *take_head_record(struct wp_recording_head *head,
				       const struct wp_perfdata_record *record,
				       struct wp_bytes body)
{
	struct wp_perfdata_attr attr;
	uint64_t feature;

	switch (record->type) {
	case WP_PERFDATA_HEADER_ATTR:
		TRY(wp_perfdata_attr_read(body.data, body.size, &attr));
		wp_bytes_skip(&body, attr.size);
		return take_attr(head, &attr, body);
	case WP_PERFDATA_HEADER_FEATURE:
		feature = wp_bytes_u64(&body);
		return take_feature(head, feature,
				    wp_bytes_of(body.data + body.pos, wp_bytes_left(&body)));
	case WP_PERFDATA_BUILD_ID: take_build_id(head, body, record->misc); return NULL;
	case WP_PERFDATA_EVENT_UPDATE: take_update(head, body); return NULL;
	default: return NULL;
	}
}

/* What follows a TRACING_DATA record, up to `at`. */
static struct wp_err *read_trailing(struct wp_recording_file *file, uint64_t at,
				    const struct wp_perfdata_record *record,
				    struct wp_recording_head *head)
{
	struct wp_perfdata_section section = {at - record->trailing, record->trailing};
	wp_autofree uint8_t *bytes = NULL;

	if (is_cut(file, section))
		return NULL;
	TRY(wp_recording_file_section(file, section, SECTION_MAX, &bytes));
	take_tracepoints(head, bytes, (size_t)section.size);
	return NULL;
}

static struct wp_err *read_piped(struct wp_recording_file *file, struct wp_recording_head *head)
{
	struct wp_perfdata_record record;
	const uint8_t *bytes;
	uint64_t at;

	head->data.offset = at = WP_PERFDATA_PIPED_BYTES;
	head->data.size = file->size - at;
	for (;;) {
		TRY(wp_recording_file_record(file, &at, file->size, &record, &bytes));
		if (!bytes)
			return NULL;
		if (record.type == WP_PERFDATA_TRACING_DATA)
			TRY(read_trailing(file, at, &record, head));
		else
			TRY(take_head_record(head, &record, wp_perfdata_body(bytes, &record)));
	}
}

static bool same_layout(const struct wp_perfdata_attr *a, const struct wp_perfdata_attr *b)
{
	return a->sample_type == b->sample_type && a->sample_id_all == b->sample_id_all &&
	       a->regs_user == b->regs_user && a->regs_intr == b->regs_intr &&
	       a->inherit == b->inherit && a->branch_sample_type == b->branch_sample_type &&
	       a->read_format == b->read_format;
}

static struct wp_err *check_ids(struct wp_recording_head *head)
{
	uint64_t common = UINT64_MAX, needed = WP_PERF_SAMPLE_IDENTIFIER;

	head->alike = true;
	wp_vec_each (struct wp_perfdata_attr, attr, &head->attrs) {
		common &= attr->sample_type;
		head->alike = head->alike && same_layout(attr, head->attrs.v);
	}
	if (head->alike)
		needed |= WP_PERF_SAMPLE_ID;
	if (common & needed)
		return NULL;
	if (head->attrs.n > 1)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "its %zu events cannot be told apart: their samples have no "
				  "identifier",
				  head->attrs.n);
	*wp_map_put(&head->event_of_id, 0) = 0; /* what a sample without an id reads as */
	return NULL;
}

/* Of a pipe the names are not known yet. */
static uint32_t find_raw_waits(const struct wp_recording_head *head)
{
	for (uint32_t i = 0; i < head->events.events.n; i++)
		if (wp_event_is_off_cpu(&head->events.events.v[i]) &&
		    head->attrs.v[i].sample_type & WP_PERF_SAMPLE_RAW)
			return i + 1;
	return 0;
}

static struct wp_err *make_layouts(struct wp_recording_head *head)
{
	if (!head->attrs.n)
		return wp_err_new(WP_ERR_FORMAT, "it says of no event");
	TRY(check_ids(head));
	head->stack = wp_calloc(1, sizeof(*head->stack));
	head->more = wp_calloc(1, sizeof(*head->more));
	wp_vec_each (struct wp_perfdata_attr, attr, &head->attrs) {
		struct wp_perf_layout layout = {
			.sample_type = attr->sample_type,
			.sample_id_all = attr->sample_id_all,
			.event_of_id = &head->event_of_id,
			.regs = {.arm64 = head->arm,
				 .mask = attr->regs_user,
				 .branch_type = attr->branch_sample_type},
			.read_format = attr->read_format,
			.stack = head->stack,
			.payloads = true,
			.raw_waits = find_raw_waits(head),
		};

		wp_perf_layout_shape(&layout, attr->regs_intr, attr->inherit);
		wp_vec_push(&head->layouts, layout);
		layout.stack = NULL;
		layout.payloads = false;
		layout.raw_waits = 0;
		wp_vec_push(&head->bare, layout);
	}
	wp_recording_head_want_data(head, false);
	return NULL;
}

void wp_recording_head_want_data(struct wp_recording_head *head, bool wanted)
{
	for (size_t i = 0; i < head->layouts.n; i++) {
		bool reads = head->layouts.v[i].sample_type & WP_PERF_SAMPLE_READ;

		head->layouts.v[i].data = wanted || reads ? head->more : NULL;
		head->bare.v[i].data = reads ? head->more : NULL;
	}
}

static struct wp_err *read_all(struct wp_recording_file *file, struct wp_recording_head *head)
{
	struct wp_perfdata_header header;
	const uint8_t *bytes;
	size_t n;

	TRY(wp_recording_file_peek(file, 0, WP_PERFDATA_HEADER_BYTES, &bytes, &n));
	TRY(wp_perfdata_header_read(bytes, n, &header));
	TRY(header.piped ? read_piped(file, head) : read_head_sections(file, &header, head));
	return make_layouts(head);
}

struct wp_err *wp_recording_head_read(struct wp_recording_file *file, struct wp_recording_head *ret)
{
	struct wp_err *err;

	*ret = (struct wp_recording_head){.arch = "x86_64"};
	err = read_all(file, ret);
	if (err)
		wp_recording_head_deinit(ret);
	return err;
}

const struct wp_perf_layout *wp_recording_head_find(const struct wp_recording_head *head,
						    const uint8_t *bytes)
{
	struct wp_perfdata_record record;
	const uint64_t *event;

	wp_perfdata_record_read(bytes, WP_PERFDATA_RECORD_MAX, &record);
	event = wp_map_get(&head->event_of_id, wp_perfdata_identifier(bytes, &record));
	return &head->layouts.v[event ? *event : 0];
}

/* The kernel is mapped as "[kernel.kallsyms]_text", and identified as "[kernel.kallsyms]". */
static uint32_t path_id(struct wp_recording_head *head, const struct wp_record_map *map)
{
	const char *end = map->kernel && map->path[0] == '[' ? strchr(map->path, ']') : NULL;
	wp_autofree char *path =
		end ? wp_strndup(map->path, (size_t)(end + 1 - map->path)) : wp_strdup(map->path);

	return wp_strpool_id(&head->paths, path);
}

void wp_recording_head_identify(struct wp_recording_head *head, struct wp_record_map *map)
{
	uint32_t id;

	if (map->build_id_len || !head->build_ids.n)
		return;
	id = path_id(head, map);
	if (id >= head->build_ids.n)
		return;
	map->build_id_len = head->build_ids.v[id].len;
	memcpy(map->build_id, head->build_ids.v[id].id, sizeof(map->build_id));
}

void wp_recording_head_deinit(struct wp_recording_head *head)
{
	wp_event_set_deinit(&head->events);
	wp_vec_deinit(&head->attrs);
	wp_vec_deinit(&head->layouts);
	wp_vec_deinit(&head->bare);
	wp_vec_deinit(&head->build_ids);
	wp_map_deinit(&head->event_of_id);
	wp_strpool_deinit(&head->paths);
	free(head->stack);
	free(head->more);
	free(head->tracepoints);
	free(head->release);
	free(head->host);
	free(head->cpuid);
	free(head->command);
	*head = (struct wp_recording_head){0};
}
