/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * machine_tracefs: where the kernel shows its tracepoints, or why this user cannot read them.
 *
 * tracefs may be mounted anywhere; debugfs brings it along in its folder `tracing`. Where it is
 * mounted nowhere, a user who may mount gets it for this process alone: a mount that is attached
 * to no folder (fsmount(2), Linux 5.2) and goes when its descriptor is closed.
 */
#include "base/file.h"
#include "base/mem.h"
#include "base/str.h"
#include "machine/machine_parts.h"

#include <errno.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MOUNTS_BYTES_MAX (16u << 20)

struct search {
	struct wp_machine *machine;
	const char *unreadable; /* a folder of tracefs that may be looked at but not into */
};

/* An event's id is what counts: the folder alone may be readable and empty. */
static bool shows_ids(const struct wp_machine *machine, const char *dir)
{
	wp_autofree char *path = wp_machine_path(machine, "%s/events/sched/sched_switch/id", dir);
	uint64_t id;

	return wp_file_u64(path, 10, &id);
}

static bool take_folder(struct search *search, const char *dir)
{
	struct wp_machine *machine = search->machine;
	wp_autofree char *path = wp_machine_path(machine, "%s", dir);

	if (shows_ids(machine, dir)) {
		machine->limits.tracefs = true;
		machine->limits.tracefs_events =
			wp_arena_printf(&machine->arena, "%s%s/events", machine->root, dir);
		return true;
	}
	if (wp_file_exists(path))
		search->unreadable = wp_arena_strdup(&machine->arena, dir);
	return false;
}

/* Blanks, tabs, newlines and backslashes stand in /proc/mounts as three octal digits. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *p = text; *p; p++) {
		if (p[0] == '\\' && strspn(p + 1, "01234567") >= 3) {
			*to++ = (char)((p[1] - '0') << 6 | (p[2] - '0') << 3 | (p[3] - '0'));
			p += 3;
		} else {
			*to++ = *p;
		}
	}
	*to = '\0';
}

/* "DEVICE FOLDER TYPE OPTIONS 0 0" */
static bool take_mount(struct search *search, char *line)
{
	wp_autofree char *tracing = NULL;
	char *folder, *type;

	strsep(&line, " ");
	folder = strsep(&line, " ");
	type = strsep(&line, " ");
	if (!type)
		return false;
	unescape(folder);
	if (strcmp(type, "tracefs") == 0)
		return take_folder(search, folder);
	if (strcmp(type, "debugfs") != 0)
		return false;
	tracing = wp_asprintf("%s/tracing", folder);
	return take_folder(search, tracing);
}

static bool find_mounted(struct search *search)
{
	wp_autofree char *path = wp_machine_path(search->machine, "/proc/self/mounts");
	char *text = NULL;
	wp_autoerr struct wp_err *err = wp_file_read(path, MOUNTS_BYTES_MAX, &text, NULL);
	wp_autofree char *mounts = err ? NULL : text;
	char *rest = mounts, *line;

	while ((line = strsep(&rest, "\n")))
		if (take_mount(search, line))
			return true;
	return false;
}

/* By the calls themselves, which glibc has from 2.36 on. The mount's descriptor, or a negative
 * errno. */
static int mount_unattached(void)
{
	wp_autoclose int context = (int)syscall(SYS_fsopen, "tracefs", FSOPEN_CLOEXEC);
	int mount = -1;

	if (context >= 0 && !syscall(SYS_fsconfig, context, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		mount = (int)syscall(SYS_fsmount, context, FSMOUNT_CLOEXEC, MOUNT_ATTR_RDONLY);
	return mount < 0 ? -errno : mount;
}

/* Returns 0 or an errno. */
static int mount_for_us(struct search *search)
{
	wp_autofree char *dir = NULL;
	int mount = mount_unattached();

	if (mount < 0)
		return -mount;
	wp_vec_push(&search->machine->mounts, mount);
	dir = wp_asprintf("/proc/self/fd/%d", mount);
	return take_folder(search, dir) ? 0 : EACCES;
}

/*
 * What root can do for a user who is not. From Linux 5.16 on the files of tracefs are not
 * everyone's, whatever its mode: a group they can be. Counting a tracepoint is looking into the
 * kernel, too.
 */
static const char *fix_for_user(struct wp_machine *machine, const char *action, const char *dir)
{
	const struct wp_machine_limits *limits = &machine->limits;
	bool paranoid = limits->perf_event_paranoid > 1 && !limits->cap_perfmon;

	return wp_arena_printf(
		&machine->arena, "run as root, or as root mount %smode=750,gid=%u %s%s", action,
		limits->egid, dir, paranoid ? " and sysctl kernel.perf_event_paranoid=1" : "");
}

static const char *why_unreadable(struct wp_machine *machine, const char *dir)
{
	if (machine->limits.euid == 0)
		return wp_arena_printf(&machine->arena,
				       "root of this container may not read tracefs at %s. fix: "
				       "run in a container without a user namespace of its own",
				       dir);
	return wp_arena_printf(&machine->arena, "this user may not read tracefs at %s. fix: %s",
			       dir, fix_for_user(machine, "-o remount,", dir));
}

static const char *why_unmounted(struct wp_machine *machine, int error)
{
	if (error == ENODEV)
		return "this kernel has no tracefs. fix: a kernel with CONFIG_EVENT_TRACING";
	if (machine->limits.euid == 0)
		return wp_arena_printf(
			&machine->arena,
			"tracefs is not mounted, and mounting it is refused (%s). fix: mount -t "
			"tracefs nodev /sys/kernel/tracing; in a container, outside of it, and "
			"start it with -v /sys/kernel/tracing:/sys/kernel/tracing or CAP_SYS_ADMIN",
			strerror(error));
	return wp_arena_printf(
		&machine->arena, "tracefs is not mounted where this user can reach it. fix: %s",
		fix_for_user(machine, "-t tracefs -o ", "nodev /sys/kernel/tracing"));
}

void wp_machine_probe_tracefs(struct wp_machine *machine)
{
	struct wp_machine_limits *limits = &machine->limits;
	struct search search = {.machine = machine};
	int error = EPERM;

	if (find_mounted(&search))
		return;
	if (!search.unreadable && limits->cap_sys_admin && !*machine->root)
		error = mount_for_us(&search);
	if (limits->tracefs)
		return;
	if (strcmp(limits->lockdown, "confidentiality") == 0)
		limits->tracefs_why =
			"the kernel is locked down. fix: boot without lockdown=confidentiality";
	else if (search.unreadable)
		limits->tracefs_why = why_unreadable(machine, search.unreadable);
	else
		limits->tracefs_why = why_unmounted(machine, error);
}
