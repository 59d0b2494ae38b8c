/* recording: see recording.h. */
#include "source/recording.h"

#include "source/perf_merge.h"
#include "source/recording_head.h"

#include <stdlib.h>

/*
 * A round that is longer than any that perf record writes (a pass over the rings of all CPUs)
 * counts as finished, so that a file without marks does not end up in memory.
 */
#define ROUND_BYTES ((uint64_t)128 << 20)

struct recording {
	struct wp_source source;
	char *path;
	const struct wp_log *log;
	struct wp_recording_file file;
	struct wp_recording_head head;
	struct wp_recording_notes notes;
	struct wp_perf_merge merge;
	uint64_t at, end;     /* of what is still to be read */
	uint64_t round_bytes; /* of kernel records since the last round */
	uint64_t horizon_ns;  /* the youngest record of the rounds before the current one */
	uint64_t youngest_ns; /* of all records so far */
	uint64_t first_ns;    /* of the records delivered; 0: none had a time */
	uint64_t last_ns;
	uint64_t malformed;
	bool running;
};

static struct recording *self(const struct wp_source *source)
{
	return (struct recording *)source;
}

static struct wp_err *recording_start(struct wp_source *source)
{
	struct recording *r = self(source);

	wp_perf_merge_deinit(&r->merge);
	r->merge = (struct wp_perf_merge){0};
	wp_recording_file_rewind(&r->file);
	r->at = r->head.data.offset;
	r->end = r->at + r->head.data.size;
	r->round_bytes = r->horizon_ns = r->youngest_ns = 0;
	r->first_ns = r->last_ns = r->malformed = 0;
	wp_recording_notes_deinit(&r->notes);
	r->running = true;
	return NULL;
}

/* What stands before a sample is its own, whatever its time. */
static void give_note(struct recording *r, struct wp_record *record)
{
	if (record->kind != WP_RECORD_SAMPLE)
		return;
	if (record->sample.stack == &r->head.stack->raw)
		r->head.stack->raw.note = wp_recording_notes_of_sample(&r->notes);
}

/* perf gives records it made itself no time, or the largest: they came before all others. */
static void take_record(struct recording *r, const struct wp_perfdata_record *head,
			const uint8_t *bytes)
{
	const struct wp_perf_layout *layout = wp_recording_head_layout(&r->head, head, bytes);
	struct wp_record record;

	switch (wp_perf_record_parse(layout, bytes, head->size, &record)) {
	case WP_PERF_PARSED: break;
	case WP_PERF_MALFORMED: r->malformed++; return;
	default: return;
	}
	if (record.time_ns == UINT64_MAX)
		record.time_ns = 0;
	if (record.kind == WP_RECORD_MAP)
		wp_recording_head_identify(&r->head, &record.map);
	if (record.time_ns > r->youngest_ns)
		r->youngest_ns = record.time_ns;
	give_note(r, &record);
	wp_perf_merge_add(&r->merge, &record);
	if (record.kind == WP_RECORD_SAMPLE)
		wp_recording_notes_forget(&r->notes);
	r->round_bytes += head->size;
}

/*
 * perf record reads all rings once per round: what a ring held then is not older than what was read
 * in the round before. So one more round has to end before a round's records are in order.
 */
static struct wp_batch finish_round(struct recording *r)
{
	struct wp_batch batch = wp_perf_merge_take(&r->merge, r->horizon_ns);

	r->horizon_ns = r->youngest_ns;
	r->round_bytes = 0;
	return batch;
}

static struct wp_err *read_batch(struct recording *r, struct wp_batch *ret)
{
	struct wp_perfdata_record head;
	const uint8_t *bytes;

	wp_perf_merge_begin(&r->merge);
	do {
		TRY(wp_recording_file_record(&r->file, &r->at, r->end, &head, &bytes));
		if (!bytes) {
			*ret = wp_perf_merge_take(&r->merge, UINT64_MAX);
			ret->ended = ret->n == 0;
			return NULL;
		}
		if (head.type == WP_PERFDATA_NOTE_TYPE)
			wp_recording_notes_take(&r->notes, wp_perfdata_body(bytes, &head));
		else if (head.type < WP_PERFDATA_USER_TYPES)
			take_record(r, &head, bytes);
		if (head.type == WP_PERFDATA_FINISHED_ROUND || r->round_bytes >= ROUND_BYTES)
			*ret = finish_round(r);
	} while (ret->n == 0);
	return NULL;
}

static void note_times(struct recording *r, const struct wp_batch *batch)
{
	for (size_t i = 0; i < batch->n && !r->first_ns; i++)
		r->first_ns = batch->records[i].time_ns;
	if (batch->n)
		r->last_ns = batch->records[batch->n - 1].time_ns;
}

static struct wp_err *recording_next(struct wp_source *source, uint64_t until_ns,
				     struct wp_batch *ret)
{
	struct recording *r = self(source);
	struct wp_batch batch = {0};

	(void)until_ns;
	if (r->running)
		TRY(wp_err_prefix(read_batch(r, &batch), "%s", r->path));
	else
		batch.ended = true;
	note_times(r, &batch);
	*ret = batch;
	return NULL;
}

static struct wp_err *recording_counts(struct wp_source *source, struct wp_batch *ret)
{
	(void)source;
	*ret = (struct wp_batch){0};
	return NULL;
}

static struct wp_err *recording_stop(struct wp_source *source)
{
	self(source)->running = false;
	return NULL;
}

/* What the records delivered so far span. */
static uint64_t recording_elapsed_ns(struct wp_source *source)
{
	const struct recording *r = self(source);

	return r->first_ns && r->last_ns > r->first_ns ? r->last_ns - r->first_ns : 0;
}

static void report_trouble(const struct recording *r)
{
	if (r->malformed)
		wp_log(r->log, WP_LOG_WARNING, "%s: %llu records could not be read", r->path,
		       (unsigned long long)r->malformed);
	if (r->notes.damaged)
		wp_log(r->log, WP_LOG_WARNING,
		       "%s: %llu notes about Python frames could not be read", r->path,
		       (unsigned long long)r->notes.damaged);
	if (r->merge.late)
		wp_log(r->log, WP_LOG_VERBOSE, "%s: %llu records came too late to be put in order",
		       r->path, (unsigned long long)r->merge.late);
}

static void recording_close(struct wp_source *source)
{
	struct recording *r = self(source);

	report_trouble(r);
	wp_perf_merge_deinit(&r->merge);
	wp_recording_notes_deinit(&r->notes);
	wp_recording_head_deinit(&r->head);
	wp_recording_file_deinit(&r->file);
	free(r->path);
	free(r);
}

static const struct wp_source_ops recording_ops = {
	.name = "recording",
	.start = recording_start,
	.next = recording_next,
	.counts = recording_counts,
	.stop = recording_stop,
	.elapsed_ns = recording_elapsed_ns,
	.close = recording_close,
};

struct wp_err *wp_recording_open(const char *path, const struct wp_log *log, struct wp_source **ret)
{
	struct wp_recording_file file;
	struct recording *r;
	struct wp_err *err;

	TRY(wp_recording_file_open(path, &file));
	r = wp_calloc(1, sizeof(*r));
	r->source.ops = &recording_ops;
	r->path = wp_strdup(path);
	r->log = log;
	r->file = file;
	err = wp_recording_head_read(&r->file, &r->head);
	if (err) {
		recording_close(&r->source);
		return wp_err_prefix(err, "%s", path);
	}
	if (r->head.cut)
		wp_log(log, WP_LOG_WARNING,
		       "%s: the recording was cut short; what there is of it is read", path);
	*ret = &r->source;
	return NULL;
}

const struct wp_event_set *wp_recording_events(const struct wp_source *source)
{
	return &self(source)->head.events;
}

const struct wp_recording_head *wp_recording_head(const struct wp_source *source)
{
	return &self(source)->head;
}

uint64_t wp_recording_unix_ns(const struct wp_source *source, uint64_t time_ns)
{
	const struct wp_perfdata_clock *clock = &self(source)->head.clock;

	return clock->unix_ns ? clock->unix_ns + (time_ns - clock->record_ns) : 0;
}

const struct wp_recording_function *wp_recording_function(const struct wp_source *source,
							  uint32_t number)
{
	const struct wp_recording_notes *notes = &self(source)->notes;

	return number < notes->functions.n && notes->functions.v[number].told
		       ? &notes->functions.v[number]
		       : NULL;
}

const struct wp_perfdata_run *wp_recording_run(const struct wp_source *source)
{
	return &self(source)->notes.run;
}
