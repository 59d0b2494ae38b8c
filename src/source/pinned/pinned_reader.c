/* SPDX-License-Identifier: BSD-3-Clause */
/* pinned_reader: see pinned_reader.h. */
#include "source/pinned/pinned_reader.h"

#include "base/clock.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Some thousand samples of usual depth, or eight of the deepest. */
#define QUEUE_BYTES (2u << 20)
/* Parents of parents that only rings told of. */
#define MAX_ADOPTIONS 8
#define MAX_ADOPTED   65536
/* The shortest slice that the scheduler takes (Linux 6.12): the sooner is a woken thread's turn. */
#define SLICE_NS 100000u

/* struct sched_attr (include/uapi/linux/sched/types.h), as of its first version. */
struct scheduling {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime, deadline, period;
};

static bool stay_on(uint32_t cpu)
{
	cpu_set_t *set = CPU_ALLOC((size_t)cpu + 1);
	size_t bytes = CPU_ALLOC_SIZE((size_t)cpu + 1);
	bool stays;

	CPU_ZERO_S(bytes, set);
	CPU_SET_S(cpu, bytes, set);
	stays = sched_setaffinity(0, bytes, set) == 0;
	CPU_FREE(set);
	return stays;
}

static enum wp_pinned_standing take_place(uint32_t cpu)
{
	struct sched_param first = {.sched_priority = sched_get_priority_min(SCHED_FIFO)};
	struct scheduling short_slice = {.size = sizeof(short_slice), .runtime = SLICE_NS};

	if (!stay_on(cpu))
		return WP_PINNED_NOT_ALLOWED;
	if (sched_setscheduler(0, SCHED_FIFO, &first) == 0)
		return WP_PINNED_REAL_TIME;
	/* Older kernels ignore the slice. */
	(void)syscall(SYS_sched_setattr, 0, &short_slice, 0);
	return WP_PINNED_ORDINARY;
}

/* The parent that some ring tells of; 0: none. Asked once per table: rings are long. */
static uint32_t parent_of(struct wp_pinned_reader *reader, const struct wp_pinned_table *table,
			  uint32_t pid)
{
	const uint64_t version = table->version << 32;
	const struct wp_pinned_run *shared = reader->run;
	uint64_t *known;
	uint32_t parent = 0;

	if (reader->adopted.n > MAX_ADOPTED)
		wp_map_deinit(&reader->adopted);
	known = wp_map_put(&reader->adopted, pid);
	if (*known && (*known ^ version) >> 32 == 0)
		return (uint32_t)(*known >> 1 & 0x7fffffff);
	for (size_t i = 0; i < shared->n_rings && !parent; i++)
		parent = wp_pinned_look_parent(&shared->rings[i], &shared->layout, pid);
	*known = version | (uint64_t)parent << 1 | 1;
	return parent;
}

/* The plans of a process; those of the one it was forked from, or of its program, while the main
 * thread has not told its own. */
static const struct wp_pinned_process *planned_process_of(struct wp_pinned_reader *reader,
							  const struct wp_pinned_table *table,
							  uint32_t pid)
{
	const struct wp_pinned_process *process = wp_pinned_table_find(table, pid);
	uint32_t parent = pid;

	for (int i = 0; i < MAX_ADOPTIONS && !process && parent; i++) {
		parent = parent_of(reader, table, parent);
		process = wp_pinned_table_find(table, parent);
	}
	if (!process && wp_pinned_walk_find(reader->walk, reader->run->alikes, pid, &reader->alike))
		process = &reader->alike;
	return process;
}

static bool send(struct wp_pinned_reader *reader, enum wp_pinned_message kind,
		 const struct wp_pinned_part *body, const struct wp_pinned_part *more)
{
	uint64_t head = kind;
	const struct wp_pinned_part parts[] = {{&head, sizeof(head)}, *body, *more};
	bool sent = wp_pinned_queue_push(&reader->queue, parts, WP_ARRAY_LEN(parts));

	reader->refused += !sent;
	return sent;
}

/* What is read of code objects belongs to the read of the frames: the thread must stand still for
 * both, or the objects may have been freed. */
static void send_codes(struct wp_pinned_reader *reader, const struct wp_pinned_process *process,
		       const struct wp_pinned_subject *subject, uint64_t time_ns,
		       struct wp_pinned_read *read)
{
	const struct wp_pinned_part nothing = {NULL, 0};
	bool any = wp_pinned_walk_has_codes(reader->walk);
	struct wp_pinned_code_head *head;
	size_t n;

	while ((n = wp_pinned_walk_next_code(reader->walk, process, subject, &head))) {
		head->time_ns = time_ns;
		if (!send(reader, WP_PINNED_CODE, &(struct wp_pinned_part){head, n}, &nothing))
			break;
		wp_pinned_walk_told(reader->walk);
	}
	if (any)
		read->end_ns = wp_clock_now_ns();
}

/* The samples of one thread that are in sight have the same frames; which of them these are
 * exactly, the proof says. */
static void send_reads(struct wp_pinned_reader *reader, struct wp_pinned_read *read)
{
	size_t n;
	const struct wp_python_slot *slots = wp_pinned_walk_slots(reader->walk, &n);

	read->n = (uint32_t)n;
	for (size_t i = 0; i < reader->look.n; i++) {
		struct wp_pinned_sighting *sighting = &reader->look.v[i];

		if (sighting->done || sighting->pid != read->pid || sighting->tid != read->tid)
			continue;
		sighting->done = true;
		read->time_ns = sighting->time_ns;
		read->out_ns = sighting->out_ns;
		send(reader, WP_PINNED_READ, &(struct wp_pinned_part){read, sizeof(*read)},
		     &(struct wp_pinned_part){slots, n * sizeof(*slots)});
	}
}

static void read_sighted_thread(struct wp_pinned_reader *reader,
				const struct wp_pinned_table *table,
				const struct wp_pinned_sighting *sighting)
{
	const struct wp_pinned_process *process = planned_process_of(reader, table, sighting->pid);
	struct wp_pinned_subject subject = {sighting->pid, sighting->tid, &sighting->user};
	struct wp_pinned_read read = {
		.pid = sighting->pid,
		.tid = sighting->tid,
		.wait_ns = reader->wait_ns,
		.woke_ns = reader->woke_ns,
	};
	uint64_t time_ns = sighting->time_ns;

	if (!process)
		return;
	read.version = process->version;
	read.begin_ns = wp_clock_now_ns();
	wp_pinned_walk_frames(reader->walk, process, &subject);
	read.end_ns = wp_clock_now_ns();
	reader->read_ns += read.end_ns - read.begin_ns;
	/* A code object comes before the samples in it, the oldest of which is this or an older
	 * one. */
	for (size_t i = 0; i < reader->look.n; i++)
		if (reader->look.v[i].tid == read.tid && reader->look.v[i].time_ns < time_ns)
			time_ns = reader->look.v[i].time_ns;
	send_codes(reader, process, &subject, time_ns, &read);
	send_reads(reader, &read);
}

/* The main thread looks ten times a second, which is not often enough for large samples. */
static void remind(struct wp_pinned_reader *reader)
{
	uint64_t taken = wp_perf_ring_taken(reader->ring), one = 1;
	uint64_t waiting = wp_perf_ring_head(reader->ring) - taken;

	if (waiting < reader->ring->size / 4 &&
	    wp_pinned_queue_used(&reader->queue) < reader->queue.size / 4)
		return;
	if (reader->reminded_at == taken + 1)
		return;
	reader->reminded_at = taken + 1;
	if (write(reader->run->full_fd, &one, sizeof(one)) < 0)
		return; /* its counter is full: the main thread has been told often enough */
}

static void look_ring(struct wp_pinned_reader *reader)
{
	const struct wp_pinned_table *table;

	wp_pinned_look(&reader->look, reader->ring, &reader->run->layout);
	table = wp_pinned_plans_enter(reader->run->plans, reader->index);
	/* Who was sampled last stands still now. */
	for (size_t i = reader->look.n; i > 0; i--)
		if (!reader->look.v[i - 1].done)
			read_sighted_thread(reader, table, &reader->look.v[i - 1]);
	wp_pinned_plans_leave(reader->run->plans, reader->index);
	__atomic_store_n(&reader->seen, reader->look.at, __ATOMIC_RELEASE);
	remind(reader);
}

/* What the moments around a wait say, where nothing of a program runs between them on this CPU. */
static void note_wait(struct wp_pinned_reader *reader, uint64_t wait_ns)
{
	bool first =
		reader->standing == WP_PINNED_REAL_TIME && sched_getcpu() == (int)reader->ring->cpu;

	reader->wait_ns = first ? wait_ns : 0;
	reader->woke_ns = first ? wp_clock_now_ns() : 0;
}

/*
 * Waits for a sample; false when it is time to stop. The descriptor of a thread that has ended
 * reports POLLHUP for ever: the next one of the ring does as well, and in the end none.
 */
static bool wait_for_sample(struct wp_pinned_reader *reader, size_t *event)
{
	struct pollfd fds[2] = {
		{.fd = *event < reader->events.n ? reader->events.v[*event] : -1, .events = POLLIN},
		{.fd = reader->run->stop_fd, .events = POLLIN},
	};

	uint64_t wait_ns = wp_clock_now_ns();

	reader->wait_ns = reader->woke_ns = 0;
	if (poll(fds, WP_ARRAY_LEN(fds), -1) < 0)
		return errno == EINTR;
	note_wait(reader, wait_ns);
	if (fds[0].revents & (POLLHUP | POLLERR | POLLNVAL))
		++*event;
	return !fds[1].revents;
}

static void *run_reader(void *arg)
{
	struct wp_pinned_reader *reader = arg;
	size_t event = 0;

	reader->standing = take_place(reader->ring->cpu);
	if (reader->standing == WP_PINNED_NOT_ALLOWED)
		return NULL;
	while (wait_for_sample(reader, &event))
		look_ring(reader);
	look_ring(reader);
	return NULL;
}

void wp_pinned_reader_init(struct wp_pinned_reader *reader, struct wp_pinned_run *shared,
			   size_t index)
{
	*reader = (struct wp_pinned_reader){
		.run = shared,
		.ring = &shared->rings[index],
		.index = index,
		.walk = wp_pinned_walk_new(shared->gil, shared->tasks),
	};
	wp_pinned_queue_init(&reader->queue, QUEUE_BYTES);
}

void wp_pinned_reader_deinit(struct wp_pinned_reader *reader)
{
	wp_pinned_reader_join(reader);
	wp_pinned_walk_free(reader->walk);
	wp_pinned_queue_deinit(&reader->queue);
	wp_map_deinit(&reader->adopted);
	wp_vec_deinit(&reader->events);
	*reader = (struct wp_pinned_reader){0};
}

bool wp_pinned_reader_start(struct wp_pinned_reader *reader)
{
	sigset_t all, before;

	if (reader->started)
		return true;
	/* Signals are for the main thread, whose waiting they end. */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	reader->started = pthread_create(&reader->thread, NULL, run_reader, reader) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return reader->started;
}

void wp_pinned_reader_join(struct wp_pinned_reader *reader)
{
	if (reader->started)
		pthread_join(reader->thread, NULL);
	reader->started = false;
}
