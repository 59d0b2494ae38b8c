/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_packed: see recording_packed.h. */
#include "recording/recording_packed.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define TYPE_ZSTD  1 /* enum perf_compress_type */
#define ROOM	   ((size_t)256 << 10)
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

/* There may be more than what was unpacked. */
static bool has_packed(const struct wp_recording_packed *p)
{
	return p->packed_at < p->packed_n || p->full;
}

/* As much as there is room for, which is more than one record needs. */
static struct wp_err *unpack_records(struct wp_recording_packed *p)
{
	ZSTD_inBuffer in = {p->packed, p->packed_n, p->packed_at};
	ZSTD_outBuffer out;
	size_t status;

	move_rest(p);
	out = (ZSTD_outBuffer){p->bytes, ROOM, p->filled};
	status = ZSTD_decompressStream(p->stream, &out, &in);
	if (ZSTD_isError(status))
		return wp_err_new(WP_ERR_FORMAT, "a compressed record is damaged: %s",
				  ZSTD_getErrorName(status));
	p->filled = out.pos;
	p->packed_at = in.pos;
	p->full = out.pos == out.size;
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
		p->bytes = wp_calloc(ROOM, 1);
		p->packed = wp_calloc(WP_PERFDATA_RECORD_MAX, 1);
	}
	memcpy(p->packed, body.data + body.pos, (size_t)n);
	p->packed_at = 0;
	p->packed_n = (size_t)n;
	return NULL;
}

bool wp_recording_packed_has(const struct wp_recording_packed *p)
{
	return p->at < p->filled || has_packed(p);
}

/* What belongs to the record that was given out last. */
static void skip_trailing(struct wp_recording_packed *p)
{
	size_t left = p->filled - p->at;
	size_t n = p->trailing < left ? (size_t)p->trailing : left;

	p->at += n;
	p->trailing -= n;
}

struct wp_err *wp_recording_packed_next(struct wp_recording_packed *p,
					struct wp_perfdata_record *ret, const uint8_t **ret_bytes)
{
	enum wp_perfdata_found found;

	*ret_bytes = NULL;
	for (;;) {
		skip_trailing(p);
		found = wp_perfdata_record_read(p->bytes + p->at, p->filled - p->at, ret);
		if (found != WP_PERFDATA_CUT)
			break;
		if (!has_packed(p))
			return NULL;
		TRY(unpack_records(p));
	}
	if (found != WP_PERFDATA_WHOLE)
		return wp_err_new(WP_ERR_FORMAT, "no record begins in a compressed one");
	*ret_bytes = p->bytes + p->at;
	p->at += ret->size;
	p->trailing = ret->trailing;
	return NULL;
}

void wp_recording_packed_deinit(struct wp_recording_packed *p)
{
	ZSTD_freeDCtx(p->stream);
	free(p->bytes);
	free(p->packed);
	*p = (struct wp_recording_packed){0};
}
