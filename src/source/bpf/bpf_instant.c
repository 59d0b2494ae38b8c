/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_instant: see bpf_instant.h. */
#include "source/bpf/bpf_instant.h"

#include "base/mem.h"
#include "source/bpf/bpf_object.h"

#include <bpf/bpf.h>
#include <errno.h>
#include <instant_bpf.skel.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MAX 65536 /* of a process that are told */

struct wp_bpf_instant {
	struct instant_bpf *file;
	struct bpf_link *link;
};

static int load_instant(struct wp_bpf_instant *instant, bool with_kernel)
{
	wp_bpf_object_silence();
	instant->file = instant_bpf__open();
	if (!instant->file)
		return -errno;
	instant->file->rodata->pid_ns = wp_bpf_object_pid_namespace();
	instant->file->rodata->with_kernel = with_kernel;
	if (instant_bpf__load(instant->file) < 0)
		return -errno;
	instant->link = bpf_program__attach_iter(instant->file->progs.wp_instant_task, NULL);
	return instant->link ? 0 : -errno;
}

struct wp_err *wp_bpf_instant_open(bool with_kernel, struct wp_bpf_instant **ret)
{
	struct wp_bpf_instant *instant = wp_calloc(1, sizeof(*instant));
	int status = load_instant(instant, with_kernel);

	if (status == 0) {
		*ret = instant;
		return NULL;
	}
	wp_bpf_instant_close(instant);
	if (status == -EPERM || status == -EACCES)
		return wp_err_new(WP_ERR_PERMISSION,
				  "registers of threads need root, or CAP_BPF and CAP_PERFMON");
	return wp_err_os(-status, "this kernel does not take the BPF program that reads registers "
				  "of threads");
}

void wp_bpf_instant_close(struct wp_bpf_instant *instant)
{
	if (!instant)
		return;
	bpf_link__destroy(instant->link);
	instant_bpf__destroy(instant->file);
	free(instant);
}

void wp_bpf_instant_threads_deinit(struct wp_bpf_instant_threads *threads)
{
	wp_vec_deinit(&threads->v);
	wp_vec_deinit(&threads->kernel);
}

/* The kernel hands out whole records, but a read may end within one. Fewer than n bytes: the end,
 * or -1. */
static ssize_t read_instant_bytes(int fd, void *to, size_t n)
{
	size_t have = 0;
	ssize_t got;

	while (have < n && (got = read(fd, (uint8_t *)to + have, n - have)) != 0) {
		if (got < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (got < 0)
			return -1;
		have += (size_t)got;
	}
	return (ssize_t)have;
}

/* The addresses behind a record. */
static bool read_kernel_stack(int fd, struct wp_instant_record *record,
			      struct wp_bpf_instant_threads *ret)
{
	uint64_t kernel[WP_INSTANT_KERNEL];
	size_t bytes = record->n_kernel * sizeof(*kernel);

	if (record->n_kernel > WP_INSTANT_KERNEL ||
	    read_instant_bytes(fd, kernel, bytes) != (ssize_t)bytes)
		return false;
	record->kernel = (uint32_t)ret->kernel.n;
	for (uint32_t i = 0; i < record->n_kernel; i++)
		wp_vec_push(&ret->kernel, kernel[i]);
	return true;
}

static bool read_instant_records(int fd, struct wp_bpf_instant_threads *ret)
{
	struct wp_instant_record record;
	ssize_t n;

	while ((n = read_instant_bytes(fd, &record, sizeof(record))) == sizeof(record)) {
		if (ret->v.n >= THREADS_MAX || !read_kernel_stack(fd, &record, ret))
			return false;
		wp_vec_push(&ret->v, record);
	}
	return n == 0;
}

bool wp_bpf_instant_look(struct wp_bpf_instant *instant, uint32_t pid,
			 struct wp_bpf_instant_threads *ret)
{
	bool told;
	int fd;

	ret->v.n = ret->kernel.n = 0;
	instant->file->bss->wanted_pid = pid;
	fd = bpf_iter_create(bpf_link__fd(instant->link));
	if (fd < 0)
		return false;
	told = read_instant_records(fd, ret);
	close(fd);
	return told;
}
