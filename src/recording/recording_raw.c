/* SPDX-License-Identifier: BSD-3-Clause */
/* recording_raw: see recording_raw.h. */
#include "recording/recording_raw.h"

#include "base/scratch_file.h"
#include "core/event.h"
#include "format/perf/perfdata_write.h"
#include "format/spe/spe_decoder.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define HEAD_BYTES  4096
#define PIECE_BYTES ((size_t)1 << 20)
#define PMU_TYPE    8 /* of the event, as AUXTRACE_INFO has it; any */
#define IDS_AT	    104
#define ATTRS_AT    (IDS_AT + 8)
#define ATTR_BYTES  (WP_PERFDATA_ATTR_BYTES + 16)
#define DATA_AT	    (ATTRS_AT + ATTR_BYTES)

bool wp_recording_raw_is(int fd)
{
	const struct wp_spe_record *record;
	struct wp_spe_decoder decoder;
	uint8_t head[HEAD_BYTES];
	ssize_t n = pread(fd, head, sizeof(head), 0);

	if (n <= 0)
		return false;
	wp_spe_decoder_init(&decoder, 0);
	wp_spe_decoder_feed(&decoder, head, (size_t)n);
	record = wp_spe_decoder_next(&decoder);
	if (!record || !(record->has & WP_SPE_HAS_ADDRESS(WP_SPE_PC)))
		return false;
	while (wp_spe_decoder_next(&decoder))
		;
	return !decoder.bad_bytes && !decoder.damaged;
}

static struct wp_err *write_raw(int fd, const struct wp_str *bytes, uint64_t *at)
{
	for (size_t done = 0; done < bytes->len;) {
		ssize_t n = pwrite(fd, bytes->s + done, bytes->len - done, (off_t)(*at + done));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return wp_err_os(errno, "cannot keep the recording in %s (TMPDIR)",
					 wp_scratch_file_folder());
		done += (size_t)n;
	}
	*at += bytes->len;
	return NULL;
}

/* The whole as pieces of one buffer, each as the kernel would have told of it. */
static struct wp_err *write_pieces(int from, int to, const struct wp_watch *watch, uint64_t *at)
{
	wp_autofree uint8_t *bytes = wp_calloc(PIECE_BYTES, 1);
	struct wp_record record = {.kind = WP_RECORD_AUX,
				   .pid = UINT32_MAX,
				   .tid = UINT32_MAX,
				   .aux = {.bytes = bytes}};
	wp_autostr struct wp_str out = {0};
	ssize_t n;

	while ((n = pread(from, bytes, PIECE_BYTES, (off_t)record.aux.offset)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return wp_err_os(errno, "cannot read what was traced");
		record.aux.n = (uint64_t)n;
		out.len = 0;
		wp_perfdata_put_record(&out, &record);
		TRY(write_raw(to, &out, at));
		record.aux.offset += (uint64_t)n;
		wp_watch_tell(watch, record.aux.offset);
	}
	return NULL;
}

/* Behind the data: where it is, then the names of events. */
static struct wp_err *write_names(int to, const struct wp_event_set *events,
				  const struct wp_perfdata_style *style, uint64_t *at)
{
	wp_autostr struct wp_str desc = {0}, out = {0};

	wp_perfdata_put_desc(&desc, events, style);
	wp_perfdata_put_section(&out, (struct wp_perfdata_section){*at + 16, desc.len});
	wp_str_append(&out, desc.s, desc.len);
	return write_raw(to, &out, at);
}

static void put_raw_head(struct wp_str *out, const struct wp_event_set *events,
			 const struct wp_perfdata_style *style, uint64_t end)
{
	struct wp_perfdata_header header = {
		.attr_size = ATTR_BYTES,
		.attrs = {ATTRS_AT, ATTR_BYTES},
		.data = {DATA_AT, end - DATA_AT},
	};

	header.features[0] = UINT64_C(1) << WP_PERFDATA_EVENT_DESC;
	wp_perfdata_put_header(out, &header);
	wp_perfdata_put_u64(out, wp_perfdata_event_id(0));
	wp_perfdata_put_attr(out, &events->events.v[0], style);
	wp_perfdata_put_section(out, (struct wp_perfdata_section){IDS_AT, 8});
}

static struct wp_err *write_recording(int from, int to, const struct wp_watch *watch)
{
	static const struct wp_perf_aux_clock no_clock;
	struct wp_event event = {.name = "arm_spe_0//", .type = PMU_TYPE, .period = 1};
	struct wp_event_set events = {.events = {.v = &event, .n = 1}};
	struct wp_perfdata_style style = {.carried = WP_DATA_ADDR};
	wp_autostr struct wp_str info = {0}, head = {0};
	uint64_t at = DATA_AT, begin = 0, end;

	wp_perfdata_put_trace_info(&info, PMU_TYPE, &no_clock);
	TRY(write_raw(to, &info, &at));
	TRY(write_pieces(from, to, watch, &at));
	end = at;
	TRY(write_names(to, &events, &style, &at));
	put_raw_head(&head, &events, &style, end);
	return write_raw(to, &head, &begin);
}

struct wp_err *wp_recording_raw_wrap(int fd, const struct wp_watch *watch, int *ret)
{
	wp_autoclose int to = wp_scratch_file_open();

	if (to < 0)
		return wp_err_os(errno, "cannot keep the recording in %s (TMPDIR)",
				 wp_scratch_file_folder());
	TRY(write_recording(fd, to, watch));
	*ret = to;
	to = -1;
	return NULL;
}
