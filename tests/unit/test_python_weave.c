/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * test_python_weave: stacks and slots written as words, and what they are woven to.
 *
 * Native frames, innermost first: a letter and the stack pointer (none: unknown). k kernel, n not
 * an evaluation loop, e and f evaluation loops of plan 0 and 1. Slots: T<plan> with the end's first
 * letter behind it, a small letter for a frame, M<address>, G the end of a greenlet. Woven: native
 * frames by place in the stack (n1), Python frames by letter; then what was counted.
 */
#include "base/str.h"
#include "check.h"
#include "runtime/python_weave.h"

#include <ctype.h>

#define LOOP 0x10000u /* each plan's loop starts at a multiple of it */

struct made {
	struct wp_stack stack;
	struct wp_python_slot slots[64];
	size_t n;
};

static const struct wp_python_eval loops[] = {{LOOP, LOOP + 0x1000, 0},
					      {2 * LOOP, 2 * LOOP + 0x800, 1},
					      {2 * LOOP + 0x800, 2 * LOOP + 0x1000, 1}};

static void make_stack(const char *words, struct wp_stack *ret)
{
	for (char *end; *words; words = end) {
		uint64_t ip = *words == 'e' ? LOOP : *words == 'f' ? 2 * LOOP : 0x500000;
		struct wp_stack_frame *frame = &ret->frames[ret->n_kernel + ret->n_user];

		if (*words == 'k')
			ret->n_kernel++;
		else
			ret->n_user++;
		frame->ip.v = ip + 0x800; /* of a caller: the last address of f's first half */
		frame->sp = strtoull(words + 1, &end, 0);
		end += strspn(end, " ");
	}
}

static enum wp_python_end end_of(char letter)
{
	static const char letters[] = "ctfpudxl";
	const char *at = letter ? strchr(letters, letter) : NULL;

	return at ? (enum wp_python_end)(at - letters) : WP_PYTHON_COMPLETE;
}

/* "T0" complete; "T0p" partial, "T0r" repaired, u unreadable, x cut ... */
static void make_slot(const char *word, struct wp_python_slot *ret)
{
	*ret = (struct wp_python_slot){.addr = (uint64_t)*word, .lasti = 2};
	if (*word == 'M')
		*ret = (struct wp_python_slot){strtoull(word + 1, NULL, 0), WP_PYTHON_MARK, 0};
	if (*word == 'G')
		ret->lasti = WP_PYTHON_GREENLET;
	if (*word != 'T')
		return;
	bool repaired = word[1] && word[2] == 'r';
	enum wp_python_end end = repaired ? WP_PYTHON_PARTIAL : end_of(word[1] ? word[2] : 0);

	*ret = (struct wp_python_slot){
		.lasti = WP_PYTHON_THREAD,
		.id = WP_PYTHON_THREAD_ID((uint32_t)(word[1] - '0'), (uint32_t)end) |
		      (repaired ? WP_PYTHON_REPAIRED : 0)};
}

static void print(const struct made *made, const struct wp_woven *woven, struct wp_str *ret)
{
	for (size_t i = 0; i < woven->n; i++) {
		const struct wp_woven_frame *f = &woven->frames[i];

		if (f->kind == WP_WOVEN_NATIVE)
			wp_str_printf(ret, "%s%c%u", i ? " " : "",
				      f->index < made->stack.n_kernel		      ? 'k'
				      : made->stack.frames[f->index].ip.v >= 0x500000 ? 'n'
				      : made->stack.frames[f->index].ip.v >= 2 * LOOP ? 'f'
										      : 'e',
				      f->index);
		else
			wp_str_printf(ret, "%s%c", i ? " " : "", (char)made->slots[f->index].addr);
	}
	if (woven->unbound)
		wp_str_printf(ret, " unbound=%zu", woven->unbound);
	if (woven->missing)
		wp_str_printf(ret, " missing=%zu", woven->missing);
}

enum { MARKS, OBJECTS, LOOPS = 2, CUT = 4 };

static const char *woven(const char *native, const char *slots, int how)
{
	static char text[1024];
	static struct wp_woven ret; /* its memory is used again, as sources do */
	uint32_t flags = how & OBJECTS ? WP_PYTHON_FRAME_OBJECTS : WP_PYTHON_ENTRY_FRAMES;
	struct wp_python_evals evals = {loops, WP_ARRAY_LEN(loops), {flags, flags}};
	wp_autofree struct made *made = wp_calloc(1, sizeof(*made));
	struct wp_str str = {0};

	make_stack(native, &made->stack);
	made->stack.end = how & CUT ? WP_STACK_CUT : WP_STACK_COMPLETE;
	while (*slots) {
		make_slot(slots, &made->slots[made->n++]);
		slots += strcspn(slots, " ");
		slots += strspn(slots, " ");
	}
	wp_python_weave(&made->stack, made->slots, made->n, &evals, how & LOOPS, &ret);
	print(made, &ret, &str);
	snprintf(text, sizeof(text), "%s", str.len ? str.s : "");
	wp_str_deinit(&str);
	return text;
}

static void test_by_marks(void)
{
	/* A callback: b called sorted(), which called a. */
	CHECK_STR(woven("n10 e20 n30 n40 e50 n60 n70", "T0 a M25 b c M55", MARKS),
		  "n0 a n2 n3 b c n5 n6");
	CHECK_STR(woven("n10 e20 n30 n40 e50 n60 n70", "T0 a M25 b c M55", LOOPS),
		  "n0 a e1 n2 n3 b c e4 n5 n6");
	/* The first and the last address of a frame. */
	CHECK_STR(woven("n10 e20 n30 e50 n60", "T0 a M20 b M59", MARKS), "n0 a n2 b n4");
	/* The program counter in the loop itself. */
	CHECK_STR(woven("e20 n30", "T0 a b c M25", MARKS), "a b c n1");
	CHECK_STR(woven("k k e20 n30", "T0 a M25", MARKS), "k0 k1 a n3");
}

/* Greenlets that wait have no native frames: they stand behind those of the one that runs. */
static void test_greenlets(void)
{
	CHECK_STR(woven("n10 e20 n30 n40", "T0 a M25 G b c G d", MARKS), "n0 a n2 n3 G b c G d");
	CHECK_STR(woven("n e n n", "T0 a M25 G b c", MARKS), "n0 a n2 n3 G b c");
	CHECK_STR(woven("n10 e20 n30 f40 n50", "T0 a M25 G b T1 c M45", MARKS), "n0 a n2 c n4 G b");
	CHECK_STR(woven("n10 e20 n30", "T0 a M25 G", CUT), "n0 a n2 G");
}

static void test_activations_without_a_run(void)
{
	/* Prologue and epilogue: normal where it is the innermost one. */
	CHECK_STR(woven("e10 n20 e30 n40", "T0 a M35", MARKS), "n1 a n3");
	CHECK_STR(woven("e10 n20 e30 n40", "T0 a M35", LOOPS), "e0 n1 a e2 n3");
	CHECK_STR(woven("n5 e10 n20 e30 n40 e50", "T0 a M15 b M55", MARKS),
		  "n0 a n2 n4 b missing=1");
	/* A frame that returned is being cleared: a run without frames is its activation. */
	CHECK_STR(woven("n5 e10 n20 e30 n40", "T0 M15 b M35", MARKS), "n0 n2 b n4");
	CHECK_STR(woven("n5 e10 n20 e30 n40 e50", "T0 a M15 M35 b M55", MARKS), "n0 a n2 n4 b");
	/* The loop is all that is known of Python code where no frame could be read. */
	CHECK_STR(woven("n5 e10 n20 e30", "T0u", MARKS), "n0 e1 n2 e3 missing=1");
	CHECK_STR(woven("n5 e10 n20 e30", "", MARKS), "n0 e1 n2 e3 missing=1");
	CHECK_STR(woven("n5 e10 n20 e30", "T0f", OBJECTS), "n0 e1 n2 e3 missing=1");
}

static void test_missing_frames(void)
{
	/* The generator's frame is cut from its callers: it belongs to the next activation. */
	CHECK_STR(woven("n5 e10 n20 e30 n40", "T0p a", MARKS), "n0 a n2 e3 n4 missing=1");
	CHECK_STR(woven("n5 e10 n20 e30 n40 e50", "T0x a M15 b c", MARKS),
		  "n0 a n2 b c n4 e5 missing=1");
	/* Only the innermost one may be missing. */
	CHECK_STR(woven("e10 n20 e30 n40", "T0r a M35", MARKS), "n1 a n3");
	/* By number, the outer end is not to be relied on. */
	CHECK_STR(woven("n5 e10 n20 e30 n40 e50 n60", "T0u a b", OBJECTS),
		  "n0 a n2 b n4 e5 n6 missing=1");
}

static void test_cut_native_stacks(void)
{
	CHECK_STR(woven("n10 e20 n30", "T0 a M25 b M55 c M95", CUT), "n0 a n2 b c unbound=2");
	/* The last frame's caller is not known, but an evaluation loop is no giant. */
	CHECK_STR(woven("n10 e20", "T0 a M25 b M99999", CUT), "n0 a b unbound=1");
	CHECK_STR(woven("n10 n20", "T0 a M25", CUT), "n0 n1 a unbound=1");
	CHECK_STR(woven("n10 e20 n30 e40", "T0 a b c", OBJECTS | CUT), "n0 a n2 b c unbound=1");
	/* Native stacks that were not asked for. */
	CHECK_STR(woven("", "T0 a M25 b c M55", MARKS), "a b c unbound=2");
	CHECK_STR(woven("k k", "T0 a M25 b c M55", CUT), "k0 k1 a b c unbound=2");
	CHECK_STR(woven("k", "T0 a b", OBJECTS), "k0 a b unbound=2");
	CHECK_STR(woven("e", "T0 a b M25 c M55", CUT), "a b c unbound=1");
	CHECK_STR(woven("n", "T0 a M25", CUT), "n0 a unbound=1");
	CHECK_STR(woven("", "", MARKS), "");
	CHECK_STR(woven("k n n", "", MARKS), "k0 n1 n2");
}

static void test_by_number(void)
{
	CHECK_STR(woven("n10 e20 n30 e40 n50", "T0 a b", OBJECTS), "n0 a n2 b n4");
	/* 2.7 calls the loop from the loop. */
	CHECK_STR(woven("n10 e20 e30 e40 n50", "T0 a b c", OBJECTS), "n0 a b c n4");
	CHECK_STR(woven("n10 e20 e30 e40 n50", "T0 a b c", OBJECTS | LOOPS),
		  "n0 a e1 b e2 c e3 n4");
	/* Entered but not linked yet; or unlinked but not left. */
	CHECK_STR(woven("e20 n30 e40 n50", "T0 b", OBJECTS), "n1 b n3");
	/* Linked, but the activation was not seen. */
	CHECK_STR(woven("n10 n20 e40 n50", "T0 a b", OBJECTS), "n0 n1 a b n3 unbound=1");
	/* The stack goes on in another interpreter, or in the greenlet that started this one. */
	CHECK_STR(woven("n5 e20 n30 e40 n50", "T0 b", OBJECTS), "n0 b n2 n4 missing=1");
	CHECK_STR(woven("e20 n30 e40 n50 e60", "T0 b", OBJECTS), "b n1 n3 missing=2");
	CHECK_STR(woven("n5 e20 n30 e40 n50", "T0 a T0 b", OBJECTS), "n0 a n2 b n4");
	CHECK_STR(woven("n10 n20", "T0 a b", OBJECTS), "n0 n1 a b unbound=2");
}

/* Chains of frame pointers come without stack pointers. */
static void test_marks_by_number(void)
{
	CHECK_STR(woven("n e n e n", "T0 a M25 b c M55", MARKS), "n0 a n2 b c n4");
	CHECK_STR(woven("e n e n", "T0 b c M55", MARKS), "n1 b c n3");
	CHECK_STR(woven("n e n e n", "T0 M25 b c M55 M999", MARKS), "n0 n2 b c n4");
	CHECK_STR(woven("n e n", "T0 a M25 b c M55", CUT), "n0 a n2 b c unbound=1");
}

static void test_several_interpreters(void)
{
	/* Two libpythons, the first one called by the second. */
	CHECK_STR(woven("n5 e10 n20 f30 n40", "T0 a M15 T1 b M35", MARKS), "n0 a n2 b n4");
	CHECK_STR(woven("n5 f10 n20 e30 n40", "T0 a M35 T1 b M15", MARKS), "n0 b n2 a n4");
	CHECK_STR(woven("n5 f10 n20 e30 n40", "T0 a T1 b", OBJECTS), "n0 b n2 a n4");
	/* Frames of one never explain a loop of the other. */
	CHECK_STR(woven("n5 e10 n20 f30 n40", "T1 b M35", MARKS), "n0 e1 n2 b n4");
	CHECK_STR(woven("n5 e10 n20 f30 n40", "T0 a T1f", OBJECTS), "n0 a n2 f3 n4 missing=1");
	/* Subinterpreters: thread states that take turns on one stack. */
	CHECK_STR(woven("n5 e10 n20 e30 n40 e50 n60", "T0 a M15 c M55 T0 b M35", MARKS),
		  "n0 a n2 b n4 c n6");
}

static void test_other_evaluators(void)
{
	/* PEP 523: an extension's own loop holds the mark. */
	CHECK_STR(woven("n10 n20 n30 e40 n50", "T0 a M25 b M45", MARKS), "n0 a n2 b n4");
	CHECK_STR(woven("n10 n20 n30 e40 n50", "T0 a M25 b M45", LOOPS), "n0 a n1 n2 b e3 n4");
	CHECK_STR(woven("n10 n20 n30 e40 n50", "T0 M25 b M45", MARKS), "n0 n1 n2 b n4");
	/* Tail calls: an opcode's function and the loop that started it are one activation. */
	CHECK_STR(woven("n5 e10 e12 n20 e30 e32 n40", "T0 a M15 b M35", MARKS), "n0 a n3 b n6");
	CHECK_STR(woven("e10 e12 n20 e30 e32 n40", "T0 a M15 b M35", LOOPS),
		  "a e0 e1 n2 b e3 e4 n5");
}

static void test_other_stacks(void)
{
	/* A coroutine library's stack lies above the thread's. */
	CHECK_STR(woven("n900 e910 n920 n10 e20 n30", "T0 a M915 b M25", MARKS), "n0 a n2 n3 b n5");
	CHECK_STR(woven("n10 e20 n30 n900 e910 n920", "T0 a M25 b M915", MARKS), "n0 a n2 n3 b n5");
	/* The native stack ends with it. */
	CHECK_STR(woven("n900 e910 n920", "T0 a M915 b M25", CUT), "n0 a n2 b unbound=1");
	/* arm64: a function without a frame has its caller's stack pointer. */
	CHECK_STR(woven("n20 e20 n30", "T0 a M20", MARKS), "n0 a n2");
	CHECK_STR(woven("n10 e20 n e30 n40", "T0 a M25 b M35", MARKS), "n0 a n2 b n4");
}

static void test_hostile_slots(void)
{
	/* Marks out of order: the chain's order holds. */
	CHECK_STR(woven("n10 e20 n30 e40 n50", "T0 a M45 b M25 c", MARKS),
		  "n0 n2 a n4 b c unbound=2");
	CHECK_STR(woven("n10 e20 n30", "a b M25", MARKS), "n0 a b n2");
	CHECK_STR(woven("n10 e20 n30", "T9 a M25", MARKS), "n0 a n2");
	CHECK_STR(woven("n10 e20 n30", "T0 a M0 b M18446744073709551615", MARKS),
		  "n0 n2 a b unbound=2");
	CHECK_STR(woven("n10 e20 n30", "T0 T0 T0 T1 T0 T0 T1 T0 T0 T1 T0 a M25", MARKS), "n0 a n2");
	CHECK_STR(woven("n10 e20 n30", "M M M T0 M25 M25 M25 a M25", MARKS), "n0 a n2");
	CHECK_STR(woven("n10 e20 n30", "T0 M1 a M2 M3", OBJECTS), "n0 a n2");
}

int main(void)
{
	RUN(test_by_marks);
	RUN(test_greenlets);
	RUN(test_activations_without_a_run);
	RUN(test_missing_frames);
	RUN(test_cut_native_stacks);
	RUN(test_by_number);
	RUN(test_marks_by_number);
	RUN(test_several_interpreters);
	RUN(test_other_evaluators);
	RUN(test_other_stacks);
	RUN(test_hostile_slots);
	return check_done();
}
