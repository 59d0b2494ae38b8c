/* SPDX-License-Identifier: BSD-3-Clause */
/* resolver_lines: what a resolver says of places in its modules: lines, inlined functions,
 * build-ids; see resolver.h. */
#include "resolve/resolver.h"
#include "resolve/resolver_state.h"

#include <stdlib.h>
#include <string.h>

_Static_assert(WP_RESOLVER_INLINES == WP_INLINES_MAX, "one bound");
_Static_assert(WP_RESOLVER_BUILD_ID == WP_ELF_BUILD_ID_MAX, "one bound");

int wp_resolver_file(struct wp_resolver *r, uint32_t module)
{
	struct wp_image *image = wp_resolver_module(r, module);

	return image ? wp_image_file(image) : -1;
}

const char *wp_resolver_pdb(struct wp_resolver *r, uint32_t module)
{
	const struct wp_image *image = wp_resolver_module(r, module);

	return image ? wp_symfile_pdb_path(&image->file) : NULL;
}

const char *wp_resolver_pdb_id(struct wp_resolver *r, uint32_t module, const char **ret_path)
{
	const struct wp_image *image = wp_resolver_module(r, module);

	*ret_path = image ? image->file.pdb_wanted : NULL;
	return image ? image->file.pdb_id : NULL;
}

#define PLACES_MOST 256 /* addresses of one question, so that it may be left soon */

/* What is asked of a module's DWARF or PDB, and the answer. */
struct question {
	struct wp_job job;
	struct wp_srclines *lines;
	struct wp_inlines *inlines; /* of functions and of what was inlined */
	struct wp_rva rva;
	bool calls;

	bool found;
	struct wp_resolver_line line;
	uint32_t first_line;
	size_t n;
	struct wp_inline inlined[WP_INLINES_MAX];
};

static void answer_line(struct wp_job *job)
{
	struct question *q = (struct question *)job;

	q->found = wp_srclines_find(q->lines, q->rva, &q->line.file, &q->line.line);
}

static void answer_inlined(struct wp_job *job)
{
	struct question *q = (struct question *)job;

	q->n = wp_inlines_find(q->inlines, q->rva, q->calls, q->inlined);
}

/* Of several addresses: whoever left it to its thread has left these, too. */
struct places_question {
	struct question q;
	size_t n;
	struct {
		struct wp_rva rva;
		struct wp_resolver_line line;
		bool is_inlined;
		struct wp_inline inlined; /* the innermost */
	} places[PLACES_MOST];
};

static void answer_places(struct wp_job *job)
{
	struct places_question *of = (struct places_question *)job;
	struct wp_inline found[WP_INLINES_MAX];

	for (size_t i = 0; i < of->n; i++) {
		size_t n = wp_inlines_find(of->q.inlines, of->places[i].rva, false, found);

		of->places[i].is_inlined = n > 0;
		if (n)
			of->places[i].inlined = found[n - 1];
		if (!wp_srclines_find(of->q.lines, of->places[i].rva, &of->places[i].line.file,
				      &of->places[i].line.line))
			of->places[i].line.file = NULL;
	}
}

static void answer_function(struct wp_job *job)
{
	struct question *q = (struct question *)job;

	q->first_line = wp_inlines_function_line(q->inlines, q->rva);
}

static void leave_lines(struct wp_resolver *r, struct wp_image *image)
{
	if (!image->lines_left && image->is_foreign)
		wp_log(r->images.log, WP_LOG_NOTE,
		       "no lines of %s: its debug information takes too long (nobody waits for a "
		       "file of another user when a run has ended, nor ten seconds for a part of "
		       "it)",
		       image->path);
	image->lines_left = true;
}

/* The question is left to its thread when it takes too long. */
static struct question *ask_on_thread(struct wp_resolver *r, struct wp_image *image,
				      struct question *q)
{
	if (image->is_foreign)
		wp_srclines_bound(q->lines);
	if (image->is_foreign ? !wp_line_asker_ask(&r->asker, &q->job)
			      : !wp_line_asker_ask_own(&r->asker, &q->job, image->path)) {
		leave_lines(r, image);
		return NULL;
	}
	wp_srclines_tell(q->lines, r->images.log, image->path);
	return q;
}

static struct wp_srclines *image_lines_of(struct wp_resolver *r, struct wp_image *image)
{
	if (!image)
		return NULL;
	if (image->lines_left) {
		r->asker.refused += !image->is_foreign;
		return NULL;
	}
	if (image->is_foreign && !wp_line_asker_may_ask(&r->asker)) {
		if (image->file.image.has_lines)
			leave_lines(r, image);
		return NULL;
	}
	return wp_image_lines(image);
}

/* A question with its answer, which the caller frees; NULL: the module has no lines, or they take
 * too long. */
static struct question *ask_about_module(struct wp_resolver *r, uint32_t module,
					 const struct question *asked, size_t bytes,
					 void (*answer)(struct wp_job *))
{
	struct wp_image *image = wp_resolver_module(r, module);
	struct wp_srclines *lines = image_lines_of(r, image);
	struct question *q;
	uint64_t base;

	if (!lines || (!image->is_foreign && !wp_line_asker_may_ask_own(&r->asker)))
		return NULL;
	q = wp_calloc(1, bytes);
	memcpy(q, asked, bytes);
	q->job.run = answer;
	q->lines = lines;
	q->inlines = wp_inline_symbols_of(&r->inlines, module, lines);
	if (image->is_foreign || !wp_srclines_pdb(lines, &base))
		return ask_on_thread(r, image, q);
	answer(&q->job); /* ours, and bounded, is what reads a PDB */
	return q;
}

static struct question *ask_about_address(struct wp_resolver *r, uint32_t module, struct wp_rva rva,
					  bool calls, void (*answer)(struct wp_job *))
{
	const struct question asked = {.rva = rva, .calls = calls};

	return ask_about_module(r, module, &asked, sizeof(asked), answer);
}

bool wp_resolver_line(struct wp_resolver *r, uint32_t module, struct wp_rva rva,
		      struct wp_resolver_line *ret)
{
	wp_autofree struct question *q = ask_about_address(r, module, rva, false, answer_line);

	if (!q || !q->found)
		return false;
	*ret = q->line;
	return true;
}

static void name_places(struct wp_resolver *r, uint32_t module, const struct places_question *of,
			struct wp_resolver_place *ret)
{
	for (size_t i = 0; i < of->n; i++) {
		struct wp_resolver_inline named[WP_RESOLVER_INLINES];

		ret[i].line = of->places[i].line;
		if (!of->places[i].is_inlined)
			continue;
		wp_inline_symbols_name(&r->inlines, &r->ids, module, &of->places[i].inlined, 1,
				       named);
		ret[i].inlined = named[0].symbol;
	}
}

static void ask_places(struct wp_resolver *r, uint32_t module, const struct wp_rva *rvas, size_t n,
		       struct wp_resolver_place *ret)
{
	wp_autofree struct places_question *asked = wp_calloc(1, sizeof(*asked));
	wp_autofree struct question *q = NULL;

	for (size_t i = 0; i < n; i++) {
		asked->places[i].rva = rvas[i];
		ret[i] = (struct wp_resolver_place){.inlined = WP_NOT_INLINED};
	}
	asked->n = n;
	q = ask_about_module(r, module, &asked->q, sizeof(*asked), answer_places);
	if (q)
		name_places(r, module, (struct places_question *)q, ret);
}

void wp_resolver_places(struct wp_resolver *r, uint32_t module, const struct wp_rva *rvas, size_t n,
			struct wp_resolver_place *ret)
{
	for (size_t i = 0; i < n; i += PLACES_MOST)
		ask_places(r, module, rvas + i, n - i < PLACES_MOST ? n - i : PLACES_MOST, ret + i);
}

static size_t find_inlined_at(struct wp_resolver *r, uint32_t module, struct wp_rva rva, bool calls,
			      struct wp_resolver_inline ret[WP_RESOLVER_INLINES])
{
	wp_autofree struct question *q = ask_about_address(r, module, rva, calls, answer_inlined);

	if (!q)
		return 0;
	wp_inline_symbols_name(&r->inlines, &r->ids, module, q->inlined, q->n, ret);
	return q->n;
}

size_t wp_resolver_inlines(struct wp_resolver *r, uint32_t module, struct wp_rva rva,
			   struct wp_resolver_inline ret[WP_RESOLVER_INLINES])
{
	return find_inlined_at(r, module, rva, true, ret);
}

size_t wp_resolver_inlined(struct wp_resolver *r, uint32_t module, struct wp_rva rva,
			   uint32_t ret[WP_RESOLVER_INLINES])
{
	struct wp_resolver_inline found[WP_RESOLVER_INLINES];
	size_t n = find_inlined_at(r, module, rva, false, found);

	for (size_t i = 0; i < n; i++)
		ret[i] = found[i].symbol;
	return n;
}

uint32_t wp_resolver_function_line(struct wp_resolver *r, uint32_t module, struct wp_rva rva)
{
	wp_autofree struct question *q = ask_about_address(r, module, rva, false, answer_function);

	return q ? q->first_line : 0;
}

void wp_resolver_tell_lines(const struct wp_resolver *r, const struct wp_log *log)
{
	wp_line_asker_tell(&r->asker, log);
}

/* As the mapping says; else as the file does. */
size_t wp_resolver_build_id(struct wp_resolver *r, uint32_t module,
			    uint8_t ret[WP_RESOLVER_BUILD_ID])
{
	const struct wp_image *image = wp_resolver_module(r, module);

	if (!image)
		return 0;
	if (image->id.build_id_len) {
		memcpy(ret, image->id.build_id, image->id.build_id_len);
		return image->id.build_id_len;
	}
	memcpy(ret, image->file.image.build_id, image->file.image.build_id_len);
	return image->file.image.build_id_len;
}
