/* SPDX-License-Identifier: BSD-3-Clause */
/* recording: see recording.h. */
#include "recording/recording.h"

#include "base/invariant.h"
#include "base/worker.h"
#include "format/perf/perf_record.h"
#include "recording/recording_reader.h"

#include <stdlib.h>

/*
 * Batches under way: with some more than two neither thread waits for the other where a batch took
 * it longer, and all of them still fit in the cache that both share.
 */
#define BATCHES 8

/* A smaller recording is read before a thread has begun to. */
#define SMALL_BYTES ((uint64_t)1 << 20)

struct recording;

/* A batch that is filled by the worker, or lent to whoever took it. */
struct load {
	struct wp_job job;
	struct recording *recording;
	struct wp_recording_batch batch;
	uint64_t at; /* in the file, behind what it was filled from */
	struct wp_err *err;
};

/* Only the worker touches the reader and a load whose job is not done. */
struct recording {
	struct wp_source source;
	char *path;
	const struct wp_log *log;
	struct wp_recording_reader reader;
	struct wp_worker *worker; /* NULL: loads are filled when they are taken */
	struct load *loads;	  /* filled in turn; NULL: never started */
	size_t n_loads;
	uint64_t at; /* in the file, behind the batches that were taken */
	size_t turn; /* of the load that comes next */
	bool lent;   /* the one before it is */
	bool running;
	bool no_stacks;
	struct wp_recording_functions functions; /* by number */
	struct wp_recording_notes ahead;	 /* of notes_ahead() */
	bool is_read_ahead;
	uint64_t first_ns; /* of the records delivered; 0: none had a time */
	uint64_t last_ns;
};

static struct recording *recording_self(const struct wp_source *source)
{
	return (struct recording *)source;
}

/* On the worker's thread. */
static void fill_batch(struct wp_job *job)
{
	struct load *load = (struct load *)job;
	struct wp_recording_reader *reader = &load->recording->reader;

	wp_recording_batch_clear(&load->batch, &reader->queue);
	load->err = wp_recording_reader_fill(reader, &load->batch);
	load->at = reader->at + reader->parts_bytes;
}

static void quit(struct recording *r)
{
	wp_worker_free(r->worker);
	r->worker = NULL;
	r->running = false;
	for (size_t i = 0; i < r->n_loads; i++) {
		wp_recording_batch_clear(&r->loads[i].batch, &r->reader.queue);
		wp_err_free(r->loads[i].err);
		r->loads[i].err = NULL;
	}
}

static uint64_t all_bytes(const struct recording *r)
{
	return r->reader.head.data.size + wp_recording_folder_bytes(&r->reader.folder);
}

static struct wp_err *recording_start(struct wp_source *source)
{
	struct recording *r = recording_self(source);

	quit(r);
	wp_recording_reader_start(&r->reader, r->no_stacks);
	wp_vec_deinit(&r->functions);
	r->first_ns = r->last_ns = 0;
	r->turn = 0;
	r->lent = false;
	r->running = true;
	if (all_bytes(r) >= SMALL_BYTES)
		r->worker = wp_worker_new();
	if (!r->loads) {
		r->n_loads = r->worker ? BATCHES : 1;
		r->loads = wp_calloc(r->n_loads, sizeof(*r->loads));
	}
	for (size_t i = 0; i < r->n_loads; i++) {
		r->loads[i].recording = r;
		r->loads[i].job.run = fill_batch;
		if (r->worker)
			wp_worker_add(r->worker, &r->loads[i].job);
	}
	return NULL;
}

/* Lends a batch to its thread again, to be filled when all others were. */
static void give_back(struct recording *r)
{
	size_t before = (r->turn + r->n_loads - 1) % r->n_loads;

	if (r->lent && r->worker)
		wp_worker_add(r->worker, &r->loads[before].job);
	r->lent = false;
}

/* The next batch, which may be empty; NULL behind the last one. */
static struct wp_err *take_loaded_batch(struct recording *r, const struct wp_recording_batch **ret)
{
	struct load *load = &r->loads[r->turn];
	struct wp_err *err;

	give_back(r);
	if (r->worker)
		wp_worker_wait(r->worker, &load->job);
	else
		fill_batch(&load->job);
	err = load->err;
	load->err = NULL;
	r->at = load->at;
	if (err || !load->batch.n_blocks) {
		quit(r);
		*ret = NULL;
		return err;
	}
	wp_assert(!r->lent);
	r->turn = (r->turn + 1) % r->n_loads;
	r->lent = true;
	wp_recording_notes_apply(&load->batch.told, &r->functions);
	*ret = &load->batch;
	return NULL;
}

static struct wp_err *read_batch(struct recording *r, struct wp_batch *ret)
{
	const struct wp_recording_batch *batch;

	do {
		TRY(take_loaded_batch(r, &batch));
	} while (batch && !batch->n);
	if (batch)
		*ret = (struct wp_batch){.records = batch->records, .n = batch->n};
	else
		ret->ended = true;
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
	struct recording *r = recording_self(source);
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
	quit(recording_self(source));
	return NULL;
}

/* What the records delivered so far span. */
static uint64_t recording_elapsed_ns(struct wp_source *source)
{
	const struct recording *r = recording_self(source);

	return r->first_ns && r->last_ns > r->first_ns ? r->last_ns - r->first_ns : 0;
}

/* What is missing of what Arm SPE wrote. */
static void report_spe(const struct recording *r)
{
	const struct wp_recording_spe_sums *sums = &r->reader.spe.sums;

	if (sums->damaged)
		wp_log(r->log, WP_LOG_WARNING,
		       "%s: %llu of %llu records of Arm SPE are damaged and left out", r->path,
		       (unsigned long long)sums->damaged, (unsigned long long)sums->records);
	if (sums->truncated || sums->partial)
		wp_log(r->log, WP_LOG_NOTE,
		       "%s: what Arm SPE wrote has gaps: the buffer was full %llu times, %llu "
		       "pieces have gaps",
		       r->path, (unsigned long long)sums->truncated,
		       (unsigned long long)sums->partial);
	if (sums->left_out)
		wp_log(r->log, WP_LOG_WARNING,
		       "%s: %llu bytes of Arm SPE are passed over: it has too many buffers",
		       r->path, (unsigned long long)sums->left_out);
	if (sums->collisions)
		wp_log(r->log, WP_LOG_NOTE,
		       "%s: Arm SPE left operations out in %llu pieces, as the one before was not "
		       "done (collisions): a larger -c has fewer of them",
		       r->path, (unsigned long long)sums->collisions);
}

static void report_file_trouble(const struct recording *r)
{
	const struct wp_recording_reader *reader = &r->reader;

	if (reader->malformed)
		wp_log(r->log, WP_LOG_WARNING, "%s: %llu records could not be read", r->path,
		       (unsigned long long)reader->malformed);
	if (reader->notes.damaged)
		wp_log(r->log, WP_LOG_WARNING,
		       "%s: %llu notes about Python frames could not be read", r->path,
		       (unsigned long long)reader->notes.damaged);
	if (reader->cut_parts)
		wp_log(r->log, WP_LOG_WARNING, "%s: cut short: files of records: %llu of %zu",
		       r->path, (unsigned long long)reader->cut_parts, reader->folder.parts.n);
	if (reader->spe.active)
		report_spe(r);
	if (reader->aux_bytes)
		wp_log(r->log, WP_LOG_NOTE,
		       "%s: %llu bytes of AUX data (what a processor traced: Intel PT, CoreSight "
		       "and others) are passed over; perf script --itrace decodes them",
		       r->path, (unsigned long long)reader->aux_bytes);
	if (reader->queue.late)
		wp_log(r->log, WP_LOG_VERBOSE, "%s: %llu records came too late to be put in order",
		       r->path, (unsigned long long)reader->queue.late);
}

static void recording_close(struct wp_source *source)
{
	struct recording *r = recording_self(source);

	quit(r);
	report_file_trouble(r);
	for (size_t i = 0; i < r->n_loads; i++)
		wp_recording_batch_deinit(&r->loads[i].batch);
	free(r->loads);
	wp_recording_reader_deinit(&r->reader);
	wp_vec_deinit(&r->functions);
	wp_recording_notes_deinit(&r->ahead);
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

struct wp_err *wp_recording_open(const char *path, bool any_owner, const struct wp_log *log,
				 const struct wp_watch *watch, struct wp_source **ret)
{
	wp_autofree char *main_path = NULL;
	struct wp_recording_file file;
	struct recording *r;
	struct wp_err *err;

	TRY(wp_recording_folder_find(path, &main_path));
	TRY(wp_recording_file_open(main_path, any_owner, watch, &file));
	r = wp_calloc(1, sizeof(*r));
	r->source.ops = &recording_ops;
	r->path = wp_strdup(path);
	r->log = log;
	r->reader.file = file;
	err = wp_recording_head_read(&r->reader.file, &r->reader.head);
	if (!err)
		err = wp_recording_folder_open(path, any_owner, &r->reader.folder);
	if (err) {
		recording_close(&r->source);
		return wp_err_prefix(err, "%s", path);
	}
	wp_recording_spe_open(&r->reader.file, &r->reader.head, &r->reader.spe);
	if (r->reader.head.cut)
		wp_log(log, WP_LOG_WARNING,
		       "%s: the recording was cut short; what there is of it is read", path);
	*ret = &r->source;
	return NULL;
}

bool wp_recording_owner(const struct wp_source *source, uint32_t *ret_uid)
{
	const struct wp_recording_file *file = &recording_self(source)->reader.file;

	if (file->has_owner)
		*ret_uid = file->owner;
	return file->has_owner;
}

const struct wp_event_set *wp_recording_events(const struct wp_source *source)
{
	return &recording_self(source)->reader.head.events;
}

const struct wp_recording_head *wp_recording_head(const struct wp_source *source)
{
	return &recording_self(source)->reader.head;
}

bool wp_recording_has_time(const struct wp_source *source, uint32_t event)
{
	const struct wp_recording_head *head = &recording_self(source)->reader.head;

	return event < head->attrs.n && head->attrs.v[event].sample_type & WP_PERF_SAMPLE_TIME;
}

uint64_t wp_recording_unix_ns(const struct wp_source *source, uint64_t time_ns)
{
	const struct wp_perfdata_clock *clock = &recording_self(source)->reader.head.clock;

	return clock->unix_ns ? clock->unix_ns + (time_ns - clock->record_ns) : 0;
}

const struct wp_recording_function *wp_recording_function(const struct wp_source *source,
							  uint32_t number)
{
	const struct wp_recording_functions *functions = &recording_self(source)->functions;

	return number < functions->n && functions->v[number].told ? &functions->v[number] : NULL;
}

void wp_recording_budget(struct wp_source *source, struct wp_budget *budget)
{
	recording_self(source)->reader.notes.budget = budget;
}

void wp_recording_no_stacks(struct wp_source *source)
{
	recording_self(source)->no_stacks = true;
}

void wp_recording_want_data(struct wp_source *source)
{
	recording_self(source)->reader.wants_data = true;
}

void wp_recording_progress(const struct wp_source *source, uint64_t *ret_done, uint64_t *ret_all)
{
	const struct recording *r = recording_self(source);
	const struct wp_perfdata_section *data = &r->reader.head.data;

	*ret_done = r->at > data->offset ? r->at - data->offset : 0;
	*ret_all = all_bytes(r);
}

const struct wp_perfdata_run *wp_recording_run(const struct wp_source *source)
{
	return &recording_self(source)->reader.notes.run;
}

bool wp_recording_bytecode(const struct wp_source *source, uint32_t number,
			   struct wp_python_bytecode *ret)
{
	return wp_recording_notes_bytecode(&recording_self(source)->reader.notes, number, ret);
}

static void pass_timed(void *arg, uint64_t time_ns, const uint8_t *bytes, size_t size)
{
	(void)arg, (void)time_ns, (void)bytes, (void)size;
}

static struct wp_err *read_notes(struct recording *r)
{
	const struct wp_perfdata_section *data = &r->reader.head.data;
	uint64_t at = data->offset;
	struct wp_perfdata_record head;
	const uint8_t *bytes;

	for (;;) {
		TRY(wp_recording_file_record(&r->reader.file, &at, data->offset + data->size, &head,
					     &bytes));
		if (!bytes)
			return NULL;
		if (head.type == WP_PERFDATA_NOTE_TYPE)
			wp_recording_notes_take(&r->ahead, wp_perfdata_body(bytes, &head),
						pass_timed, NULL);
	}
}

/* Of all records, once. */
static const struct wp_recording_notes *notes_ahead(struct recording *r)
{
	if (r->is_read_ahead)
		return &r->ahead;
	r->is_read_ahead = true;
	r->ahead.budget = r->reader.notes.budget;
	wp_recording_file_rewind(&r->reader.file);
	wp_err_free(read_notes(r)); /* whoever reads the records meets it again */
	wp_recording_file_rewind(&r->reader.file);
	return &r->ahead;
}

const struct wp_recording_notes *wp_recording_read_ahead(struct wp_source *source)
{
	struct recording *r = recording_self(source);

	return r->reader.spe.active ? notes_ahead(r) : NULL;
}

static bool has_addresses(const struct recording *r)
{
	wp_vec_each (struct wp_perfdata_attr, attr, &r->reader.head.attrs)
		if (attr->sample_type & WP_PERF_SAMPLE_ADDR)
			return true;
	return r->reader.spe.active;
}

const struct wp_recording_notes *wp_recording_touched(struct wp_source *source)
{
	struct recording *r = recording_self(source);
	const struct wp_recording_notes *notes = has_addresses(r) ? notes_ahead(r) : NULL;

	return notes && notes->blocks.n ? notes : NULL;
}

bool wp_recording_has_bytecode(const struct wp_source *source)
{
	return recording_self(source)->reader.notes.bytecodes.n > 0;
}

const char *wp_recording_weight(const struct wp_source *source, uint32_t event)
{
	wp_vec_each (struct wp_perfdata_weight, weight,
		     &recording_self(source)->reader.notes.weights)
		if (weight->event == event)
			return weight->field;
	return NULL;
}
