/* SPDX-License-Identifier: BSD-3-Clause */
/* jit: see jit.h. */
#include "resolve/jit/jit.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/map.h"
#include "base/str.h"
#include "format/unwind/cfi.h"
#include "format/maps/jitdump.h"
#include "format/maps/perfmap.h"
#include "format/maps/proc_status.h"
#include "resolve/find/owner_file.h"
#include "resolve/find/process_owner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CHUNK	       (1u << 20)
#define MAX_FILE_BYTES (4ull << 30)
#define MAX_DUMPS      8
#define STAT_BYTES     65536
/* Unwind rules, of one piece of code and of all of a process's; 12 bytes each. */
#define MAX_PIECE_RULES (1u << 16)
#define MAX_RULES	(1u << 21)
#define MAX_EH_FRAME	(1u << 20) /* bytes of one piece of code */
#define RETRY_NS	(20 * WP_NS_PER_MS)

/* What a MOVE needs of the LOAD before it. */
struct method {
	const char *name;
	const struct wp_jit_rules *rules;
};

/* A file that grows. */
struct tail {
	int fd;
	uint64_t pos;
	bool started, done; /* the header was read; nothing more will be read */
	bool arch_time;
	uint16_t machine;
	struct wp_map methods;	  /* jitdump: method number -> struct method * */
	WP_VEC(uint8_t) eh_frame; /* call frame information of the code that the next LOAD names */
};

struct wp_jit {
	uint32_t pid, inner_pid; /* pid is 0 for one of the past */
	bool past, unread;	 /* unread: of the past, its files are still to be read */
	struct wp_owners owners; /* of the process, or the recording */
	struct wp_jit_trust trust;
	struct wp_jit_code code;
	struct tail map;
	struct tail dumps[MAX_DUMPS];
	size_t n_dumps;
	size_t n_rules;
	uint64_t next_try_ns;
};

/* In seconds since 1970; 0 when not known. */
static int64_t start_of(uint32_t pid)
{
	char path[64];
	struct timespec now, up;
	wp_autofree char *stat = NULL;
	uint64_t ticks;

	snprintf(path, sizeof(path), "/proc/%u/stat", pid);
	wp_autoerr struct wp_err *err = wp_file_read(path, STAT_BYTES, &stat, NULL);
	if (err || !wp_proc_stat_number(stat, WP_PROC_STAT_START, &ticks))
		return 0;
	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	return now.tv_sec - up.tv_sec + (int64_t)ticks / sysconf(_SC_CLK_TCK);
}

/* Whose files it may have, while it lives. */
static void ask_proc(struct wp_jit *jit)
{
	jit->inner_pid = wp_mapped_file_inner_pid(jit->pid);
	jit->trust = (struct wp_jit_trust){.started = start_of(jit->pid)};
	wp_process_owner(jit->pid, &jit->owners);
}

struct wp_jit *wp_jit_new(uint32_t pid, const struct wp_jit_trust *past,
			  struct wp_jit_budget *budget)
{
	struct wp_jit *jit = wp_calloc(1, sizeof(*jit));

	jit->code.budget = budget;
	jit->map.fd = -1;
	jit->past = jit->unread = past;
	jit->pid = past ? 0 : pid;
	jit->inner_pid = pid;
	if (!past) {
		ask_proc(jit);
	} else {
		jit->trust = *past;
		wp_owners_add_uid(&jit->owners, past->uid);
	}
	return jit;
}

static void close_tail(struct tail *tail)
{
	if (tail->fd >= 0)
		close(tail->fd);
	wp_map_deinit(&tail->methods);
	wp_vec_deinit(&tail->eh_frame);
}

void wp_jit_free(struct wp_jit *jit)
{
	close_tail(&jit->map);
	for (size_t i = 0; i < jit->n_dumps; i++)
		close_tail(&jit->dumps[i]);
	wp_jit_code_deinit(&jit->code);
	wp_owners_deinit(&jit->owners);
	free(jit);
}

/* A name in /tmp can be anybody's, and a left-over of another process that had the same pid. */
static bool believable(const struct wp_jit *jit, const char *path, int fd)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return false;
	if (jit->trust.started && st.st_mtime + 2 < jit->trust.started)
		return false;
	if (jit->trust.any_owner || st.st_uid == 0 || st.st_uid == geteuid() ||
	    wp_owners_has_uid(&jit->owners, st.st_uid))
		return true;
	if (jit->past)
		wp_log(jit->trust.log, WP_LOG_NOTE,
		       "%s: not read, it belongs to user %u, not to the recording's or root (use "
		       "-f to override)",
		       path, st.st_uid);
	return false;
}

static int keep_believable(const struct wp_jit *jit, const char *path, int fd)
{
	if (fd < 0 || believable(jit, path, fd))
		return fd;
	close(fd);
	return -1;
}

/* A process may put any file there, by a mount of its own: root reads as the process may. */
static int open_believable(const struct wp_jit *jit, uint32_t root_pid, uint32_t name_pid)
{
	struct wp_owner_file_found found = {.fd = -1};
	char path[64];

	snprintf(path, sizeof(path), "/tmp/perf-%u.map", name_pid);
	if (jit->owners.all.n && !jit->past && geteuid() == 0)
		found = wp_owner_file_open(&jit->owners, wp_mapped_file_no_link, root_pid, path);
	else
		found.fd = wp_mapped_file_no_link(root_pid, path);
	return keep_believable(jit, path, found.fd);
}

static void open_map(struct wp_jit *jit)
{
	int fd = jit->pid ? open_believable(jit, jit->pid, jit->inner_pid) : -1;

	if (fd < 0)
		fd = open_believable(jit, 0, jit->inner_pid);
	if (fd < 0 && jit->pid && jit->inner_pid != jit->pid)
		fd = open_believable(jit, 0, jit->pid);
	jit->map.fd = fd;
}

void wp_jit_add_dump(struct wp_jit *jit, const char *path, const struct wp_file_id *id,
		     struct wp_va va)
{
	const char *why;

	if (jit->n_dumps == MAX_DUMPS)
		return;
	int fd = keep_believable(jit, path, wp_mapped_file_open(jit->pid, path, id, va, &why));
	if (fd < 0)
		return;
	jit->dumps[jit->n_dumps++] = (struct tail){.fd = fd};
	jit->unread = jit->past;
}

bool wp_jit_has_files(const struct wp_jit *jit)
{
	return jit->map.fd >= 0 || jit->n_dumps;
}

static void take_perf_map(struct wp_jit *jit, struct wp_bytes *b)
{
	struct wp_perfmap_entry e;

	while (wp_perfmap_next(b, &e))
		wp_jit_code_add(&jit->code, e.start, e.size, 0, e.name, e.name_len);
}

/* The rules of code that was loaded; NULL when they are not told or there are too many. */
static const struct wp_jit_rules *compile_rules(struct wp_jit *jit, struct tail *tail,
						const struct wp_jitdump_record *r)
{
	const struct wp_cfi_section section = {
		.data = tail->eh_frame.v,
		.size = tail->eh_frame.n,
		.addr = r->start + (r->size + 7) / 8 * 8,
		.eh = true,
	};
	struct wp_unwind_rows rows = {.base = r->start};
	struct wp_jit_rules *rules = NULL;
	struct wp_cfi_stats stats = {0};

	if (tail->eh_frame.n)
		wp_cfi_compile(tail->machine, &section, &rows, &stats);
	size_t n = rows.rows.n;
	if (n && n <= MAX_PIECE_RULES && n <= MAX_RULES - jit->n_rules) {
		rules = wp_arena_alloc(&jit->code.names, sizeof(*rules) + n * sizeof(*rows.rows.v));
		rules->n = n;
		memcpy(rules->v, rows.rows.v, n * sizeof(*rows.rows.v));
		jit->n_rules += n;
	}
	wp_unwind_rows_deinit(&rows);
	return rules;
}

static void add_jit_piece(struct wp_jit *jit, const struct tail *tail,
			  const struct wp_jitdump_record *r, struct method *method)
{
	uint64_t time = tail->arch_time ? 0 : r->time;

	if (!wp_jit_code_add(&jit->code, r->start, r->size, time, method->name,
			     strlen(method->name)))
		return;
	struct wp_jit_piece *piece = &jit->code.fresh.v[jit->code.fresh.n - 1];
	method->name = piece->name;
	piece->rules = method->rules;
}

static void take_jit_method(struct wp_jit *jit, struct tail *tail,
			    const struct wp_jitdump_record *r)
{
	struct method loaded = {.name = r->name};
	uint32_t told = jit->code.told;

	loaded.rules = compile_rules(jit, tail, r);
	tail->eh_frame.n = 0;
	add_jit_piece(jit, tail, r, &loaded);
	if (told == jit->code.told)
		return;
	struct method *kept = wp_arena_alloc(&jit->code.names, sizeof(*kept));
	*kept = loaded;
	*wp_map_put(&tail->methods, r->index) = (uintptr_t)kept;
}

static void take_move(struct wp_jit *jit, struct tail *tail, const struct wp_jitdump_record *r)
{
	const uint64_t *known = wp_map_get(&tail->methods, r->index);

	if (known)
		add_jit_piece(jit, tail, r, (struct method *)(uintptr_t)*known);
}

static void take_unwind(struct tail *tail, const struct wp_jitdump_record *r)
{
	const uint8_t *bytes = r->eh_frame;

	tail->eh_frame.n = 0;
	for (size_t i = 0; r->eh_frame_size <= MAX_EH_FRAME && i < r->eh_frame_size; i++)
		wp_vec_push(&tail->eh_frame, bytes[i]);
}

static void take_dump_record(struct wp_jit *jit, struct tail *tail,
			     const struct wp_jitdump_record *r)
{
	switch (r->kind) {
	case WP_JITDUMP_LOAD: take_jit_method(jit, tail, r); break;
	case WP_JITDUMP_MOVE: take_move(jit, tail, r); break;
	case WP_JITDUMP_UNWIND: take_unwind(tail, r); break;
	case WP_JITDUMP_CLOSE: tail->done = true; break;
	case WP_JITDUMP_OTHER: break;
	}
}

static void take_dump(struct wp_jit *jit, struct tail *tail, struct wp_bytes *b)
{
	enum wp_jitdump_status status = WP_JITDUMP_OK;
	struct wp_jitdump_header header;
	struct wp_jitdump_record record;

	if (!tail->started) {
		status = wp_jitdump_header(b, &header);
		tail->started = status == WP_JITDUMP_OK;
		tail->arch_time = tail->started && header.arch_time;
		tail->machine = tail->started ? (uint16_t)header.elf_machine : 0;
	}
	while (status == WP_JITDUMP_OK) {
		status = wp_jitdump_next(b, &record);
		if (status != WP_JITDUMP_OK)
			break;
		take_dump_record(jit, tail, &record);
	}
	tail->done |= status == WP_JITDUMP_BAD;
}

/* A chunk behind what was read; false: no more for now. A record may be larger than it. */
static bool read_chunk(struct wp_jit *jit, struct tail *tail, uint8_t **buf, size_t *cap)
{
	ssize_t n = pread(tail->fd, *buf, *cap, (off_t)tail->pos);

	if (n <= 0)
		return false;
	struct wp_bytes b = wp_bytes_of(*buf, (size_t)n);
	if (tail == &jit->map)
		take_perf_map(jit, &b);
	else
		take_dump(jit, tail, &b);
	tail->pos += b.pos;
	if (b.pos)
		return true;
	if ((size_t)n < *cap)
		return false; /* the rest is still to be written */
	if (*cap >= WP_JITDUMP_MAX_RECORD * 2)
		tail->done = true;
	else
		*buf = wp_realloc(*buf, *cap *= 2, 1);
	return true;
}

/* Files of the past are read at once. */
static bool may_read(const struct wp_jit *jit, uint64_t now_ns)
{
	struct wp_jit_budget *budget = jit->code.budget;

	return !wp_budget_is_spent(budget->memory, WP_BUDGET_JIT) &&
	       (jit->past || wp_jit_budget_may_read(budget, now_ns));
}

/*
 * Reads what was appended since the last time, a chunk at a time; an incomplete end, and what there
 * is no time for, is left for the next time.
 */
static void follow_dump(struct wp_jit *jit, struct tail *tail)
{
	uint64_t before_ns, now_ns = wp_clock_now_ns();
	size_t cap = CHUNK;
	wp_autofree uint8_t *buf = wp_calloc(cap, 1);
	bool more = true;

	while (more && tail->fd >= 0 && !tail->done && tail->pos < MAX_FILE_BYTES &&
	       may_read(jit, now_ns)) {
		more = read_chunk(jit, tail, &buf, &cap);
		before_ns = now_ns;
		now_ns = wp_clock_now_ns();
		wp_jit_budget_spend(jit->code.budget, now_ns - before_ns, now_ns);
	}
}

static bool grew(const struct tail *tail)
{
	struct stat st;

	return tail->fd >= 0 && !tail->done && fstat(tail->fd, &st) == 0 &&
	       (uint64_t)st.st_size > tail->pos;
}

static void refresh_tails(struct wp_jit *jit)
{
	if (jit->map.fd < 0)
		open_map(jit);
	if (grew(&jit->map))
		follow_dump(jit, &jit->map);
	for (size_t i = 0; i < jit->n_dumps; i++)
		if (grew(&jit->dumps[i]))
			follow_dump(jit, &jit->dumps[i]);
}

uint32_t wp_jit_refresh(struct wp_jit *jit)
{
	if (!jit->past || jit->unread)
		refresh_tails(jit);
	jit->unread = false;
	return jit->code.told;
}

uint32_t wp_jit_rules_told(const struct wp_jit *jit)
{
	return jit->n_rules ? jit->code.told : 0;
}

void wp_jit_rows(struct wp_jit *jit, uint64_t end, struct wp_unwind_rows *ret)
{
	wp_jit_code_rows(&jit->code, end, ret);
}

struct wp_jit_piece *wp_jit_find(struct wp_jit *jit, struct wp_va va, uint64_t time_ns)
{
	uint64_t now = jit->past ? 0 : wp_clock_now_ns();

	/* Also for addresses that are known: other code may have taken their place. */
	if (now >= jit->next_try_ns) {
		wp_jit_refresh(jit);
		/* A large table costs more to merge: wait longer for more to come. */
		jit->next_try_ns = jit->past ? 0 : now + RETRY_NS + jit->code.told * 1000ull;
	}
	return wp_jit_code_find(&jit->code, va.v, time_ns);
}
