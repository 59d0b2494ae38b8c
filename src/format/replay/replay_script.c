/* SPDX-License-Identifier: BSD-3-Clause */
/* replay_script: see replay_script.h. One function per directive, one table of what each takes. */
#include "format/replay/replay_script.h"

#include "base/str.h"
#include "format/replay/replay_line.h"
#include "format/replay/replay_machine.h"
#include "format/replay/replay_python.h"
#include "format/replay/replay_stack.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Every key of every directive but those of replay_machine.h. */
struct words {
	const char *comm, *exe, *path, *name, *event, *unit, *file, *bytes, *mode, *stack,
		*kernel_stack, *stack_end, *python, *version, *qualname, *lines, *table, *text;
	uint64_t start, len, off, size, rva, ip, value, enabled, running, period, count, seconds,
		addr, user, sys, source, weight, events, unit_at;
	uint32_t pid, tid, cpu, repeat, line, status, parent, generation, id;
	bool kernel, exec, launched;
};

#define KEY(name, type)                                               \
	{                                                             \
#name, WP_REPLAY_##type, offsetof(struct words, name) \
	}

/* The first ones are asked for with has(). */
enum {
	KEY_TID,
	KEY_CPU,
	KEY_ENABLED,
	KEY_RUNNING,
	KEY_PERIOD,
	KEY_REPEAT,
	KEY_PATH,
	KEY_GENERATION,
	KEY_ID,
	KEY_ADDR,
	KEY_SOURCE,
	KEY_WEIGHT,
	KEY_EVENTS,
};

static const struct wp_replay_key keys[] = {
	[KEY_TID] = KEY(tid, U32),
	[KEY_CPU] = KEY(cpu, U32),
	[KEY_ENABLED] = KEY(enabled, NS),
	[KEY_RUNNING] = KEY(running, NS),
	[KEY_PERIOD] = KEY(period, U64),
	[KEY_REPEAT] = KEY(repeat, U32),
	[KEY_PATH] = KEY(path, STR),
	[KEY_GENERATION] = KEY(generation, U32),
	[KEY_ID] = KEY(id, U32),
	[KEY_ADDR] = KEY(addr, U64),
	[KEY_SOURCE] = KEY(source, U64),
	[KEY_WEIGHT] = KEY(weight, U64),
	[KEY_EVENTS] = KEY(events, U64),
	KEY(unit_at, U64),
	KEY(pid, U32),
	KEY(comm, STR),
	KEY(exe, STR),
	KEY(name, STR),
	KEY(event, STR),
	KEY(unit, STR),
	KEY(file, STR),
	KEY(bytes, STR),
	KEY(mode, STR),
	KEY(stack, STR),
	KEY(kernel_stack, STR),
	KEY(stack_end, STR),
	KEY(python, STR),
	KEY(version, STR),
	KEY(qualname, STR),
	KEY(lines, STR),
	KEY(table, STR),
	KEY(text, STR),
	KEY(start, U64),
	KEY(len, U64),
	KEY(off, U64),
	KEY(size, U64),
	KEY(rva, U64),
	KEY(ip, U64),
	KEY(value, U64),
	KEY(count, U64),
	KEY(seconds, NS),
	KEY(user, NS),
	KEY(sys, NS),
	KEY(line, U32),
	KEY(status, U32),
	KEY(parent, U32),
	KEY(kernel, BOOL),
	KEY(exec, BOOL),
	KEY(launched, BOOL),
};

_Static_assert(WP_ARRAY_LEN(keys) <= 64, "one bit of parser.given each");

struct parser {
	struct wp_replay_script *script;
	struct words w;
	uint64_t given;
	bool recording; /* a line that is neither `process` nor `map` has been seen */
};

static bool has_key(const struct parser *p, int key)
{
	return p->given & 1ull << key;
}

static struct wp_arena *arena_of(struct parser *p)
{
	return &p->script->machine.arena;
}

/* A record with who and where, as most lines have them. */
static struct wp_record record_of_line(const struct parser *p, enum wp_record_kind kind)
{
	return (struct wp_record){
		.kind = kind,
		.pid = p->w.pid,
		.tid = has_key(p, KEY_TID) ? p->w.tid : p->w.pid,
		.cpu = has_key(p, KEY_CPU)	 ? p->w.cpu
		       : kind == WP_RECORD_COUNT ? WP_ANY_CPU
						 : 0,
	};
}

static void add_script_entry(struct parser *p, struct wp_replay_entry entry)
{
	p->recording = true;
	wp_vec_push(&p->script->entries, entry);
}

static void add_record(struct parser *p, struct wp_record record)
{
	add_script_entry(p, (struct wp_replay_entry){.kind = WP_REPLAY_RECORD, .record = record});
}

static struct wp_err *do_process(struct parser *p)
{
	const char *exe = p->w.exe ? p->w.exe : p->w.comm;
	struct wp_replay_process process = {
		.pid = (pid_t)p->w.pid,
		.comm = p->w.comm ? p->w.comm : wp_str_basename(exe ? exe : ""),
		.exe = exe ? exe : "",
		.launched = p->w.launched,
	};
	struct wp_record record = record_of_line(p, WP_RECORD_COMM);

	if (!exe)
		return wp_err_new(WP_ERR_FORMAT, "'process' needs 'comm' or 'exe'");
	if (p->w.pid > INT32_MAX)
		return wp_err_new(WP_ERR_FORMAT, "bad value of 'pid'");
	wp_vec_push(&p->script->processes, process);
	record.comm.name = process.comm;
	if (!process.launched)
		wp_vec_push(&p->script->snapshot, record);
	return NULL;
}

static struct wp_err *do_map(struct parser *p)
{
	struct wp_record record = record_of_line(p, WP_RECORD_MAP);

	record.map = (struct wp_record_map){
		.start = {p->w.start},
		.len = p->w.len,
		.pgoff = {p->w.off},
		.kernel = p->w.kernel,
		.path = p->w.path,
	};
	if (p->recording)
		add_record(p, record);
	else
		wp_vec_push(&p->script->snapshot, record);
	return NULL;
}

static struct wp_err *do_symbol(struct parser *p)
{
	struct wp_replay_symbol symbol = {p->w.path, {p->w.rva}, p->w.size, p->w.name};

	wp_vec_push(&p->script->symbols, symbol);
	return NULL;
}

static struct wp_err *do_line(struct parser *p)
{
	struct wp_replay_line line = {p->w.path, {p->w.rva}, p->w.file, p->w.line};

	wp_vec_push(&p->script->lines, line);
	return NULL;
}

static struct wp_err *do_code(struct parser *p)
{
	struct wp_replay_code code = {.path = p->w.path, .rva = {p->w.rva}};

	TRY(wp_replay_bytes(p->w.bytes, "bytes", arena_of(p), &code.bytes, &code.n));
	wp_vec_push(&p->script->codes, code);
	return NULL;
}

static struct wp_err *do_python(struct parser *p)
{
	struct wp_replay_python python = {.pid = p->w.pid, .start = p->w.start, .len = p->w.len};

	TRY(wp_replay_python_version(p->w.version, &python));
	wp_vec_push(&p->script->pythons, python);
	return NULL;
}

/* The names of a code object, as they lie in memory. */
static void fill_names(struct parser *p, uint32_t flags, struct wp_record_code *code)
{
	code->name = wp_replay_python_text(p->w.name, flags, arena_of(p));
	code->filename = wp_replay_python_text(p->w.file, flags, arena_of(p));
	if (p->w.qualname)
		code->qualname = wp_replay_python_text(p->w.qualname, flags, arena_of(p));
}

/* Its bytecode and line table. */
static struct wp_err *fill_tables(struct parser *p, const struct wp_replay_python *python,
				  struct wp_record_code *code)
{
	size_t n = 0, n_code = 0;

	if (p->w.bytes)
		TRY(wp_replay_bytes(p->w.bytes, "bytes", arena_of(p), &code->bytecode, &n_code));
	code->bytecode_bytes = (uint32_t)n_code;
	code->bytecode_at = p->w.unit_at;
	if (p->w.lines)
		return wp_replay_python_lines(p->w.lines, python, arena_of(p), code);
	if (p->w.table)
		TRY(wp_replay_bytes(p->w.table, "table", arena_of(p), &code->lines, &n));
	code->lines_len = code->lines_captured = (uint32_t)n;
	return NULL;
}

static struct wp_err *do_pycode(struct parser *p)
{
	const struct wp_replay_python *python;
	struct wp_record record = record_of_line(p, WP_RECORD_CODE);

	record.code = (struct wp_record_code){
		.addr = p->w.addr,
		.id = has_key(p, KEY_ID) ? p->w.id : 1,
		.generation = has_key(p, KEY_GENERATION) ? p->w.generation : 1,
		.first_line = p->w.line,
	};
	if (record.code.generation - 1 >= p->script->pythons.n)
		return wp_err_new(WP_ERR_FORMAT, "'pycode' needs a 'python' line before it");
	python = &p->script->pythons.v[record.code.generation - 1];
	fill_names(p, python->flags, &record.code);
	TRY(fill_tables(p, python, &record.code));
	wp_vec_push(&p->script->pycodes,
		    (struct wp_replay_pycode){p->w.qualname ? p->w.qualname : p->w.name,
					      record.code.addr, record.code.id});
	add_record(p, record);
	return NULL;
}

static struct wp_err *do_pytext(struct parser *p)
{
	struct wp_replay_pytext text = {p->w.file, p->w.line, p->w.text};

	wp_vec_push(&p->script->pytexts, text);
	return NULL;
}

/* The stack of a `sample` line; NULL when it has none. */
static struct wp_err *parse_stack(struct parser *p, const struct wp_stack_raw **ret)
{
	struct wp_stack_raw *raw;

	TRY(wp_replay_stack_parse(p->w.stack, p->w.kernel_stack, p->w.stack_end, arena_of(p), ret));
	if (!p->w.python)
		return NULL;
	raw = wp_arena_alloc(arena_of(p), sizeof(*raw));
	if (*ret)
		*raw = **ret;
	*ret = raw;
	return wp_replay_python_slots(p->w.python, p->script->pycodes.v, p->script->pycodes.n,
				      arena_of(p), raw);
}

/* What the sample carries besides; NULL: nothing. */
static const struct wp_sample_data *parse_data(struct parser *p)
{
	struct wp_sample_data *data;
	uint32_t has = (has_key(p, KEY_ADDR) ? WP_DATA_ADDR : 0u) |
		       (has_key(p, KEY_SOURCE) ? WP_DATA_SRC : 0u) |
		       (has_key(p, KEY_WEIGHT) ? WP_DATA_WEIGHT : 0u) |
		       (has_key(p, KEY_EVENTS) ? WP_DATA_OPERATION : 0u);

	if (!has)
		return NULL;
	data = wp_arena_alloc(arena_of(p), sizeof(*data));
	*data = (struct wp_sample_data){
		.has = has, .addr = p->w.addr, .src = p->w.source, .weight = p->w.weight};
	data->operation.events = p->w.events;
	return data;
}

static struct wp_err *do_sample(struct parser *p)
{
	struct wp_replay_entry entry = {
		.kind = WP_REPLAY_SAMPLE,
		.record = record_of_line(p, WP_RECORD_SAMPLE),
		.event = p->w.event,
		.repeat = has_key(p, KEY_REPEAT) ? p->w.repeat : 1,
		.has_period = has_key(p, KEY_PERIOD),
	};
	const char *mode = p->w.mode ? p->w.mode : "user";

	entry.record.sample = (struct wp_record_sample){
		.mode = strcmp(mode, "kernel") == 0 ? WP_MODE_KERNEL
			: strcmp(mode, "user") == 0 ? WP_MODE_USER
						    : WP_MODE_OTHER,
		.ip = {p->w.ip},
		.period = p->w.period,
		.data = parse_data(p),
	};
	if (entry.record.sample.mode == WP_MODE_OTHER && strcmp(mode, "other") != 0)
		return wp_err_new(WP_ERR_FORMAT, "bad value of 'mode'");
	TRY(parse_stack(p, &entry.record.sample.stack));
	add_script_entry(p, entry);
	return NULL;
}

static struct wp_err *do_count(struct parser *p)
{
	struct wp_replay_entry entry = {
		.kind = WP_REPLAY_COUNT,
		.record = record_of_line(p, WP_RECORD_COUNT),
		.event = p->w.event,
		.unit = p->w.unit,
		.has_enabled = has_key(p, KEY_ENABLED),
		.has_running = has_key(p, KEY_RUNNING),
	};

	entry.record.count = (struct wp_record_count){
		.value = p->w.value,
		.enabled_ns = p->w.enabled,
		.running_ns = p->w.running,
	};
	add_script_entry(p, entry);
	return NULL;
}

static struct wp_err *do_comm(struct parser *p)
{
	struct wp_record record = record_of_line(p, WP_RECORD_COMM);

	record.comm = (struct wp_record_comm){p->w.name, p->w.exec};
	add_record(p, record);
	return NULL;
}

static struct wp_err *do_name(struct parser *p)
{
	struct wp_record record = record_of_line(p, WP_RECORD_NAME);

	record.named.name = p->w.name;
	add_record(p, record);
	return NULL;
}

static struct wp_err *do_fork(struct parser *p)
{
	struct wp_record record = record_of_line(p, WP_RECORD_FORK);

	record.fork = (struct wp_record_fork){p->w.parent, p->w.parent};
	add_record(p, record);
	return NULL;
}

static struct wp_err *do_exit(struct parser *p)
{
	wp_vec_each (struct wp_replay_process, process, &p->script->processes)
		if (process->launched && process->pid == (pid_t)p->w.pid) {
			p->script->exit_status = (int)p->w.status;
			p->script->user_ns = p->w.user;
			p->script->system_ns = p->w.sys;
		}
	add_record(p, record_of_line(p, WP_RECORD_EXIT));
	return NULL;
}

static struct wp_err *do_lost(struct parser *p)
{
	struct wp_record record = record_of_line(p, WP_RECORD_LOST);

	record.lost.count = p->w.count;
	add_record(p, record);
	return NULL;
}

static struct wp_err *do_throttle(struct parser *p)
{
	add_record(p, record_of_line(p, WP_RECORD_THROTTLE));
	return NULL;
}

static struct wp_err *do_wait(struct parser *p)
{
	add_script_entry(p, (struct wp_replay_entry){.kind = WP_REPLAY_WAIT, .ns = p->w.seconds});
	return NULL;
}

static struct wp_err *do_elapsed(struct parser *p)
{
	add_script_entry(p,
			 (struct wp_replay_entry){.kind = WP_REPLAY_ELAPSED, .ns = p->w.seconds});
	return NULL;
}

static struct wp_err *do_interrupt(struct parser *p)
{
	add_script_entry(p, (struct wp_replay_entry){.kind = WP_REPLAY_INTERRUPT});
	return NULL;
}

static struct wp_err *do_end(struct parser *p)
{
	add_script_entry(p, (struct wp_replay_entry){.kind = WP_REPLAY_END});
	return NULL;
}

/* Keys as words between blanks: those that must be there, those that may; `bare` may leave out its
 * name. */
static const struct directive {
	const char *name, *needs, *takes;
	struct wp_err *(*run)(struct parser *p);
	const char *bare;
} directives[] = {
	{"process", " pid ", " comm exe launched ", do_process},
	{"map", " pid start len path ", " tid cpu off kernel ", do_map},
	{"symbol", " path rva size name ", "", do_symbol},
	{"line", " path rva file line ", "", do_line},
	{"code", " path rva bytes ", "", do_code},
	{"python", " pid version ", " start len ", do_python},
	{"pycode", " pid addr name file line ",
	 " tid cpu id generation qualname lines table bytes unit_at ", do_pycode},
	{"pytext", " file line text ", "", do_pytext},
	{"sample", " event pid ip ",
	 " tid cpu mode period repeat stack kernel_stack stack_end python addr source weight "
	 "events ",
	 do_sample},
	{"count", " event value ", " pid tid cpu enabled running unit ", do_count},
	{"comm", " pid name ", " tid cpu exec ", do_comm},
	{"name", " pid name ", " tid cpu ", do_name},
	{"fork", " pid parent ", " tid cpu ", do_fork},
	{"exit", " pid ", " tid cpu status user sys ", do_exit},
	{"lost", " count ", " pid tid cpu ", do_lost, "count"},
	{"throttle", "", " pid tid cpu ", do_throttle},
	{"wait", " seconds ", "", do_wait, "seconds"},
	{"elapsed", " seconds ", "", do_elapsed, "seconds"},
	{"interrupt", "", "", do_interrupt},
	{"end", "", "", do_end},
};

static bool among(const char *list, const char *name)
{
	wp_autofree char *word = wp_asprintf(" %s ", name);

	return strstr(list, word);
}

/* Every given key belongs to the directive and none that it needs is missing. */
static struct wp_err *check_keys(const struct directive *d, uint64_t given)
{
	for (size_t i = 0; i < WP_ARRAY_LEN(keys); i++) {
		bool is_given = given & 1ull << i;
		bool needed = among(d->needs, keys[i].name);

		if (needed && !is_given)
			return wp_err_new(WP_ERR_FORMAT, "'%s' needs '%s'", d->name, keys[i].name);
		if (is_given && !needed && !among(d->takes, keys[i].name))
			return wp_err_new(WP_ERR_FORMAT, "'%s' takes no '%s'", d->name,
					  keys[i].name);
	}
	return NULL;
}

static struct wp_err *assign_directive_word(struct parser *p, const struct directive *d, char *word)
{
	wp_autofree char *full = NULL;

	if (d->bare && !strchr(word, '='))
		word = full = wp_asprintf("%s=%s", d->bare, word);
	return wp_replay_assign(word, keys, WP_ARRAY_LEN(keys), &p->w, arena_of(p), &p->given);
}

static struct wp_err *run_directive(struct parser *p, const struct directive *d, char *rest)
{
	struct wp_err *err = NULL;
	char *word;

	p->w = (struct words){0};
	p->given = 0;
	while (!err && (word = wp_replay_word(&rest)))
		err = assign_directive_word(p, d, word);
	if (!err)
		err = check_keys(d, p->given);
	if (!err)
		err = d->run(p);
	return err;
}

static struct wp_err *run_line(struct parser *p, char *rest)
{
	static const struct {
		const char *name;
		struct wp_err *(*run)(struct wp_machine *machine, char *words);
	} parts[] = {
		{"machine", wp_replay_machine_line}, {"limits", wp_replay_limits_line},
		{"pmu", wp_replay_pmu_line},	     {"pmuevent", wp_replay_pmuevent_line},
		{"place", wp_replay_place_line},
	};
	char *verb = wp_replay_word(&rest);

	if (!verb)
		return NULL;
	for (size_t i = 0; i < WP_ARRAY_LEN(parts); i++)
		if (strcmp(parts[i].name, verb) == 0)
			return parts[i].run(&p->script->machine, rest);
	for (size_t i = 0; i < WP_ARRAY_LEN(directives); i++)
		if (strcmp(directives[i].name, verb) == 0)
			return run_directive(p, &directives[i], rest);
	return wp_err_new(WP_ERR_FORMAT, "unknown directive '%s'", verb);
}

/* Events without a PMU are those of the CPU's. */
static void name_pmus(struct wp_machine *machine)
{
	const char *core = "cpu";

	wp_vec_each (struct wp_machine_pmu, pmu, &machine->pmus)
		if (pmu->is_core) {
			core = pmu->name;
			break;
		}
	wp_vec_each (struct wp_machine_event, event, &machine->events)
		if (!event->pmu)
			event->pmu = core;
}

struct wp_err *wp_replay_script_parse(const char *text, size_t size, const char *name,
				      struct wp_replay_script *ret)
{
	wp_autofree char *copy = wp_strndup(text, size);
	struct parser p = {.script = ret};
	char *rest = copy, *line;
	unsigned long number = 0;

	wp_replay_machine_init(&ret->machine);
	while ((line = strsep(&rest, "\n"))) {
		struct wp_err *err = run_line(&p, line);

		number++;
		if (err)
			return wp_err_prefix(err, "%s:%lu", name, number);
	}
	wp_replay_machine_finish(&ret->machine);
	name_pmus(&ret->machine);
	return NULL;
}

void wp_replay_script_deinit(struct wp_replay_script *script)
{
	wp_vec_deinit(&script->processes);
	wp_vec_deinit(&script->symbols);
	wp_vec_deinit(&script->lines);
	wp_vec_deinit(&script->codes);
	wp_vec_deinit(&script->pythons);
	wp_vec_deinit(&script->pycodes);
	wp_vec_deinit(&script->pytexts);
	wp_vec_deinit(&script->snapshot);
	wp_vec_deinit(&script->entries);
	wp_machine_deinit(&script->machine);
}
