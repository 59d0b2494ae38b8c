/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting by WindowsPerf's driver (its model): lists in rows, turns, counts and times, what is
 * refused. */
#include "check.h"

#include "base/clock.h"
#include "drv_model.h"
#include "source/wperfdrv/drv_plan.h"
#include "source/wperfdrv/drv_source.h"

#include <linux/perf_event.h>

static struct wp_event make_event(const char *name, uint64_t number, int group)
{
	return (struct wp_event){
		.name = name,
		.source = WP_EVENT_HW,
		.type = 8,
		.config = number,
		.group = group,
	};
}

static void add_cycle(struct wp_event_set *set)
{
	struct wp_event cycle = make_event("cycle", 0, WP_EVENT_NO_GROUP);

	cycle.type = PERF_TYPE_HARDWARE;
	cycle.is_fixed = true;
	wp_vec_push(&set->events, cycle);
}

static void test_rows(void)
{
	static const uint16_t want[] = {0x70, 0x71, 0x73, 0x74, 0x75, WP_DRV_PADDING};
	struct wp_event_set set = {.groups = 2};
	struct wp_drv_plan plan;

	add_cycle(&set);
	wp_vec_push(&set.events, make_event("a", 0x70, 0));
	wp_vec_push(&set.events, make_event("b", 0x71, 0));
	wp_vec_push(&set.events, make_event("c", 0x73, WP_EVENT_NO_GROUP));
	wp_vec_push(&set.events, make_event("d", 0x74, 1));
	wp_vec_push(&set.events, make_event("e", 0x75, 1));
	CHECK_OK(wp_drv_plan_make(&set, 0, 3, false, &plan));
	CHECK_U64(plan.numbers.n, WP_ARRAY_LEN(want));
	CHECK(memcmp(plan.numbers.v, want, sizeof(want)) == 0);
	CHECK(plan.cycle == 0 && plan.takes_turns && plan.filter_bits == WP_DRV_NOT_KERNEL);
	CHECK(plan.events.v[2] == 3 && plan.events.v[3] == 4);
	CHECK(plan.events.v[5] == WP_DRV_NO_EVENT);
	wp_drv_plan_deinit(&plan);
	set.events.v[3].core = 2; /* c on core 1 only */
	CHECK_OK(wp_drv_plan_make(&set, 0, 6, true, &plan));
	CHECK(plan.numbers.n == 6 && !plan.takes_turns && !plan.filter_bits); /* two of padding */
	wp_drv_plan_deinit(&plan);
	set.events.n = 1;
	CHECK_OK(wp_drv_plan_make(&set, 0, 6, false, &plan));
	CHECK(plan.numbers.n == 1 && plan.numbers.v[0] == WP_DRV_PADDING);
	wp_drv_plan_deinit(&plan);
	wp_event_set_deinit(&set);
}

static void test_not_countable(void)
{
	struct wp_event event = make_event("x", 0x11, WP_EVENT_NO_GROUP);
	struct wp_event_set set = {0};
	struct wp_drv_plan plan;
	uint16_t number;

	CHECK_OK(wp_drv_event_number(&event, &number));
	event.config = 0x10000;
	CHECK_ERR(wp_drv_event_number(&event, &number), "16 bits");
	event.type = PERF_TYPE_HARDWARE;
	event.config = PERF_COUNT_HW_INSTRUCTIONS;
	CHECK_OK(wp_drv_event_number(&event, &number));
	CHECK_U64(number, 0x08);
	event.type = PERF_TYPE_HW_CACHE;
	CHECK_ERR(wp_drv_event_number(&event, &number), "no number");
	event.source = WP_EVENT_SW;
	CHECK_ERR(wp_drv_event_number(&event, &number), "'x' is not counted here");
	wp_vec_push(&set.events, make_event("a", 1, WP_EVENT_NO_GROUP));
	wp_vec_push(&set.events, make_event("b", 2, WP_EVENT_NO_GROUP));
	set.events.v[1].kernel_only = true;
	CHECK_ERR(wp_drv_plan_make(&set, 0, 6, false, &plan), "'b' is not counted here: the wperf "
							      "driver counts all events of a core "
							      "in the same modes");
	wp_drv_plan_deinit(&plan);
	set.events.v[0].kernel_only = true;
	CHECK_OK(wp_drv_plan_make(&set, 0, 6, false, &plan));
	CHECK(plan.filter_bits == WP_DRV_NOT_USER);
	wp_drv_plan_deinit(&plan);
	wp_event_set_deinit(&set);
}

/* A source on a model of two cores. */
struct fixture {
	struct drv_model model;
	struct wp_drv *drv;
	struct wp_event_set set;
	struct wp_target target;
	struct wp_source_options options;
	struct wp_source *source;
};

static void set_up(struct fixture *f, uint32_t counters)
{
	*f = (struct fixture){.target = {.kind = WP_TARGET_CPUS}};
	drv_model_init(&f->model, 2, counters);
	CHECK_OK(wp_drv_open(drv_model_open(&f->model), false, &f->drv));
	add_cycle(&f->set);
	wp_vec_push(&f->set.events, make_event("a", 0x10, WP_EVENT_NO_GROUP));
	wp_vec_push(&f->set.events, make_event("b", 0x20, WP_EVENT_NO_GROUP));
	wp_vec_push(&f->set.events, make_event("c", 0x30, WP_EVENT_NO_GROUP));
	f->options = (struct wp_source_options){.events = &f->set, .target = &f->target};
}

static void tear_down(struct fixture *f)
{
	if (f->source)
		f->source->ops->close(f->source);
	wp_drv_close(f->drv);
	CHECK(!f->model.owner);
	wp_event_set_deinit(&f->set);
	wp_target_deinit(&f->target);
}

static struct wp_record_count count_of(const struct wp_batch *batch, uint32_t cpu, uint32_t event)
{
	for (size_t i = 0; i < batch->n; i++)
		if (batch->records[i].cpu == cpu && batch->records[i].count.event == event)
			return batch->records[i].count;
	CHECK(!"counted");
	return (struct wp_record_count){0};
}

static void check_count(struct wp_record_count count, uint64_t value, uint64_t running_ms,
			uint64_t enabled_ms)
{
	CHECK_U64(count.value, value);
	CHECK_U64(count.running_ns, running_ms * WP_NS_PER_MS);
	CHECK_U64(count.enabled_ns, enabled_ms * WP_NS_PER_MS);
}

static void test_counts_without_turns(void)
{
	const struct wp_source_ops *ops;
	struct wp_batch batch;
	struct fixture f;

	set_up(&f, 6);
	CHECK_OK(wp_drv_source_open(f.drv, &f.options, &f.source));
	ops = f.source->ops;
	CHECK_OK(ops->start(f.source));
	drv_model_advance(&f.model, 150);
	CHECK_OK(ops->counts(f.source, &batch)); /* a first period is not over */
	check_count(count_of(&batch, 0, 0), 0, 0, 0);
	drv_model_advance(&f.model, 350); /* two periods of 200 ms, and a lost part */
	CHECK_OK(ops->stop(f.source));
	CHECK_OK(ops->counts(f.source, &batch));
	CHECK_U64(batch.n, 8);
	check_count(count_of(&batch, 0, 0), 400000, 400, 400);
	check_count(count_of(&batch, 1, 0), 800000, 400, 400);
	check_count(count_of(&batch, 0, 1), 17 * 400, 400, 400);
	check_count(count_of(&batch, 1, 3), 50 * 400, 400, 400);
	CHECK_OK(ops->start(f.source)); /* anew, as a timeline does */
	drv_model_advance(&f.model, 200);
	CHECK_OK(ops->counts(f.source, &batch));
	check_count(count_of(&batch, 1, 3), 50 * 200, 200, 200);
	ops->lap(f.source);
	drv_model_advance(&f.model, 400);
	CHECK_OK(ops->counts(f.source, &batch));
	check_count(count_of(&batch, 1, 3), 50 * 400, 400, 400);
	tear_down(&f);
}

/* Two counters and three events: the window goes on by two each time. */
static void test_counts_in_turns(void)
{
	struct wp_batch batch;
	struct fixture f;

	set_up(&f, 2);
	f.options.count_period_ms = 50;
	wp_cpuset_add(&f.target.cpus, 1);
	CHECK_OK(wp_drv_source_open(f.drv, &f.options, &f.source));
	CHECK_OK(f.source->ops->start(f.source));
	drv_model_advance(&f.model, 200);
	CHECK_OK(f.source->ops->counts(f.source, &batch));
	CHECK_U64(batch.n, 4);
	check_count(count_of(&batch, 1, 0), 2000 * 200, 200, 200);
	check_count(count_of(&batch, 1, 1), (0x10 + 2) * 150, 150, 200); /* rounds 0, 1, 3 */
	check_count(count_of(&batch, 1, 2), (0x20 + 2) * 150, 150, 200); /* rounds 0, 2, 3 */
	check_count(count_of(&batch, 1, 3), (0x30 + 2) * 100, 100, 200); /* rounds 1, 2 */
	CHECK_OK(f.source->ops->start(f.source)); /* with the first events on the counters again */
	drv_model_advance(&f.model, 50);
	CHECK_OK(f.source->ops->counts(f.source, &batch));
	check_count(count_of(&batch, 1, 1), (0x10 + 2) * 50, 50, 50);
	check_count(count_of(&batch, 1, 3), 0, 0, 50);
	tear_down(&f);
}

static void test_kernel_too(void)
{
	struct wp_batch batch;
	struct fixture f;

	set_up(&f, 6);
	f.target.kernel = true;
	CHECK_OK(wp_drv_source_open(f.drv, &f.options, &f.source));
	CHECK_OK(f.source->ops->start(f.source));
	drv_model_advance(&f.model, 200);
	CHECK_OK(f.source->ops->counts(f.source, &batch));
	check_count(count_of(&batch, 0, 1), 2 * 17 * 200, 200, 200);
	tear_down(&f);
}

static void test_broken_driver(void)
{
	struct wp_batch batch;
	struct fixture f;

	set_up(&f, 6);
	CHECK_OK(wp_drv_source_open(f.drv, &f.options, &f.source));
	CHECK_OK(f.source->ops->start(f.source));
	f.model.garbled = true;
	CHECK_ERR(f.source->ops->counts(f.source, &batch), "another program has changed it");
	f.model.garbled = false;
	f.model.shortened[WP_DRV_READ_COUNTING] = true;
	CHECK_ERR(f.source->ops->counts(f.source, &batch), "4111 bytes, not 4112");
	f.model.shortened[WP_DRV_READ_COUNTING] = false;
	f.model.of[0].round = UINT64_MAX; /* times of that are none */
	f.model.of[0].scheduled[1] = UINT64_MAX / 2;
	CHECK_OK(f.source->ops->counts(f.source, &batch));
	check_count(count_of(&batch, 0, 1), 0, 0, 0);
	drv_model_rob(&f.model);
	CHECK_ERR(f.source->ops->stop(f.source), "another program took the wperf driver away");
	CHECK_ERR(f.source->ops->counts(f.source, &batch), "what was counted is lost");
	f.model.owner = NULL;
	tear_down(&f);
}

static char told[256];
static unsigned int n_told;

static void keep_line(void *arg, enum wp_log_level level, const char *line)
{
	(void)arg, (void)level;
	snprintf(told, sizeof(told), "%s", line);
	n_told++;
}

/* The clock goes on while the driver has read but one period. */
static void test_lost_part(void)
{
	const struct wp_log log = {keep_line, NULL};
	struct wp_batch batch;
	struct fixture f;

	set_up(&f, 6);
	f.options.log = &log;
	CHECK_OK(wp_drv_source_open(f.drv, &f.options, &f.source));
	CHECK_OK(f.source->ops->start(f.source));
	drv_model_advance(&f.model, 200);
	wp_clock_sleep_until_ns(wp_clock_now_ns() + 300 * WP_NS_PER_MS);
	CHECK_OK(f.source->ops->counts(f.source, &batch));
	CHECK_U64(n_told, 0); /* it may yet be read */
	CHECK_OK(f.source->ops->stop(f.source));
	CHECK_OK(f.source->ops->counts(f.source, &batch));
	CHECK(strncmp(told, "counts are of 200 ms out of ", 28) == 0);
	CHECK_OK(f.source->ops->start(f.source));
	CHECK_OK(f.source->ops->counts(f.source, &batch));
	CHECK_U64(n_told, 1);
	tear_down(&f);
	set_up(&f, 6);
	f.options.log = &log;
	CHECK_OK(wp_drv_source_open(f.drv, &f.options, &f.source));
	CHECK_OK(f.source->ops->start(f.source));
	CHECK_OK(f.source->ops->counts(f.source, &batch));
	CHECK(strstr(told, "nothing was counted yet") && strstr(told, "every 200 ms"));
	tear_down(&f);
}

/* Within a second of a long count. */
static void test_robbed_meanwhile(void)
{
	struct wp_batch batch;
	struct fixture f;

	set_up(&f, 6);
	CHECK_OK(wp_drv_source_open(f.drv, &f.options, &f.source));
	CHECK_OK(f.source->ops->start(f.source));
	CHECK_OK(f.source->ops->next(f.source, wp_clock_now_ns(), &batch));
	drv_model_rob(&f.model);
	CHECK_ERR(f.source->ops->next(f.source, wp_clock_now_ns() + WP_NS_PER_S, &batch),
		  "another program took the wperf driver away");
	f.model.owner = NULL;
	tear_down(&f);
}

static void test_other_targets(void)
{
	struct fixture f;

	set_up(&f, 6);
	f.target.kind = WP_TARGET_PROCESSES;
	CHECK_ERR(wp_drv_source_open(f.drv, &f.options, &f.source), "counts whole cores");
	f.target.kind = WP_TARGET_CPUS;
	f.options.sampling = true;
	CHECK_ERR(wp_drv_source_open(f.drv, &f.options, &f.source), "samples nothing yet");
	f.options.sampling = false;
	wp_vec_push(&f.set.events, make_event("wide", 1ull << 40, WP_EVENT_NO_GROUP));
	CHECK_ERR(wp_drv_source_open(f.drv, &f.options, &f.source), "'wide' is not counted here");
	f.set.events.n--;
	for (uint16_t i = 0; i < 200; i++)
		wp_vec_push(&f.set.events, make_event("more", i, WP_EVENT_NO_GROUP));
	CHECK_OK(wp_drv_source_open(f.drv, &f.options, &f.source));
	CHECK_ERR(f.source->ops->start(f.source), "too many core (including padding) events: 203 > "
						  "127");
	tear_down(&f);
}

int main(void)
{
	RUN(test_rows);
	RUN(test_not_countable);
	RUN(test_counts_without_turns);
	RUN(test_counts_in_turns);
	RUN(test_kernel_too);
	RUN(test_broken_driver);
	RUN(test_lost_part);
	RUN(test_robbed_meanwhile);
	RUN(test_other_targets);
	return check_done();
}
