/* SPDX-License-Identifier: BSD-3-Clause */
/* pinned_alike: see pinned_alike.h. */
#include "source/pinned/pinned_alike.h"

#include "source/proc/procfs.h"
#include "walk/python_like.inc.h"

#include <stdio.h>

void wp_pinned_alikes_add(struct wp_pinned_alikes *alikes, const struct stat *program,
			  uint64_t code, const struct wp_python_plan *plan,
			  const struct wp_python_like *like)
{
	wp_vec_push(&alikes->v, (struct wp_pinned_alike){
					.device = program->st_dev,
					.inode = program->st_ino,
					.bytes = program->st_size,
					.code = code,
					.plan = *plan,
					.like = *like,
				});
}

static const struct wp_pinned_alike *alike_of(const struct wp_pinned_alikes *alikes, uint32_t pid)
{
	char path[sizeof("/proc/4294967295/exe")];
	struct stat st;

	snprintf(path, sizeof(path), "/proc/%u/exe", pid);
	if (stat(path, &st) < 0)
		return NULL;
	wp_vec_each (struct wp_pinned_alike, alike, &alikes->v)
		if (alike->device == st.st_dev && alike->inode == st.st_ino &&
		    alike->bytes == st.st_size)
			return alike;
	return NULL;
}

static int wp_python_like_read(void *process, void *to, __u32 bytes, __u64 from)
{
	return wp_pinned_memory_read(process, from, to, bytes) ? 0 : -1;
}

bool wp_pinned_alikes_find(const struct wp_pinned_alikes *alikes, uint32_t pid,
			   struct wp_pinned_memory *memory, struct wp_pinned_process *ret)
{
	const struct wp_pinned_alike *alike = alikes->v.n ? alike_of(alikes, pid) : NULL;
	__u64 words[WP_PYTHON_PROOF_WORDS];
	uint64_t delta;

	if (!alike || !wp_procfs_code((pid_t)pid, &delta))
		return false;
	wp_pinned_memory_begin(memory, pid);
	delta -= alike->code;
	if (alike->like.debug)
		delta = wp_python_like_library(memory, &alike->like, delta);
	if (!wp_python_like_is_there(memory, &alike->like, delta, words))
		return false;
	/* Made of what the process runs now: no later exec makes it out of date. */
	*ret = (struct wp_pinned_process){.pid = pid, .n = 1, .version = UINT64_MAX};
	ret->plans[0] = alike->plan;
	wp_python_plan_move(&ret->plans[0], delta);
	return true;
}

void wp_pinned_alikes_deinit(struct wp_pinned_alikes *alikes)
{
	wp_vec_deinit(&alikes->v);
}
