/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder: see recorder.h. */
#include "store/recorder.h"

#include "base/clock.h"
#include "format/perf/perf_record.h"
#include "format/perf/perfdata_write.h"
#include "store/recorder_features.h"
#include "store/recorder_file.h"
#include "store/recorder_ids.h"
#include "store/recorder_python.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#define FLUSH_BYTES ((size_t)1 << 20)
#define FLUSH_NS    (WP_NS_PER_S / 4) /* small pieces cost, in system calls and in bytes */
#define PIECE_BYTES (60u << 10)	      /* of compressed data in one record */

struct wp_recorder {
	struct wp_recorder_options options;
	struct wp_perfdata_style style;
	struct wp_recorder_file file;
	struct wp_perfdata_header header;
	/* What is not written yet: records, notes of these, and both of them as they will lie. */
	struct wp_str pending;
	struct wp_perfdata_notes notes;
	struct wp_str ready;
	struct wp_str features; /* as they lie behind the data */
	ZSTD_CCtx *zstd;	/* NULL: not compressed */
	/* Where AUXTRACE records are: in the file, then in `ready`, then in `pending`. */
	WP_VEC(uint64_t) traces;
	size_t n_written_traces, n_ready_traces;
	bool closing;
	struct wp_recorder_python python;
	struct wp_recorder_ids ids;
	struct wp_map sampled_codes; /* numbers of code objects */
	struct wp_recorder_figures figures;
	uint64_t first_ns, last_ns; /* of samples */
	uint64_t flushed_ns;	    /* when, by our clock */
	struct wp_err *err;	    /* the first one; nothing is written after it */
	bool ended; /* something is missing: what came behind it could not be unpacked */
};

static void write_file_at(struct wp_recorder *r, const void *bytes, size_t n, uint64_t at)
{
	const char *from = bytes;

	while (n && !r->err) {
		ssize_t done = pwrite(r->file.fd, from, n, (off_t)at);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0) {
			r->err = wp_err_os(done < 0 ? errno : ENOSPC,
					   "%s: cannot be written; it holds %" PRIu64
					   " bytes of records",
					   r->options.path, r->header.data.size);
			return;
		}
		from += done;
		at += (uint64_t)done;
		n -= (size_t)done;
	}
}

static uint64_t data_end(const struct wp_recorder *r)
{
	return r->header.data.offset + r->header.data.size;
}

static void write_header(struct wp_recorder *r)
{
	wp_autostr struct wp_str bytes = {0};

	wp_perfdata_put_header(&bytes, &r->header);
	write_file_at(r, bytes.s, bytes.len, 0);
}

/* Header, then for each event its id; then the attributes; then the data. */
static void write_front(struct wp_recorder *r)
{
	const struct wp_event_set *events = r->options.events;
	wp_autostr struct wp_str bytes = {0};
	uint64_t ids = WP_PERFDATA_HEADER_BYTES;
	uint64_t n = events->events.n;

	r->header.attr_size = WP_PERFDATA_ATTR_BYTES + 16;
	r->header.attrs.offset = ids + 8 * n;
	r->header.attrs.size = n * r->header.attr_size;
	r->header.data.offset = r->header.attrs.offset + r->header.attrs.size;
	for (uint32_t i = 0; i < n; i++)
		wp_perfdata_put_u64(&bytes, wp_perfdata_event_id(i));
	for (uint32_t i = 0; i < n; i++) {
		wp_perfdata_put_attr(&bytes, &events->events.v[i], &r->style);
		wp_perfdata_put_section(&bytes, (struct wp_perfdata_section){ids + 8 * i, 8});
	}
	write_header(r);
	write_file_at(r, bytes.s, bytes.len, ids);
}

struct regs {
	uint64_t user, intr;
};

/* The registers that a source asks for on such a machine. */
static struct regs regs_of(const struct wp_machine *machine)
{
	if (strcmp(machine->arch, "aarch64") == 0)
		return (struct regs){WP_PERF_REGS_ARM64, WP_PERF_REGS_ARM64};
	return (struct regs){WP_PERF_REGS_X86_64, WP_PERF_REGS_INTR_X86_64};
}

/* Before all else: it is looked for among the first records. */
static void put_trace_info(struct wp_recorder *r)
{
	wp_vec_each (const struct wp_event, event, &r->options.events->events)
		if (event->is_spe) {
			r->options.level = 0;
			wp_perfdata_put_trace_info(&r->pending, event->type, &r->options.clock);
			return;
		}
}

static void note_weights(struct wp_recorder *r)
{
	const struct wp_event_set *set = r->options.events;

	for (uint32_t i = 0; i < set->events.n; i++)
		if (set->events.v[i].weight)
			wp_perfdata_put_weight(&r->notes, &(struct wp_perfdata_weight){
								  i, set->events.v[i].weight});
}

struct wp_err *wp_recorder_open(const struct wp_recorder_options *options, struct wp_recorder **ret)
{
	struct wp_recorder *r = wp_calloc(1, sizeof(*r));
	struct regs regs = regs_of(options->machine);
	struct wp_err *err;

	r->options = *options;
	r->style = (struct wp_perfdata_style){
		.payloads = options->tracepoints && options->tracepoints->len,
		.carried = options->carried,
		.branch_type = options->carried & WP_DATA_BRANCHES ? options->branch_type : 0,
		.regs_user = options->carried & WP_DATA_USER_REGS ? regs.user : 0,
		.regs_intr = options->carried & WP_DATA_INTR_REGS ? regs.intr : 0,
		.stacks = options->stacks,
		.kernel = options->kernel,
	};
	err = wp_recorder_file_open(options->path, options->replaces, &r->file);
	if (err) {
		free(r);
		return err;
	}
	put_trace_info(r);
	if (r->options.level) {
		r->zstd = ZSTD_createCCtx();
		ZSTD_CCtx_setParameter(r->zstd, ZSTD_c_compressionLevel, r->options.level);
	}
	wp_recorder_python_init(&r->python, r->file.image,
				strcmp(options->machine->arch, "aarch64") == 0);
	write_front(r);
	note_weights(r);
	if (r->err)
		return wp_recorder_close(r, NULL);
	*ret = r;
	return NULL;
}

/* A flush ends at a byte, so that what is written by then can be read without what follows; cut
 * into records. */
static void pack(struct wp_recorder *r, struct wp_str *ret)
{
	wp_autostr struct wp_str packed = {0};
	ZSTD_inBuffer in = {r->ready.s, r->ready.len, 0};
	size_t left, n = 0;

	do {
		size_t room = ZSTD_CStreamOutSize();

		wp_str_pad(&packed, '\0', room);
		ZSTD_outBuffer out = {packed.s + n, room, 0};

		left = ZSTD_compressStream2(r->zstd, &out, &in, ZSTD_e_flush);
		if (ZSTD_isError(left)) {
			if (!r->err)
				r->err = wp_err_new(WP_ERR_OTHER, "%s: zstd: %s", r->options.path,
						    ZSTD_getErrorName(left));
			return;
		}
		n += out.pos;
		packed.len = n;
	} while (left);
	for (size_t at = 0; at < n; at += PIECE_BYTES)
		wp_perfdata_put_compressed(ret, packed.s + at,
					   n - at < PIECE_BYTES ? n - at : PIECE_BYTES);
}

/* Behind the data, where the next data will lie: see flush_recorder(). */
static void write_features(struct wp_recorder *r)
{
	struct wp_recorder_said said = {
		.machine = r->options.machine,
		.events = r->options.events,
		.style = &r->style,
		.ids = &r->ids,
		.argv = r->options.argv,
		.tracepoints = r->options.tracepoints,
		.first_ns = r->first_ns,
		.last_ns = r->last_ns,
		.level = r->options.level,
		.unpacked_bytes = r->figures.unpacked_bytes,
		.packed_bytes = r->header.data.size,
		.piece_bytes = FLUSH_BYTES * 4,
		.traces = r->closing ? r->traces.v : NULL,
		.n_traces = r->n_written_traces,
	};
	struct wp_str bytes = {0};

	memset(r->header.features, 0, sizeof(r->header.features));
	wp_recorder_python_hit(&r->python, &r->ids);
	wp_recorder_features_put(&bytes, data_end(r), &said, r->header.features);
	write_file_at(r, bytes.s, bytes.len, data_end(r));
	if (r->err) {
		wp_str_deinit(&bytes);
		return;
	}
	wp_str_deinit(&r->features);
	r->features = bytes;
}

/*
 * What did not fit lies over the features: the same bytes are written again where they had room,
 * behind the data that was there before. Without them nobody can unpack.
 */
static void restore_features(struct wp_recorder *r, const struct wp_perfdata_header *before)
{
	struct wp_err *err = r->err;

	r->err = NULL;
	r->header = *before;
	write_file_at(r, r->features.s, r->features.len, data_end(r));
	write_header(r);
	wp_err_free(r->err);
	r->err = err;
}

/* The header speaks at every moment only of what is there: not of features while data overwrites
 * them. */
static void write_data(struct wp_recorder *r, const struct wp_str *bytes)
{
	const struct wp_perfdata_header before = r->header;

	if (r->err)
		return;
	memset(r->header.features, 0, sizeof(r->header.features));
	write_header(r);
	write_file_at(r, bytes->s, bytes->len, data_end(r));
	if (!r->err)
		r->header.data.size += bytes->len;
	write_features(r);
	write_header(r);
	r->ended = r->err != NULL;
	if (r->ended)
		restore_features(r, &before);
}

/* Notes stand before what they are of. */
static void seal(struct wp_recorder *r)
{
	wp_perfdata_put_notes(&r->ready, &r->notes);
	for (; r->n_ready_traces < r->traces.n; r->n_ready_traces++)
		r->traces.v[r->n_ready_traces] += r->ready.len;
	wp_str_append(&r->ready, r->pending.s, r->pending.len);
	r->pending.len = 0;
}

static void flush_recorder(struct wp_recorder *r)
{
	wp_autostr struct wp_str packed = {0};
	const struct wp_str *bytes = &r->ready;

	seal(r);
	if (!r->ready.len || r->ended)
		return;
	if (!r->err && r->figures.samples)
		r->err = wp_recorder_file_place(&r->file);
	if (!r->err)
		r->err = wp_recorder_python_write(&r->python, false);
	r->figures.unpacked_bytes += r->ready.len;
	if (r->zstd) {
		pack(r, &packed);
		bytes = &packed;
	}
	for (; r->n_written_traces < r->n_ready_traces; r->n_written_traces++)
		r->traces.v[r->n_written_traces] += data_end(r);
	write_data(r, bytes);
	r->ready.len = 0;
}

/* Behind what came before it: a COMM record of the same time would take the name away again. */
static void put_thread_name(struct wp_recorder *r, const struct wp_record *record)
{
	struct wp_perfdata_name name = {record->pid, record->tid, record->time_ns,
					record->named.name};

	if (r->pending.len)
		seal(r);
	wp_perfdata_put_name(&r->notes, &name);
}

void wp_recorder_add(struct wp_recorder *r, const struct wp_record *record)
{
	wp_recorder_python_record(&r->python, record);
	if (record->kind == WP_RECORD_MAP)
		wp_recorder_ids_map(&r->ids, &record->map);
	if (record->kind == WP_RECORD_AUX && record->aux.n)
		wp_vec_push(&r->traces, r->pending.len + WP_PERFDATA_AUX_BYTES);
	if (record->kind == WP_RECORD_NAME)
		put_thread_name(r, record);
	else
		wp_perfdata_put_record(&r->pending, record);
	r->figures.records++;
}

uint64_t wp_recorder_python_frame(struct wp_recorder *r, const struct wp_symbol_set *set,
				  uint32_t symbol, uint32_t line)
{
	return wp_recorder_python_address(&r->python, set, symbol, line, &r->notes);
}

void wp_recorder_add_sample(struct wp_recorder *r, const struct wp_record *sample,
			    const struct wp_recorder_stack *stack)
{
	bool traced = r->options.events->events.v[sample->sample.event].is_spe;

	if (stack->python)
		wp_recorder_python_map(&r->python, sample, &r->pending);
	if (stack->note && r->style.stacks && !traced) {
		wp_perfdata_put_frames(&r->notes, stack->note->frames, stack->note->n_frames);
		wp_perfdata_put_rest(&r->notes, stack->note->rest, stack->note->n_rest);
		wp_perfdata_put_sample_note(&r->notes, stack->note);
		if (stack->note->instruction.code)
			*wp_map_put(&r->sampled_codes, stack->note->instruction.code) = 1;
	}
	if (!traced)
		wp_perfdata_put_sample(&r->pending, sample, &r->style, stack->frames,
				       stack->n_kernel, stack->n);
	r->figures.records++;
	r->figures.samples++;
	if (!r->first_ns)
		r->first_ns = sample->time_ns;
	r->last_ns = sample->time_ns;
	if (wp_perfdata_notes_bytes(&r->notes) >= WP_PERFDATA_NOTES_ENOUGH)
		seal(r);
	if (r->ready.len + r->pending.len >= FLUSH_BYTES)
		flush_recorder(r);
}

static bool records_spe(const struct wp_recorder *r)
{
	wp_vec_each (const struct wp_event, event, &r->options.events->events)
		if (event->is_spe)
			return true;
	return false;
}

void wp_recorder_place(struct wp_recorder *r, const struct wp_symbol_set *set, uint32_t symbol,
		       const struct wp_perfdata_place *place)
{
	struct wp_perfdata_place note = *place;
	uint32_t line;

	if (!records_spe(r) || !r->style.stacks)
		return;
	wp_perfdata_python_parts(wp_recorder_python_frame(r, set, symbol, 0), &note.function,
				 &line);
	*wp_map_put(&r->sampled_codes, note.number) = 1;
	wp_perfdata_put_place(&r->notes, &note);
}

void wp_recorder_bytecode(struct wp_recorder *r, uint32_t number,
			  const struct wp_python_bytecode *bytecode)
{
	wp_autostr struct wp_str bytes = {0};
	struct wp_perfdata_bytecode note = {
		.number = number,
		.version = bytecode->version,
		.form = bytecode->lines.form,
		.first_line = bytecode->lines.first_line,
		.code_bytes = (uint32_t)bytecode->n,
		.lines_bytes = (uint32_t)bytecode->lines.n,
	};

	if (!bytecode->n || bytecode->n > WP_PYTHON_BYTECODE_MAX ||
	    bytecode->lines.n > WP_PYTHON_BYTECODE_MAX || !wp_map_get(&r->sampled_codes, number))
		return;
	wp_str_append(&bytes, (const char *)bytecode->code, bytecode->n);
	if (bytecode->lines.n)
		wp_str_append(&bytes, (const char *)bytecode->lines.bytes, bytecode->lines.n);
	note.bytes = (const uint8_t *)bytes.s;
	wp_perfdata_put_bytecode(&r->notes, &note);
}

void wp_recorder_type(struct wp_recorder *r, const struct wp_perfdata_type *type)
{
	wp_perfdata_put_type(&r->notes, type);
}

void wp_recorder_block(struct wp_recorder *r, const struct wp_perfdata_block *block)
{
	wp_perfdata_put_block(&r->notes, block);
}

void wp_recorder_hit(struct wp_recorder *r, const char *path)
{
	wp_recorder_ids_hit(&r->ids, path);
}

void wp_recorder_run(struct wp_recorder *r, const struct wp_perfdata_run *run)
{
	wp_perfdata_put_run(&r->notes, run);
}

static void flush_round(struct wp_recorder *r)
{
	if (r->pending.len || r->notes.bytes.len || r->ready.len)
		wp_perfdata_put_mark(&r->pending, WP_PERFDATA_FINISHED_ROUND);
	flush_recorder(r);
	r->flushed_ns = wp_clock_now_ns();
}

struct wp_err *wp_recorder_round(struct wp_recorder *r)
{
	struct wp_err *err = r->err;

	if (wp_clock_now_ns() - r->flushed_ns >= FLUSH_NS)
		flush_round(r);
	if (!err)
		err = r->err;
	r->err = NULL;
	return err;
}

struct wp_recorder_figures wp_recorder_figures(const struct wp_recorder *r)
{
	struct wp_recorder_figures figures = r->figures;

	figures.bytes = data_end(r);
	return figures;
}

/* What was written before an error can be read all the same. */
static void write_end(struct wp_recorder *r)
{
	const struct wp_perfdata_header before = r->header;
	struct wp_err *err = r->err;

	r->err = NULL;
	write_features(r);
	write_header(r);
	if (r->err)
		restore_features(r, &before);
	if (err) {
		wp_err_free(r->err);
		r->err = err;
	}
}

static struct wp_err *free_recorder(struct wp_recorder *r)
{
	struct wp_err *err = wp_recorder_file_close(&r->file);

	if (r->err)
		wp_err_free(err);
	err = r->err ? r->err : err;
	wp_recorder_python_deinit(&r->python);
	wp_recorder_ids_deinit(&r->ids);
	wp_map_deinit(&r->sampled_codes);
	wp_vec_deinit(&r->traces);
	ZSTD_freeCCtx(r->zstd);
	wp_str_deinit(&r->pending);
	wp_perfdata_notes_deinit(&r->notes);
	wp_str_deinit(&r->ready);
	wp_str_deinit(&r->features);
	free(r);
	return err;
}

struct wp_err *wp_recorder_close(struct wp_recorder *r, struct wp_recorder_figures *ret)
{
	flush_recorder(r);
	r->closing = true;
	if (ret)
		*ret = wp_recorder_figures(r);
	write_end(r);
	if (!r->err)
		r->err = wp_recorder_file_place(&r->file);
	if (!r->err)
		r->err = wp_recorder_python_write(&r->python, true);
	return free_recorder(r);
}

void wp_recorder_abandon(struct wp_recorder *r)
{
	wp_err_free(r->figures.samples ? wp_recorder_close(r, NULL) : free_recorder(r));
}
