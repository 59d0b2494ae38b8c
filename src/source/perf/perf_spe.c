/* SPDX-License-Identifier: BSD-3-Clause */
/* perf_spe: see perf_spe.h. */
#include "source/perf/perf_spe.h"

#include "base/clock.h"
#include "event/event_spe.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* The bytes of a record on most cores, and how many operations a fast core does in a second. */
#define RECORD_BYTES	64
#define OPERATIONS_RATE 10000000000u
#define BUFFER_MAX	((uint64_t)4 << 20)
#define BUFFER_MIN	((uint64_t)64 << 10)
/* How long the kernel may keep what it has, and for how many events at most. */
#define FLUSH_NS       (100 * WP_NS_PER_MS)
#define FLUSH_COUNTERS 256

static bool is_traced(const struct wp_perf_set *set, const struct wp_perf_counter *counter)
{
	return counter->event != WP_PERF_DUMMY &&
	       set->options->events->events.v[counter->event].is_spe;
}

/* For the time between two flushes, and as much again. */
static uint64_t trace_bytes(const struct wp_event *event)
{
	uint64_t rate = OPERATIONS_RATE / (event->period ? event->period : 1) * RECORD_BYTES;
	uint64_t bytes = BUFFER_MIN;

	while (bytes < rate / 5 && bytes < BUFFER_MAX)
		bytes *= 2;
	return bytes;
}

/* Which core it is. */
static uint64_t midr_of_cpu(const struct wp_machine *machine, uint32_t cpu)
{
	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		if (wp_pmu_is_spe(pmu) && wp_cpuset_has(&pmu->cpus, cpu))
			return pmu->midr;
	return machine->midr;
}

/* Smaller where this user may not lock so much. */
static struct wp_err *map_spe_buffer(struct wp_perf_set *set, size_t ring, int fd, uint64_t bytes,
				     struct wp_perf_spe_buffer *ret)
{
	struct perf_event_mmap_page *control = set->rings.v[ring].control;
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	void *p = MAP_FAILED;

	for (; bytes >= 2 * page; bytes /= 2) {
		control->aux_offset = page + set->rings.v[ring].size;
		control->aux_size = bytes;
		p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
			 (off_t)control->aux_offset);
		if (p != MAP_FAILED || (errno != EPERM && errno != ENOMEM))
			break;
	}
	if (p == MAP_FAILED)
		return wp_err_os(errno, "no memory for the buffers of Arm SPE "
					"(perf_event_mlock_kb, ulimit -l)");
	ret->bytes = p;
	ret->size = bytes;
	return NULL;
}

/* Events of one CPU share the buffer that the first one has. */
static struct wp_err *open_spe_buffer(struct wp_perf_set *set,
				      const struct wp_perf_counter *counter,
				      struct wp_perf_spe *spe)
{
	size_t ring = set->contexts.v.v[counter->context].ring;
	struct wp_perf_spe_buffer *buffer = &spe->buffers.v[ring];
	const struct wp_machine *machine = set->options->machine;

	if (buffer->bytes)
		return NULL;
	buffer->event = counter->event;
	buffer->family = wp_spe_source_family(midr_of_cpu(machine, set->rings.v[ring].cpu));
	wp_spe_decoder_init(&buffer->decoder, 0);
	return map_spe_buffer(set, ring, counter->fd,
			      trace_bytes(&set->options->events->events.v[counter->event]), buffer);
}

struct wp_err *wp_perf_spe_open(struct wp_perf_set *set, struct wp_perf_spe *ret)
{
	if (!set->mode.traced)
		return NULL;
	ret->on = true;
	ret->wide = set->mode.traced_wide;
	ret->keeps = set->options->keeps_traces;
	for (size_t i = 0; i < set->rings.n; i++)
		wp_vec_push(&ret->buffers, (struct wp_perf_spe_buffer){0});
	wp_vec_each (struct wp_perf_counter, counter, &set->counters)
		if (is_traced(set, counter))
			TRY(open_spe_buffer(set, counter, ret));
	if (set->options->trace_clock)
		ret->clock = *set->options->trace_clock;
	return NULL;
}

void wp_perf_spe_start(struct wp_perf_spe *spe, bool by_exec, uint64_t now_ns)
{
	spe->runs = !by_exec;
	spe->flushed_ns = now_ns;
}

/* Stopped and started, an event's buffer is told of. Its threads' children have it, too. */
void wp_perf_spe_flush(struct wp_perf_spe *spe, const struct wp_perf_set *set, uint64_t now_ns)
{
	uint64_t n = set->counters.n / FLUSH_COUNTERS + 1;

	if (!spe->on || !spe->runs || (!spe->full && now_ns - spe->flushed_ns < n * FLUSH_NS))
		return;
	wp_vec_each (struct wp_perf_counter, counter, &set->counters) {
		if (!is_traced(set, counter))
			continue;
		if (ioctl(counter->fd, PERF_EVENT_IOC_DISABLE, 0) == 0)
			(void)ioctl(counter->fd, PERF_EVENT_IOC_ENABLE, 0);
	}
	spe->flushed_ns = now_ns;
	spe->full = false;
}

static void give_piece_back(const struct wp_perf_set *set, size_t ring, uint64_t end)
{
	struct perf_event_mmap_page *control = set->rings.v[ring].control;
	uint64_t head = __atomic_load_n(&control->aux_head, __ATOMIC_ACQUIRE);

	/* The record comes right before the head moves. */
	__atomic_store_n(&control->aux_tail, end < head ? end : head, __ATOMIC_RELEASE);
}

/* Who had the CPU at that time: switches are in order, and so are most records. */
static struct wp_perf_spe_switch find_running(const struct wp_perf_spe_buffer *buffer,
					      const struct wp_record *ids, uint64_t time_ns)
{
	struct wp_perf_spe_switch ret = {0, ids->pid, ids->tid};

	for (size_t i = buffer->switches.n; i-- > 0;)
		if (buffer->switches.v[i].time_ns <= time_ns)
			return buffer->switches.v[i];
	return buffer->switches.n ? buffer->switches.v[0] : ret;
}

static void set_traced_thread(struct wp_perf_spe *spe, const struct wp_perf_spe_buffer *buffer,
			      const struct wp_spe_record *traced, const struct wp_record *ids,
			      struct wp_record *ret)
{
	struct wp_perf_spe_switch running;
	const uint64_t *pid;

	if (traced->has & WP_SPE_HAS_CONTEXT) {
		ret->tid = (uint32_t)traced->context;
		pid = wp_map_get(&spe->pid_of_tid, ret->tid);
		ret->pid = pid ? (uint32_t)*pid : ret->tid == ids->tid ? ids->pid : ret->tid;
		return;
	}
	ret->pid = ids->pid;
	ret->tid = ids->tid;
	if (!spe->wide)
		return;
	running = find_running(buffer, ids, ret->time_ns);
	ret->pid = running.pid;
	ret->tid = running.tid;
}

/* What a recording needs to find the thread again. */
static void tell_running(struct wp_perf_spe_buffer *buffer, const struct wp_record *sample,
			 struct wp_perf_merge *merge)
{
	struct wp_record runs = *sample;

	if (buffer->told && buffer->told_tid == sample->tid)
		return;
	runs.kind = WP_RECORD_RUNS;
	runs.time_ns -= runs.time_ns > 0;
	wp_perf_merge_add(merge, &runs);
	buffer->told = true;
	buffer->told_tid = sample->tid;
}

static void add_traced(struct wp_perf_spe *spe, const struct wp_perf_set *set,
		       struct wp_perf_spe_buffer *buffer, const struct wp_spe_record *traced,
		       const struct wp_record *ids, struct wp_perf_merge *merge)
{
	const struct wp_event *event = &set->options->events->events.v[buffer->event];
	struct wp_sample_data data;
	struct wp_spe_sample sample;
	struct wp_record record = {
		.kind = WP_RECORD_SAMPLE,
		.cpu = ids->cpu,
		.time_ns = ids->time_ns,
		.sample = {.event = buffer->event, .period = event->period},
	};

	spe->records++;
	if (!wp_spe_sample_read(traced, buffer->family, &sample)) {
		spe->damaged++;
		return;
	}
	if (traced->has & WP_SPE_HAS_TIMESTAMP && spe->clock.mult)
		record.time_ns = wp_perf_aux_clock_ns(&spe->clock, traced->timestamp);
	wp_spe_sample_put(&sample, &record, &data);
	set_traced_thread(spe, buffer, traced, ids, &record);
	if (spe->keeps && !(traced->has & WP_SPE_HAS_CONTEXT))
		tell_running(buffer, &record, merge);
	wp_perf_merge_add(merge, &record);
}

/* n bytes at an offset, in one piece. */
static const uint8_t *whole_piece(struct wp_perf_spe *spe, const struct wp_perf_spe_buffer *buffer,
				  uint64_t offset, uint64_t n)
{
	uint64_t at = offset & (buffer->size - 1), before_end = buffer->size - at;

	if (n <= before_end)
		return buffer->bytes + at;
	spe->scratch.len = 0;
	wp_str_append(&spe->scratch, (const char *)buffer->bytes + at, (size_t)before_end);
	wp_str_append(&spe->scratch, (const char *)buffer->bytes, (size_t)(n - before_end));
	return (const uint8_t *)spe->scratch.s;
}

static void decode_piece(struct wp_perf_spe *spe, const struct wp_perf_set *set,
			 struct wp_perf_spe_buffer *buffer, const struct wp_perf_aux *aux,
			 const struct wp_record *ids, struct wp_perf_merge *merge)
{
	const uint8_t *bytes = whole_piece(spe, buffer, aux->offset, aux->size);
	const struct wp_spe_record *traced;
	struct wp_record piece = *ids;

	if (aux->offset != buffer->end) {
		wp_spe_decoder_finish(&buffer->decoder);
		buffer->decoder.offset = aux->offset;
	}
	buffer->end = aux->offset + aux->size;
	wp_spe_decoder_feed(&buffer->decoder, bytes, (size_t)aux->size);
	while ((traced = wp_spe_decoder_next(&buffer->decoder)))
		add_traced(spe, set, buffer, traced, ids, merge);
	if (!spe->keeps)
		return;
	piece.kind = WP_RECORD_AUX;
	piece.aux = (struct wp_record_aux){bytes, aux->size, aux->offset, aux->flags};
	wp_perf_merge_add(merge, &piece);
}

/* Of a piece without bytes there are only the flags. */
static void tell_empty(const struct wp_perf_aux *aux, const struct wp_record *ids,
		       struct wp_perf_merge *merge)
{
	struct wp_record piece = *ids;

	piece.kind = WP_RECORD_AUX;
	piece.aux = (struct wp_record_aux){.offset = aux->offset, .flags = aux->flags};
	wp_perf_merge_add(merge, &piece);
}

/* Of the switches before it only the last one says something about what follows. */
static void forget_switches(struct wp_perf_spe_buffer *buffer)
{
	if (buffer->switches.n < 2)
		return;
	buffer->switches.v[0] = buffer->switches.v[buffer->switches.n - 1];
	buffer->switches.n = 1;
}

static void take_traced(struct wp_perf_spe *spe, const struct wp_perf_set *set, size_t ring,
			const struct wp_perf_aux *aux, const struct wp_record *ids,
			struct wp_perf_merge *merge)
{
	struct wp_perf_spe_buffer *buffer = &spe->buffers.v[ring];

	spe->truncated += aux->flags & WP_PERF_AUX_TRUNCATED ? 1 : 0;
	spe->partial += aux->flags & WP_PERF_AUX_PARTIAL ? 1 : 0;
	spe->collisions += aux->flags & WP_PERF_AUX_COLLISION ? 1 : 0;
	spe->runs = true;
	spe->full |= (aux->flags & WP_PERF_AUX_TRUNCATED) != 0;
	if (spe->keeps && !aux->size)
		tell_empty(aux, ids, merge);
	if (buffer->bytes && aux->size && aux->size <= buffer->size) {
		decode_piece(spe, set, buffer, aux, ids, merge);
		give_piece_back(set, ring, aux->offset + aux->size);
	} else if (aux->size) {
		spe->missed += aux->size;
	}
	forget_switches(buffer);
}

bool wp_perf_spe_take(struct wp_perf_spe *spe, const struct wp_perf_set *set,
		      const struct wp_perf_layout *layout, size_t ring, const void *bytes,
		      size_t size, struct wp_perf_merge *merge)
{
	uint32_t type = wp_u32_at(bytes);
	struct wp_perf_aux aux;
	struct wp_record ids;

	if (!spe->on || (type != WP_PERF_AUX && type != WP_PERF_ITRACE_START &&
			 type != WP_PERF_SWITCH && type != WP_PERF_SWITCH_CPU_WIDE))
		return false;
	if (!wp_perf_record_ids(layout, bytes, size, &ids))
		return type == WP_PERF_AUX;
	ids.cpu = set->rings.v[ring].cpu;
	if (type == WP_PERF_AUX) {
		if (wp_perf_aux_read(wp_bytes_of((const uint8_t *)bytes + 8, size - 8), &aux))
			take_traced(spe, set, ring, &aux, &ids, merge);
		return true;
	}
	spe->runs |= type == WP_PERF_ITRACE_START;
	if (wp_perf_aux_runs(bytes, size, &ids)) {
		if (spe->wide)
			wp_vec_push(&spe->buffers.v[ring].switches,
				    (struct wp_perf_spe_switch){ids.time_ns, ids.pid, ids.tid});
		*wp_map_put(&spe->pid_of_tid, ids.tid) = ids.pid;
	}
	return type == WP_PERF_ITRACE_START || !layout->switches;
}

void wp_perf_spe_learn(struct wp_perf_spe *spe, const struct wp_record *record)
{
	if (!spe->on)
		return;
	if (record->kind == WP_RECORD_COMM || record->kind == WP_RECORD_FORK)
		*wp_map_put(&spe->pid_of_tid, record->tid) = record->pid;
	spe->runs |= record->kind == WP_RECORD_COMM && record->comm.exec;
}

static void tell_spe_trouble(const struct wp_perf_spe *spe, const struct wp_log *log)
{
	if (spe->damaged)
		wp_log(log, WP_LOG_WARNING,
		       "%llu of %llu records of Arm SPE are damaged and left out",
		       (unsigned long long)spe->damaged, (unsigned long long)spe->records);
	if (spe->truncated || spe->partial)
		wp_log(log, WP_LOG_WARNING,
		       "what Arm SPE wrote has gaps: the buffer was full %llu times, %llu pieces "
		       "are partial; a longer interval (arm_spe_0//:N) writes less",
		       (unsigned long long)spe->truncated, (unsigned long long)spe->partial);
	if (spe->collisions)
		wp_log(log, WP_LOG_WARNING,
		       "Arm SPE left operations out in %llu pieces, as the one before was not done "
		       "when they were due",
		       (unsigned long long)spe->collisions);
	if (spe->missed)
		wp_log(log, WP_LOG_WARNING, "%llu bytes of Arm SPE could not be read",
		       (unsigned long long)spe->missed);
	if (spe->records && !spe->clock.mult)
		wp_log(log, WP_LOG_NOTE,
		       "the kernel does not tell what the timestamps of Arm SPE mean: times are "
		       "those at which it told of pieces of the buffer");
}

void wp_perf_spe_close(struct wp_perf_spe *spe, const struct wp_log *log)
{
	tell_spe_trouble(spe, log);
	wp_vec_each (struct wp_perf_spe_buffer, buffer, &spe->buffers) {
		if (buffer->bytes)
			munmap((void *)(uintptr_t)buffer->bytes, buffer->size);
		wp_vec_deinit(&buffer->switches);
	}
	wp_vec_deinit(&spe->buffers);
	wp_map_deinit(&spe->pid_of_tid);
	wp_str_deinit(&spe->scratch);
}
