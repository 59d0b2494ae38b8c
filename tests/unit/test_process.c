/* SPDX-License-Identifier: BSD-3-Clause */
/* test_process: what records mean, to whom it is told and when; fork, exec and exit; bounds. */
#include "base/proc_living.h"
#include "check.h"
#include "core/process.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void map(struct wp_process *p, uint64_t start, uint64_t len, uint32_t image)
{
	CHECK(wp_mappings_add(&p->maps, &(struct wp_mapping){.start = {start},
							     .len = len,
							     .pgoff = {0x1000},
							     .image = image}));
}

/* "start-end image@pgoff" of every mapping. */
static const char *show(struct wp_processes *set, uint32_t pid)
{
	static char text[1024];
	struct wp_process *p = wp_processes_find(set, pid);
	size_t n = 0, at = 0;
	struct wp_mapping *m = p ? wp_mappings_all(p->maps, &n) : NULL;

	text[0] = '\0';
	for (size_t i = 0; i < n && at < 900; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%llx-%llx %u@%llx",
				       i ? "," : "", (unsigned long long)m[i].start.v,
				       (unsigned long long)(m[i].start.v + m[i].len), m[i].image,
				       (unsigned long long)m[i].pgoff.v);
	return text;
}

static void fork_to(struct wp_processes *set, uint32_t parent, uint32_t child)
{
	wp_processes_take(set, &(struct wp_record){.kind = WP_RECORD_FORK,
						   .pid = child,
						   .tid = child,
						   .fork = {parent, parent}});
}

static void exec_in(struct wp_processes *set, uint32_t pid)
{
	wp_processes_take(
		set, &(struct wp_record){
			     .kind = WP_RECORD_COMM, .pid = pid, .tid = pid, .comm = {"x", true}});
}

static void note_end(void *arg, const struct wp_process_change *change)
{
	*(bool *)arg |= change->kind == WP_PROCESS_ENDED;
}

/* Whether a thread's end is told as that of its process. */
static bool ends(struct wp_processes *set, uint32_t pid, uint32_t tid)
{
	struct wp_record exit = {.kind = WP_RECORD_EXIT, .pid = pid, .tid = tid};
	bool ended = false;

	wp_processes_listen(set, note_end, &ended);
	wp_processes_take(set, &exit);
	set->listeners.n--;
	return ended;
}

static void test_fork_exec(void)
{
	struct wp_processes set = {0};

	map(wp_processes_get(&set, 1), 0x1000, 0x1000, 1);
	wp_processes_get(&set, 1)->jit = 5;
	fork_to(&set, 1, 2);
	CHECK_STR(show(&set, 2), "1000-2000 1@1000");
	CHECK_U64(wp_processes_find(&set, 2)->inherited_jit, 5);
	map(wp_processes_get(&set, 2), 0x1000, 0x1000, 2);
	CHECK_STR(show(&set, 2), "1000-2000 2@1000");
	CHECK_STR(show(&set, 1), "1000-2000 1@1000");
	fork_to(&set, 2, 3);
	exec_in(&set, 2);
	CHECK_STR(show(&set, 2), "");
	CHECK_STR(show(&set, 3), "1000-2000 2@1000");
	fork_to(&set, 99, 3);
	CHECK_STR(show(&set, 3), "");
	fork_to(&set, 1, 1);
	CHECK_STR(show(&set, 1), "1000-2000 1@1000");
	wp_processes_deinit(&set);
}

static void test_bounded(void)
{
	struct wp_processes set = {.ended_limit = 10};

	map(wp_processes_get(&set, 1), 0x1000, 0x1000, 1);
	for (uint32_t pid = 2; pid < 20000; pid++) {
		fork_to(&set, 1, pid);
		ends(&set, pid, pid);
		ends(&set, pid, pid);
	}
	CHECK(set.all.n < 40);
	CHECK_STR(show(&set, 19999), "1000-2000 1@1000");
	CHECK(!wp_processes_find(&set, 5));
	CHECK_STR(show(&set, 1), "1000-2000 1@1000");
	/* The same pid again and again, living in between. */
	for (int i = 0; i < 1000; i++) {
		fork_to(&set, 1, 77);
		ends(&set, 77, 77);
		ends(&set, 5000 + (uint32_t)i, 5000 + (uint32_t)i);
	}
	CHECK(set.all.n < 40);
	wp_processes_deinit(&set);
}

/* Without entries, for whoever wants but changes: nothing is kept, whatever is forked. */
static void test_changes_only(void)
{
	struct wp_processes set = {.changes_only = true};

	for (uint32_t pid = 2; pid < 1000; pid++)
		fork_to(&set, 1, pid);
	exec_in(&set, 5);
	CHECK(ends(&set, 5, 5));
	CHECK_U64(set.all.n, 0);
	wp_processes_deinit(&set);
}

struct listener {
	char name;
	char *text;
};

static void note_kind(void *arg, const struct wp_process_change *change)
{
	static const char kinds[] = "?fxmEtncd";
	struct listener *listener = arg;
	size_t n = strlen(listener->text);

	listener->text[n] = listener->name;
	listener->text[n + 1] = kinds[change->kind];
}

/* Each change is told to all in the order in which they came, before the next one. */
static void test_listeners(void)
{
	struct wp_processes set = {0};
	char text[64] = "";
	struct listener one = {'1', text}, two = {'2', text};
	struct wp_record record = {.kind = WP_RECORD_MAP, .pid = 5, .tid = 5, .map.kernel = true};

	wp_processes_listen(&set, note_kind, &one);
	wp_processes_listen(&set, note_kind, &two);
	wp_processes_take(&set, &record); /* the kernel's: nobody's */
	record.map.kernel = false;
	wp_processes_take(&set, &record);
	fork_to(&set, 5, 6);
	fork_to(&set, 6, 6); /* a thread */
	exec_in(&set, 6);
	record = (struct wp_record){.kind = WP_RECORD_COMM, .pid = 6, .tid = 6, .comm = {"x"}};
	wp_processes_take(&set, &record);
	record.kind = WP_RECORD_NAME;
	wp_processes_take(&set, &record);
	record.kind = WP_RECORD_EXIT;
	record.tid = 7;
	wp_processes_take(&set, &record);
	record.tid = 6;
	wp_processes_take(&set, &record);
	record.kind = WP_RECORD_SAMPLE;
	wp_processes_take(&set, &record);
	CHECK_STR(text, "1m2m1f2f1t2t1x2x1n2n1c2c1d2d1d2d1E2E");
	CHECK(wp_processes_find(&set, 6)->ended);
	wp_processes_deinit(&set);
}

static void *stay(void *arg)
{
	(void)arg;
	for (;;)
		pause();
	return NULL;
}

/* A process whose first thread ends at once. */
static pid_t begin_headless(void)
{
	pid_t pid = fork();
	pthread_t thread;

	if (pid != 0)
		return pid;
	if (pthread_create(&thread, NULL, stay, NULL) != 0)
		_exit(1);
	pthread_exit(NULL);
}

static void test_headless(void)
{
	struct wp_processes set = {.live = true};
	pid_t pid = begin_headless();
	uint32_t other = (uint32_t)pid;

	for (int i = 0; i < 500 && other == (uint32_t)pid; i++) {
		nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
		other = wp_proc_living((uint32_t)pid);
	}
	CHECK(other != (uint32_t)pid);
	CHECK_U64(wp_proc_living(other), other);
	CHECK(!ends(&set, (uint32_t)pid, other)); /* whose first thread has not been told of */
	CHECK(!ends(&set, (uint32_t)pid, (uint32_t)pid));
	CHECK(!ends(&set, (uint32_t)pid, other + 1)); /* one of several */
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	CHECK_U64(wp_proc_living((uint32_t)pid), pid);
	CHECK(ends(&set, (uint32_t)pid, other));
	CHECK(!ends(&set, (uint32_t)pid, other)); /* told once */
	wp_processes_deinit(&set);
}

static void test_usual(void)
{
	struct wp_processes set = {.live = true};
	uint32_t self = (uint32_t)getpid();
	struct wp_record exec = {.kind = WP_RECORD_COMM, .pid = self, .comm.exec = true};

	CHECK_U64(wp_proc_living(self), self);
	wp_processes_take(&set, &exec);
	CHECK(!ends(&set, self, self + 1));
	CHECK(ends(&set, self, self));
	wp_processes_deinit(&set);
}

int main(void)
{
	RUN(test_fork_exec);
	RUN(test_bounded);
	RUN(test_changes_only);
	RUN(test_listeners);
	RUN(test_headless);
	RUN(test_usual);
	return check_done();
}
