/* SPDX-License-Identifier: BSD-3-Clause */
/* kernel_symbols: see kernel_symbols.h. */
#include "resolve/symbols/kernel_symbols.h"

#include "base/file.h"
#include "base/str.h"
#include "format/maps/kallsyms.h"

#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT  (256u << 20)
#define PAGE	    4096
#define MAX_MODULES 65536

struct line {
	uint64_t addr;
	const char *name;
	uint32_t module;
	char type;
};

struct lines {
	WP_VEC(struct line) v;
	bool any_address;
};

static int compare_kernel(const void *a, const void *b)
{
	const struct line *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static uint32_t module_id(struct wp_kernel_symbols *symbols, const struct wp_kallsyms_entry *e)
{
	char name[128];
	size_t len = e->module_len < sizeof(name) - 3 ? e->module_len : sizeof(name) - 3;

	if (!e->module || symbols->modules.strings.n >= MAX_MODULES)
		return 0;
	name[0] = '[';
	memcpy(name + 1, e->module, len);
	strcpy(name + 1 + len, "]");
	return wp_strpool_id(&symbols->modules, name);
}

/* KASLR moves all of the kernel by the same distance; this symbol is the one perf measures it by.
 */
static bool is_start(const struct wp_kallsyms_entry *e)
{
	return !e->module && e->name_len == 5 && memcmp(e->name, "_text", 5) == 0;
}

/* The kernel has its own in order; only those of modules and BPF programs behind them may not be.
 */
static void sort_lines(struct lines *lines)
{
	size_t i = 1;

	while (i < lines->v.n && lines->v.v[i - 1].addr <= lines->v.v[i].addr)
		i++;
	if (i < lines->v.n)
		qsort(lines->v.v, lines->v.n, sizeof(*lines->v.v), compare_kernel);
}

static bool is_text(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

static enum wp_symtab_binding kallsyms_binding(char type)
{
	if (type == 'T')
		return WP_SYMTAB_GLOBAL;
	return type == 't' ? WP_SYMTAB_LOCAL : WP_SYMTAB_WEAK;
}

/* Where line i ends: at the next different address, but a module's last function at its page. */
static uint64_t kallsyms_line_end(const struct lines *lines, size_t i)
{
	const struct line *line = &lines->v.v[i];
	uint64_t page_end = ((line->addr + PAGE - 1) & ~(uint64_t)(PAGE - 1)) + PAGE;
	size_t next = i + 1;

	while (next < lines->v.n && lines->v.v[next].addr == line->addr)
		next++;
	if (next == lines->v.n)
		return page_end;
	const struct line *n = &lines->v.v[next];
	return n->module != line->module && n->addr > page_end ? page_end : n->addr;
}

static void build(const struct lines *lines, struct wp_symtab_builder *builder,
		  struct wp_symtab *ret)
{
	uint64_t end = 0;

	for (size_t i = 0; i < lines->v.n; i++) {
		const struct line *line = &lines->v.v[i];

		/* Aliases share their end, so that it is looked for once. */
		if (!i || lines->v.v[i - 1].addr != line->addr)
			end = kallsyms_line_end(lines, i);
		if (is_text(line->type))
			wp_symtab_add(builder,
				      &(struct wp_symtab_input){
					      .start = line->addr,
					      .size = end - line->addr,
					      .name = line->name,
					      .rank = wp_symtab_rank(kallsyms_binding(line->type),
								     line->name),
					      .tag = line->module,
				      });
	}
	wp_symtab_build(builder, ret);
}

void wp_kernel_symbols_parse(const char *text, size_t size, struct wp_kernel_symbols *ret)
{
	struct wp_symtab_builder builder = {0};
	struct wp_bytes b = wp_bytes_of(text, size);
	struct wp_kallsyms_entry e;
	struct lines lines = {0};

	*ret = (struct wp_kernel_symbols){0};
	wp_strpool_id(&ret->modules, "[kernel]");
	while (wp_kallsyms_next(&b, &e)) {
		if (!e.addr)
			continue;
		wp_vec_push(&lines.v,
			    (struct line){
				    .addr = e.addr,
				    .name = wp_arena_strndup(&builder.arena, e.name, e.name_len),
				    .module = module_id(ret, &e),
				    .type = e.type,
			    });
		lines.any_address = true;
		if (is_start(&e))
			ret->text = e.addr;
	}
	ret->hidden = !lines.any_address;
	sort_lines(&lines);
	build(&lines, &builder, &ret->table);
	wp_vec_deinit(&lines.v);
}

void wp_kernel_symbols_load(const char *path, struct wp_kernel_symbols *ret)
{
	wp_autofree char *text = NULL;
	size_t size = 0;
	wp_autoerr struct wp_err *err = wp_file_read(path, FILE_LIMIT, &text, &size);

	wp_kernel_symbols_parse(text, err ? 0 : size, ret);
}

void wp_kernel_symbols_deinit(struct wp_kernel_symbols *symbols)
{
	wp_symtab_deinit(&symbols->table);
	wp_strpool_deinit(&symbols->modules);
}
