/* SPDX-License-Identifier: BSD-3-Clause */
/* source_launch_win: proc/launch.h on Windows: a command whose first thread is suspended until it
 * may go. One line is what a program gets; it is quoted as their runtimes take it apart. See
 * source_win.c. */
#include "source/proc/launch.h"

#include "base/clock.h"
#include "base/str.h"
#include "base/utf16.h"

#include <windows.h>

#define TICKS_NS	 100u /* of FILETIME */
#define CORES_OF_GROUP	 64u  /* a mask has no more */
#define ENDED_BY_US	 143u /* as a shell says of SIGTERM */
#define COMMAND_LINE_MAX 32767u

/* Backslashes mean themselves, but in front of a quotation mark. */
static void quote_word(struct wp_str *line, const char *word)
{
	size_t slashes = 0;

	if (*word && !strpbrk(word, " \t\n\v\"")) {
		wp_str_puts(line, word);
		return;
	}
	wp_str_putc(line, '"');
	for (; *word; word++) {
		if (*word == '"')
			wp_str_pad(line, '\\', slashes + 1);
		slashes = *word == '\\' ? slashes + 1 : 0;
		wp_str_putc(line, *word);
	}
	wp_str_pad(line, '\\', slashes);
	wp_str_putc(line, '"');
}

/* In the words of a shell, with its exit status. */
static struct wp_err *refuse_command(const char *name, DWORD why)
{
	bool missing = why == ERROR_FILE_NOT_FOUND || why == ERROR_PATH_NOT_FOUND;
	struct wp_err *err =
		missing ? wp_err_new(WP_ERR_NOT_FOUND, "%s: command not found", name)
			: wp_err_new(WP_ERR_PERMISSION, "%s: cannot be run: error %lu of Windows",
				     name, (unsigned long)why);

	err->exit_status = missing ? 127 : 126;
	return err;
}

static struct wp_err *create_process(char *const argv[], PROCESS_INFORMATION *ret)
{
	STARTUPINFOW startup = {.cb = sizeof(startup)};
	wp_autostr struct wp_str line = {0};

	for (size_t i = 0; argv[i]; i++) {
		if (i)
			wp_str_putc(&line, ' ');
		quote_word(&line, argv[i]);
	}
	wp_autofree wchar_t *wide = wp_utf16_of(line.s);
	if (wcslen(wide) >= COMMAND_LINE_MAX)
		return wp_err_new(WP_ERR_LIMIT, "%s: its command line is too long", argv[0]);
	if (!CreateProcessW(NULL, wide, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &startup,
			    ret))
		return refuse_command(argv[0], GetLastError());
	return NULL;
}

static struct wp_err *pin_process(HANDLE process, const struct wp_cpuset *cpus)
{
	DWORD_PTR mask = 0;

	wp_vec_each (uint32_t, cpu, &cpus->cpus) {
		if (*cpu >= CORES_OF_GROUP)
			return wp_err_new(WP_ERR_UNSUPPORTED,
					  "a command runs on cores 0 to %u here, not on %u",
					  CORES_OF_GROUP - 1, *cpu);
		mask |= (DWORD_PTR)1 << *cpu;
	}
	if (!SetProcessAffinityMask(process, mask))
		return wp_err_new(WP_ERR_OS,
				  "cannot run the command on the CPUs asked for: error %lu of "
				  "Windows",
				  (unsigned long)GetLastError());
	return NULL;
}

struct wp_err *wp_launch_start(char *const argv[], const struct wp_cpuset *cpus,
			       const struct wp_sudo_user *user, struct wp_launch *ret)
{
	PROCESS_INFORMATION info = {0};
	struct wp_launch launch = {.name = argv[0]};
	struct wp_err *err = NULL;

	(void)user; /* nobody calls sudo */
	if (!argv[0] || !*argv[0])
		return wp_err_new(WP_ERR_USAGE, "no command to run");
	TRY(create_process(argv, &info));
	launch.pid = (pid_t)info.dwProcessId;
	launch.process = info.hProcess;
	launch.thread = info.hThread;
	if (cpus && cpus->cpus.n)
		err = pin_process(launch.process, cpus);
	if (err)
		wp_launch_finish(&launch);
	else
		*ret = launch;
	return err;
}

static void close_thread(struct wp_launch *launch)
{
	if (launch->thread)
		CloseHandle(launch->thread);
	launch->thread = NULL;
}

struct wp_err *wp_launch_go(struct wp_launch *launch)
{
	DWORD suspended = ResumeThread(launch->thread);

	close_thread(launch);
	if (suspended != (DWORD)-1)
		return NULL;
	return wp_err_new(WP_ERR_OS, "%s: does not begin: error %lu of Windows", launch->name,
			  (unsigned long)GetLastError());
}

static uint64_t filetime_ns(FILETIME time)
{
	return ((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) * TICKS_NS;
}

bool wp_launch_ended(struct wp_launch *launch)
{
	FILETIME began, ended, kernel = {0}, user = {0};
	DWORD status = 0;

	if (launch->reaped || !launch->process)
		return launch->reaped;
	if (WaitForSingleObject(launch->process, 0) == WAIT_TIMEOUT)
		return false;
	GetExitCodeProcess(launch->process, &status);
	GetProcessTimes(launch->process, &began, &ended, &kernel, &user);
	CloseHandle(launch->process);
	launch->process = NULL;
	launch->wait_status = (int)status;
	launch->user_ns = filetime_ns(user);
	launch->system_ns = filetime_ns(kernel);
	return launch->reaped = true;
}

void wp_launch_finish(struct wp_launch *launch)
{
	if (launch->pid <= 0)
		return; /* never started */
	close_thread(launch);
	if (wp_launch_ended(launch))
		return;
	TerminateProcess(launch->process, ENDED_BY_US);
	WaitForSingleObject(launch->process, INFINITE);
	wp_launch_ended(launch);
}

int wp_launch_exit_status(const struct wp_launch *launch)
{
	return launch->wait_status;
}

void wp_launch_follow(struct wp_launch *launch)
{
	(void)launch;
}

enum wp_entry_state wp_launch_entry(struct wp_launch *launch)
{
	(void)launch;
	return WP_ENTRY_OFF;
}

void wp_launch_release(struct wp_launch *launch, bool more)
{
	(void)launch, (void)more;
}
