/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_probe: Python frames of a running process, as the BPF walker brings them; a tool for the
 * tests.
 *
 *	python_probe [-e EVENT] [-F HZ] [-t SECONDS] [-r RING_BYTES] [-g] [-l] [-b] [-D] [-a] [-G]
 *[-q]
 *[-T] PID
 *
 * One line for each sample: "TID END GIL NATIVE | NAME@LASTI ... | ...", innermost first, "|" for
 * marks; then one line "samples N ..." of sums. -g walks native frames as well, -l does without the
 * threads' own slots (as where libc does not tell), -b loads the program for kernels without
 * bpf_loop(), -a looks for asyncio's tasks, -G does not ask for the GIL, -q prints the sums only,
 * -T the sample's instant (CLOCK_MONOTONIC, ns) behind NATIVE. "ready" on standard error says that
 * it has begun.
 */
#include "probe.h"
#include "python_memory.h"

#include "base/file.h"
#include "base/str.h"
#include "format/maps/proc_maps.h"
#include "session/follow/walk_feed.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

static struct wp_processes processes;

static const char *const ends[WP_PYTHON_ENDS] = {"complete",   "no-thread", "no-frame", "partial",
						 "unreadable", "damaged",   "cut",	"late"};

struct code {
	uint64_t addr;
	uint32_t id;
	char name[64];
};

struct walking {
	struct probe probe;
	pid_t pid;
	bool native, list, bounded, no_direct, tasks, no_gil, quiet, instant;
	struct wp_resolver *resolver;
	struct wp_walk_feed feed;
	struct wp_python_plan plans[WP_PYTHON_PLANS];
	size_t n_plans;
	struct wp_map code_of;
	WP_VEC(struct code) codes;
	uint64_t samples, walked, frames, marks, native_frames, unnamed, by_end[WP_PYTHON_ENDS],
		lost;
	uint64_t held, captured, deepest;
};

static void plan_one(struct walking *p, int fd, const struct wp_record_map *map,
		     const struct wp_python_libc *libc)
{
	struct wp_memory memory = {read_memory, &p->pid};
	struct wp_python_build *build = NULL;
	wp_autoerr struct wp_err *err = NULL;
	uint64_t delta;

	if (p->n_plans == WP_PYTHON_PLANS || !delta_of(fd, map, &delta))
		return;
	err = wp_python_build_read(fd, map->path, &build);
	if (err || !build)
		return;
	if (!runs_in(build, map, delta)) {
		wp_python_build_free(build);
		return;
	}
	err = wp_python_build_plan(build, delta, p->list ? NULL : libc, &memory,
				   &p->plans[p->n_plans]);
	if (!err) {
		p->plans[p->n_plans].generation = (uint32_t)p->n_plans + 1;
		p->n_plans++;
	}
	wp_python_build_free(build);
}

/* Once for the libc, once for the plans; the second time the native walker is told, too. */
static void look_at_maps(struct walking *p, struct wp_python_libc *libc, bool plans)
{
	wp_autofree char *path = wp_asprintf("/proc/%d/maps", (int)p->pid);
	wp_autofree char *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, 64 << 20, &text, NULL);
	struct wp_record r = {
		.kind = WP_RECORD_MAP, .pid = (uint32_t)p->pid, .tid = (uint32_t)p->pid};
	char *at = text;

	while (!err && wp_proc_maps_next(&at, &r.map)) {
		wp_autofree char *file = wp_asprintf("/proc/%d/root%s", (int)p->pid, r.map.path);
		wp_autoclose int fd = r.map.path[0] == '/' ? open(file, O_RDONLY | O_CLOEXEC) : -1;

		if (plans) {
			wp_processes_take(&processes, &r);
		}
		if (fd < 0)
			continue;
		if (!plans)
			wp_python_libc_read(fd, libc);
		else
			plan_one(p, fd, &r.map, libc);
	}
}

static struct wp_err *open_walker(struct walking *p)
{
	struct wp_bpf_walker_options options = {.log = &stderr_log,
						.native = p->native,
						.gil = !p->no_gil,
						.bounded = p->bounded,
						.no_direct = p->no_direct,
						.tasks = p->tasks,
						.only_mapped = true};

	TRY(wp_bpf_walker_open(&options, &p->feed.walker));
	p->feed.log = &stderr_log;
	p->feed.resolver = p->resolver;
	p->feed.eager = true;
	p->feed.native = p->native;
	wp_bpf_maps_exec(wp_bpf_walker_maps(p->feed.walker), (uint32_t)p->pid);
	return NULL;
}

static void take_code(struct walking *p, const struct wp_record_code *code)
{
	struct wp_code_text text = code->qualname.n ? code->qualname : code->name;
	struct code own = {.addr = code->addr, .id = code->id};

	for (uint32_t i = 0; i < text.n / (text.width ? text.width : 1) && i < 63; i++)
		own.name[i] = (char)text.bytes[i * text.width];
	wp_vec_push(&p->codes, own);
	*wp_map_put(&p->code_of, code->addr ^ (uint64_t)code->id << 32) = p->codes.n;
	p->captured++;
}

static const char *name_of(struct walking *p, const struct wp_python_slot *slot)
{
	const uint64_t *found = wp_map_get(&p->code_of, slot->addr ^ (uint64_t)slot->id << 32);

	if (found)
		return p->codes.v[*found - 1].name;
	p->unnamed++;
	return "?";
}

static void take_thread(struct walking *p, const struct wp_record *r,
			const struct wp_python_slot *slot)
{
	uint32_t end = WP_PYTHON_THREAD_END(slot->id);

	p->walked++;
	p->by_end[end < WP_PYTHON_ENDS ? end : WP_PYTHON_DAMAGED]++;
	p->held += slot->id & WP_PYTHON_GIL_HELD ? 1 : 0;
	if (p->quiet)
		return;
	printf("%s%u %s%s gil%s %zu", p->walked > 1 ? "\n" : "", r->tid, ends[end & 7],
	       slot->id & WP_PYTHON_REPAIRED ? "+repaired" : "",
	       !(slot->id & WP_PYTHON_GIL_KNOWN) ? "?"
	       : slot->id & WP_PYTHON_GIL_HELD	 ? "+"
						 : "-",
	       r->sample.stack->n_walked);
	if (p->instant)
		printf(" %" PRIu64 " |", r->time_ns);
	else
		printf(" |");
}

static void take_sample(struct walking *p, const struct wp_record *r)
{
	const struct wp_stack_raw *raw = r->sample.stack;
	uint64_t depth = 0;

	p->samples++;
	p->native_frames += raw ? raw->n_walked : 0;
	for (size_t i = 0; raw && i < raw->n_python; i++) {
		const struct wp_python_slot *slot = &raw->python[i];
		bool mark = slot->lasti == WP_PYTHON_MARK;

		if (slot->lasti == WP_PYTHON_THREAD) {
			take_thread(p, r, slot);
			continue;
		}
		p->frames += !mark;
		p->marks += mark;
		depth += !mark;
		if (!p->quiet && mark)
			printf(" |");
		else if (!p->quiet)
			printf(" %s@%d", name_of(p, slot), slot->lasti);
		else if (!mark)
			name_of(p, slot);
	}
	p->deepest = depth > p->deepest ? depth : p->deepest;
}

static void take_record(struct walking *p, const struct wp_record *r)
{
	switch (r->kind) {
	case WP_RECORD_SAMPLE: take_sample(p, r); break;
	case WP_RECORD_CODE: take_code(p, &r->code); break;
	case WP_RECORD_LOST: p->lost += r->lost.count; break;
	case WP_RECORD_MAP:
	case WP_RECORD_FORK:
	case WP_RECORD_EXIT:
	case WP_RECORD_COMM: wp_processes_take(&processes, r); break;
	default: break;
	}
}

static void take(struct probe *probe, const struct wp_batch *batch)
{
	struct walking *p = (struct walking *)probe;

	for (size_t i = 0; i < batch->n; i++)
		take_record(p, &batch->records[i]);
	wp_walk_feed_commit(&p->feed);
}

static struct wp_err *run(struct walking *p)
{
	struct wp_python_libc libc = {0};

	TRY(probe_parse(&p->probe));
	wp_vec_push(&p->probe.target.pids, p->pid);
	p->resolver = wp_resolver_new(&(struct wp_resolver_options){.processes = &processes});
	wp_processes_listen(&processes, wp_walk_feed_changed, &p->feed);
	TRY(open_walker(p));
	p->probe.options.walker = p->feed.walker;
	TRY(probe_open(&p->probe, NULL));
	look_at_maps(p, &libc, false);
	look_at_maps(p, &libc, true);
	if (!p->n_plans)
		return wp_err_new(WP_ERR_UNSUPPORTED, "no interpreter in %d", (int)p->pid);
	wp_bpf_walker_set_python(p->feed.walker, (uint32_t)p->pid, p->plans, p->n_plans, NULL);
	wp_walk_feed_commit(&p->feed);
	return probe_round(&p->probe);
}

static void print_sums(const struct walking *p)
{
	struct wp_bpf_walker_cost cost = wp_bpf_walker_cost(p->feed.walker);

	printf("%ssamples %" PRIu64 " walked %" PRIu64 " frames %" PRIu64 " marks %" PRIu64
	       " native %" PRIu64 " deepest %" PRIu64 " codes %" PRIu64 " unnamed %" PRIu64
	       " held %" PRIu64 " lost %" PRIu64,
	       p->quiet ? "" : "\n", p->samples, p->walked, p->frames, p->marks, p->native_frames,
	       p->deepest, p->captured, p->unnamed, p->held, p->lost);
	for (int i = 0; i < WP_PYTHON_ENDS; i++)
		if (p->by_end[i])
			printf(" %s %" PRIu64, ends[i], p->by_end[i]);
	printf(" ns %" PRIu64 "\n", cost.runs ? cost.ns / cost.runs : 0);
}

static bool parse_option(struct walking *p, int option)
{
	switch (option) {
	case 'g': p->native = true; break;
	case 'l': p->list = true; break;
	case 'a': p->tasks = true; break;
	case 'b': p->bounded = true; break;
	case 'D': p->no_direct = true; break;
	case 'G': p->no_gil = true; break;
	case 'q': p->quiet = true; break;
	case 'T': p->instant = true; break;
	default: return probe_option(&p->probe, option, optarg);
	}
	return true;
}

int main(int argc, char **argv)
{
	struct walking p = {.probe = {.event_list = "cpu-clock",
				      .freq_hz = 999,
				      .seconds = 1,
				      .take = take,
				      .announce = true,
				      .options = {.sampling = true, .stacks = WP_STACKS_BPF}}};
	wp_autoerr struct wp_err *err = NULL;
	int option;

	while ((option = getopt(argc, argv, "e:F:t:r:glbDaGqT")) != -1)
		if (!parse_option(&p, option))
			return 2;
	p.pid = optind < argc ? atoi(argv[optind]) : 0;
	err = run(&p);
	if (err)
		fprintf(stderr, "error: %s\n", err->text);
	else
		print_sums(&p);
	probe_close(&p.probe);
	wp_walk_feed_close(&p.feed);
	wp_resolver_free(p.resolver);
	wp_processes_deinit(&processes);
	wp_map_deinit(&p.code_of);
	wp_vec_deinit(&p.codes);
	return err ? 1 : 0;
}
