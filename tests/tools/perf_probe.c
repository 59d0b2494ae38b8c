/*
 * perf_probe: counts or samples straight through the source stage and prints plain words, for
 * live tests of that stage.
 *
 *	perf_probe stat|sample [-e EVENTS] [-F HZ] [-p PID]... [-c CPUS] [-a] [-k] [-t SECONDS]
 *	           [-n ROUNDS] [-r RING_BYTES] [-w] [-- COMMAND ARG...]
 *
 * stat prints `EVENT CPU VALUE ENABLED RUNNING` (CPU "-" when processes are counted), sample one
 * `KEY VALUE` line for everything that arrived. -w waits until its standard input ends before it
 * starts, which is when everything has been opened.
 */
#include "base/clock.h"
#include "base/map.h"
#include "base/str.h"
#include "event/event_parse.h"
#include "source/launch.h"
#include "source/machine_probe.h"
#include "source/perf_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct tally {
	uint64_t samples[64], weight[64];
	uint64_t maps, comms, execs, forks, exits, lost, throttled, kernel, disorder, last_ns;
	struct wp_map tids, cpus;
	bool ended;
};

struct probe {
	struct wp_machine machine;
	struct wp_catalogue *catalogue;
	struct wp_event_set events;
	struct wp_target target;
	struct wp_launch launch;
	struct wp_source *source;
	struct wp_perf_options options;
	struct tally tally;
	const char *event_list;
	uint64_t freq_hz, rounds;
	double seconds;
	bool wait;
};

static void print_log(void *arg, enum wp_log_level level, const char *line)
{
	(void)arg;
	fprintf(stderr, "log %d: %s\n", (int)level, line);
}

static const struct wp_log stderr_log = {.sink = print_log};

static void take(struct tally *t, const struct wp_record *r)
{
	t->disorder += r->time_ns < t->last_ns;
	t->last_ns = r->time_ns;
	switch (r->kind) {
	case WP_RECORD_SAMPLE:
		if (r->sample.event < 64) {
			t->samples[r->sample.event]++;
			t->weight[r->sample.event] += r->sample.period;
		}
		t->kernel += r->sample.mode == WP_MODE_KERNEL;
		wp_map_put(&t->tids, r->tid);
		wp_map_put(&t->cpus, r->cpu);
		break;
	case WP_RECORD_MAP: t->maps++; break;
	case WP_RECORD_COMM:
		t->comms++;
		t->execs += r->comm.exec;
		break;
	case WP_RECORD_FORK: t->forks++; break;
	case WP_RECORD_EXIT: t->exits++; break;
	case WP_RECORD_LOST: t->lost += r->lost.count; break;
	case WP_RECORD_THROTTLE: t->throttled++; break;
	default: break;
	}
}

static struct wp_err *next(struct probe *p, uint64_t until_ns, struct wp_batch *ret)
{
	TRY(p->source->ops->next(p->source, until_ns, ret));
	for (size_t i = 0; i < ret->n; i++)
		take(&p->tally, &ret->records[i]);
	return NULL;
}

static void print_counts(const struct probe *p, const struct wp_batch *batch)
{
	for (size_t i = 0; i < batch->n; i++) {
		const struct wp_record *r = &batch->records[i];
		char cpu[16] = "-";

		if (r->cpu != WP_ANY_CPU)
			snprintf(cpu, sizeof(cpu), "%u", r->cpu);
		printf("%s %s %" PRIu64 " %" PRIu64 " %" PRIu64 "\n",
		       p->events.events.v[r->count.event].name, cpu, r->count.value,
		       r->count.enabled_ns, r->count.running_ns);
	}
}

static void print_tally(const struct probe *p)
{
	const struct tally *t = &p->tally;

	for (size_t i = 0; i < p->events.events.n && i < 64; i++)
		printf("%s %" PRIu64 " %" PRIu64 "\n", p->events.events.v[i].name, t->samples[i],
		       t->weight[i]);
	printf("maps %" PRIu64 "\ncomms %" PRIu64 "\nexecs %" PRIu64 "\nforks %" PRIu64
	       "\nexits %" PRIu64 "\n",
	       t->maps, t->comms, t->execs, t->forks, t->exits);
	printf("lost %" PRIu64 "\nthrottled %" PRIu64 "\nkernel %" PRIu64 "\ndisorder %" PRIu64
	       "\n",
	       t->lost, t->throttled, t->kernel, t->disorder);
	printf("tids %zu\ncpus %zu\nended %d\n", t->tids.n, t->cpus.n, (int)t->ended);
}

static struct wp_err *run_round(struct probe *p, bool first)
{
	const struct wp_source_ops *ops = p->source->ops;
	uint64_t until = WP_FOREVER;
	struct wp_batch batch = {0};

	TRY(ops->start(p->source));
	if (first && p->launch.pid)
		TRY(wp_launch_go(&p->launch));
	if (p->seconds > 0)
		until = wp_clock_now_ns() + (uint64_t)(p->seconds * 1e9);
	while (!p->tally.ended && wp_clock_now_ns() < until) {
		TRY(next(p, until, &batch));
		p->tally.ended = batch.ended;
	}
	TRY(ops->stop(p->source));
	do
		TRY(next(p, until, &batch));
	while (batch.n);
	if (p->options.sampling)
		return NULL;
	TRY(ops->counts(p->source, &batch));
	print_counts(p, &batch);
	return NULL;
}

static struct wp_err *parse_events(struct probe *p)
{
	if (p->options.sampling)
		return wp_event_parse_sampling(p->catalogue, p->event_list, p->freq_hz, &p->events);
	return wp_event_parse_counting(p->catalogue, p->event_list, &p->events);
}

static struct wp_err *run(struct probe *p, char **command)
{
	char byte;

	wp_machine_probe("", &p->machine);
	p->catalogue = wp_catalogue_new(&p->machine, &stderr_log);
	TRY(parse_events(p));
	if (command && *command) {
		TRY(wp_launch_start(command, NULL, &p->launch));
		wp_vec_push(&p->target.pids, p->launch.pid);
		p->target.launched = true;
	}
	p->options.events = &p->events;
	p->options.target = &p->target;
	p->options.machine = &p->machine;
	p->options.log = &stderr_log;
	TRY(wp_perf_source_open(&p->options, &p->source));
	if (p->wait) {
		printf("ready\n");
		fflush(stdout);
		while (read(0, &byte, 1) > 0)
			;
	}
	for (uint64_t i = 0; i < p->rounds; i++)
		TRY(run_round(p, i == 0));
	if (p->options.sampling)
		print_tally(p);
	return NULL;
}

static void parse_option(struct probe *p, int option)
{
	switch (option) {
	case 'e': p->event_list = optarg; break;
	case 'F': p->freq_hz = strtoull(optarg, NULL, 10); break;
	case 'p': wp_vec_push(&p->target.pids, atoi(optarg)); break;
	case 'c': wp_cpuset_parse(&p->target.cpus, optarg); break;
	case 'a': p->target.kind = WP_TARGET_CPUS; break;
	case 'k': p->target.kernel = true; break;
	case 't': p->seconds = atof(optarg); break;
	case 'n': p->rounds = strtoull(optarg, NULL, 10); break;
	case 'r': p->options.ring_bytes = strtoull(optarg, NULL, 10); break;
	case 'w': p->wait = true; break;
	default: exit(2);
	}
}

static void cleanup(struct probe *p)
{
	if (p->source)
		p->source->ops->close(p->source);
	wp_launch_finish(&p->launch);
	wp_event_set_deinit(&p->events);
	if (p->catalogue)
		wp_catalogue_free(p->catalogue);
	wp_machine_deinit(&p->machine);
	wp_target_deinit(&p->target);
	wp_map_deinit(&p->tally.tids);
	wp_map_deinit(&p->tally.cpus);
}

int main(int argc, char **argv)
{
	struct probe p = {.rounds = 1, .event_list = "task-clock"};
	struct wp_err *err;
	int option, status;

	if (argc < 2)
		return 2;
	p.options.sampling = strcmp(argv[1], "sample") == 0;
	optind = 2;
	while ((option = getopt(argc, argv, "+e:F:p:c:akt:n:r:w")) != -1)
		parse_option(&p, option);
	err = run(&p, argv + optind);
	status = err ? 1 : 0;
	if (err)
		fprintf(stderr, "error: %s\n", err->text);
	wp_err_free(err);
	cleanup(&p);
	return status;
}
