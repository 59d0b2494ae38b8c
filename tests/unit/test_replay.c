/* SPDX-License-Identifier: BSD-3-Clause */
/* The world of a script: what it answers; its source: blocks, waiting, filters, counts. */
#include "check.h"

#include "replay/replay.h"

#include <fcntl.h>
#include <unistd.h>

static char path[] = "/tmp/test_replay.XXXXXX";

static struct wp_world *load(const char *text)
{
	struct wp_world *world = NULL;
	int fd = open(path, O_WRONLY | O_TRUNC);

	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
	close(fd);
	CHECK_OK(wp_replay_open(path, &world));
	return world;
}

static struct wp_event_set two_events(void)
{
	struct wp_event_set set = {0};

	wp_vec_push(&set.events, (struct wp_event){.name = "a", .period = 100});
	wp_vec_push(&set.events, (struct wp_event){.name = "b"});
	return set;
}

static struct wp_source *open_source(struct wp_world *world, const struct wp_event_set *set,
				     const struct wp_target *target)
{
	struct wp_source_options options = {.events = set, .target = target};
	struct wp_source *source = NULL;

	CHECK_OK(world->ops->open(world, &options, &source));
	return source;
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
	struct wp_world *world = load("process pid=7 exe=/x/img\n"
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

	wp_vec_push(&target.pids, 7);
	source = open_source(world, &set, &target);
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
	world->ops->close(world);
}

static void test_counts(void)
{
	struct wp_world *world = load("count event=a cpu=0 value=10\n"
				      "count event=a cpu=1 value=20 running=0.5\n"
				      "elapsed 2\n"
				      "end\n"
				      "count event=b value=5\n"
				      "elapsed 3\n"
				      "end\n");
	struct wp_event_set set = two_events();
	struct wp_source *source;
	struct wp_batch batch;

	source = open_source(world, &set, NULL);
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
	world->ops->close(world);
}

/* A session may wait longer than a block says; time goes on for it. */
static void test_idle(void)
{
	struct wp_world *world = load("wait 1\nend\nwait 1\nend\n");
	struct wp_event_set set = two_events();
	struct wp_source *source;
	struct wp_batch batch;
	int rounds = 0;

	source = open_source(world, &set, NULL);
	CHECK_OK(source->ops->start(source));
	while (source->ops->elapsed_ns(source) < 1005000000 && rounds++ < 100)
		CHECK_OK(source->ops->next(source, 0, &batch));
	CHECK(rounds < 100 && !batch.ended);
	source->ops->close(source);
	wp_event_set_deinit(&set);
	world->ops->close(world);
}

/* Who opens anew goes on with the next block, as after a stop. */
static void test_reopen(void)
{
	struct wp_world *world = load("count event=a value=1\nend\ncount event=a value=2\nend\n");
	struct wp_event_set set = two_events();
	struct wp_batch batch;

	for (uint64_t run = 1; run <= 2; run++) {
		struct wp_source *source = open_source(world, &set, NULL);

		CHECK_OK(source->ops->start(source));
		CHECK_OK(source->ops->next(source, 0, &batch));
		CHECK_U64(batch.ended, run == 2);
		CHECK_OK(source->ops->counts(source, &batch));
		CHECK_U64(batch.records[0].count.value, run);
		source->ops->close(source);
	}
	wp_event_set_deinit(&set);
	world->ops->close(world);
}

static void test_processes(void)
{
	struct wp_world *world = load("process pid=7 exe=/x/img\n"
				      "process pid=8 exe=/y/img comm=other launched\n"
				      "exit pid=8 status=3 user=0.5\n");
	struct wp_target target = {0};
	struct wp_world_end end = world->ops->end(world, NULL);
	wp_autofree char *exe = NULL, *comm = NULL;

	CHECK(world->ops->process(world, 7, &exe, &comm));
	CHECK_STR(exe, "/x/img");
	CHECK_STR(comm, "img");
	CHECK(!world->ops->process(world, 9, NULL, NULL));
	CHECK_OK(world->ops->find(world, "/usr/bin/img", &target));
	CHECK_U64(target.pids.n, 2);
	CHECK_OK(world->ops->launch(world, NULL, NULL, &target, NULL));
	CHECK_U64(target.pids.n, 3);
	CHECK_U64(target.pids.v[2], 8);
	CHECK(end.status == 3 && end.timed && end.user_ns == 500000000);
	wp_vec_deinit(&target.pids);
	world->ops->close(world);
}

static void test_files(void)
{
	struct wp_world *world = load("line path=/x/img rva=0x10 file=a.c line=1\n"
				      "line path=/x/img rva=0x20 file=b.c line=2\n"
				      "code path=/x/img rva=0x10 bytes=0102030405\n"
				      "pytext file=a.py line=3 text=pass\n");
	uint8_t bytes[3] = {0};
	uint32_t line = 0;

	CHECK_STR(world->ops->line(world, "/x/img", (struct wp_rva){0x21}, &line), "b.c");
	CHECK_U64(line, 2);
	CHECK(!world->ops->line(world, "/x/img", (struct wp_rva){0xf}, &line));
	CHECK(!world->ops->line(world, "/x/other", (struct wp_rva){0x10}, &line));
	CHECK_U64(world->ops->code(world, "/x/img", (struct wp_rva){0x11}, bytes, 3), 3);
	CHECK(bytes[0] == 2 && bytes[2] == 4);
	CHECK_U64(world->ops->code(world, "/x/img", (struct wp_rva){0x13}, bytes, 3), 2);
	CHECK_U64(world->ops->code(world, "/x/img", (struct wp_rva){0x15}, bytes, 3), 0);
	CHECK_STR(world->ops->text(world, "a.py", 3), "pass");
	CHECK(!world->ops->text(world, "a.py", 4));
	world->ops->close(world);
}

int main(void)
{
	close(mkstemp(path));
	RUN(test_samples);
	RUN(test_counts);
	RUN(test_idle);
	RUN(test_reopen);
	RUN(test_processes);
	RUN(test_files);
	unlink(path);
	return check_done();
}
