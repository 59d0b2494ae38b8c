/* SPDX-License-Identifier: BSD-3-Clause */
/* xz_decode: see xz_decode.h. The decoder's own memory is bounded, too. */
#include "format/elf/xz_decode.h"

#include <lzma.h>
#include <stdlib.h>

#define MEMORY_LIMIT (128ull << 20) /* twice what `xz -9` needs to be read */
#define FIRST_CHUNK  (64u << 10)

static struct wp_err *decode_stream(lzma_stream *stream, size_t limit, char **buf)
{
	size_t cap = FIRST_CHUNK;
	lzma_ret status;

	do {
		*buf = wp_realloc(*buf, cap, 1);
		stream->next_out = (uint8_t *)*buf + stream->total_out;
		stream->avail_out = cap - stream->total_out;
		status = lzma_code(stream, LZMA_FINISH);
		if (stream->total_out > limit)
			return wp_err_new(WP_ERR_LIMIT, "xz: more than %zu bytes", limit);
		cap *= 2;
	} while (status == LZMA_OK);
	return status == LZMA_STREAM_END ? NULL : wp_err_new(WP_ERR_FORMAT, "xz: damaged data");
}

struct wp_err *wp_xz_decode(const void *data, size_t size, size_t limit, void **ret,
			    size_t *ret_size)
{
	lzma_stream stream = LZMA_STREAM_INIT;
	char *buf = NULL;

	if (lzma_stream_decoder(&stream, MEMORY_LIMIT, 0) != LZMA_OK)
		return wp_err_new(WP_ERR_OTHER, "xz: cannot make a decoder");
	stream.next_in = data;
	stream.avail_in = size;
	struct wp_err *err = decode_stream(&stream, limit, &buf);
	if (err) {
		free(buf);
	} else {
		*ret = buf;
		*ret_size = stream.total_out;
	}
	lzma_end(&stream);
	return err;
}
