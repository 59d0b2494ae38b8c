/* SPDX-License-Identifier: BSD-3-Clause */
/* dumping: see dumping.h. */
#include "session/live/dumping.h"

#include "base/clock.h"
#include "base/str.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* What is copied of a stack at first, and at most: as much as the reader can. */
#define STACK_BYTES	(64u << 10)
#define STACK_BYTES_MAX (16u << 20)
/* Frames of all threads; one takes some 800 bytes until it is printed. */
#define FRAMES_MAX (1u << 18)

static void set_instant_python(void *arg, uint32_t pid, const struct wp_python_plan *plans,
			       size_t n, const struct wp_python_like *like)
{
	(void)like;
	wp_instant_reader_python(arg, pid, plans, n);
}

static void open_resolver(struct wp_dumping *d)
{
	struct wp_resolver_options options = {
		.processes = &d->processes,
		.kernel = d->kernel,
		.places.interrupted = d->io->interrupted,
		.log = d->io->log,
		.worker = d->worker,
		.budget = d->budget,
		.patience = &d->patience,
	};

	d->processes.live = true;
	wp_processes_listen(&d->processes, wp_windows_maps_changed, &d->windows);
	d->resolver = wp_resolver_new(&options);
}

static void open_python(struct wp_dumping *d)
{
	/* Of --all the interpreters are found in any case. */
	bool find = d->with_python || d->options->target.all;
	struct wp_python_mode mode = {.way = find ? WP_PYTHON_PINNED : WP_PYTHON_OFF};
	struct wp_python_walker walker = {.set = set_instant_python, .arg = d->reader};

	wp_python_feed_init(&d->python, mode, d->resolver, &d->targeting.target, d->io->log);
	d->python.codes.budget = d->budget;
	wp_processes_listen(&d->processes, wp_python_feed_changed, &d->python);
	d->python.namer.on = d->with_python;
	if (d->with_python)
		wp_python_feed_connect(&d->python, &walker);
	d->asyncio.python = &d->python;
	d->asyncio.resolver = d->resolver;
	d->asyncio.reader = d->reader;
	if (!d->options->exports.locals)
		return;
	d->locals.python = &d->python;
	wp_instant_reader_look(d->reader, wp_dump_locals_look, &d->locals);
}

struct wp_err *wp_dumping_frames(const char *word, bool *ret_native, bool *ret_python)
{
	bool all = !word || strcmp(word, "all") == 0;

	if (!all && strcmp(word, "python") != 0 && strcmp(word, "native") != 0)
		return wp_err_new(WP_ERR_USAGE, "--frames %s: want python, native or all", word);
	*ret_native = all || *word == 'n';
	*ret_python = all || *word == 'p';
	return NULL;
}

static struct wp_err *parse_dumped_frames(struct wp_dumping *d)
{
	TRY(wp_dumping_frames(d->options->exports.frames, &d->native, &d->with_python));
	if (d->options->target.kernel && !d->native)
		return wp_err_new(WP_ERR_USAGE, "-k: kernel frames stand above native ones, which "
						"--frames python leaves out");
	if (d->options->exports.locals && !d->with_python)
		return wp_err_new(WP_ERR_USAGE, "--locals are those of Python frames, which "
						"--frames native leaves out");
	if (d->options->sampling.async && !d->with_python)
		return wp_err_new(WP_ERR_USAGE, "--async: tasks have Python frames, which "
						"--frames native leaves out");
	return NULL;
}

static int compare_tids(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

static struct wp_err *parse_dumped_threads(struct wp_dumping *d)
{
	const char *list = d->options->report.tids;
	wp_autofree char *copy = list ? wp_strdup(list) : NULL;
	char *rest = copy, *item;
	uint64_t tid;

	while (rest && (item = strsep(&rest, ","))) {
		if (!wp_str_to_u64(item, 10, INT_MAX, &tid) || !tid)
			return wp_err_new(WP_ERR_USAGE,
					  "-t %s: want thread ids separated by commas", list);
		wp_vec_push(&d->only.ids, (pid_t)tid);
	}
	return NULL;
}

static bool is_dumped_thread(const struct wp_dumping *d, pid_t tid)
{
	return !d->only.ids.n ||
	       bsearch(&tid, d->only.ids.v, d->only.ids.n, sizeof(tid), compare_tids);
}

struct wp_err *wp_dumping_init(const struct wp_session_options *options, struct wp_session_io *io,
			       struct wp_dumping *ret)
{
	*ret = (struct wp_dumping){
		.options = options,
		.io = io,
		.patience = {.interrupted = io->interrupted},
		.budget = wp_calloc(1, sizeof(*ret->budget)),
		.stack = wp_calloc(1, sizeof(*ret->stack)),
	};
	wp_dump_doc_init(&ret->dump);
	ret->budget->limit =
		options->max_memory_mb ? options->max_memory_mb << 20 : wp_budget_default();
	ret->setup.log = io->log;
	TRY(parse_dumped_frames(ret));
	TRY(parse_dumped_threads(ret));
	if (ret->only.ids.n)
		qsort(ret->only.ids.v, ret->only.ids.n, sizeof(pid_t), compare_tids);
	TRY(wp_setup_open(options, true, &ret->setup));
	ret->reader = wp_instant_reader_new(ret->setup.machine->arch, options->sampling.async);
	TRY(wp_targeting_init(options, &ret->setup, WP_TARGETING_DUMP, &ret->targeting));
	if (options->target.core)
		TRY(wp_core_image_open(options->target.core, io->log, &ret->core));
	ret->worker = wp_worker_new();
	ret->kernel = !options->target.core &&
		      wp_instant_reader_use_bpf(ret->reader, options->target.kernel, io->log) &&
		      options->target.kernel;
	open_resolver(ret);
	wp_setup_reduce_rights(&ret->setup, options, NULL, false);
	open_python(ret);
	ret->live.of = (struct wp_sample_live_parts){
		.resolver = ret->resolver,
		.python = &ret->python,
		.walk = &ret->walk,
		.interpreter_frames = options->tables.interpreter_frames || !ret->with_python,
	};
	return NULL;
}

void wp_dumping_deinit(struct wp_dumping *d)
{
	wp_budget_tell(d->budget, d->io->log);
	wp_frame_places_deinit(&d->places);
	wp_vec_deinit(&d->frames);
	wp_doc_free(d->dump.doc);
	wp_instant_reader_free(d->reader);
	wp_core_image_deinit(&d->core);
	wp_sample_live_deinit(&d->live);
	wp_python_feed_deinit(&d->python);
	/* What the worker is at ends with the program. */
	if (!d->resolver || !wp_resolver_is_stuck(d->resolver)) {
		wp_resolver_free(d->resolver);
		wp_worker_free(d->worker);
		free(d->budget);
		wp_processes_deinit(&d->processes);
	}
	wp_windows_maps_deinit(&d->windows);
	wp_vec_deinit(&d->only.ids);
	wp_map_deinit(&d->seen);
	wp_dump_locals_deinit(&d->locals);
	wp_dump_asyncio_deinit(&d->asyncio);
	wp_thread_names_deinit(&d->names);
	free(d->stack);
	wp_targeting_deinit(&d->targeting);
	wp_setup_deinit(&d->setup);
}

static void tell_dumped(struct wp_dumping *d, const struct wp_record *record)
{
	size_t n;
	const struct wp_record *records = wp_windows_maps_take(&d->windows, record, &n);

	for (size_t i = 0; i < n; i++)
		wp_processes_take(&d->processes, &records[i]);
}

/* What the process has mapped, which interpreters are among it. */
static struct wp_err *follow_dumped(struct wp_dumping *d, uint32_t pid)
{
	struct wp_records records = {0};
	struct wp_err *err = NULL;

	wp_instant_reader_python(d->reader, pid, NULL, 0);
	if (d->core.pid)
		wp_core_image_snapshot(&d->core, &records);
	else
		err = wp_procfs_snapshot((pid_t)pid, false, &records);
	wp_vec_each (struct wp_record, record, &records.records)
		tell_dumped(d, record);
	wp_python_feed_commit(&d->python);
	wp_records_deinit(&records);
	return err;
}

/* ---- one thread ---- */

/* By DWARF number; 32-bit code has its stack in the first 4 GiB, as its instructions. */
static void set_instant_regs(const struct wp_dumping *d, const struct wp_instant *at,
			     struct wp_stack_regs *ret)
{
	bool arm = strcmp(d->setup.machine->arch, "aarch64") == 0;
	int sp = arm ? 31 : 7, ip = arm ? 32 : 16;

	if (at->has_regs) {
		*ret = at->regs;
		return;
	}
	*ret = (struct wp_stack_regs){.x86 = !arm && (at->sp | at->ip) >> 32 == 0};
	if (ret->x86) {
		sp = 4;
		ip = 8;
	}
	ret->r[sp] = at->sp;
	ret->r[ip] = at->ip;
	ret->valid = 1ull << sp | 1ull << ip;
}

static void make_instant_sample(struct wp_dumping *d, const struct wp_instant *at,
				struct wp_sample *ret)
{
	struct wp_stack_regs regs;
	struct wp_stack_raw raw = {
		.kernel_ips = at->kernel,
		.n_kernel = at->n_kernel,
		.regs = &regs,
		.dump = at->stack,
		.dump_bytes = at->stack_bytes,
		.python = at->python,
		.n_python = at->n_python,
	};
	struct wp_record record = {
		.kind = WP_RECORD_SAMPLE,
		.pid = at->pid,
		.tid = at->tid,
		.time_ns = wp_clock_now_ns(),
		.sample = {.mode = WP_MODE_USER, .ip = {at->ip}, .stack = &raw},
	};

	set_instant_regs(d, at, &regs);
	*ret = (struct wp_sample){0};
	wp_sample_live_make(&d->live, &record, at->has_place && d->native ? d->stack : NULL, ret);
}

static bool read_instant(struct wp_dumping *d, uint32_t pid, uint32_t tid, size_t bytes,
			 struct wp_instant *at)
{
	struct wp_memory memory = wp_core_image_memory(&d->core);
	uint64_t pointer;

	if (!d->core.pid)
		return wp_instant_reader_read(d->reader, pid, tid, bytes, at);
	if (!wp_core_image_instant(&d->core, tid, bytes, at, &pointer))
		return false;
	wp_instant_reader_walk(d->reader, &memory, pointer, at);
	return true;
}

/* A stack that is longer than the copy is read again, with more of it. */
static bool read_thread(struct wp_dumping *d, uint32_t pid, uint32_t tid, struct wp_instant *at,
			struct wp_sample *sample)
{
	for (size_t bytes = d->native ? STACK_BYTES : 0; bytes <= STACK_BYTES_MAX; bytes *= 16) {
		if (!read_instant(d, pid, tid, bytes, at))
			return false;
		make_instant_sample(d, at, sample);
		if (!sample->has_stack || sample->end != WP_STACK_CUT || at->stack_bytes < bytes)
			break;
	}
	return true;
}

static void push_dump_frame(struct wp_dumping *d, const struct wp_symbol_set *set,
			    const struct wp_frame *at, const struct wp_profile_frame *point,
			    bool inlined)
{
	bool placeless = inlined || at->kind == WP_FRAME_PYTHON;
	struct wp_dump_frame frame = wp_dump_frame_of(set, point, placeless ? 0 : at->ip.v);

	if (at->kind == WP_FRAME_PYTHON)
		frame.locals = wp_dump_locals_of(&d->locals, at->slot, &frame.n_locals);
	wp_vec_push(&d->frames, frame);
}

/* Of a place the innermost function first. */
static void push_dump_places(struct wp_dumping *d, const struct wp_sample *sample)
{
	const struct wp_symbol_set *set = wp_resolver_symbols(d->resolver);

	for (size_t i = 0; i < d->places.at.n; i++) {
		const struct wp_frame_place *place = &d->places.places.v[d->places.at.v[i]];

		if (sample->frames[i].is_trampoline)
			continue;
		for (uint32_t j = place->n; j-- > 0;)
			push_dump_frame(d, set, &sample->frames[i],
					&d->places.points.v[place->first + j].frame, j > 0);
	}
}

/* A thread that runs has no native frames to weave Python's into. */
static void take_python_alone(struct wp_dumping *d, const struct wp_instant *at,
			      struct wp_sample *sample)
{
	d->live.frames.n = 0;
	for (size_t i = 0; i < at->n_python; i++) {
		const struct wp_python_frame *frame = &d->live.slots.v[i];

		if (at->python[i].lasti == WP_PYTHON_THREAD ||
		    at->python[i].lasti == WP_PYTHON_MARK || frame->symbol == WP_PYTHON_HIDDEN)
			continue;
		wp_vec_push(&d->live.frames, (struct wp_frame){
						     .kind = WP_FRAME_PYTHON,
						     .symbol = frame->symbol,
						     .line = frame->line,
						     .slot = (uint32_t)i,
					     });
	}
	sample->frames = d->live.frames.v;
	sample->n = d->live.frames.n;
}

static const char *list_frames(struct wp_dumping *d, const struct wp_instant *at,
			       struct wp_sample *sample)
{
	struct wp_frame_filter filter = {.event = WP_ALL_EVENTS};

	d->frames.n = 0;
	if (!sample->has_stack)
		take_python_alone(d, at, sample);
	if (d->n_frames + sample->n > FRAMES_MAX ||
	    wp_frame_places_find(&d->places, d->resolver, &filter, sample) != WP_FRAMES_FOUND)
		return "frames left out: there are too many";
	push_dump_places(d, sample);
	d->n_frames += d->frames.n;
	return NULL;
}

/* "3.12.1"; NULL: it has none. The caller frees. */
static char *name_interpreters(struct wp_dumping *d, uint32_t pid)
{
	const struct wp_python_process *process =
		wp_python_processes_find(&d->python.processes, pid);
	struct wp_str names = {0};

	for (size_t i = 0; process && i < process->pythons.n; i++) {
		wp_autofree char *name = wp_python_build_name(process->pythons.v[i].build);

		wp_str_printf(&names, "%s%s", i ? ", " : "", name);
	}
	return names.s;
}

static void begin_core(struct wp_dumping *d)
{
	const struct wp_elf_core *core = &d->core.core;
	wp_autofree char *python = name_interpreters(d, d->core.pid);
	struct wp_dump_process process = {
		.pid = core->pid ? core->pid : core->threads.v[0].tid,
		.name = core->name,
		.exe = wp_core_image_program(&d->core),
		.command = *core->command ? core->command : NULL,
		.python = python,
		.core = d->core.path,
		.signal = core->signal,
		.address = core->has_address ? &core->address : NULL,
	};

	wp_dump_doc_process(&d->dump, &process);
}

static void begin_process(struct wp_dumping *d, uint32_t pid)
{
	struct wp_world *world = d->setup.world;
	wp_autofree char *exe = NULL;
	wp_autofree char *name = NULL;
	wp_autofree char *command = wp_procfs_command((pid_t)pid);
	wp_autofree char *python = name_interpreters(d, pid);
	struct wp_dump_process process = {.pid = pid, .command = command, .python = python};

	world->ops->process(world, (pid_t)pid, &exe, &name);
	process.exe = exe;
	process.name = name ? name : "?";
	wp_dump_doc_process(&d->dump, &process);
}

static void dump_thread(struct wp_dumping *d, uint32_t pid, uint32_t tid)
{
	struct wp_dump_thread thread = {.has_native = d->native, .has_kernel = d->kernel};
	struct wp_instant at;
	struct wp_sample sample;

	if (!read_thread(d, pid, tid, &at, &sample))
		return;
	if (!d->begun && d->core.pid)
		begin_core(d);
	else if (!d->begun)
		begin_process(d, pid);
	d->begun = true;
	thread.at = &at;
	thread.name = wp_thread_names_get(&d->names, tid);
	wp_dump_locals_settle(&d->locals, &at);
	thread.no_locals = d->locals.why;
	thread.left_out = list_frames(d, &at, &sample);
	thread.frames = d->frames.v;
	thread.n = d->frames.n;
	thread.end = sample.end;
	thread.python = d->with_python ? sample.thread : 0;
	wp_dump_doc_thread(&d->dump, &thread);
}

static bool runs_python(struct wp_dumping *d, uint32_t pid)
{
	const struct wp_python_process *process =
		wp_python_processes_find(&d->python.processes, pid);

	return process && process->pythons.n;
}

/* What they are called in Python: asked for as those are that were sampled just now. */
static void name_dumped(struct wp_dumping *d, uint32_t pid, const struct wp_procfs_ids *threads)
{
	struct wp_record thread = {.pid = pid, .time_ns = wp_clock_now_ns()};
	struct wp_records names = {0};

	if (!runs_python(d, pid))
		return;
	wp_vec_each (pid_t, tid, &threads->ids) {
		thread.tid = (uint32_t)*tid;
		if (is_dumped_thread(d, *tid))
			wp_python_namer_sample(&d->python.namer, &thread);
	}
	wp_python_feed_names(&d->python, false, &names);
	wp_vec_each (struct wp_record, name, &names.records)
		wp_thread_names_record(&d->names, name);
	wp_records_deinit(&names);
}

static void list_threads(struct wp_dumping *d, uint32_t pid, struct wp_procfs_ids *ret)
{
	if (!d->core.pid)
		wp_procfs_threads((pid_t)pid, ret);
	wp_vec_each (struct wp_elf_core_thread, thread, &d->core.core.threads)
		wp_vec_push(&ret->ids, (pid_t)thread->tid);
}

static void dump_tasks(struct wp_dumping *d, uint32_t pid)
{
	struct wp_memory core = wp_core_image_memory(&d->core);

	wp_dump_asyncio_add(&d->asyncio, pid, d->core.pid ? &core : NULL, &d->dump);
}

static void dump_threads(struct wp_dumping *d, uint32_t pid)
{
	struct wp_procfs_ids threads = {0};

	d->begun = false;
	list_threads(d, pid, &threads);
	name_dumped(d, pid, &threads);
	wp_vec_each (pid_t, tid, &threads.ids) {
		if (d->io->interrupted && *d->io->interrupted)
			break;
		if (is_dumped_thread(d, *tid))
			dump_thread(d, pid, (uint32_t)*tid);
	}
	if (d->begun && d->options->sampling.async)
		dump_tasks(d, pid);
	wp_vec_deinit(&threads.ids);
}

struct wp_err *wp_dumping_process(struct wp_dumping *d, uint32_t pid)
{
	uint64_t *seen = wp_map_put(&d->seen, pid);

	if (*seen)
		return NULL;
	*seen = 1;
	TRY(wp_instant_reader_allowed(pid));
	TRY(follow_dumped(d, pid));
	if (d->options->target.all && !runs_python(d, pid))
		return NULL;
	dump_threads(d, pid);
	if (!d->begun && !d->only.ids.n)
		return wp_err_new(WP_ERR_NOT_FOUND, "process %u has ended", pid);
	return NULL;
}

struct wp_err *wp_dumping_core(struct wp_dumping *d)
{
	const char *arch = wp_core_image_arch(&d->core);

	if (strcmp(arch, d->setup.machine->arch) != 0)
		return wp_err_new(WP_ERR_UNSUPPORTED,
				  "%s: a core of a %s machine: only those of this kind of machine "
				  "(%s) are read",
				  d->core.path, arch, d->setup.machine->arch);
	TRY(follow_dumped(d, d->core.pid));
	dump_threads(d, d->core.pid);
	return NULL;
}
