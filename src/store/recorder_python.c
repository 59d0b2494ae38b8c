/* SPDX-License-Identifier: BSD-3-Clause */
/* recorder_python: see recorder_python.h. */
#include "store/recorder_python.h"

#include "base/clock.h"
#include "base/writer.h"
#include "core/process.h"
#include "format/perf/perfdata_write.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHUNK_LINES 65536u
#define WAIT	    50	  /* of the time, a fiftieth at most goes into writing the image */
#define UNKNOWN	    "???" /* as CPython's faulthandler names it */

void wp_recorder_python_init(struct wp_recorder_python *python, const char *path, bool arm64)
{
	*python = (struct wp_recorder_python){.path = wp_strdup(path), .arm64 = arm64};
	if (getrandom(python->build_id, sizeof(python->build_id), 0) < 0)
		memset(python->build_id, 1, sizeof(python->build_id));
}

void wp_recorder_python_deinit(struct wp_recorder_python *python)
{
	free(python->path);
	wp_map_deinit(&python->number_of);
	wp_vec_deinit(&python->names);
	wp_vec_deinit(&python->file_of);
	wp_strpool_deinit(&python->strings);
	wp_strpool_deinit(&python->files);
	wp_map_deinit(&python->seen);
	wp_vec_deinit(&python->lines);
	wp_map_deinit(&python->mapped);
	*python = (struct wp_recorder_python){0};
}

static const char *python_file_of(const struct wp_symbol_set *set, const struct wp_symbol *symbol)
{
	return symbol->module == WP_NO_MODULE ? "" : set->modules.v[symbol->module].path;
}

/* Gives a function its number and tells of it. */
static uint32_t number_function(struct wp_recorder_python *python, const struct wp_symbol_set *set,
				const struct wp_symbol *symbol, uint32_t chunk,
				struct wp_perfdata_notes *out)
{
	struct wp_perfdata_function function = {
		.number = (uint32_t)python->names.n + 1,
		.first_line = symbol->line,
		.line_base = chunk * CHUNK_LINES,
		.name = symbol->raw,
		.file = python_file_of(set, symbol),
	};
	const char *name = symbol->raw ? symbol->raw : UNKNOWN;
	uint32_t id = wp_strpool_id(&python->strings, name);

	wp_vec_push(&python->names, wp_strpool_get(&python->strings, id));
	wp_vec_push(&python->file_of, wp_strpool_id(&python->files, function.file));
	wp_perfdata_put_function(out, &function);
	return function.number;
}

static void note_line(struct wp_recorder_python *python, uint32_t number, uint64_t address,
		      uint32_t line)
{
	uint64_t *seen = wp_map_put(&python->seen, address);

	if (*seen)
		return;
	*seen = 1;
	wp_vec_push(&python->lines, (struct wp_python_image_line){
					    .address = address - WP_PERFDATA_PYTHON_BASE - 8,
					    .file = python->file_of.v[number - 1],
					    .line = line,
				    });
}

uint64_t wp_recorder_python_address(struct wp_recorder_python *python,
				    const struct wp_symbol_set *set, uint32_t symbol, uint32_t line,
				    struct wp_perfdata_notes *out)
{
	uint32_t chunk = line / CHUNK_LINES;
	uint64_t *number, address;

	number = wp_map_put(&python->number_of, (uint64_t)symbol << 32 | chunk);
	if (!*number && python->names.n + 1 < WP_PERFDATA_PYTHON_MAX)
		*number = number_function(python, set, &set->symbols.v[symbol], chunk, out);
	if (!*number)
		*number = 1; /* never: there are fewer symbols */
	address = wp_perfdata_python_address((uint32_t)*number, line % CHUNK_LINES);
	note_line(python, (uint32_t)*number, address, line);
	return address;
}

static struct wp_record_map image_map(const struct wp_recorder_python *python)
{
	struct wp_record_map map = {.start = {WP_PERFDATA_PYTHON_BASE},
				    .len = WP_PERFDATA_PYTHON_BYTES,
				    .path = python->path,
				    .build_id_len = sizeof(python->build_id)};

	memcpy(map.build_id, python->build_id, sizeof(python->build_id));
	return map;
}

void wp_recorder_python_hit(const struct wp_recorder_python *python, struct wp_recorder_ids *ids)
{
	struct wp_record_map map = image_map(python);

	if (!python->names.n)
		return;
	wp_recorder_ids_map(ids, &map);
	wp_recorder_ids_hit(ids, python->path);
}

void wp_recorder_python_map(struct wp_recorder_python *python, const struct wp_record *sample,
			    struct wp_str *out)
{
	uint64_t *mapped = wp_map_put(&python->mapped, sample->pid);
	struct wp_record record = {
		.kind = WP_RECORD_MAP,
		.pid = sample->pid,
		.tid = sample->tid,
		.cpu = sample->cpu,
		.time_ns = sample->time_ns,
		.map = image_map(python),
	};

	if (*mapped)
		return;
	*mapped = 1;
	wp_perfdata_put_record(out, &record);
}

void wp_recorder_python_record(struct wp_recorder_python *python, const struct wp_record *record)
{
	enum wp_process_change_kind kind = wp_process_change_of(record);
	bool other = kind == WP_PROCESS_EXECED || kind == WP_PROCESS_BEGAN ||
		     (kind == WP_THREAD_ENDED && record->pid == record->tid);

	if (other && wp_map_get(&python->mapped, record->pid))
		*wp_map_put(&python->mapped, record->pid) = 0;
}

static int by_address(const void *a, const void *b)
{
	const struct wp_python_image_line *x = a, *y = b;

	return x->address < y->address ? -1 : x->address > y->address;
}

struct wp_err *wp_recorder_python_check(const char *path)
{
	uint8_t head[WP_PYTHON_IMAGE_HEAD];
	struct stat st;
	ssize_t n = 0;

	if (lstat(path, &st) != 0)
		return NULL;
	if (S_ISREG(st.st_mode)) {
		wp_autoclose int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);

		n = fd < 0 ? 0 : read(fd, head, sizeof(head));
	}
	if (n > 0 && wp_python_image_is(head, (size_t)n))
		return NULL;
	return wp_err_new(WP_ERR_OTHER,
			  "%s: not written by wperf, but names of Python functions would go there: "
			  "move it away, or record to another file",
			  path);
}

/* Under another name first: whoever reads it while we write, or after we were killed, finds a whole
 * one. A name of its own, since others may have put a link into the folder. */
static struct wp_err *write_file(const char *path, const struct wp_str *bytes)
{
	wp_autofree char *fresh = wp_asprintf("%s.XXXXXX", path);
	wp_autoclose int fd = mkostemp(fresh, O_CLOEXEC);
	struct wp_writer *out;
	struct wp_err *err;

	if (fd < 0)
		return wp_err_os(errno, "%s: cannot be created", path);
	out = wp_writer_of_fd(fd, path);
	wp_writer_put(out, bytes->s, bytes->len);
	err = wp_writer_close(out);
	if (!err)
		err = wp_recorder_python_check(path);
	if (!err && rename(fresh, path) != 0)
		err = wp_err_os(errno, "%s: cannot be written", path);
	if (err)
		unlink(fresh);
	return err;
}

static struct wp_err *write_image(struct wp_recorder_python *python)
{
	wp_autostr struct wp_str bytes = {0};
	struct wp_python_image image = {
		.names = python->names.v,
		.n = python->names.n,
		.files = python->files.strings.v,
		.n_files = python->files.strings.n,
		.lines = python->lines.v,
		.n_lines = python->lines.n,
		.arm64 = python->arm64,
	};

	qsort(python->lines.v, python->lines.n, sizeof(*python->lines.v), by_address);
	memcpy(image.build_id, python->build_id, sizeof(image.build_id));
	wp_python_image_put(&bytes, &image);
	return write_file(python->path, &bytes);
}

struct wp_err *wp_recorder_python_write(struct wp_recorder_python *python, bool whole)
{
	uint64_t now_ns = wp_clock_now_ns();

	if (python->lines.n == python->written || (!whole && now_ns < python->due_ns))
		return NULL;
	TRY(write_image(python));
	python->written = python->lines.n;
	python->due_ns = now_ns + (wp_clock_now_ns() - now_ns) * WAIT;
	return NULL;
}
