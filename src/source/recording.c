/* recording: see recording.h. */
#include "source/recording.h"

#include "source/recording_batch.h"
#include "source/recording_head.h"
#include "source/recording_queue.h"

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
	struct wp_recording_queue queue;
	struct wp_recording_batch batch;
	uint64_t at, end;     /* of what is still to be read */
	uint64_t round_bytes; /* of kernel records since the last round */
	uint64_t horizon_ns;  /* the youngest record of the rounds before the current one */
	uint64_t youngest_ns; /* of all records so far */
	uint64_t first_ns;    /* of the records delivered; 0: none had a time */
	uint64_t last_ns;
	uint64_t malformed; /* before they came into the queue */
	bool running, at_end;
};

static struct recording *self(const struct wp_source *source)
{
	return (struct recording *)source;
}

static struct wp_err *recording_start(struct wp_source *source)
{
	struct recording *r = self(source);

	wp_recording_queue_deinit(&r->queue);
	wp_recording_file_rewind(&r->file);
	r->at = r->head.data.offset;
	r->end = r->at + r->head.data.size;
	r->round_bytes = r->horizon_ns = r->youngest_ns = 0;
	r->first_ns = r->last_ns = r->malformed = r->batch.malformed = 0;
	r->at_end = false;
	wp_recording_notes_deinit(&r->notes);
	r->running = true;
	return NULL;
}

/*
 * perf gives records it made itself no time, or the largest: they came before all others. What
 * stands before a sample is its own, whatever its time.
 */
static void take_record(struct recording *r, const struct wp_perfdata_record *head,
			const uint8_t *bytes)
{
	const struct wp_perf_layout *layout = wp_recording_head_layout(&r->head, head, bytes);
	bool is_sample = head->type == WP_PERF_RECORD_SAMPLE;
	uint64_t time_ns;

	switch (wp_perf_record_time(layout, bytes, head->size, &time_ns)) {
	case WP_PERF_PARSED: break;
	case WP_PERF_MALFORMED: r->malformed++; return;
	default: return;
	}
	if (time_ns == UINT64_MAX)
		time_ns = 0;
	if (time_ns > r->youngest_ns)
		r->youngest_ns = time_ns;
	wp_recording_queue_add(&r->queue, time_ns, bytes, head->size,
			       is_sample ? wp_recording_notes_of_sample(&r->notes) : NULL);
	if (is_sample)
		wp_recording_notes_forget(&r->notes);
	r->round_bytes += head->size;
}

/*
 * perf record reads all rings once per round: what a ring held then is not older than what was read
 * in the round before. So one more round has to end before a round's records are in order.
 */
static void finish_round(struct recording *r)
{
	wp_recording_queue_release(&r->queue, r->horizon_ns);
	r->horizon_ns = r->youngest_ns;
	r->round_bytes = 0;
}

/* Reads to the end of a round, or of the file. */
static struct wp_err *read_round(struct recording *r)
{
	struct wp_perfdata_record head;
	const uint8_t *bytes;

	for (;;) {
		TRY(wp_recording_file_record(&r->file, &r->at, r->end, &head, &bytes));
		if (!bytes) {
			wp_recording_queue_release(&r->queue, UINT64_MAX);
			r->at_end = true;
			return NULL;
		}
		if (head.type == WP_PERFDATA_NOTE_TYPE)
			wp_recording_notes_take(&r->notes, wp_perfdata_body(bytes, &head));
		else if (head.type < WP_PERFDATA_USER_TYPES)
			take_record(r, &head, bytes);
		if (head.type == WP_PERFDATA_FINISHED_ROUND || r->round_bytes >= ROUND_BYTES) {
			finish_round(r);
			return NULL;
		}
	}
}

static struct wp_err *read_batch(struct recording *r, struct wp_batch *ret)
{
	const struct wp_recording_entry *entries;
	size_t n;

	for (;;) {
		entries = wp_recording_queue_take(&r->queue, WP_RECORDING_BATCH, &n);
		wp_recording_batch_fill(&r->batch, &r->head, entries, n);
		if (r->batch.n || (!n && r->at_end))
			break;
		if (!n)
			TRY(read_round(r));
	}
	*ret = (struct wp_batch){r->batch.records, r->batch.n, .ended = r->batch.n == 0};
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
	if (r->malformed + r->batch.malformed)
		wp_log(r->log, WP_LOG_WARNING, "%s: %llu records could not be read", r->path,
		       (unsigned long long)(r->malformed + r->batch.malformed));
	if (r->notes.damaged)
		wp_log(r->log, WP_LOG_WARNING,
		       "%s: %llu notes about Python frames could not be read", r->path,
		       (unsigned long long)r->notes.damaged);
	if (r->queue.late)
		wp_log(r->log, WP_LOG_VERBOSE, "%s: %llu records came too late to be put in order",
		       r->path, (unsigned long long)r->queue.late);
}

static void recording_close(struct wp_source *source)
{
	struct recording *r = self(source);

	report_trouble(r);
	wp_recording_queue_deinit(&r->queue);
	wp_recording_batch_deinit(&r->batch);
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
