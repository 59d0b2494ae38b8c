/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolver: see resolver.h. The way of a sample that hits known ground: its (process, range) is in
 * the hot cache, the module's table is searched, and the piece found has its symbol's id.
 */
#include "resolve/resolver.h"

#include "resolve/resolver_state.h"

#include <stdlib.h>
#include <string.h>

static void record_map(struct wp_resolver *r, const struct wp_record *record)
{
	const struct wp_record_map *map = &record->map;
	struct wp_process *process = wp_processes_get(r->processes, record->pid);
	uint32_t image = wp_images_of(&r->images, map);
	struct wp_mapping mapping = {
		.start = map->start, .len = map->len, .pgoff = map->pgoff, .image = image};

	if (!wp_mappings_add(&process->maps, &mapping))
		wp_log(r->options.log, WP_LOG_VERBOSE, "process %u has too many mappings",
		       record->pid);
	if (r->images.all.v[image]->kind != WP_IMAGE_DUMP)
		return;
	struct wp_jit *jit = wp_resolver_own_jit(r, process);
	if (jit)
		wp_jit_add_dump(jit, r->images.all.v[image]->path, &r->images.all.v[image]->id,
				map->start);
}

static void follow_process(void *arg, const struct wp_process_change *change)
{
	struct wp_resolver *r = arg;

	switch (change->kind) {
	case WP_PROCESS_MAPPED: record_map(r, change->record); break;
	case WP_PROCESS_BEGAN:
	case WP_PROCESS_EXECED: break; /* the table has shared or dropped what was mapped */
	default: return;
	}
	r->generations[change->record->pid % GENERATIONS]++;
}

struct wp_resolver *wp_resolver_new(const struct wp_resolver_options *options)
{
	struct wp_resolver *r = wp_calloc(1, sizeof(*r));

	r->options = *options;
	r->processes = options->processes;
	wp_processes_listen(r->processes, follow_process, r);
	r->images.offline = options->offline;
	r->images.past = options->past;
	r->images.places = options->places;
	r->images.log = options->log;
	r->images.worker = options->worker;
	r->images.pdb = options->pdb;
	r->images.pdb_image = options->pdb_image;
	for (size_t i = 0; i < GENERATIONS; i++)
		r->generations[i] = 1; /* none of `hot` */
	wp_resolver_forget_known(r);
	r->jit_module = WP_NO_MODULE;
	r->images.budget = r->jit_budget.memory = options->budget;
	r->images.patience = r->asker.patience = options->patience;
	r->asker.log = options->log;
	return r;
}

void wp_resolver_free(struct wp_resolver *r)
{
	if (!r)
		return;
	wp_vec_each (struct wp_jit *, jit, &r->jits)
		wp_jit_free(*jit);
	wp_vec_deinit(&r->jits);
	wp_vec_deinit(&r->pending);
	wp_map_deinit(&r->pending_at);
	wp_map_deinit(&r->kernel_modules);
	wp_map_deinit(&r->image_of_module);
	wp_map_deinit(&r->functions);
	wp_map_deinit(&r->areas);
	wp_strpool_deinit(&r->area_names);
	wp_line_asker_deinit(&r->asker);
	wp_inline_symbols_deinit(&r->inlines);
	wp_python_symbols_deinit(&r->python);
	wp_unwind_exits_deinit(&r->exits);
	wp_kernel_symbols_deinit(&r->kernel);
	wp_images_deinit(&r->images);
	wp_symbol_ids_deinit(&r->ids);
	free(r->known);
	free(r);
}

void wp_resolver_add_symbol(struct wp_resolver *r, const char *path, struct wp_rva start,
			    uint64_t size, const char *name)
{
	wp_images_add_symbol(&r->images, path, start, size, name);
	r->kernel_scripted |= strcmp(path, WP_KERNEL_PATH) == 0;
}

/* Makes an opened image a module of the symbol set. */
static void give_module(struct wp_resolver *r, uint32_t index, uint64_t delta)
{
	struct wp_image *image = r->images.all.v[index];

	if (image->module != WP_NO_MODULE)
		return;
	image->module = wp_symbol_ids_module(&r->ids, wp_image_name(image), image->path,
					     (struct wp_va){delta});
	r->ids.set.modules.v[image->module].lacks_lines = image->file.lacks_lines;
	*wp_map_put(&r->image_of_module, image->module) = index + 1;
}

/* Opens what is mapped and finds out how far it is from its linked addresses; NULL: not yet. */
static struct wp_image *place_image(struct wp_resolver *r, uint32_t pid, struct wp_mapping *mapping,
				    struct wp_va va, enum wp_image_patience patience)
{
	struct wp_image *image = r->images.all.v[mapping->image];

	wp_image_begin(&r->images, image, pid, mapping->start, mapping->len);
	if (!wp_image_loaded(&r->images, image, patience))
		return NULL;
	if (!mapping->placed) {
		mapping->delta = wp_image_delta(image, mapping, va);
		mapping->placed = true;
	}
	give_module(r, mapping->image, mapping->delta);
	return image;
}

static struct hot *hot_slot(struct wp_resolver *r, uint32_t pid, struct wp_va va)
{
	return &r->hot[(va.v >> 16 ^ va.v >> 24 ^ pid * 0x9e3779b1u) % HOT_SLOTS];
}

static bool hot_has(const struct wp_resolver *r, const struct hot *hot, uint32_t pid,
		    struct wp_va va)
{
	return hot->generation == r->generations[pid % GENERATIONS] && hot->pid == pid &&
	       va.v - hot->start < hot->len;
}

/* What the address is in, found the slow way. */
static enum wp_resolver_answer find_hot(struct wp_resolver *r, uint32_t pid, struct wp_va va,
					enum wp_image_patience patience, struct hot *ret)
{
	struct wp_process *process = wp_processes_find(r->processes, pid);
	struct wp_mapping *mapping = process ? wp_mappings_at(process->maps, va) : NULL;

	if (!mapping)
		return WP_RESOLVER_NONE;
	struct wp_image *image = place_image(r, pid, mapping, va, patience);
	if (!image)
		return WP_RESOLVER_LATER;
	*ret = (struct hot){
		.pid = pid,
		.generation = r->generations[pid % GENERATIONS],
		.owner = image->module + 1,
		.image = image,
		.start = mapping->start.v,
		.len = mapping->len,
		.delta = mapping->delta,
	};
	return WP_RESOLVER_FOUND;
}

static enum wp_resolver_answer locate(struct wp_resolver *r, uint32_t pid, struct wp_va va,
				      enum wp_image_patience patience, const struct hot **ret)
{
	struct hot *hot = hot_slot(r, pid, va);

	*ret = hot;
	return hot_has(r, hot, pid, va) ? WP_RESOLVER_FOUND : find_hot(r, pid, va, patience, hot);
}

/* What the address is in, or NULL where nothing is mapped; waits until it is loaded. */
static const struct hot *await_hot(struct wp_resolver *r, uint32_t pid, struct wp_va va)
{
	const struct hot *hot;

	return locate(r, pid, va, WP_IMAGE_WAIT, &hot) == WP_RESOLVER_FOUND ? hot : NULL;
}

enum wp_resolver_answer wp_resolver_mapping(struct wp_resolver *r, uint32_t pid, struct wp_va va,
					    enum wp_image_patience patience,
					    struct wp_image_mapping *ret)
{
	const struct hot *hot;
	enum wp_resolver_answer answer = locate(r, pid, va, patience, &hot);

	if (answer == WP_RESOLVER_FOUND)
		*ret = (struct wp_image_mapping){hot->image, hot->delta, {hot->start}, hot->len};
	return answer;
}

enum wp_resolver_answer wp_resolver_rows(struct wp_resolver *r, struct wp_image *image,
					 enum wp_image_patience patience,
					 const struct wp_unwind_rows **ret)
{
	if (!wp_image_unwind_ready(&r->images, image, patience))
		return WP_RESOLVER_LATER;
	if (!image->unwind.rows.n)
		return WP_RESOLVER_NONE;
	*ret = &image->unwind;
	return WP_RESOLVER_FOUND;
}

void wp_resolver_expect(struct wp_resolver *r, const struct wp_record *record, bool rules)
{
	if (!r->options.worker || record->kind != WP_RECORD_MAP || record->map.kernel)
		return;
	uint32_t index = wp_images_of(&r->images, &record->map);
	struct wp_image *image = r->images.all.v[index];

	image->expects_rules |= rules;
	wp_image_begin(&r->images, image, record->pid, record->map.start, record->map.len);
}

bool wp_resolver_refresh(struct wp_resolver *r)
{
	return wp_images_refresh(&r->images) == 0;
}

bool wp_resolver_is_stuck(struct wp_resolver *r)
{
	return r->asker.left || wp_images_are_stuck(&r->images);
}

struct wp_image *wp_resolver_module(struct wp_resolver *r, uint32_t module)
{
	const uint64_t *image = wp_map_get(&r->image_of_module, module);

	return image && *image ? r->images.all.v[*image - 1] : NULL;
}

static uint32_t unknown_symbol_of(struct wp_resolver *r, uint32_t module,
				  enum wp_symbol_reason reason)
{
	return wp_symbol_ids_unknown(&r->ids, module, reason, WP_SYMBOL_NATIVE);
}

uint32_t wp_resolver_table_symbol(struct wp_resolver *r, struct wp_symtab *table, size_t at,
				  uint32_t module, enum wp_symbol_kind kind)
{
	struct wp_symtab_piece *head = &table->pieces[table->pieces[at].head];

	if (!head->id) {
		struct wp_symbol symbol = {
			.raw = wp_symtab_name(table, at),
			.kind = kind,
			.module = module,
			.start = {table->starts[table->pieces[at].head]},
			.size = head->size,
		};

		head->id = wp_symbol_ids_add(&r->ids, &symbol) + 1;
	}
	return head->id - 1;
}

/* Of a function that a PDB names, by where it begins. */
static uint32_t function_symbol(struct wp_resolver *r, const struct wp_image *image,
				const struct wp_symfile_function *function)
{
	uint64_t *id = wp_map_put(&r->functions, function->start ^ (uint64_t)image->module << 48);
	struct wp_symbol symbol = {
		.name = function->name,
		.raw = function->raw,
		.kind = WP_SYMBOL_NATIVE,
		.module = image->module,
		.start = {function->start},
		.size = function->size,
	};

	if (!*id)
		*id = wp_symbol_ids_add(&r->ids, &symbol) + 1;
	return (uint32_t)(*id - 1);
}

void wp_resolver_forget_known(struct wp_resolver *r)
{
	free(r->known);
	r->known = wp_calloc_large(KNOWN_SETS, sizeof(*r->known));
}

struct known *wp_resolver_known(struct wp_resolver *r, uint32_t owner, uint64_t addr)
{
	struct known *ways = wp_resolver_known_set(r, owner, addr)->ways;

	for (size_t i = 0; i < KNOWN_WAYS; i++)
		if (ways[i].addr == addr && ways[i].owner == owner)
			return &ways[i];
	memmove(ways + 1, ways, (KNOWN_WAYS - 1) * sizeof(*ways));
	ways->addr = addr;
	ways->owner = 0;
	return ways;
}

static uint32_t find_image_symbol(struct wp_resolver *r, struct wp_image *image, struct wp_rva rva)
{
	struct wp_symfile_function function;

	if (wp_symfile_function(&image->file, rva.v, &function))
		return function_symbol(r, image, &function);
	size_t at = wp_symtab_find(&image->file.symbols, rva.v);

	if (at != WP_SYMTAB_NONE)
		return wp_resolver_table_symbol(r, &image->file.symbols, at, image->module,
						WP_SYMBOL_NATIVE);
	return unknown_symbol_of(r, image->module, image->reason);
}

static uint32_t image_symbol(struct wp_resolver *r, struct wp_image *image, struct wp_rva rva)
{
	uint32_t owner = image->module + 1;
	struct known *known = wp_resolver_known(r, owner, rva.v);

	if (!known->owner)
		*known = (struct known){rva.v, owner, find_image_symbol(r, image, rva)};
	return known->symbol;
}

static uint32_t user_symbol(struct wp_resolver *r, const struct wp_record *sample, struct wp_va ip,
			    struct wp_rva *ret_rva)
{
	const struct hot *hot = await_hot(r, sample->pid, ip);

	ret_rva->v = hot ? ip.v - hot->delta : 0;
	if (!hot)
		return wp_resolver_jit_symbol(r, sample, ip, WP_NO_MODULE);
	if (hot->image->kind == WP_IMAGE_MEMORY || hot->image->kind == WP_IMAGE_DUMP)
		return wp_resolver_jit_symbol(r, sample, ip, hot->image->module);
	return image_symbol(r, hot->image, *ret_rva);
}

uint32_t wp_resolver_symbol_at(struct wp_resolver *r, const struct wp_record *sample,
			       struct wp_va ip, enum wp_cpumode mode, struct wp_rva *ret_rva)
{
	switch (mode) {
	case WP_MODE_USER: return user_symbol(r, sample, ip, ret_rva);
	case WP_MODE_KERNEL: ret_rva->v = ip.v; return wp_resolver_kernel_symbol(r, ip);
	default: ret_rva->v = 0; return unknown_symbol_of(r, WP_NO_MODULE, WP_SYMBOL_NO_MODULE);
	}
}

uint32_t wp_resolver_symbol_in(struct wp_resolver *r, uint32_t module, struct wp_rva rva)
{
	struct wp_image *image = wp_resolver_module(r, module);

	return image ? image_symbol(r, image, rva)
		     : unknown_symbol_of(r, module, WP_SYMBOL_NO_MODULE);
}

void wp_resolver_soon(struct wp_resolver *r, const struct wp_record *sample)
{
	struct wp_va ip = sample->sample.ip;
	const struct hot *hot = hot_slot(r, sample->pid, ip);

	if (sample->sample.mode == WP_MODE_KERNEL)
		__builtin_prefetch(wp_resolver_known_set(r, KNOWN_KERNEL, ip.v));
	else if (hot_has(r, hot, sample->pid, ip))
		__builtin_prefetch(wp_resolver_known_set(r, hot->owner, ip.v - hot->delta));
}

uint32_t wp_resolver_symbol(struct wp_resolver *r, const struct wp_record *sample)
{
	struct wp_rva rva;

	return wp_resolver_symbol_at(r, sample, sample->sample.ip, sample->sample.mode, &rva);
}

uint32_t wp_resolver_python_symbol(struct wp_resolver *r, const char *name, const char *filename,
				   uint32_t first_line)
{
	return wp_python_symbols_id(&r->python, &r->ids, name, filename, first_line);
}

uint32_t wp_resolver_python_unknown(struct wp_resolver *r)
{
	return wp_python_symbols_unknown(&r->ids);
}

bool wp_resolver_is_outside(const struct wp_resolver *r, uint32_t symbol)
{
	return r->ids.set.symbols.v[symbol].reason == WP_SYMBOL_NO_MODULE;
}

const struct wp_symbol *wp_resolver_symbol_of(const struct wp_resolver *r, uint32_t id)
{
	return &r->ids.set.symbols.v[id];
}

const struct wp_symbol_set *wp_resolver_symbols(struct wp_resolver *r)
{
	if (r->pending.n)
		wp_resolver_settle_jit(r);
	return &r->ids.set;
}

static struct wp_resolver_image image_at(const struct wp_mapping *mapping,
					 const struct wp_image *image)
{
	struct wp_resolver_image ret = {
		.module = image->module,
		.start = {mapping->start.v - mapping->pgoff.v},
		.delta = mapping->delta,
	};

	if (image->file.image.segments.n)
		ret.start.v = mapping->delta + wp_elf_image_base(&image->file.image).v;
	else if (image->kind == WP_IMAGE_MEMORY || mapping->pgoff.v > mapping->start.v)
		ret.start = mapping->start;
	return ret;
}

static int compare_image_starts(const void *a, const void *b)
{
	const struct wp_resolver_image *x = a, *y = b;

	return x->start.v < y->start.v ? -1 : x->start.v > y->start.v;
}

size_t wp_resolver_images(struct wp_resolver *r, uint32_t pid, struct wp_resolver_image **ret)
{
	struct wp_process *process = wp_processes_find(r->processes, pid);
	size_t n_mappings = 0, n = 0;
	struct wp_mapping *mappings = process ? wp_mappings_all(process->maps, &n_mappings) : NULL;
	struct wp_resolver_image *images = wp_calloc(n_mappings + 1, sizeof(*images));
	struct wp_map seen = {0};

	for (size_t i = 0; i < n_mappings; i++) {
		const struct wp_image *image =
			place_image(r, pid, &mappings[i], mappings[i].start, WP_IMAGE_WAIT);
		uint64_t *known = image ? wp_map_put(&seen, image->module) : NULL;

		if (known && !*known)
			images[n++] = image_at(&mappings[i], image);
		if (known)
			*known = 1;
	}
	wp_map_deinit(&seen);
	if (n)
		qsort(images, n, sizeof(*images), compare_image_starts);
	*ret = images;
	return n;
}

bool wp_resolver_has_images(struct wp_resolver *r, uint32_t pid)
{
	struct wp_process *process = wp_processes_find(r->processes, pid);
	size_t n = 0;
	struct wp_mapping *mappings = process ? wp_mappings_all(process->maps, &n) : NULL;
	bool has = true;

	for (size_t i = 0; i < n; i++)
		has &= place_image(r, pid, &mappings[i], mappings[i].start, WP_IMAGE_HURRY) != NULL;
	return has;
}

struct wp_rva wp_resolver_rva(struct wp_resolver *r, const struct wp_record *sample)
{
	struct wp_va ip = sample->sample.ip;

	if (sample->sample.mode == WP_MODE_KERNEL) {
		wp_resolver_kernel_load(r);
		return (struct wp_rva){ip.v + r->kernel_moved};
	}
	const struct hot *hot = await_hot(r, sample->pid, ip);
	return (struct wp_rva){hot ? ip.v - hot->delta : 0};
}
