/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * walk_alike: the interpreter of a process that the loader has not told of yet, by what it told of
 * another one that runs the same program.
 *
 * Part of walk.bpf.c. What the loader knows of an interpreter comes some milliseconds after the
 * program began: too late for a short one. So a process that it does know leaves the plan under its
 * program's file, with addresses as linked, and the next process of that file gets it moved to
 * where its own interpreter lies. The loader does so itself for programs that a command names.
 */
#ifndef WP_BPF_WALK_ALIKE_H
#define WP_BPF_WALK_ALIKE_H

#include "bpf/walk_state.h"
#include "walk/python_like.inc.h"

struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 256);
	__type(key, struct wp_walk_program);
	__type(value, struct wp_walk_alike);
} alikes SEC(".maps");

/* By tgid: interpreters that were found so. */
struct {
	__uint(type, BPF_MAP_TYPE_LRU_HASH);
	__uint(max_entries, 1024);
	__type(key, __u32);
	__type(value, struct wp_walk_pythons);
} found_alike SEC(".maps");

/* Unlike that of any other program that had or will have the process's number. */
static __always_inline __u32 epoch_of(const struct task_struct *task)
{
	__u64 began = task->group_leader->start_time * 0x9e3779b97f4a7c15ull;

	return (__u32)(began >> 32) ^ (__u32)task->self_exec_id * 0x85ebca6bu;
}

static __always_inline int get_file(const struct task_struct *task, struct wp_walk_program *ret)
{
	const struct file *file = task->mm ? task->mm->exe_file : NULL;
	const struct inode *inode = file ? file->f_inode : NULL;

	if (!inode)
		return -1;
	ret->inode = inode->i_ino;
	ret->size = inode->i_size;
	ret->device = inode->i_sb->s_dev;
	return 0;
}

/* Keeps what the loader said of this process's interpreter by its program's file, once. */
__noinline int wp_walk_keep_alike(__u32 tgid)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct wp_walk_pythons *known = bpf_map_lookup_elem(&pythons, &tgid);
	struct walk *w = walk_of_cpu();
	struct wp_walk_program file = {};
	struct wp_python_like *like;
	__u64 code;

	if (!w || !known || known->n != 1 || !known->like.proof_at || get_file(task, &file))
		return 0;
	code = task->mm->start_code;
	w->alike.like = known->like;
	w->alike.plan = known->plans[0];
	known->like.proof_at = 0;
	like = &w->alike.like;
	w->alike.code = code - (like->debug ? like->debug : like->delta);
	wp_python_plan_move(&w->alike.plan, -like->delta);
	w->alike.plan.code_count = 0; /* this process's own */
	like->proof_at -= like->delta;
	return (int)bpf_map_update_elem(&alikes, &file, &w->alike, BPF_ANY);
}

static __always_inline int wp_python_like_read(void *process, void *to, __u32 bytes, __u64 from)
{
	(void)process;
	return bpf_probe_read_user(to, bytes, (const void *)from);
}

/* 0: found_alike has this process's interpreter. */
__noinline int wp_walk_find_alike(__u32 tgid)
{
	struct task_struct *task = (void *)bpf_get_current_task_btf();
	struct wp_walk_pythons *known = bpf_map_lookup_elem(&found_alike, &tgid);
	struct walk *w = walk_of_cpu();
	struct wp_walk_program file = {};
	const struct wp_walk_alike *alike;
	__u64 delta;

	if (!w)
		return -1;
	if (known && known->epoch == w->epoch)
		return 0;
	if (get_file(task, &file))
		return -1;
	alike = bpf_map_lookup_elem(&alikes, &file);
	if (!alike)
		return -1;
	delta = task->mm->start_code - alike->code;
	if (alike->like.debug)
		delta = wp_python_like_library(w, &alike->like, delta);
	if (!wp_python_like_is_there(w, &alike->like, delta, w->alike.like.proof))
		return -1;
	w->pythons.plans[0] = alike->plan;
	wp_python_plan_move(&w->pythons.plans[0], delta);
	w->pythons.n = 1;
	w->pythons.epoch = w->epoch;
	w->pythons.keys[0] = 0;
	return (int)bpf_map_update_elem(&found_alike, &tgid, &w->pythons, BPF_ANY);
}

#endif
