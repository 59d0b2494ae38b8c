/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_object: see bpf_object.h. */
#include "source/bpf/bpf_object.h"

#include "bpf/wire.h"
#include "source/bpf/bpf_ring.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <walk_bpf.skel.h>
#include <walk_bpf_bounded.skel.h>

/* Inode of the first PID namespace (include/linux/proc_ns.h, PROC_PID_INIT_INO). */
#define FIRST_PID_NAMESPACE 0xeffffffcu

/* The page tables that bpf/walk_memory.h knows. */
#if defined(__x86_64__)
#define HAS_DIRECT true
#else
#define HAS_DIRECT false
#endif

/* Processes that the program knows where maps are preallocated: 3 MB in all. */
#define OLD_PROCESSES 16384
#define OLD_PYTHONS   2048

/* Threads whose waits are followed at once; the one that was switched longest ago makes room. */
#define WAITERS 65536

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
uint32_t wp_bpf_object_pid_namespace(void)
{
	struct stat st;

	if (stat("/proc/self/ns/pid", &st) < 0 || st.st_ino == FIRST_PID_NAMESPACE)
		return 0;
	return (uint32_t)st.st_ino;
}

void wp_bpf_object_silence(void)
{
	libbpf_set_print(silent);
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

/* Linux 6.3 and newer tell a program which sample it runs for. */
static bool kernel_names_samples(void)
{
	unsigned int major = 0, minor = 0;
	struct utsname name;

	return uname(&name) == 0 && sscanf(name.release, "%u.%u", &major, &minor) == 2 &&
	       (major > 6 || (major == 6 && minor >= 3));
}

/*
 * Where the kernel says in what context it runs: __preempt_count, or struct pcpu_hot (Linux 6.2 to
 * 6.14). Kernels without CONFIG_KALLSYMS_ALL do not tell, nor do they where addresses are hidden.
 */
static void find_counts(struct wp_walk_counts *ret)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	struct wp_walk_counts found = {0};
	unsigned long long at;
	bool has_variable = false;
	char line[256], name[64];

	while (file && fgets(line, sizeof(line), file) && !(found.offsets && has_variable)) {
		if (sscanf(line, "%llx %*c %63s", &at, name) != 2)
			continue;
		if (strcmp(name, "__per_cpu_offset") == 0)
			found.offsets = at;
		found.in_hot |= strcmp(name, "pcpu_hot") == 0;
		if (strcmp(name, "pcpu_hot") == 0 || strcmp(name, "__preempt_count") == 0) {
			found.at = at;
			has_variable = true;
		}
	}
	if (file)
		fclose(file);
	if (found.offsets && has_variable)
		*ret = found;
}

/*
 * Before Linux 6.1 programs of perf events may only use hash maps whose elements are there from the
 * beginning: less of them then.
 */
static void preallocate(struct bpf_map *map, uint32_t entries)
{
	bpf_map__set_map_flags(map, bpf_map__map_flags(map) & ~(uint32_t)BPF_F_NO_PREALLOC);
	bpf_map__set_max_entries(map, entries);
}

static void choose_programs(const struct wp_bpf_object *object, struct walk_bpf *file,
			    bool is_second)
{
	bool waits = !is_second && object->options.python == WP_BPF_PYTHON_LATER;
	bool tracepoints = !object->options.no_tracepoints;
	bool probes = !object->options.no_probes;
	bool wakers = object->options.wakers && !is_second;

	bpf_program__set_autoload(file->progs.wp_first_event, waits);
	bpf_program__set_autoload(file->progs.wp_walk_event, !waits);
	bpf_program__set_autoload(file->progs.wp_first_tracepoint, waits && tracepoints);
	bpf_program__set_autoload(file->progs.wp_walk_tracepoint, !waits && tracepoints);
	bpf_program__set_autoload(file->progs.wp_waking, wakers);
	bpf_program__set_autoload(file->progs.wp_waking_behind, wakers);
	bpf_program__set_autoload(file->progs.wp_first_probe, waits && probes);
	bpf_program__set_autoload(file->progs.wp_walk_probe, !waits && probes);
	bpf_program__set_autoload(file->progs.wp_walk_find_direct, object->direct && !is_second);
}

int wp_bpf_object_make_chunk(size_t bytes)
{
	LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_MMAPABLE);

	return bpf_map_create(BPF_MAP_TYPE_ARRAY, "wperf_chunk", sizeof(uint32_t), (uint32_t)bytes,
			      1, &opts);
}

/*
 * The size of a ring is known only now. It is that of an example, which the caller closes behind
 * the load: the inner map of the object cannot be changed (libbpf 1.4 and newer would crash).
 * Negative: the kernel's refusal.
 */
static int prepare_rings(const struct wp_bpf_object *object, struct walk_bpf *file)
{
	struct bpf_map *rings = file->maps.walk_rings;
	uint64_t bytes = object->ring_bytes ? object->ring_bytes : WP_WALK_RING_MIN;
	int example = wp_bpf_object_make_chunk(WP_WALK_RING_MAP_BYTES(bytes)), status;

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

static void configure(const struct wp_bpf_object *object, struct walk_bpf *file, bool is_second)
{
	const struct wp_bpf_walker_options *options = &object->options;
	struct wp_walk_config *values = &file->rodata->config;

	values->dump_bytes =
		options->dump_bytes < WP_WALK_DUMP_MAX ? options->dump_bytes : WP_WALK_DUMP_MAX;
	values->only_mapped = options->only_mapped;
	values->pid_ns = wp_bpf_object_pid_namespace();
	values->native = options->native;
	values->gil = options->gil;
	values->calls = options->calls;
	values->files = options->files;
	values->wakers = options->wakers;
	if (options->wakers && HAS_DIRECT)
		find_counts(&values->counts);
	values->tasks = options->tasks;
	values->python = is_second || options->python == WP_BPF_PYTHON_NOW;
	values->names = object->names;
	values->ring_bytes = (uint32_t)object->ring_bytes;
	values->direct = object->direct;
}

/*
 * Either form of the program; NULL with errno. They have the same maps, programs and variables, or
 * this fails: one struct is enough for both.
 */
static struct walk_bpf *open_form(bool bounded)
{
	struct walk_bpf *file = wp_calloc(1, sizeof(*file));
	int status = walk_bpf__create_skeleton(file);

	if (status == 0 && bounded)
		file->skeleton->data = walk_bpf_bounded__elf_bytes(&file->skeleton->data_sz);
	if (status == 0)
		status = bpf_object__open_skeleton(file->skeleton, NULL);
	if (status == 0)
		return file;
	walk_bpf__destroy(file);
	errno = -status;
	return NULL;
}

/* With all that must be said before the kernel sees it; NULL with errno. */
static struct walk_bpf *open_walk_object(const struct wp_bpf_object *object, bool is_second)
{
	struct walk_bpf *file = open_form(object->bounded);

	if (!file)
		return NULL;
	choose_programs(object, file, is_second);
	if (object->options.wakers)
		bpf_map__set_max_entries(file->maps.waiters, WAITERS);
	bpf_map__set_max_entries(file->maps.walks, (uint32_t)libbpf_num_possible_cpus());
	configure(object, file, is_second);
	if (object->old) {
		preallocate(file->maps.processes, OLD_PROCESSES);
		preallocate(file->maps.pythons, OLD_PYTHONS);
	}
	return file;
}

/* 0, or the kernel's refusal. */
static int load_first(struct wp_bpf_object *object, bool old)
{
	walk_bpf__destroy(object->first);
	object->old = old;
	object->first = open_walk_object(object, false);
	if (!object->first)
		return -errno;
	wp_autoclose int example = prepare_rings(object, object->first);
	return example < 0 ? example : walk_bpf__load(object->first);
}

/* With less and less of what newer kernels have. */
static int load_somehow(struct wp_bpf_object *object)
{
	int status = load_first(object, object->bounded);

	if (status < 0 && object->names) {
		object->names = object->direct = false;
		object->refused = true;
		object->ring_bytes = 0;
		status = load_first(object, object->bounded);
	}
	if (status == -EINVAL && !object->bounded)
		status = load_first(object, true);
	/* On arm64 before 6.0 nothing that calls functions of its own can hand over. */
	if (status == -EINVAL && object->options.python == WP_BPF_PYTHON_LATER) {
		object->options.python = WP_BPF_PYTHON_NOW;
		return load_somehow(object);
	}
	return status;
}

struct wp_err *wp_bpf_object_load(struct wp_bpf_object *object,
				  const struct wp_bpf_walker_options *options)
{
	int status;

	wp_bpf_object_silence();
	TRY(look_at_kernel(&object->bounded));
	object->options = *options;
	object->bounded |= options->bounded;
	object->names = kernel_names_samples();
	if (object->names && !object->bounded)
		object->ring_bytes = wp_bpf_ring_bytes((size_t)libbpf_num_possible_cpus());
	object->direct = HAS_DIRECT && object->names && !object->bounded && !options->no_direct;
	status = load_somehow(object);
	if (status == -EPERM)
		return no_permission();
	if (status == -EACCES) /* what its verifier says of a program that it does not follow */
		return wp_err_new(WP_ERR_UNSUPPORTED, "this kernel's verifier refuses the BPF "
						      "program that walks stacks");
	if (status < 0)
		return wp_err_os(-status, "this kernel does not take the BPF program that walks "
					  "stacks");
	return NULL;
}

/* Every map of the first object but what is said to one program only. Both have the same ones. */
static int share_maps(const struct walk_bpf *first, const struct walk_bpf *second)
{
	struct bpf_map *from = bpf_object__next_map(first->obj, NULL), *map;
	int status = 0;

	bpf_object__for_each_map(map, second->obj)
	{
		if (status == 0 && map != second->maps.rodata)
			status = bpf_map__reuse_fd(map, bpf_map__fd(from));
		from = bpf_object__next_map(first->obj, from);
	}
	return status;
}

/* From now on samples of that kind of event are walked by the second object's program. */
static int hand_over(const struct bpf_map *from, const struct bpf_program *successor)
{
	int program = bpf_program__fd(successor);
	uint32_t zero = 0;

	return program < 0 ? 0 : bpf_map_update_elem(bpf_map__fd(from), &zero, &program, BPF_ANY);
}

int wp_bpf_object_load_python(struct wp_bpf_object *object)
{
	const struct walk_bpf *first = object->first;
	struct walk_bpf *python = open_walk_object(object, true);
	int status;

	object->python = python;
	if (!python)
		return -errno;
	status = share_maps(first, python);
	if (status == 0)
		status = walk_bpf__load(python);
	if (status == 0)
		status = hand_over(first->maps.event_successor, python->progs.wp_walk_event);
	if (status == 0)
		status = hand_over(first->maps.tracepoint_successor,
				   python->progs.wp_walk_tracepoint);
	if (status == 0)
		status = hand_over(first->maps.probe_successor, python->progs.wp_walk_probe);
	return status;
}

void wp_bpf_object_close(struct wp_bpf_object *object)
{
	walk_bpf__destroy(object->python);
	walk_bpf__destroy(object->first);
	*object = (struct wp_bpf_object){0};
}

/* Until Python's part comes, samples go to the program that waits for it. */
static bool waits_for_python(const struct wp_bpf_object *object)
{
	return object->options.python == WP_BPF_PYTHON_LATER;
}

struct bpf_program *wp_bpf_object_event(const struct wp_bpf_object *object)
{
	const struct walk_bpf *first = object->first;

	return waits_for_python(object) ? first->progs.wp_first_event : first->progs.wp_walk_event;
}

struct bpf_program *wp_bpf_object_tracepoint(const struct wp_bpf_object *object)
{
	const struct walk_bpf *first = object->first;

	return waits_for_python(object) ? first->progs.wp_first_tracepoint
					: first->progs.wp_walk_tracepoint;
}

struct bpf_program *wp_bpf_object_waking(const struct wp_bpf_object *object)
{
	const struct walk_bpf *first = object->first;

	return first->progs.wp_waking;
}

struct bpf_program *wp_bpf_object_probe(const struct wp_bpf_object *object)
{
	const struct walk_bpf *first = object->first;

	return waits_for_python(object) ? first->progs.wp_first_probe : first->progs.wp_walk_probe;
}
