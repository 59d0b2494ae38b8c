/* SPDX-License-Identifier: BSD-3-Clause */
/* priority: see priority.h. */
#include "base/priority.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>

#define NICEST	   (-20)
#define STRETCH_US 500000

static volatile sig_atomic_t too_long; /* a stretch was */

/* The user has said how this program is to run. */
static bool is_chosen(void)
{
	int policy = sched_getscheduler(0), nice;

	errno = 0;
	nice = getpriority(PRIO_PROCESS, 0);
	return errno || policy != SCHED_OTHER || nice != 0;
}

/* Not 0: refused. For Linux both are a thread's own. */
static int set_policy(int policy, int nice)
{
	struct sched_param param = {.sched_priority = sched_get_priority_min(policy)};
	int status = sched_setscheduler(0, policy, &param);

	return policy == SCHED_FIFO ? status : setpriority(PRIO_PROCESS, 0, nice);
}

/* The thread whose stretch it was gets the signal (RLIMIT_RTTIME, getrlimit(2)). */
static void end_stretch(int signal)
{
	int error = errno;

	(void)signal;
	too_long = 1;
	(void)set_policy(SCHED_OTHER, NICEST);
	errno = error;
}

static bool limit_stretches(void)
{
	struct sigaction action = {.sa_handler = end_stretch, .sa_flags = SA_RESTART};
	struct rlimit limit;

	if (sigaction(SIGXCPU, &action, NULL) < 0 || getrlimit(RLIMIT_RTTIME, &limit) < 0)
		return false;
	limit.rlim_cur = STRETCH_US;
	return setrlimit(RLIMIT_RTTIME, &limit) == 0;
}

void wp_priority_raise(struct wp_priority *priority)
{
	if (priority->raised || is_chosen())
		return;
	priority->raised = true;
	if (!limit_stretches() || set_policy(SCHED_FIFO, 0) != 0)
		(void)set_policy(SCHED_OTHER, NICEST);
}

void wp_priority_renew(const struct wp_priority *priority)
{
	if (!priority->raised || !too_long)
		return;
	too_long = 0;
	(void)set_policy(SCHED_FIFO, 0);
}

void wp_priority_lower(struct wp_priority *priority)
{
	if (!priority->raised)
		return;
	priority->raised = false;
	(void)set_policy(SCHED_OTHER, 0);
}
