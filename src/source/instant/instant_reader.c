/* SPDX-License-Identifier: BSD-3-Clause */
/* instant_reader: see instant_reader.h. */
#include "source/instant/instant_reader.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/mem.h"
#include "base/str.h"
#include "format/maps/proc_status.h"
#include "format/maps/proc_task.h"
#include "source/bpf/bpf_instant.h"
#include "source/instant/instant_wait.h"
#include "source/pinned/pinned.h"
#include "source/pinned/pinned_walk.h"
#include "source/proc/procfs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>

/* Readings of a thread that moves all the time; one takes some 50 us. */
#define TRIES	      16
#define TRIES_RUNNING 4 /* of one that is found running */
/* How often all threads of a process are looked at by BPF, which takes some 2 ms. */
#define LOOKS 256
/* Of the files of /proc that are read: some numbers, or a name. */
#define TEXT_BYTES 4096
/* One piece of a stack: what lies behind its end is read up to the piece before. */
#define PIECE_BYTES (64u << 10)
#define PIECES	    256

struct wp_instant_reader {
	const char *arch;
	struct wp_pinned_walk *walk;
	struct wp_pinned_process process;
	uint8_t *stack;
	size_t stack_cap;
	struct wp_bpf_instant *bpf;	       /* NULL: not permitted */
	struct wp_bpf_instant_threads threads; /* of process looked_at, as told last */
	struct wp_map thread_of;	       /* tid -> index of threads */
	void (*look)(void *arg, const struct wp_instant *at); /* NULL: nobody looks */
	void *look_arg;
	uint32_t looked_at;
	uint32_t looks; /* at that process */
};

struct wp_instant_reader *wp_instant_reader_new(const char *arch, bool tasks)
{
	struct wp_instant_reader *reader = wp_calloc(1, sizeof(*reader));

	reader->arch = arch;
	reader->walk = wp_pinned_walk_new(true, tasks);
	return reader;
}

void wp_instant_reader_free(struct wp_instant_reader *reader)
{
	if (!reader)
		return;
	wp_pinned_walk_free(reader->walk);
	wp_bpf_instant_close(reader->bpf);
	wp_bpf_instant_threads_deinit(&reader->threads);
	wp_map_deinit(&reader->thread_of);
	free(reader->stack);
	free(reader);
}

bool wp_instant_reader_use_bpf(struct wp_instant_reader *reader, bool with_kernel,
			       const struct wp_log *log)
{
	wp_autoerr struct wp_err *err = wp_bpf_instant_open(with_kernel, &reader->bpf);

	if (err && with_kernel)
		wp_log(log, WP_LOG_WARNING, "no kernel frames: %s", err->text);
	else if (err)
		wp_log(log, WP_LOG_VERBOSE, "%s", err->text);
	return !err;
}

struct wp_err *wp_instant_reader_allowed(uint32_t pid)
{
	return wp_pinned_allowed(pid);
}

void wp_instant_reader_python(struct wp_instant_reader *reader, uint32_t pid,
			      const struct wp_python_plan *plans, size_t n)
{
	reader->process.pid = pid;
	reader->process.n = n < WP_PYTHON_PLANS ? (uint32_t)n : WP_PYTHON_PLANS;
	if (n)
		memcpy(reader->process.plans, plans, reader->process.n * sizeof(*plans));
}

void wp_instant_reader_look(struct wp_instant_reader *reader,
			    void (*look)(void *arg, const struct wp_instant *at), void *arg)
{
	reader->look = look;
	reader->look_arg = arg;
}

/* A file of the thread; NULL: there is none, or it is not ours to read. The caller frees. */
static char *read_thread_file(const struct wp_instant *at, const char *name)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/task/%u/%s", at->pid, at->tid, name);
	char *text;
	wp_autoerr struct wp_err *err = wp_file_read(path, TEXT_BYTES, &text, NULL);

	return err ? NULL : text;
}

/* Where it is; false: it runs, or does not say. */
static bool read_task_place(const struct wp_instant *at, struct wp_proc_task *ret)
{
	wp_autofree char *text = read_thread_file(at, "syscall");

	return text && wp_proc_task_place(text, ret) && ret->kind != WP_PROC_TASK_RUNS;
}

static bool read_turns(const struct wp_instant *at, uint64_t *ret)
{
	wp_autofree char *text = read_thread_file(at, "schedstat");

	return text && wp_proc_task_turns(text, ret);
}

static void copy_line(const char *text, char ret[WP_INSTANT_NAME])
{
	size_t n = strcspn(text, "\n");

	n = n < WP_INSTANT_NAME ? n : WP_INSTANT_NAME - 1;
	memcpy(ret, text, n);
	ret[n] = '\0';
}

static void read_where(struct wp_instant *at)
{
	wp_autofree char *text = read_thread_file(at, "wchan");

	/* "0": in none, or not told. */
	if (text && strcmp(text, "0") != 0)
		copy_line(text, at->where);
}

static void read_name(struct wp_instant *at)
{
	wp_autofree char *text = read_thread_file(at, "comm");

	if (text)
		copy_line(text, at->name);
}

static void read_state(struct wp_instant *at)
{
	wp_autofree char *text = read_thread_file(at, "stat");
	const char *state = text ? wp_proc_stat_field(text, WP_PROC_STAT_STATE) : NULL;

	at->state = state ? *state : '\0';
}

static void copy_stack(struct wp_instant_reader *reader, struct wp_instant *at, size_t bytes)
{
	struct iovec pieces[PIECES], here;
	size_t n = 0, most = (size_t)PIECES * PIECE_BYTES;
	ssize_t got;

	bytes = bytes < most ? bytes : most;
	if (bytes > reader->stack_cap) {
		reader->stack = wp_realloc(reader->stack, 1, bytes);
		reader->stack_cap = bytes;
	}
	for (size_t from = 0; from < bytes; from += PIECE_BYTES, n++)
		pieces[n] = (struct iovec){
			(void *)(uintptr_t)(at->sp + from),
			bytes - from < PIECE_BYTES ? bytes - from : PIECE_BYTES,
		};
	here = (struct iovec){reader->stack, bytes};
	/* By the thread: a process whose first one has ended cannot be read by its own id. */
	got = process_vm_readv((pid_t)at->tid, &here, 1, pieces, n, 0);
	at->stack = reader->stack;
	at->stack_bytes = got > 0 ? (size_t)got : 0;
}

/* ---- registers by BPF ---- */

static const struct wp_instant_record *find_told_thread(const struct wp_instant_reader *reader,
							uint32_t tid)
{
	const uint64_t *index = wp_map_get(&reader->thread_of, tid);

	return index ? &reader->threads.v.v[*index] : NULL;
}

/* Looks at all threads of a process; false: nothing is told of any. */
static bool look_at_process(struct wp_instant_reader *reader, uint32_t pid)
{
	bool told = wp_bpf_instant_look(reader->bpf, pid, &reader->threads);

	reader->looks++;
	wp_map_deinit(&reader->thread_of);
	for (size_t i = 0; told && i < reader->threads.v.n; i++)
		*wp_map_put(&reader->thread_of, reader->threads.v.v[i].tid) = i;
	return told;
}

/*
 * What the kernel tells of a thread in its present turn; looks anew where that is over, or it was
 * on a CPU. NULL: nothing.
 */
static const struct wp_instant_record *look_at_thread(struct wp_instant_reader *reader,
						      const struct wp_instant *at, uint64_t turns)
{
	const struct wp_instant_record *record = NULL;

	if (!reader->bpf)
		return NULL;
	if (reader->looked_at != at->pid) {
		wp_map_deinit(&reader->thread_of);
		reader->looks = 0;
		reader->looked_at = at->pid;
	}
	record = find_told_thread(reader, at->tid);
	if (record && record->turns == turns && !record->on_cpu)
		return record;
	if (reader->looks < LOOKS)
		record =
			look_at_process(reader, at->pid) ? find_told_thread(reader, at->tid) : NULL;
	return record && record->turns >= turns ? record : NULL;
}

/* 0: it waits at none. */
static uint64_t waited_futex(const struct wp_instant_reader *reader, const struct wp_instant *at)
{
	const struct wp_syscall *call =
		at->in_call ? wp_syscall_find(reader->arch, at->call) : NULL;

	return call && call->kind == WP_SYSCALL_FUTEX ? at->args[0] : 0;
}

static void walk_instant_python(struct wp_instant_reader *reader, const struct wp_memory *memory,
				uint64_t pointer, struct wp_instant *at)
{
	struct wp_perf_peek_regs user = {.ip = at->ip, .sp = at->sp};
	struct wp_pinned_subject subject = {
		.pid = at->pid,
		.tid = at->tid,
		.user = &user,
		.pointer = pointer,
		.futex = waited_futex(reader, at),
		.memory = memory,
	};

	if (!reader->process.n || reader->process.pid != at->pid)
		return;
	wp_pinned_walk_frames(reader->walk, &reader->process, &subject);
	at->python = wp_pinned_walk_slots(reader->walk, &at->n_python);
}

/* x86-64: words of struct pt_regs (asm/ptrace.h) by DWARF's number; arm64 has the same numbers. */
static void take_instant_regs(const struct wp_instant_reader *reader,
			      const struct wp_instant_record *record, struct wp_instant *at)
{
	static const uint8_t x86_64[] = {10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16};
	bool arm = strcmp(reader->arch, "aarch64") == 0;
	size_t n = arm ? WP_REGS_MAX : WP_ARRAY_LEN(x86_64);

	at->regs = (struct wp_stack_regs){0};
	for (size_t i = 0; i < n; i++) {
		at->regs.r[i] = record->words[arm ? i : x86_64[i]];
		at->regs.valid |= 1ull << i;
	}
	at->sp = at->regs.r[arm ? 31 : 7];
	at->ip = at->regs.r[arm ? 32 : 16];
	at->has_place = at->sp && at->ip;
	/* 32-bit code counts its registers otherwise. */
	at->has_regs = at->has_place && (at->sp | at->ip) >> 32;
}

static void take_kernel_stack(const struct wp_instant_reader *reader,
			      const struct wp_instant_record *record, struct wp_instant *at)
{
	at->kernel = reader->threads.kernel.v + record->kernel;
	at->n_kernel = record->n_kernel;
	at->kernel_cut = record->n_kernel == WP_INSTANT_KERNEL;
}

static bool is_same_place(const struct wp_proc_task *a, const struct wp_proc_task *b)
{
	return a->kind == b->kind && a->call == b->call && a->sp == b->sp && a->ip == b->ip;
}

/*
 * Where it is, with all registers if BPF tells them. True: it was on no CPU in the turn with that
 * number (0: not known) when it was looked at.
 */
static bool take_task_place(struct wp_instant_reader *reader, struct wp_instant *at, uint64_t turns,
			    struct wp_proc_task *place)
{
	const struct wp_instant_record *record = turns ? look_at_thread(reader, at, turns) : NULL;
	bool known = read_task_place(at, place);

	at->has_place = known;
	at->has_regs = false;
	at->n_kernel = 0;
	at->in_call = known && place->kind == WP_PROC_TASK_WAITS;
	at->ip = place->ip;
	at->sp = place->sp;
	at->call = place->call;
	memcpy(at->args, place->args, sizeof(at->args));
	if (!record)
		return false;
	take_instant_regs(reader, record, at);
	if (!known || (at->sp == place->sp && at->ip == place->ip)) {
		if (record->turns == turns && !record->on_cpu)
			take_kernel_stack(reader, record, at);
		return at->has_place && record->turns == turns && !record->on_cpu;
	}
	/* It has gone on since. */
	at->sp = place->sp;
	at->ip = place->ip;
	at->has_place = true;
	at->has_regs = false;
	return false;
}

/* It is where it was found first, as far as /proc tells. */
static bool stayed(const struct wp_instant *at, const struct wp_proc_task *place)
{
	struct wp_proc_task again;

	return place->kind != WP_PROC_TASK_RUNS && read_task_place(at, &again) &&
	       is_same_place(place, &again);
}

/* One reading. What is known before the first read must be known behind the last one. */
static void read_once(struct wp_instant_reader *reader, size_t stack_bytes, struct wp_instant *at)
{
	uint64_t before = 0, after = 0;
	bool counted = read_turns(at, &before), stands;
	const struct wp_instant_record *record;
	struct wp_proc_task place = {0};

	stands = take_task_place(reader, at, before, &place);
	at->stack_bytes = 0;
	at->where[0] = '\0';
	read_state(at);
	if (at->has_place)
		copy_stack(reader, at, stack_bytes);
	record = find_told_thread(reader, at->tid);
	walk_instant_python(reader, NULL, record ? record->thread_pointer : 0, at);
	if (reader->look)
		reader->look(reader->look_arg, at);
	if (at->in_call)
		read_where(at);
	at->proof = WP_INSTANT_RAN;
	if (!stands && !stayed(at, &place))
		return;
	if (!counted)
		at->proof = WP_INSTANT_NOT_KNOWN;
	else if (read_turns(at, &after) && before == after) /* else it may have ended */
		at->proof = WP_INSTANT_PROVEN;
}

void wp_instant_reader_walk(struct wp_instant_reader *reader, const struct wp_memory *memory,
			    uint64_t pointer, struct wp_instant *at)
{
	walk_instant_python(reader, memory, pointer, at);
	if (reader->look)
		reader->look(reader->look_arg, at);
}

bool wp_instant_reader_read(struct wp_instant_reader *reader, uint32_t pid, uint32_t tid,
			    size_t stack_bytes, struct wp_instant *ret)
{
	*ret = (struct wp_instant){.pid = pid, .tid = tid};
	for (int i = 0; i < TRIES; i++) {
		read_once(reader, stack_bytes, ret);
		if (!ret->state || strchr("ZX", ret->state))
			return false;
		if (ret->proof != WP_INSTANT_RAN || (ret->state == 'R' && i + 1 >= TRIES_RUNNING))
			break;
	}
	read_name(ret);
	/* Numbers of 32-bit programs are others. */
	if (ret->in_call && (ret->sp | ret->ip) >> 32)
		ret->known = wp_syscall_find(reader->arch, ret->call);
	if (ret->known)
		wp_instant_wait_read(ret->known, ret);
	return true;
}

bool wp_instant_reader_stands(uint32_t pid, uint64_t *ret)
{
	struct wp_procfs_ids threads = {0};
	bool stands = true;
	uint64_t turns;

	wp_procfs_threads((pid_t)pid, &threads);
	*ret = 0;
	wp_vec_each (pid_t, tid, &threads.ids) {
		struct wp_instant at = {.pid = pid, .tid = (uint32_t)*tid};

		read_state(&at);
		stands &= at.state && at.state != 'R' && read_turns(&at, &turns);
		if (!stands)
			break;
		*ret = wp_hash_fnv1a(wp_hash_fnv1a(*ret, at.tid), turns);
	}
	wp_vec_deinit(&threads.ids);
	return stands;
}

void wp_instant_reader_forget(struct wp_instant_reader *reader, const struct wp_memory *memory)
{
	wp_pinned_walk_forget(reader->walk, &reader->process, memory);
}

uint64_t wp_instant_reader_task(struct wp_instant_reader *reader, uint32_t plan, uint64_t task,
				const struct wp_python_slot **ret, size_t *ret_n)
{
	uint64_t coro = 0;

	*ret = NULL;
	*ret_n = 0;
	if (plan >= reader->process.n)
		return 0;
	coro = wp_pinned_walk_task(reader->walk, &reader->process, plan, task);
	*ret = wp_pinned_walk_slots(reader->walk, ret_n);
	return coro;
}
