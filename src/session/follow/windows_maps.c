/* SPDX-License-Identifier: BSD-3-Clause */
/* windows_maps: see windows_maps.h. */
#include "session/follow/windows_maps.h"

#include "base/hash.h"
#include "base/keyed.h"
#include "format/pe/pe_image.h"
#include "resolve/find/mapped_file.h"

#include <ctype.h>
#include <string.h>
#include <unistd.h>

#define PAGE	    4096
#define MAX_HEADERS (64u << 10)
#define MAX_MODULES 4096       /* of a process */
#define MAX_HELD    (1u << 19) /* of all processes: a recording may tell of any number of forks */

static uint64_t pages(uint64_t bytes)
{
	return (bytes + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

static struct wp_windows_process *windows_process_of(const struct wp_windows_maps *maps,
						     uint32_t pid)
{
	return wp_keyed_get(&maps->processes, &maps->by_pid, pid);
}

static struct wp_windows_process *get_process(struct wp_windows_maps *maps, uint32_t pid)
{
	return wp_keyed_put(&maps->processes, &maps->by_pid, pid,
			    (struct wp_windows_process){.pid = pid});
}

static void read_image(struct wp_windows_image *image, int fd)
{
	wp_autofree uint8_t *head = wp_calloc(MAX_HEADERS, 1);
	ssize_t n = pread(fd, head, MAX_HEADERS, 0);
	struct wp_pe_file file = {head, n > 0 ? (size_t)n : 0};
	struct wp_pe_image pe;
	wp_autoerr struct wp_err *err = wp_pe_image_read(&file, &pe);

	if (err)
		return;
	image->size = pe.size;
	image->headers_size = pe.headers_size;
	image->is_program = !(pe.characteristics & WP_PE_DLL);
	image->is_high = pe.base >> 32 != 0;
	wp_vec_each (struct wp_pe_section, section, &pe.sections)
		if (section->flags & WP_PE_CODE)
			wp_vec_push(&image->sections,
				    (struct wp_windows_section){section->rva, section->size,
								section->offset});
	wp_pe_image_deinit(&pe);
}

/* Reads the first bytes of each file once: most are none. */
static const struct wp_windows_image *image_of(struct wp_windows_maps *maps,
					       const struct wp_record *record)
{
	struct wp_file_id id = wp_file_id_of(&record->map);
	uint32_t path = (uint32_t)wp_hash_str(record->map.path);
	struct wp_windows_image image = {0};
	const char *why;

	uint64_t *at = wp_map_put(&maps->by_file, wp_file_id_key(&id, path));
	if (*at)
		return &maps->images.v[*at - 1];
	wp_autofree char *name =
		wp_asprintf("%s%s", maps->symfs ? maps->symfs : "", record->map.path);
	if (maps->symfs)
		id.inode = 0; /* another file's */
	uint32_t pid = maps->past ? 0 : record->pid;
	wp_other_roots_note(&maps->roots, pid);
	wp_autoclose int fd = wp_mapped_file_open(pid, name, &id, record->map.start, &why);
	if (fd < 0)
		fd = wp_other_roots_open(&maps->roots, name, &id);
	if (fd >= 0)
		read_image(&image, fd);
	wp_vec_push(&maps->images, image);
	*at = maps->images.n;
	return &maps->images.v[maps->images.n - 1];
}

/* FNV-1a of what is behind the last slash or backslash. */
static uint32_t hash_path_name(const char *path)
{
	uint64_t hash = WP_HASH_FNV1A;

	for (const char *c = path; *c; c++)
		hash = *c == '/' || *c == '\\' ? WP_HASH_FNV1A
					       : wp_hash_fnv1a(hash, (uint8_t)tolower((uint8_t)*c));
	return (uint32_t)hash;
}

static bool overlaps(const struct wp_windows_module *module, uint64_t start, uint64_t end)
{
	return module->start < end && start < module->end;
}

/* Forgets the modules that memory is taken from. */
static void drop_modules(struct wp_windows_maps *maps, struct wp_windows_process *process,
			 uint64_t start, uint64_t end)
{
	size_t kept = 0;

	for (size_t i = 0; i < process->modules.n; i++)
		if (!overlaps(&process->modules.v[i], start, end))
			process->modules.v[kept++] = process->modules.v[i];
	maps->held -= process->modules.n - kept;
	process->modules.n = kept;
}

/* A module that holds all of a mapping but begins in front of it. */
static bool is_inside(const struct wp_windows_process *process, uint64_t start, uint64_t end)
{
	wp_vec_each (struct wp_windows_module, module, &process->modules)
		if (module->start < start && end <= pages(module->end))
			return true;
	return false;
}

static void map_image_sections(struct wp_windows_maps *maps, const struct wp_record *record,
			       const struct wp_windows_image *image)
{
	wp_vec_each (struct wp_windows_section, section, &image->sections) {
		struct wp_record add = *record;

		add.map.data = false;
		add.map.start.v += section->rva;
		add.map.len = pages(section->size);
		add.map.pgoff.v = section->offset;
		wp_vec_push(&maps->out, add);
	}
}

/*
 * True when the headers of an image alone are mapped: a program that reads a PE file as any other
 * has more of it in one mapping.
 */
static bool is_module(const struct wp_record_map *map, const struct wp_windows_image *image)
{
	return image->size && map->len == pages(image->headers_size) &&
	       image->size <= UINT64_MAX - map->start.v;
}

/*
 * Wine of 32 bits maps a program of 64 bits, too, to look at it, before it leaves it to another
 * process.
 */
static struct wp_windows_module windows_module_of(const struct wp_record *record,
						  const struct wp_windows_image *image)
{
	uint64_t start = record->map.start.v;

	return (struct wp_windows_module){
		.start = start,
		.end = start + image->size,
		.is_program = image->is_program && (!image->is_high || start >> 32),
		.name = hash_path_name(record->map.path),
	};
}

static void take_headers(struct wp_windows_maps *maps, const struct wp_record *record)
{
	const struct wp_windows_image *image = image_of(maps, record);
	uint64_t start = record->map.start.v;

	if (!is_module(&record->map, image)) {
		if (!record->map.data)
			wp_vec_push(&maps->out, *record);
		return;
	}
	struct wp_windows_process *process = get_process(maps, record->pid);
	drop_modules(maps, process, start, start + image->size);
	if (process->modules.n < MAX_MODULES && maps->held < MAX_HELD) {
		wp_vec_push(&process->modules, windows_module_of(record, image));
		maps->held++;
	}
	wp_vec_push(&maps->out, *record);
	map_image_sections(maps, record, image);
}

static void take_windows_mapping(struct wp_windows_maps *maps, const struct wp_record *record)
{
	struct wp_windows_process *process = windows_process_of(maps, record->pid);
	const struct wp_record_map *map = &record->map;
	uint64_t start = map->start.v, end = start + map->len;
	bool is_file = map->path && wp_mapped_file_has_path(map->path);

	if (is_file && !map->pgoff.v) {
		take_headers(maps, record);
		return;
	}
	if (map->data || (process && is_inside(process, start, end)))
		return; /* of no interest, or told already */
	if (process)
		drop_modules(maps, process, start, end);
	wp_vec_push(&maps->out, *record);
}

static void forget_maps(struct wp_windows_maps *maps, uint32_t pid)
{
	struct wp_windows_process *process = windows_process_of(maps, pid);

	if (!process)
		return;
	maps->held -= process->modules.n;
	wp_vec_deinit(&process->modules);
}

static void fork_windows_process(struct wp_windows_maps *maps, uint32_t parent, uint32_t pid)
{
	forget_maps(maps, pid);
	if (!windows_process_of(maps, parent))
		return;
	struct wp_windows_process *child = get_process(maps, pid);
	const struct wp_windows_process *from = windows_process_of(maps, parent);

	if (from->modules.n > MAX_HELD - maps->held)
		return;
	maps->held += from->modules.n;
	wp_vec_each (struct wp_windows_module, module, &from->modules)
		wp_vec_push(&child->modules, *module);
}

void wp_windows_maps_changed(void *arg, const struct wp_process_change *change)
{
	struct wp_windows_maps *maps = arg;
	const struct wp_record *record = change->record;

	if (change->kind == WP_PROCESS_EXECED)
		forget_maps(maps, record->pid);
	else if (change->kind == WP_PROCESS_BEGAN)
		fork_windows_process(maps, record->fork.parent_pid, record->pid);
}

const struct wp_record *wp_windows_maps_take(struct wp_windows_maps *maps,
					     const struct wp_record *record, size_t *ret_n)
{
	*ret_n = 1;
	if (maps->closed && record->kind == WP_RECORD_MAP && record->map.data)
		*ret_n = 0;
	if (maps->closed || wp_process_change_of(record) != WP_PROCESS_MAPPED)
		return record;
	maps->out.n = 0;
	take_windows_mapping(maps, record);
	*ret_n = maps->out.n;
	return maps->out.v;
}

static const struct wp_windows_module *program_of(const struct wp_windows_process *process)
{
	wp_vec_each (struct wp_windows_module, module, &process->modules)
		if (module->is_program)
			return module;
	return NULL;
}

bool wp_windows_maps_program(const struct wp_windows_maps *maps, uint32_t pid, struct wp_va *ret)
{
	const struct wp_windows_process *process = windows_process_of(maps, pid);
	const struct wp_windows_module *module = process ? program_of(process) : NULL;

	if (module)
		ret->v = module->start;
	return module != NULL;
}

bool wp_windows_maps_named(const struct wp_windows_maps *maps, const char *name, uint32_t *ret_pid)
{
	uint32_t hash = hash_path_name(name);

	for (size_t i = maps->processes.n; i-- > 0;) {
		const struct wp_windows_module *module = program_of(&maps->processes.v[i]);

		if (module && module->name == hash) {
			*ret_pid = maps->processes.v[i].pid;
			return true;
		}
	}
	return false;
}

void wp_windows_maps_deinit(struct wp_windows_maps *maps)
{
	wp_vec_each (struct wp_windows_process, process, &maps->processes)
		wp_vec_deinit(&process->modules);
	wp_vec_each (struct wp_windows_image, image, &maps->images)
		wp_vec_deinit(&image->sections);
	wp_vec_deinit(&maps->processes);
	wp_vec_deinit(&maps->images);
	wp_vec_deinit(&maps->out);
	wp_other_roots_deinit(&maps->roots);
	wp_map_deinit(&maps->by_pid);
	wp_map_deinit(&maps->by_file);
}
