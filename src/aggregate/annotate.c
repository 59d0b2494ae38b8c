/* SPDX-License-Identifier: BSD-3-Clause */
/* annotate: see annotate.h. */
#include "aggregate/annotate.h"

#include <stdlib.h>
#include <string.h>

struct wp_annotate_function *wp_annotation_function(struct wp_annotation *annotation,
						    uint32_t event, const char *name)
{
	struct wp_annotate_function function = {
		.event = event,
		.name = wp_arena_strdup(&annotation->arena, name),
	};

	wp_vec_push(&annotation->functions, function);
	return &annotation->functions.v[annotation->functions.n - 1];
}

struct wp_annotate_line *wp_annotate_find(struct wp_annotate_function *function, const char *file,
					  uint32_t line)
{
	wp_vec_each (struct wp_annotate_line, it, &function->lines)
		if (it->line == line && strcmp(it->file, file) == 0)
			return it;
	return NULL;
}

void wp_annotate_hit(struct wp_annotation *annotation, struct wp_annotate_function *function,
		     const char *file, uint32_t line, uint64_t address, uint64_t hits)
{
	struct wp_annotate_line *found = wp_annotate_find(function, file, line);

	if (!found) {
		struct wp_annotate_line fresh = {
			.file = wp_arena_strdup(&annotation->arena, file),
			.line = line,
			.address = address,
		};

		wp_vec_push(&function->lines, fresh);
		found = &function->lines.v[function->lines.n - 1];
	}
	found->hits += hits;
	if (address < found->address)
		found->address = address;
}

static int compare_line_hits(const void *a, const void *b)
{
	const struct wp_annotate_line *x = a, *y = b;
	int files;

	if (x->hits != y->hits)
		return x->hits < y->hits ? 1 : -1;
	files = strcmp(x->file, y->file);
	return files ? files : (x->line > y->line) - (x->line < y->line);
}

void wp_annotate_sort(struct wp_annotate_function *function)
{
	if (function->lines.n)
		qsort(function->lines.v, function->lines.n, sizeof(*function->lines.v),
		      compare_line_hits);
}

void wp_annotation_deinit(struct wp_annotation *annotation)
{
	wp_vec_each (struct wp_annotate_function, function, &annotation->functions) {
		wp_vec_each (struct wp_annotate_line, line, &function->lines)
			wp_vec_deinit(&line->instructions);
		wp_vec_deinit(&function->lines);
	}
	wp_vec_deinit(&annotation->functions);
	wp_arena_deinit(&annotation->arena);
}
