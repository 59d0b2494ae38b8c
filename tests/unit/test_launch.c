/* SPDX-License-Identifier: BSD-3-Clause */
/* launch: commands held at the gate, let go, refused, stubborn. */
#include "source/proc/launch.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/str.h"

#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;

static struct wp_err *start(const char *const *argv, const struct wp_cpuset *cpus,
			    struct wp_launch *ret)
{
	return wp_launch_start((char *const *)(uintptr_t)argv, cpus, NULL, ret);
}

static void run_to_end(struct wp_launch *launch)
{
	for (int i = 0; i < 1000 && !wp_launch_ended(launch); i++)
		wp_clock_sleep_until_ns(wp_clock_now_ns() + 5 * WP_NS_PER_MS);
	CHECK(wp_launch_ended(launch));
}

static int status_of(const char *shell_text)
{
	const char *argv[] = {"sh", "-c", shell_text, NULL};
	struct wp_launch launch = {0};

	CHECK_OK(start(argv, NULL, &launch));
	CHECK_OK(wp_launch_go(&launch));
	run_to_end(&launch);
	wp_launch_finish(&launch);
	return wp_launch_exit_status(&launch);
}

static void test_status(void)
{
	CHECK_U64(status_of("exit 0"), 0);
	CHECK_U64(status_of("exit 37"), 37);
	CHECK_U64(status_of("kill -KILL $$"), 128 + 9);
}

static void test_cpu_time(void)
{
	const char *argv[] = {"sh", "-c", "i=0; while [ $i -lt 30000 ]; do i=$((i + 1)); done",
			      NULL};
	struct wp_launch launch = {0};

	CHECK_OK(start(argv, NULL, &launch));
	CHECK_OK(wp_launch_go(&launch));
	run_to_end(&launch);
	CHECK(launch.user_ns + launch.system_ns > WP_NS_PER_MS);
	CHECK(launch.user_ns + launch.system_ns < 10 * WP_NS_PER_S);
}

static void test_held(void)
{
	wp_autofree char *file = wp_asprintf("%s/touched", folder);
	const char *argv[] = {"touch", file, NULL};
	struct wp_launch launch = {0};

	CHECK_OK(start(argv, NULL, &launch));
	wp_clock_sleep_until_ns(wp_clock_now_ns() + 50 * WP_NS_PER_MS);
	CHECK(!wp_launch_ended(&launch));
	CHECK(!wp_file_exists(file));
	wp_launch_finish(&launch);
	CHECK(launch.reaped);
	CHECK(!wp_file_exists(file));
	wp_launch_finish(&launch);
	CHECK_OK(start(argv, NULL, &launch));
	CHECK_OK(wp_launch_go(&launch));
	run_to_end(&launch);
	CHECK(wp_file_exists(file));
	wp_launch_finish(&launch);
}

static void refused(const char *command, const char *words, int status)
{
	const char *argv[] = {command, NULL};
	struct wp_launch launch = {0};
	struct wp_err *err;

	CHECK_OK(start(argv, NULL, &launch));
	err = wp_launch_go(&launch);
	CHECK_U64(err ? err->exit_status : 0, status);
	CHECK_ERR(err, words);
	CHECK_U64(wp_launch_exit_status(&launch), status);
	wp_launch_finish(&launch);
}

static void test_refused(void)
{
	wp_autofree char *plain = wp_asprintf("%s/plain", folder);
	const char *nothing[] = {NULL};
	struct wp_launch launch = {0};

	close(open(plain, O_CREAT | O_WRONLY, 0644));
	refused("wperf-no-such-command", "wperf-no-such-command: command not found", 127);
	refused("/wperf/no/such", "/wperf/no/such: No such file or directory", 127);
	refused(plain, "Permission denied", 126);
	refused(folder, "Permission denied", 126);
	CHECK_ERR(start(nothing, NULL, &launch), "no command");
	wp_launch_finish(&launch);
}

static void test_killed_at_the_gate(void)
{
	const char *argv[] = {"true", NULL};
	struct wp_launch launch = {0};

	CHECK_OK(start(argv, NULL, &launch));
	kill(launch.pid, SIGKILL);
	wp_clock_sleep_until_ns(wp_clock_now_ns() + 50 * WP_NS_PER_MS);
	CHECK_OK(wp_launch_go(&launch));
	run_to_end(&launch);
	CHECK_U64(wp_launch_exit_status(&launch), 128 + 9);
}

/* A program that does not listen to SIGTERM is killed. */
static void test_stubborn(void)
{
	wp_autofree char *deaf = wp_asprintf("%s/deaf", folder);
	wp_autofree char *text =
		wp_asprintf("trap '' TERM; : >%s; while :; do sleep 0.05; done", deaf);
	const char *argv[] = {"sh", "-c", text, NULL};
	struct wp_launch launch = {0};
	uint64_t began;

	CHECK_OK(start(argv, NULL, &launch));
	CHECK_OK(wp_launch_go(&launch));
	for (int i = 0; i < 1000 && !wp_file_exists(deaf); i++)
		wp_clock_sleep_until_ns(wp_clock_now_ns() + 5 * WP_NS_PER_MS);
	began = wp_clock_now_ns();
	wp_launch_finish(&launch);
	CHECK_U64(wp_launch_exit_status(&launch), 128 + 9);
	CHECK(wp_clock_now_ns() - began < 10 * WP_NS_PER_S);
	unlink(deaf);
}

static void test_pinned(void)
{
	struct wp_cpuset cpus = {0}, none = {0};
	const char *argv[] = {
		"sh", "-c", "exit $(awk '/Cpus_allowed_list/{print $2}' /proc/self/status)", NULL};
	struct wp_launch launch = {0};
	cpu_set_t allowed;
	int last = 0;

	sched_getaffinity(0, sizeof(allowed), &allowed);
	for (int cpu = 0; cpu < 128; cpu++)
		if (CPU_ISSET(cpu, &allowed))
			last = cpu;
	wp_cpuset_add(&cpus, (uint32_t)last);
	CHECK_OK(start(argv, &cpus, &launch));
	CHECK_OK(wp_launch_go(&launch));
	run_to_end(&launch);
	CHECK_U64(wp_launch_exit_status(&launch), last);
	wp_cpuset_add(&none, WP_CPU_MAX);
	CHECK_ERR(start(argv, &none, &launch), "CPUs");
	wp_cpuset_deinit(&cpus);
	wp_cpuset_deinit(&none);
}

/* Signals that we handle or block are default in the child; those that nohup ignores stay so. */
static void test_signals(void)
{
	sigset_t blocked;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	sigemptyset(&blocked);
	sigaddset(&blocked, SIGUSR1);
	sigprocmask(SIG_BLOCK, &blocked, NULL);
	CHECK_U64(status_of("kill -PIPE $$"), 128 + SIGPIPE);
	CHECK_U64(status_of("kill -USR1 $$"), 128 + SIGUSR1);
	CHECK_U64(status_of("kill -HUP $$; exit 5"), 5);
	signal(SIGHUP, SIG_DFL);
	CHECK_U64(status_of("kill -HUP $$; exit 5"), 128 + SIGHUP);
}

/* Nothing of ours is open in the command, only what we were given ourselves. */
static void test_descriptors(void)
{
	const char *count = "set -- /proc/$$/fd/*; exit $#";

	CHECK_U64(status_of(count), WEXITSTATUS(system(count)));
}

static bool await_state(struct wp_launch *launch, enum wp_entry_state state)
{
	for (int i = 0; i < 1000; i++) {
		enum wp_entry_state now = wp_launch_entry(launch);

		if (now == state || now == WP_ENTRY_OFF)
			return now == state;
		wp_clock_sleep_until_ns(wp_clock_now_ns() + 5 * WP_NS_PER_MS);
	}
	return false;
}

/* False where nobody may follow a child. */
static bool follow(const char *const *argv, struct wp_launch *launch)
{
	CHECK_OK(start(argv, NULL, launch));
	wp_launch_follow(launch);
	if (launch->entry.state != WP_ENTRY_OFF)
		return true;
	printf("skipped: a child cannot be traced here: %s\n", strerror(launch->entry.refused));
	wp_launch_finish(launch);
	return false;
}

/* False where all breakpoints of the processor are taken. */
static bool stands(struct wp_launch *launch)
{
	bool stopped = await_state(launch, WP_ENTRY_STOPPED);

	CHECK(stopped || launch->entry.refused);
	if (!stopped) {
		printf("skipped: no breakpoint: %s\n", strerror(launch->entry.refused));
		wp_launch_finish(launch);
	}
	return stopped;
}

static bool maps(pid_t pid, const char *what)
{
	wp_autofree char *path = wp_asprintf("/proc/%d/maps", (int)pid);
	wp_autofree char *text = NULL;
	size_t size;

	CHECK_OK(wp_file_read(path, 1 << 20, &text, &size));
	return text && strstr(text, what);
}

/* It stands behind the dynamic linker, and before anything of its own. */
static void test_entry(void)
{
	wp_autofree char *file = wp_asprintf("%s/entered", folder);
	const char *argv[] = {"env", "touch", file, NULL};
	struct wp_launch launch = {0};

	if (!follow(argv, &launch))
		return;
	CHECK_OK(wp_launch_go(&launch));
	for (int program = 0; program < 2; program++) {
		if (!stands(&launch))
			return;
		CHECK(maps(launch.pid, program ? "/touch" : "/env"));
		CHECK(maps(launch.pid, "libc."));
		wp_clock_sleep_until_ns(wp_clock_now_ns() + 50 * WP_NS_PER_MS);
		CHECK(!wp_launch_ended(&launch));
		CHECK(!wp_file_exists(file));
		wp_launch_release(&launch, program == 0);
	}
	run_to_end(&launch);
	CHECK_U64(wp_launch_exit_status(&launch), 0);
	CHECK(wp_file_exists(file));
	unlink(file);
}

/* Who is not waited for goes on by itself, and every signal reaches it. */
static void test_entry_left(void)
{
	const char *argv[] = {"sh", "-c", "trap 'exit 7' USR1; kill -USR1 $$; sleep 5", NULL};
	struct wp_launch launch = {0};

	if (!follow(argv, &launch))
		return;
	CHECK_OK(wp_launch_go(&launch));
	if (!stands(&launch))
		return;
	wp_launch_release(&launch, true);
	run_to_end(&launch);
	CHECK_U64(wp_launch_exit_status(&launch), 7);

	CHECK(follow(argv, &launch));
	CHECK_OK(wp_launch_go(&launch));
	launch.entry_until_ns = 0;
	for (int i = 0; i < 1000 && wp_launch_entry(&launch) != WP_ENTRY_OFF; i++)
		wp_clock_sleep_until_ns(wp_clock_now_ns() + 5 * WP_NS_PER_MS);
	run_to_end(&launch);
	CHECK_U64(wp_launch_exit_status(&launch), 7);
}

/* Wherever it stands, its end is its own. */
static void test_entry_ended(void)
{
	const char *argv[] = {"sleep", "10", NULL}, *missing[] = {"/wperf/no/such", NULL};
	struct wp_launch launch = {0};
	uint64_t began = wp_clock_now_ns();

	if (!follow(argv, &launch))
		return;
	CHECK_OK(wp_launch_go(&launch));
	if (!stands(&launch))
		return;
	kill(launch.pid, SIGKILL);
	run_to_end(&launch);
	CHECK_U64(wp_launch_exit_status(&launch), 128 + SIGKILL);

	CHECK(follow(argv, &launch));
	CHECK_OK(wp_launch_go(&launch));
	if (!stands(&launch))
		return;
	wp_launch_finish(&launch);
	CHECK_U64(wp_launch_exit_status(&launch), 128 + SIGTERM);

	CHECK(follow(argv, &launch));
	kill(launch.pid, SIGTERM); /* at the gate */
	CHECK_OK(wp_launch_go(&launch));
	run_to_end(&launch);
	CHECK_U64(wp_launch_exit_status(&launch), 128 + SIGTERM);

	CHECK(follow(missing, &launch));
	CHECK_ERR(wp_launch_go(&launch), "No such file");
	CHECK_U64(wp_launch_exit_status(&launch), 127);
	wp_launch_finish(&launch);
	CHECK(wp_clock_now_ns() - began < 8 * WP_NS_PER_S);
}

int main(void)
{
	char template[] = "/tmp/wperf-test-XXXXXX";

	folder = mkdtemp(template);
	RUN(test_status);
	RUN(test_cpu_time);
	RUN(test_held);
	RUN(test_refused);
	RUN(test_killed_at_the_gate);
	RUN(test_stubborn);
	RUN(test_pinned);
	RUN(test_descriptors);
	RUN(test_entry);
	RUN(test_entry_left);
	RUN(test_entry_ended);
	RUN(test_signals);
	(void)!chdir("/");
	wp_autofree char *clean = wp_asprintf("rm -rf %s", folder);
	return system(clean) ? 1 : check_done();
}
