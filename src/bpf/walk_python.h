/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_python: Python frames, by the walker of walk/python_walk.inc.h, and code objects at first
 * sight.
 *
 * Part of walk.bpf.c. Slots go behind the native frames in the record; when it is full it is
 * written and the walk goes on in another one. Code objects that were never seen are written before
 * the frames that are in them.
 */
#ifndef WP_BPF_WALK_PYTHON_H
#define WP_BPF_WALK_PYTHON_H

#include "bpf/walk_emit.h"
#include "bpf/walk_memory.h"

/* Value in `seen`: captured, or given up. Less: so many attempts found no name. */
#define SEEN 4

/* Native frames that are looked through for the evaluation loop that called another one. */
#define OUTER_FRAMES 24

#define PLAIN_TURN 6 /* Python frames of one turn of bpf_loop() */

/* Rounds of filling a record: 16384 slots take 5 records, each interpreter begins a round. */
#define ROUNDS (8 + WP_PYTHON_PLANS)

/*
 * Without bpf_loop() the verifier follows every turn of a loop, and gives up behind 8192 jumps: so
 * three loops within each other, and less code objects at once.
 */
#define BOUNDED	      32
#define BOUNDED_FRESH 64
/* A few long tables among those code objects; bounded programs leave their rest to the reader. */
#define CAPTURE_STEPS (2 * FRESH)

_Static_assert(BOUNDED *BOUNDED *BOUNDED >= WP_PYTHON_STEPS, "steps of a walk");

static __always_inline struct walk *walk_of(struct wp_python_walk *python)
{
	return (struct walk *)((char *)python - offsetof(struct walk, python));
}

/* What is on the stack may have been read for the native frames: that is cheaper. */
static __always_inline int is_in_line(const struct walk *w, __u64 at, __u32 bytes)
{
	return at < LINE && at + bytes <= LINE && at + bytes <= w->line_bytes;
}

static __noinline int python_read(struct wp_python_walk *python, void *to, __u32 bytes, __u64 from)
{
	struct walk *w = walk_of(python);
	__u64 at = from - w->line_at;

	if (is_in_line(w, at, bytes))
		return (int)bpf_probe_read_kernel(to, bytes, w->line + at);
	return read_user(w, to, bytes, from);
}

/* Most reads are of a word. Global, so that the verifier looks at it once. */
__noinline int wp_walk_python_word(__u64 from)
{
	struct walk *w = walk_of_cpu();
	__u64 at;

	if (!w)
		return -1;
	at = from - w->line_at;
	if (is_in_line(w, at, sizeof(w->word)))
		return (int)bpf_probe_read_kernel(&w->word, sizeof(w->word), w->line + at);
	return read_user_word(w, &w->word, from);
}

static __always_inline int wp_python_read(struct wp_python_walk *python, void *to, __u32 bytes,
					  __u64 from)
{
	if (!__builtin_constant_p(bytes) || bytes != sizeof(__u64))
		return python_read(python, to, bytes, from);
	if (wp_walk_python_word(from))
		return -1;
	*(__u64 *)to = walk_of(python)->word;
	return 0;
}

/* Kernels that need WP_BOUNDED have no functions to look at single words with. */
__noinline int wp_walk_python_words(__u64 from, __u32 n)
{
	struct walk *w = walk_of_cpu();
	struct mapped mapped;
	__u64 bytes = n * 8ull;

	if (WP_BOUNDED || !w)
		return -1;
	if (map_user(w, from, n * 8, &mapped)) {
		MASK(bytes, 2 * WP_PYTHON_CONTENT_WORDS * 8 - 1);
		return bytes > sizeof(w->python.looked) ||
		       bpf_probe_read_user(w->python.looked, bytes, (const void *)from);
	}
#pragma unroll
	for (__u32 i = 0; i < WP_PYTHON_CONTENT_WORDS; i++)
		if (i < n)
			w->python.looked[i] = kernel_word(mapped.at + i * 8);
	return !is_mapped(w, from, &mapped);
}

static __always_inline int wp_python_words(struct wp_python_walk *python, __u64 from, __u32 n)
{
	return WP_BOUNDED ? wp_python_read_words(python, from, n) : wp_walk_python_words(from, n);
}

/* Makes w->word of it; global, as everything here that many places call. */
__noinline int wp_walk_python_content(const struct wp_python_traits *is, __u32 text_end)
{
	struct walk *w = walk_of_cpu();

	if (w && is)
		w->word = wp_python_make_content(&w->python, is, text_end);
	return 0;
}

static __always_inline __u64 wp_python_content(struct wp_python_walk *python,
					       const struct wp_python_traits *is, __u32 text_end)
{
	wp_walk_python_content(is, text_end);
	return walk_of(python)->word;
}

/* Whether the code object is what it was: words of it and of its texts, where they are mapped. */
__noinline int wp_walk_glance(const struct wp_python_recent *recent)
{
	struct walk *w = walk_of_cpu();
	struct wp_python_traits now;
	struct wp_python_plan *plan;
	struct mapped mapped;
	__u32 line, version;

	if (WP_BOUNDED || !w || !recent)
		return 0;
	plan = &w->python.in.plan;
	line = plan->code_first_line;
	version = plan->code_version;
	if (map_user(w, recent->code, plan->code_bytes, &mapped) ||
	    (plan->code_type && kernel_word(mapped.at + plan->object_type) != plan->code_type))
		return 0;
	now.name = kernel_word(mapped.at + plan->code_name);
	now.filename = kernel_word(mapped.at + plan->code_filename);
	now.lines = kernel_word(mapped.at + plan->code_lines);
	now.first_line = wp_python_part(kernel_word(mapped.at + (line & ~7u)), line);
	now.version =
		version ? wp_python_part(kernel_word(mapped.at + (version & ~7u)), version) : 0;
	return is_mapped(w, recent->code, &mapped) && wp_python_has_traits(recent, &now) &&
	       recent->content &&
	       recent->content == wp_python_content(&w->python, &now, recent->text_end);
}

static __always_inline int wp_python_glance(struct wp_python_walk *python,
					    const struct wp_python_recent *recent)
{
	(void)python;
	return !WP_BOUNDED && wp_walk_glance(recent);
}

static __always_inline void look_at_word(struct wp_python_walk *python, __u64 at, __u32 offset)
{
	__u64 i = WP_PYTHON_PAGE_WORDS + ((offset - python->frame_base) >> 3);

	MASK(i, 2 * WP_PYTHON_PAGE_WORDS - 1);
	python->page[i] = kernel_word(at + (offset & ~7u));
}

/* Of a frame that lies alone: a copy takes longer than the few words that are needed. */
__noinline int wp_walk_look_at_frame(__u64 frame)
{
	struct walk *w = walk_of_cpu();
	struct mapped mapped;

	if (WP_BOUNDED || !w ||
	    map_user(w, frame, w->python.frame_base + w->python.frame_bytes, &mapped))
		return 0;
	look_at_word(&w->python, mapped.at, w->python.in.plan.frame_code);
	look_at_word(&w->python, mapped.at, w->python.in.plan.frame_previous);
	look_at_word(&w->python, mapped.at, w->python.in.plan.frame_instr);
	if (!(w->python.in.plan.flags & WP_PYTHON_FRAME_OBJECTS)) {
		look_at_word(&w->python, mapped.at, w->python.in.plan.frame_owner);
		look_at_word(&w->python, mapped.at, w->python.in.plan.frame_is_entry);
		look_at_word(&w->python, mapped.at, w->python.in.plan.frame_tlbc_index);
	}
	return is_mapped(w, frame, &mapped);
}

static __always_inline int wp_python_look_at_frame(struct wp_python_walk *python, __u64 frame)
{
	(void)python;
	return !WP_BOUNDED && wp_walk_look_at_frame(frame);
}

static __always_inline void wp_python_put(struct wp_python_walk *python, __u64 addr, __s32 lasti,
					  __u32 id)
{
	struct walk *w = walk_of(python);
	struct wp_python_slot *slot;
	__u64 at = w->at;

	if (at > WP_WALK_DATA - sizeof(*slot))
		return;
	MASK(at, 0xfff8);
	if (at > WP_WALK_DATA - sizeof(*slot))
		return;
	slot = (void *)(w->record.data + at);
	slot->addr = addr;
	slot->lasti = lasti;
	slot->id = id;
	w->at = at + sizeof(*slot);
	w->slots++;
}

static __always_inline struct seen_key seen_key(const struct walk *w, __u64 code, __u32 id)
{
	return (struct seen_key){.code = code,
				 .id = id ^ w->python.in.plan.generation * 0x9e3779b9u ^ w->epoch,
				 .tgid = w->tgid};
}

/*
 * Notes a code object that was never captured. The walk itself remembers those that it need not
 * tell of again, and behind it the CPU does, without the map.
 */
static __always_inline void wp_python_meet(struct wp_python_walk *python, __u64 code, __u32 id)
{
	struct walk *w = walk_of(python);
	struct seen_key key = seen_key(w, code, id);
	__u32 rest = wp_python_rest_of_id(python, code);
	__u64 hash = wp_python_id_mix_(code ^ (__u64)key.tgid << 40, (__u64)rest << 32 | key.id),
	      i = hash, n = w->n_fresh;
	struct seen *met;

	MASK(i, RECENT - 1);
	python->told = 1;
	if (w->recent[i] == hash)
		return;
	met = bpf_map_lookup_elem(&seen, &key);
	if (met && met->rest == rest && met->times >= SEEN) {
		w->recent[i] = hash;
		return;
	}
	python->told = 0;
	if (n >= FRESH)
		return;
	MASK(n, FRESH - 1);
	w->recent[i] = hash;
	w->fresh[n].code = code;
	w->fresh[n].recent = i;
	w->fresh[n].id = id;
	w->fresh[n].rest = rest;
	w->n_fresh = n + 1;
}

/* Prepares the record of the i-th new code object. Its bytes; 0: there is none to write. */
static __always_inline __u32 capture_fresh_code(struct walk *w, __u32 i)
{
	__u64 index = i;
	int status;

	if (i >= w->n_fresh)
		return 0;
	MASK(index, FRESH - 1);
	status = wp_python_capture_met(&w->python, w->fresh[index].code, w->fresh[index].id,
				       &w->code.captured);
	w->capture_status = status;
	if (status < 0)
		return 0;
	w->code.head.kind = WP_WALK_CODE;
	w->code.head.uid = bpf_get_current_uid_gid();
	w->code.head.time = w->record.head.time;
	return sizeof(w->code.head) + wp_python_captured_bytes(&w->code.captured);
}

/* A code object that is captured again when it is met again. */
static __always_inline void not_captured(struct walk *w, __u64 code, __u64 recent)
{
	w->recent[recent] = 0;
	wp_python_tell_again(&w->python, code);
}

/*
 * What is left of a long table comes in pieces. The reader is woken as well: what they lack in the
 * end it asks of the process, which may be gone soon.
 */
static __always_inline void begin_table(struct walk *w, void *ctx)
{
	const struct wp_python_captured_head *head = &w->code.captured.head;
	const struct wp_python_plan *plan = &w->python.in.plan;

	if (!head->lines_bytes || head->lines_bytes >= head->lines_len)
		return;
	wake(ctx);
	if (head->lines_len > WP_WALK_TABLE_MAX)
		return;
	w->table = wp_python_code_word(&w->python, plan->code_lines) + plan->bytes_data;
	w->table_from = head->lines_bytes;
	w->table_end = head->lines_len;
	w->lines.head = (struct wp_walk_lines_head){
		.kind = WP_WALK_LINES,
		.code = head->addr,
		.id = head->id,
		.generation = head->generation,
	};
}

/* The next piece; the last one when it cannot be read or written. */
static __always_inline void write_lines_piece(struct walk *w, void *ctx)
{
	__u64 bytes = w->table_end - w->table_from, size;

	if (bytes > WP_PYTHON_LINES_MASK)
		bytes = WP_PYTHON_LINES_MASK;
	MASK(bytes, WP_PYTHON_LINES_MASK);
	w->lines.head.from = w->table_from;
	w->lines.head.bytes = bytes;
	size = sizeof(w->lines.head) + bytes;
	MASK(size, 0xffff);
	if (wp_python_read(&w->python, w->lines.data, (__u32)bytes, w->table + w->table_from) ||
	    size > sizeof(w->lines) ||
	    bpf_perf_event_output(ctx, &outputs, BPF_F_CURRENT_CPU, &w->lines, size))
		w->table_end = 0;
	w->table_from += bytes;
}

/* Writes the record; what could not be written, or had no name, is captured again when it is met
 * again. */
static __always_inline void write_fresh_code(struct walk *w, void *ctx, __u32 i, __u64 bytes)
{
	__u64 index = i, recent;
	struct seen_key key;
	struct seen now = {.times = SEEN}, *before;

	MASK(index, FRESH - 1);
	recent = w->fresh[index].recent;
	MASK(recent, RECENT - 1);
	MASK(bytes, 0xffff);
	if (bytes == 0 || bytes > sizeof(w->code) ||
	    bpf_perf_event_output(ctx, &outputs, BPF_F_CURRENT_CPU, &w->code, bytes)) {
		not_captured(w, w->fresh[index].code, recent);
		return;
	}
	begin_table(w, ctx);
	key = seen_key(w, w->fresh[index].code, w->fresh[index].id);
	now.rest = w->fresh[index].rest;
	if (w->capture_status) {
		before = bpf_map_lookup_elem(&seen, &key);
		now.times = before && before->rest == now.rest ? before->times + 1 : 1;
		not_captured(w, w->fresh[index].code, recent);
	}
	bpf_map_update_elem(&seen, &key, &now, BPF_ANY);
}

static __always_inline int has_room(const struct walk *w)
{
	return w->at <= WP_WALK_DATA - WP_PYTHON_STEP_SLOTS * sizeof(struct wp_python_slot);
}

/* One step of the walk; 1 when it has ended or must wait until the record is written. */
static __always_inline int python_step(struct walk *w)
{
	if (!has_room(w)) {
		w->paused = 1;
		return 1;
	}
	return wp_python_step(&w->python);
}

struct loop {
	struct walk *w;
	void *ctx;
	struct wp_walk_pythons *found;
};

/* Most frames are plain ones: so many in a turn, or what is not one. */
static long python_loop_step(__u32 i, void *arg)
{
	struct walk *w = ((struct loop *)arg)->w;

	for (int frame = 0; frame < PLAIN_TURN; frame++)
		if (!has_room(w) || !wp_python_plain_frame(&w->python))
			return python_step(w);
	return 0;
}

static long capture_loop_step(__u32 i, void *arg)
{
	struct loop *loop = arg;
	struct walk *w = loop->w;

	if (w->table_from < w->table_end) {
		write_lines_piece(w, loop->ctx);
		return 0;
	}
	if (w->n_captured >= w->n_fresh)
		return 1;
	write_fresh_code(w, loop->ctx, w->n_captured, capture_fresh_code(w, w->n_captured));
	w->n_captured++;
	return 0;
}

/*
 * Global, so that the verifier looks at each once, and in every program, also one that does not
 * call them.
 */
__noinline int wp_walk_bounded_python_step(__u32 i)
{
	struct walk *w = walk_of_cpu();

	return w && config.python && i <= BOUNDED ? python_step(w) : 1;
}

__noinline int wp_walk_bounded_python_steps(__u32 turn)
{
	for (__u32 i = 0; i < BOUNDED; i++)
		if (wp_walk_bounded_python_step(i))
			return 1;
	return turn > BOUNDED;
}

__noinline int wp_walk_bounded_python(__u32 turn)
{
	for (__u32 i = 0; i < BOUNDED; i++)
		if (wp_walk_bounded_python_steps(i))
			return 1;
	return turn > BOUNDED;
}

__noinline int wp_walk_bounded_capture(__u32 i)
{
	struct walk *w = walk_of_cpu();

	return w && config.python ? (int)capture_fresh_code(w, i) : 0;
}

/* Until the interpreter's frames end or the record is full. */
static __always_inline void python_steps(struct loop *loop)
{
	loop->w->paused = 0;
	if (!WP_BOUNDED) {
		bpf_loop(WP_PYTHON_STEPS, python_loop_step, loop, 0);
		return;
	}
	for (__u32 i = 0; i < BOUNDED; i++)
		if (wp_walk_bounded_python(i))
			break;
}

static __always_inline void capture_all(struct loop *loop)
{
	struct walk *w = loop->w;

	if (!w->n_fresh)
		return;
	w->n_captured = 0;
	w->table_from = w->table_end = 0;
	if (!WP_BOUNDED) {
		bpf_loop(CAPTURE_STEPS, capture_loop_step, loop, 0);
		return;
	}
	for (__u32 i = 0; i < BOUNDED_FRESH && i < w->n_fresh; i++)
		write_fresh_code(w, loop->ctx, i, wp_walk_bounded_capture(i));
}

/* A thread state that was found by list is looked at first the next time. */
static __always_inline int by_list(const struct walk *w)
{
	return !w->python.in.plan.tsd || !w->python.in.plan.tss_key;
}

static __always_inline struct thread_key thread_key(const struct walk *w)
{
	return (struct thread_key){(__u32)bpf_get_current_pid_tgid(), w->python.in.plan.generation};
}

/*
 * 3.11, 3.12: when the evaluation loop is being entered, the activation that this happens in. Its
 * frames are still where they were put when the first interpreter begins.
 */
static __always_inline void find_outer(struct walk *w)
{
	const struct wp_walk_frame *frames = (const void *)w->record.data;
	const struct wp_python_plan *plan = &w->python.in.plan;

	w->python.in.outer_cfa = w->python.in.no_outer = 0;
	if (!(plan->flags & WP_PYTHON_CFRAME) || w->python.in.index || !w->python.in.cfa ||
	    w->python.in.ip - plan->eval_start >= plan->eval_prologue)
		return;
	for (__u32 i = 1; i < OUTER_FRAMES; i++) {
		if (i + 1 >= w->looked_at)
			break;
		if (wp_python_in_loop(plan, frames[i].ip - 1)) {
			w->python.in.outer_cfa = frames[i + 1].sp;
			return;
		}
	}
	w->python.in.no_outer = w->looked_at <= OUTER_FRAMES && w->looked_end == WP_WALK_COMPLETE;
}

static __always_inline void begin_python(struct walk *w, struct wp_walk_pythons *pythons_,
					 __u32 index)
{
	__u64 i = index, *hint = NULL;
	struct thread_key key;

	MASK(i, WP_PYTHON_PLANS - 1);
	w->python.in.plan = pythons_->plans[i];
	/* A fork makes its key anew (_PyGILState_Reinit), which may be another number. */
	w->python.in.key = w->inherited ? 0 : pythons_->keys[i];
	w->python.in.index = index;
	w->python.in.audience = (__u64)(w->tgid ^ w->epoch) << 32 | w->python.in.plan.generation;
	w->python.in.now = w->python.in.plan.code_count ? bpf_ktime_get_ns() : 0;
	w->python.in.hint = 0;
	if (by_list(w)) {
		key = thread_key(w);
		hint = bpf_map_lookup_elem(&threads, &key);
		w->python.in.hint = hint ? *hint : 0;
	}
	w->n_fresh = 0;
	find_outer(w);
	wp_python_begin(&w->python);
}

static __always_inline void end_python(struct walk *w, struct wp_walk_pythons *pythons_,
				       __u32 index)
{
	__u64 i = index, thread = w->python.out.found;
	struct thread_key key;

	MASK(i, WP_PYTHON_PLANS - 1);
	if (!w->inherited && !pythons_->keys[i])
		pythons_->keys[i] = w->python.in.key;
	w->record.head.threads[i] = wp_python_thread_slot_id(&w->python);
	w->record.head.plans = index + 1;
	if (by_list(w) && thread && thread != w->python.in.hint) {
		key = thread_key(w);
		bpf_map_update_elem(&threads, &key, &thread, BPF_ANY);
	}
}

/* One round: 1 when all interpreters of the process have been looked at, or the ring is full. */
static __always_inline long python_round(struct loop *loop)
{
	struct walk *w = loop->w;
	__u32 index;

	python_steps(loop);
	if (w->paused) {
		if (!emit_walk(w, loop->ctx, 1))
			return 0;
		w->failed = 1;
		/* The verifier follows each round of the bounded loop. */
		if (WP_BOUNDED)
			return 1;
	}
	capture_all(loop);
	if (w->failed)
		return 1;
	index = w->python.in.index;
	end_python(w, loop->found, index);
	if (++index >= loop->found->n || index >= WP_PYTHON_PLANS)
		return 1;
	begin_python(w, loop->found, index);
	return 0;
}

static long python_loop_round(__u32 i, void *arg)
{
	return python_round(arg);
}

/* All interpreters of the process, one after the other. */
static __noinline int walk_python(struct walk *w, struct wp_walk_pythons *found, void *ctx)
{
	struct loop loop = {w, ctx, found};

	begin_python(w, found, 0);
	if (!WP_BOUNDED) {
		bpf_loop(ROUNDS, python_loop_round, &loop, 0);
		return 0;
	}
	for (int i = 0; i < ROUNDS; i++)
		if (python_round(&loop))
			break;
	return 0;
}

#endif
