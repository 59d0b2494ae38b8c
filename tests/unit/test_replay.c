/* SPDX-License-Identifier: BSD-3-Clause */
/* The replay source: blocks, waiting, filters, counts. */
#include "check.h"

#include "replay/replay.h"

#include <fcntl.h>
#include <unistd.h>

static char path[] = "/tmp/test_replay.XXXXXX";

static struct wp_replay *load(const char *text)
{
	struct wp_replay *replay = NULL;
	int fd = open(path, O_WRONLY | O_TRUNC);

	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	CHECK_OK(wp_replay_load(path, &replay));
	return replay;
}

static struct wp_event_set two_events(void)
{
	struct wp_event_set set = {0};

	wp_vec_push(&set.events, (struct wp_event){.name = "a", .period = 100});
	wp_vec_push(&set.events, (struct wp_event){.name = "b"});
	return set;
}

/* Takes batches while none of the script's time has passed; how many records they have. */
static size_t drain_before_wait(struct wp_source *source)
{
	struct wp_batch batch;
	size_t n = 0;

	while (source->ops->elapsed_ns(source) == 0) {
		CHECK_OK(source->ops->next(source, 0, &batch));
		CHECK(!batch.ended);
		n += batch.n;
	}
	return n;
}

static void test_samples(void)
{
	struct wp_replay *replay = load("process pid=7 exe=/x/img\n"
					"sample event=b pid=7 ip=1 repeat=20000\n"
					"sample event=a pid=8 ip=2\n"
					"wait 1\n"
					"sample event=A pid=7 ip=3 cpu=2\n"
					"sample event=c pid=7 ip=3\n"
					"fork pid=8 parent=7\n"
					"sample event=a pid=8 ip=4 mode=kernel\n"
					"sample event=a pid=8 ip=5\n");
	struct wp_event_set set = two_events();
	struct wp_target target = {.kind = WP_TARGET_PROCESSES};
	struct wp_source *source;
	struct wp_batch batch;
	size_t n = 0;

	CHECK_STR(wp_replay_processes(replay, &n)[0].comm, "img");
	CHECK_U64(n, 1);
	wp_vec_push(&target.pids, 7);
	CHECK_OK(wp_replay_open(replay, &set, &source));
	wp_replay_watch(source, &target);
	CHECK_OK(source->ops->start(source));
	CHECK_U64(drain_before_wait(source), 20000);
	CHECK_OK(source->ops->next(source, 0, &batch));
	CHECK(batch.ended);
	CHECK_U64(batch.n, 3);
	CHECK_U64(batch.records[0].sample.period, 100);
	CHECK_U64(batch.records[0].time_ns, 1000000000);
	CHECK_U64(batch.records[1].kind, WP_RECORD_FORK);
	CHECK_U64(batch.records[2].sample.ip.v, 5);
	CHECK_OK(source->ops->stop(source));
	CHECK_OK(source->ops->next(source, 0, &batch));
	CHECK_U64(batch.n, 0);
	source->ops->close(source);
	wp_vec_deinit(&target.pids);
	wp_event_set_deinit(&set);
	wp_replay_free(replay);
}

static void test_counts(void)
{
	struct wp_replay *replay = load("count event=a cpu=0 value=10\n"
					"count event=a cpu=1 value=20 running=0.5\n"
					"elapsed 2\n"
					"end\n"
					"count event=b value=5\n"
					"elapsed 3\n"
					"end\n");
	struct wp_event_set set = two_events();
	struct wp_source *source;
	struct wp_batch batch;

	CHECK_OK(wp_replay_open(replay, &set, &source));
	CHECK_OK(source->ops->start(source));
	CHECK_OK(source->ops->next(source, 0, &batch));
	CHECK(batch.n == 0 && !batch.ended);
	CHECK_OK(source->ops->stop(source));
	CHECK_U64(source->ops->elapsed_ns(source), 2000000000);
	CHECK_OK(source->ops->counts(source, &batch));
	CHECK_U64(batch.n, 4);
	CHECK_U64(batch.records[0].count.value, 10);
	CHECK_U64(batch.records[0].count.running_ns, 2000000000);
	CHECK_U64(batch.records[1].count.event, 1);
	CHECK_U64(batch.records[1].count.running_ns, 0);
	CHECK_U64(batch.records[2].cpu, 1);
	CHECK_U64(batch.records[2].count.running_ns, 500000000);
	CHECK_OK(source->ops->start(source));
	CHECK_OK(source->ops->next(source, 0, &batch));
	CHECK(batch.ended);
	CHECK_OK(source->ops->counts(source, &batch));
	CHECK_U64(batch.n, 2);
	CHECK_U64(batch.records[1].cpu, WP_ANY_CPU);
	CHECK_U64(batch.records[1].count.value, 5);
	CHECK_U64(source->ops->elapsed_ns(source), 3000000000);
	source->ops->close(source);
	wp_event_set_deinit(&set);
	wp_replay_free(replay);
}

/* A session may wait longer than a block says; time goes on for it. */
static void test_idle(void)
{
	struct wp_replay *replay = load("wait 1\nend\nwait 1\nend\n");
	struct wp_event_set set = two_events();
	struct wp_source *source;
	struct wp_batch batch;
	int rounds = 0;

	CHECK_OK(wp_replay_open(replay, &set, &source));
	CHECK_OK(source->ops->start(source));
	while (source->ops->elapsed_ns(source) < 1005000000 && rounds++ < 100)
		CHECK_OK(source->ops->next(source, 0, &batch));
	CHECK(rounds < 100 && !batch.ended);
	source->ops->close(source);
	wp_event_set_deinit(&set);
	wp_replay_free(replay);
}

int main(void)
{
	close(mkstemp(path));
	RUN(test_samples);
	RUN(test_counts);
	RUN(test_idle);
	unlink(path);
	return check_done();
}
