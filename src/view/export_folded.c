/*
 * export_folded: a line per stack, outermost function first, functions with semicolons between and
 * the weight behind: what flamegraph.pl, inferno and speedscope read.
 *
 * As stackcollapse-perf.pl makes them: the thread's name comes first, "_[k]" ends functions of the
 * kernel and "_[i]" inlined ones. Lines are in the order of their bytes.
 */
#include "base/map.h"
#include "base/strpool.h"
#include "view/frame_text.h"
#include "view/view.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct line {
	const char *text;
	uint64_t weight;
};

struct folded {
	struct wp_strpool texts; /* of frames, then of lines */
	WP_VEC(const char *) frames;
	struct wp_map line_of; /* text's id -> index in lines + 1 */
	WP_VEC(struct line) lines;
	WP_VEC(uint32_t) path; /* of the sample at hand */
};

/* What separates frames and lines may not be in one. */
static void append(struct wp_str *line, const char *text)
{
	for (; *text; text++)
		wp_str_putc(line, *text == ';'			   ? ':'
				  : *text == '\n' || *text == '\r' ? ' '
								   : *text);
}

static const char *keep(struct folded *f, const char *text)
{
	return wp_strpool_get(&f->texts, wp_strpool_id(&f->texts, text));
}

static void name_frames(struct folded *f, const struct wp_profile *profile)
{
	wp_vec_each (struct wp_profile_frame, frame, &profile->frames) {
		wp_autostr struct wp_str text = {0}, clean = {0};

		wp_frame_text(profile, frame, &text);
		append(&clean, text.s ? text.s : "");
		if (frame->kind == WP_SYMBOL_KERNEL)
			wp_str_puts(&clean, "_[k]");
		if (frame->kind == WP_SYMBOL_INLINE)
			wp_str_puts(&clean, "_[i]");
		wp_vec_push(&f->frames, keep(f, clean.s ? clean.s : ""));
	}
}

static void put_path(struct folded *f, const struct wp_profile *profile, uint32_t stack,
		     struct wp_str *line)
{
	f->path.n = 0;
	for (; stack != WP_NO_STACK; stack = profile->stacks.v[stack].caller)
		wp_vec_push(&f->path, profile->stacks.v[stack].frame);
	for (size_t i = f->path.n; i-- > 0;) {
		wp_str_putc(line, ';');
		wp_str_puts(line, f->frames.v[f->path.v[i]]);
	}
}

static void add_sample(struct folded *f, const struct wp_profile *profile,
		       const struct wp_profile_sample *sample)
{
	const char *thread = profile->threads.v[sample->thread].name;
	wp_autostr struct wp_str line = {0};
	uint32_t id;
	uint64_t *at;

	append(&line, *thread ? thread : "?");
	put_path(f, profile, sample->stack, &line);
	id = wp_strpool_id(&f->texts, line.s);
	at = wp_map_put(&f->line_of, id);
	if (!*at) {
		wp_vec_push(&f->lines, (struct line){.text = wp_strpool_get(&f->texts, id)});
		*at = f->lines.n;
	}
	f->lines.v[*at - 1].weight += sample->weight;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(((const struct line *)a)->text, ((const struct line *)b)->text);
}

static void render(const struct wp_profile *profile, struct wp_writer *out)
{
	struct folded f = {0};

	name_frames(&f, profile);
	wp_vec_each (struct wp_profile_sample, sample, &profile->samples)
		add_sample(&f, profile, sample);
	if (f.lines.n)
		qsort(f.lines.v, f.lines.n, sizeof(*f.lines.v), by_text);
	wp_vec_each (struct line, line, &f.lines)
		wp_writer_printf(out, "%s %" PRIu64 "\n", line->text, line->weight);
	wp_strpool_deinit(&f.texts);
	wp_vec_deinit(&f.frames);
	wp_map_deinit(&f.line_of);
	wp_vec_deinit(&f.lines);
	wp_vec_deinit(&f.path);
}

const struct wp_export_ops wp_export_folded = {
	.name = "folded",
	.suffix = ".folded.txt",
	.text = "a line per stack: flamegraph.pl, inferno, speedscope",
	.one_event = true,
	.render = render,
};
