/* SPDX-License-Identifier: BSD-3-Clause */
/* procfs: ourselves, our children, the dead and the nameless. */
#include "source/proc/procfs.h"

#include "base/str.h"

#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct wp_record *find_map(const struct wp_records *records, const char *suffix)
{
	wp_vec_each (struct wp_record, r, &records->records) {
		if (r->kind == WP_RECORD_MAP && wp_str_has_suffix(r->map.path, suffix))
			return r;
	}
	return NULL;
}

static void test_self(void)
{
	struct wp_records records = {0};
	const struct wp_record *map;
	void *jit = mmap(NULL, 8192, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	size_t comms = 0;

	CHECK_OK(wp_procfs_snapshot(getpid(), false, &records));
	CHECK(records.records.n > 3);
	CHECK_U64(records.records.v[0].kind, WP_RECORD_COMM);
	CHECK_STR(records.records.v[0].comm.name, "test_procfs");
	map = find_map(&records, "/test_procfs");
	CHECK(map != NULL);
	if (map) {
		uint64_t pc = (uint64_t)(uintptr_t)&test_self;

		CHECK(pc - map->map.start.v < map->map.len);
		CHECK(map->map.inode != 0);
		CHECK_U64(map->pid, getpid());
		CHECK_U64(map->time_ns, 0);
	}
	map = find_map(&records, "//anon");
	CHECK(map && map->map.start.v <= (uint64_t)(uintptr_t)jit);
	CHECK(find_map(&records, "[vdso]") != NULL);
	CHECK(find_map(&records, "[heap]") == NULL);
	wp_vec_each (struct wp_record, r, &records.records)
		comms += r->kind == WP_RECORD_COMM;
	CHECK_U64(comms, 1);
	wp_records_deinit(&records);
}

/* With what is data. */
static void test_data(void)
{
	struct wp_records records = {0};
	uint64_t local = (uint64_t)(uintptr_t)&records;
	const struct wp_record *map;

	CHECK_OK(wp_procfs_snapshot(getpid(), true, &records));
	map = find_map(&records, "[stack]");
	CHECK(map && map->map.data && local - map->map.start.v < map->map.len);
	map = find_map(&records, "[vdso]");
	CHECK(map && !map->map.data);
	wp_records_deinit(&records);
}

static pid_t child(bool ends)
{
	siginfo_t info;
	int ready[2];
	char c;

	if (pipe(ready) < 0)
		abort();
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_NAME, ") Z odd\n(name");
		if (ends)
			_exit(0);
		(void)!write(ready[1], "", 1);
		for (;;)
			pause();
	}
	close(ready[1]);
	(void)!read(ready[0], &c, 1); /* named, or gone */
	close(ready[0]);
	if (ends)
		waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
	return pid;
}

static void test_dead(void)
{
	struct wp_records records = {0};
	pid_t pid = child(true);

	CHECK(!wp_procfs_alive(pid));
	waitpid(pid, NULL, 0);
	CHECK(!wp_procfs_alive(pid));
	CHECK_OK(wp_procfs_snapshot(pid, false, &records));
	CHECK_U64(records.records.n, 0);
	CHECK(wp_procfs_exe(pid) == NULL);
	CHECK(!wp_procfs_alive(0));
	CHECK(!wp_procfs_alive(-1));
	wp_records_deinit(&records);
}

static void test_odd_name(void)
{
	struct wp_records records = {0};
	struct wp_target target = {0};
	pid_t pid = child(false);
	wp_autofree char *exe = wp_procfs_exe(pid);
	bool found = false;

	CHECK(wp_procfs_alive(pid));
	CHECK(exe && wp_str_has_suffix(exe, "/test_procfs"));
	CHECK_OK(wp_procfs_snapshot(pid, false, &records));
	CHECK_STR(records.records.v[0].comm.name, ") Z odd\n(name");
	CHECK_OK(wp_procfs_find(") Z odd\n(name", &target));
	wp_vec_each (pid_t, p, &target.pids)
		found |= *p == pid;
	CHECK(found);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	wp_records_deinit(&records);
	wp_target_deinit(&target);
}

static void test_descendants(void)
{
	struct wp_procfs_ids ids = {0}, none = {0};
	pid_t a = child(false), b = child(false);
	size_t found = 0;

	wp_procfs_descendants(getpid(), &ids);
	wp_vec_each (pid_t, p, &ids.ids)
		found += *p == a || *p == b;
	CHECK_U64(found, 2);
	CHECK_U64(ids.ids.n, 2);
	wp_procfs_descendants(a, &none);
	CHECK_U64(none.ids.n, 0);
	kill(a, SIGKILL);
	waitpid(a, NULL, 0);
	kill(b, SIGKILL);
	waitpid(b, NULL, 0);
	wp_vec_deinit(&ids.ids);
}

static bool finds(const char *name, pid_t pid)
{
	struct wp_target target = {0};
	bool found = false;

	CHECK_OK(wp_procfs_find(name, &target));
	wp_vec_each (pid_t, p, &target.pids)
		found |= *p == pid;
	wp_vec_each (pid_t, p, &target.pids)
		CHECK(*p != getpid());
	wp_target_deinit(&target);
	return found;
}

static void test_find(void)
{
	struct wp_target target = {0};
	pid_t pid = child(false);
	wp_autofree char *exe = wp_procfs_exe(pid);

	CHECK(finds("test_procfs", pid));
	CHECK(finds("TEST_Procfs", pid));
	CHECK(finds(exe, pid));
	CHECK(!finds("/test_procfs", pid));
	CHECK(!finds("test_proc", pid));
	CHECK(!finds("wperf-no-such-process", pid));
	CHECK_ERR(wp_procfs_find("", &target), "empty");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	CHECK(!finds("test_procfs", pid));
}

static void test_all(void)
{
	struct wp_records records = {0};
	bool self = false;

	CHECK_OK(wp_procfs_snapshot_all(false, &records));
	wp_vec_each (struct wp_record, r, &records.records)
		self |= r->pid == (uint32_t)getpid();
	CHECK(self);
	wp_records_deinit(&records);
}

static void *waits(void *arg)
{
	pthread_barrier_wait(arg);
	pthread_barrier_wait(arg);
	return NULL;
}

/* The kernel begins again with low numbers when it has used up the high ones. */
static bool has_id(const struct wp_procfs_ids *ids, pid_t id)
{
	wp_vec_each (pid_t, one, &ids->ids)
		if (*one == id)
			return true;
	return false;
}

static void test_threads(void)
{
	struct wp_procfs_ids ids = {0};
	struct wp_records records = {0};
	pthread_barrier_t barrier;
	uint64_t named = 0;
	pthread_t threads[200];

	pthread_barrier_init(&barrier, NULL, 201);
	for (int i = 0; i < 200; i++)
		pthread_create(&threads[i], NULL, waits, &barrier);
	pthread_barrier_wait(&barrier);
	CHECK(wp_procfs_began(getpid()) >= time(NULL) - 60);
	CHECK(wp_procfs_began(getpid()) <= time(NULL) + 1);
	CHECK(wp_procfs_began(1) <= wp_procfs_began(getpid()) + 1);
	CHECK_U64((uint64_t)wp_procfs_began(0), 0);
	wp_procfs_threads(getpid(), &ids);
	CHECK_U64(ids.ids.n, 201);
	CHECK(has_id(&ids, getpid()));
	pthread_setname_np(threads[7], "worker-7");
	wp_procfs_thread_names(getpid(), &records);
	CHECK_U64(records.records.n, 201);
	CHECK_U64(records.records.v[200].pid, getpid());
	wp_vec_each (struct wp_record, record, &records.records)
		named += strcmp(record->comm.name, "worker-7") == 0;
	CHECK_U64(named, 1);
	wp_records_deinit(&records);
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 200; i++)
		pthread_join(threads[i], NULL);
	ids.ids.n = 0;
	wp_procfs_threads(0, &ids);
	CHECK_U64(ids.ids.n, 0);
	wp_vec_deinit(&ids.ids);
}

int main(void)
{
	RUN(test_self);
	RUN(test_data);
	RUN(test_dead);
	RUN(test_odd_name);
	RUN(test_descendants);
	RUN(test_find);
	RUN(test_all);
	RUN(test_threads);
	return check_done();
}
