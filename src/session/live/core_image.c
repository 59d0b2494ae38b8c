/* SPDX-License-Identifier: BSD-3-Clause */
/* core_image: see core_image.h. */
#include "session/live/core_image.h"

#include "base/file.h"
#include "base/hash.h"
#include "base/str.h"
#include "format/elf/elf_image.h"
#include "resolve/find/owner_file.h"
#include "source/proc/process_memory.h"

#include <elf.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Program headers of a file in memory, and a segment of notes. */
#define PHDRS_MAX  64
#define NOTE_BYTES 4096
#define PAGE	   4096
/* No process has an id as high (PID_MAX_LIMIT in Linux' include/linux/threads.h is 2^22). */
#define NO_PROCESS (1u << 30)

/* ---- memory ---- */

/* Of the file that is mapped there; returns how many bytes. */
static size_t read_core_file(const struct wp_core_image *image, uint64_t addr, void *ret, size_t n)
{
	const struct wp_elf_core_file *part = wp_elf_core_file_at(&image->core, addr);
	uint64_t at = part ? addr - part->start : 0;
	size_t index = part ? (size_t)(part - image->core.files.v) : 0;
	ssize_t got;
	int fd;

	/* While the files are opened: only what the core itself has. */
	if (!part || index >= image->file_of.n)
		return 0;
	fd = image->files.v[image->file_of.v[index]].fd;
	if (n > part->bytes - at)
		n = (size_t)(part->bytes - at);
	got = fd < 0 ? 0 : pread(fd, ret, n, (off_t)(part->offset + at));
	return got > 0 ? (size_t)got : 0;
}

static size_t read_piece(const struct wp_core_image *image, uint64_t addr, void *ret, size_t n)
{
	size_t got = wp_elf_core_memory(&image->core, addr, ret, n);

	return got ? got : read_core_file(image, addr, ret, n);
}

/* Up to n bytes, as many as lie there without a gap. */
static size_t read_core(const struct wp_core_image *image, uint64_t addr, void *ret, size_t n)
{
	size_t done = 0, got = 1;

	while (done < n && got && addr + done >= addr) {
		got = read_piece(image, addr + done, (uint8_t *)ret + done, n - done);
		done += got;
	}
	return done;
}

static bool read_core_memory(void *arg, uint64_t addr, void *ret, size_t n)
{
	return read_core(arg, addr, ret, n) == n;
}

struct wp_memory wp_core_image_memory(struct wp_core_image *image)
{
	return (struct wp_memory){.read = read_core_memory, .arg = image};
}

/* ---- files ---- */

/* Of the file whose first page lies there: its head is a part of every core. */
static void read_core_build_id(const struct wp_core_image *image, uint64_t addr,
			       struct wp_core_file *file)
{
	struct wp_elf_image id = {0};
	Elf64_Phdr p[PHDRS_MAX];
	uint8_t note[NOTE_BYTES];
	Elf64_Ehdr head;
	size_t n;

	if (read_core(image, addr, &head, sizeof(head)) < sizeof(head) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_phentsize != sizeof(*p))
		return;
	n = read_core(image, addr + head.e_phoff, p, sizeof(p)) / sizeof(*p);
	for (size_t i = 0; i < n && i < head.e_phnum; i++) {
		size_t bytes = p[i].p_filesz < sizeof(note) ? (size_t)p[i].p_filesz : sizeof(note);

		/* By its place in the file: what is mapped first begins with byte 0. */
		if (p[i].p_type == PT_NOTE)
			wp_elf_image_notes(&id,
					   wp_bytes_of(note, read_core(image, addr + p[i].p_offset,
								       note, bytes)));
	}
	if (!id.build_id_len || id.build_id_len > WP_BUILD_ID_MAX)
		return;
	memcpy(file->build_id, id.build_id, id.build_id_len);
	file->build_id_len = id.build_id_len;
}

static bool is_newer(int fd, int core_fd)
{
	struct stat file, core;

	return fstat(fd, &file) == 0 && fstat(core_fd, &core) == 0 && file.st_mtime > core.st_mtime;
}

/* What is wrong with an open file; NULL: nothing, as far as can be told. */
static const char *find_difference(const struct wp_core_image *image,
				   const struct wp_core_file *file)
{
	struct wp_file_id id = {.build_id_len = file->build_id_len};

	memcpy(id.build_id, file->build_id, file->build_id_len);
	if (file->build_id_len && !wp_mapped_file_is(file->fd, &id))
		return "is another file than that of the core (its build-id differs): nothing is "
		       "taken from it";
	if (!file->build_id_len && is_newer(file->fd, image->fd))
		return "is newer than the core, and has no build-id: it may be another file";
	return NULL;
}

/* A core can name any file: it is read as the core's owner may. */
static void open_core_file(struct wp_core_image *image, struct wp_core_file *file)
{
	const char *wrong;

	if (!wp_mapped_file_has_path(file->path))
		return;
	file->fd = wp_owner_file_open(&image->owners, wp_mapped_file_path, 0, file->path).fd;
	if (file->fd < 0) {
		wp_log(image->log, WP_LOG_VERBOSE,
		       "%s cannot be read: what the core has of it has "
		       "to do",
		       file->path);
		return;
	}
	wrong = find_difference(image, file);
	if (wrong)
		wp_log(image->log, WP_LOG_WARNING, "%s %s", file->path, wrong);
	if (wrong && file->build_id_len) {
		close(file->fd);
		file->fd = -1;
	}
}

static uint32_t add_core_file(struct wp_core_image *image, const struct wp_elf_core_file *part)
{
	struct wp_core_file add = {.path = part->path, .fd = -1};

	if (!part->offset)
		read_core_build_id(image, part->start, &add);
	open_core_file(image, &add);
	wp_vec_push(&image->files, add);
	return (uint32_t)image->files.n;
}

static void open_core_files(struct wp_core_image *image)
{
	struct wp_map by_path = {0}; /* hash -> index + 1; of two with one hash each is opened */

	wp_vec_each (struct wp_elf_core_file, part, &image->core.files) {
		uint64_t hash = wp_hash_str(part->path), *known = wp_map_put(&by_path, hash);

		if (!*known || strcmp(image->files.v[*known - 1].path, part->path) != 0)
			*known = add_core_file(image, part);
		wp_vec_push(&image->file_of, (uint32_t)*known - 1);
	}
	wp_map_deinit(&by_path);
}

struct wp_err *wp_core_image_open(const char *path, const struct wp_log *log,
				  struct wp_core_image *ret)
{
	char folder[64];
	struct stat st;

	*ret = (struct wp_core_image){.path = path, .log = log, .fd = -1};
	ret->fd = wp_mapped_file_path(0, path);
	if (ret->fd < 0 || fstat(ret->fd, &st) != 0)
		return wp_err_os(errno, "%s: cannot be read", path);
	wp_owners_add_uid(&ret->owners, st.st_uid);
	TRY(wp_elf_core_read(ret->fd, path, &ret->core));
	if (ret->core.missing)
		wp_log(log, WP_LOG_WARNING,
		       "%s was cut: %llu MB of memory are not there (ulimit -c, a full disk?)",
		       path, (unsigned long long)(ret->core.missing >> 20));
	open_core_files(ret);
	for (size_t i = ret->core.threads.n; i-- > 0;)
		*wp_map_put(&ret->thread_of, ret->core.threads.v[i].tid) = i;
	ret->pid = ret->core.pid ? ret->core.pid : ret->core.threads.v[0].tid;
	snprintf(folder, sizeof(folder), "/proc/%u", ret->pid);
	if (wp_file_exists(folder))
		ret->pid |= NO_PROCESS;
	wp_process_memory_stand_in(ret->pid, wp_core_image_memory(ret));
	return NULL;
}

void wp_core_image_deinit(struct wp_core_image *image)
{
	if (image->pid)
		wp_process_memory_stand_in(0, (struct wp_memory){0});
	wp_vec_each (struct wp_core_file, file, &image->files)
		if (file->fd >= 0)
			close(file->fd);
	wp_vec_deinit(&image->files);
	wp_vec_deinit(&image->file_of);
	wp_map_deinit(&image->thread_of);
	wp_owners_deinit(&image->owners);
	wp_elf_core_deinit(&image->core);
	free(image->stack);
	if (image->path && image->fd >= 0)
		close(image->fd);
}

static bool has_code_at(int fd, uint64_t offset)
{
	struct wp_elf_image elf;
	Elf *handle = wp_elf_open(fd);
	wp_autoerr struct wp_err *err = wp_elf_image_read(handle, &elf);
	bool found = false;

	if (!err) {
		wp_vec_each (struct wp_elf_segment, segment, &elf.segments)
			found |= segment->exec && segment->offset.v / PAGE <= offset / PAGE &&
				 offset < segment->offset.v + segment->file_size;
		wp_elf_image_deinit(&elf);
	}
	elf_end(handle);
	return found;
}

/* gcore leaves out mappings that are as in the file: then that says which are code. */
static bool maps_code(const struct wp_core_image *image, size_t index)
{
	const struct wp_elf_core_file *part = &image->core.files.v[index];
	const struct wp_elf_core_segment *segment =
		wp_elf_core_segment_at(&image->core, part->start);
	int fd = image->files.v[image->file_of.v[index]].fd;

	return segment ? segment->exec : fd >= 0 && has_code_at(fd, part->offset);
}

void wp_core_image_snapshot(const struct wp_core_image *image, struct wp_records *ret)
{
	struct wp_record record = {
		.kind = WP_RECORD_COMM,
		.pid = image->pid,
		.tid = image->pid,
		.cpu = WP_ANY_CPU,
		.comm.name = wp_arena_strdup(&ret->arena, image->core.name),
	};

	wp_vec_push(&ret->records, record);
	record.kind = WP_RECORD_MAP;
	for (size_t i = 0; i < image->core.files.n; i++) {
		const struct wp_elf_core_file *part = &image->core.files.v[i];
		const struct wp_core_file *file = &image->files.v[image->file_of.v[i]];

		if (!maps_code(image, i))
			continue;
		record.map = (struct wp_record_map){
			.start = {part->start},
			.len = part->bytes,
			.pgoff = {part->offset},
			.path = wp_arena_strdup(&ret->arena, part->path),
			.build_id_len = file->build_id_len,
		};
		memcpy(record.map.build_id, file->build_id, file->build_id_len);
		wp_vec_push(&ret->records, record);
	}
}

/* ---- threads ---- */

static void copy_core_stack(struct wp_core_image *image, size_t bytes, struct wp_instant *at)
{
	if (bytes > image->stack_cap) {
		image->stack = wp_realloc(image->stack, 1, bytes);
		image->stack_cap = bytes;
	}
	at->stack = image->stack;
	at->stack_bytes = read_core(image, at->sp, image->stack, bytes);
}

const char *wp_core_image_arch(const struct wp_core_image *image)
{
	return image->core.machine == EM_AARCH64 ? "aarch64" : "x86_64";
}

const char *wp_core_image_program(const struct wp_core_image *image)
{
	const struct wp_elf_core_file *file =
		wp_elf_core_file_at(&image->core, image->core.program);

	return file ? file->path : NULL;
}

bool wp_core_image_instant(struct wp_core_image *image, uint32_t tid, size_t stack_bytes,
			   struct wp_instant *ret, uint64_t *ret_pointer)
{
	const uint64_t *index = wp_map_get(&image->thread_of, tid);
	const struct wp_elf_core_thread *of;
	bool arm = image->core.machine == EM_AARCH64;

	if (!index)
		return false;
	of = &image->core.threads.v[*index];
	*ret_pointer = of->pointer;
	*ret = (struct wp_instant){
		.pid = image->pid,
		.tid = of->tid,
		.proof = WP_INSTANT_PROVEN,
		.has_place = true,
		.sp = of->regs.r[arm ? 31 : 7],
		.ip = of->regs.r[arm ? 32 : 16],
		.has_regs = true,
		.regs = of->regs,
		.in_call = of->in_call,
		.call = of->call,
		.ended = true,
		.signal = *index ? 0 : image->core.signal,
	};
	/* The first one of its process has the process's name; others' are not in a core. */
	if (of->tid == image->core.pid)
		snprintf(ret->name, sizeof(ret->name), "%s", image->core.name);
	memcpy(ret->args, of->args, sizeof(ret->args));
	if (ret->in_call)
		ret->known = wp_syscall_find(wp_core_image_arch(image), ret->call);
	copy_core_stack(image, stack_bytes, ret);
	return true;
}
