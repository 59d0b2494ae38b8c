/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_plan: what the runtime stage knows of a CPython; a tool for the tests.
 *
 *	python_plan FILE	the build in an ELF file, key=value
 *	python_plan -l FILE	what a libc tells
 *	python_plan -p PID	for each build that the process has mapped: its plan, and the names
 *of its threads
 *
 * Exit status: 0; 1: an error, which is printed; 3: no CPython there.
 */
#include "python_memory.h"

#include "base/file.h"
#include "format/maps/proc_maps.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *const forms[] = {"lnotab-unsigned", "lnotab-signed", "linetable", "locations"};

struct field {
	const char *name;
	size_t at;
};

#define FIELD(name)                                          \
	{                                                    \
#name, offsetof(struct wp_python_plan, name) \
	}

static const struct field addresses[] = {FIELD(tss_key),   FIELD(current),    FIELD(interpreters),
					 FIELD(code_type), FIELD(code_count), FIELD(eval_start)};

static const struct field offsets[] = {
	FIELD(interp_next),	  FIELD(interp_threads),  FIELD(interp_gil),
	FIELD(gil_holder),	  FIELD(gil_locked),	  FIELD(ts_next),
	FIELD(ts_interp),	  FIELD(ts_thread_id),	  FIELD(ts_frame),
	FIELD(ts_state),	  FIELD(cframe_current),  FIELD(cframe_previous),
	FIELD(frame_code),	  FIELD(frame_previous),  FIELD(frame_instr),
	FIELD(frame_owner),	  FIELD(frame_is_entry),  FIELD(frame_tlbc_index),
	FIELD(object_type),	  FIELD(code_first_line), FIELD(code_name),
	FIELD(code_qualname),	  FIELD(code_filename),	  FIELD(code_lines),
	FIELD(code_first_instr),  FIELD(code_tlbc),	  FIELD(code_bytes),
	FIELD(str_length),	  FIELD(str_state),	  FIELD(str_ascii),
	FIELD(str_compact),	  FIELD(str_kind_shift),  FIELD(str_ascii_shift),
	FIELD(str_compact_shift), FIELD(bytes_size),	  FIELD(bytes_data),
};

static void print_plan(const struct wp_python_plan *plan)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(addresses); i++) {
		uint64_t value;

		memcpy(&value, (const char *)plan + addresses[i].at, sizeof(value));
		printf("%s=0x%" PRIx64 "\n", addresses[i].name, value);
	}
	printf("flags=0x%x\neval_prologue=%u\neval_cframe=%u\ntsd=%d\nthread_id_bias=%d\ntid=%d\n",
	       plan->flags, plan->eval_prologue, plan->eval_cframe, plan->tsd, plan->thread_id_bias,
	       plan->tid);
	for (size_t i = 0; i < WP_ARRAY_LEN(offsets); i++) {
		uint16_t value;

		memcpy(&value, (const char *)plan + offsets[i].at, sizeof(value));
		printf("%s=%u\n", offsets[i].name, value);
	}
}

static void print_build(const struct wp_python_build *build)
{
	wp_autofree char *name = wp_python_build_name(build);

	printf("name=%s\nversion=0x%08x\nlines=%s\n", name, build->version, forms[build->lines]);
	wp_vec_each (struct wp_python_range, range, &build->eval.parts)
		printf("eval=0x%" PRIx64 "-0x%" PRIx64 "\n", range->start, range->end);
}

static void print_places(const struct wp_python_build *build)
{
	const struct wp_python_dict_layout *names = &build->dicts;

	printf("code_code=%u\n", build->code_code);
	printf("interp_modules=%u\n", names->interp_modules);
	printf("ht_cached_keys=%u\n",
	       names->cached_keys ? names->cached_keys + build->layout.object_type : 0u);
}

static bool want_all(void *arg, uint32_t tid)
{
	(void)arg, (void)tid;
	return true;
}

static void print_name(void *arg, uint32_t tid, const char *name)
{
	(void)arg;
	printf("thread=%u %s\n", tid, name);
}

static void print_names(const struct wp_python_build *build, const struct wp_python_plan *plan,
			const struct wp_memory *memory)
{
	struct wp_python_names_asker asker = {.wants = want_all, .take = print_name};

	wp_python_names_read(&build->dicts, plan, memory, &asker);
}

static int fail(struct wp_err *err)
{
	printf("error=%s\n", err->text);
	wp_err_free(err);
	return 1;
}

static int show_file(const char *path)
{
	wp_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct wp_python_build *build = NULL;
	struct wp_err *err = wp_python_build_read(fd, path, &build);

	if (err)
		return fail(err);
	if (!build)
		return 3;
	print_build(build);
	print_plan(&build->layout);
	print_places(build);
	wp_python_build_free(build);
	return 0;
}

static int show_libc(const char *path)
{
	wp_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct wp_python_libc libc;

	if (!wp_python_libc_read(fd, &libc))
		return 3;
	printf("tsd=%d\nthread_id_bias=%d\ntid=%d\n", libc.tsd, libc.thread_id_bias, libc.tid);
	return 0;
}

static int plan_one(pid_t pid, int fd, const struct wp_record_map *map,
		    const struct wp_python_libc *libc)
{
	struct wp_memory memory = {read_memory, &pid};
	struct wp_python_build *build = NULL;
	struct wp_python_plan plan;
	struct wp_err *err;
	uint64_t delta;

	if (!delta_of(fd, map, &delta))
		return 3;
	err = wp_python_build_read(fd, map->path, &build);
	if (!err && (!build || !runs_in(build, map, delta))) {
		wp_python_build_free(build);
		return 3;
	}
	if (!err)
		err = wp_python_build_plan(build, delta, libc, &memory, &plan);
	printf("file=%s\ndelta=0x%" PRIx64 "\n", map->path, delta);
	if (!err) {
		print_build(build);
		print_plan(&plan);
		print_names(build, &plan, &memory);
	}
	wp_python_build_free(build);
	return err ? fail(err) : 0;
}

/* As the process sees the path, or (in a chroot of ours) as we do. */
static int open_mapped(pid_t pid, const char *path)
{
	wp_autofree char *inside = wp_asprintf("/proc/%d/root%s", (int)pid, path);
	int fd = path[0] == '/' ? open(inside, O_RDONLY | O_CLOEXEC) : -1;

	return fd < 0 && path[0] == '/' ? open(path, O_RDONLY | O_CLOEXEC) : fd;
}

/* Calls itself for libc first, for plans then. */
static int show_process(pid_t pid, struct wp_python_libc *libc, bool has_libc, bool plans)
{
	wp_autofree char *path = wp_asprintf("/proc/%d/maps", (int)pid);
	wp_autofree char *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, 64 << 20, &text, NULL);
	struct wp_record_map map;
	char *at = text;
	int status = 3;

	while (!err && wp_proc_maps_next(&at, &map)) {
		wp_autoclose int fd = open_mapped(pid, map.path);

		if (fd < 0)
			continue;
		if (!plans)
			has_libc |= wp_python_libc_read(fd, libc);
		else if (plan_one(pid, fd, &map, has_libc ? libc : NULL) != 3)
			status = 0;
	}
	return plans ? status : show_process(pid, libc, has_libc, true);
}

int main(int argc, char **argv)
{
	struct wp_python_libc libc = {0};

	if (argc == 2)
		return show_file(argv[1]);
	if (argc == 3 && strcmp(argv[1], "-l") == 0)
		return show_libc(argv[2]);
	if (argc == 3 && strcmp(argv[1], "-p") == 0)
		return show_process((pid_t)atoi(argv[2]), &libc, false, false);
	fprintf(stderr, "usage: python_plan FILE | -l FILE | -p PID\n");
	return 2;
}
