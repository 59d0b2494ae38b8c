/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_probes: see bpf_probes.h. */
#include "source/bpf/bpf_probes.h"

#include "bpf/wire.h"
#include "source/bpf/bpf_object.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <probe_bpf.skel.h>
#include <sys/ioctl.h>

struct wp_bpf_probes {
	struct probe_bpf *file;
};

static struct wp_err *refuse_program(int status)
{
	if (status == -EPERM || status == -EACCES)
		return wp_err_new(WP_ERR_PERMISSION, "it needs root, or CAP_BPF and CAP_PERFMON");
	return wp_err_os(-status, "this kernel does not take its BPF program");
}

static int load_probes(struct wp_bpf_probes *probes, int targets_fd)
{
	struct probe_bpf *file = probes->file = probe_bpf__open();

	if (!file)
		return -errno;
	file->rodata->config.pid_ns = wp_bpf_object_pid_namespace();
	if (targets_fd >= 0 && bpf_map__reuse_fd(file->maps.probe_targets, targets_fd) < 0)
		return -errno;
	return probe_bpf__load(file);
}

/* Before the processes are named: what they start from then on is followed. */
static int attach_followers(struct probe_bpf *file)
{
	file->links.wp_probe_fork = bpf_program__attach(file->progs.wp_probe_fork);
	if (file->links.wp_probe_fork)
		file->links.wp_probe_exec = bpf_program__attach(file->progs.wp_probe_exec);
	if (file->links.wp_probe_exec)
		file->links.wp_probe_exit = bpf_program__attach(file->progs.wp_probe_exit);
	return file->links.wp_probe_exit ? 0 : -errno;
}

static int name_processes(struct wp_bpf_probes *probes, const struct wp_target *target)
{
	int map = bpf_map__fd(probes->file->maps.probe_targets);

	for (size_t i = 0; i < target->pids.n; i++) {
		uint32_t pid = (uint32_t)target->pids.v[i];
		uint32_t state = target->launched && i == 0 ? WP_PROBE_WAITING : WP_PROBE_TARGET;

		if (bpf_map_update_elem(map, &pid, &state, BPF_ANY) < 0)
			return -errno;
	}
	return 0;
}

struct wp_err *wp_bpf_probes_open(const struct wp_target *target, int targets_fd,
				  struct wp_bpf_probes **ret)
{
	struct wp_bpf_probes *probes = wp_calloc(1, sizeof(*probes));
	int status;

	wp_bpf_object_silence();
	status = load_probes(probes, targets_fd);
	if (status == 0)
		status = attach_followers(probes->file);
	if (status == 0)
		status = name_processes(probes, target);
	if (status < 0) {
		wp_bpf_probes_close(probes);
		return refuse_program(status);
	}
	*ret = probes;
	return NULL;
}

int wp_bpf_probes_targets(const struct wp_bpf_probes *probes)
{
	return bpf_map__fd(probes->file->maps.probe_targets);
}

void wp_bpf_probes_close(struct wp_bpf_probes *probes)
{
	if (!probes)
		return;
	probe_bpf__destroy(probes->file); /* detaches, too */
	free(probes);
}

bool wp_bpf_probes_filter(struct wp_bpf_probes *probes, int event_fd)
{
	return ioctl(event_fd, PERF_EVENT_IOC_SET_BPF,
		     bpf_program__fd(probes->file->progs.wp_probe_filter)) == 0;
}
