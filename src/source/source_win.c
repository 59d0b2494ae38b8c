/* SPDX-License-Identifier: BSD-3-Clause */
/* source_win: takes the room's place on Windows: no process is watched here yet, and
 * there is no /proc; wperfdrv/ stays. What cannot be answered is refused, or is not there. */
#include "source/perf/cgroup.h"
#include "source/perf/perf_clock.h"
#include "source/proc/kept_output.h"
#include "source/proc/kernel_maps.h"
#include "source/proc/process_memory.h"
#include "source/proc/procfs.h"
#include "source/proc/sudo_user.h"

static struct wp_err *refuse_source(void)
{
	return wp_err_new(
		WP_ERR_UNSUPPORTED,
		"wperf for Windows counts whole cores (stat) and reads recordings (-i FILE): it "
		"watches and samples no processes yet");
}

static bool read_nothing(void *arg, uint64_t addr, void *ret, size_t n)
{
	(void)arg, (void)addr, (void)ret, (void)n;
	return false;
}

void wp_cgroups_list(struct wp_str *ret)
{
	(void)ret;
}

bool wp_perf_clock_read(struct wp_perf_aux_clock *ret)
{
	(void)ret;
	return false;
}

void wp_kernel_maps(struct wp_records *ret)
{
	(void)ret;
}

uint8_t wp_kernel_maps_build_id(uint8_t ret[WP_BUILD_ID_MAX])
{
	(void)ret;
	return 0;
}

/* There are no screens that a command could write on. */
struct wp_err *wp_kept_output_open(struct wp_kept_output **ret)
{
	(void)ret;
	return refuse_source();
}

int wp_kept_output_end(const struct wp_kept_output *output)
{
	(void)output;
	return -1;
}

void wp_kept_output_started(struct wp_kept_output *output)
{
	(void)output;
}

uint64_t wp_kept_output_close(struct wp_kept_output *output, struct wp_str *end)
{
	(void)output, (void)end;
	return 0;
}

struct wp_memory wp_process_memory(uint32_t pid)
{
	(void)pid;
	return (struct wp_memory){.read = read_nothing};
}

void wp_process_memory_stand_in(uint32_t pid, struct wp_memory memory)
{
	(void)pid, (void)memory;
}

bool wp_procfs_auxv(pid_t pid, uint64_t type, uint64_t *ret)
{
	(void)pid, (void)type, (void)ret;
	return false;
}

time_t wp_procfs_began(pid_t pid)
{
	(void)pid;
	return 0;
}

char *wp_procfs_command(pid_t pid)
{
	(void)pid;
	return NULL;
}

void wp_procfs_descendants(pid_t pid, struct wp_procfs_ids *ret)
{
	(void)pid, (void)ret;
}

uint32_t wp_procfs_inner_tid(uint32_t pid, uint32_t tid)
{
	(void)pid;
	return tid;
}

bool wp_procfs_is_kernel(pid_t pid)
{
	(void)pid;
	return false;
}

void wp_procfs_programs(struct wp_str *ret)
{
	(void)ret;
}

struct wp_err *wp_procfs_snapshot(pid_t pid, bool data, struct wp_records *ret)
{
	(void)pid, (void)data, (void)ret;
	return refuse_source();
}

void wp_procfs_threads(pid_t pid, struct wp_procfs_ids *ret)
{
	(void)pid, (void)ret;
}

void wp_procfs_users(struct wp_str *ret)
{
	(void)ret;
}

struct wp_err *wp_sudo_user_find(struct wp_sudo_user *ret)
{
	(void)ret;
	return refuse_source();
}
