/* SPDX-License-Identifier: BSD-3-Clause */
/* replay: see replay.h. */
#include "replay/replay.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "format/replay/replay_script.h"
#include "replay/replay_traces.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPT_MAX ((size_t)64 << 20)
#define BATCH_MAX  16384 /* records; a sample's `repeat` may be larger than that */
#define NOT_IN_SET UINT32_MAX

struct replay {
	struct wp_world world;
	struct wp_replay_script script;
	size_t next; /* where the next block begins among the entries */
};

struct replay_source {
	struct wp_source source;
	struct replay *replay;
	const struct wp_event_set *events;
	const struct wp_target *target; /* NULL: nothing is left out */
	struct wp_map pids;		/* those of the target and what they forked */
	WP_VEC(struct wp_record) batch;
	size_t block, at; /* entries [block, block_end) are this block's; `at` is next */
	size_t block_end;
	uint64_t repeated; /* how often entry `at` has been delivered */
	uint64_t waited_ns, started_at_ns;
	struct wp_replay_traces traces;
	bool stopped, per_thread;
};

static const struct wp_replay_script *script_of(const struct wp_world *world)
{
	return &((const struct replay *)world)->script;
}

static const struct wp_replay_entry *entry_at(const struct replay_source *s, size_t i)
{
	return &s->replay->script.entries.v[i];
}

static size_t find_end(const struct replay_source *s, size_t from)
{
	size_t n = s->replay->script.entries.n;

	while (from < n && entry_at(s, from)->kind != WP_REPLAY_END)
		from++;
	return from;
}

static bool is_last_block(const struct replay_source *s)
{
	return s->block_end + 1 >= s->replay->script.entries.n;
}

static struct wp_err *start_replay(struct wp_source *source)
{
	struct replay_source *s = (struct replay_source *)source;

	s->at = s->block = s->replay->next;
	s->block_end = find_end(s, s->block);
	s->replay->next = s->block_end + !is_last_block(s);
	s->repeated = s->waited_ns = 0;
	s->started_at_ns = wp_clock_now_ns();
	s->stopped = false;
	return NULL;
}

static uint64_t elapsed_ns(struct wp_source *source)
{
	struct replay_source *s = (struct replay_source *)source;
	/* Time goes on while a session waits in a block that has no more to say. */
	uint64_t min = s->stopped ? 0 : s->waited_ns;

	if (s->stopped || s->at >= s->block_end)
		for (size_t i = s->block; i < s->block_end; i++)
			if (entry_at(s, i)->kind == WP_REPLAY_ELAPSED && entry_at(s, i)->ns >= min)
				return entry_at(s, i)->ns;
	return s->waited_ns;
}

static bool watches_cpu(const struct replay_source *s, uint32_t cpu)
{
	return !s->target || s->target->cpus.cpus.n == 0 || cpu == WP_ANY_CPU ||
	       wp_cpuset_has(&s->target->cpus, cpu);
}

static bool watches_pid(const struct replay_source *s, uint32_t pid)
{
	return !s->target || s->target->kind != WP_TARGET_PROCESSES || wp_map_get(&s->pids, pid);
}

/* Whether the kernel would have delivered a sample or a record of a process. */
static bool watches(struct replay_source *s, const struct wp_record *record)
{
	switch (record->kind) {
	case WP_RECORD_SAMPLE:
		return watches_pid(s, record->pid) && watches_cpu(s, record->cpu) &&
		       (!s->target || s->target->kernel || record->sample.mode != WP_MODE_KERNEL);
	case WP_RECORD_FORK:
		if (!watches_pid(s, record->fork.parent_pid))
			return false;
		*wp_map_put(&s->pids, record->pid) = 1;
		return true;
	case WP_RECORD_MAP: return record->map.kernel || watches_pid(s, record->pid);
	case WP_RECORD_CODE:
	case WP_RECORD_COMM:
	case WP_RECORD_NAME:
	case WP_RECORD_EXIT: return watches_pid(s, record->pid);
	default: return true;
	}
}

static uint32_t event_index(const struct replay_source *s, const char *name)
{
	for (size_t i = 0; i < s->events->events.n; i++)
		if (wp_str_eq_nocase(s->events->events.v[i].name, name))
			return (uint32_t)i;
	return NOT_IN_SET;
}

/* What is traced comes as the bytes that it is recorded from, besides. */
static void push_sample(struct replay_source *s, const struct wp_record *sample)
{
	struct wp_record runs, piece;

	if (!s->events->events.v[sample->sample.event].is_spe) {
		wp_vec_push(&s->batch, *sample);
		return;
	}
	wp_replay_traces_put(&s->traces, sample, &runs, &piece);
	wp_vec_push(&s->batch, runs);
	wp_vec_push(&s->batch, *sample);
	wp_vec_push(&s->batch, piece);
}

static void push_samples(struct replay_source *s, const struct wp_replay_entry *entry)
{
	struct wp_record record = entry->record;

	record.time_ns = s->waited_ns;
	record.sample.event = event_index(s, entry->event);
	if (record.sample.event == NOT_IN_SET || !watches(s, &record)) {
		s->repeated = entry->repeat;
		return;
	}
	if (!entry->has_period) {
		uint64_t period = s->events->events.v[record.sample.event].period;

		record.sample.period = period ? period : 1;
	}
	for (; s->repeated < entry->repeat && s->batch.n < BATCH_MAX; s->repeated++)
		push_sample(s, &record);
}

/* Plays one entry; false when the batch must be delivered first. */
static bool play(struct replay_source *s, const struct wp_replay_entry *entry)
{
	struct wp_record record = entry->record;

	switch (entry->kind) {
	case WP_REPLAY_SAMPLE:
		push_samples(s, entry);
		if (s->repeated < entry->repeat)
			return false;
		break;
	case WP_REPLAY_RECORD:
		record.time_ns = s->waited_ns;
		if (watches(s, &record))
			wp_vec_push(&s->batch, record);
		break;
	case WP_REPLAY_WAIT: s->waited_ns += entry->ns; break;
	case WP_REPLAY_INTERRUPT: raise(SIGINT); break;
	default: break;
	}
	s->repeated = 0;
	s->at++;
	return entry->kind != WP_REPLAY_WAIT && entry->kind != WP_REPLAY_INTERRUPT &&
	       s->batch.n < BATCH_MAX;
}

/* Nothing more happens in this block, but the session wants to wait for another one. */
static void idle(struct replay_source *s, uint64_t until_ns)
{
	uint64_t asked = until_ns > s->started_at_ns ? until_ns - s->started_at_ns : 0;

	asked = (asked + WP_NS_PER_MS / 2) / WP_NS_PER_MS * WP_NS_PER_MS;
	s->waited_ns = asked > s->waited_ns ? asked : s->waited_ns + WP_NS_PER_MS;
}

/* Up to the next `wait`: what a kernel would deliver in that time. */
static struct wp_err *play_next_block(struct wp_source *source, uint64_t until_ns,
				      struct wp_batch *ret)
{
	struct replay_source *s = (struct replay_source *)source;

	s->batch.n = 0;
	if (s->at >= s->block_end && !is_last_block(s))
		idle(s, until_ns);
	while (!s->stopped && s->at < s->block_end && play(s, entry_at(s, s->at)))
		;
	*ret = (struct wp_batch){
		.records = s->batch.v,
		.n = s->batch.n,
		.ended = s->at >= s->block_end && is_last_block(s),
		.paused = s->at >= s->block_end,
	};
	return NULL;
}

static bool counts_it(const struct replay_source *s, const struct wp_replay_entry *entry,
		      uint32_t index)
{
	const struct wp_event *event = &s->events->events.v[index];

	return entry->kind == WP_REPLAY_COUNT && wp_str_eq_nocase(entry->event, event->name) &&
	       (!entry->unit || !event->unit || strcmp(entry->unit, event->unit) == 0);
}

/* tid 0: of any thread. */
static struct wp_record replayed_count_of(struct replay_source *s, uint32_t event, uint32_t cpu,
					  uint32_t tid)
{
	struct wp_record record = {.kind = WP_RECORD_COUNT, .cpu = cpu, .tid = tid};
	uint64_t elapsed = elapsed_ns(&s->source);

	record.count = (struct wp_record_count){.event = event, .enabled_ns = elapsed};
	for (size_t i = s->block; i < s->block_end; i++) {
		const struct wp_replay_entry *entry = entry_at(s, i);

		if (!counts_it(s, entry, event) || entry->record.cpu != cpu ||
		    (tid && entry->record.tid != tid))
			continue;
		record.count = entry->record.count;
		record.count.event = event;
		if (!entry->has_enabled)
			record.count.enabled_ns = elapsed ? elapsed : 1;
		if (!entry->has_running)
			record.count.running_ns = record.count.enabled_ns;
		break;
	}
	return record;
}

/* CPUs that this block counts on: those of its `count` lines. */
static void counted_cpus(struct replay_source *s, struct wp_cpuset *ret, bool *ret_any)
{
	for (size_t i = s->block; i < s->block_end; i++) {
		const struct wp_replay_entry *entry = entry_at(s, i);

		if (entry->kind != WP_REPLAY_COUNT || !watches_cpu(s, entry->record.cpu))
			continue;
		if (entry->record.cpu == WP_ANY_CPU)
			*ret_any = true;
		else
			wp_cpuset_add(ret, entry->record.cpu);
	}
	if (ret->cpus.n == 0)
		*ret_any = true;
}

/* A unit that CPUs share is read on one of them: where a line says so. */
static bool is_read_on(const struct replay_source *s, uint32_t event, uint32_t cpu)
{
	if (!s->events->events.v[event].unit)
		return true;
	for (size_t i = s->block; i < s->block_end; i++)
		if (counts_it(s, entry_at(s, i), event) && entry_at(s, i)->record.cpu == cpu)
			return true;
	return false;
}

static void count_all(struct replay_source *s, uint32_t cpu)
{
	for (uint32_t event = 0; event < s->events->events.n; event++)
		if (s->events->events.v[event].presence != WP_EVENT_REFUSED &&
		    is_read_on(s, event, cpu))
			wp_vec_push(&s->batch, replayed_count_of(s, event, cpu, 0));
}

/* A thread is one that a line counts. */
static void count_threads(struct replay_source *s)
{
	struct wp_map seen = {0};

	for (size_t i = s->block; i < s->block_end; i++) {
		const struct wp_record *record = &entry_at(s, i)->record;

		if (entry_at(s, i)->kind != WP_REPLAY_COUNT || !record->tid ||
		    !watches_pid(s, record->pid) || wp_map_get(&seen, record->tid))
			continue;
		*wp_map_put(&seen, record->tid) = 1;
		for (uint32_t event = 0; event < s->events->events.n; event++) {
			struct wp_record count =
				replayed_count_of(s, event, WP_ANY_CPU, record->tid);

			count.pid = record->pid;
			wp_vec_push(&s->batch, count);
		}
	}
	wp_map_deinit(&seen);
}

static struct wp_err *read_replayed_counts(struct wp_source *source, struct wp_batch *ret)
{
	struct replay_source *s = (struct replay_source *)source;
	struct wp_cpuset cpus = {0};
	bool any = false;

	s->batch.n = 0;
	if (s->per_thread)
		count_threads(s);
	else
		counted_cpus(s, &cpus, &any);
	wp_vec_each (uint32_t, cpu, &cpus.cpus)
		count_all(s, *cpu);
	if (any)
		count_all(s, WP_ANY_CPU);
	wp_cpuset_deinit(&cpus);
	*ret = (struct wp_batch){.records = s->batch.v, .n = s->batch.n};
	return NULL;
}

static struct wp_err *stop(struct wp_source *source)
{
	struct replay_source *s = (struct replay_source *)source;

	s->stopped = true;
	return NULL;
}

/* The next block begins. */
static void lap(struct wp_source *source)
{
	wp_autoerr struct wp_err *never = NULL;

	never = start_replay(source);
}

static void close_source(struct wp_source *source)
{
	struct replay_source *s = (struct replay_source *)source;

	wp_vec_deinit(&s->batch);
	wp_replay_traces_deinit(&s->traces);
	wp_map_deinit(&s->pids);
	free(s);
}

static const struct wp_source_ops source_ops = {
	.name = "replay",
	.start = start_replay,
	.next = play_next_block,
	.counts = read_replayed_counts,
	.lap = lap,
	.stop = stop,
	.elapsed_ns = elapsed_ns,
	.close = close_source,
};

static struct wp_err *open_replayed_source(struct wp_world *world,
					   const struct wp_source_options *options,
					   struct wp_source **ret)
{
	struct replay_source *s = wp_calloc(1, sizeof(*s));

	s->source.ops = &source_ops;
	s->replay = (struct replay *)world;
	s->events = options->events;
	s->target = options->target;
	s->per_thread = options->per_thread;
	for (size_t i = 0; s->target && i < s->target->pids.n; i++)
		*wp_map_put(&s->pids, (uint32_t)s->target->pids.v[i]) = 1;
	*ret = &s->source;
	return NULL;
}

static void close_replayed_world(struct wp_world *world)
{
	struct replay *replay = (struct replay *)world;

	wp_replay_script_deinit(&replay->script);
	free(replay);
}

static bool find_replayed_process(struct wp_world *world, pid_t pid, char **ret_exe,
				  char **ret_comm)
{
	wp_vec_each (const struct wp_replay_process, process, &script_of(world)->processes) {
		if (process->pid != pid)
			continue;
		if (ret_exe)
			*ret_exe = wp_strdup(process->exe);
		if (ret_comm && process->comm)
			*ret_comm = wp_strdup(process->comm);
		return true;
	}
	return false;
}

static struct wp_err *find_replayed_image(struct wp_world *world, const char *image,
					  struct wp_target *ret)
{
	const char *name = wp_str_basename(image);

	wp_vec_each (const struct wp_replay_process, process, &script_of(world)->processes)
		if (strcmp(wp_str_basename(process->exe), name) == 0)
			wp_vec_push(&ret->pids, process->pid);
	return NULL;
}

static struct wp_cpu_place find_replayed_place(const struct wp_world *world, uint32_t cpu)
{
	wp_vec_each (const struct wp_machine_place, place, &script_of(world)->machine.places)
		if (place->cpu == cpu)
			return (struct wp_cpu_place){
				(int32_t)place->socket,		(int32_t)place->die,
				(int32_t)place->core,		(int32_t)place->node,
				script_of(world)->machine.midr,
			};
	return (struct wp_cpu_place){.core = (int32_t)cpu, .midr = script_of(world)->machine.midr};
}

static struct wp_err *take_replayed_snapshot(struct wp_world *world, const struct wp_target *target,
					     struct wp_records *ret)
{
	(void)target;
	wp_vec_each (const struct wp_record, record, &script_of(world)->snapshot)
		wp_vec_push(&ret->records, *record);
	return NULL;
}

/* The launched process is the one that the script says was. */
static struct wp_err *find_launched(struct wp_world *world, char *const argv[],
				    const struct wp_sudo_user *user, struct wp_target *target,
				    struct wp_launch *ret)
{
	(void)argv, (void)user, (void)ret;
	wp_vec_each (const struct wp_replay_process, process, &script_of(world)->processes)
		if (process->launched) {
			wp_vec_push(&target->pids, process->pid);
			break;
		}
	return NULL;
}

static struct wp_world_end tell_replayed_end(const struct wp_world *world, struct wp_launch *launch)
{
	const struct wp_replay_script *script = script_of(world);

	(void)launch;
	return (struct wp_world_end){
		.status = script->exit_status,
		.timed = script->user_ns || script->system_ns,
		.user_ns = script->user_ns,
		.system_ns = script->system_ns,
	};
}

static const char *find_text(const struct wp_world *world, const char *file, uint32_t line)
{
	wp_vec_each (const struct wp_replay_pytext, text, &script_of(world)->pytexts)
		if (text->line == line && strcmp(text->file, file) == 0)
			return text->text;
	return NULL;
}

static const char *find_replayed_line(const struct wp_world *world, const char *module,
				      struct wp_rva rva, uint32_t *ret_line)
{
	const struct wp_replay_line *best = NULL;

	wp_vec_each (const struct wp_replay_line, line, &script_of(world)->lines)
		if (strcmp(line->path, module) == 0 && line->rva.v <= rva.v &&
		    (!best || line->rva.v >= best->rva.v))
			best = line;
	if (best)
		*ret_line = best->line;
	return best ? best->file : NULL;
}

static size_t read_replayed_code(const struct wp_world *world, const char *module,
				 struct wp_rva rva, uint8_t *ret, size_t n)
{
	wp_vec_each (const struct wp_replay_code, code, &script_of(world)->codes) {
		uint64_t skip = rva.v - code->rva.v;

		if (strcmp(code->path, module) != 0 || rva.v < code->rva.v || skip >= code->n)
			continue;
		if (n > code->n - skip)
			n = code->n - skip;
		memcpy(ret, code->bytes + skip, n);
		return n;
	}
	return 0;
}

static const struct wp_world_ops world_ops = {
	.name = "replay",
	.close = close_replayed_world,
	.process = find_replayed_process,
	.find = find_replayed_image,
	.snapshot = take_replayed_snapshot,
	.place = find_replayed_place,
	.launch = find_launched,
	.end = tell_replayed_end,
	.open = open_replayed_source,
	.text = find_text,
	.line = find_replayed_line,
	.code = read_replayed_code,
};

struct wp_err *wp_replay_open(const char *path, struct wp_world **ret)
{
	wp_autofree char *text = NULL;
	struct replay *replay;
	struct wp_err *err;
	size_t size;

	TRY(wp_file_read(path, SCRIPT_MAX, &text, &size));
	replay = wp_calloc(1, sizeof(*replay));
	err = wp_replay_script_parse(text, size, path, &replay->script);
	replay->world = (struct wp_world){
		.ops = &world_ops,
		.machine = &replay->script.machine,
		.offline = true,
		.symbols = replay->script.symbols.v,
		.n_symbols = replay->script.symbols.n,
		.pythons = replay->script.pythons.v,
		.n_pythons = replay->script.pythons.n,
	};
	if (err)
		close_replayed_world(&replay->world);
	else
		*ret = &replay->world;
	return err;
}
