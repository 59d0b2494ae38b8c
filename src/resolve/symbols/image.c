/* SPDX-License-Identifier: BSD-3-Clause */
/* image: see image.h. */
#include "resolve/symbols/image.h"

#include "base/invariant.h"
#include "base/str.h"
#include "resolve/find/debug_file.h"
#include "resolve/lines/srclines.h"
#include "resolve/unwind/unwind_tables.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MAX_IMAGES   (1u << 20)
#define MAX_OPEN_FDS 64
#define PAUSE_NS     2000000 /* between two looks whether something is loaded */
#define DELETED	     " (deleted)"

static bool is_dump(const char *path)
{
	const char *name = wp_str_basename(path);

	return wp_str_has_prefix(name, "jit-") && wp_str_has_suffix(name, ".dump");
}

static enum wp_image_kind image_kind_of(const char *path)
{
	if (wp_mapped_file_is_vdso(path))
		return WP_IMAGE_VDSO;
	if (!wp_mapped_file_has_path(path))
		return WP_IMAGE_MEMORY;
	return is_dump(path) ? WP_IMAGE_DUMP : WP_IMAGE_FILE;
}

static struct wp_file_id image_id_of(const struct wp_images *images,
				     const struct wp_record_map *map, const char *path)
{
	struct wp_file_id id = {0};

	if (images->offline)
		return id;
	if (image_kind_of(path) == WP_IMAGE_VDSO)
		id.inode = map->start.v >> 32 == 0; /* a 32-bit process has another one */
	if (image_kind_of(path) != WP_IMAGE_FILE && image_kind_of(path) != WP_IMAGE_DUMP)
		return id;
	return wp_file_id_of(map);
}

static uint32_t image_new(struct wp_images *images, uint32_t path_id, const struct wp_file_id *id,
			  uint32_t next)
{
	struct wp_image *image = wp_calloc(1, sizeof(*image));

	image->path = wp_strpool_get(&images->paths, path_id);
	image->path_id = path_id;
	image->kind = wp_map_get(&images->script_of, path_id) ? WP_IMAGE_SCRIPT
							      : image_kind_of(image->path);
	image->id = *id;
	image->next = next;
	image->fd = -1;
	image->module = WP_NO_MODULE;
	wp_vec_push(&images->all, image);
	return (uint32_t)(images->all.n - 1);
}

static uint32_t path_id_of(struct wp_images *images, const char *path)
{
	size_t len = strlen(path);

	if (!wp_str_has_suffix(path, DELETED) || path[0] != '/')
		return wp_strpool_id(&images->paths, path);
	wp_autofree char *cut = wp_strndup(path, len - strlen(DELETED));
	return wp_strpool_id(&images->paths, cut);
}

uint32_t wp_images_of(struct wp_images *images, const struct wp_record_map *map)
{
	bool full = images->all.n >= MAX_IMAGES;
	uint32_t path_id = path_id_of(images, full || !map->path ? "" : map->path);
	struct wp_file_id id = image_id_of(images, map, wp_strpool_get(&images->paths, path_id));
	uint64_t *head = wp_map_put(&images->by_key, wp_file_id_key(&id, path_id));

	for (uint64_t at = *head; at; at = images->all.v[at - 1]->next)
		if (images->all.v[at - 1]->path_id == path_id &&
		    wp_file_id_same(&images->all.v[at - 1]->id, &id))
			return (uint32_t)(at - 1);
	uint32_t index = image_new(images, path_id, &id, (uint32_t)*head);
	*head = index + 1;
	return index;
}

static void open_script(struct wp_images *images, struct wp_image *image)
{
	wp_images_script(images, image->path, &image->file.symbols);
	image->reason = WP_SYMBOL_STRIPPED;
}

static void open_vdso(const struct wp_images *images, struct wp_image *image, uint32_t pid,
		      struct wp_va start, uint64_t len)
{
	image->memory = wp_mapped_file_vdso(pid, start, len, !images->other_vdso);
	if (!image->memory)
		return;
	image->memory_size = len;
	struct wp_symfile_source source = {
		.path = image->path,
		.fd = -1,
		.memory = image->memory,
		.memory_size = len,
	};
	wp_autoerr struct wp_err *err = wp_symfile_load(&source, &image->file);
	if (!err)
		image->reason = WP_SYMBOL_STRIPPED;
}

struct wp_symfile_source wp_image_source(const struct wp_image *image)
{
	return (struct wp_symfile_source){
		.pid = image->pid,
		.path = image->path,
		.id = &image->id,
		.places = image->places,
		.fd = image->fd,
		.pdb = image->pdb,
		.budget = image->budget,
	};
}

/*
 * A PDB that was not found: nobody misses it unless one lies there that is not taken, or the user
 * named one for that image.
 */
static void tell_missing(const struct wp_images *images, const struct wp_image *image)
{
	bool is_missed = image->pdb || image->file.pdb_refused;

	if (image->file.pdb_missing)
		wp_log(images->log, is_missed ? WP_LOG_NOTE : WP_LOG_VERBOSE,
		       "no symbol file of %s: %s", image->path, image->file.pdb_missing);
}

/* The file has been read, or could not be. */
static void take_symbols(struct wp_images *images, struct wp_image *image, const struct wp_err *err)
{
	if (err)
		wp_log(images->log, WP_LOG_NOTE, "no symbols of %s: %s", image->path, err->text);
	else
		image->reason = WP_SYMBOL_STRIPPED;
	if (!err)
		tell_missing(images, image);
	if (err || images->open_fds >= MAX_OPEN_FDS) {
		close(image->fd);
		image->fd = -1;
	} else {
		images->open_fds++;
	}
}

/* The worker gets a descriptor of its own: ours may be closed meanwhile. */
static bool start_load(struct wp_images *images, struct wp_image *image, bool symbols, bool rules)
{
	struct wp_image_load_order order = {
		.source = wp_image_source(image),
		.symbols = symbols,
		.rules = rules,
		.file = &image->file,
	};

	order.source.fd = image->fd >= 0 ? fcntl(image->fd, F_DUPFD_CLOEXEC, 0) : -1;
	if (order.source.fd < 0)
		return false;
	image->load = wp_image_load_start(images->worker, &order);
	image->awaits_symbols = symbols;
	if (!image->is_loading)
		wp_vec_push(&images->loading, image);
	image->is_loading = true;
	return true;
}

static void load_image_file(struct wp_images *images, struct wp_image *image)
{
	struct wp_symfile_source source = wp_image_source(image);

	source.log = images->log;
	if (images->worker && start_load(images, image, true, image->expects_rules))
		return;
	wp_autoerr struct wp_err *err = wp_symfile_load(&source, &image->file);
	take_symbols(images, image, err);
}

/*
 * Below --symfs, inodes are not those of the recording. A debug file has the same segments: enough
 * for names when the program itself is gone.
 */
static int find_file(const struct wp_image *image, struct wp_va va, const char **ret_why)
{
	const char *symfs = image->places->symfs;
	wp_autofree char *path = wp_asprintf("%s%s", symfs ? symfs : "", image->path);
	struct wp_file_id id = image->id;

	int fd;

	if (symfs)
		id.inode = 0;
	wp_other_roots_note(image->roots, image->pid);
	fd = wp_mapped_file_open(image->pid, path, &id, va, ret_why);
	if (fd < 0)
		fd = wp_other_roots_open(image->roots, path, &id);
	if (fd < 0 && id.build_id_len)
		fd = wp_debug_file_program(image->places, image->pid, id.build_id, id.build_id_len);
	return fd;
}

/* Who called sudo waits for files of his own. */
static bool is_ours(uid_t uid)
{
	const char *caller = getenv("SUDO_UID");
	uint64_t called = 0;

	if (caller && !wp_str_to_u64(caller, 10, UINT32_MAX, &called))
		called = 0;
	return uid == 0 || uid == geteuid() || uid == called;
}

bool wp_image_is_foreign(int fd)
{
	struct stat st;

	return fstat(fd, &st) != 0 || !is_ours(st.st_uid);
}

static void open_image_file(struct wp_images *images, struct wp_image *image, struct wp_va va)
{
	const char *why = NULL;

	image->fd = find_file(image, va, &why);
	if (image->fd < 0) {
		wp_log(images->log, WP_LOG_NOTE, "no symbols of %s: %s", image->path, why);
		return;
	}
	image->is_foreign = wp_image_is_foreign(image->fd);
	load_image_file(images, image);
}

/* A memory file that is no program is a JIT's (.NET, and compilers that map code twice). */
static void tell_memory(struct wp_image *image)
{
	if (image->reason == WP_SYMBOL_UNREADABLE && wp_str_has_prefix(image->path, "/memfd:")) {
		image->kind = WP_IMAGE_MEMORY;
		image->reason = WP_SYMBOL_NO_MODULE;
	}
}

void wp_image_begin(struct wp_images *images, struct wp_image *image, uint32_t pid,
		    struct wp_va map_start, uint64_t len)
{
	if (image->opened)
		return;
	image->opened = true;
	image->places = &images->places;
	image->roots = &images->roots;
	image->budget = images->budget;
	image->pid = images->past ? 0 : pid;
	if (images->pdb_image && wp_str_eq_nocase(images->pdb_image, wp_image_name(image)))
		image->pdb = images->pdb;
	image->reason = WP_SYMBOL_UNREADABLE;
	if (image->kind == WP_IMAGE_SCRIPT)
		open_script(images, image);
	else if (image->kind == WP_IMAGE_MEMORY || image->kind == WP_IMAGE_DUMP)
		image->reason = WP_SYMBOL_NO_MODULE;
	else if (!images->offline && image->kind == WP_IMAGE_VDSO)
		open_vdso(images, image, image->pid, map_start, len);
	else if (!images->offline)
		open_image_file(images, image, map_start);
	if (!image->load)
		tell_memory(image);
}

/* Takes over what the worker has done. */
static void take_done(struct wp_images *images, struct wp_image *image)
{
	struct wp_image_load *load = image->load;

	if (image->awaits_symbols && wp_image_load_has_symbols(load)) {
		image->awaits_symbols = false;
		wp_log_tell(&load->log, images->log);
		take_symbols(images, image, load->err);
		tell_memory(image);
	}
	if (!load || !wp_worker_done(&load->job))
		return;
	if (load->order.rules) {
		image->unwind_tried = true;
		image->unwind = load->rows;
		load->rows = (struct wp_unwind_rows){0};
	}
	wp_image_load_end(images->worker, load);
	image->load = NULL;
}

/* The worker has a stranger's, which may come before all others. */
static bool loads_foreign(const struct wp_images *images)
{
	wp_vec_each (struct wp_image *const, image, &images->loading)
		if ((*image)->load && (*image)->is_foreign && !wp_worker_done(&(*image)->load->job))
			return true;
	return false;
}

bool wp_images_are_stuck(struct wp_images *images)
{
	return wp_patience_is_over(images->patience) && loads_foreign(images);
}

static void leave_image(struct wp_images *images, struct wp_image *image)
{
	if (!image->is_left)
		wp_log(images->log, WP_LOG_NOTE,
		       "no symbols of %s: they were not read in time (nobody waits for a file of "
		       "another user when a run has ended; a longer run reads it)",
		       image->path);
	image->is_left = true;
}

/* False when nobody waits for it any more. */
static bool wait_patiently(struct wp_images *images, struct wp_image *image)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};

	wp_worker_hurry(images->worker, &image->load->job);
	while (!wp_worker_done(&image->load->job) && loads_foreign(images)) {
		if (wp_patience_is_over(images->patience)) {
			leave_image(images, image);
			return false;
		}
		nanosleep(&pause, NULL);
	}
	return true;
}

/* False unless it waits, and then the job is done. */
static bool wait_for_image(struct wp_images *images, struct wp_image *image,
			   enum wp_image_patience patience)
{
	wp_assert(image->load);
	if (patience == WP_IMAGE_HURRY)
		wp_worker_hurry(images->worker, &image->load->job);
	if (patience != WP_IMAGE_WAIT)
		return false;
	if (images->patience && !wait_patiently(images, image))
		return false;
	wp_worker_wait(images->worker, &image->load->job);
	take_done(images, image);
	return true;
}

bool wp_image_loaded(struct wp_images *images, struct wp_image *image,
		     enum wp_image_patience patience)
{
	take_done(images, image);
	return !image->awaits_symbols || wait_for_image(images, image, patience);
}

uint64_t wp_image_delta(const struct wp_image *image, const struct wp_mapping *mapping,
			struct wp_va va)
{
	const struct wp_elf_image *elf = &image->file.image;
	struct wp_off off = {va.v - mapping->start.v + mapping->pgoff.v};
	struct wp_rva rva;

	if (image->kind == WP_IMAGE_MEMORY || image->kind == WP_IMAGE_DUMP)
		return 0;
	if (wp_elf_image_rva(elf, off, &rva))
		return va.v - rva.v;
	/* Of a debug file: what is mapped with code is the segment with code. */
	if (elf->lacks_code && wp_elf_image_code_page(elf, &rva))
		return mapping->start.v - rva.v;
	return va.v - off.v;
}

const char *wp_image_name(const struct wp_image *image)
{
	const char *path = image->path;

	if (image->kind != WP_IMAGE_MEMORY)
		return wp_str_basename(path);
	if (wp_str_has_prefix(path, "/memfd:"))
		return path + 1;
	/* "[heap]", "[stack]", "[uprobes]" say it themselves; "[anon:NAME]" is of any kind. */
	return path[0] == '[' && !wp_str_has_prefix(path, "[anon") ? path : "[anon]";
}

/* Opens the file of a loaded image again when it was not kept open; true if the caller closes. */
bool wp_image_reopen(struct wp_image *image)
{
	const char *why;

	if (image->fd >= 0)
		return false;
	image->fd = find_file(image, (struct wp_va){0}, &why);
	return image->fd >= 0;
}

void wp_image_close_again(struct wp_image *image, bool reopened)
{
	if (!reopened)
		return;
	close(image->fd);
	image->fd = -1;
}

struct wp_srclines *wp_image_lines(struct wp_image *image)
{
	if (image->kind != WP_IMAGE_FILE || !image->opened || image->reason != WP_SYMBOL_STRIPPED)
		return NULL;
	if (image->file.lines_tried)
		return image->file.lines;
	bool reopened = wp_image_reopen(image);
	if (image->fd < 0)
		return NULL;
	struct wp_symfile_source source = wp_image_source(image);
	struct wp_srclines *lines = wp_symfile_lines(&source, &image->file);
	wp_image_close_again(image, reopened);
	return lines;
}

int wp_image_file(struct wp_image *image)
{
	int fd = -1;

	if (image->kind != WP_IMAGE_FILE || !image->opened || image->reason != WP_SYMBOL_STRIPPED)
		return -1;
	bool reopened = wp_image_reopen(image);
	if (image->fd >= 0)
		fd = fcntl(image->fd, F_DUPFD_CLOEXEC, 0);
	wp_image_close_again(image, reopened);
	return fd;
}

size_t wp_image_read_code(struct wp_image *image, uint64_t addr, uint8_t *ret, size_t n)
{
	bool reopened;

	if (!image->code.loaded && image->kind == WP_IMAGE_FILE &&
	    image->reason == WP_SYMBOL_STRIPPED) {
		reopened = wp_image_reopen(image);
		wp_image_code_load(&image->code, image->fd, &image->file.image);
		wp_image_close_again(image, reopened);
	}
	return wp_image_code_copy(&image->code, addr, ret, n);
}

static void load_unwind(struct wp_image *image)
{
	struct wp_symfile_source source = {.path = image->path, .fd = -1};
	bool reopened = false;

	image->unwind_tried = true;
	if (image->reason != WP_SYMBOL_STRIPPED)
		return;
	if (image->kind == WP_IMAGE_VDSO) {
		source.memory = image->memory;
		source.memory_size = image->memory_size;
	} else if (image->kind == WP_IMAGE_FILE) {
		reopened = wp_image_reopen(image);
		source = wp_image_source(image);
	}
	if (source.fd >= 0 || source.memory)
		wp_unwind_tables_load(&source, &image->file, &image->unwind);
	wp_image_close_again(image, reopened);
}

static void begin_unwind(struct wp_images *images, struct wp_image *image)
{
	bool reopened;

	if (image->unwind_tried || !image->opened || image->load)
		return;
	if (!images->worker || image->kind != WP_IMAGE_FILE ||
	    image->reason != WP_SYMBOL_STRIPPED) {
		load_unwind(image);
		return;
	}
	reopened = wp_image_reopen(image);
	image->unwind_tried = !start_load(images, image, false, true);
	wp_image_close_again(image, reopened);
}

bool wp_image_unwind_ready(struct wp_images *images, struct wp_image *image,
			   enum wp_image_patience patience)
{
	for (;;) {
		take_done(images, image);
		begin_unwind(images, image);
		if (!image->load)
			return true;
		if (!wait_for_image(images, image, patience))
			return false;
	}
}

static bool refresh_image(struct wp_images *images, struct wp_image *image)
{
	take_done(images, image);
	if (image->expects_rules)
		begin_unwind(images, image);
	return image->load != NULL;
}

size_t wp_images_refresh(struct wp_images *images)
{
	size_t kept = 0;

	for (size_t i = 0; i < images->loading.n; i++) {
		struct wp_image *image = images->loading.v[i];

		image->is_loading = refresh_image(images, image);
		if (image->is_loading)
			images->loading.v[kept++] = image;
	}
	images->loading.n = kept;
	return kept;
}

void wp_images_add_symbol(struct wp_images *images, const char *path, struct wp_rva start,
			  uint64_t size, const char *name)
{
	uint64_t *at = wp_map_put(&images->script_of, wp_strpool_id(&images->paths, path));
	struct wp_symtab_input in = {
		.start = start.v,
		.size = size ? size : UINT64_MAX - start.v,
		.name = wp_arena_strdup(&images->arena, name),
		.rank = wp_symtab_rank(WP_SYMTAB_GLOBAL, name),
		.filler = !size,
	};

	if (!*at) {
		wp_vec_push(&images->scripts, (struct wp_image_script){0});
		*at = images->scripts.n;
	}
	wp_vec_push(&images->scripts.v[*at - 1].symbols, in);
}

bool wp_images_script(struct wp_images *images, const char *path, struct wp_symtab *ret)
{
	struct wp_symtab_builder builder = {0};
	const uint64_t *at = wp_map_get(&images->script_of, wp_strpool_id(&images->paths, path));

	if (!at)
		return false;
	wp_vec_each (struct wp_symtab_input, in, &images->scripts.v[*at - 1].symbols)
		wp_symtab_add(&builder, in);
	wp_symtab_build(&builder, ret);
	return true;
}

static void image_free(struct wp_images *images, struct wp_image *image)
{
	if (image->load)
		wp_image_load_end(images->worker, image->load);
	wp_symfile_deinit(&image->file);
	wp_unwind_rows_deinit(&image->unwind);
	if (image->fd >= 0)
		close(image->fd);
	free(image->memory);
	wp_image_code_deinit(&image->code);
	wp_symtab_deinit(&image->objects);
	free(image);
}

void wp_images_deinit(struct wp_images *images)
{
	wp_vec_each (struct wp_image *, image, &images->all)
		image_free(images, *image);
	wp_vec_each (struct wp_image_script, script, &images->scripts)
		wp_vec_deinit(&script->symbols);
	wp_vec_deinit(&images->all);
	wp_vec_deinit(&images->loading);
	wp_vec_deinit(&images->scripts);
	wp_strpool_deinit(&images->paths);
	wp_map_deinit(&images->by_key);
	wp_map_deinit(&images->script_of);
	wp_arena_deinit(&images->arena);
	wp_other_roots_deinit(&images->roots);
}
