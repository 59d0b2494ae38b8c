/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz_exports: profiles made of arbitrary bytes, with arbitrary names, numbers and trees, in an
 * export: what comes out is JSON, gzipped messages of profile.proto, XML, or lines of their form.
 *
 * Input: 7 bytes, how many modules, frames, stacks, threads, events, samples and names there are;
 * the names, each ended by a NUL; then each thing in turn. Short input goes on with zeros.
 */
#include "../unit/export_check.h"
#include "../unit/text_check.h"

#include "aggregate/profile_frames.h"
#include "aggregate/profile_measures.h"
#include "aggregate/profile_paths.h"
#include "view/view.h"

#include <stdlib.h>

#define NAME_MAX_BYTES 64

struct input {
	struct wp_bytes b;
	WP_VEC(char *) names;
	struct wp_profile p;
	struct wp_arena arena;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *name(struct input *in)
{
	uint8_t at = wp_bytes_u8(&in->b);

	return in->names.n ? in->names.v[at % in->names.n] : "";
}

/* An index of n things, or none where that is allowed: one of two when there is nothing. */
static uint32_t pick(struct input *in, size_t n, uint32_t none)
{
	uint8_t at = wp_bytes_u8(&in->b);

	return at == 0xff || n == 0 ? none : (uint32_t)(at % n);
}

static void read_names(struct input *in, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const char *text = wp_bytes_str(&in->b, NAME_MAX_BYTES);

		wp_vec_push(&in->names, wp_strdup(text ? text : ""));
	}
}

static void read_frame(struct input *in)
{
	struct wp_profile_frame frame = {
		.name = name(in),
		.kind = wp_bytes_u8(&in->b) % (WP_SYMBOL_INLINE + 1),
		.reason = wp_bytes_u8(&in->b) % WP_SYMBOL_REASONS,
		.symbol = wp_bytes_u8(&in->b),
		.module = pick(in, in->p.modules.n, WP_NO_MODULE),
		.file = wp_bytes_u8(&in->b) & 1 ? name(in) : NULL,
		.line = wp_bytes_u32(&in->b),
		.first_line = wp_bytes_u16(&in->b),
		.rva = {wp_bytes_u64(&in->b)},
		.start = {wp_bytes_u64(&in->b)},
		.size = wp_bytes_u32(&in->b),
	};

	wp_vec_push(&in->p.frames, frame);
}

static void read_tables(struct input *in, const uint8_t counts[7])
{
	struct wp_profile *p = &in->p;

	for (size_t i = 0; i < counts[0] % 8; i++)
		wp_vec_push(&p->modules, (struct wp_profile_module){name(in), name(in), name(in)});
	for (size_t i = 0; i < 1u + counts[1] % 32; i++)
		read_frame(in);
	for (size_t i = 0; i < counts[2]; i++) {
		uint32_t caller = pick(in, p->stacks.n, WP_NO_STACK);

		wp_vec_push(&p->stacks,
			    (struct wp_profile_stack){caller, pick(in, p->frames.n, 0)});
	}
	for (size_t i = 0; i < 1u + counts[3] % 8; i++)
		wp_vec_push(&p->threads,
			    (struct wp_profile_thread){wp_bytes_u8(&in->b), wp_bytes_u32(&in->b),
						       name(in), name(in), 0, 0});
	for (size_t i = 0; i < 1u + counts[4] % 4; i++)
		wp_vec_push(&p->events,
			    (struct wp_profile_event){name(in), wp_bytes_u8(&in->b) & 1});
}

static void read_samples(struct input *in, size_t n)
{
	uint64_t time_ns = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t passed = wp_bytes_u32(&in->b);

		time_ns += passed;
		wp_vec_push(&in->p.samples, (struct wp_profile_sample){
						    .time_ns = time_ns,
						    .weight = wp_bytes_u64(&in->b),
						    .event = pick(in, in->p.events.n, 0),
						    .thread = pick(in, in->p.threads.n, 0),
						    .stack = pick(in, in->p.stacks.n, WP_NO_STACK),
						    .latency = passed & 1 ? passed : 0,
						    .level = passed >> 8 & 1 ? passed % 7 : 0,
					    });
	}
}

static void check(const struct wp_profile *profile, const char *format)
{
	wp_autostr struct wp_str bytes = {0}, text = {0};
	struct wp_writer *out = wp_writer_of_str(&bytes);

	wp_export_find(format)->render(profile, out);
	if (wp_writer_close(out))
		abort();
	if (!text_is_sound(format, &bytes) && !json_is_valid(&bytes) &&
	    (strcmp(format, "pprof") != 0 || !pprof_text(&bytes, &text)))
		abort();
}

/* What is done to the profile, and its format, by the sum of the bytes: mutations go through all.
 */
static const char *choose(struct wp_profile *profile, const uint8_t *data, size_t size)
{
	size_t sum = 0, n = 0;

	for (size_t i = 0; i < size; i++)
		sum += data[i];
	while (wp_export_at(n) && !wp_export_at(n)->is_records) /* the last ones are: fuzz_report */
		n++;
	wp_profile_tell_files_apart(profile);
	wp_profile_keep_frames(profile, sum / n % (WP_KEEP_NATIVE + 1));
	if (sum / n / (WP_KEEP_NATIVE + 1) % 2)
		wp_profile_split_lines(profile);
	return wp_export_at(sum % n)->name;
}

static void deinit(struct input *in)
{
	wp_vec_each (char *, text, &in->names)
		free(*text);
	wp_vec_deinit(&in->names);
	wp_vec_deinit(&in->p.modules);
	wp_vec_deinit(&in->p.frames);
	wp_vec_deinit(&in->p.stacks);
	wp_vec_deinit(&in->p.threads);
	wp_vec_deinit(&in->p.events);
	wp_vec_deinit(&in->p.measures);
	wp_arena_deinit(&in->arena);
	wp_vec_deinit(&in->p.samples);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {.b = wp_bytes_of(data, size)};
	uint8_t counts[7];

	for (size_t i = 0; i < WP_ARRAY_LEN(counts); i++)
		counts[i] = wp_bytes_u8(&in.b);
	read_names(&in, counts[6] % 16);
	in.p.command = name(&in);
	in.p.host = in.p.arch = name(&in);
	in.p.start_unix_ns = wp_bytes_u64(&in.b);
	read_tables(&in, counts);
	read_samples(&in, counts[5]);
	wp_profile_find_measures(&in.p, &in.arena);
	check(&in.p, choose(&in.p, data, size));
	deinit(&in);
	return 0;
}
