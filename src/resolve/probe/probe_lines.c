/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_lines: the addresses where the code of a source line begins; see probe_image.h. */
#include "base/str.h"
#include "resolve/lines/srclines.h"
#include "resolve/probe/probe_image.h"
#include "resolve/symbols/image.h"

#include <dwarf.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_UNITS (1u << 20)

/* What is looked for, and what was found on the way. */
struct line_search {
	struct wp_probe_image *image;
	struct wp_srclines *lines;
	const char *file;			 /* its name, or the end of its path */
	const struct wp_probe_address *function; /* only in there; NULL: anywhere */
	uint32_t line, next; /* next: the nearest behind it that has code; 0: none */
	bool met_file;
	uint64_t shift;		 /* of the program's addresses over the table's */
	WP_VEC(uint64_t) scopes; /* of each that was found, the innermost function's DIE */
};

/* "b.c" and "a/b.c" are the end of "/x/a/b.c". */
static bool is_end_of_path(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);

	return m <= n && strcmp(path + n - m, end) == 0 && (m == n || path[n - m - 1] == '/');
}

/* The function, or what was inlined, that the address is in; 0: none is known. */
static uint64_t dwarf_scope_of(Dwarf_Die *unit, Dwarf_Addr at)
{
	Dwarf_Die *scopes = NULL;
	int n = dwarf_getscopes(unit, at, &scopes);
	uint64_t found = 0;

	for (int i = 0; i < n && !found; i++)
		if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram ||
		    dwarf_tag(&scopes[i]) == DW_TAG_inlined_subroutine)
			found = dwarf_dieoffset(&scopes[i]);
	free(scopes);
	return found;
}

/* Once in each function, and in each place where that was inlined: at its lowest address. */
static void add_line_address(struct line_search *search, Dwarf_Die *unit, Dwarf_Addr addr)
{
	struct wp_probe_image *image = search->image;
	uint64_t scope = dwarf_scope_of(unit, addr), at = addr + search->shift;

	for (size_t i = 0; i < search->scopes.n; i++) {
		if (search->scopes.v[i] != scope || !scope)
			continue;
		if (at < image->found.v[i].at)
			image->found.v[i].at = at;
		return;
	}
	if (image->found.n > WP_PROBE_PLACES)
		return;
	wp_vec_push(&search->scopes, scope);
	wp_vec_push(&image->found, (struct wp_probe_address){.at = at});
}

static void look_at_line(struct line_search *search, Dwarf_Die *unit, Dwarf_Line *line)
{
	const char *file = dwarf_linesrc(line, NULL, NULL);
	bool begins = false, ends = false;
	Dwarf_Addr addr;
	int number;

	if (!file || !is_end_of_path(file, search->file) || dwarf_lineno(line, &number) != 0 ||
	    dwarf_lineaddr(line, &addr) != 0 || number <= 0)
		return;
	if (search->function &&
	    addr + search->shift - search->function->at >= search->function->size)
		return;
	search->met_file = true;
	if (dwarf_linebeginstatement(line, &begins) != 0 || !begins ||
	    dwarf_lineendsequence(line, &ends) != 0 || ends)
		return;
	if ((uint32_t)number == search->line)
		add_line_address(search, unit, addr);
	else if ((uint32_t)number > search->line &&
		 (!search->next || (uint32_t)number < search->next))
		search->next = (uint32_t)number;
}

static void look_at_unit(struct line_search *search, Dwarf_Die *unit)
{
	Dwarf_Lines *lines;
	size_t n;

	if (!wp_srclines_may_decode(search->lines, unit) ||
	    dwarf_getsrclines(unit, &lines, &n) != 0)
		return;
	for (size_t i = 0; i < n; i++)
		look_at_line(search, unit, dwarf_onesrcline(lines, i));
}

static void look_at_units(struct line_search *search, Dwarf *dwarf)
{
	Dwarf_CU *cu = NULL;
	Dwarf_Die unit;
	uint8_t type;

	for (unsigned int i = 0; i < MAX_UNITS; i++) {
		if (dwarf_get_units(dwarf, cu, &cu, NULL, &type, &unit, NULL) != 0)
			return;
		if (type == DW_UT_compile || type == DW_UT_partial)
			look_at_unit(search, &unit);
	}
}

static struct wp_err *no_debug_information(const struct wp_probe_image *image)
{
	return wp_err_new(WP_ERR_NOT_FOUND,
			  "event '%s': %s has no debug information, which lines are found by "
			  "(built without -g, and no debug file is installed)",
			  image->event, image->file->path);
}

static struct wp_err *no_line(const struct line_search *search)
{
	const struct wp_probe_image *image = search->image;

	if (!search->met_file)
		return wp_err_new(
			WP_ERR_NOT_FOUND,
			"event '%s': %s has neither a function nor a source file %s%s%s%s",
			image->event, image->file->path, search->file,
			image->nearest.name ? ", did you mean " : "",
			image->nearest.name ? image->nearest.name : "",
			image->nearest.name ? "?" : "");
	if (search->next)
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "event '%s': line %" PRIu32 " of %s has no code; the next that "
				  "has is %" PRIu32,
				  image->event, search->line, search->file, search->next);
	return wp_err_new(WP_ERR_NOT_FOUND,
			  "event '%s': there is no code at line %" PRIu32 " of %s or behind it "
			  "(an interval is /period=NUMBER/)",
			  image->event, search->line, search->file);
}

/* The line that a function is declared at, from which its lines are counted. */
static bool begin_function(struct line_search *search)
{
	Dwarf_Die unit, *scopes = NULL;
	uint64_t addr;
	int n = 0, line;
	bool found = false;

	if (wp_srclines_unit(search->lines, (struct wp_rva){search->function->at}, &unit, &addr))
		n = dwarf_getscopes(&unit, addr, &scopes);
	for (int i = 0; i < n && !found; i++) {
		found = dwarf_tag(&scopes[i]) == DW_TAG_subprogram &&
			dwarf_decl_line(&scopes[i], &line) == 0 && line > 0;
		search->file = found ? dwarf_decl_file(&scopes[i]) : NULL;
		found = search->file != NULL;
	}
	free(scopes);
	search->line += found ? (uint32_t)line : 0;
	return found;
}

/* A line that is looked for; all of it is the thread's when that is left. */
struct line_question {
	struct wp_job job;
	struct wp_probe_image *image;
	struct wp_probe_address function;
	struct line_search search;
	char *event, *name; /* of its own: a probe's are gone when the thread is not */
	const char *kept_event;
	struct wp_err *err;
};

static void free_line_question(struct line_question *question)
{
	question->image->event = question->kept_event;
	wp_vec_deinit(&question->search.scopes);
	free(question->event);
	free(question->name);
	free(question);
}

static struct wp_err *search_line(struct line_question *question)
{
	struct wp_probe_image *image = question->image;
	struct line_search *search = &question->search;
	Dwarf *dwarf = wp_srclines_dwarf(search->lines);
	uint64_t unshifted;
	Dwarf_Die unit;

	if (!dwarf)
		return no_debug_information(image);
	(void)wp_srclines_unit(search->lines, (struct wp_rva){0}, &unit, &unshifted);
	search->shift = 0 - unshifted;
	if (search->function && !begin_function(search))
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "event '%s': the debug information does not say where %s begins",
				  image->event, question->name);
	look_at_units(search, dwarf);
	return image->found.n ? NULL : no_line(search);
}

static void answer_where_line_is(struct wp_job *job)
{
	struct line_question *question = (struct line_question *)job;

	question->err = search_line(question);
}

static struct line_question *make_line_question(struct wp_probe_image *image,
						struct wp_srclines *lines, const char *name,
						const struct wp_probe_address *function,
						uint32_t line)
{
	struct line_question *question = wp_calloc(1, sizeof(*question));

	question->job.run = answer_where_line_is;
	question->image = image;
	question->name = wp_strdup(name);
	question->kept_event = image->event;
	image->event = question->event = wp_strdup(image->event);
	if (function)
		question->function = *function;
	question->search = (struct line_search){
		.image = image,
		.lines = lines,
		.file = question->name,
		.function = function ? &question->function : NULL,
		.line = line,
	};
	return question;
}

struct wp_err *wp_probe_image_lines(struct wp_probe_image *image, struct wp_line_asker *asker,
				    const char *name, const struct wp_probe_address *function,
				    uint32_t line)
{
	struct wp_srclines *lines = wp_symfile_lines(&image->source, &image->symbols);
	bool foreign = wp_image_is_foreign(image->file->fd);
	struct line_question *question;
	struct wp_err *err;

	if (!lines)
		return no_debug_information(image);
	question = make_line_question(image, lines, name, function, line);
	if (foreign)
		wp_srclines_bound(lines);
	image->is_left = foreign ? !wp_line_asker_ask(asker, &question->job)
				 : !wp_line_asker_ask_own(asker, &question->job, image->file->path);
	if (image->is_left)
		return wp_err_new(
			WP_ERR_LIMIT,
			"event '%s': reading the debug information of %s takes too long%s",
			image->event, image->file->path,
			foreign ? " (it is a file of another user, for which nobody waits "
				  "longer than 10 s)"
				: "");
	wp_srclines_tell(lines, image->log, image->file->path);
	err = question->err;
	free_line_question(question);
	return err;
}
