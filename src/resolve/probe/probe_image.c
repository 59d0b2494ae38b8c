/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_image: see probe_image.h. */
#include "resolve/probe/probe_image.h"

#include "base/str.h"
#include "format/elf/elf_symbols.h"
#include "format/elf/elf_usdt.h"
#include "resolve/lines/disasm.h"
#include "resolve/lines/elf_code.h"
#include "resolve/symbols/demangle.h"

#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#define FUNCTION_MAX (1u << 20) /* bytes of a function that are decoded up to a place in it */

struct wp_err *wp_probe_image_open(const char *event, const struct wp_probe *probe,
				   const struct wp_probe_file *file, const struct wp_log *log,
				   struct wp_probe_image *ret)
{
	struct wp_err *err;

	*ret = (struct wp_probe_image){.event = event, .file = file, .log = log};
	ret->budget.limit = wp_budget_default();
	ret->nearest = wp_nearest_to(probe->symbol ? probe->symbol : "");
	ret->source = (struct wp_symfile_source){
		.pid = file->pid,
		.path = file->path,
		.fd = file->fd,
		.budget = &ret->budget,
	};
	ret->elf = wp_elf_file_open(file->fd, false);
	err = ret->elf.elf ? wp_symfile_load(&ret->source, &ret->symbols)
			   : wp_err_new(WP_ERR_FORMAT, "it is no program or library");
	if (!err)
		return NULL;
	wp_probe_image_close(ret);
	return wp_err_prefix(err, "event '%s': %s", event, file->path);
}

void wp_probe_image_close(struct wp_probe_image *image)
{
	wp_symfile_deinit(&image->symbols);
	wp_elf_file_close(&image->elf);
	wp_nearest_deinit(&image->nearest);
	wp_vec_deinit(&image->found);
}

static void add_found_address(struct wp_probe_image *image, uint64_t at, uint64_t size)
{
	wp_vec_each (struct wp_probe_address, found, &image->found)
		if (found->at == at)
			return;
	if (image->found.n <= WP_PROBE_PLACES) /* one more than there may be */
		wp_vec_push(&image->found, (struct wp_probe_address){.at = at, .size = size});
}

/* The last part of a qualified name, which a mangled one contains as it is. */
static const char *last_qualified_part(const char *name)
{
	const char *at = name, *colons;

	while ((colons = strstr(at, "::")))
		at = colons + 2;
	return at;
}

/* What compilers put behind the name of a whole function that they made for its callers here. */
static bool is_clone(const char *suffix)
{
	return wp_str_has_prefix(suffix, ".lto_priv.") || wp_str_has_prefix(suffix, ".isra.") ||
	       wp_str_has_prefix(suffix, ".constprop.");
}

/* "app::twice" is "app::twice<int>", too. */
static bool is_without_types(const char *people, const char *name)
{
	size_t n = strlen(name), len = strlen(people);

	return len > n + 1 && strncmp(people, name, n) == 0 && people[n] == '<' &&
	       people[len - 1] == '>' && !strstr(people + n, ">::");
}

/* "shop::Order::total" is what Rust calls "<shop::Order>::total": of a type itself, not of a trait
 * that it has. */
static bool is_without_brackets(const char *people, const char *name)
{
	const char *close = people[0] == '<' ? strchr(people, '>') : NULL;
	size_t n = close ? (size_t)(close - people - 1) : 0;

	return close && strncmp(close, ">::", 3) == 0 && !memmem(people, n, " as ", 4) &&
	       strncmp(people + 1, name, n) == 0 && strcmp(close + 1, name + n) == 0;
}

static bool is_asked_name(const char *raw, const char *name)
{
	size_t len = strlen(name);
	const char *last = last_qualified_part(name);
	size_t plain = strcspn(last, "<");

	if (strncmp(raw, name, len) == 0 && (!raw[len] || raw[len] == '@'))
		return true;
	if (strncmp(raw, name, len) == 0 && is_clone(raw + len) && !strstr(raw, ".cold"))
		return true;
	if (strchr(name, '*'))
		return fnmatch(name, raw, 0) == 0;
	if (raw[0] != '_' || !plain || !memmem(raw, strlen(raw), last, plain))
		return false;
	wp_autofree char *people = wp_demangle(raw);
	return people && (strcmp(people, name) == 0 || is_without_types(people, name) ||
			  is_without_brackets(people, name));
}

static void try_symbol(struct wp_probe_image *image, const char *name, const char *raw, uint64_t at,
		       uint64_t size)
{
	if (wp_str_has_suffix(raw, "@plt"))
		return;
	if (is_asked_name(raw, name))
		add_found_address(image, at, size);
	else
		wp_nearest_try(&image->nearest, raw);
}

/* A table of the file has one name for each address, so its own tables are asked, too. */
void wp_probe_image_functions(struct wp_probe_image *image, const char *name)
{
	const struct wp_symtab *table = &image->symbols.symbols;
	struct wp_symtab_builder builder = {0};

	wp_elf_symbols_add(image->elf.elf, &image->symbols.image, 0, &builder);
	wp_vec_each (struct wp_symtab_input, input, &builder.inputs)
		try_symbol(image, name, input->name, input->start, input->size);
	wp_symtab_builder_deinit(&builder);
	for (size_t i = 0; i < table->n; i++)
		if (table->pieces[i].head == i)
			try_symbol(image, name, wp_symtab_name(table, i), table->starts[i],
				   table->pieces[i].size);
}

struct marker_search {
	struct wp_probe_image *image;
	const char *provider, *name;
};

static void try_marker(void *arg, const struct wp_elf_marker *marker)
{
	struct marker_search *search = arg;
	struct wp_probe_image *image = search->image;
	bool named = strcmp(marker->name, search->name) == 0;

	if (search->provider && strcmp(marker->provider, search->provider) != 0)
		named = false;
	if (!named) {
		wp_nearest_try(&image->nearest, marker->name);
		return;
	}
	if (image->found.n <= WP_PROBE_PLACES)
		wp_vec_push(&image->found,
			    (struct wp_probe_address){.at = marker->location,
						      .semaphore = marker->semaphore,
						      .arguments = marker->arguments});
}

void wp_probe_image_markers(struct wp_probe_image *image, const char *provider, const char *name)
{
	struct marker_search search = {image, provider, name};

	wp_elf_usdt_list(image->elf.elf, try_marker, &search);
}

bool wp_probe_image_offset(const struct wp_probe_image *image, uint64_t at, bool code,
			   uint64_t *ret)
{
	wp_vec_each (struct wp_elf_segment, segment, &image->symbols.image.segments) {
		if ((code && !segment->exec) || at < segment->start.v ||
		    at - segment->start.v >= segment->file_size)
			continue;
		*ret = segment->offset.v + (at - segment->start.v);
		return true;
	}
	return false;
}

struct boundary {
	uint64_t at;
	bool met;
};

static void look_at_instruction(void *arg, const struct wp_instruction *instruction)
{
	struct boundary *boundary = arg;

	boundary->met |= instruction->address.v == boundary->at;
}

static struct wp_err *check_from(struct wp_probe_image *image, uint64_t start, uint64_t at)
{
	struct boundary boundary = {.at = at};
	size_t n = (size_t)(at - start) + 16;
	wp_autofree uint8_t *bytes = wp_calloc(n, 1);
	struct wp_elf_code *code = NULL;
	struct wp_disasm *disasm = NULL;
	wp_autoerr struct wp_err *err =
		wp_elf_code_open(dup(image->file->fd), image->file->path, &code);

	if (!err)
		err = wp_disasm_open(wp_elf_code_arch(code), WP_DISASM_ATT, &disasm);
	if (!err) {
		n = wp_elf_code_read(code, (struct wp_rva){start}, bytes, n);
		wp_disasm_run(disasm, bytes, n, (struct wp_rva){start}, look_at_instruction,
			      &boundary);
		wp_disasm_close(disasm);
	}
	wp_elf_code_close(code);
	if (err || boundary.met)
		return NULL;
	return wp_err_new(WP_ERR_USAGE,
			  "event '%s': no instruction begins at 0x%llx: the program would be "
			  "damaged",
			  image->event, (unsigned long long)at);
}

struct wp_err *wp_probe_image_check(struct wp_probe_image *image, uint64_t at)
{
	const struct wp_symtab *table = &image->symbols.symbols;
	size_t piece = wp_symtab_find(table, at);
	uint64_t start;

	if (piece == WP_SYMTAB_NONE) {
		wp_log(image->log, WP_LOG_WARNING,
		       "event '%s': no function is known at 0x%llx: if no instruction begins "
		       "there, "
		       "the program is damaged",
		       image->event, (unsigned long long)at);
		return NULL;
	}
	start = table->starts[table->pieces[piece].head];
	return at == start || at - start > FUNCTION_MAX ? NULL : check_from(image, start, at);
}
