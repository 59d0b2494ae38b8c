/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder_window: what a snapshot has, what has fallen out, how much memory it takes; and when it
 * is written (sampling_snapshot). */
#include "store/recorder_window.h"

#include "base/str.h"
#include "format/perf/perfdata_notes.h"
#include "session/live/sampling_snapshot.h"
#include "store/recorder.h"

#include "check.h"

#include <inttypes.h>

static char told[4096];

static void tell(const char *text)
{
	size_t n = strlen(told);

	snprintf(told + n, sizeof(told) - n, "%s;", text);
}

/* In the recorder's place. */
void wp_recorder_add(struct wp_recorder *recorder, const struct wp_record *record)
{
	wp_autofree char *text = NULL;

	(void)recorder;
	switch (record->kind) {
	case WP_RECORD_MAP: text = wp_asprintf("map %s", record->map.path); break;
	case WP_RECORD_COMM: text = wp_asprintf("comm %s", record->comm.name); break;
	case WP_RECORD_EXIT: text = wp_asprintf("exit %u", record->pid); break;
	default: text = wp_asprintf("lost %" PRIu64, record->lost.count); break;
	}
	tell(text);
}

uint64_t wp_recorder_python_frame(struct wp_recorder *recorder, const struct wp_symbol_set *set,
				  uint32_t symbol, uint32_t line)
{
	(void)recorder, (void)set;
	return symbol * UINT64_C(1000000) + line;
}

void wp_recorder_add_sample(struct wp_recorder *recorder, const struct wp_record *sample,
			    const struct wp_recorder_stack *stack)
{
	wp_autofree char *text = NULL;

	(void)recorder;
	text = wp_asprintf("%" PRIu64 ":%" PRIu64 "/%zu+%zu", sample->time_ns, stack->frames[0],
			   stack->n, stack->note ? stack->note->n_frames : 0);
	tell(text);
}

static const char *write_all(const struct wp_recorder_window *window)
{
	told[0] = '\0';
	wp_recorder_window_write(window, NULL, NULL);
	return told;
}

static struct wp_record about(enum wp_record_kind kind, uint32_t pid, uint64_t time_ns)
{
	return (struct wp_record){.kind = kind, .pid = pid, .tid = pid, .time_ns = time_ns};
}

static void map(struct wp_recorder_window *window, uint64_t time_ns, uint32_t pid, const char *path)
{
	struct wp_record record = about(WP_RECORD_MAP, pid, time_ns);

	record.map = (struct wp_record_map){.start = {0x1000}, .len = 4096, .path = path};
	wp_recorder_window_add(window, &record);
}

static void call(struct wp_recorder_window *window, uint64_t time_ns, uint32_t pid,
		 const char *name)
{
	struct wp_record record = about(WP_RECORD_COMM, pid, time_ns);

	record.comm = (struct wp_record_comm){.name = name};
	wp_recorder_window_add(window, &record);
}

static void end(struct wp_recorder_window *window, uint64_t time_ns, uint32_t pid)
{
	struct wp_record record = about(WP_RECORD_EXIT, pid, time_ns);

	wp_recorder_window_add(window, &record);
}

static void sample(struct wp_recorder_window *window, uint64_t time_ns, uint64_t frame)
{
	struct wp_record record = about(WP_RECORD_SAMPLE, 1, time_ns);
	uint64_t frames[] = {frame, 7};
	struct wp_stack_note note = {.frames = frames, .n_frames = 1};
	struct wp_recorder_stack stack = {.frames = frames, .n = 2, .note = &note};

	wp_recorder_window_add_sample(window, &record, &stack);
}

/* What ended inside the window is told as it was when the window began; what ended before it, not
 * at all. */
static void test_ended(void)
{
	struct wp_recorder_window window = {.span_ns = 100};
	struct wp_record lost = about(WP_RECORD_LOST, 1, 190);

	lost.lost.count = 5;
	call(&window, 10, 1, "gone");
	map(&window, 11, 1, "/bin/gone");
	call(&window, 12, 2, "before");
	map(&window, 13, 2, "/bin/before");
	end(&window, 20, 2);
	sample(&window, 50, 1);
	sample(&window, 180, 2);
	wp_recorder_window_add(&window, &lost);
	end(&window, 195, 1);
	CHECK_STR(write_all(&window), "comm gone;map /bin/gone;comm before;map /bin/before;exit 2;"
				      "50:1/2+1;180:2/2+1;lost 5;exit 1;");
	wp_recorder_window_pass(&window, 200);
	CHECK_STR(write_all(&window), "comm gone;map /bin/gone;180:2/2+1;lost 5;exit 1;");
	CHECK_U64(window.samples, 1);
	CHECK_U64(wp_recorder_window_oldest_ns(&window), 180);
	CHECK_STR(write_all(&window), "comm gone;map /bin/gone;180:2/2+1;lost 5;exit 1;");
	wp_recorder_window_pass(&window, 1000);
	CHECK_STR(write_all(&window), "");
	CHECK_U64(window.bytes, 0);
	CHECK_U64(window.squeezed_ns, 0);
	wp_recorder_window_deinit(&window);
}

/* Functions have numbers of the window's own, which each recording numbers anew. */
static void test_python(void)
{
	struct wp_recorder_window window = {0};
	uint64_t first = wp_recorder_window_python_frame(&window, 3, 12);

	CHECK(first != wp_recorder_window_python_frame(&window, 4, 12));
	CHECK_U64(wp_recorder_window_python_frame(&window, 3, 12), first);
	sample(&window, 1, first);
	sample(&window, 2, wp_recorder_window_python_frame(&window, 5, 70000));
	CHECK_STR(write_all(&window), "1:3000012/2+1;2:5070000/2+1;");
	wp_recorder_window_deinit(&window);
}

static void test_room(void)
{
	struct wp_recorder_window window = {.span_ns = UINT64_MAX, .limit_bytes = 1 << 20};

	for (uint64_t i = 1; i <= 100000; i++) {
		sample(&window, i, i);
		call(&window, i, 9, "same");
		wp_recorder_window_pass(&window, i);
		CHECK(window.bytes <= 2 << 20);
	}
	CHECK(window.samples > 500 && window.samples < 10000);
	CHECK_U64(window.squeezed_ns, 100000 - window.samples);
	CHECK_U64(wp_recorder_window_oldest_ns(&window), 100001 - window.samples);
	wp_recorder_window_deinit(&window);
}

/* Names that nothing has any more are let go. */
static void test_names(void)
{
	struct wp_recorder_window window = {.span_ns = 1};

	for (uint64_t i = 1; i <= 100000; i++) {
		wp_autofree char *name = wp_asprintf("name %" PRIu64, i);

		call(&window, i, 1, name);
		wp_recorder_window_pass(&window, i);
	}
	CHECK(window.living.texts.strings.n <= 2 * 4096);
	wp_recorder_window_pass(&window, 200000);
	CHECK_STR(write_all(&window), "comm name 100000;");
	wp_recorder_window_deinit(&window);
}

static void test_words(void)
{
	struct wp_sampling_snapshot s;

	CHECK_OK(wp_sampling_snapshot_parse(NULL, &s));
	CHECK(!s.on);
	CHECK_OK(wp_sampling_snapshot_parse("5", &s));
	CHECK(s.on && s.span_ns == 5000000000 && s.limit_bytes == 64 << 20);
	CHECK_OK(wp_sampling_snapshot_parse("2m,256M", &s));
	CHECK(s.span_ns == 120000000000 && s.limit_bytes == 256 << 20);
	CHECK_OK(wp_sampling_snapshot_parse("8M", &s));
	CHECK(!s.span_ns && s.limit_bytes == 8 << 20);
	CHECK_ERR(wp_sampling_snapshot_parse("1K", &s), "at least 1M");
	CHECK_ERR(wp_sampling_snapshot_parse("0", &s), "--snapshot 0: want a time");
	CHECK_ERR(wp_sampling_snapshot_parse("5x", &s), "want a time");
}

/* When all has come that happened before it was asked for, or nothing happens. */
static void test_due(void)
{
	struct wp_sampling_snapshot s = {.on = true};

	CHECK(!wp_sampling_snapshot_is_due(&s, false, 5000, 10));
	CHECK(!wp_sampling_snapshot_is_due(&s, true, 90, 100));
	CHECK(!wp_sampling_snapshot_is_due(&s, true, 99, 110)); /* again: it is the same one */
	CHECK(wp_sampling_snapshot_is_due(&s, false, 100, 120));
	CHECK(!wp_sampling_snapshot_is_due(&s, false, 200, 200));
	CHECK(!wp_sampling_snapshot_is_due(&s, true, 200, 300));
	CHECK(wp_sampling_snapshot_is_due(&s, false, 200, 300 + 1000000000));
}

int main(void)
{
	RUN(test_ended);
	RUN(test_python);
	RUN(test_room);
	RUN(test_names);
	RUN(test_words);
	RUN(test_due);
	return check_done();
}
