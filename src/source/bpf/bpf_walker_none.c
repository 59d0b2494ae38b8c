/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_walker_none: the walker of builds without libbpf or without a compiler for BPF. */
#include "source/bpf/bpf_walker.h"

#include "source/bpf/bpf_args.h"
#include "source/bpf/bpf_instant.h"
#include "source/bpf/bpf_probes.h"
#include "wperf_build.h"

const char *wp_bpf_walker_missing(void)
{
	return WPERF_BPF_MISSING;
}

struct wp_err *wp_bpf_walker_open(const struct wp_bpf_walker_options *options,
				  struct wp_bpf_walker **ret)
{
	(void)options;
	(void)ret;
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "this wperf was built without its BPF program (" WPERF_BPF_MISSING ")");
}

void wp_bpf_walker_close(struct wp_bpf_walker *walker)
{
	(void)walker;
}

struct wp_bpf_maps *wp_bpf_walker_maps(struct wp_bpf_walker *walker)
{
	(void)walker;
	return NULL;
}

int wp_bpf_walker_probe(const struct wp_bpf_walker *walker)
{
	(void)walker;
	return -1;
}

int wp_bpf_walker_targets(const struct wp_bpf_walker *walker)
{
	(void)walker;
	return -1;
}

struct wp_err *wp_bpf_probes_open(const struct wp_target *target, int targets_fd,
				  struct wp_bpf_probes **ret)
{
	(void)target;
	(void)targets_fd;
	(void)ret;
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "this wperf was built without its BPF program (" WPERF_BPF_MISSING ")");
}

void wp_bpf_probes_close(struct wp_bpf_probes *probes)
{
	(void)probes;
}

int wp_bpf_probes_targets(const struct wp_bpf_probes *probes)
{
	(void)probes;
	return -1;
}

bool wp_bpf_probes_filter(struct wp_bpf_probes *probes, int event_fd)
{
	(void)probes;
	(void)event_fd;
	return false;
}

void wp_bpf_walker_set_python(struct wp_bpf_walker *walker, uint32_t pid,
			      const struct wp_python_plan *plans, size_t n,
			      const struct wp_python_like *like)
{
	(void)walker;
	(void)pid;
	(void)plans;
	(void)n;
	(void)like;
}

void wp_bpf_walker_expect(struct wp_bpf_walker *walker, const struct stat *program, uint64_t code,
			  const struct wp_python_plan *plan, const struct wp_python_like *like)
{
	(void)walker;
	(void)program;
	(void)code;
	(void)plan;
	(void)like;
}

void wp_bpf_walker_want_python(struct wp_bpf_walker *walker)
{
	(void)walker;
}

void wp_bpf_walker_await_python(struct wp_bpf_walker *walker)
{
	(void)walker;
}

uint64_t wp_bpf_walker_python_ns(const struct wp_bpf_walker *walker)
{
	(void)walker;
	return 0;
}

int wp_bpf_walker_event(const struct wp_bpf_walker *walker)
{
	(void)walker;
	return -1;
}

struct wp_err *wp_bpf_walker_attach(struct wp_bpf_walker *walker, const struct wp_perf_set *set)
{
	(void)walker;
	(void)set;
	return NULL;
}

bool wp_bpf_walker_wrote(const struct wp_bpf_walker *walker, size_t ring, uint64_t identifier)
{
	(void)walker;
	(void)ring;
	(void)identifier;
	return false;
}

struct wp_bpf_ring *wp_bpf_walker_ring(struct wp_bpf_walker *walker, size_t ring)
{
	(void)walker;
	(void)ring;
	return NULL;
}

struct wp_bpf_walker_cost wp_bpf_walker_cost(const struct wp_bpf_walker *walker)
{
	(void)walker;
	return (struct wp_bpf_walker_cost){0};
}

struct wp_err *wp_bpf_args_open(const struct wp_perf_set *set, struct wp_bpf_args **ret)
{
	*ret = NULL;
	wp_vec_each (struct wp_event, event, &set->options->events->events)
		if (set->mode.payloads && wp_event_has_args(event))
			return wp_err_new(WP_ERR_UNSUPPORTED,
					  "arguments of probes: this wperf was built without its "
					  "BPF programs (" WPERF_BPF_MISSING ")");
	return NULL;
}

struct wp_err *wp_bpf_args_attach(struct wp_bpf_args *args, int successor)
{
	(void)args;
	(void)successor;
	return NULL;
}

void wp_bpf_args_close(struct wp_bpf_args *args)
{
	(void)args;
}

bool wp_bpf_args_take(struct wp_bpf_args *args, size_t ring, const void *bytes, size_t size)
{
	(void)args;
	(void)ring;
	(void)bytes;
	(void)size;
	return false;
}

void wp_bpf_args_join(struct wp_bpf_args *args, size_t ring, struct wp_record *sample)
{
	(void)args;
	(void)ring;
	(void)sample;
}

void wp_bpf_instant_threads_deinit(struct wp_bpf_instant_threads *threads)
{
	wp_vec_deinit(&threads->v);
	wp_vec_deinit(&threads->kernel);
}

struct wp_err *wp_bpf_instant_open(bool with_kernel, struct wp_bpf_instant **ret)
{
	(void)with_kernel;
	(void)ret;
	return wp_err_new(WP_ERR_UNSUPPORTED,
			  "this wperf was built without its BPF program (" WPERF_BPF_MISSING ")");
}

void wp_bpf_instant_close(struct wp_bpf_instant *instant)
{
	(void)instant;
}

bool wp_bpf_instant_look(struct wp_bpf_instant *instant, uint32_t pid,
			 struct wp_bpf_instant_threads *ret)
{
	(void)instant;
	(void)pid;
	(void)ret;
	return false;
}
