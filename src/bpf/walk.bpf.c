/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/*
 * walk: native and Python frames of user code, walked inside the overflow interrupt.
 *
 * One program for perf events and one for tracepoints; each writes a struct wp_walk_record right
 * before the kernel writes the perf sample it belongs to, and lets that sample through, unless it
 * has written all of it itself. Needs Linux 5.15. Compiled twice: with WP_BOUNDED for kernels
 * without bpf_loop() (before 5.17).
 */
#include "bpf/probe_targets.h"
#include "bpf/walk_number.h"
#include "bpf/walk_alike.h"
#include "bpf/walk_emit.h"
#include "bpf/walk_native.h"
#include "bpf/walk_python.h"
#include "bpf/walk_wakers.h"

char LICENSE[] SEC("license") = "Dual BSD/GPL";

/* How far up the forks a process is looked for that the loader has told of. */
#define GENERATIONS 4
/* The process of a task, by the number that the loader knows it by. */
static __always_inline __u32 tgid_of_task(const struct task_struct *task)
{
	return config.pid_ns ? number_in_ns(task->group_leader->thread_pid, config.pid_ns)
			     : (__u32)task->tgid;
}

/*
 * The address space of a process that the loader named, noted at its first sample. After an exec
 * there is another one, which nothing is known about.
 */
static __always_inline int is_same_mm(__u64 *known, __u64 mm)
{
	if (!*known)
		*known = mm;
	return *known == mm;
}

/*
 * The process that a task was forked from, if neither has become another program since: its address
 * space is a copy, so what is known of the parent holds until the loader has heard of the child.
 */
static __always_inline const struct task_struct *forked_from(const struct task_struct *task)
{
	const struct task_struct *parent = task->real_parent;

	if (task->self_exec_id != task->parent_exec_id ||
	    task->self_exec_id != parent->self_exec_id)
		return NULL;
	return parent;
}

/* The process's ranges; without any when it is not known or has become another program. */
static __always_inline int find_walked_process(struct walk *w, const struct task_struct *task)
{
	struct wp_walk_process *process;

	w->process.n = 0;
	w->process.version = ~0u; /* which nothing is remembered of */
	for (int i = 0; i < GENERATIONS && task; i++) {
		__u32 tgid = tgid_of_task(task);

		process = bpf_map_lookup_elem(&processes, &tgid);
		if (process) {
			if (is_same_mm(&process->mm, (__u64)task->mm))
				w->process = *process;
			return 0;
		}
		task = forked_from(task);
	}
	return -1;
}

/* The process's interpreters that the loader has told of, or NULL. */
static __always_inline struct wp_walk_pythons *find_told(struct walk *w,
							 const struct task_struct *task)
{
	struct wp_walk_pythons *found;

	for (int i = 0; i < GENERATIONS && task; i++) {
		__u32 tgid = tgid_of_task(task);

		found = bpf_map_lookup_elem(&pythons, &tgid);
		w->inherited = i > 0;
		if (found)
			return is_same_mm(&found->mm, (__u64)task->mm) && found->n ? found : NULL;
		task = forked_from(task);
	}
	return NULL;
}

/* The process's interpreters, or NULL. */
static __noinline struct wp_walk_pythons *find_pythons(struct walk *w,
						       const struct task_struct *task)
{
	struct wp_walk_pythons *found = find_told(w, task);
	__u32 tgid = tgid_of_task(task);

	w->epoch = epoch_of(task);
	if (!values.alike)
		return found;
	if (found && !w->inherited && found->like.proof_at)
		wp_walk_keep_alike(tgid);
	if (found || wp_walk_find_alike(tgid))
		return found;
	w->inherited = 0;
	return bpf_map_lookup_elem(&found_alike, &tgid);
}

/* A process that was just forked by one that was named, whatever it became. */
static __always_inline int is_child(const struct task_struct *task)
{
	__u32 parent = tgid_of_task(task->real_parent);

	return bpf_map_lookup_elem(&processes, &parent) != NULL;
}

static __always_inline void begin_walk(struct walk *w, const __u64 *regs)
{
	struct wp_walk_head *head = &w->record.head;

	w->ip = head->ip = regs[REG_IP];
	w->sp = head->sp = regs[REG_SP];
	w->fp = head->fp = regs[REG_FP];
	w->lr = w->bx = head->lr = regs[REG_LR];
#pragma unroll
	for (int i = 0; i < 16; i++)
		w->regs[i] = regs[i];
	head->id = head->time = 0;
	head->kind = WP_WALK_STACK;
	head->serial = ++w->serial;
	head->piece = head->dump_bytes = head->plans = head->x86 = 0;
	head->call = CALL_OF(regs);
	head->argument = regs[REG_ARGUMENT];
	head->inode = head->file_kind = head->unused = 0;
	w->n = w->at = w->slots = w->failed = w->whole = 0;
	w->end = WP_WALK_TOO_DEEP;
	w->exact = w->inner = 1;
	w->lr_valid = REG_LR != REG_BX;
	w->bx_known = REG_LR == REG_BX;
	w->range.start = w->range.end = 0;
	w->line_bytes = 0;
	if (w->reach < LINE_MIN)
		w->reach = LINE_MIN;
}

/*
 * Since Linux 6.2; the loader says whether it may be called (config.names). Kernels that need
 * WP_BOUNDED refuse a program in which a call of it is left over, even where it is never reached.
 */
extern void *bpf_cast_to_kern_ctx(void *ctx) __ksym __weak;

/*
 * What the kernel prepared of the perf sample: its id and time name it. All of it stands before the
 * record in the ring of walks, and is the sample where the kernel has no more to say.
 */
static __always_inline void name_sample(struct walk *w, void *ctx, int in_user)
{
	const struct bpf_perf_event_data_kern *kern = bpf_cast_to_kern_ctx(ctx);
	const struct perf_sample_data *data = kern->data;
	struct wp_walk_sample *sample = &w->sample;

	if (!(data->sample_flags & PERF_SAMPLE_TIME))
		return;
	w->record.head.id = data->id;
	w->record.head.time = sample->time = data->time;
	sample->type = PERF_RECORD_SAMPLE_;
	sample->misc = PERF_RECORD_MISC_USER_;
	sample->identifier = values.whole && in_user ? data->id : 0;
	sample->ip = data->ip;
	sample->pid = data->tid_entry.pid;
	sample->tid = data->tid_entry.tid;
	sample->cpu = data->cpu_entry.cpu;
	sample->period = data->period;
}

/* Id and time only, but what a pointer leads to is copied, which takes longer. */
static __always_inline void name_sample_by_copy(struct wp_walk_head *head, void *ctx)
{
	struct bpf_perf_event_data_kern kern;
	struct perf_sample_data *data;
	__u64 flags = 0;

	if (bpf_probe_read_kernel(&kern, sizeof(kern), ctx))
		return;
	data = kern.data;
	if (bpf_core_read(&flags, sizeof(flags), &data->sample_flags) ||
	    !(flags & PERF_SAMPLE_TIME))
		return;
	bpf_core_read(&head->id, sizeof(head->id), &data->id);
	bpf_core_read(&head->time, sizeof(head->time), &data->time);
}

static __always_inline int can_name_sample(void)
{
	struct perf_sample_data *data = NULL;

	return config.names && bpf_core_field_exists(data->sample_flags);
}

static __always_inline void walk_frames(struct walk *w, __u32 n)
{
	if (!WP_BOUNDED) {
		bpf_loop((n + TURN - 1) / TURN, loop_step, &w, 0);
		return;
	}
	for (__u32 i = 0; i < n; i++)
		if (wp_walk_bounded_step(i))
			break;
}

/* The canonical frame address of the innermost frame; 0: not known. */
static __always_inline __u64 innermost_cfa(const struct walk *w)
{
	const struct wp_walk_frame *frames = (const void *)w->record.data;

	return w->n > 1 ? frames[1].sp : 0;
}

static __always_inline void walk_native(struct walk *w)
{
	walk_frames(w, WP_WALK_FRAMES + 1);
	w->reach = (w->sp - w->record.head.sp + LINE_MIN) & ~7ull;
	w->python.in.cfa = innermost_cfa(w);
	w->looked_at = w->n;
	w->looked_end = w->end;
	if (w->end == WP_WALK_NO_MODULE && config.dump_bytes && may_dump(w))
		dump(w);
	w->at = w->n * sizeof(struct wp_walk_frame) + w->record.head.dump_bytes;
}

/*
 * Nobody asks for native frames, but in a prologue of 3.11 and 3.12 those up to the next evaluation
 * loop are needed.
 */
static __always_inline void look_at_first(struct walk *w, const struct wp_walk_pythons *found)
{
	int needed = 0;

	for (__u32 i = 0; i < WP_PYTHON_PLANS; i++)
		needed |= i < found->n &&
			  w->ip - found->plans[i].eval_start < found->plans[i].eval_prologue;
	w->python.in.cfa = 0;
	if (needed && w->process.n) {
		walk_frames(w, OUTER_FRAMES);
		w->python.in.cfa = innermost_cfa(w);
	}
	w->looked_at = w->n;
	w->looked_end = w->end;
	w->n = 0;
	w->end = WP_WALK_COMPLETE;
}

static __always_inline void prepare_python(struct walk *w, const struct task_struct *task,
					   const __u64 *regs)
{
	struct wp_python_walk *python = &w->python;

	python->in.thread_pointer = THREAD_POINTER(task);
	python->in.teb = TEB(task);
	python->in.alone = IS_ALONE(task);
	python->in.ip = w->ip;
	python->in.sp = w->sp;
	python->in.words = w->tables != 0;
	python->in.want_gil = config.gil;
	python->in.want_tasks = config.tasks;
	python->in.futex = 0;
	if (!WP_BOUNDED && config.gil && regs[REG_CALL] == CALL_FUTEX)
		python->in.futex = regs[REG_ARGUMENT];
#pragma unroll
	for (int i = 0; i < GENERAL_REGS; i++)
		python->in.regs[i] = regs[i];
	python->in.n_regs = GENERAL_REGS;
}

/* 32-bit code has frames of its own kind, which are unwound later. */
static __always_inline void copy_x86(struct walk *w, void *ctx)
{
	w->record.head.x86 = 1;
	w->end = WP_WALK_CUT;
	if (config.dump_bytes && may_dump(w))
		dump(w);
	w->at = w->record.head.dump_bytes;
	emit_walk(w, ctx, 0);
}

/*
 * The user registers when the thread last left user mode, which is what a sample in the kernel is
 * about; NULL for kernel threads.
 */
static __always_inline int user_regs(const struct task_struct *task, __u64 *ret)
{
	void *regs = (void *)bpf_task_pt_regs((void *)task);

	return bpf_probe_read_kernel(ret, SAVED_REGS * sizeof(*ret), regs);
}

/* What the first argument of the call leads to, if it is a descriptor of the thread. */
static __noinline void find_call_file(const struct task_struct *task, struct wp_walk_head *head)
{
	struct fdtable *table = BPF_CORE_READ(task, files, fdt);
	struct file **at = BPF_CORE_READ(table, fd), *file = NULL;
	__u32 fd = (__u32)head->argument;

	if (fd >= BPF_CORE_READ(table, max_fds) ||
	    bpf_probe_read_kernel(&file, sizeof(file), at + fd) || !file)
		return;
	head->inode = BPF_CORE_READ(file, f_inode, i_ino);
	head->file_kind = (__u32)(__u64)BPF_CORE_READ(file, f_op) * 31 +
			  (__u32)((__u64)BPF_CORE_READ(file, f_inode, i_sb) >> 6);
}

static __always_inline void find_call(const struct task_struct *task, struct wp_walk_head *head)
{
	if (!config.calls || head->call < 0)
		return;
	if (IS_COMPAT(task))
		head->call = WP_WALK_CALL_OTHER;
	else if (config.files)
		find_call_file(task, head);
}

/* Where the user code of the sample is: its registers, of the kinds that are walked. */
static __always_inline int find_regs(const struct task_struct *task, const __u64 *interrupted,
				     int is_event, __u64 *regs)
{
	if (is_event && IS_USER(interrupted[REG_MODE])) {
#pragma unroll
		for (int i = 0; i < REGS; i++)
			regs[i] = interrupted[i];
		if (SAVED_REGS > REGS)
			regs[SAVED_REGS - 1] = ~0ull;
	} else if (user_regs(task, regs)) {
		return 0;
	}
	return IS_NATIVE(regs[REG_MODE]) ||
	       (IS_X86(regs[REG_MODE]) && (config.native || config.files));
}

/* What a walk of Python frames needs, and the native ones. 0: there is no more to walk. */
static __noinline int walk_first(struct walk *w, const struct wp_walk_pythons *found, void *ctx,
				 int is_event)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	const __u64 *interrupted = ctx;
	__u64 *regs = w->user;

	if (!find_regs(task, interrupted, is_event, regs))
		return 0;
	begin_walk(w, regs);
	find_call(task, &w->record.head);
	wp_walk_begin_memory();
	if (is_event) {
		if (can_name_sample() && WP_BOUNDED)
			name_sample_by_copy(&w->record.head, ctx);
		else if (can_name_sample())
			name_sample(w, ctx, IS_USER(interrupted[REG_MODE]));
	}
	if (!IS_NATIVE(regs[REG_MODE])) {
		copy_x86(w, ctx);
		return 0;
	}
	prepare_python(w, task, regs);
	w->tgid = bpf_get_current_pid_tgid() >> 32;
	if (config.native)
		walk_native(w);
	else if (found)
		look_at_first(w, found);
	return 1;
}

static __noinline int write_walk(struct walk *w, void *ctx)
{
	return emit_walk(w, ctx, 0);
}

/*
 * ctx of a perf event begins with the interrupted registers. 0: the sample has been written, the
 * kernel is to drop its own. All functions that call each other have 512 bytes of stack together,
 * before Linux 6.13: what does the work is called, so that this one has next to none.
 */
static __always_inline int walk_user(void *ctx, int is_event)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct wp_walk_pythons *found;
	struct walk *w = walk_of_cpu();

	if (!w || w->busy || (task->flags & PF_KTHREAD))
		return 1;
	if (find_walked_process(w, task) && config.only_mapped && !is_event && !is_child(task))
		return 1;
	if (!is_event)
		follow_waiter();
	found = config.python ? find_pythons(w, task) : NULL;
	if (!found && !config.native && !config.files)
		return 1;
	w->whole = 0;
	w->busy = 1;
	if (walk_first(w, found, ctx, is_event)) {
		if (found && config.python)
			walk_python(w, found, ctx);
		if (!w->failed)
			write_walk(w, ctx);
	}
	w->busy = 0;
	return WP_BOUNDED || !w->whole;
}

/*
 * An event of each CPU has the probe, and the kernel calls all their programs wherever it is hit:
 * the lower half of the cookie says for which CPU (bpf/args_wire.h has the other). Those of other
 * processes are not to be counted.
 */
static __always_inline int is_wanted_hit(void *ctx)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	__u32 tgid = tgid_of_task(task), *found;

	if ((__u32)bpf_get_attach_cookie(ctx) != bpf_get_smp_processor_id() + 1)
		return 0;
	if (!values.probe_targets)
		return 1;
	found = bpf_map_lookup_elem(&probe_targets, &tgid);
	return found && *found == WP_PROBE_TARGET;
}

/*
 * A probe's program can be interrupted, also for another thread that hits one on this CPU: whoever
 * comes while a walk is in progress has none.
 */
static __always_inline int walk_probe(void *ctx)
{
	walk_user(ctx, 0);
	return 1;
}

/* Also for who wakes a thread. */
static __always_inline int walk_tracepoint(void *ctx)
{
	int lets_through = walk_user(ctx, 0);

	finish_waking(ctx);
	return lets_through;
}

/*
 * Verifying what walks Python frames takes the kernel several times as long as all the rest, so it
 * is loaded when the first interpreter shows up, and put here; a program of each kind.
 */
#define SUCCESSOR(name)                                \
	struct {                                       \
		__uint(type, BPF_MAP_TYPE_PROG_ARRAY); \
		__uint(max_entries, 1);                \
		__type(key, __u32);                    \
		__type(value, __u32);                  \
	} name SEC(".maps")

SUCCESSOR(event_successor);
SUCCESSOR(tracepoint_successor);
SUCCESSOR(probe_successor);

/* Programs of their own: where there is a tail call, the kernel gives no function its own stack. */
SEC("perf_event") int wp_first_event(void *ctx)
{
	bpf_tail_call(ctx, &event_successor, 0);
	return walk_user(ctx, 1);
}

SEC("tracepoint") int wp_first_tracepoint(void *ctx)
{
	bpf_tail_call(ctx, &tracepoint_successor, 0);
	return walk_tracepoint(ctx);
}

SEC("kprobe") int wp_first_probe(void *ctx)
{
	if (!is_wanted_hit(ctx))
		return 0;
	bpf_tail_call(ctx, &probe_successor, 0);
	return walk_probe(ctx);
}

SEC("perf_event") int wp_walk_event(void *ctx)
{
	return walk_user(ctx, 1);
}

SEC("tracepoint") int wp_walk_tracepoint(void *ctx)
{
	return walk_tracepoint(ctx);
}

SEC("tracepoint") int wp_waking(struct waking_args *ctx)
{
	take_waking(ctx);
	return 1;
}

SEC("raw_tp") int wp_waking_behind(struct bpf_raw_tracepoint_args *ctx)
{
	take_waking_behind(ctx);
	return 0;
}

SEC("kprobe") int wp_walk_probe(void *ctx)
{
	return is_wanted_hit(ctx) ? walk_probe(ctx) : 0;
}

/* Never loaded with WP_BOUNDED; it is there so that both objects have the same programs. */
SEC("syscall") int wp_walk_find_direct(struct wp_walk_search *search)
{
	if (!WP_BOUNDED && config.direct)
		search_direct_mapping((void *)bpf_get_current_task_btf(), search);
	return 0;
}
