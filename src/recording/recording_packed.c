/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_packed: see recording_packed.h. */
#include "recording/recording_packed.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define TYPE_ZSTD  1 /* enum perf_compress_type */
#define ROOM	   ((size_t)256 << 10)
#define MAX_BYTES  ((size_t)64 << 20)
#define MAX_WINDOW 27 /* log2 of what zstd may look back; perf's levels stay below */

struct wp_err *wp_recording_packed_check(struct wp_bytes feature)
{
	uint32_t type;

	wp_bytes_u32(&feature); /* version */
	type = wp_bytes_u32(&feature);
	if (feature.failed || type != TYPE_ZSTD)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "its records are compressed in a way that is not known");
	return NULL;
}

/* What was given out goes, so that the rest begins where a record may. */
static void move_rest(struct wp_recording_packed *p)
{
	memmove(p->bytes, p->bytes + p->at, p->filled - p->at);
	p->filled -= p->at;
	p->at = 0;
}

static struct wp_err *make_room(struct wp_recording_packed *p)
{
	if (p->cap - p->filled >= ROOM)
		return NULL;
	if (p->filled >= MAX_BYTES)
		return wp_err_new(WP_ERR_LIMIT, "a compressed record unpacks to more than %zu MiB",
				  MAX_BYTES >> 20);
	p->cap = p->cap ? p->cap * 2 : 2 * ROOM;
	p->bytes = wp_realloc(p->bytes, p->cap, 1);
	return NULL;
}

static struct wp_err *unpack(struct wp_recording_packed *p, const void *bytes, size_t n)
{
	ZSTD_inBuffer in = {bytes, n, 0};
	bool full = false;

	while (in.pos < in.size || full) {
		TRY(make_room(p));
		ZSTD_outBuffer out = {p->bytes + p->filled, p->cap - p->filled, 0};
		size_t status = ZSTD_decompressStream(p->stream, &out, &in);

		if (ZSTD_isError(status))
			return wp_err_new(WP_ERR_FORMAT, "a compressed record is damaged: %s",
					  ZSTD_getErrorName(status));
		p->filled += out.pos;
		full = out.pos == out.size; /* there may be more */
	}
	return NULL;
}

struct wp_err *wp_recording_packed_add(struct wp_recording_packed *p,
				       const struct wp_perfdata_record *record,
				       const uint8_t *bytes)
{
	struct wp_bytes body = wp_perfdata_body(bytes, record);
	uint64_t n = wp_bytes_left(&body);

	if (record->type == WP_PERFDATA_COMPRESSED_RECORD2) {
		n = wp_bytes_u64(&body); /* the rest fills the record up to 8 bytes */
		if (body.failed || n > wp_bytes_left(&body))
			return wp_err_new(WP_ERR_FORMAT, "a compressed record is too short");
	}
	if (!p->stream) {
		p->stream = ZSTD_createDCtx();
		if (!p->stream)
			return wp_err_new(WP_ERR_LIMIT, "no memory to unpack the recording");
		ZSTD_DCtx_setParameter(p->stream, ZSTD_d_windowLogMax, MAX_WINDOW);
	}
	if (p->bytes)
		move_rest(p);
	return unpack(p, body.data + body.pos, (size_t)n);
}

struct wp_err *wp_recording_packed_next(struct wp_recording_packed *p,
					struct wp_perfdata_record *ret, const uint8_t **ret_bytes)
{
	size_t left = p->filled - p->at;

	*ret_bytes = NULL;
	if (!left)
		return NULL;
	switch (wp_perfdata_record_read(p->bytes + p->at, left, ret)) {
	case WP_PERFDATA_CUT: return NULL;
	case WP_PERFDATA_WHOLE: break;
	default: return wp_err_new(WP_ERR_FORMAT, "no record begins in a compressed one");
	}
	if (ret->trailing > left - ret->size)
		return wp_err_new(WP_ERR_FORMAT,
				  "a compressed record lacks what follows one in it");
	*ret_bytes = p->bytes + p->at;
	p->at += ret->size + (size_t)ret->trailing;
	return NULL;
}

void wp_recording_packed_deinit(struct wp_recording_packed *p)
{
	ZSTD_freeDCtx(p->stream);
	free(p->bytes);
	*p = (struct wp_recording_packed){0};
}
