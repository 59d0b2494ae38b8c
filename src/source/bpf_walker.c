/* bpf_walker: see bpf_walker.h. */
#include "source/bpf_walker.h"

#include "source/bpf_direct.h"
#include "walk_bpf_0.h" /* generated: the compiled src/bpf/walk.bpf.c */
#include "walk_bpf_1.h" /* with WP_BOUNDED */

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

/* Inode of the first PID namespace (include/linux/proc_ns.h, PROC_PID_INIT_INO). */
#define FIRST_PID_NAMESPACE 0xeffffffcu

/* The page tables that bpf/walk_memory.h knows. */
#if defined(__x86_64__)
#define HAS_DIRECT true
#else
#define HAS_DIRECT false
#endif

struct chunk {
	void *memory;
	size_t bytes;
};

/* Processes that the program knows where maps are preallocated: 3 MB in all. */
#define OLD_PROCESSES 16384
#define OLD_PYTHONS   2048

#define OUTPUTS 2 /* of a ring: one that wakes, one that does not */

struct output {
	int fd;
	uint64_t id;
};

struct wp_bpf_walker {
	const struct wp_log *log;
	struct bpf_object *object;
	int processes, pythons, outputs, urgent_outputs, rings, rows, buckets, ranges; /* maps */
	int event, tracepoint; /* programs */
	struct wp_bpf_maps maps;
	bool names;  /* the kernel tells a program which sample it runs for */
	bool direct; /* user memory may be read where the kernel has it */
	struct wp_walk_values values;
	uint64_t ring_bytes; /* 0: walks go into perf's rings */
	WP_VEC(struct chunk) chunks;
	WP_VEC(struct wp_bpf_ring) walks; /* by ring of the set */
	WP_VEC(struct output) written;	  /* OUTPUTS for each ring of the set */
	struct wp_map refused;		  /* events that could not be attached to */
	struct wp_map held;		  /* tracepoints (ids) that are attached to */
	WP_VEC(int) holders;		  /* their events */
};

/* A map of one value of so many bytes, which the program and we share; -1 without memory. */
static int make_chunk_map(size_t bytes)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);

	return bpf_map_create(BPF_MAP_TYPE_ARRAY, "wperf_chunk", sizeof(uint32_t), (uint32_t)bytes,
			      1, &opts);
}

static void *make_chunk(struct wp_bpf_walker *walker, int outer, uint32_t index, size_t bytes)
{
	wp_autoclose int fd = make_chunk_map(bytes);
	void *memory;

	if (fd < 0)
		return NULL;
	memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return NULL;
	wp_vec_push(&walker->chunks, (struct chunk){memory, bytes});
	return bpf_map_update_elem(outer, &index, &fd, BPF_ANY) == 0 ? memory : NULL;
}

static void *make_rows(void *arg, uint32_t index)
{
	struct wp_bpf_walker *walker = arg;

	return make_chunk(walker, walker->rows, index, sizeof(struct wp_walk_rows));
}

static void *make_buckets(void *arg, uint32_t index)
{
	struct wp_bpf_walker *walker = arg;

	return make_chunk(walker, walker->buckets, index, sizeof(struct wp_walk_buckets));
}

static void *make_ranges(void *arg, uint32_t index)
{
	struct wp_bpf_walker *walker = arg;

	return make_chunk(walker, walker->ranges, index, sizeof(struct wp_walk_ranges));
}

static void put_process(void *arg, uint32_t pid, const struct wp_walk_process *process, bool fresh)
{
	struct wp_bpf_walker *walker = arg;
	struct wp_walk_process value = *process, before = {0};

	/* The program found out the address space; more mappings of the same one change nothing. */
	if (!fresh && bpf_map_lookup_elem(walker->processes, &pid, &before) == 0)
		value.mm = before.mm;
	bpf_map_update_elem(walker->processes, &pid, &value, BPF_ANY);
}

static void drop_process(void *arg, uint32_t pid)
{
	struct wp_bpf_walker *walker = arg;

	bpf_map_delete_elem(walker->processes, &pid);
	bpf_map_delete_elem(walker->pythons, &pid);
}

static void put_python(void *arg, uint32_t pid, const struct wp_python_plan *plans, uint32_t n,
		       bool fresh)
{
	struct wp_bpf_walker *walker = arg;
	struct wp_walk_pythons value = {.n = n}, before = {0};

	if (!fresh && bpf_map_lookup_elem(walker->pythons, &pid, &before) == 0)
		value.mm = before.mm;
	if (n)
		memcpy(value.plans, plans, n * sizeof(*plans));
	bpf_map_update_elem(walker->pythons, &pid, &value, BPF_ANY);
}

static const struct wp_bpf_maps_ops maps_ops = {
	.make_rows = make_rows,
	.make_buckets = make_buckets,
	.make_ranges = make_ranges,
	.put_process = put_process,
	.drop_process = drop_process,
	.put_python = put_python,
};

static int silent(enum libbpf_print_level level, const char *format, va_list args)
{
	(void)level;
	(void)format;
	(void)args;
	return 0;
}

/*
 * The program sees pids as the first namespace does, perf records them as ours does. 0: that is the
 * same one.
 */
static uint32_t pid_namespace(void)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) < 0 || st.st_ino == FIRST_PID_NAMESPACE)
		return 0;
	return (uint32_t)st.st_ino;
}

static struct wp_err *no_permission(void)
{
	return wp_err_new(WP_ERR_PERMISSION, "walking stacks in the kernel needs root, or CAP_BPF "
					     "and CAP_PERFMON");
}

/* *ret_bounded: there is no bpf_loop(). */
static struct wp_err *look_at_kernel(bool *ret_bounded)
{
	int has_regs;

	has_regs = libbpf_probe_bpf_helper(BPF_PROG_TYPE_PERF_EVENT, BPF_FUNC_task_pt_regs, NULL);
	if (has_regs == -EPERM || has_regs == -EACCES)
		return no_permission();
	if (has_regs != 1)
		return wp_err_new(
			WP_ERR_UNSUPPORTED,
			"walking stacks in the kernel needs Linux 5.15 or newer with BPF");
	if (access("/sys/kernel/btf/vmlinux", R_OK) < 0)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "walking stacks in the kernel needs a kernel with BTF "
				  "(CONFIG_DEBUG_INFO_BTF)");
	*ret_bounded = libbpf_probe_bpf_helper(BPF_PROG_TYPE_PERF_EVENT, BPF_FUNC_loop, NULL) != 1;
	return NULL;
}

/*
 * Before Linux 6.1 programs of perf events may only use hash maps whose elements are there from the
 * beginning: less of them then.
 */
static void preallocate(struct wp_bpf_walker *walker, const char *name, uint32_t entries)
{
	struct bpf_map *map = bpf_object__find_map_by_name(walker->object, name);

	bpf_map__set_map_flags(map, bpf_map__map_flags(map) & ~(uint32_t)BPF_F_NO_PREALLOC);
	bpf_map__set_max_entries(map, entries);
}

/* Verifying a program takes the kernel a tenth of a second and more. */
static bool is_needed(const struct wp_bpf_walker *walker, const struct bpf_program *program,
		      const struct wp_bpf_walker_options *options)
{
	const char *name = bpf_program__name(program);

	if (strcmp(name, "wp_walk_find_direct") == 0)
		return walker->direct;
	return !options->no_tracepoints || strcmp(name, "wp_walk_tracepoint") != 0;
}

/*
 * The size of a ring is known only now. It is that of an example, which the caller closes behind
 * the load: the inner map of the object cannot be changed (libbpf 1.4 and newer would crash).
 * Negative: the kernel's refusal.
 */
static int prepare_rings(struct wp_bpf_walker *walker)
{
	struct bpf_map *rings = bpf_object__find_map_by_name(walker->object, "walk_rings");
	uint64_t bytes = walker->ring_bytes ? walker->ring_bytes : WP_WALK_RING_MIN;
	int example = make_chunk_map(WP_WALK_RING_MAP_BYTES(bytes)), status;

	if (example < 0)
		return example;
	status = bpf_map__set_inner_map_fd(rings, example);
	if (status == 0)
		status = bpf_map__set_max_entries(rings, (uint32_t)libbpf_num_possible_cpus());
	if (status == 0)
		return example;
	close(example);
	return status;
}

/* Everything that must be said before the kernel sees the object. */
static void prepare(struct wp_bpf_walker *walker, const struct wp_bpf_walker_options *options)
{
	struct bpf_map *walks = bpf_object__find_map_by_name(walker->object, "walks");
	struct bpf_map *config = bpf_object__find_map_by_name(walker->object, ".rodata");
	struct wp_walk_config *values;
	struct bpf_program *program;
	size_t bytes;

	bpf_object__for_each_program(program, walker->object)
		bpf_program__set_autoload(program, is_needed(walker, program, options));
	bpf_map__set_max_entries(walks, (uint32_t)libbpf_num_possible_cpus());
	values = (struct wp_walk_config *)bpf_map__initial_value(config, &bytes);
	values->dump_bytes =
		options->dump_bytes < WP_WALK_DUMP_MAX ? options->dump_bytes : WP_WALK_DUMP_MAX;
	values->only_mapped = options->only_mapped;
	values->pid_ns = pid_namespace();
	values->native = options->native;
	values->gil = options->gil;
	values->tasks = options->tasks;
	values->names = walker->names;
	values->ring_bytes = (uint32_t)walker->ring_bytes;
	values->direct = walker->direct;
}

static int map_fd(const struct wp_bpf_walker *walker, const char *name)
{
	return bpf_object__find_map_fd_by_name(walker->object, name);
}

static int program_fd(const struct wp_bpf_walker *walker, const char *name)
{
	return bpf_program__fd(bpf_object__find_program_by_name(walker->object, name));
}

/* 0, or the kernel's refusal. */
static int load_object(struct wp_bpf_walker *walker, const struct wp_bpf_walker_options *options,
		       bool bounded, bool old)
{
	if (walker->object)
		bpf_object__close(walker->object);
	walker->object = bounded ? bpf_object__open_mem(walk_bpf_1, sizeof(walk_bpf_1) - 1, NULL)
				 : bpf_object__open_mem(walk_bpf_0, sizeof(walk_bpf_0) - 1, NULL);
	if (!walker->object)
		return -errno;
	prepare(walker, options);
	if (old) {
		preallocate(walker, "processes", OLD_PROCESSES);
		preallocate(walker, "pythons", OLD_PYTHONS);
	}
	wp_autoclose int example = prepare_rings(walker);
	return example < 0 ? example : bpf_object__load(walker->object);
}

/* Linux 6.3 and newer tell a program which sample it runs for. */
static bool names_samples(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname name;

	return uname(&name) == 0 && sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 3));
}

/* What the program is told when it is loaded already. */
static void put_values(struct wp_bpf_walker *walker)
{
	uint32_t zero = 0;

	bpf_map_update_elem(map_fd(walker, ".data"), &zero, &walker->values, BPF_ANY);
}

static bool ask_direct(void *arg, struct wp_walk_search *asked)
{
	LIBBPF_OPTS(bpf_test_run_opts, opts, .ctx_in = asked, .ctx_size_in = sizeof(*asked));

	return bpf_prog_test_run_opts(program_fd(arg, "wp_walk_find_direct"), &opts) == 0;
}

static void find_direct(struct wp_bpf_walker *walker)
{
	const char *how = "by the kernel's helper";

	if (walker->direct)
		how = wp_bpf_direct_find(ask_direct, walker, &walker->values.direct)
			      ? "through the kernel's own mapping (fast path)"
			      : "by the kernel's helper: its own mapping was not found";
	wp_log(walker->log, WP_LOG_VERBOSE, "memory of processes is read %s", how);
}

static struct wp_err *load(struct wp_bpf_walker *walker,
			   const struct wp_bpf_walker_options *options)
{
	bool bounded = false;
	int status;

	TRY(look_at_kernel(&bounded));
	bounded |= options->bounded;
	walker->names = names_samples();
	if (walker->names && !bounded)
		walker->ring_bytes = wp_bpf_ring_bytes((size_t)libbpf_num_possible_cpus());
	walker->direct = HAS_DIRECT && walker->names && !bounded && !options->no_direct;
	status = load_object(walker, options, bounded, bounded);
	if (status < 0 && walker->names) {
		walker->names = walker->direct = false;
		walker->ring_bytes = 0;
		status = load_object(walker, options, bounded, bounded);
	}
	if (status == -EINVAL && !bounded)
		status = load_object(walker, options, bounded, true);
	if (status == -EPERM)
		return no_permission();
	if (status == -EACCES) /* what its verifier says of a program that it does not follow */
		return wp_err_new(WP_ERR_UNSUPPORTED, "this kernel's verifier refuses the BPF "
						      "program that walks stacks");
	if (status < 0)
		return wp_err_os(-status, "this kernel does not take the BPF program that walks "
					  "stacks");
	find_direct(walker);
	walker->processes = map_fd(walker, "processes");
	walker->pythons = map_fd(walker, "pythons");
	walker->outputs = map_fd(walker, "outputs");
	walker->urgent_outputs = map_fd(walker, "urgent_outputs");
	walker->rings = map_fd(walker, "walk_rings");
	walker->rows = map_fd(walker, "row_chunks");
	walker->buckets = map_fd(walker, "bucket_chunks");
	walker->ranges = map_fd(walker, "range_chunks");
	walker->event = program_fd(walker, "wp_walk_event");
	walker->tracepoint = program_fd(walker, "wp_walk_tracepoint");
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
	wp_bpf_maps_init(&walker->maps, &maps_ops, walker);
	libbpf_set_print(silent);
	err = load(walker, options);
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
	wp_vec_each (struct output, output, &walker->written)
		close(output->fd);
	wp_vec_each (int, holder, &walker->holders)
		close(*holder);
	wp_vec_each (struct chunk, chunk, &walker->chunks)
		munmap(chunk->memory, chunk->bytes);
	wp_bpf_maps_deinit(&walker->maps);
	if (walker->object)
		bpf_object__close(walker->object);
	wp_vec_deinit(&walker->written);
	wp_vec_deinit(&walker->walks);
	wp_vec_deinit(&walker->holders);
	wp_map_deinit(&walker->refused);
	wp_map_deinit(&walker->held);
	wp_vec_deinit(&walker->chunks);
	free(walker);
}

struct wp_bpf_maps *wp_bpf_walker_maps(struct wp_bpf_walker *walker)
{
	return &walker->maps;
}

void wp_bpf_walker_set_python(struct wp_bpf_walker *walker, uint32_t pid,
			      const struct wp_python_plan *plans, size_t n)
{
	wp_bpf_maps_set_python(&walker->maps, pid, plans, n);
}

/*
 * The event that walks of a CPU are written with, into the ring that samples go to. The urgent one
 * wakes us with each walk, the other one when the ring is half full.
 */
static struct wp_err *open_output(struct wp_bpf_walker *walker, const struct wp_perf_set *set,
				  size_t ring, bool urgent)
{
	uint32_t cpu = set->rings.v[ring].cpu;
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_BPF_OUTPUT,
		.sample_type = WP_PERF_SAMPLE_TYPE | PERF_SAMPLE_RAW,
		.sample_period = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = !urgent,
		.wakeup_events = urgent,
	};
	int map = urgent ? walker->urgent_outputs : walker->outputs;
	struct output output = {.fd = wp_perf_attr_open(&attr, -1, (int)cpu, -1)};

	if (output.fd < 0)
		return wp_err_os(errno, "no event for the stacks of CPU %u", cpu);
	wp_vec_push(&walker->written, output);
	if (ioctl(output.fd, PERF_EVENT_IOC_SET_OUTPUT, set->counters.v[ring].fd) < 0 ||
	    ioctl(output.fd, PERF_EVENT_IOC_ID, &output.id) < 0 ||
	    bpf_map_update_elem(map, &cpu, &output.fd, BPF_ANY) < 0)
		return wp_err_os(errno, "the stacks of CPU %u cannot be written", cpu);
	walker->written.v[walker->written.n - 1].id = output.id;
	return NULL;
}

/* The ring of walks of a CPU; without one they go into perf's. */
static void open_ring(struct wp_bpf_walker *walker, uint32_t cpu)
{
	struct wp_bpf_ring ring = {.bytes = walker->ring_bytes};

	if (ring.bytes)
		ring.shared =
			make_chunk(walker, walker->rings, cpu, WP_WALK_RING_MAP_BYTES(ring.bytes));
	wp_vec_push(&walker->walks, ring);
}

/*
 * A tracepoint calls a program once, whichever of its events it was attached to, and forgets it
 * when that event or one that a thread inherited from it is closed: so it gets an event of its own,
 * which never counts and that no thread inherits.
 */
static bool hold_tracepoint(struct wp_bpf_walker *walker, const struct wp_perf_set *set,
			    const struct wp_event *event)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT,
		.size = sizeof(attr),
		.config = event->config,
		.disabled = 1,
	};
	int holder;

	if (wp_map_get(&walker->held, event->config))
		return true;
	holder = wp_perf_attr_open(&attr, -1, (int)set->rings.v[0].cpu, -1);
	if (holder < 0)
		return false;
	wp_vec_push(&walker->holders, holder);
	if (ioctl(holder, PERF_EVENT_IOC_SET_BPF, walker->tracepoint) < 0)
		return false;
	*wp_map_put(&walker->held, event->config) = 1;
	return true;
}

static bool attach_to(struct wp_bpf_walker *walker, const struct wp_perf_set *set,
		      const struct wp_perf_counter *counter)
{
	const struct wp_event *event = &set->options->events->events.v[counter->event];

	if (event->type == PERF_TYPE_TRACEPOINT)
		return hold_tracepoint(walker, set, event);
	return ioctl(counter->fd, PERF_EVENT_IOC_SET_BPF, walker->event) == 0;
}

static void attach_one(struct wp_bpf_walker *walker, const struct wp_perf_set *set,
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

static void tell_events(struct wp_bpf_walker *walker, const struct wp_perf_set *set)
{
	uint64_t bytes = set->rings.n ? set->rings.v[0].size : 0;

	if (walker->ring_bytes && walker->ring_bytes < bytes)
		bytes = walker->ring_bytes;
	/* Copies of stacks may fill three quarters of a ring until it is drained. */
	walker->values.dumps_bytes = bytes / 4 * 3;
	walker->values.whole = wp_perf_attr_is_plain(&set->mode);
	put_values(walker);
}

struct wp_err *wp_bpf_walker_attach(struct wp_bpf_walker *walker, const struct wp_perf_set *set)
{
	tell_events(walker, set);
	wp_vec_each (struct wp_perf_ring, ring, &set->rings)
		open_ring(walker, ring->cpu);
	for (size_t i = 0; i < set->rings.n; i++) {
		TRY(open_output(walker, set, i, false));
		TRY(open_output(walker, set, i, true));
	}
	wp_vec_each (struct wp_perf_counter, counter, &set->counters)
		if (counter->event != WP_PERF_DUMMY)
			attach_one(walker, set, counter);
	return NULL;
}

bool wp_bpf_walker_wrote(const struct wp_bpf_walker *walker, size_t ring, uint64_t identifier)
{
	const struct output *outputs = walker->written.v + ring * OUTPUTS;

	return outputs[0].id == identifier || outputs[1].id == identifier;
}

struct wp_bpf_ring *wp_bpf_walker_ring(struct wp_bpf_walker *walker, size_t ring)
{
	return &walker->walks.v[ring];
}

struct wp_bpf_walker_cost wp_bpf_walker_cost(const struct wp_bpf_walker *walker)
{
	const int programs[] = {walker->event, walker->tracepoint};
	struct wp_bpf_walker_cost cost = {0};

	for (size_t i = 0; i < WP_ARRAY_LEN(programs); i++) {
		struct bpf_prog_info info = {0};
		uint32_t bytes = sizeof(info);

		if (bpf_obj_get_info_by_fd(programs[i], &info, &bytes) < 0)
			continue;
		cost.runs += info.run_cnt;
		cost.ns += info.run_time_ns;
	}
	return cost;
}
