/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_walker: see bpf_walker.h. */
#include "source/bpf/bpf_walker.h"

#include "base/clock.h"
#include "base/worker.h"
#include "source/bpf/bpf_direct.h"
#include "source/bpf/bpf_output.h"
#include "source/bpf/bpf_publish.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>
#include <walk_bpf.skel.h>

struct chunk {
	void *memory;
	size_t bytes;
};

#define OUTPUTS 2 /* of a ring: one that wakes, one that does not */

/* What walks Python frames, loaded while samples are taken. */
struct late {
	struct wp_job job;
	struct wp_bpf_object *object;
	int status; /* 0, or the kernel's refusal */
	uint64_t done_ns;
};

struct wp_bpf_walker {
	const struct wp_log *log;
	struct wp_bpf_object object;
	struct walk_bpf *file; /* object.first */
	struct wp_bpf_maps maps;
	struct wp_walk_values *values; /* what the program is told when it is loaded already */
	struct wp_worker *worker;      /* that loads `late`; NULL: nobody asked for it */
	struct late late;
	bool told; /* that it was refused */
	WP_VEC(struct chunk) chunks;
	struct wp_bpf_publish publish;	      /* what the program is to find when it is attached */
	bool attached;			      /* what is made from now on it is to find at once */
	WP_VEC(struct wp_bpf_ring) walks;     /* by ring of the set */
	WP_VEC(struct wp_bpf_output) written; /* OUTPUTS for each ring of the set */
	struct wp_map refused;		      /* events that could not be attached to */
	struct wp_map held;		      /* tracepoints (ids) that are attached to */
	WP_VEC(int) holders;		      /* their events */
	WP_VEC(int) links;		      /* to the events of probes, to raw tracepoints */
	bool tried_behind;		      /* to be called at sched_waking */
};

static int put_inner(const struct wp_bpf_entry *entry)
{
	return bpf_map_update_elem(entry->outer, &entry->index, &entry->inner, BPF_ANY) < 0 ? -errno
											    : 0;
}

static void *make_chunk(struct wp_bpf_walker *walker, const struct bpf_map *outer, uint32_t index,
			size_t bytes)
{
	int fd = wp_bpf_object_make_chunk(bytes);
	void *memory;

	if (fd < 0)
		return NULL;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED) {
		close(fd);
		return NULL;
	}
	wp_vec_push(&walker->chunks, (struct chunk){memory, bytes});
	wp_bpf_publish_add(&walker->publish, (struct wp_bpf_entry){bpf_map__fd(outer), fd, index});
	if (walker->attached && wp_bpf_publish_all(&walker->publish) < 0)
		return NULL;
	return memory;
}

static void *make_row_chunk(void *arg, uint32_t index)
{
	struct wp_bpf_walker *walker = arg;

	return make_chunk(walker, walker->file->maps.row_chunks, index,
			  sizeof(struct wp_walk_rows));
}

static void *make_buckets(void *arg, uint32_t index)
{
	struct wp_bpf_walker *walker = arg;

	return make_chunk(walker, walker->file->maps.bucket_chunks, index,
			  sizeof(struct wp_walk_buckets));
}

static void *make_ranges(void *arg, uint32_t index)
{
	struct wp_bpf_walker *walker = arg;

	return make_chunk(walker, walker->file->maps.range_chunks, index,
			  sizeof(struct wp_walk_ranges));
}

static void put_process(void *arg, uint32_t pid, const struct wp_walk_process *process, bool fresh)
{
	const struct wp_bpf_walker *walker = arg;
	struct wp_walk_process value = *process, before = {0};
	int processes = bpf_map__fd(walker->file->maps.processes);

	/* The program found out the address space; more mappings of the same one change nothing. */
	if (!fresh && bpf_map_lookup_elem(processes, &pid, &before) == 0)
		value.mm = before.mm;
	bpf_map_update_elem(processes, &pid, &value, BPF_ANY);
}

static void drop_process(void *arg, uint32_t pid)
{
	const struct wp_bpf_walker *walker = arg;

	bpf_map_delete_elem(bpf_map__fd(walker->file->maps.processes), &pid);
	bpf_map_delete_elem(bpf_map__fd(walker->file->maps.pythons), &pid);
}

static void put_process_pythons(void *arg, uint32_t pid, const struct wp_bpf_known *known)
{
	const struct wp_bpf_walker *walker = arg;
	struct wp_walk_pythons value = {.n = known->n_plans, .like = known->like}, before = {0};
	int pythons = bpf_map__fd(walker->file->maps.pythons);

	if (!known->python_fresh && bpf_map_lookup_elem(pythons, &pid, &before) == 0)
		value.mm = before.mm;
	if (known->n_plans)
		memcpy(value.plans, known->plans, known->n_plans * sizeof(*known->plans));
	bpf_map_update_elem(pythons, &pid, &value, BPF_ANY);
}

static const struct wp_bpf_maps_ops maps_ops = {
	.make_rows = make_row_chunk,
	.make_buckets = make_buckets,
	.make_ranges = make_ranges,
	.put_process = put_process,
	.drop_process = drop_process,
	.put_python = put_process_pythons,
};

static bool ask_direct(void *arg, struct wp_walk_search *asked)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = asked, .ctx_size_in = sizeof(*asked));
	const struct wp_bpf_walker *walker = arg;
	int program = bpf_program__fd(walker->file->progs.wp_walk_find_direct);

	return bpf_prog_test_run_opts(program, &opts) == 0;
}

static void find_direct_mapping(struct wp_bpf_walker *walker)
{
	const char *how = walker->object.refused
				  ? "by the kernel's helper: its verifier refuses the fast path"
				  : "by the kernel's helper";

	if (walker->object.direct)
		how = wp_bpf_direct_find(ask_direct, walker, &walker->values->direct)
			      ? "through the kernel's own mapping (fast path)"
			      : "by the kernel's helper: its own mapping was not found";
	wp_log(walker->log, WP_LOG_VERBOSE, "memory of processes is read %s", how);
}

static struct wp_err *load_program(struct wp_bpf_walker *walker,
				   const struct wp_bpf_walker_options *options)
{
	TRY(wp_bpf_object_load(&walker->object, options));
	walker->file = walker->object.first;
	walker->values = &walker->file->data->values;
	find_direct_mapping(walker);
	return NULL;
}

const char *wp_bpf_walker_missing(void)
{
	return NULL;
}

struct wp_err *wp_bpf_walker_open(const struct wp_bpf_walker_options *options,
				  struct wp_bpf_walker **ret)
{
	struct wp_bpf_walker *walker = wp_calloc(1, sizeof(*walker));
	struct wp_err *err;

	walker->log = options->log;
	walker->publish.put = put_inner;
	wp_bpf_maps_init(&walker->maps, &maps_ops, walker);
	err = load_program(walker, options);
	if (!err && !wp_bpf_maps_prepare(&walker->maps))
		err = wp_err_os(errno, "no memory for the BPF program that walks stacks");
	if (err) {
		wp_bpf_walker_close(walker);
		return err;
	}
	*ret = walker;
	return NULL;
}

void wp_bpf_walker_close(struct wp_bpf_walker *walker)
{
	if (!walker)
		return;
	wp_worker_free(walker->worker);
	wp_vec_each (struct wp_bpf_output, output, &walker->written)
		if (output->fd >= 0)
			close(output->fd);
	wp_vec_each (int, holder, &walker->holders)
		close(*holder);
	wp_vec_each (int, link, &walker->links)
		close(*link);
	wp_vec_each (struct chunk, chunk, &walker->chunks)
		munmap(chunk->memory, chunk->bytes);
	wp_bpf_publish_deinit(&walker->publish);
	wp_bpf_maps_deinit(&walker->maps);
	wp_bpf_object_close(&walker->object);
	wp_vec_deinit(&walker->written);
	wp_vec_deinit(&walker->walks);
	wp_vec_deinit(&walker->holders);
	wp_vec_deinit(&walker->links);
	wp_map_deinit(&walker->refused);
	wp_map_deinit(&walker->held);
	wp_vec_deinit(&walker->chunks);
	free(walker);
}

struct wp_bpf_maps *wp_bpf_walker_maps(struct wp_bpf_walker *walker)
{
	return &walker->maps;
}

int wp_bpf_walker_event(const struct wp_bpf_walker *walker)
{
	return bpf_program__fd(wp_bpf_object_event(&walker->object));
}

int wp_bpf_walker_probe(const struct wp_bpf_walker *walker)
{
	return bpf_program__fd(wp_bpf_object_probe(&walker->object));
}

int wp_bpf_walker_targets(const struct wp_bpf_walker *walker)
{
	return bpf_map__fd(walker->file->maps.probe_targets);
}

static void load_late(struct wp_job *job)
{
	struct late *late = (struct late *)job;

	late->status = wp_bpf_object_load_python(late->object);
	late->done_ns = wp_clock_now_ns();
}

void wp_bpf_walker_want_python(struct wp_bpf_walker *walker)
{
	if (walker->worker || walker->object.options.python != WP_BPF_PYTHON_LATER)
		return;
	walker->worker = wp_worker_new();
	walker->late = (struct late){.job.run = load_late, .object = &walker->object};
	wp_worker_add(walker->worker, &walker->late.job);
}

void wp_bpf_walker_await_python(struct wp_bpf_walker *walker)
{
	if (walker->worker)
		wp_worker_wait(walker->worker, &walker->late.job);
}

uint64_t wp_bpf_walker_python_ns(const struct wp_bpf_walker *walker)
{
	if (walker->object.options.python == WP_BPF_PYTHON_NOW)
		return 1;
	if (!walker->worker || !wp_worker_done(&walker->late.job) || walker->late.status < 0)
		return 0;
	return walker->late.done_ns;
}

/* A refusal, once. */
static void tell_late(struct wp_bpf_walker *walker)
{
	if (walker->told || !walker->worker || !wp_worker_done(&walker->late.job) ||
	    walker->late.status == 0)
		return;
	walker->told = true;
	wp_log(walker->log, WP_LOG_WARNING,
	       "no Python frames: this kernel does not take the BPF program that walks them: %s",
	       strerror(-walker->late.status));
}

void wp_bpf_walker_set_python(struct wp_bpf_walker *walker, uint32_t pid,
			      const struct wp_python_plan *plans, size_t n,
			      const struct wp_python_like *like)
{
	if (n)
		wp_bpf_walker_want_python(walker);
	tell_late(walker);
	wp_bpf_maps_set_python(&walker->maps, pid, plans, n, like);
	if (like)
		walker->values->alike = 1;
}

/* As the kernel has it in its super blocks (include/linux/kdev_t.h). */
static uint64_t kernel_device(dev_t device)
{
	return (uint64_t)major(device) << 20 | minor(device);
}

void wp_bpf_walker_expect(struct wp_bpf_walker *walker, const struct stat *program, uint64_t code,
			  const struct wp_python_plan *plan, const struct wp_python_like *like)
{
	struct wp_walk_program file = {
		.inode = program->st_ino,
		.size = program->st_size,
		.device = kernel_device(program->st_dev),
	};
	struct wp_walk_alike alike = {.like = *like, .code = code, .plan = *plan};

	if (bpf_map_update_elem(bpf_map__fd(walker->file->maps.alikes), &file, &alike, BPF_ANY) ==
	    0)
		walker->values->alike = 1;
}

/* Events of a process may be opened on a CPU that was taken away a moment ago, this one may not. */
static void note_offline(const struct wp_bpf_walker *walker, uint32_t cpu, bool first)
{
	if (first)
		wp_log(walker->log, WP_LOG_NOTE,
		       "CPU %u is offline: should it come back, samples there have no stacks", cpu);
}

/*
 * The event that walks of a CPU are written with, into the ring that samples go to. The urgent one
 * wakes us with each walk, the other one when the ring is half full.
 */
static struct wp_err *open_walks_output(struct wp_bpf_walker *walker, const struct wp_perf_set *set,
					size_t ring, bool urgent)
{
	uint32_t cpu = set->rings.v[ring].cpu;
	const struct bpf_map *map =
		urgent ? walker->file->maps.urgent_outputs : walker->file->maps.outputs;
	struct wp_bpf_output output;
	int why = wp_bpf_output_open(set, ring, bpf_map__fd(map), urgent, &output);

	wp_vec_push(&walker->written, output);
	if (output.fd < 0 && why == ENODEV) {
		note_offline(walker, cpu, urgent);
		return NULL;
	}
	return why ? wp_err_os(why, "no event for the stacks of CPU %u", cpu) : NULL;
}

/* The ring of walks of a CPU; without one they go into perf's. */
static void open_ring(struct wp_bpf_walker *walker, uint32_t cpu)
{
	struct wp_bpf_ring ring = {.bytes = walker->object.ring_bytes};

	if (ring.bytes)
		ring.shared = make_chunk(walker, walker->file->maps.walk_rings, cpu,
					 WP_WALK_RING_MAP_BYTES(ring.bytes));
	wp_vec_push(&walker->walks, ring);
}

/*
 * A tracepoint calls a program once, whichever of its events it was attached to, and forgets it
 * when that event or one that a thread inherited from it is closed: so it gets an event of its own,
 * which never counts and that no thread inherits.
 */
static bool hold_tracepoint(struct wp_bpf_walker *walker, const struct wp_perf_set *set,
			    uint64_t id, const struct bpf_program *program)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = id,
		.disabled = 1,
	};
	int holder;

	if (wp_map_get(&walker->held, id))
		return true;
	holder = wp_perf_attr_open(&attr, -1, (int)set->rings.v[0].cpu, -1);
	if (holder < 0)
		return false;
	wp_vec_push(&walker->holders, holder);
	if (ioctl(holder, PERF_EVENT_IOC_SET_BPF, bpf_program__fd(program)) < 0)
		return false;
	*wp_map_put(&walker->held, id) = 1;
	return true;
}

/* Once, for all CPUs, behind the program of the tracepoint's event. Without it few are missing. */
static void attach_behind(struct wp_bpf_walker *walker)
{
	int program = bpf_program__fd(walker->file->progs.wp_waking_behind), link;

	if (walker->tried_behind)
		return;
	walker->tried_behind = true;
	link = bpf_raw_tracepoint_open("sched_waking", program);
	if (link >= 0)
		wp_vec_push(&walker->links, link);
}

/* Samples of who wakes are written by the program, into the event of its CPU. */
static bool attach_waking(struct wp_bpf_walker *walker, const struct wp_perf_set *set,
			  const struct wp_perf_counter *counter, const struct wp_event *event)
{
	const struct walk_bpf *file = walker->file;
	int walks = bpf_program__fd(wp_bpf_object_tracepoint(&walker->object));
	uint32_t cpu = (uint32_t)set->contexts.v.v[counter->context].cpu, zero = 0;

	if (bpf_map_update_elem(bpf_map__fd(file->maps.waker_outputs), &cpu, &counter->fd,
				BPF_ANY) ||
	    bpf_map_update_elem(bpf_map__fd(file->maps.waking_successor), &zero, &walks, BPF_ANY) ||
	    !hold_tracepoint(walker, set, event->waking_id, wp_bpf_object_waking(&walker->object)))
		return false;
	attach_behind(walker);
	return true;
}

/* The cookie is read in bpf/walk.bpf.c. */
static bool attach_probe(struct wp_bpf_walker *walker, const struct wp_perf_set *set,
			 const struct wp_perf_counter *counter)
{
	const struct wp_perf_context *context = &set->contexts.v.v[counter->context];
	LIBBPF_OPTS(bpf_link_create_opts, opts,
		    .perf_event.bpf_cookie = (uint64_t)context->cpu + 1);
	int link = bpf_link_create(bpf_program__fd(wp_bpf_object_probe(&walker->object)),
				   counter->fd, BPF_PERF_EVENT, &opts);

	if (link >= 0)
		wp_vec_push(&walker->links, link);
	else if (set->probes && wp_bpf_probes_filter(set->probes, counter->fd))
		errno = -link; /* it has no stacks, but counts whom it is to count */
	return link >= 0;
}

static bool attach_to(struct wp_bpf_walker *walker, const struct wp_perf_set *set,
		      const struct wp_perf_counter *counter)
{
	const struct wp_event *event = &set->options->events->events.v[counter->event];

	if (event->is_member || event->is_spe)
		return true; /* it has no samples, or none of its own instant */
	if (wp_event_tracepoint(event))
		return hold_tracepoint(walker, set, wp_event_tracepoint(event),
				       wp_bpf_object_tracepoint(&walker->object));
	if (event->waking_id)
		return attach_waking(walker, set, counter, event);
	if (set->mode.payloads && wp_event_has_args(event))
		return true; /* by what reads its arguments (bpf_args.c) */
	if (event->probe)
		return attach_probe(walker, set, counter);
	return counter->walked ||
	       ioctl(counter->fd, PERF_EVENT_IOC_SET_BPF, wp_bpf_walker_event(walker)) == 0;
}

static void attach_walker_program(struct wp_bpf_walker *walker, const struct wp_perf_set *set,
				  const struct wp_perf_counter *counter)
{
	const struct wp_event *event = &set->options->events->events.v[counter->event];
	uint64_t *refused;

	if (attach_to(walker, set, counter))
		return;
	refused = wp_map_put(&walker->refused, counter->event);
	if (!*refused)
		wp_log(walker->log, WP_LOG_NOTE,
		       "event '%s': its stacks cannot be walked in the kernel: %s", event->name,
		       strerror(errno));
	*refused = 1;
}

static void tell_events(const struct wp_bpf_walker *walker, const struct wp_perf_set *set)
{
	uint64_t bytes = set->rings.n ? set->rings.v[0].size : 0;

	if (walker->object.ring_bytes && walker->object.ring_bytes < bytes)
		bytes = walker->object.ring_bytes;
	/* Copies of stacks may fill three quarters of a ring until it is drained. */
	walker->values->dumps_bytes = bytes / 4 * 3;
	walker->values->whole = wp_perf_attr_is_plain(&set->mode);
	walker->values->probe_targets = set->probes != NULL;
}

struct wp_err *wp_bpf_walker_attach(struct wp_bpf_walker *walker, const struct wp_perf_set *set)
{
	int status;

	tell_events(walker, set);
	wp_vec_each (struct wp_perf_ring, ring, &set->rings)
		open_ring(walker, ring->cpu);
	for (size_t i = 0; i < set->rings.n; i++) {
		TRY(open_walks_output(walker, set, i, false));
		TRY(open_walks_output(walker, set, i, true));
	}
	walker->attached = true;
	status = wp_bpf_publish_all(&walker->publish);
	if (status < 0)
		return wp_err_os(-status, "no memory for the BPF program that walks stacks");
	wp_vec_each (struct wp_perf_counter, counter, &set->counters)
		if (counter->event != WP_PERF_DUMMY)
			attach_walker_program(walker, set, counter);
	return NULL;
}

bool wp_bpf_walker_wrote(const struct wp_bpf_walker *walker, size_t ring, uint64_t identifier)
{
	const struct wp_bpf_output *outputs = walker->written.v + ring * OUTPUTS;

	return outputs[0].id == identifier || outputs[1].id == identifier;
}

struct wp_bpf_ring *wp_bpf_walker_ring(struct wp_bpf_walker *walker, size_t ring)
{
	return &walker->walks.v[ring];
}

struct wp_bpf_walker_cost wp_bpf_walker_cost(const struct wp_bpf_walker *walker)
{
	const struct bpf_program *programs[] = {wp_bpf_object_event(&walker->object),
						wp_bpf_object_tracepoint(&walker->object),
						wp_bpf_object_probe(&walker->object)};
	struct wp_bpf_walker_cost cost = {0};

	for (size_t i = 0; i < WP_ARRAY_LEN(programs); i++) {
		struct bpf_prog_info info = {0};
		uint32_t bytes = sizeof(info);

		if (bpf_obj_get_info_by_fd(bpf_program__fd(programs[i]), &info, &bytes) < 0)
			continue;
		cost.runs += info.run_cnt;
		cost.ns += info.run_time_ns;
	}
	return cost;
}
