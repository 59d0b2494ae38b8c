/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_build_plan: a build's walk plan for one process (see wp_python_build_plan() in
 * python_build.h).
 *
 * Runtime stage. The process runs on while its memory is read, so what is not as it should be is
 * read again before it counts, and what is not there yet (an interpreter that has not begun) is
 * fine.
 */
#include "runtime/python_build.h"

#include "runtime/python_code_count.h"

#include <endian.h>
#include <string.h>

#define TRIES	    3
#define MAX_THREADS 64
#define MAX_KEYS    1024 /* PTHREAD_KEYS_MAX */

/* Include/object.h: PyTypeObject.tp_flags stands 160 bytes behind ob_type in 2.7 to 3.15. */
#define TP_FLAGS   160
#define TYPE_READY (1u << 12) /* Py_TPFLAGS_READY */

static bool read_u64(const struct wp_memory *memory, uint64_t addr, uint64_t *ret)
{
	uint64_t word;

	if (!memory->read(memory->arg, addr, &word, sizeof(word)))
		return false;
	*ret = le64toh(word);
	return true;
}

/* The bytes that mark _PyRuntime are there, as they never change; or cannot be read. */
static bool has_cookie(const struct wp_python_build *build, uint64_t delta,
		       const struct wp_memory *memory)
{
	char cookie[8];

	return !build->cookie ||
	       !memory->read(memory->arg, build->cookie + delta, cookie, sizeof(cookie)) ||
	       memcmp(cookie, "xdebugpy", sizeof(cookie)) == 0;
}

/* The first thread state of the first interpreter; 0 while there is none. */
static uint64_t first_thread(const struct wp_python_plan *plan, const struct wp_memory *memory,
			     uint64_t *ret_interp)
{
	uint64_t thread;

	if (!read_u64(memory, plan->interpreters, ret_interp) || !*ret_interp ||
	    !read_u64(memory, *ret_interp + plan->interp_threads, &thread))
		return 0;
	return thread;
}

/* A thread state leads back to its interpreter, unless offsets are wrong. */
static bool threads_agree(const struct wp_python_plan *plan, const struct wp_memory *memory)
{
	for (int i = 0; i < TRIES; i++) {
		uint64_t interp, back, thread = first_thread(plan, memory, &interp);

		if (!thread)
			return true;
		if (thread % 8 == 0 && read_u64(memory, thread + plan->ts_interp, &back) &&
		    back == interp)
			return true;
	}
	return false;
}

/* What a thread keeps under a pthread key (glibc: nptl/pthread_getspecific.c). */
static bool specific(const struct wp_python_plan *plan, const struct wp_memory *memory,
		     uint64_t thread_id, uint32_t key, uint64_t *ret)
{
	uint64_t tp = thread_id - (uint64_t)(int64_t)plan->thread_id_bias, block;

	if (!read_u64(memory, tp + (uint64_t)(int64_t)plan->tsd + key / 32 * 8, &block) || !block)
		return false;
	return read_u64(memory, block + key % 32 * 16 + 8, ret);
}

/*
 * Whether the key leads to thread states, as it should: 1 yes, 0 no, -1 nobody can tell yet. A
 * thread may have another one of its own there (of another interpreter), so one that agrees is
 * enough.
 */
static int key_agrees(const struct wp_python_plan *plan, const struct wp_memory *memory)
{
	uint32_t key;
	uint64_t interp, thread = first_thread(plan, memory, &interp), id, value;
	int agrees = -1;

	if (!memory->read(memory->arg, plan->tss_key, &key, sizeof(key)))
		return -1;
	for (int i = 0; thread && i < MAX_THREADS; i++) {
		if (le32toh(key) >= MAX_KEYS)
			return 0;
		if (!read_u64(memory, thread + plan->ts_thread_id, &id))
			return agrees;
		/* 0: not bound to a thread yet */
		if (id && specific(plan, memory, id, le32toh(key), &value)) {
			if (value == thread)
				return 1;
			agrees = 0;
		}
		if (!read_u64(memory, thread + plan->ts_next, &thread))
			return agrees;
	}
	return agrees;
}

static void check_key(struct wp_python_plan *plan, const struct wp_memory *memory)
{
	for (int i = 0; plan->tss_key && plan->tsd && i < TRIES; i++)
		if (key_agrees(plan, memory) != 0)
			return;
	plan->tss_key = 0;
}

/* The walker has room for two parts of the loop: the one that begins it and the largest other. */
static void plan_loop_ranges(const struct wp_python_build *build, struct wp_python_plan *plan)
{
	wp_vec_each (struct wp_python_range, range, &build->eval.parts) {
		if (plan->eval_start >= range->start && plan->eval_start < range->end) {
			plan->eval_end = range->end;
		} else if (range->end - range->start >
			   plan->eval_cold_end - plan->eval_cold_start) {
			plan->eval_cold_start = range->start;
			plan->eval_cold_end = range->end;
		}
	}
}

/*
 * A program that names PyCode_Type may have a copy of its own, which the library then uses as well
 * (a COPY relocation); the library's stays as the file has it, never made ready. The type of code
 * objects is then not known.
 */
static void check_code_type(struct wp_python_plan *plan, const struct wp_memory *memory)
{
	uint64_t interp, flags, at = plan->code_type + TP_FLAGS + plan->object_type;

	if (first_thread(plan, memory, &interp) && read_u64(memory, at, &flags) &&
	    !(flags & TYPE_READY))
		plan->code_type = 0;
}

struct wp_err *wp_python_build_plan(const struct wp_python_build *build, uint64_t delta,
				    const struct wp_python_libc *libc,
				    const struct wp_memory *memory, struct wp_python_plan *ret)
{
	struct wp_python_plan plan = build->layout;

	plan_loop_ranges(build, &plan);
	wp_python_plan_move(&plan, delta);
	if (libc) {
		plan.tsd = libc->tsd;
		plan.tid = libc->tid;
		plan.thread_id_bias = libc->thread_id_bias;
	}
	if (memory && !has_cookie(build, delta, memory))
		return wp_err_new(WP_ERR_FORMAT, "its _PyRuntime is not where its file says");
	if (memory && !threads_agree(&plan, memory))
		return wp_err_new(WP_ERR_FORMAT,
				  "its thread states are not as its version has them");
	if (memory) {
		check_key(&plan, memory);
		check_code_type(&plan, memory);
		wp_python_build_find_count(build, memory, &plan);
	}
	*ret = plan;
	return NULL;
}

bool wp_python_build_find_count(const struct wp_python_build *build, const struct wp_memory *memory,
				struct wp_python_plan *plan)
{
	if (!plan->code_count && wp_python_code_count_is_kept(build->version, plan))
		plan->code_count = wp_python_code_count_find(plan, memory);
	return plan->code_count != 0;
}
