/* SPDX-License-Identifier: BSD-3-Clause */
/* asyncio's tasks, over made processes: on the stack, in the thread state, awaiting, damaged. */
#define IMAGE_BYTES (1 << 20)
#include "python_image.h"

#include "walk/python_task_capture.inc.h"

#include "check.h"

static struct image image;
static struct wp_python_captured captured;

/* Where things are; objects are 0x100 apart. */
#define AT_TYPES     (IMAGE_BASE + 0x50000) /* 0x200 each: the type, its name at 0x180 */
#define AT_OBJECT(i) (IMAGE_BASE + 0x60000 + (i)*0x100ull)
#define AT_NAME(i)   (IMAGE_BASE + 0x48000 + (i)*0x100ull)

enum { TASK, FUTURE, COROUTINE, BUILTIN, LIST, TUPLE, SET, INT, DERIVED, FUNCTION, CELL };

static const char *const type_names[] = {
	"_asyncio.Task", "_asyncio.Future", "coroutine", "builtin_function_or_method",
	"list",		 "tuple",	    "set",	 "int",
	"Task",		 "function",	    "cell",
};

/* Objects: coroutines are twice as long, as their frames are in them. */
enum {
	RUNNING,
	AWAITING,
	OTHER,
	WAKE,
	WAKE_OTHER,
	CALLBACKS,
	PAIR,
	GATHERED,
	DONE,
	CLOSURE,
	KEPT,
	DEFINITION,
	QUALNAME,
	CORO = 16,
	CORO_AWAITING = 20,
	CORO_INNER = 24,
	CORO_OTHER = 28
};

static uint32_t head(void)
{
	return image.walk.in.plan.object_type + 8u;
}

static void put_type(uint32_t type)
{
	uint64_t at = AT_TYPES + type * 0x200ull;

	image_put64(&image, at + head() + 8, at + 0x180);
	image_put(&image, at + 0x180, type_names[type], strlen(type_names[type]) + 1);
	image_put64(&image, at + head() + 8 * 30, type == DERIVED ? AT_TYPES + TASK * 0x200 : 0);
}

static uint64_t put_object(uint32_t i, uint32_t type)
{
	image_put64(&image, AT_OBJECT(i) + image.walk.in.plan.object_type,
		    AT_TYPES + type * 0x200ull);
	return AT_OBJECT(i);
}

static void put_member(uint32_t i, uint32_t n, uint64_t value)
{
	image_put64(&image, AT_OBJECT(i) + head() + 8 * n, value);
}

static void put_name(uint32_t i, const char *name)
{
	image_str(&image, AT_NAME(i), IMAGE_STR_ASCII, name, strlen(name));
}

static void put_task(uint32_t i, uint32_t type, uint32_t coro)
{
	uint64_t task = put_object(i, type);

	image_put64(&image, task + image.walk.in.plan.task_coro, AT_OBJECT(coro));
	image_put64(&image, task + image.walk.in.plan.task_name, AT_NAME(i));
}

/* A coroutine in code object `code`, suspended where it awaits another object (0: none). */
static void put_coroutine(uint32_t i, uint32_t code, uint64_t previous, uint64_t awaited)
{
	const struct wp_python_plan *plan = &image.walk.in.plan;
	uint64_t coro = put_object(i, COROUTINE), frame = coro + plan->gen_frame;
	uint64_t locals = frame + plan->frame_locals;

	image_frame(&image, frame, code, 12, previous);
	image_put8(&image, frame + plan->frame_owner, 1);
	image_put64(&image, coro + plan->gen_qualname, AT_NAME(i));
	image_put64(&image, locals + 8, awaited);
	if (plan->flags & WP_PYTHON_TAGGED)
		image_put64(&image, locals - 16, locals + 16);
	else
		image_put32(&image, locals - 8, 2);
}

static void set_plan(enum family family)
{
	struct wp_python_plan *plan = &image.walk.in.plan;
	uint32_t longer = family == PY311 ? 8 : 0;

	plan->frame_locals = family == PY314T ? 80 : 72;
	plan->gen_qualname = (uint16_t)(head() + 16 + longer);
	plan->gen_frame = (uint16_t)(head() + 56 + longer);
	plan->task_coro = (uint16_t)(head() + 104);
	plan->task_name = (uint16_t)(head() + 112);
	if (family == PY314T) {
		plan->task_awaited_by = (uint16_t)(head() + 64);
		plan->ts_task = 360;
	}
	image.walk.in.want_tasks = 1;
}

/*
 * Frame 0 is called by the coroutine of the task RUNNING, with which AWAITING awaits, in an inner
 * coroutine.
 */
static void init(enum family family)
{
	uint64_t coro;

	image_two_runs(&image, family);
	set_plan(family);
	for (uint32_t i = TASK; i <= CELL; i++)
		put_type(i);
	coro = AT_OBJECT(CORO) + image.walk.in.plan.gen_frame;
	put_coroutine(CORO, 1, family == PY311 ? IMAGE_FRAME(2) : IMAGE_ON_STACK, 0);
	if (family == PY311)
		image_put8(&image, coro + image.walk.in.plan.frame_is_entry, 1);
	image_put64(&image, IMAGE_FRAME(0) + image.walk.in.plan.frame_previous, coro);
	put_coroutine(CORO_INNER, 0, 0, AT_NOTHING);
	put_coroutine(CORO_AWAITING, 2, 0, AT_OBJECT(CORO_INNER));
	put_coroutine(CORO_OTHER, 2, 0, 0);
	put_task(RUNNING, TASK, CORO);
	put_task(AWAITING, DERIVED, CORO_AWAITING);
	put_task(OTHER, TASK, CORO_OTHER);
	put_name(RUNNING, "short");
	put_name(AWAITING, "a name that is longer than what is hashed of it");
	put_name(OTHER, "other");
	put_name(CORO, "worker");
	image_put64(&image, IMAGE_ON_STACK + 0x208, AT_OBJECT(RUNNING));
}

/* A done callback with which a task is woken. */
static void put_wake(uint32_t i, uint32_t task)
{
	put_object(i, BUILTIN);
	put_member(i, 0, AT_OBJECT(DEFINITION));
	put_member(i, 1, AT_OBJECT(task));
	image_put64(&image, AT_OBJECT(DEFINITION), AT_NAME(DEFINITION));
	image_put(&image, AT_NAME(DEFINITION), "TaskWakeupMethWrapper", 22);
}

static void put_awaiting(enum family family)
{
	if (family == PY314T) {
		image_put64(&image, AT_OBJECT(RUNNING) + image.walk.in.plan.task_awaited_by,
			    AT_OBJECT(AWAITING));
		return;
	}
	put_wake(WAKE, AWAITING);
	put_member(RUNNING, 1, AT_OBJECT(WAKE));
}

/* The slot where tasks begin: behind the thread and two frames. */
#define FIRST 3

static void check_task(uint32_t slot, uint32_t task, int32_t lasti)
{
	CHECK_U64(image.slots[slot].addr, AT_OBJECT(task) | WP_PYTHON_TASK_BIT);
	CHECK(image.slots[slot].lasti == lasti);
}

static void check_mark(uint32_t slot)
{
	CHECK(image.slots[slot].lasti == WP_PYTHON_MARK);
	CHECK_U64(image.slots[slot].addr, IMAGE_ON_STACK);
}

static void check_rest(uint32_t slot)
{
	check_mark(slot);
	CHECK_U64(image.n, slot + 4); /* two frames and a mark */
	CHECK_U64(image.walk.out.end, WP_PYTHON_COMPLETE);
}

static void test_running(void)
{
	for (enum family family = PY311; family < FAMILIES; family++) {
		init(family);
		image_walk(&image);
		check_task(FIRST, RUNNING, WP_PYTHON_TASK);
		check_rest(FIRST + 1);
		/* Not asked for; not known. */
		image.walk.in.want_tasks = 0;
		image_walk(&image);
		check_rest(FIRST);
		init(family);
		image.walk.in.plan.task_coro = 0;
		image_walk(&image);
		check_rest(FIRST);
		/* Nothing on the stack has this coroutine. */
		init(family);
		image_put64(&image, AT_OBJECT(RUNNING) + image.walk.in.plan.task_coro, 8);
		image_walk(&image);
		check_rest(FIRST);
	}
}

/* The thread state knows it without a search; what it says of another coroutine does not count. */
static void test_thread_state(void)
{
	uint32_t reads;

	init(PY314T);
	image_walk(&image);
	image.walk.tasks.known_coros[0] = 0;
	memset(image.walk.tasks.known_coros, 0, sizeof(image.walk.tasks.known_coros));
	image_walk(&image);
	reads = image.reads;
	memset(image.walk.tasks.known_coros, 0, sizeof(image.walk.tasks.known_coros));
	image_put64(&image, AT_THREAD + image.walk.in.plan.ts_task, AT_OBJECT(RUNNING));
	image_walk(&image);
	check_task(FIRST, RUNNING, WP_PYTHON_TASK);
	CHECK(image.reads + 60 < reads);
	memset(image.walk.tasks.known_coros, 0, sizeof(image.walk.tasks.known_coros));
	image_put64(&image, AT_THREAD + image.walk.in.plan.ts_task, AT_OBJECT(OTHER));
	image_walk(&image);
	check_task(FIRST, RUNNING, WP_PYTHON_TASK);
}

static void test_awaiting(void)
{
	for (enum family family = PY311; family < FAMILIES; family++) {
		init(family);
		put_awaiting(family);
		image_walk(&image);
		check_task(FIRST, RUNNING, WP_PYTHON_TASK);
		CHECK_U64(image.slots[FIRST + 1].addr, AT_CODE);
		CHECK(image.slots[FIRST + 1].lasti == 12);
		CHECK_U64(image.slots[FIRST + 2].addr, AT_CODE + 2 * 0x200);
		check_task(FIRST + 3, AWAITING, WP_PYTHON_TASK);
		check_rest(FIRST + 4);
	}
}

/* Two that await: the second one in the list of callbacks. */
static void test_several(void)
{
	init(PY313);
	put_awaiting(PY313);
	put_member(RUNNING, 3, put_object(CALLBACKS, LIST));
	put_member(CALLBACKS, 0, 1);
	put_member(CALLBACKS, 1, AT_NAME(CALLBACKS));
	image_put64(&image, AT_NAME(CALLBACKS), put_object(PAIR, TUPLE));
	put_member(PAIR, 0, 2);
	put_wake(WAKE_OTHER, OTHER);
	put_member(PAIR, 1, AT_OBJECT(WAKE_OTHER));
	image_walk(&image);
	check_task(FIRST + 3, AWAITING, WP_PYTHON_TASK_ONE);
	check_rest(FIRST + 4);

	init(PY314T);
	image_put64(&image, AT_OBJECT(RUNNING) + image.walk.in.plan.task_awaited_by,
		    put_object(KEPT, SET));
	put_member(KEPT, 2, 7);
	put_member(KEPT, 3, AT_NAME(KEPT));
	image_put64(&image, AT_NAME(KEPT) + 16 * 2, AT_OBJECT(AWAITING));
	image_put64(&image, AT_NAME(KEPT) + 16 * 5, AT_OBJECT(OTHER));
	image_walk(&image);
	check_task(FIRST + 3, AWAITING, WP_PYTHON_TASK_ONE);
	check_rest(FIRST + 4);
}

/* The chain ends with a word about it. */
static void check_end(uint32_t slot, uint32_t why)
{
	CHECK(image.slots[slot].lasti == WP_PYTHON_TASK_END);
	CHECK_U64(image.slots[slot].id, why);
	CHECK(image.walk.out.flags &
	      (why == WP_PYTHON_TASK_CUT ? WP_PYTHON_TASKS_CUT : WP_PYTHON_TASKS_UNKNOWN));
	check_rest(slot + 1);
}

/* gather()'s callback: a closure with the future that its caller awaits. */
static void put_gather(const char *qualname)
{
	init(PY313);
	put_member(RUNNING, 1, put_object(DONE, FUNCTION));
	put_member(DONE, 3, AT_NAME(QUALNAME));
	put_name(QUALNAME, qualname);
	put_member(DONE, 7, put_object(CLOSURE, TUPLE));
	put_member(CLOSURE, 0, 1);
	put_member(CLOSURE, 1, put_object(PAIR, CELL));
	put_member(PAIR, 0, put_object(GATHERED, FUTURE));
	put_wake(WAKE, AWAITING);
	put_member(GATHERED, 1, AT_OBJECT(WAKE));
	image_walk(&image);
}

static void test_gather(void)
{
	put_gather("gather.<locals>._done_callback");
	check_task(FIRST + 3, AWAITING, WP_PYTHON_TASK);
	check_rest(FIRST + 4);
	put_gather("gathers.<locals>.done_callback"); /* somebody's own */
	check_end(FIRST + 1, WP_PYTHON_TASK_UNKNOWN);
	put_gather("gather");
	check_end(FIRST + 1, WP_PYTHON_TASK_UNKNOWN);
	put_gather("_run_until_complete_cb"); /* no task waits */
	check_rest(FIRST + 1);
	/* A callback that is bound to a task, but not to wake it. */
	init(PY313);
	put_awaiting(PY313);
	image_put(&image, AT_NAME(DEFINITION), "cancel", 7);
	image_walk(&image);
	check_rest(FIRST + 1);
}

/* Tasks that await each other, and a coroutine that awaits itself. */
static void test_cycles(void)
{
	init(PY314T);
	put_awaiting(PY314T);
	image_put64(&image, AT_OBJECT(AWAITING) + image.walk.in.plan.task_awaited_by,
		    AT_OBJECT(RUNNING));
	put_coroutine(CORO_AWAITING, 2, 0, AT_OBJECT(CORO_AWAITING));
	image_walk(&image);
	CHECK_U64(image.walk.out.end, WP_PYTHON_COMPLETE);
	CHECK(image.walk.out.flags & WP_PYTHON_TASKS_CUT);
	CHECK(image.steps <= WP_PYTHON_STEPS && image.n < WP_PYTHON_TASK_STEPS + 8);
	/* The run is closed when its steps are used up. */
	image.walk.phase = WP_PYTHON_TASK_SEEK;
	image.walk.tasks.steps = WP_PYTHON_TASK_STEPS;
	wp_python_step(&image.walk);
	CHECK_U64(image.walk.phase, WP_PYTHON_FRAMES);
}

/* Each awaits the next one: not more than so many are followed. */
static void test_long_chain(void)
{
	init(PY314T);
	put_awaiting(PY314T);
	put_coroutine(CORO_AWAITING, 2, 0, 0);
	image_put64(&image, AT_OBJECT(AWAITING) + image.walk.in.plan.task_awaited_by,
		    AT_OBJECT(RUNNING));
	image_walk(&image);
	CHECK(image.walk.tasks.depth == WP_PYTHON_TASK_CHAIN);
	CHECK(image.walk.out.flags & WP_PYTHON_TASKS_CUT);
}

/* Where the name of a task written in Python is, before its coroutine or behind it. */
static void test_pure_slot(void)
{
	init(PY313);
	for (int words = -29; words < 30; words++) {
		uint64_t coro = AT_OBJECT(0) + 0x800, name = coro + (uint64_t)words * 8;
		uint64_t slot = wp_python_task_pure_slot(coro, name);

		CHECK_U64(wp_python_task_coro_at(&image.walk, slot), coro);
		CHECK_U64(wp_python_task_name_at(&image.walk, slot), name);
	}
}

static void capture(uint32_t task, int status)
{
	memset(&captured, 0, sizeof(captured));
	CHECK(wp_python_capture_met(&image.walk, AT_OBJECT(task) | WP_PYTHON_TASK_BIT,
				    wp_python_task_id(&image.walk, AT_OBJECT(task) | 1),
				    &captured) == status);
}

static void test_capture(void)
{
	uint32_t id;

	init(PY313);
	image_walk(&image);
	id = image.slots[FIRST].id;
	capture(RUNNING, 0);
	CHECK_U64(captured.head.id, id);
	CHECK_U64(captured.head.addr, AT_OBJECT(RUNNING) | WP_PYTHON_TASK_BIT);
	CHECK_U64(captured.head.first_line, 11);
	CHECK_U64(captured.head.name.length, 5);
	CHECK(memcmp(captured.data, "shortworker", 11) == 0);
	/* Renamed, it is another one. */
	put_name(RUNNING, "shirt");
	CHECK(wp_python_capture_met(&image.walk, AT_OBJECT(RUNNING) | WP_PYTHON_TASK_BIT, id,
				    &captured) == -1);
	CHECK(wp_python_task_id(&image.walk, AT_OBJECT(RUNNING) | 1) != id);
	/* A number: {lv_tag, digit} */
	image_put64(&image, AT_OBJECT(RUNNING) + image.walk.in.plan.task_name,
		    put_object(KEPT, INT));
	put_member(KEPT, 0, 1 << 3);
	put_member(KEPT, 1, 0xabcd000000000000ull | 1234);
	capture(RUNNING, 0);
	CHECK_U64(captured.head.lines_len, 1234);
	CHECK_U64(captured.head.name.width, 0);
	put_member(KEPT, 0, 2 << 3);
	capture(RUNNING, 1);
	image_put64(&image, AT_OBJECT(RUNNING) + image.walk.in.plan.task_coro, AT_NOTHING);
	capture(RUNNING, -1);
}

int main(void)
{
	RUN(test_running);
	RUN(test_thread_state);
	RUN(test_awaiting);
	RUN(test_several);
	RUN(test_gather);
	RUN(test_cycles);
	RUN(test_long_chain);
	RUN(test_pure_slot);
	RUN(test_capture);
	return check_done();
}
