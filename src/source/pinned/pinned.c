/* SPDX-License-Identifier: BSD-3-Clause */
/* pinned: see pinned.h. */
#include "source/pinned/pinned.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/proc_living.h"
#include "core/process.h"
#include "source/pinned/pinned_reader.h"
#include "source/proc/procfs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

/* Readers are woken within microseconds, or when it is their turn; one that is later than this
 * finds its sample gone. Less than the perf source holds records back for. */
#define SEEN_NS (8 * WP_NS_PER_MS)
/* With less room than this a ring may have dropped records of switches, the shortest there are:
 * each has 24 to 80 bytes, and one that says that records were lost goes before it. */
#define ROOM_BYTES 4096

/* One late sample in so many is worth a line. */
#define NOTABLE_SHARE 20

struct wp_pinned {
	const struct wp_log *log;
	struct wp_pinned_run run;
	struct wp_pinned_plans plans;
	struct wp_pinned_alikes alikes;
	struct wp_processes processes; /* as of what was drained */
	WP_VEC(struct wp_pinned_reader) readers;
	struct wp_pinned_proof proof;
	bool running, warned;
	uint64_t drained_ns; /* when the last drain began */
	uint8_t *message;
	size_t message_cap;
};

static struct wp_err *not_allowed(uint32_t pid)
{
	int64_t scope = 0;

	wp_file_i64("/proc/sys/kernel/yama/ptrace_scope", &scope);
	if (scope == 1)
		return wp_err_new(WP_ERR_PERMISSION,
				  "the memory of process %u may not be read: with "
				  "kernel.yama.ptrace_scope 1 only that of programs that wperf "
				  "starts may; 0, root or CAP_SYS_PTRACE allows it",
				  pid);
	if (scope > 1)
		return wp_err_new(WP_ERR_PERMISSION,
				  "the memory of process %u may not be read: "
				  "kernel.yama.ptrace_scope %d allows it to nobody but root "
				  "(CAP_SYS_PTRACE)",
				  pid, (int)scope);
	return wp_err_new(WP_ERR_PERMISSION,
			  "the memory of process %u may not be read: it is another user's or "
			  "protects itself; root or CAP_SYS_PTRACE may",
			  pid);
}

/* What reading its memory gives: EFAULT when it may be read, EPERM, ESRCH when it is gone. */
static int try_to_read(uint32_t pid)
{
	uint64_t word;
	struct iovec here = {.iov_base = &word, .iov_len = sizeof(word)};
	struct iovec there = {.iov_base = NULL, .iov_len = sizeof(word)};

	/* Permission is looked at before the address, which nobody has. */
	return process_vm_readv((pid_t)wp_proc_living(pid), &here, 1, &there, 1, 0) < 0 ? errno
											: EFAULT;
}

struct wp_err *wp_pinned_allowed(uint32_t pid)
{
	return try_to_read(pid) == EPERM ? not_allowed(pid) : NULL;
}

static void fork_plans(struct wp_pinned *pinned, const struct wp_record *fork)
{
	const struct wp_pinned_process *parent =
		wp_pinned_plans_find(&pinned->plans, fork->fork.parent_pid);

	if (parent)
		wp_pinned_plans_set(&pinned->plans, fork->pid, parent->plans, parent->n);
	else
		wp_pinned_plans_set(&pinned->plans, fork->pid, NULL, 0);
}

/* Readers know at once, long before the record's turn comes in the order of time. */
static void follow_drained(void *arg, const struct wp_process_change *change)
{
	struct wp_pinned *pinned = arg;

	if (change->kind == WP_PROCESS_BEGAN)
		fork_plans(pinned, change->record);
	else if (change->kind == WP_PROCESS_EXECED || change->kind == WP_PROCESS_ENDED)
		wp_pinned_plans_set(&pinned->plans, change->record->pid, NULL, 0);
}

struct wp_err *wp_pinned_open(const struct wp_pinned_options *options, struct wp_pinned **ret)
{
	struct wp_pinned *pinned = wp_calloc(1, sizeof(*pinned));

	pinned->log = options->log;
	pinned->run.plans = &pinned->plans;
	pinned->run.alikes = &pinned->alikes;
	pinned->run.gil = options->gil;
	pinned->run.tasks = options->tasks;
	pinned->run.stop_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	pinned->run.full_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	wp_pinned_plans_init(&pinned->plans);
	pinned->processes = (struct wp_processes){.live = true, .changes_only = true};
	wp_processes_listen(&pinned->processes, follow_drained, pinned);
	if (pinned->run.stop_fd < 0 || pinned->run.full_fd < 0) {
		int why = errno;

		wp_pinned_close(pinned);
		return wp_err_os(why, "no descriptors for reading Python frames");
	}
	*ret = pinned;
	return NULL;
}

/* Readers that have to wait for their turn are a property of the system, which can be changed. */
static void report_lateness(const struct wp_pinned *pinned)
{
	const struct wp_pinned_report report = wp_pinned_report(pinned);
	uint64_t late = report.samples.late + report.samples.missed;
	uint64_t all = late + report.samples.proven;

	if (report.not_allowed)
		wp_log(pinned->log, WP_LOG_NOTE,
		       "Python frames were not read on %zu CPUs, on which this process may not run",
		       report.not_allowed);
	if (report.real_time == report.readers || late * NOTABLE_SHARE < all || all < NOTABLE_SHARE)
		return;
	wp_log(pinned->log, WP_LOG_NOTE,
	       "%llu of %llu samples had gone on before their Python frames were read; a limit on "
	       "real-time priority of 1 or more (ulimit -r) or CAP_SYS_NICE lets readers go first",
	       (unsigned long long)late, (unsigned long long)all);
}

void wp_pinned_close(struct wp_pinned *pinned)
{
	if (!pinned)
		return;
	wp_pinned_stop(pinned);
	report_lateness(pinned);
	wp_vec_each (struct wp_pinned_reader, reader, &pinned->readers)
		wp_pinned_reader_deinit(reader);
	wp_vec_deinit(&pinned->readers);
	wp_pinned_plans_deinit(&pinned->plans);
	wp_pinned_alikes_deinit(&pinned->alikes);
	wp_processes_deinit(&pinned->processes);
	wp_pinned_proof_deinit(&pinned->proof);
	free(pinned->message);
	if (pinned->run.stop_fd >= 0)
		close(pinned->run.stop_fd);
	if (pinned->run.full_fd >= 0)
		close(pinned->run.full_fd);
	free(pinned);
}

static bool has_those(const struct wp_pinned *pinned, uint32_t pid,
		      const struct wp_python_plan *plans, size_t n)
{
	const struct wp_pinned_process *process = wp_pinned_plans_find(&pinned->plans, pid);

	return process && process->n == n && memcmp(process->plans, plans, n * sizeof(*plans)) == 0;
}

void wp_pinned_set_python(struct wp_pinned *pinned, uint32_t pid,
			  const struct wp_python_plan *plans, size_t n)
{
	int why = n ? try_to_read(pid) : 0;
	wp_autoerr struct wp_err *err = why == EPERM ? not_allowed(pid) : NULL;

	if (err && !pinned->warned)
		wp_log(pinned->log, WP_LOG_WARNING, "no Python frames: %s", err->text);
	pinned->warned |= err != NULL;
	/* Whoever tells of a process that has ended meanwhile does not tell again. */
	if (!err && why != ESRCH && !has_those(pinned, pid, plans, n))
		wp_pinned_plans_set(&pinned->plans, pid, plans, n);
}

void wp_pinned_expect(struct wp_pinned *pinned, const struct stat *program, uint64_t code,
		      const struct wp_python_plan *plan, const struct wp_python_like *like)
{
	wp_pinned_alikes_add(&pinned->alikes, program, code, plan, like);
}

/* ---- readers ---- */

/* Made once: the rings of a set stay where they are. */
static void make_readers(struct wp_pinned *pinned, const struct wp_perf_set *set,
			 const struct wp_perf_layout *layout)
{
	pinned->run.rings = set->rings.v;
	pinned->run.n_rings = set->rings.n;
	pinned->run.layout = *layout;
	wp_pinned_plans_readers(&pinned->plans, set->rings.n);
	for (size_t i = 0; i < set->rings.n; i++)
		wp_vec_push(&pinned->readers, (struct wp_pinned_reader){0});
	for (size_t i = 0; i < set->rings.n; i++)
		wp_pinned_reader_init(&pinned->readers.v[i], &pinned->run, i);
	wp_vec_each (struct wp_perf_counter, counter, &set->counters)
		wp_vec_push(&pinned->readers.v[set->contexts.v.v[counter->context].ring].events,
			    counter->fd);
}

struct wp_err *wp_pinned_start(struct wp_pinned *pinned, const struct wp_perf_set *set,
			       const struct wp_perf_layout *layout)
{
	uint64_t count;

	if (pinned->running)
		return NULL;
	if (pinned->readers.n == 0)
		make_readers(pinned, set, layout);
	/* Whoever is told to stop stops; that was the run before. */
	if (read(pinned->run.stop_fd, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return wp_err_os(errno, "no readers of Python frames");
	pinned->running = true;
	pinned->drained_ns = wp_clock_now_ns();
	wp_vec_each (struct wp_pinned_reader, reader, &pinned->readers)
		if (!wp_pinned_reader_start(reader))
			return wp_err_new(WP_ERR_OTHER, "no thread for reading Python frames");
	return NULL;
}

void wp_pinned_stop(struct wp_pinned *pinned)
{
	uint64_t one = 1;

	if (!pinned->running)
		return;
	pinned->running = false;
	if (write(pinned->run.stop_fd, &one, sizeof(one)) < 0)
		wp_log(pinned->log, WP_LOG_VERBOSE, "stopping readers: %s", strerror(errno));
	wp_vec_each (struct wp_pinned_reader, reader, &pinned->readers)
		wp_pinned_reader_join(reader);
}

int wp_pinned_full_fd(const struct wp_pinned *pinned)
{
	return pinned->run.full_fd;
}

/* ---- what they bring ---- */

static void take_message(struct wp_pinned *pinned, struct wp_perf_merge *merge, size_t n)
{
	const uint8_t *body = pinned->message + sizeof(uint64_t);
	struct wp_record record;
	uint64_t kind;

	memcpy(&kind, pinned->message, sizeof(kind));
	n -= sizeof(kind);
	if (kind == WP_PINNED_CODE && wp_pinned_code_record(body, n, &record))
		wp_perf_merge_add(merge, &record);
	if (kind == WP_PINNED_READ)
		wp_pinned_proof_read(
			&pinned->proof, (const struct wp_pinned_read *)body,
			(const struct wp_python_slot *)(body + sizeof(struct wp_pinned_read)));
}

static void take_messages(struct wp_pinned *pinned, struct wp_pinned_reader *reader,
			  struct wp_perf_merge *merge)
{
	size_t n;

	/* Of what it has seen up to there all messages are in the queue. */
	reader->collected = __atomic_load_n(&reader->seen, __ATOMIC_ACQUIRE);
	while ((n = wp_pinned_queue_next(&reader->queue))) {
		if (n > pinned->message_cap) {
			pinned->message = wp_realloc(pinned->message, 1, n);
			pinned->message_cap = n;
		}
		wp_pinned_queue_take(&reader->queue, pinned->message);
		take_message(pinned, merge, n);
	}
}

void wp_pinned_collect(struct wp_pinned *pinned, struct wp_perf_merge *merge)
{
	uint64_t count;

	if (read(pinned->run.full_fd, &count, sizeof(count)) < 0 && errno != EAGAIN)
		wp_log(pinned->log, WP_LOG_VERBOSE, "readers: %s", strerror(errno));
	wp_pinned_proof_begin(&pinned->proof);
	wp_vec_each (struct wp_pinned_reader, reader, &pinned->readers)
		take_messages(pinned, reader, merge);
	pinned->drained_ns = wp_clock_now_ns();
}

bool wp_pinned_leaves(const struct wp_pinned *pinned, size_t ring, uint64_t at, uint64_t time_ns)
{
	return pinned->running && at >= pinned->readers.v[ring].collected &&
	       time_ns > pinned->drained_ns - SEEN_NS;
}

void wp_pinned_ring(struct wp_pinned *pinned, const struct wp_perf_ring *ring)
{
	uint64_t used = wp_perf_ring_head(ring) - wp_perf_ring_taken(ring);

	if (used + ROOM_BYTES > ring->size)
		wp_pinned_proof_doubt(&pinned->proof, pinned->proof.settled_ns, wp_clock_now_ns());
}

void wp_pinned_take(struct wp_pinned *pinned, const void *bytes, size_t size,
		    const struct wp_record *parsed)
{
	struct wp_perf_peek peek;

	if (!parsed) {
		if (wp_perf_peek(&pinned->run.layout, bytes, size, &peek) &&
		    peek.kind == WP_PERF_PEEK_IN)
			wp_pinned_proof_arrival(&pinned->proof, peek.tid, peek.time_ns);
	} else {
		wp_processes_take(&pinned->processes, parsed);
	}
}

uint64_t wp_pinned_horizon(const struct wp_pinned *pinned, uint64_t horizon_ns)
{
	return wp_pinned_proof_horizon(&pinned->proof, horizon_ns);
}

/* The batch is lent to whoever asked for records; until then its samples are ours to complete. */
void wp_pinned_settle(struct wp_pinned *pinned, const struct wp_batch *batch, uint64_t horizon_ns)
{
	wp_pinned_proof_settle(&pinned->proof);
	for (size_t i = 0; i < batch->n; i++) {
		struct wp_record *record = (struct wp_record *)&batch->records[i];
		const struct wp_pinned_process *process;

		if (wp_process_change_of(record) == WP_PROCESS_EXECED)
			wp_pinned_proof_exec(&pinned->proof, record->pid, pinned->plans.version);
		if (record->kind != WP_RECORD_SAMPLE)
			continue;
		process = wp_pinned_plans_find(&pinned->plans, record->pid);
		wp_pinned_proof_sample(&pinned->proof, record,
				       process && process->since_ns < record->time_ns);
	}
	/* At the end of a run everything is settled; another one may follow. */
	wp_pinned_proof_end(&pinned->proof,
			    horizon_ns < pinned->drained_ns ? horizon_ns : pinned->drained_ns);
}

struct wp_pinned_report wp_pinned_report(const struct wp_pinned *pinned)
{
	struct wp_pinned_report report = {.samples = pinned->proof.tally};

	wp_vec_each (struct wp_pinned_reader, reader, &pinned->readers) {
		struct wp_pinned_walk_cost cost = wp_pinned_walk_cost(reader->walk);

		report.readers++;
		report.real_time += reader->standing == WP_PINNED_REAL_TIME;
		report.not_allowed += reader->standing == WP_PINNED_NOT_ALLOWED;
		report.walks += cost.walks;
		report.calls += cost.calls;
		report.searches += cost.searches;
		report.codes += cost.codes;
		report.refused += reader->refused;
		report.read_ns += reader->read_ns;
	}
	return report;
}
