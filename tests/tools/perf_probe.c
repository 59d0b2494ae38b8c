/* SPDX-License-Identifier: BSD-3-Clause */
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
#include "probe.h"

#include "base/map.h"
#include "base/str.h"

#include <inttypes.h>
#include <string.h>

struct tally {
	uint64_t samples[64], weight[64];
	uint64_t maps, comms, execs, forks, exits, lost, throttled, kernel, disorder, last_ns;
	struct wp_map tids, cpus;
};

struct counting {
	struct probe probe;
	struct tally tally;
	bool wait;
};

static void take_record(struct tally *t, const struct wp_record *r)
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

static void take(struct probe *p, const struct wp_batch *batch)
{
	for (size_t i = 0; i < batch->n; i++)
		take_record(&((struct counting *)p)->tally, &batch->records[i]);
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

static void print_tally(const struct probe *p, const struct tally *t)
{
	for (size_t i = 0; i < p->events.events.n && i < 64; i++)
		printf("%s %" PRIu64 " %" PRIu64 "\n", p->events.events.v[i].name, t->samples[i],
		       t->weight[i]);
	printf("maps %" PRIu64 "\ncomms %" PRIu64 "\nexecs %" PRIu64 "\nforks %" PRIu64
	       "\nexits %" PRIu64 "\n",
	       t->maps, t->comms, t->execs, t->forks, t->exits);
	printf("lost %" PRIu64 "\nthrottled %" PRIu64 "\nkernel %" PRIu64 "\ndisorder %" PRIu64
	       "\n",
	       t->lost, t->throttled, t->kernel, t->disorder);
	printf("tids %zu\ncpus %zu\nended %d\n", t->tids.n, t->cpus.n, (int)p->ended);
}

static struct wp_err *run_round(struct counting *c)
{
	struct wp_batch batch;

	TRY(probe_round(&c->probe));
	if (c->probe.options.sampling)
		return NULL;
	TRY(c->probe.source->ops->counts(c->probe.source, &batch));
	print_counts(&c->probe, &batch);
	return NULL;
}

static struct wp_err *run(struct counting *c, char **command)
{
	struct probe *p = &c->probe;
	char byte;

	TRY(probe_parse(p));
	TRY(probe_open(p, command));
	if (c->wait) {
		printf("ready\n");
		fflush(stdout);
		while (read(0, &byte, 1) > 0)
			;
	}
	for (uint64_t i = 0; i < p->rounds; i++)
		TRY(run_round(c));
	if (p->options.sampling)
		print_tally(p, &c->tally);
	return NULL;
}

static void parse_option(struct counting *c, int option)
{
	if (probe_option(&c->probe, option, optarg))
		return;
	switch (option) {
	case 'c': wp_cpuset_parse(&c->probe.target.cpus, optarg); break;
	case 'a': c->probe.target.kind = WP_TARGET_CPUS; break;
	case 'k': c->probe.target.kernel = true; break;
	case 'w': c->wait = true; break;
	default: exit(2);
	}
}

int main(int argc, char **argv)
{
	struct counting c = {.probe = {.rounds = 1, .event_list = "task-clock", .take = take}};
	struct wp_err *err;
	int option, status;

	if (argc < 2)
		return 2;
	c.probe.options.sampling = strcmp(argv[1], "sample") == 0;
	optind = 2;
	while ((option = getopt(argc, argv, "+e:F:p:c:akt:n:r:w")) != -1)
		parse_option(&c, option);
	err = run(&c, argv + optind);
	status = err ? 1 : 0;
	if (err)
		fprintf(stderr, "error: %s\n", err->text);
	wp_err_free(err);
	probe_close(&c.probe);
	wp_map_deinit(&c.tally.tids);
	wp_map_deinit(&c.tally.cpus);
	return status;
}
