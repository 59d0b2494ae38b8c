/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_args: see bpf_args.h. */
#include "source/bpf/bpf_args.h"

#include "bpf/args_wire.h"
#include "bpf/wire.h"
#include "format/perf/bpf_hit.h"
#include "format/perf/bpf_walk.h"
#include "source/bpf/bpf_object.h"
#include "source/bpf/bpf_output.h"
#include "source/bpf/bpf_probes.h"

#include <args_bpf.skel.h>
#include <bpf/bpf.h>
#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

/* Threads that were switched out between the reading and the sample; few at once. */
#define WAITING 8

struct waiting {
	bool used;
	uint64_t order; /* the larger the younger */
	uint32_t event, tid;
	struct wp_str payload;
};

struct ring {
	struct wp_bpf_output output;
	struct waiting waiting[WAITING];
};

struct wp_bpf_args {
	const struct wp_perf_set *set;
	struct args_bpf *file;
	WP_VEC(const struct wp_probe_place *) places; /* by number */
	WP_VEC(struct ring) rings;
	WP_VEC(int) links;
	struct wp_str given; /* the payload of the sample that was joined last */
	uint64_t order;
};

static const struct wp_event *event_at(const struct wp_bpf_args *args, uint32_t index)
{
	return &args->set->options->events->events.v[index];
}

/* Words of struct pt_regs (asm/ptrace.h), by DWARF's number. */
static uint8_t pt_regs_word_of(uint8_t reg)
{
#ifdef __aarch64__
	return reg;
#else
	static const uint8_t words[] = {10, 12, 11, 5, 13, 14, 4, 19, 9, 8, 7, 6, 3, 2, 1, 0, 16};

	return reg < sizeof(words) ? words[reg] : WP_ARGS_NO_REG;
#endif
}

static enum wp_args_text kind_of_text(const struct wp_probe *probe, size_t i)
{
	if (!probe->args[i].is_string)
		return WP_ARGS_NUMBER;
	return probe->kind == WP_PROBE_KERNEL ? WP_ARGS_KERNEL_TEXT : WP_ARGS_USER_TEXT;
}

static struct wp_args_place describe_place(uint32_t event, const struct wp_probe *probe,
					   const struct wp_probe_place *place)
{
	struct wp_args_place ret = {.event = event, .n = (uint32_t)probe->n_args};

	for (size_t i = 0; i < probe->n_args; i++) {
		const struct wp_operand *op = &place->operands[i];

		ret.operands[i] = (struct wp_args_operand){
			.kind = (uint8_t)op->kind,
			.size = op->size,
			.is_signed = op->is_signed,
			.is_high = op->is_high,
			.base = pt_regs_word_of(op->base),
			.index = pt_regs_word_of(op->index),
			.shift = op->shift,
			.text = (uint8_t)kind_of_text(probe, i),
			.value = op->value,
		};
	}
	return ret;
}

static void list_args_places(struct wp_bpf_args *args)
{
	wp_vec_each (struct wp_event, event, &args->set->options->events->events)
		for (size_t i = 0; wp_event_has_args(event) && i < event->probe->n_places; i++)
			wp_vec_push(&args->places, &event->probe->places[i]);
}

static int put_places(const struct wp_bpf_args *args)
{
	const struct wp_event_set *events = args->set->options->events;
	int map = bpf_map__fd(args->file->maps.places);
	uint32_t number = 0;

	for (uint32_t i = 0; i < events->events.n; i++) {
		const struct wp_probe *probe = events->events.v[i].probe;

		for (size_t j = 0; wp_event_has_args(&events->events.v[i]) && j < probe->n_places;
		     j++) {
			struct wp_args_place place = describe_place(i, probe, &probe->places[j]);

			if (bpf_map_update_elem(map, &number, &place, BPF_ANY) < 0)
				return -errno;
			number++;
		}
	}
	return 0;
}

static int load_args(struct wp_bpf_args *args)
{
	const struct wp_bpf_probes *probes = args->set->probes;
	struct args_bpf *file;

	wp_bpf_object_silence();
	file = args->file = args_bpf__open();
	if (!file)
		return -errno;
	file->rodata->config.pid_ns = wp_bpf_object_pid_namespace();
	file->rodata->config.filtered = probes != NULL;
	bpf_map__set_max_entries(file->maps.places, (uint32_t)args->places.n);
	if (probes &&
	    bpf_map__reuse_fd(file->maps.probe_targets, wp_bpf_probes_targets(probes)) < 0)
		return -errno;
	if (args_bpf__load(file) < 0)
		return -errno;
	return put_places(args);
}

struct wp_err *wp_bpf_args_open(const struct wp_perf_set *set, struct wp_bpf_args **ret)
{
	struct wp_bpf_args *args = wp_calloc(1, sizeof(*args));
	int status = 0;

	args->set = set;
	if (set->mode.payloads)
		list_args_places(args);
	if (args->places.n)
		status = load_args(args);
	if (status == 0 && args->places.n) {
		*ret = args;
		return NULL;
	}
	wp_bpf_args_close(args);
	*ret = NULL;
	if (status == -EPERM || status == -EACCES)
		return wp_err_new(WP_ERR_PERMISSION,
				  "arguments of probes need root, or CAP_BPF and CAP_PERFMON");
	return status ? wp_err_os(-status, "this kernel does not take the BPF program that reads "
					   "arguments of probes")
		      : NULL;
}

static struct wp_err *open_args_output(struct wp_bpf_args *args, size_t ring)
{
	struct ring own = {0};
	int why = wp_bpf_output_open(args->set, ring, bpf_map__fd(args->file->maps.args_outputs),
				     false, &own.output);

	wp_vec_push(&args->rings, own);
	if (!why || (own.output.fd < 0 && why == ENODEV))
		return NULL;
	return wp_err_os(why, "no event for arguments on CPU %u", args->set->rings.v[ring].cpu);
}

static uint32_t number_of_place(const struct wp_bpf_args *args, const struct wp_probe_place *place)
{
	uint32_t i = 0;

	while (args->places.v[i] != place)
		i++;
	return i;
}

static struct wp_err *attach_args_program(struct wp_bpf_args *args,
					  const struct wp_perf_counter *counter)
{
	const struct wp_perf_context *context = &args->set->contexts.v.v[counter->context];
	LIBBPF_OPTS(bpf_link_create_opts, opts,
		    .perf_event.bpf_cookie =
			    WP_ARGS_COOKIE(context->cpu, number_of_place(args, counter->place)));
	int link = bpf_link_create(bpf_program__fd(args->file->progs.wp_probe_args), counter->fd,
				   BPF_PERF_EVENT, &opts);

	if (link < 0)
		return wp_err_os(-link, "event '%s': its arguments cannot be read",
				 event_at(args, counter->event)->name);
	wp_vec_push(&args->links, link);
	return NULL;
}

struct wp_err *wp_bpf_args_attach(struct wp_bpf_args *args, int successor)
{
	int map = bpf_map__fd(args->file->maps.args_successor);
	uint32_t zero = 0;

	for (size_t i = 0; i < args->set->rings.n; i++)
		TRY(open_args_output(args, i));
	if (successor >= 0 && bpf_map_update_elem(map, &zero, &successor, BPF_ANY) < 0)
		return wp_err_os(errno, "stacks of probes with arguments cannot be walked");
	wp_vec_each (struct wp_perf_counter, counter, &args->set->counters)
		if (counter->event != WP_PERF_DUMMY &&
		    wp_event_has_args(event_at(args, counter->event)))
			TRY(attach_args_program(args, counter));
	return NULL;
}

void wp_bpf_args_close(struct wp_bpf_args *args)
{
	if (!args)
		return;
	wp_vec_each (int, link, &args->links)
		close(*link);
	wp_vec_each (struct ring, ring, &args->rings) {
		if (ring->output.fd >= 0)
			close(ring->output.fd);
		for (size_t i = 0; i < WAITING; i++)
			wp_str_deinit(&ring->waiting[i].payload);
	}
	args_bpf__destroy(args->file);
	wp_vec_deinit(&args->links);
	wp_vec_deinit(&args->rings);
	wp_vec_deinit(&args->places);
	wp_str_deinit(&args->given);
	free(args);
}

/* What waits for the same event and thread, and saw no sample; or a free place; or the oldest. */
static struct waiting *place_waiting_args(struct ring *ring, uint32_t event, uint32_t tid)
{
	struct waiting *best = &ring->waiting[0];

	for (size_t i = 0; i < WAITING; i++) {
		struct waiting *waiting = &ring->waiting[i];

		if (waiting->used && waiting->event == event && waiting->tid == tid)
			return waiting;
		if (best->used && (!waiting->used || waiting->order < best->order))
			best = waiting;
	}
	return best;
}

bool wp_bpf_args_take(struct wp_bpf_args *args, size_t ring, const void *bytes, size_t size)
{
	struct ring *own = &args->rings.v[ring];
	uint64_t id = wp_bpf_walk_identifier(bytes, size);
	struct wp_probe_hit hit;
	struct waiting *waiting;
	uint32_t event;

	if (!id || id != own->output.id)
		return false;
	if (!wp_bpf_hit_parse(bytes, size, &hit, &event) ||
	    event >= args->set->options->events->events.n ||
	    !wp_event_has_args(event_at(args, event)))
		return true;
	waiting = place_waiting_args(own, event, hit.tid);
	waiting->used =
		wp_probe_format_payload(event_at(args, event)->probe, &hit, &waiting->payload);
	waiting->order = ++args->order;
	waiting->event = event;
	waiting->tid = hit.tid;
	return true;
}

void wp_bpf_args_join(struct wp_bpf_args *args, size_t ring, struct wp_record *sample)
{
	struct ring *own = &args->rings.v[ring];

	if (!wp_event_has_args(event_at(args, sample->sample.event)))
		return;
	sample->sample.payload = NULL;
	sample->sample.payload_bytes = 0;
	for (size_t i = 0; i < WAITING; i++) {
		struct waiting *waiting = &own->waiting[i];
		struct wp_str swapped = args->given;

		if (!waiting->used || waiting->event != sample->sample.event ||
		    waiting->tid != sample->tid)
			continue;
		waiting->used = false;
		args->given = waiting->payload;
		waiting->payload = swapped;
		sample->sample.payload = (const uint8_t *)args->given.s;
		sample->sample.payload_bytes = (uint32_t)args->given.len;
		return;
	}
}
