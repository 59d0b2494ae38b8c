/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_spe: see recording_spe.h. */
#include "recording/recording_spe.h"

#include "base/mem.h"
#include "recording/recording_spe_buffer.h"

#include <stdlib.h>

#define INFO_WITHIN 64 /* records from the beginning: perf writes it among the first */
#define BUFFERS_MAX 4096
#define SLICE_NS    1000000
#define SLICE_MOST  ((size_t)32 << 10) /* records that wait at once, about */

/* An AUX record. */
struct told {
	struct wp_recording_spe_told aux;
	uint32_t cpu;
};

struct index {
	struct wp_recording_file *file;
	struct wp_recording_head *head;
	struct wp_recording_spe *spe;
	uint8_t *info_bytes;	      /* NULL: none was seen */
	struct wp_perf_aux_info info; /* points into them */
	WP_VEC(struct told) told;
};

/* What core it was: of a recording of all CPUs alike the feature CPUID says it. */
static uint64_t midr_of(const struct index *index, uint32_t cpu)
{
	uint64_t midr;

	if (wp_perf_aux_info_midr(&index->info, cpu, &midr))
		return midr;
	return index->head->cpuid ? strtoull(index->head->cpuid, NULL, 16) : 0;
}

static uint64_t key_of_buffer(uint32_t cpu, uint32_t tid)
{
	return cpu == UINT32_MAX ? UINT64_C(1) << 32 | tid : cpu;
}

static struct wp_recording_spe_buffer *find_buffer(const struct wp_recording_spe *spe, uint32_t cpu,
						   uint32_t tid)
{
	const uint64_t *at = wp_map_get(&spe->buffer_of, key_of_buffer(cpu, tid));

	return at ? spe->buffers.v[*at] : NULL;
}

static struct wp_recording_spe_buffer *add_buffer(struct index *index, uint32_t cpu, uint32_t tid)
{
	struct wp_recording_spe *spe = index->spe;
	struct wp_recording_spe_buffer *ret =
		wp_recording_spe_buffer_new(cpu, tid, midr_of(index, cpu));

	*wp_map_put(&spe->buffer_of, key_of_buffer(cpu, tid)) = spe->buffers.n;
	wp_vec_push(&spe->buffers, ret);
	return ret;
}

/* Each buffer has a window of its own, so that there may only be so many. */
static void take_chunk(struct index *index, struct wp_bytes body, uint64_t at)
{
	struct wp_recording_spe_buffer *buffer;
	struct wp_perf_aux_chunk chunk;

	if (!wp_perf_aux_chunk_read(body, &chunk) || chunk.size > index->file->size)
		return;
	buffer = find_buffer(index->spe, chunk.cpu, chunk.tid);
	if (!buffer && index->spe->buffers.n < BUFFERS_MAX)
		buffer = add_buffer(index, chunk.cpu, chunk.tid);
	if (buffer)
		wp_recording_spe_buffer_add(buffer, at, chunk.offset, chunk.size);
	else
		index->spe->sums.left_out += chunk.size;
}

static void take_aux(struct index *index, const struct wp_perfdata_record *head,
		     const uint8_t *bytes)
{
	const struct wp_perf_layout *layout = wp_recording_head_layout(index->head, bytes);
	struct wp_recording_spe_sums *sums = &index->spe->sums;
	struct wp_record ids;
	struct wp_perf_aux aux;

	if (!wp_perf_aux_read(wp_perfdata_body(bytes, head), &aux) ||
	    !wp_perf_record_ids(layout, bytes, head->size, &ids))
		return;
	sums->truncated += aux.flags & WP_PERF_AUX_TRUNCATED ? 1 : 0;
	sums->partial += aux.flags & WP_PERF_AUX_PARTIAL ? 1 : 0;
	sums->collisions += aux.flags & WP_PERF_AUX_COLLISION ? 1 : 0;
	wp_vec_push(&index->told,
		    (struct told){{aux.offset, aux.size, ids.time_ns, ids.pid, ids.tid}, ids.cpu});
}

static void take_info(struct index *index, struct wp_bytes body)
{
	if (index->info_bytes)
		return;
	index->info_bytes = wp_calloc(body.size + 1, 1);
	memcpy(index->info_bytes, body.data, body.size);
	index->spe->active =
		wp_perf_aux_info_read(wp_bytes_of(index->info_bytes, body.size), &index->info) &&
		index->info.tracer == WP_PERF_AUX_ARM_SPE;
}

static void index_record(struct index *index, const struct wp_perfdata_record *head,
			 const uint8_t *bytes, uint64_t at)
{
	switch (head->type) {
	case WP_PERF_AUX_INFO: take_info(index, wp_perfdata_body(bytes, head)); break;
	case WP_PERF_AUX_CLOCK:
		(void)wp_perf_aux_clock_read(wp_perfdata_body(bytes, head), &index->spe->clock);
		break;
	case WP_PERF_AUX: take_aux(index, head, bytes); break;
	case WP_PERFDATA_AUXTRACE:
		if (index->spe->active)
			take_chunk(index, wp_perfdata_body(bytes, head), at - head->trailing);
		break;
	default: break;
	}
}

/* Of a recording that has none only the beginning is looked at. */
static struct wp_err *read_index(struct index *index)
{
	const struct wp_perfdata_section *data = &index->head->data;
	uint64_t at = data->offset, n = 0;
	struct wp_perfdata_record head;
	const uint8_t *bytes;

	while (n++ < INFO_WITHIN || index->spe->active) {
		TRY(wp_recording_file_record(index->file, &at, data->offset + data->size, &head,
					     &bytes));
		if (!bytes)
			return NULL;
		index_record(index, &head, bytes, at);
	}
	return NULL;
}

/* AUX records do not say whose buffer they are of: the CPU's, if there is one. */
static void hand_out_told(const struct index *index)
{
	wp_vec_each (struct told, told, &index->told) {
		struct wp_recording_spe_buffer *buffer =
			find_buffer(index->spe, told->cpu, UINT32_MAX);

		if (!buffer)
			buffer = find_buffer(index->spe, UINT32_MAX, told->aux.tid);
		if (buffer)
			wp_recording_spe_buffer_tell(buffer, &told->aux);
	}
}

/* Without an event that these samples could be of, nothing is made of them. */
static void find_event(const struct index *index)
{
	struct wp_recording_spe *spe = index->spe;

	for (size_t i = 0; i < index->head->attrs.n; i++) {
		if (index->head->attrs.v[i].type != index->info.pmu_type)
			continue;
		spe->event = (uint32_t)i;
		spe->period = index->head->attrs.v[i].period;
		return;
	}
	spe->active = false;
}

void wp_recording_spe_open(struct wp_recording_file *file, struct wp_recording_head *head,
			   struct wp_recording_spe *ret)
{
	struct index index = {.file = file, .head = head, .spe = ret};

	wp_recording_file_rewind(file);
	wp_err_free(read_index(&index)); /* whoever reads the records meets it again */
	if (ret->active)
		find_event(&index);
	if (ret->active)
		hand_out_told(&index);
	wp_recording_file_rewind(file);
	wp_vec_deinit(&index.told);
	free(index.info_bytes);
}

void wp_recording_spe_rewind(struct wp_recording_spe *spe)
{
	for (size_t i = 0; i < spe->buffers.n; i++)
		wp_recording_spe_buffer_rewind(spe->buffers.v[i]);
	wp_map_deinit(&spe->on_cpu);
	wp_map_deinit(&spe->pid_of_tid);
	spe->slice_ns = SLICE_NS;
	spe->sums.records = spe->sums.damaged = 0;
}

/* The time of the oldest record that was not added; UINT64_MAX: none is left. */
static struct wp_err *find_oldest(struct wp_recording_spe *spe,
				  const struct wp_recording_file *file, uint64_t *ret)
{
	uint64_t oldest = UINT64_MAX, ns;

	for (size_t i = 0; i < spe->buffers.n; i++) {
		TRY(wp_recording_spe_buffer_time(spe->buffers.v[i], file, &spe->clock, &ns));
		oldest = ns < oldest ? ns : oldest;
	}
	*ret = oldest;
	return NULL;
}

static struct wp_err *add_until(struct wp_recording_spe *spe, const struct wp_recording_file *file,
				uint64_t until_ns, struct wp_recording_queue *queue, size_t *ret_n)
{
	struct wp_recording_spe_entry entry;
	uint64_t ns;

	for (size_t i = 0; i < spe->buffers.n; i++) {
		struct wp_recording_spe_buffer *buffer = spe->buffers.v[i];

		for (;;) {
			TRY(wp_recording_spe_buffer_time(buffer, file, &spe->clock, &ns));
			if (ns > until_ns || ns == UINT64_MAX)
				break;
			wp_recording_spe_buffer_take(buffer, &entry, &spe->sums);
			(*ret_n)++;
			if (entry.sample.has)
				wp_recording_queue_add(queue, ns, (const uint8_t *)&entry,
						       sizeof(entry), NULL);
		}
	}
	return NULL;
}

struct wp_err *wp_recording_spe_read(struct wp_recording_spe *spe,
				     const struct wp_recording_file *file, uint64_t until_ns,
				     struct wp_recording_queue *queue, uint64_t *ret_ns)
{
	uint64_t oldest, to = until_ns;
	size_t n = 0;

	TRY(find_oldest(spe, file, &oldest));
	if (oldest <= until_ns && oldest != UINT64_MAX) {
		if (until_ns - oldest > spe->slice_ns)
			to = oldest + spe->slice_ns;
		TRY(add_until(spe, file, to, queue, &n));
	}
	if (n > SLICE_MOST && spe->slice_ns > 1)
		spe->slice_ns /= 2;
	else if (n < SLICE_MOST / 4 && spe->slice_ns < UINT64_MAX / 4)
		spe->slice_ns *= 2;
	*ret_ns = to;
	return NULL;
}

bool wp_recording_spe_wants(const struct wp_recording_spe *spe, const struct wp_perf_layout *layout,
			    const uint8_t *bytes, size_t size, uint64_t *ret_ns)
{
	struct wp_record ids;
	uint32_t type = wp_u32_at(bytes);

	if (!spe->active || (type != WP_PERF_ITRACE_START && type != WP_PERF_SWITCH &&
			     type != WP_PERF_SWITCH_CPU_WIDE))
		return false;
	if (!wp_perf_record_ids(layout, bytes, size, &ids))
		return false;
	*ret_ns = ids.time_ns;
	return true;
}

void wp_recording_spe_take(struct wp_recording_spe *spe, const struct wp_perf_layout *layout,
			   const uint8_t *bytes, size_t size)
{
	struct wp_record ids;

	if (!wp_perf_record_ids(layout, bytes, size, &ids) || !wp_perf_aux_runs(bytes, size, &ids))
		return;
	if (ids.cpu != WP_ANY_CPU)
		*wp_map_put(&spe->on_cpu, ids.cpu) = (uint64_t)ids.pid << 32 | ids.tid;
	*wp_map_put(&spe->pid_of_tid, ids.tid) = ids.pid;
}

void wp_recording_spe_learn(struct wp_recording_spe *spe, const struct wp_record *record)
{
	if (record->kind == WP_RECORD_COMM || record->kind == WP_RECORD_FORK ||
	    record->kind == WP_RECORD_MAP)
		*wp_map_put(&spe->pid_of_tid, record->tid) = record->pid;
}

static void set_thread(const struct wp_recording_spe *spe, struct wp_recording_spe_entry entry,
		       struct wp_record *ret)
{
	const uint64_t *on_cpu = wp_map_get(&spe->on_cpu, entry.cpu), *pid;

	if (!entry.has_thread && on_cpu) {
		ret->pid = (uint32_t)(*on_cpu >> 32);
		ret->tid = (uint32_t)*on_cpu;
		return;
	}
	pid = wp_map_get(&spe->pid_of_tid, entry.tid);
	ret->tid = entry.tid;
	ret->pid = entry.has_pid ? entry.pid : pid ? (uint32_t)*pid : entry.tid;
}

void wp_recording_spe_sample(const struct wp_recording_spe *spe, const uint8_t *bytes,
			     struct wp_record *ret, struct wp_sample_data *ret_data)
{
	struct wp_recording_spe_entry entry;

	memcpy(&entry, bytes, sizeof(entry));
	*ret = (struct wp_record){
		.kind = WP_RECORD_SAMPLE,
		.cpu = entry.cpu,
		.sample = {.event = spe->event, .period = spe->period},
	};
	wp_spe_sample_put(&entry.sample, ret, spe->wants_data ? ret_data : NULL);
	set_thread(spe, entry, ret);
}

void wp_recording_spe_deinit(struct wp_recording_spe *spe)
{
	for (size_t i = 0; i < spe->buffers.n; i++)
		wp_recording_spe_buffer_free(spe->buffers.v[i]);
	wp_vec_deinit(&spe->buffers);
	wp_map_deinit(&spe->buffer_of);
	wp_map_deinit(&spe->on_cpu);
	wp_map_deinit(&spe->pid_of_tid);
}
