/* SPDX-License-Identifier: BSD-3-Clause */
/* perfdata_write: see perfdata_write.h. */
#include "format/perf/perfdata_write.h"

#include "format/perf/perf_record.h"
#include "format/perf/perf_stack.h"

#include <linux/perf_event.h>
#include <string.h>
#include <time.h>

_Static_assert(sizeof(struct perf_event_attr) >= WP_PERFDATA_ATTR_BYTES,
	       "these kernel headers' attribute is shorter than the one that is written");

#define MAGIC "PERFILE2"
#define SAMPLE_TYPE                                                           \
	(WP_PERF_SAMPLE_IDENTIFIER | WP_PERF_SAMPLE_IP | WP_PERF_SAMPLE_TID | \
	 WP_PERF_SAMPLE_TIME | WP_PERF_SAMPLE_CPU | WP_PERF_SAMPLE_PERIOD)
#define HEADER_BYTES	   8	/* struct perf_event_header */
#define PATH_BYTES	   4096 /* PATH_MAX; perf takes no longer one */
#define NAME_BYTES	   64	/* of strings of the header: padded so */
#define MISC_BUILD_ID_SIZE (1u << 15)

void wp_perfdata_put_u32(struct wp_str *out, uint32_t value)
{
	wp_str_append(out, (const char *)&value, sizeof(value));
}

void wp_perfdata_put_u64(struct wp_str *out, uint64_t value)
{
	wp_str_append(out, (const char *)&value, sizeof(value));
}

void wp_perfdata_put_section(struct wp_str *out, struct wp_perfdata_section section)
{
	wp_perfdata_put_u64(out, section.offset);
	wp_perfdata_put_u64(out, section.size);
}

void wp_perfdata_put_header(struct wp_str *out, const struct wp_perfdata_header *header)
{
	wp_str_append(out, MAGIC, 8);
	wp_perfdata_put_u64(out, WP_PERFDATA_HEADER_BYTES);
	wp_perfdata_put_u64(out, header->attr_size);
	wp_perfdata_put_section(out, header->attrs);
	wp_perfdata_put_section(out, header->data);
	wp_perfdata_put_section(out, (struct wp_perfdata_section){0}); /* event_types: unused */
	for (size_t i = 0; i < WP_ARRAY_LEN(header->features); i++)
		wp_perfdata_put_u64(out, header->features[i]);
}

void wp_perfdata_put_attr(struct wp_str *out, const struct wp_event *event,
			  const struct wp_perfdata_style *style)
{
	struct perf_event_attr attr = {
		.type = event->type,
		.size = WP_PERFDATA_ATTR_BYTES,
		.config = event->config,
		.config1 = event->config1,
		.config2 = event->config2,
		.sample_type = SAMPLE_TYPE | (style->stacks ? WP_PERF_SAMPLE_CALLCHAIN : 0) |
			       (style->payloads ? WP_PERF_SAMPLE_RAW : 0) |
			       wp_perf_data_bits(style->carried) |
			       wp_perf_data_sized(style->carried),
		.disabled = 1,
		.inherit = 1,
		.exclude_user = event->kernel_only,
		.mmap = 1,
		.comm = 1,
		.freq = event->freq_hz != 0,
		.task = 1,
		.sample_id_all = 1,
		.mmap2 = 1,
		.mmap_data = (style->carried & WP_DATA_ADDR) != 0,
		.comm_exec = 1,
		.cgroup = (style->carried & WP_DATA_CGROUP) != 0,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.branch_sample_type = style->branch_type,
		.sample_regs_user = style->regs_user,
		.sample_regs_intr = style->regs_intr,
	};

	if (wp_event_has_args(event)) { /* as if perf probe had defined it */
		attr.type = PERF_TYPE_TRACEPOINT;
		attr.config = event->probe->format_id;
	}
	if (event->source == WP_EVENT_BREAKPOINT) {
		attr.bp_type = event->bp_type;
		attr.bp_addr = event->bp_addr;
		attr.bp_len = event->bp_len;
	}
	attr.exclude_kernel =
		event->user_only || (!style->kernel && !event->kernel_only && !event->in_kernel);
	attr.exclude_hv = attr.exclude_kernel || event->kernel_only;
	attr.sample_freq = event->freq_hz ? event->freq_hz : event->period;
	/* Its samples are those that perf makes of what was traced: none lies in the file. */
	if (event->is_spe)
		attr.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;
	wp_str_append(out, (const char *)&attr, WP_PERFDATA_ATTR_BYTES);
}

/* Begins a record; its size is filled in by end(). Returns where it begins. */
static size_t begin_file_record(struct wp_str *out, uint32_t type, uint16_t misc)
{
	size_t at = out->len;
	uint16_t size = 0;

	wp_perfdata_put_u32(out, type);
	wp_str_append(out, (const char *)&misc, sizeof(misc));
	wp_str_append(out, (const char *)&size, sizeof(size));
	return at;
}

static void end(struct wp_str *out, size_t at)
{
	uint16_t size = (uint16_t)(out->len - at);

	memcpy(out->s + at + 6, &size, sizeof(size));
}

/* What follows every record but samples (sample_id_all). */
static void put_trailer(struct wp_str *out, const struct wp_record *record)
{
	wp_perfdata_put_u32(out, record->pid);
	wp_perfdata_put_u32(out, record->tid);
	wp_perfdata_put_u64(out, record->time_ns);
	wp_perfdata_put_u32(out, record->cpu);
	wp_perfdata_put_u32(out, 0);
	wp_perfdata_put_u64(out, wp_perfdata_event_id(0));
}

/* With its NUL, padded to 8 bytes. */
static void put_padded_path(struct wp_str *out, const char *path)
{
	size_t n = strnlen(path, PATH_BYTES - 8);

	wp_str_append(out, path, n);
	wp_str_pad(out, '\0', 8 - n % 8);
}

static void put_map(struct wp_str *out, const struct wp_record *record)
{
	const struct wp_record_map *map = &record->map;
	bool has_id = map->build_id_len > 0;
	uint16_t mode = map->kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	uint16_t data = map->data ? PERF_RECORD_MISC_MMAP_DATA : 0;
	size_t at = begin_file_record(out, PERF_RECORD_MMAP2,
				      mode | data | (has_id ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0));
	uint8_t id[24] = {map->build_id_len};

	wp_perfdata_put_u32(out, map->kernel ? UINT32_MAX : record->pid);
	wp_perfdata_put_u32(out, map->kernel ? 0 : record->tid);
	wp_perfdata_put_u64(out, map->start.v);
	wp_perfdata_put_u64(out, map->len);
	wp_perfdata_put_u64(out, map->pgoff.v);
	if (has_id) {
		memcpy(id + 4, map->build_id, map->build_id_len);
		wp_str_append(out, (const char *)id, sizeof(id));
	} else {
		wp_perfdata_put_u32(out, map->dev_major);
		wp_perfdata_put_u32(out, map->dev_minor);
		wp_perfdata_put_u64(out, map->inode);
		wp_perfdata_put_u64(out, 0);
	}
	wp_perfdata_put_u32(out, map->data ? 1 : 5); /* PROT_READ, PROT_EXEC */
	wp_perfdata_put_u32(out, 2);		     /* MAP_PRIVATE */
	put_padded_path(out, map->path);
	put_trailer(out, record);
	end(out, at);
}

static void put_comm(struct wp_str *out, const struct wp_record *record)
{
	size_t at = begin_file_record(out, PERF_RECORD_COMM,
				      record->comm.exec ? PERF_RECORD_MISC_COMM_EXEC : 0);

	wp_perfdata_put_u32(out, record->pid);
	wp_perfdata_put_u32(out, record->tid);
	put_padded_path(out, record->comm.name);
	put_trailer(out, record);
	end(out, at);
}

/* EXIT names the thread's own process as its parent, which nobody reads. */
static void put_task_record(struct wp_str *out, const struct wp_record *record)
{
	bool fork = record->kind == WP_RECORD_FORK;
	size_t at = begin_file_record(out, fork ? PERF_RECORD_FORK : PERF_RECORD_EXIT, 0);

	wp_perfdata_put_u32(out, record->pid);
	wp_perfdata_put_u32(out, fork ? record->fork.parent_pid : record->pid);
	wp_perfdata_put_u32(out, record->tid);
	wp_perfdata_put_u32(out, fork ? record->fork.parent_tid : record->tid);
	wp_perfdata_put_u64(out, record->time_ns);
	put_trailer(out, record);
	end(out, at);
}

static void put_lost(struct wp_str *out, const struct wp_record *record)
{
	size_t at = begin_file_record(out, PERF_RECORD_LOST, 0);

	wp_perfdata_put_u64(out, wp_perfdata_event_id(0));
	wp_perfdata_put_u64(out, record->lost.count);
	put_trailer(out, record);
	end(out, at);
}

static void put_throttle(struct wp_str *out, const struct wp_record *record)
{
	size_t at = begin_file_record(out, PERF_RECORD_THROTTLE, 0);

	wp_perfdata_put_u64(out, record->time_ns);
	wp_perfdata_put_u64(out, wp_perfdata_event_id(0));
	wp_perfdata_put_u64(out, wp_perfdata_event_id(0));
	put_trailer(out, record);
	end(out, at);
}

/* The kernel's id, the path below the mount. */
static void put_cgroup_record(struct wp_str *out, const struct wp_record *record)
{
	size_t at = begin_file_record(out, PERF_RECORD_CGROUP, 0);

	wp_perfdata_put_u64(out, record->cgroup.id);
	put_padded_path(out, record->cgroup.path);
	put_trailer(out, record);
	end(out, at);
}

/* What the kernel said, and behind AUXTRACE (size offset reference index tid cpu reserved) the
 * bytes themselves, which its size does not include. */
static void put_traced(struct wp_str *out, const struct wp_record *record)
{
	const struct wp_record_aux *aux = &record->aux;
	size_t at = begin_file_record(out, PERF_RECORD_AUX, 0);

	wp_perfdata_put_u64(out, aux->offset);
	wp_perfdata_put_u64(out, aux->n);
	wp_perfdata_put_u64(out, aux->flags);
	put_trailer(out, record);
	end(out, at);
	if (!aux->n)
		return;
	at = begin_file_record(out, WP_PERFDATA_AUXTRACE, 0);
	wp_perfdata_put_u64(out, aux->n);
	wp_perfdata_put_u64(out, aux->offset);
	wp_perfdata_put_u64(out, 0);
	wp_perfdata_put_u32(out, record->cpu);
	wp_perfdata_put_u32(out, UINT32_MAX);
	wp_perfdata_put_u32(out, record->cpu);
	wp_perfdata_put_u32(out, 0);
	end(out, at);
	wp_str_append(out, (const char *)aux->bytes, (size_t)aux->n);
}

/* As if the one before had been switched out for it: pid tid of the next one. */
static void put_running(struct wp_str *out, const struct wp_record *record)
{
	size_t at =
		begin_file_record(out, PERF_RECORD_SWITCH_CPU_WIDE, PERF_RECORD_MISC_SWITCH_OUT);

	wp_perfdata_put_u32(out, record->pid);
	wp_perfdata_put_u32(out, record->tid);
	put_trailer(out, record);
	end(out, at);
}

/* TIME_CONV: shift mult zero cycles mask is_zero:8 is_short:8; AUXTRACE_INFO: type reserved pmu
 * per_cpu. */
void wp_perfdata_put_trace_info(struct wp_str *out, uint32_t pmu_type,
				const struct wp_perf_aux_clock *clock)
{
	const char caps[8] = {1, clock->is_short};
	size_t at;

	if (clock->mult) {
		at = begin_file_record(out, WP_PERF_AUX_CLOCK, 0);
		wp_perfdata_put_u64(out, clock->shift);
		wp_perfdata_put_u64(out, clock->mult);
		wp_perfdata_put_u64(out, clock->zero);
		wp_perfdata_put_u64(out, clock->cycles);
		wp_perfdata_put_u64(out, clock->mask);
		wp_str_append(out, caps, sizeof(caps));
		end(out, at);
	}
	at = begin_file_record(out, WP_PERF_AUX_INFO, 0);
	wp_perfdata_put_u32(out, WP_PERF_AUX_ARM_SPE);
	wp_perfdata_put_u32(out, 0);
	wp_perfdata_put_u64(out, pmu_type);
	wp_perfdata_put_u64(out, 1);
	end(out, at);
}

void wp_perfdata_put_record(struct wp_str *out, const struct wp_record *record)
{
	switch (record->kind) {
	case WP_RECORD_MAP: put_map(out, record); break;
	case WP_RECORD_COMM: put_comm(out, record); break;
	case WP_RECORD_FORK:
	case WP_RECORD_EXIT: put_task_record(out, record); break;
	case WP_RECORD_LOST: put_lost(out, record); break;
	case WP_RECORD_THROTTLE: put_throttle(out, record); break;
	case WP_RECORD_CGROUP: put_cgroup_record(out, record); break;
	case WP_RECORD_AUX: put_traced(out, record); break;
	case WP_RECORD_RUNS: put_running(out, record); break;
	default: break;
	}
}

static uint16_t misc_of(enum wp_cpumode mode)
{
	switch (mode) {
	case WP_MODE_USER: return PERF_RECORD_MISC_USER;
	case WP_MODE_KERNEL: return PERF_RECORD_MISC_KERNEL;
	default: return PERF_RECORD_MISC_HYPERVISOR;
	}
}

/* The kernel's part and the user's, each with its mark in front. */
static void put_chain(struct wp_str *out, const uint64_t *frames, size_t n_kernel, size_t n,
		      size_t room)
{
	size_t n_user;

	if (n > WP_PERFDATA_CHAIN_MAX - room)
		n = WP_PERFDATA_CHAIN_MAX - room;
	if (n_kernel > n)
		n_kernel = n;
	n_user = n - n_kernel;
	wp_perfdata_put_u64(out, n + (n_kernel > 0) + (n_user > 0));
	if (n_kernel)
		wp_perfdata_put_u64(out, PERF_CONTEXT_KERNEL);
	wp_str_append(out, (const char *)frames, n_kernel * sizeof(*frames));
	if (n_user)
		wp_perfdata_put_u64(out, PERF_CONTEXT_USER);
	wp_str_append(out, (const char *)(frames + n_kernel), n_user * sizeof(*frames));
}

/* u32 size, so many bytes; the size makes it a multiple of 8, as the kernel's does. */
static size_t padded_payload(const struct wp_record_sample *sample)
{
	return (sizeof(uint32_t) + sample->payload_bytes + 7) / 8 * 8 - sizeof(uint32_t);
}

/* The abi and values of registers, in words. */
static size_t regs_room(const struct wp_perfdata_style *style, enum wp_data_part part,
			uint64_t mask)
{
	return style->carried & part ? 1 + (size_t)__builtin_popcountll(mask) : 0;
}

static size_t n_branches(const struct wp_record_sample *sample)
{
	return sample->data ? sample->data->n_branches : 0;
}

/* In frames of the chain before it. */
static size_t payload_room(const struct wp_record *sample, const struct wp_perfdata_style *style)
{
	size_t room = style->payloads ? padded_payload(&sample->sample) / 8 + 1 : 0;

	room += (size_t)__builtin_popcountll(wp_perf_data_bits(style->carried));
	room += style->carried & WP_DATA_BRANCHES ? 1 + 3 * n_branches(&sample->sample) : 0;
	room += regs_room(style, WP_DATA_USER_REGS, style->regs_user) +
		regs_room(style, WP_DATA_INTR_REGS, style->regs_intr);

	return room < WP_PERFDATA_CHAIN_MAX ? room : WP_PERFDATA_CHAIN_MAX;
}

static void put_payload(struct wp_str *out, const struct wp_record_sample *sample)
{
	size_t padded = padded_payload(sample);

	wp_perfdata_put_u32(out, (uint32_t)padded);
	if (sample->payload_bytes)
		wp_str_append(out, (const char *)sample->payload, sample->payload_bytes);
	wp_str_pad(out, '\0', padded - sample->payload_bytes);
}

/* 0 for what this sample does not have. */
static void put_part(struct wp_str *out, const struct wp_perfdata_style *style,
		     enum wp_data_part part, uint64_t value)
{
	if (style->carried & part)
		wp_perfdata_put_u64(out, value);
}

/* abi 0: none, which is what a sample has that was taken with others than the file's. */
static void put_sample_regs(struct wp_str *out, const struct wp_perfdata_style *style,
			    enum wp_data_part part, uint64_t mask, const struct wp_data_regs *regs)
{
	bool here = regs->abi && regs->mask == mask;

	if (!(style->carried & part))
		return;
	wp_perfdata_put_u64(out, here ? regs->abi : 0);
	if (here)
		wp_str_append(out, (const char *)regs->values,
			      8 * (size_t)__builtin_popcountll(mask));
}

/* nr {from to flags}[nr] */
static void put_branches(struct wp_str *out, const struct wp_sample_data *data,
			 const struct wp_perfdata_style *style)
{
	if (!(style->carried & WP_DATA_BRANCHES))
		return;
	wp_perfdata_put_u64(out, data->n_branches);
	if (data->n_branches)
		wp_str_append(out, (const char *)data->branches,
			      data->n_branches * sizeof(*data->branches));
}

/* What stands behind the stack. */
static void put_data(struct wp_str *out, const struct wp_sample_data *data,
		     const struct wp_perfdata_style *style)
{
	uint64_t stages = (uint64_t)data->latency << 32 | (uint64_t)data->stage << 48;

	put_branches(out, data, style);
	put_sample_regs(out, style, WP_DATA_USER_REGS, style->regs_user, &data->user_regs);
	put_part(out, style, WP_DATA_WEIGHT,
		 style->carried & WP_DATA_LATENCY ? (data->weight & UINT32_MAX) | stages
						  : data->weight);
	put_part(out, style, WP_DATA_SRC, data->src);
	put_sample_regs(out, style, WP_DATA_INTR_REGS, style->regs_intr, &data->intr_regs);
	put_part(out, style, WP_DATA_PHYS_ADDR, data->phys_addr);
	put_part(out, style, WP_DATA_CGROUP, data->cgroup);
	put_part(out, style, WP_DATA_PAGE, data->data_page_bytes);
	put_part(out, style, WP_DATA_CODE_PAGE, data->code_page_bytes);
}

void wp_perfdata_put_sample(struct wp_str *out, const struct wp_record *sample,
			    const struct wp_perfdata_style *style, const uint64_t *frames,
			    size_t n_kernel, size_t n)
{
	static const struct wp_sample_data nothing = {0};
	const struct wp_sample_data *data = sample->sample.data ? sample->sample.data : &nothing;
	size_t at = begin_file_record(out, PERF_RECORD_SAMPLE, misc_of(sample->sample.mode));

	wp_perfdata_put_u64(out, wp_perfdata_event_id(sample->sample.event));
	wp_perfdata_put_u64(out, sample->sample.ip.v);
	wp_perfdata_put_u32(out, sample->pid);
	wp_perfdata_put_u32(out, sample->tid);
	wp_perfdata_put_u64(out, sample->time_ns);
	put_part(out, style, WP_DATA_ADDR, data->addr);
	wp_perfdata_put_u32(out, sample->cpu);
	wp_perfdata_put_u32(out, 0);
	wp_perfdata_put_u64(out, sample->sample.period);
	if (style->stacks)
		put_chain(out, frames, n_kernel, n, payload_room(sample, style));
	if (style->payloads)
		put_payload(out, &sample->sample);
	put_data(out, data, style);
	end(out, at);
}

void wp_perfdata_put_mark(struct wp_str *out, uint32_t type)
{
	end(out, begin_file_record(out, type, 0));
}

void wp_perfdata_put_compressed(struct wp_str *out, const void *bytes, size_t n)
{
	size_t at = begin_file_record(out, WP_PERFDATA_COMPRESSED_RECORD, 0);

	wp_str_append(out, bytes, n);
	end(out, at);
}

void wp_perfdata_put_string(struct wp_str *out, const char *s)
{
	size_t n = strlen(s) + 1, padded = (n + NAME_BYTES - 1) / NAME_BYTES * NAME_BYTES;

	wp_perfdata_put_u32(out, (uint32_t)padded);
	wp_str_append(out, s, n);
	wp_str_pad(out, '\0', padded - n);
}

void wp_perfdata_put_strings(struct wp_str *out, char *const *strings, uint32_t n)
{
	wp_perfdata_put_u32(out, n);
	for (uint32_t i = 0; i < n; i++)
		wp_perfdata_put_string(out, strings[i]);
}

/* pid (any), the id, its size, the path padded with its NUL; see wp_perfdata_build_id_read() */
void wp_perfdata_put_build_id(struct wp_str *out, const struct wp_perfdata_build_id *id,
			      bool kernel)
{
	uint16_t mode = kernel ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;
	size_t at = begin_file_record(out, WP_PERFDATA_BUILD_ID, mode | MISC_BUILD_ID_SIZE);
	size_t n = strnlen(id->path, PATH_BYTES - NAME_BYTES);
	uint8_t bytes[24] = {[20] = id->len};

	memcpy(bytes, id->id, id->len);
	wp_perfdata_put_u32(out, UINT32_MAX);
	wp_str_append(out, (const char *)bytes, sizeof(bytes));
	wp_str_append(out, id->path, n);
	wp_str_pad(out, '\0', NAME_BYTES - n % NAME_BYTES);
	end(out, at);
}

void wp_perfdata_put_desc(struct wp_str *out, const struct wp_event_set *events,
			  const struct wp_perfdata_style *style)
{
	wp_perfdata_put_u32(out, (uint32_t)events->events.n);
	wp_perfdata_put_u32(out, WP_PERFDATA_ATTR_BYTES);
	for (uint32_t i = 0; i < events->events.n; i++) {
		wp_perfdata_put_attr(out, &events->events.v[i], style);
		wp_perfdata_put_u32(out, 1);
		wp_perfdata_put_string(out, events->events.v[i].name);
		wp_perfdata_put_u64(out, wp_perfdata_event_id(i));
	}
}
