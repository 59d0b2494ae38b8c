/* SPDX-License-Identifier: BSD-3-Clause */
/* launch: see launch.h. */
#include "source/proc/launch.h"

#include "base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define PATIENCE_NS    (1 * WP_NS_PER_S) /* between SIGTERM and SIGKILL */
#define LOOK_AGAIN_NS  (5 * WP_NS_PER_MS)
#define FOLLOW_NS      (1 * WP_NS_PER_S)
#define REPORT_WAIT_MS 1
#define NOT_FOUND_EXIT 127 /* as a shell says it */
#define NOT_RUNNABLE   126

/*
 * What we do with signals must not reach the program. What nohup and a shell's `&` do must: they
 * have these ignored.
 */
static void default_signals(void)
{
	struct sigaction action, standard = {.sa_handler = SIG_DFL};
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++) {
		bool keeps = sig == SIGHUP || sig == SIGINT || sig == SIGQUIT;

		if (keeps && sigaction(sig, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
			continue;
		sigaction(sig, &standard, NULL);
	}
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* A terminal that somebody else draws on. */
static void leave_terminal(int output)
{
	int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);

	if (isatty(STDIN_FILENO) && nothing >= 0)
		dup2(nothing, STDIN_FILENO);
	if (isatty(STDOUT_FILENO))
		dup2(output, STDOUT_FILENO);
	if (isatty(STDERR_FILENO))
		dup2(output, STDERR_FILENO);
}

/* The child: waits at the gate, then becomes the command. */
static void run_child(char *const argv[], const struct wp_sudo_user *user, int gate, int report)
{
	char go;
	int why;

	default_signals();
	if (read(gate, &go, 1) != 1)
		_exit(NOT_FOUND_EXIT);
	if (!user || wp_sudo_user_become(user))
		execvp(argv[0], argv);
	why = errno;
	(void)!write(report, &why, sizeof(why));
	_exit(why == ENOENT || why == ENOTDIR ? NOT_FOUND_EXIT : NOT_RUNNABLE);
}

static struct wp_err *pin(pid_t pid, const struct wp_cpuset *cpus)
{
	size_t bytes = CPU_ALLOC_SIZE(WP_CPU_MAX + 1);
	wp_autofree cpu_set_t *set = wp_calloc(1, bytes);

	wp_vec_each (uint32_t, cpu, &cpus->cpus)
		CPU_SET_S(*cpu, bytes, set);
	if (sched_setaffinity(pid, bytes, set) < 0)
		return wp_err_os(errno, "cannot run the command on the CPUs asked for");
	return NULL;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/* Both ends of the gate and of the report pipe. */
struct ends {
	int gate[2], report[2];
};

static void close_ends(struct ends *ends)
{
	close_fd(&ends->gate[0]);
	close_fd(&ends->gate[1]);
	close_fd(&ends->report[0]);
	close_fd(&ends->report[1]);
}

static struct wp_err *open_ends(struct ends *ret)
{
	struct ends ends = {{-1, -1}, {-1, -1}};

	/* A socket, because writing to one whose reader died need not raise SIGPIPE. */
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.gate) < 0 ||
	    pipe2(ends.report, O_CLOEXEC) < 0) {
		struct wp_err *err = wp_err_os(errno, "cannot start a command");

		close_ends(&ends);
		return err;
	}
	*ret = ends;
	return NULL;
}

struct wp_err *wp_launch_start(char *const argv[], const struct wp_cpuset *cpus,
			       const struct wp_sudo_user *user, struct wp_launch *ret)
{
	struct wp_launch launch = {.name = argv[0], .output = ret->output};
	struct ends ends = {{-1, -1}, {-1, -1}};
	struct wp_err *err = NULL;

	if (!argv[0] || !*argv[0])
		return wp_err_new(WP_ERR_USAGE, "no command to run");
	TRY(open_ends(&ends));
	launch.pid = fork();
	if (launch.pid < 0) {
		err = wp_err_os(errno, "cannot start '%s'", argv[0]);
		close_ends(&ends);
		return err;
	}
	if (launch.pid == 0) {
		/* Our copy of the parent's end would keep the gate from closing with the parent. */
		close(ends.gate[1]);
		if (launch.output)
			leave_terminal(launch.output);
		run_child(argv, user, ends.gate[0], ends.report[1]);
	}
	close(ends.gate[0]);
	close(ends.report[1]);
	launch.gate = ends.gate[1];
	launch.report = ends.report[0];
	if (cpus && cpus->cpus.n)
		err = pin(launch.pid, cpus);
	if (err) {
		wp_launch_finish(&launch);
		return err;
	}
	*ret = launch;
	return NULL;
}

static uint64_t time_ns(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * WP_NS_PER_S + (uint64_t)time->tv_usec * 1000;
}

/* As waitpid() says it; stops of a child that is followed are not told. */
static pid_t wait_for_child(struct wp_launch *launch, int options)
{
	struct rusage usage;
	pid_t pid;

	while ((pid = wait4(launch->pid, &launch->wait_status, options, &usage)) == launch->pid &&
	       WIFSTOPPED(launch->wait_status))
		wp_entry_stopped(&launch->entry, launch->wait_status);
	if (pid == launch->pid) {
		launch->user_ns = time_ns(&usage.ru_utime);
		launch->system_ns = time_ns(&usage.ru_stime);
	}
	return pid;
}

/* Blocks until the child has ended. */
static void reap(struct wp_launch *launch)
{
	while (!launch->reaped) {
		pid_t pid = wait_for_child(launch, 0);

		launch->reaped = pid == launch->pid || (pid < 0 && errno != EINTR);
	}
}

/* In the words of a shell. */
static struct wp_err *exec_error(int why, struct wp_launch *launch)
{
	bool missing = why == ENOENT || why == ENOTDIR;
	struct wp_err *err;

	reap(launch);
	if (missing && !strchr(launch->name, '/'))
		err = wp_err_new(WP_ERR_NOT_FOUND, "%s: command not found", launch->name);
	else
		err = wp_err_new(missing ? WP_ERR_NOT_FOUND : WP_ERR_PERMISSION, "%s: %s",
				 launch->name, strerror(why));
	err->os_errno = why;
	err->exit_status = wp_launch_exit_status(launch);
	return err;
}

/* So far. */
static uint64_t child_cpu_ns(const struct wp_launch *launch)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(launch->pid, &clock) != 0 || clock_gettime(clock, &time) != 0)
		return 0;
	return (uint64_t)time.tv_sec * WP_NS_PER_S + (uint64_t)time.tv_nsec;
}

/* What the child says of its exec: the bytes of `why`, or 0 when it has become the command. */
static ssize_t read_report(struct wp_launch *launch, int *why)
{
	struct pollfd report = {.fd = launch->report, .events = POLLIN};
	ssize_t n;

	/* One that is followed may stop for a signal on its way there. */
	while (launch->entry.state != WP_ENTRY_OFF && poll(&report, 1, REPORT_WAIT_MS) == 0)
		wp_launch_ended(launch);
	do
		n = read(launch->report, why, sizeof(*why));
	while (n < 0 && errno == EINTR);
	return n;
}

void wp_launch_follow(struct wp_launch *launch)
{
	wp_entry_follow(&launch->entry, launch->pid);
}

struct wp_err *wp_launch_go(struct wp_launch *launch)
{
	ssize_t n;
	int why;

	launch->held_ns = child_cpu_ns(launch);
	launch->entry_until_ns = wp_clock_now_ns() + FOLLOW_NS;

	/* A child that was killed at the gate cannot be told; its wait status says what happened.
	 */
	(void)!send(launch->gate, "g", 1, MSG_NOSIGNAL);
	close_fd(&launch->gate);
	/* The pipe closes by itself when the exec succeeds. */
	n = read_report(launch, &why);
	close_fd(&launch->report);
	if (n == (ssize_t)sizeof(why))
		return exec_error(why, launch);
	return NULL;
}

bool wp_launch_ended(struct wp_launch *launch)
{
	pid_t pid;

	if (launch->reaped)
		return true;
	pid = wait_for_child(launch, WNOHANG);
	launch->reaped = pid == launch->pid || (pid < 0 && errno == ECHILD);
	return launch->reaped;
}

enum wp_entry_state wp_launch_entry(struct wp_launch *launch)
{
	if (launch->entry.state == WP_ENTRY_OFF || wp_launch_ended(launch))
		return WP_ENTRY_OFF;
	if (wp_clock_now_ns() > launch->entry_until_ns)
		wp_entry_leave(&launch->entry);
	return launch->entry.state;
}

void wp_launch_release(struct wp_launch *launch, bool more)
{
	launch->entry_until_ns = wp_clock_now_ns() + FOLLOW_NS;
	wp_entry_release(&launch->entry, more);
}

void wp_launch_finish(struct wp_launch *launch)
{
	uint64_t until = wp_clock_now_ns() + PATIENCE_NS;

	if (launch->pid <= 0)
		return; /* never started */
	close_fd(&launch->gate);
	close_fd(&launch->report);
	if (wp_launch_ended(launch))
		return;
	wp_entry_leave(&launch->entry);
	kill(launch->pid, SIGTERM);
	while (!wp_launch_ended(launch) && wp_clock_now_ns() < until)
		wp_clock_sleep_until_ns(wp_clock_now_ns() + LOOK_AGAIN_NS);
	if (!launch->reaped)
		kill(launch->pid, SIGKILL);
	reap(launch);
}

int wp_launch_exit_status(const struct wp_launch *launch)
{
	if (WIFSIGNALED(launch->wait_status))
		return 128 + WTERMSIG(launch->wait_status);
	return WEXITSTATUS(launch->wait_status);
}
