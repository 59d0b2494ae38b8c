/* SPDX-License-Identifier: BSD-3-Clause OR GPL-2.0-only */
/*
 * probe: lets a probe count in the watched processes, their threads and all that they start.
 *
 * The kernel's uprobe and kprobe PMUs take their place from memory of whoever opens an event, and a
 * process that inherits one opens it again, from its own memory: its fork would fail. So events of
 * probes are a CPU's, and this program turns away who is not watched.
 */
#include "bpf/walk_number.h"
#include "bpf/probe_targets.h"

#include <bpf/bpf_tracing.h>

char LICENSE[] SEC("license") = "Dual BSD/GPL";

const volatile struct wp_probe_config config SEC(".rodata") = {0};

static __always_inline __u32 pid_of_task(const struct task_struct *task)
{
	return config.pid_ns ? number_in_ns(task->group_leader->thread_pid, config.pid_ns)
			     : (__u32)task->tgid;
}

SEC("kprobe") int wp_probe_filter(void *ctx)
{
	__u32 tgid = pid_of_task((void *)bpf_get_current_task_btf()), *found;

	found = bpf_map_lookup_elem(&probe_targets, &tgid);
	return found && *found == WP_PROBE_TARGET;
}

SEC("tp_btf/sched_process_fork")
int BPF_PROG(wp_probe_fork, struct task_struct *parent, struct task_struct *child)
{
	__u32 from = pid_of_task(parent), to = pid_of_task(child), *found;

	if (from == to) /* a thread */
		return 0;
	found = bpf_map_lookup_elem(&probe_targets, &from);
	if (found)
		bpf_map_update_elem(&probe_targets, &to, found, BPF_ANY);
	else /* the number may have been that of one that is gone */
		bpf_map_delete_elem(&probe_targets, &to);
	return 0;
}

SEC("tp_btf/sched_process_exec")
int BPF_PROG(wp_probe_exec, struct task_struct *task)
{
	__u32 tgid = pid_of_task(task), *found;

	found = bpf_map_lookup_elem(&probe_targets, &tgid);
	if (found)
		*found = WP_PROBE_TARGET;
	return 0;
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(wp_probe_exit, struct task_struct *task)
{
	__u32 tgid = pid_of_task(task);

	if (!task->signal->live.counter) /* the last thread */
		bpf_map_delete_elem(&probe_targets, &tgid);
	return 0;
}
