/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * profile_fixture: a small profile made by hand, for tests of exports: two events on three threads,
 * Python between native code, an inlined function, code without a symbol, hostile names.
 *
 *	_start -> main -> (inlined) step -> spin
 *	_start -> main -> fib (app.py) line 3 -> fib line 3
 *	libx.so at 0x40 and at 0x80, both without a symbol
 */
#ifndef WP_PROFILE_FIXTURE_H
#define WP_PROFILE_FIXTURE_H

#include "core/profile.h"

#define FIXTURE_HOSTILE "a\"b\\c\n\xff\x01<&>;\xe2\x82\xac"

enum { FIXTURE_APP, FIXTURE_LIBX, FIXTURE_SOURCE };
enum {
	FRAME_START,
	FRAME_MAIN,
	FRAME_STEP,
	FRAME_SPIN,
	FRAME_FIB,
	FRAME_X40,
	FRAME_X80,
	FRAME_ODD
};

static inline void fixture_frame(struct wp_profile *p, const char *name, enum wp_symbol_kind kind,
				 uint32_t module, uint64_t rva)
{
	wp_vec_push(&p->frames, (struct wp_profile_frame){
					.name = name,
					.kind = kind,
					.symbol = (uint32_t)p->frames.n,
					.module = module,
					.rva = {rva},
				});
}

static inline uint32_t fixture_stack(struct wp_profile *p, uint32_t caller, uint32_t frame)
{
	wp_vec_push(&p->stacks, (struct wp_profile_stack){caller, frame});
	return (uint32_t)(p->stacks.n - 1);
}

static inline void fixture_sample(struct wp_profile *p, uint64_t time_ns, uint64_t weight,
				  uint32_t event, uint32_t thread, uint32_t stack)
{
	wp_vec_push(&p->samples, (struct wp_profile_sample){.time_ns = time_ns,
							    .weight = weight,
							    .event = event,
							    .thread = thread,
							    .stack = stack});
}

static inline void fixture_frames(struct wp_profile *p)
{
	fixture_frame(p, "_start", WP_SYMBOL_NATIVE, FIXTURE_APP, 0x1000);
	fixture_frame(p, "main", WP_SYMBOL_NATIVE, FIXTURE_APP, 0x1100);
	fixture_frame(p, "step", WP_SYMBOL_INLINE, FIXTURE_APP, 0x1100);
	fixture_frame(p, "spin", WP_SYMBOL_NATIVE, FIXTURE_APP, 0x1200);
	fixture_frame(p, "fib", WP_SYMBOL_PYTHON, FIXTURE_SOURCE, 0);
	fixture_frame(p, "unknown", WP_SYMBOL_NATIVE, FIXTURE_LIBX, 0x40);
	fixture_frame(p, "unknown", WP_SYMBOL_NATIVE, FIXTURE_LIBX, 0x80);
	fixture_frame(p, FIXTURE_HOSTILE, WP_SYMBOL_KERNEL, WP_NO_MODULE, 0);
	p->frames.v[FRAME_X40].reason = p->frames.v[FRAME_X80].reason = WP_SYMBOL_STRIPPED;
	p->frames.v[FRAME_X80].symbol = p->frames.v[FRAME_X40].symbol;
	p->frames.v[FRAME_MAIN].file = p->frames.v[FRAME_STEP].file = "main.c";
	p->frames.v[FRAME_MAIN].line = 12;
	p->frames.v[FRAME_MAIN].first_line = 10;
	p->frames.v[FRAME_MAIN].start.v = 0x10f0;
	p->frames.v[FRAME_MAIN].size = 0x80;
	p->frames.v[FRAME_STEP].line = 5;
	p->frames.v[FRAME_FIB].file = "app.py";
	p->frames.v[FRAME_FIB].line = 3;
	p->frames.v[FRAME_FIB].first_line = 2;
}

static inline void fixture_samples(struct wp_profile *p)
{
	uint32_t start = fixture_stack(p, WP_NO_STACK, FRAME_START);
	uint32_t in_main = fixture_stack(p, start, FRAME_MAIN);
	uint32_t step = fixture_stack(p, in_main, FRAME_STEP);
	uint32_t spin = fixture_stack(p, step, FRAME_SPIN);
	uint32_t fib = fixture_stack(p, in_main, FRAME_FIB);
	uint32_t deeper = fixture_stack(p, fib, FRAME_FIB);
	uint32_t x40 = fixture_stack(p, WP_NO_STACK, FRAME_X40);
	uint32_t x80 = fixture_stack(p, x40, FRAME_X80);
	uint32_t odd = fixture_stack(p, WP_NO_STACK, FRAME_ODD);

	fixture_sample(p, 0, 1000000, 0, 0, spin);
	fixture_sample(p, 1000100, 1000000, 0, 0, spin);
	fixture_sample(p, 1500000, 1000000, 0, 1, x80);
	fixture_sample(p, 2000100, 1000000, 0, 0, fib);
	fixture_sample(p, 2100000, 50, 1, 0, deeper);
	fixture_sample(p, 3000100, 1000000, 0, 0, deeper);
	fixture_sample(p, 9000000, 1000000, 0, 0, odd);
	fixture_sample(p, 9000500, 1000000, 0, 2, WP_NO_STACK);
}

static inline void fixture_init(struct wp_profile *p)
{
	*p = (struct wp_profile){.command = "app --fast",
				 .host = "here",
				 .arch = "x86_64",
				 .start_unix_ns = 1700000000123456789};
	wp_vec_push(&p->modules,
		    (struct wp_profile_module){"app", "/bin/app",
					       "00112233445566778899aabbccddeeff01020304"});
	wp_vec_push(&p->modules, (struct wp_profile_module){"libx.so", "/lib/libx.so", ""});
	wp_vec_push(&p->modules, (struct wp_profile_module){"app.py", "app.py", ""});
	fixture_frames(p);
	wp_vec_push(&p->threads, (struct wp_profile_thread){10, 10, "app", "app", 0, 9000000});
	wp_vec_push(&p->threads,
		    (struct wp_profile_thread){10, 11, "work", "app", 1500000, 1500000});
	wp_vec_push(&p->threads, (struct wp_profile_thread){20, 20, "", "", 9000500, 9000500});
	wp_vec_push(&p->events, (struct wp_profile_event){"cpu-clock", true});
	wp_vec_push(&p->events, (struct wp_profile_event){"page-faults", false});
	fixture_samples(p);
}

/* One sample without a stack, of a thread without names. */
static inline void fixture_bare(struct wp_profile *p)
{
	*p = (struct wp_profile){.command = "", .host = "", .arch = ""};
	wp_vec_push(&p->events, (struct wp_profile_event){"cycles", false});
	wp_vec_push(&p->threads, (struct wp_profile_thread){1, 2, "", "", 0, 0});
	wp_vec_push(&p->samples, (struct wp_profile_sample){.weight = 7, .stack = WP_NO_STACK});
}

static inline void fixture_deinit(struct wp_profile *p)
{
	wp_vec_deinit(&p->modules);
	wp_vec_deinit(&p->frames);
	wp_vec_deinit(&p->stacks);
	wp_vec_deinit(&p->threads);
	wp_vec_deinit(&p->events);
	wp_vec_deinit(&p->measures);
	wp_vec_deinit(&p->samples);
}

#endif
