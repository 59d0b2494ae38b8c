/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * pinned_probe: samples with pinned readers, straight through the source stage, and holds what they
 * read against what the program says about itself; a tool for live tests.
 *
 *	pinned_probe [-e EVENTS] [-F HZ] [-p PID]... [-t SECONDS] [-m FILE] [-n ROUNDS] [-s]
 *	             [-b BYTES] [-N] [-- COMMAND ARG...]
 *	pinned_probe -A PID	whether its memory may be read
 *
 * Prints `KEY VALUE` lines. -s: samples without stacks; -b: with copies of so many bytes;
 * -N: readers are woken, but know of no interpreter. FILE is where tests/live/pinned_marks.py
 * wrote the address of its marks: memory laid out as an interpreter of its own, which a second plan
 * reads in the same walk. "right" and "wrong" count samples whose innermost function is, or is not,
 * the one whose number is the mark: those that are proven, and the late ones on their own.
 */
#include "probe.h"

#include "base/file.h"
#include "session/follow/python_processes.h"
#include "source/pinned/pinned.h"
#include "source/proc/procfs.h"

#include <inttypes.h>
#include <string.h>

static struct wp_processes processes;

struct tally {
	uint64_t samples, without, ends[WP_PYTHON_ENDS], frames, codes, unnamed, lost;
	uint64_t right, wrong, late_right, late_wrong, unmarked;
};

struct reading {
	struct probe probe;
	struct wp_pinned *pinned;
	struct wp_python_processes processes;
	struct wp_map number_of; /* code object -> N of "mark_N" + 1 */
	struct tally tally;
	bool blind; /* nobody is told of interpreters */
	const char *marks_file;
	uint64_t marks;
};

static uint64_t key_of(uint32_t pid, uint64_t addr, uint32_t id)
{
	return (addr * 31 + pid) * 0x9e3779b97f4a7c15ull + id;
}

static void take_code(struct reading *p, const struct wp_record *record)
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

static void compare(struct reading *p, const struct wp_record *record)
{
	const struct wp_stack_raw *raw = record->sample.stack;
	struct wp_python_slot frame, mark;
	uint32_t end = 0, mark_end = 0;
	const uint64_t *number;
	bool right;

	if (!innermost(raw, 0, &frame, &end))
		return;
	number = wp_map_get(&p->number_of, key_of(record->pid, frame.addr, frame.id));
	p->tally.unnamed += !number && end != WP_PYTHON_LATE;
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

static void take_sample(struct reading *p, const struct wp_record *record)
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
static struct wp_python_plan marks_plan(const struct reading *p, const struct wp_python_plan *plan)
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

static void tell(struct reading *p, struct wp_python_process *process)
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
static void tell_all(struct reading *p)
{
	bool found = false;

	if (p->marks_file && !p->marks)
		found = wp_file_u64(p->marks_file, 16, &p->marks);
	wp_vec_each (struct wp_python_process, process, &p->processes.all) {
		wp_python_processes_look(&p->processes, process);
		if ((process->fresh || found) && !p->blind)
			tell(p, process);
	}
}

static void take(struct probe *probe, const struct wp_batch *batch)
{
	struct reading *p = (struct reading *)probe;

	for (size_t i = 0; i < batch->n; i++) {
		const struct wp_record *record = &batch->records[i];

		switch (record->kind) {
		case WP_RECORD_SAMPLE: take_sample(p, record); break;
		case WP_RECORD_CODE: take_code(p, record); break;
		case WP_RECORD_LOST: p->tally.lost += record->lost.count; break;
		default: wp_processes_take(&processes, record);
		}
	}
	tell_all(p);
}

static struct wp_err *snapshot(struct reading *p)
{
	struct wp_records records = {0};

	wp_vec_each (pid_t, pid, &p->probe.target.pids)
		TRY(wp_procfs_snapshot(*pid, false, &records));
	wp_vec_each (struct wp_record, record, &records.records)
		wp_processes_take(&processes, record);
	wp_records_deinit(&records);
	tell_all(p);
	return NULL;
}

static struct wp_err *run(struct reading *p, char **command)
{
	struct wp_pinned_options options = {.log = &stderr_log, .gil = true};

	TRY(probe_parse(&p->probe));
	TRY(wp_pinned_open(&options, &p->pinned));
	p->probe.options.pinned = p->pinned;
	TRY(probe_open(&p->probe, command));
	if (!p->probe.target.launched)
		TRY(snapshot(p));
	for (uint64_t i = 0; i < p->probe.rounds; i++)
		TRY(probe_round(&p->probe));
	return NULL;
}

static void print(const struct reading *p)
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

static void parse_option(struct reading *p, int option)
{
	if (probe_option(&p->probe, option, optarg))
		return;
	switch (option) {
	case 'A': exit(print_allowed((uint32_t)atoi(optarg)));
	case 's': p->probe.options.stacks = WP_STACKS_NONE; break;
	case 'b': p->probe.options.stack_bytes = strtoull(optarg, NULL, 10); break;
	case 'N': p->blind = true; break;
	case 'm': p->marks_file = optarg; break;
	default: exit(2);
	}
}

int main(int argc, char **argv)
{
	struct reading p = {.probe = {.event_list = "task-clock",
				      .freq_hz = 997,
				      .rounds = 1,
				      .take = take,
				      .options = {.sampling = true, .stacks = WP_STACKS_DUMP}}};
	struct wp_err *err;
	int option;

	p.processes.files.log = &stderr_log;
	wp_processes_listen(&processes, wp_python_processes_changed, &p.processes);
	while ((option = getopt(argc, argv, "+A:b:e:F:Np:st:m:n:")) != -1)
		parse_option(&p, option);
	err = run(&p, argv + optind);
	if (err)
		fprintf(stderr, "error: %s\n", err->text);
	else
		print(&p);
	option = err ? 1 : 0;
	wp_err_free(err);
	probe_close(&p.probe);
	wp_pinned_close(p.pinned);
	wp_python_processes_deinit(&p.processes);
	wp_processes_deinit(&processes);
	wp_map_deinit(&p.number_of);
	return option;
}
