/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_state: a walk of Python frames in progress, and how its parts read memory.
 *
 * Walk, shared with BPF: part of walk/python_walk.inc.h, which says what the includer defines.
 */
#ifndef WP_PYTHON_STATE_H
#define WP_PYTHON_STATE_H

#include "walk/python_id.h"
#include "core/python_plan.h"
#include "walk/python_task_state.inc.h"

/* BPF wants all of it in one function; in user space that takes a compiler eight seconds. */
#ifdef __bpf__
#define WP_PYTHON_FN static inline __attribute__((always_inline, unused))
#else
#define WP_PYTHON_FN static inline __attribute__((unused))
#endif

#define WP_PYTHON_PAGE	     4096
#define WP_PYTHON_PAGE_WORDS (WP_PYTHON_PAGE / 8)
#define WP_PYTHON_NOWHERE    1 /* no address of anything: all are aligned */

/* Words of a frame, a thread state and a code object that are looked at; powers of two. */
#define WP_PYTHON_FRAME_WORDS  16
#define WP_PYTHON_THREAD_WORDS 32
#define WP_PYTHON_CODE_WORDS   (WP_PYTHON_CODE_MAX / 8)

#define WP_PYTHON_CONTENT_WORDS 16 /* of a text that are looked at, at most; a power of two */

#define WP_PYTHON_OF_GENERATOR 1 /* _PyInterpreterFrame.owner */

#define WP_PYTHON_REGS	     32
#define WP_PYTHON_RECENT     256  /* code objects whose identity is remembered */
#define WP_PYTHON_LIST_MAX   8192 /* interpreters and thread states that are looked through */
#define WP_PYTHON_STEP_SLOTS 2
#define WP_PYTHON_CHAINS     8	  /* thread states of one thread that are walked */
#define WP_PYTHON_OTHERS_MAX 1024 /* interpreters and thread states: others are among them */
#define WP_PYTHON_STEPS                                                                       \
	(WP_PYTHON_SLOTS + WP_PYTHON_LIST_MAX + WP_PYTHON_TASK_STEPS + WP_PYTHON_OTHERS_MAX + \
	 WP_PYTHON_CHAINS * (2 * WP_PYTHON_REGS + 8))
#define WP_PYTHON_KEYS 1024 /* PTHREAD_KEYS_MAX; in blocks of 32 */

/* A cframe that lies in the stack frame of a prologue, where its size is not known (bytes). */
#define WP_PYTHON_PROLOGUE_FRAME 1024

/* For loops whose turns are few: BPF's verifier need not follow them. */
#ifdef __bpf__
#define WP_PYTHON_UNROLL _Pragma("unroll")
#else
#define WP_PYTHON_UNROLL
#endif

/* Keeps an index in bounds; the verifier of BPF must see it on the very copy that is used. */
#ifdef __bpf__
#define WP_PYTHON_MASK(index, mask) asm volatile("%0 &= %1" : "+r"(index) : "i"(mask))
#else
#define WP_PYTHON_MASK(index, mask) ((index) &= (mask))
#endif

enum wp_python_phase {
	WP_PYTHON_FIND,	    /* the thread state */
	WP_PYTHON_LIST,	    /* the same, among all thread states */
	WP_PYTHON_ENTER,    /* from the thread state to the innermost frame */
	WP_PYTHON_PROLOGUE, /* the same, while the evaluation loop is being entered */
	WP_PYTHON_YIELD,    /* a generator is being left: where to, is in a register */
	WP_PYTHON_PUSHED,   /* a frame is being entered: who called it, is in a register */
	WP_PYTHON_FRAMES,
	/* Behind the outermost coroutine of a run (walk/python_task.inc.h). */
	WP_PYTHON_TASK_RUNNING,	 /* the task that runs it, where the thread state says */
	WP_PYTHON_TASK_SELF,	 /* the same, in the frame of the function that resumed it */
	WP_PYTHON_TASK_SEEK,	 /* the same, on the stack */
	WP_PYTHON_TASK_SHOW,	 /* a task was found */
	WP_PYTHON_TASK_AWAITERS, /* the tasks that await it */
	WP_PYTHON_TASK_ITEMS_OF, /* the same, in a tuple, a list or a set */
	WP_PYTHON_TASK_LOOK,	 /* attributes of an object of a class written in Python */
	WP_PYTHON_TASK_INWARDS,	 /* the coroutines that one of them is in */
	WP_PYTHON_TASK_OUTWARDS, /* the same, to be put */
	/* Behind the outermost frame of a greenlet (walk/python_greenlet.inc.h). */
	WP_PYTHON_GREENLET_SEEK,   /* the greenlet that runs, on the stack */
	WP_PYTHON_GREENLET_SHOW,   /* it, or one that waits for it, ends here */
	WP_PYTHON_GREENLET_PARENT, /* who waits for that */
	WP_PYTHON_GREENLET_FRAMES, /* its frames */
	WP_PYTHON_OTHERS,	   /* has the thread states of other interpreters, too? */
	WP_PYTHON_OTHERS_LIST,	   /* the same, one by one */
	WP_PYTHON_UNFIT,	   /* the plan asks for more than is read */
	WP_PYTHON_ENDED,
};

/* What tells one code object from another at the same address; with walk/python_content.inc.h. */
struct wp_python_traits {
	__u64 name, filename, lines;
	__u32 first_line;
	__u32 version; /* 0: not numbered */
};

/* A code object that was met: what it held then, and what that makes it. */
struct wp_python_recent {
	__u64 code, name, filename, lines;
	__u32 first_line;
	__u32 id;
	__u32 walk;	/* that it was read in last */
	__u32 text_end; /* of its file's name */
	__u64 told;	/* the audience that knows of it */
	__u64 content;	/* so that each is a line of the cache */
};

/* Since which walk no code object can have been made (walk/python_known.inc.h). */
struct wp_python_known {
	__u64 audience, now; /* of the last walk that asked */
	__u32 count;	     /* that it met; 0: none */
	__u32 since;	     /* the walk */
};

/*
 * What a walk is told before wp_python_begin(). All-zero but for the plan is a good beginning; for
 * the next sample nothing else need be cleared.
 */
struct wp_python_walk_in {
	struct wp_python_plan plan;
	__u32 index;	      /* of the plan in its process */
	__u32 want_gil;	      /* whether the GIL was held costs reads */
	__u32 want_tasks;     /* so do asyncio's tasks */
	__u64 futex;	      /* that the thread waits at; 0: at none, or not known */
	__u64 thread_pointer; /* fs base, tpidr_el0 */
	__u64 teb;    /* gs base: where a thread of a Windows program has its TEB; 0: not known */
	__u64 alone;  /* no other thread is in the process: every state is this one's */
	__u64 words;  /* two reads of a word cost less than one of a block */
	__u64 ip, sp; /* user registers at the sample */
	__u64 cfa;    /* of the innermost native frame; 0: not known */
	/* Of the next evaluation loop outwards; 0: not known, or (no_outer) there is none. */
	__u64 outer_cfa;
	__u32 no_outer, n_regs;
	__u64 regs[WP_PYTHON_REGS]; /* the general registers at the sample, in any order */
	__u64 hint; /* a thread state that may be the thread's (found by list before) */
	/* Who is told of code objects; once it says so, not again while they are the same. */
	__u64 audience;
	__u64 now; /* the time, in ns of a clock that never goes back; 0: not known */
	__u32 key; /* the pthread key + 1; 0: to be read, and then it is here */
};

/* What a walk says of itself when it has ended; its frames went to wp_python_put(). */
struct wp_python_walk_out {
	__u32 end;   /* enum wp_python_end */
	__u32 flags; /* WP_PYTHON_GIL_KNOWN ... */
	__u64 found; /* the thread state that the thread names itself */
};

/* A walk in progress. What is neither in nor out is the walk's own; it may be used again. */
struct wp_python_walk {
	struct wp_python_walk_in in;
	struct wp_python_walk_out out;
	__u32 told; /* set by wp_python_meet(): no need to tell this audience again */
	__u32 phase, steps, listed;
	__u32 after;	 /* the phase behind the end of a chain */
	__u32 chains;	 /* THREAD slots that were put */
	__u32 all_steps; /* of the chains before */
	__u64 outermost; /* out.found, when it is to be walked behind the others */
	__u64 thread;	 /* the one that is walked */
	__u64 current, interpreter, next_thread;
	__u64 frame;	/* the next one */
	__u64 cframe;	/* 3.11, 3.12: that it hangs on */
	__u64 outer;	/* the cframe of the next evaluation loop outwards; 0: none */
	__u64 caller;	/* the frame that runs there, as the entry frame says; 0: it does not */
	__u32 in_run;	/* frames since the last mark */
	__u32 repaired; /* the innermost cframe was passed over */
	__u32 marks;
	__u32 candidate;     /* registers looked at; WP_PYTHON_REGS + 1: one of them was it */
	__u64 pushed, named; /* a frame that is being entered, and the caller that it names */
	__u64 tortoise;	     /* Brent: the frame that a cycle would meet again */
	__u32 lap, power;
	__u32 walk; /* number of this walk, for `recent` */
	struct wp_python_known known;
	__u64 heads[2]; /* {head, main} of struct pyinterpreters */
	__u32 frame_base, frame_bytes, thread_bytes;
	struct wp_python_tasks tasks;
	__u64 page_at, page_next; /* what `page` is a copy of, and what it will become one of */
	__u32 page_bytes;	  /* of it, from its beginning */
	__u32 at;		  /* the word of `page` that the frame in hand begins at */
	__u64 thread_at;	  /* what `state` is a copy of */
	__u64 looked[WP_PYTHON_CONTENT_WORDS]; /* by wp_python_words() */
	__u64 file, file_sum; /* a file's name that was looked at in this walk: callers share it */
	__u64 state[WP_PYTHON_THREAD_WORDS];
	__u64 code[WP_PYTHON_CODE_WORDS];
	struct wp_python_recent recent[WP_PYTHON_RECENT];
	/* Behind the page, a frame that was read alone. */
	__u64 page[2 * WP_PYTHON_PAGE_WORDS];
};

static int wp_python_read(struct wp_python_walk *w, void *to, __u32 bytes, __u64 from);
static void wp_python_put(struct wp_python_walk *w, __u64 addr, __s32 lasti, __u32 id);
static void wp_python_meet(struct wp_python_walk *w, __u64 code, __u32 id);

/* An address that structures may have: in user space's half, not in the first page, aligned. */
WP_PYTHON_FN int wp_python_sane(__u64 addr)
{
	return !(addr & 7) && addr - WP_PYTHON_PAGE < (1ull << 56);
}

WP_PYTHON_FN int wp_python_read_word(struct wp_python_walk *w, __u64 addr, __u64 *ret)
{
	return wp_python_sane(addr) ? wp_python_read(w, ret, sizeof(*ret), addr) : -1;
}

/* Makes w->looked what is at an address, which need not be a multiple of eight. */
WP_PYTHON_FN int wp_python_read_words(struct wp_python_walk *w, __u64 from, __u32 n)
{
	__u64 bytes = n * 8;

	if (!wp_python_sane(from & ~7ull))
		return -1;
	WP_PYTHON_MASK(bytes, 2 * WP_PYTHON_CONTENT_WORDS * 8 - 1);
	return bytes > sizeof(w->looked) ? -1 : wp_python_read(w, w->looked, (__u32)bytes, from);
}

/*
 * What the two compilations differ in. A walk is told what to do by w->in, but BPF's verifier
 * follows both ways of a branch on what is in memory, so that these must be known to it:
 *
 * - Whether there are walks that ask for tasks: else it looks at three times as many instructions
 *   of each program, and loading one takes three times as long. `config` is a constant to it.
 * - That the stack is not searched (walk/python_outer.inc.h): it refuses the program ("The sequence
 *   of 8193 jumps is too complex").
 *
 * And single words, which the kernel can look at for less than a read, no process can.
 */
#ifdef __bpf__
static int wp_python_may_task(void);
static int wp_python_words(struct wp_python_walk *w, __u64 from, __u32 n);
static int wp_python_glance(struct wp_python_walk *w, const struct wp_python_recent *recent);
static int wp_python_look_at_frame(struct wp_python_walk *w, __u64 frame);

WP_PYTHON_FN int wp_python_may_seek(void)
{
	return 0;
}
#else
WP_PYTHON_FN int wp_python_may_task(void)
{
	return 1;
}

WP_PYTHON_FN int wp_python_may_seek(void)
{
	return 1;
}

WP_PYTHON_FN int wp_python_words(struct wp_python_walk *w, __u64 from, __u32 n)
{
	return wp_python_read_words(w, from, n);
}

WP_PYTHON_FN int wp_python_glance(struct wp_python_walk *w, const struct wp_python_recent *recent)
{
	(void)w, (void)recent;
	return 0;
}

WP_PYTHON_FN int wp_python_look_at_frame(struct wp_python_walk *w, __u64 frame)
{
	(void)w, (void)frame;
	return 0;
}
#endif

/* Makes a frame the one in hand: it alone, read behind the page. */
WP_PYTHON_FN int wp_python_load_alone(struct wp_python_walk *w, __u64 frame)
{
	__u32 bytes = w->frame_bytes;

	w->at = WP_PYTHON_PAGE_WORDS;
	if (bytes > WP_PYTHON_FRAME_WORDS * 8)
		return -1;
	if (w->in.words && wp_python_look_at_frame(w, frame))
		return 0;
	return wp_python_read(w, w->page + WP_PYTHON_PAGE_WORDS, bytes, frame + w->frame_base);
}

/* The word at a byte offset of a frame (from frame_base on), a thread state, a code object. */
WP_PYTHON_FN __u64 wp_python_frame_word(const struct wp_python_walk *w, __u32 offset)
{
	__u64 i = w->at + ((offset - w->frame_base) >> 3);

	WP_PYTHON_MASK(i, 2 * WP_PYTHON_PAGE_WORDS - 1);
	return w->page[i];
}

WP_PYTHON_FN __u64 wp_python_thread_word(const struct wp_python_walk *w, __u32 offset)
{
	__u64 i = offset >> 3;

	WP_PYTHON_MASK(i, WP_PYTHON_THREAD_WORDS - 1);
	return w->state[i];
}

WP_PYTHON_FN __u64 wp_python_code_word(const struct wp_python_walk *w, __u32 offset)
{
	__u64 i = offset >> 3;

	WP_PYTHON_MASK(i, WP_PYTHON_CODE_WORDS - 1);
	return w->code[i];
}

/* A 32-bit or smaller member, little-endian, in the low bits. */
WP_PYTHON_FN __u32 wp_python_part(__u64 word, __u32 offset)
{
	return (__u32)(word >> (offset & 7) * 8);
}

/* For places that end a chain: returns 1 when it was the last one, so that the walk has ended. */
WP_PYTHON_FN int wp_python_stop(struct wp_python_walk *w, __u32 end)
{
	w->out.end = end;
	w->phase = w->after;
	return w->after == WP_PYTHON_ENDED;
}

WP_PYTHON_FN __u32 wp_python_up_to(__u32 bytes, __u32 end)
{
	return end > bytes ? end : bytes;
}

#endif
