/* SPDX-License-Identifier: BSD-3-Clause */
/* procfs: see procfs.h. */
#include "source/proc/procfs.h"

#include "base/file.h"
#include "base/proc_living.h"
#include "base/str.h"
#include "format/pe/pe_image.h"
#include "format/maps/proc_maps.h"
#include "format/maps/proc_status.h"
#include "source/proc/process_memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAPS_BYTES    (64u << 20) /* about 500,000 mappings; the kernel's default limit is 65,530 */
#define PASSWD_MAX    (16u << 20)
#define STATUS_BYTES  65536
#define AUXV_WORDS    128
#define KTHREAD	      0x00200000 /* PF_KTHREAD of include/linux/sched.h */
#define COMMAND_BYTES 1024
#define COMM_CHARS    15 /* the kernel cuts a process's name after them */

static int compare_ids(const void *a, const void *b)
{
	pid_t x = *(const pid_t *)a, y = *(const pid_t *)b;

	return (x > y) - (x < y);
}

/* The numbers among the names in a folder. */
static void read_folder_ids(const char *path, struct wp_procfs_ids *ret)
{
	DIR *dir = opendir(path);
	uint64_t id;

	if (!dir)
		return;
	for (struct dirent *entry; (entry = readdir(dir));)
		if (wp_str_to_u64(entry->d_name, 10, INT_MAX, &id))
			wp_vec_push(&ret->ids, (pid_t)id);
	closedir(dir);
	if (ret->ids.n)
		qsort(ret->ids.v, ret->ids.n, sizeof(*ret->ids.v), compare_ids);
}

void wp_procfs_threads(pid_t pid, struct wp_procfs_ids *ret)
{
	wp_autofree char *path = wp_asprintf("/proc/%d/task", (int)pid);

	read_folder_ids(path, ret);
}

/* /proc/PID/stat. NULL when it is gone; the caller frees. */
static char *read_stat(pid_t pid)
{
	wp_autofree char *path = wp_asprintf("/proc/%d/stat", (int)pid);
	char *text = NULL;

	wp_err_free(wp_file_read(path, 1 << 16, &text, NULL));
	return text;
}

bool wp_procfs_alive(pid_t pid)
{
	wp_autofree char *stat = read_stat(pid);
	const char *state = stat ? wp_proc_stat_field(stat, WP_PROC_STAT_STATE) : NULL;

	return state && *state &&
	       (!strchr("ZX", *state) || wp_proc_living((uint32_t)pid) != (uint32_t)pid);
}

time_t wp_procfs_began(pid_t pid)
{
	wp_autofree char *stat = read_stat(pid);
	struct timespec now;
	uint64_t ticks;

	if (!stat || !wp_proc_stat_number(stat, WP_PROC_STAT_START, &ticks) ||
	    clock_gettime(CLOCK_BOOTTIME, &now) != 0)
		return 0;
	return time(NULL) - (now.tv_sec - (time_t)(ticks / (uint64_t)sysconf(_SC_CLK_TCK)));
}

bool wp_procfs_auxv(pid_t pid, uint64_t type, uint64_t *ret)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/auxv", wp_proc_living((uint32_t)pid));
	wp_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
	uint64_t words[AUXV_WORDS];
	ssize_t n = fd < 0 ? -1 : read(fd, words, sizeof(words));

	for (size_t i = 0; n > 0 && (i + 2) * sizeof(*words) <= (size_t)n; i += 2)
		if (words[i] == type) {
			*ret = words[i + 1];
			return true;
		}
	return false;
}

bool wp_procfs_code(pid_t pid, uint64_t *ret)
{
	wp_autofree char *stat = read_stat(pid);

	/* 0 and 1 stand for an address that is not told (fs/proc/array.c). */
	return stat && wp_proc_stat_number(stat, WP_PROC_STAT_CODE, ret) && *ret > 1;
}

bool wp_procfs_foreign(pid_t pid)
{
	wp_autofree char *path = wp_asprintf("/proc/%d", (int)pid);
	struct stat st;

	return stat(path, &st) == 0 && st.st_uid != geteuid();
}

/* /etc/passwd, or NULL. The caller frees. */
static char *read_users(void)
{
	char *text = NULL;

	wp_err_free(wp_file_read("/etc/passwd", PASSWD_MAX, &text, NULL));
	return text;
}

/* Name and number of the next line `name:x:number:...`; false behind the last one. */
static bool next_user(char **text, const char **ret_name, const char **ret_number)
{
	char *line;

	while ((line = strsep(text, "\n"))) {
		*ret_name = strsep(&line, ":");
		strsep(&line, ":");
		*ret_number = strsep(&line, ":");
		if (*ret_number)
			return true;
	}
	return false;
}

static bool find_user_id(const char *user, uint64_t *ret)
{
	wp_autofree char *text = read_users();
	const char *name, *number;
	char *rest = text;

	if (wp_str_to_u64(user, 10, UINT32_MAX, ret))
		return true;
	while (next_user(&rest, &name, &number))
		if (strcmp(name, user) == 0)
			return wp_str_to_u64(number, 10, UINT32_MAX, ret);
	return false;
}

void wp_procfs_users(struct wp_str *ret)
{
	wp_autofree char *text = read_users();
	const char *name, *number;
	char *rest = text;

	while (next_user(&rest, &name, &number))
		wp_str_printf(ret, "%s\n", name);
}

void wp_procfs_everybody(struct wp_target *ret)
{
	struct wp_procfs_ids all = {0};

	read_folder_ids("/proc", &all);
	wp_vec_each (pid_t, pid, &all.ids)
		if (*pid != getpid() && wp_procfs_alive(*pid))
			wp_vec_push(&ret->pids, *pid);
	wp_vec_deinit(&all.ids);
}

static pid_t read_parent(pid_t pid)
{
	wp_autofree char *stat = read_stat(pid);
	uint64_t parent;

	return stat && wp_proc_stat_number(stat, WP_PROC_STAT_PARENT, &parent) && parent < INT_MAX
		       ? (pid_t)parent
		       : 0;
}

void wp_procfs_descendants(pid_t pid, struct wp_procfs_ids *ret)
{
	struct wp_procfs_ids all = {0}, parents = {0};
	size_t next = ret->ids.n;

	read_folder_ids("/proc", &all);
	wp_vec_each (pid_t, one, &all.ids)
		wp_vec_push(&parents.ids, read_parent(*one));
	for (pid_t parent = pid;; parent = ret->ids.v[next++]) {
		for (size_t i = 0; i < all.ids.n; i++)
			if (parents.ids.v[i] == parent && wp_procfs_alive(all.ids.v[i])) {
				wp_vec_push(&ret->ids, all.ids.v[i]);
				parents.ids.v[i] = 0; /* once: ids may be used again meanwhile */
			}
		if (next == ret->ids.n)
			break;
	}
	wp_vec_deinit(&all.ids);
	wp_vec_deinit(&parents.ids);
}

struct wp_err *wp_procfs_of_user(const char *user, struct wp_target *ret, uint32_t *ret_uid)
{
	struct wp_procfs_ids all = {0};
	size_t before = ret->pids.n;
	uint64_t uid;

	if (!find_user_id(user, &uid))
		return wp_err_new(WP_ERR_NOT_FOUND,
				  "no user '%s': /etc/passwd has none of that name; `id -u` tells "
				  "the numbers of others",
				  user);
	read_folder_ids("/proc", &all);
	wp_vec_each (pid_t, pid, &all.ids) {
		wp_autofree char *path = wp_asprintf("/proc/%d", (int)*pid);
		struct stat st;

		if (*pid != getpid() && stat(path, &st) == 0 && st.st_uid == uid &&
		    wp_procfs_alive(*pid))
			wp_vec_push(&ret->pids, *pid);
	}
	wp_vec_deinit(&all.ids);
	*ret_uid = (uint32_t)uid;
	if (ret->pids.n == before)
		return wp_err_new(WP_ERR_NOT_FOUND, "no process runs as user '%s'", user);
	return NULL;
}

char *wp_procfs_exe(pid_t pid)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/exe", wp_proc_living((uint32_t)pid));
	char target[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof(target) - 1);

	if (n <= 0)
		return NULL;
	target[n] = '\0';
	return wp_strndup(target, wp_proc_maps_path_len(target));
}

char *wp_procfs_command(pid_t pid)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/cmdline", wp_proc_living((uint32_t)pid));
	wp_autoclose int fd = open(path, O_RDONLY | O_CLOEXEC);
	char words[COMMAND_BYTES + 4];
	ssize_t n = fd < 0 ? -1 : read(fd, words, COMMAND_BYTES);

	if (n <= 0)
		return NULL;
	if (n == COMMAND_BYTES) {
		memcpy(words + n, "...", 3);
		n += 3;
	}
	words[n] = '\0';
	/* What programs make of it to be seen by ps ends with many NULs. */
	while (n > 0 && !words[n - 1])
		n--;
	for (ssize_t i = 0; i < n; i++)
		if (!words[i])
			words[i] = ' ';
	return n ? wp_strdup(words) : NULL;
}

bool wp_procfs_is_kernel(pid_t pid)
{
	wp_autofree char *stat = read_stat(pid);
	uint64_t flags;

	return stat && wp_proc_stat_number(stat, WP_PROC_STAT_FLAGS, &flags) && flags & KTHREAD;
}

void wp_procfs_programs(struct wp_str *ret)
{
	struct wp_procfs_ids all = {0};

	read_folder_ids("/proc", &all);
	wp_vec_each (pid_t, pid, &all.ids) {
		wp_autofree char *path = *pid == getpid() ? NULL : wp_procfs_exe(*pid);

		if (path)
			wp_str_printf(ret, "%s\n", wp_str_basename(path));
	}
	wp_vec_deinit(&all.ids);
}

/* The name of a process, or a thread of it (tid pid is the first one), without the newline that
 * ends it; NULL when it is gone. */
static char *read_task_comm(pid_t pid, pid_t tid)
{
	wp_autofree char *path = tid == pid
					 ? wp_asprintf("/proc/%d/comm", (int)pid)
					 : wp_asprintf("/proc/%d/task/%d/comm", (int)pid, (int)tid);
	char *comm;
	size_t n;
	wp_autoerr struct wp_err *err = wp_file_read(path, 4096, &comm, &n);

	if (err)
		return NULL;
	if (n && comm[n - 1] == '\n')
		comm[n - 1] = '\0';
	return comm;
}

static struct wp_record record_of_process(enum wp_record_kind kind, pid_t pid)
{
	return (struct wp_record){
		.kind = kind,
		.pid = (uint32_t)pid,
		.tid = (uint32_t)pid,
		.cpu = WP_ANY_CPU,
	};
}

/* Wine protects the headers of the Windows images that it has loaded. */
static bool is_windows_mapping(pid_t pid, const struct wp_record_map *map)
{
	struct wp_memory memory = wp_process_memory((uint32_t)pid);
	uint8_t head[2];

	return memory.read(memory.arg, map->start.v, head, sizeof(head)) &&
	       wp_pe_image_is(head, sizeof(head));
}

static struct wp_err *snapshot_maps(pid_t pid, bool data, struct wp_records *ret)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/maps", wp_proc_living((uint32_t)pid));
	wp_autofree char *text = NULL;
	struct wp_record record = record_of_process(WP_RECORD_MAP, pid);
	struct wp_err *err = wp_file_read(path, MAPS_BYTES, &text, NULL);
	char *at = text;

	if (err && (err->os_errno == ENOENT || err->os_errno == ESRCH)) {
		wp_err_free(err);
		return NULL;
	}
	if (err && (err->os_errno == EACCES || err->os_errno == EPERM)) {
		wp_err_free(err);
		return wp_err_new(
			WP_ERR_PERMISSION,
			"what process %d has mapped may not be read (%s): run as its user, or"
			" with CAP_SYS_PTRACE",
			(int)pid, path);
	}
	if (err)
		return err;
	while (data ? wp_proc_maps_next_all(&at, &record.map)
		    : wp_proc_maps_next_any(&at, &record.map)) {
		if (!data && record.map.data && !is_windows_mapping(pid, &record.map))
			continue;
		record.map.path = wp_arena_strdup(&ret->arena, record.map.path);
		wp_vec_push(&ret->records, record);
	}
	return NULL;
}

struct wp_err *wp_procfs_snapshot(pid_t pid, bool data, struct wp_records *ret)
{
	wp_autofree char *comm = read_task_comm(pid, pid);
	struct wp_record record = record_of_process(WP_RECORD_COMM, pid);

	if (!comm)
		return NULL;
	record.comm.name = wp_arena_strdup(&ret->arena, comm);
	wp_vec_push(&ret->records, record);
	return snapshot_maps(pid, data, ret);
}

void wp_procfs_thread_names(pid_t pid, struct wp_records *ret)
{
	struct wp_procfs_ids threads = {0};

	wp_procfs_threads(pid, &threads);
	wp_vec_each (pid_t, tid, &threads.ids) {
		wp_autofree char *comm = read_task_comm(pid, *tid);
		struct wp_record record = record_of_process(WP_RECORD_COMM, pid);

		if (!comm)
			continue;
		record.tid = (uint32_t)*tid;
		record.comm.name = wp_arena_strdup(&ret->arena, comm);
		wp_vec_push(&ret->records, record);
	}
	wp_vec_deinit(&threads.ids);
}

uint32_t wp_procfs_inner_tid(uint32_t pid, uint32_t tid)
{
	if (wp_process_memory_stands_in(pid))
		return tid;
	wp_autofree char *path = wp_asprintf("/proc/%u/task/%u/status", pid, tid);
	wp_autofree char *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, STATUS_BYTES, &text, NULL);

	return err ? 0 : wp_proc_status_inner(text, tid);
}

struct wp_err *wp_procfs_snapshot_all(bool data, struct wp_records *ret)
{
	struct wp_procfs_ids all = {0};

	read_folder_ids("/proc", &all);
	if (all.ids.n == 0)
		return wp_err_new(WP_ERR_UNSUPPORTED, "/proc shows no process; is it mounted?");
	wp_vec_each (pid_t, pid, &all.ids)
		wp_err_free(wp_procfs_snapshot(*pid, data, ret));
	wp_vec_deinit(&all.ids);
	return NULL;
}

enum match {
	NO_MATCH,
	NOCASE_MATCH,
	EXACT_MATCH,
};

static enum match match_word(const char *got, const char *name)
{
	if (strcmp(got, name) == 0)
		return EXACT_MATCH;
	return wp_str_eq_nocase(got, name) ? NOCASE_MATCH : NO_MATCH;
}

/*
 * Wine's loader gives its process the command line of the Windows program. The caller frees; NULL
 * when there is none.
 */
static char *windows_program(pid_t pid)
{
	wp_autofree char *path = wp_asprintf("/proc/%u/cmdline", wp_proc_living((uint32_t)pid));
	const char *name, *slash;
	char *words;
	wp_autoerr struct wp_err *err = wp_file_read(path, 1 << 20, &words, NULL);

	if (err)
		return NULL;
	slash = strrchr(words, '\\');
	name = wp_str_basename(slash ? slash + 1 : words);
	memmove(words, name, strlen(name) + 1);
	return words;
}

/* The name of a process is cut, but for the one of a Windows program that the loader was told. */
static enum match match_windows(pid_t pid, const char *comm, const char *name)
{
	wp_autofree char *program = windows_program(pid);

	if (!program || strncmp(program, comm, COMM_CHARS) != 0)
		return NO_MATCH;
	return match_word(program, name);
}

static enum match match_process(pid_t pid, const char *name)
{
	wp_autofree char *exe = wp_procfs_exe(pid);
	wp_autofree char *comm = NULL;
	wp_autofree char *cut = NULL;
	enum match by_exe, by_comm;

	if (strchr(name, '/'))
		return exe && strcmp(exe, name) == 0 ? EXACT_MATCH : NO_MATCH;
	comm = read_task_comm(pid, pid);
	if (!comm)
		return NO_MATCH;
	by_exe = exe ? match_word(wp_str_basename(exe), name) : NO_MATCH;
	/* Only where the whole name cannot be read does a cut one stand for it. */
	cut = wp_strndup(name, exe ? strlen(name) : COMM_CHARS);
	by_comm = match_word(comm, cut);
	if (by_comm == NO_MATCH && strlen(comm) == COMM_CHARS)
		by_comm = match_windows(pid, comm, name);
	return by_exe > by_comm ? by_exe : by_comm;
}

struct wp_err *wp_procfs_find(const char *name, struct wp_target *ret)
{
	struct wp_procfs_ids all = {0}, nocase = {0};
	size_t before = ret->pids.n;
	enum match match;

	if (!*name)
		return wp_err_new(WP_ERR_USAGE, "the name of a process is empty");
	read_folder_ids("/proc", &all);
	wp_vec_each (pid_t, pid, &all.ids) {
		match = *pid == getpid() ? NO_MATCH : match_process(*pid, name);
		if (match == NO_MATCH || !wp_procfs_alive(*pid))
			continue;
		if (match == EXACT_MATCH)
			wp_vec_push(&ret->pids, *pid);
		else
			wp_vec_push(&nocase.ids, *pid);
	}
	if (ret->pids.n == before)
		wp_vec_each (pid_t, pid, &nocase.ids)
			wp_vec_push(&ret->pids, *pid);
	wp_vec_deinit(&all.ids);
	wp_vec_deinit(&nocase.ids);
	return NULL;
}
