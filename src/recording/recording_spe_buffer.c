/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_spe_buffer: see recording_spe_buffer.h. */
#include "recording/recording_spe_buffer.h"

#include "base/mem.h"
#include "base/vec.h"
#include "format/spe/spe_source.h"

#include <stdlib.h>

#define WINDOW_BYTES 16384

struct chunk {
	uint64_t at, offset, size;
};

struct wp_recording_spe_buffer {
	uint32_t cpu, tid;
	const struct wp_spe_family *family;
	WP_VEC(struct chunk) chunks;
	WP_VEC(struct wp_recording_spe_told) told; /* in order of their offsets */
	size_t chunk, told_at;			   /* that is being read, that the record is in */
	uint64_t done;				   /* bytes of the chunk */
	struct wp_spe_decoder decoder;
	const struct wp_spe_record *next; /* NULL: not decoded yet */
	uint64_t next_ns;
	bool at_end;
	uint8_t *window;
};

struct wp_recording_spe_buffer *wp_recording_spe_buffer_new(uint32_t cpu, uint32_t tid,
							    uint64_t midr)
{
	struct wp_recording_spe_buffer *ret = wp_calloc(1, sizeof(*ret));

	ret->cpu = cpu;
	ret->tid = cpu == UINT32_MAX ? tid : UINT32_MAX;
	ret->family = wp_spe_source_family(midr);
	return ret;
}

void wp_recording_spe_buffer_free(struct wp_recording_spe_buffer *b)
{
	wp_vec_deinit(&b->chunks);
	wp_vec_deinit(&b->told);
	free(b->window);
	free(b);
}

void wp_recording_spe_buffer_add(struct wp_recording_spe_buffer *b, uint64_t at, uint64_t offset,
				 uint64_t size)
{
	wp_vec_push(&b->chunks, (struct chunk){at, offset, size});
}

void wp_recording_spe_buffer_tell(struct wp_recording_spe_buffer *b,
				  const struct wp_recording_spe_told *told)
{
	wp_vec_push(&b->told, *told);
}

void wp_recording_spe_buffer_rewind(struct wp_recording_spe_buffer *b)
{
	b->chunk = b->told_at = 0;
	b->done = 0;
	b->next = NULL;
	b->at_end = false;
	wp_spe_decoder_init(&b->decoder, b->chunks.n ? b->chunks.v[0].offset : 0);
}

/* False behind the last chunk. What is not connected to the one before begins anew. */
static bool next_chunk(struct wp_recording_spe_buffer *b)
{
	const struct chunk *next;

	b->chunk++;
	b->done = 0;
	if (b->chunk >= b->chunks.n) {
		wp_spe_decoder_finish(&b->decoder);
		return false;
	}
	next = &b->chunks.v[b->chunk];
	if (next->offset == next[-1].offset + next[-1].size)
		return true;
	wp_spe_decoder_finish(&b->decoder);
	b->decoder.offset = next->offset;
	return true;
}

/* The next bytes of the chunk; of a file that was cut, what there is. */
static struct wp_err *load_window(struct wp_recording_spe_buffer *b,
				  const struct wp_recording_file *file, bool *ret_any)
{
	const struct chunk *chunk = &b->chunks.v[b->chunk];
	uint64_t left = chunk->size - b->done;
	size_t want = left < WINDOW_BYTES ? (size_t)left : WINDOW_BYTES, got = 0;

	if (!b->window)
		b->window = wp_calloc(1, WINDOW_BYTES);
	if (want)
		TRY(wp_recording_file_read(file, chunk->at + b->done, b->window, want, &got));
	b->done = got == want ? b->done + got : chunk->size;
	wp_spe_decoder_feed(&b->decoder, b->window, got);
	*ret_any = got;
	return NULL;
}

static struct wp_err *decode_next(struct wp_recording_spe_buffer *b,
				  const struct wp_recording_file *file)
{
	bool any;

	while (!(b->next = wp_spe_decoder_next(&b->decoder))) {
		if (b->chunk >= b->chunks.n)
			break;
		TRY(load_window(b, file, &any));
		if (!any && !next_chunk(b))
			break;
	}
	b->at_end = !b->next;
	return NULL;
}

/* The AUX record that told of the next record's bytes; NULL: none did. */
static const struct wp_recording_spe_told *find_buffer_moment(struct wp_recording_spe_buffer *b)
{
	uint64_t offset = b->next->offset;

	while (b->told_at < b->told.n &&
	       offset - b->told.v[b->told_at].offset >= b->told.v[b->told_at].size &&
	       offset >= b->told.v[b->told_at].offset)
		b->told_at++;
	if (b->told_at >= b->told.n || offset < b->told.v[b->told_at].offset)
		return NULL;
	return &b->told.v[b->told_at];
}

struct wp_err *wp_recording_spe_buffer_time(struct wp_recording_spe_buffer *b,
					    const struct wp_recording_file *file,
					    const struct wp_perf_aux_clock *clock, uint64_t *ret_ns)
{
	const struct wp_recording_spe_told *told;

	if (!b->next && !b->at_end) {
		TRY(decode_next(b, file));
		b->next_ns = UINT64_MAX;
		if (b->next && b->next->has & WP_SPE_HAS_TIMESTAMP && clock->mult) {
			b->next_ns = wp_perf_aux_clock_ns(clock, b->next->timestamp);
		} else if (b->next) {
			told = find_buffer_moment(b);
			b->next_ns = told ? told->time_ns : 0;
		}
		if (b->next && b->next_ns == UINT64_MAX)
			b->next_ns--;
	}
	*ret_ns = b->next ? b->next_ns : UINT64_MAX;
	return NULL;
}

static void set_ids(struct wp_recording_spe_buffer *b, const struct wp_spe_record *record,
		    struct wp_recording_spe_entry *ret)
{
	const struct wp_recording_spe_told *told = find_buffer_moment(b);

	ret->cpu = b->cpu;
	ret->has_thread = record->has & WP_SPE_HAS_CONTEXT || b->tid != UINT32_MAX;
	if (record->has & WP_SPE_HAS_CONTEXT)
		ret->tid = (uint32_t)record->context;
	else if (b->tid != UINT32_MAX)
		ret->tid = b->tid;
	else
		ret->tid = told ? told->tid : UINT32_MAX;
	ret->has_pid = told && told->tid == ret->tid;
	ret->pid = told ? told->pid : 0;
}

void wp_recording_spe_buffer_take(struct wp_recording_spe_buffer *b,
				  struct wp_recording_spe_entry *ret,
				  struct wp_recording_spe_sums *sums)
{
	const struct wp_spe_record *record = b->next;
	bool usable;

	*ret = (struct wp_recording_spe_entry){.type = WP_PERFDATA_AUXTRACE, .size = sizeof(*ret)};
	usable = wp_spe_sample_read(record, b->family, &ret->sample);
	sums->records++;
	sums->damaged += !usable;
	if (usable)
		set_ids(b, record, ret);
	b->next = NULL;
}
