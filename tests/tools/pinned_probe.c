/*
 * pinned_probe: samples with pinned readers, straight through the source stage, and holds what they
 * read against what the program says about itself; a tool for live tests.
 *
 *	pinned_probe [-e EVENTS] [-F HZ] [-p PID]... [-t SECONDS] [-m FILE] [-n ROUNDS] [-s]
 *	             [-- COMMAND ARG...]
 *	pinned_probe -A PID	whether its memory may be read
 *
 * Prints `KEY VALUE` lines. -s: samples without stacks. FILE is where tests/live/pinned_marks.py
 *wrote the address of its marks: memory laid out as an interpreter of its own, which a second plan
 *reads in the same walk. "right" and "wrong" count samples whose innermost function is, or is not,
 *the one whose number is the mark: those that are proven, and the late ones on their own.
 */
#include "base/clock.h"
#include "base/file.h"
#include "event/event_parse.h"
#include "session/python_processes.h"
#include "source/launch.h"
#include "source/machine_probe.h"
#include "source/perf_source.h"
#include "source/pinned.h"
#include "source/procfs.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct tally {
	uint64_t samples, without, ends[WP_PYTHON_ENDS], frames, codes, unnamed, lost;
	uint64_t right, wrong, late_right, late_wrong, unmarked;
};

struct probe {
	struct wp_machine machine;
	struct wp_catalogue *catalogue;
	struct wp_event_set events;
	struct wp_target target;
	struct wp_launch launch;
	struct wp_source *source;
	struct wp_perf_options options;
	struct wp_pinned *pinned;
	struct wp_python_processes processes;
	struct wp_map number_of; /* code object -> N of "mark_N" + 1 */
	struct tally tally;
	const char *event_list, *marks_file;
	uint64_t freq_hz, marks, rounds;
	bool ended;
	double seconds;
};

static void print_log(void *arg, enum wp_log_level level, const char *line)
{
	(void)arg;
	fprintf(stderr, "log %d: %s\n", (int)level, line);
}

static const struct wp_log stderr_log = {.sink = print_log};

static uint64_t key_of(uint32_t pid, uint64_t addr, uint32_t id)
{
	return (addr * 31 + pid) * 0x9e3779b97f4a7c15ull + id;
}

static void take_code(struct probe *p, const struct wp_record *record)
{
	const struct wp_code_text *name = &record->code.name;
	uint64_t number = 0;
	char text[64] = "";

	p->tally.codes++;
	if (name->width == 1 && name->n < sizeof(text))
		memcpy(text, name->bytes, name->n);
	if (sscanf(text, "mark_%" SCNu64, &number) != 1)
		number = 0;
	*wp_map_put(&p->number_of, key_of(record->pid, record->code.addr, record->code.id)) =
		number + 1;
}

/* The innermost frame of a plan; false: none. */
static bool innermost(const struct wp_stack_raw *raw, uint32_t plan, struct wp_python_slot *ret,
		      uint32_t *ret_end)
{
	uint32_t current = UINT32_MAX;

	for (size_t i = 0; i < raw->n_python; i++) {
		const struct wp_python_slot *slot = &raw->python[i];

		if (slot->lasti == WP_PYTHON_THREAD)
			current = WP_PYTHON_THREAD_PLAN(slot->id);
		if (slot->lasti == WP_PYTHON_THREAD && current == plan)
			*ret_end = WP_PYTHON_THREAD_END(slot->id);
		if (current == plan && slot->lasti != WP_PYTHON_THREAD &&
		    slot->lasti != WP_PYTHON_MARK) {
			*ret = *slot;
			return true;
		}
	}
	return false;
}

static void compare(struct probe *p, const struct wp_record *record)
{
	const struct wp_stack_raw *raw = record->sample.stack;
	struct wp_python_slot frame, mark;
	uint32_t end = 0, mark_end = 0;
	const uint64_t *number;
	bool right;

	if (!innermost(raw, 0, &frame, &end))
		return;
	number = wp_map_get(&p->number_of, key_of(record->pid, frame.addr, frame.id));
	p->tally.unnamed += !number;
	if (!p->marks || !innermost(raw, 1, &mark, &mark_end) || mark.lasti == 0) {
		p->tally.unmarked++;
		return;
	}
	right = number && *number == (uint64_t)mark.lasti + 1;
	p->tally.right += right && end != WP_PYTHON_LATE;
	p->tally.wrong += !right && end != WP_PYTHON_LATE;
	p->tally.late_right += right && end == WP_PYTHON_LATE;
	p->tally.late_wrong += !right && end == WP_PYTHON_LATE;
	if (!right && end != WP_PYTHON_LATE)
		fprintf(stderr, "wrong: tid %u mark %d, in mark_%" PRIu64 ", end %u\n", record->tid,
			mark.lasti, number ? *number - 1 : 0, end);
}

static void take_sample(struct probe *p, const struct wp_record *record)
{
	const struct wp_stack_raw *raw = record->sample.stack;

	p->tally.samples++;
	if (!raw || !raw->n_python) {
		p->tally.without++;
		return;
	}
	p->tally.ends[WP_PYTHON_THREAD_END(raw->python[0].id) % WP_PYTHON_ENDS]++;
	p->tally.frames += raw->n_python;
	compare(p, record);
}

/* What a plan for the marks' memory is: see pinned_marks.py. */
static struct wp_python_plan marks_plan(const struct probe *p, const struct wp_python_plan *plan)
{
	uint64_t code = p->marks + 128 + 32 * 128;

	return (struct wp_python_plan){
		.interpreters = p->marks,
		.code_type = code,
		.flags = WP_PYTHON_FRAME_OBJECTS,
		.generation = UINT32_MAX,
		.tid = plan->tid,
		.thread_id_bias = plan->thread_id_bias,
		.interp_threads = 8,
		.ts_interp = 8,
		.ts_thread_id = 16,
		.ts_frame = 24,
		.frame_previous = 8,
		.frame_code = 16,
		.frame_instr = 24,
		.object_type = 8,
		.code_first_line = 24,
		.code_name = 32,
		.code_filename = 40,
		.code_lines = 48,
		.code_bytes = 64,
	};
}

static void tell(struct probe *p, struct wp_python_process *process)
{
	struct wp_python_plan plans[WP_PYTHON_PLANS];
	size_t n = 0;

	wp_vec_each (struct wp_python_interpreter, python, &process->pythons)
		plans[n++] = python->plan;
	if (n == 1 && p->marks)
		plans[n++] = marks_plan(p, &plans[0]);
	wp_pinned_set_python(p->pinned, process->pid, plans, n);
	process->fresh = false;
}

/* After each batch: what is new about interpreters, and the marks once they are there. */
static void tell_all(struct probe *p)
{
	bool found = false;

	if (p->marks_file && !p->marks)
		found = wp_file_u64(p->marks_file, 16, &p->marks);
	wp_vec_each (struct wp_python_process, process, &p->processes.all) {
		wp_python_processes_look(&p->processes, process);
		if (process->fresh || found)
			tell(p, process);
	}
}

static struct wp_err *next(struct probe *p, uint64_t until_ns, struct wp_batch *ret)
{
	TRY(p->source->ops->next(p->source, until_ns, ret));
	for (size_t i = 0; i < ret->n; i++) {
		const struct wp_record *record = &ret->records[i];

		switch (record->kind) {
		case WP_RECORD_SAMPLE: take_sample(p, record); break;
		case WP_RECORD_CODE: take_code(p, record); break;
		case WP_RECORD_LOST: p->tally.lost += record->lost.count; break;
		default: wp_python_processes_record(&p->processes, record);
		}
	}
	tell_all(p);
	return NULL;
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
	while (!p->ended && wp_clock_now_ns() < until) {
		TRY(next(p, until, &batch));
		p->ended = batch.ended;
	}
	TRY(ops->stop(p->source));
	do
		TRY(next(p, until, &batch));
	while (batch.n);
	return NULL;
}

static struct wp_err *snapshot(struct probe *p)
{
	struct wp_records records = {0};

	wp_vec_each (pid_t, pid, &p->target.pids)
		TRY(wp_procfs_snapshot(*pid, &records));
	wp_vec_each (struct wp_record, record, &records.records)
		wp_python_processes_record(&p->processes, record);
	wp_records_deinit(&records);
	tell_all(p);
	return NULL;
}

static struct wp_err *run(struct probe *p, char **command)
{
	struct wp_pinned_options options = {.log = &stderr_log, .gil = true};

	wp_machine_probe("", &p->machine);
	p->catalogue = wp_catalogue_new(&p->machine, &stderr_log);
	TRY(wp_event_parse_sampling(p->catalogue, p->event_list, p->freq_hz, &p->events));
	TRY(wp_pinned_open(&options, &p->pinned));
	if (command && *command) {
		TRY(wp_launch_start(command, NULL, &p->launch));
		wp_vec_push(&p->target.pids, p->launch.pid);
		p->target.launched = true;
	}
	p->options.events = &p->events;
	p->options.target = &p->target;
	p->options.machine = &p->machine;
	p->options.log = &stderr_log;
	p->options.sampling = true;
	p->options.pinned = p->pinned;
	TRY(wp_perf_source_open(&p->options, &p->source));
	if (!p->target.launched)
		TRY(snapshot(p));
	for (uint64_t i = 0; i < p->rounds; i++)
		TRY(run_round(p, i == 0));
	return NULL;
}

static void print(const struct probe *p)
{
	static const char *const ends[WP_PYTHON_ENDS] = {"complete", "no_thread",  "no_frame",
							 "partial",  "unreadable", "damaged",
							 "cut",	     "late"};
	const struct wp_pinned_report report = wp_pinned_report(p->pinned);
	const struct tally *t = &p->tally;

	printf("samples %" PRIu64 "\nlost %" PRIu64 "\nwithout %" PRIu64 "\nframes %" PRIu64
	       "\ncodes %" PRIu64 "\nunnamed %" PRIu64 "\n",
	       t->samples, t->lost, t->without, t->frames, t->codes, t->unnamed);
	for (size_t i = 0; i < WP_PYTHON_ENDS; i++)
		printf("%s %" PRIu64 "\n", ends[i], t->ends[i]);
	printf("right %" PRIu64 "\nwrong %" PRIu64 "\nlate_right %" PRIu64 "\nlate_wrong %" PRIu64
	       "\nunmarked %" PRIu64 "\n",
	       t->right, t->wrong, t->late_right, t->late_wrong, t->unmarked);
	printf("went_on %" PRIu64 "\ncame_back %" PRIu64 "\nin_doubt %" PRIu64 "\n",
	       report.samples.went_on, report.samples.came_back, report.samples.in_doubt);
	printf("proven %" PRIu64 "\nunproven %" PRIu64 "\nmissed %" PRIu64 "\nobsolete %" PRIu64
	       "\n",
	       report.samples.proven, report.samples.late, report.samples.missed,
	       report.samples.obsolete);
	printf("readers %zu\nreal_time %zu\nnot_allowed %zu\nwalks %" PRIu64 "\ncalls %" PRIu64
	       "\nsearches %" PRIu64 "\nrefused %" PRIu64 "\nread_ns %" PRIu64 "\n",
	       report.readers, report.real_time, report.not_allowed, report.walks, report.calls,
	       report.searches, report.refused, report.walks ? report.read_ns / report.walks : 0);
}

static int print_allowed(uint32_t pid)
{
	wp_autoerr struct wp_err *err = wp_pinned_allowed(pid);

	printf("%s\n", err ? err->text : "allowed");
	return err ? 1 : 0;
}

static void parse_option(struct probe *p, int option)
{
	switch (option) {
	case 'A': exit(print_allowed((uint32_t)atoi(optarg)));
	case 'e': p->event_list = optarg; break;
	case 'F': p->freq_hz = strtoull(optarg, NULL, 10); break;
	case 'p': wp_vec_push(&p->target.pids, atoi(optarg)); break;
	case 't': p->seconds = atof(optarg); break;
	case 's': p->options.stacks = WP_STACKS_NONE; break;
	case 'm': p->marks_file = optarg; break;
	case 'n': p->rounds = strtoull(optarg, NULL, 10); break;
	default: exit(2);
	}
}

static void cleanup(struct probe *p)
{
	if (p->source)
		p->source->ops->close(p->source);
	wp_pinned_close(p->pinned);
	wp_launch_finish(&p->launch);
	wp_python_processes_deinit(&p->processes);
	wp_event_set_deinit(&p->events);
	if (p->catalogue)
		wp_catalogue_free(p->catalogue);
	wp_machine_deinit(&p->machine);
	wp_target_deinit(&p->target);
	wp_map_deinit(&p->number_of);
}

int main(int argc, char **argv)
{
	struct probe p = {.event_list = "task-clock", .freq_hz = 997, .rounds = 1};
	struct wp_err *err;
	int option;

	p.processes.files.log = &stderr_log;
	p.options.stacks = WP_STACKS_DUMP;
	while ((option = getopt(argc, argv, "+A:e:F:p:st:m:n:")) != -1)
		parse_option(&p, option);
	err = run(&p, argv + optind);
	if (err)
		fprintf(stderr, "error: %s\n", err->text);
	else
		print(&p);
	option = err ? 1 : 0;
	wp_err_free(err);
	cleanup(&p);
	return option;
}
