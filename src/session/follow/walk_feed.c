/* SPDX-License-Identifier: BSD-3-Clause */
/* walk_feed: see walk_feed.h. */
#include "session/follow/walk_feed.h"

#include "resolve/resolver_mapping.h"

#include <elf.h>
#include <inttypes.h>

#define KEPT_MAX (1u << 18) /* mappings */
#define DUE_MAX	 1024	    /* of those that walks have missed; more are missed again */

struct wp_err *wp_walk_feed_open(struct wp_walk_feed *feed, struct wp_resolver *resolver,
				 const struct wp_walk_feed_options *options)
{
	const struct wp_target *target = options->target;
	struct wp_bpf_walker_options walker = {
		.log = options->log,
		.dump_bytes = options->native ? WP_WALK_DUMP_MAX : 0,
		.only_mapped = target->kind == WP_TARGET_PROCESSES,
		.native = options->native,
		.gil = options->gil,
		.calls = options->calls,
		.files = options->files,
		.wakers = options->wakers,
		.tasks = options->tasks,
		.no_tracepoints = options->no_tracepoints,
		.no_probes = options->no_probes,
		.python = options->python,
	};

	TRY(wp_bpf_walker_open(&walker, &feed->walker));
	feed->log = options->log;
	feed->native = options->native;
	feed->resolver = resolver;
	feed->eager = target->kind == WP_TARGET_PROCESSES;
	wp_vec_each (pid_t, pid, &target->pids)
		wp_bpf_maps_exec(wp_bpf_walker_maps(feed->walker), (uint32_t)*pid);
	wp_walk_feed_commit(feed);
	return NULL;
}

/* The cost is known only while the kernel measures its programs (kernel.bpf_stats_enabled). */
static void tell_spent(const struct wp_walk_feed *feed)
{
	const struct wp_bpf_maps *maps = wp_bpf_walker_maps(feed->walker);
	struct wp_bpf_walker_cost cost = wp_bpf_walker_cost(feed->walker);

	if (cost.runs)
		wp_log(feed->log, WP_LOG_VERBOSE,
		       "walking a stack took %" PRIu64 " ns (mean of %" PRIu64 ")",
		       cost.ns / cost.runs, cost.runs);
	if (maps->tables.left_out)
		wp_log(feed->log, WP_LOG_NOTE,
		       "stacks end in %zu modules whose unwind rules found no room in the kernel",
		       maps->tables.left_out);
	if (maps->processes_left_out)
		wp_log(feed->log, WP_LOG_NOTE,
		       "stacks end where mappings found no room in the kernel (%" PRIu64 " times)",
		       maps->processes_left_out);
}

void wp_walk_feed_close(struct wp_walk_feed *feed)
{
	if (feed->walker)
		tell_spent(feed);
	wp_bpf_walker_close(feed->walker);
	wp_map_deinit(&feed->table_of_image);
	wp_walk_jit_deinit(&feed->jit);
	wp_vec_deinit(&feed->mapped);
	wp_vec_deinit(&feed->kept);
	wp_map_deinit(&feed->wanted);
	*feed = (struct wp_walk_feed){0};
}

/* The id of an image's table, which the walker has then if there is one and it finds room. */
static uint32_t walk_table_of(struct wp_walk_feed *feed, struct wp_image *image)
{
	struct wp_bpf_maps *maps = wp_bpf_walker_maps(feed->walker);
	uint64_t *id = wp_map_put(&feed->table_of_image, (uint64_t)(uintptr_t)image);
	const struct wp_unwind_rows *rows = NULL;
	uint32_t table;

	if (!*id)
		*id = ++feed->tables;
	table = (uint32_t)*id - 1;
	if (image->file.image.machine == EM_386)
		return table; /* its rules count in other words */
	/* It may have been forgotten when nobody mapped the module. */
	if (!wp_bpf_maps_has_table(maps, table) &&
	    wp_resolver_rows(feed->resolver, image, WP_IMAGE_WAIT, &rows) == WP_RESOLVER_FOUND)
		wp_bpf_maps_add_table(maps, table, rows->rows.v, rows->rows.n);
	return table;
}

/* What is mapped there, once its rules are loaded. */
static enum wp_resolver_answer find_mapping(struct wp_walk_feed *feed, uint32_t pid,
					    struct wp_va va, struct wp_image_mapping *ret)
{
	const struct wp_unwind_rows *rows;
	enum wp_resolver_answer answer =
		wp_resolver_mapping(feed->resolver, pid, va, WP_IMAGE_LEAVE, ret);

	if (answer == WP_RESOLVER_FOUND &&
	    wp_resolver_rows(feed->resolver, ret->image, WP_IMAGE_LEAVE, &rows) ==
		    WP_RESOLVER_LATER)
		return WP_RESOLVER_LATER;
	return answer;
}

/* Tells the walker of the mapping at an address; false when that has to be done later. */
static bool show_mapping(struct wp_walk_feed *feed, uint32_t pid, struct wp_va va)
{
	struct wp_bpf_maps *maps = wp_bpf_walker_maps(feed->walker);
	struct wp_image_mapping mapping;
	enum wp_resolver_answer answer;

	if (wp_bpf_maps_table_at(maps, pid, va) != WP_BPF_UNKNOWN)
		return true;
	answer = find_mapping(feed, pid, va, &mapping);
	if (answer != WP_RESOLVER_FOUND)
		return answer == WP_RESOLVER_NONE;
	if (mapping.image->kind == WP_IMAGE_MEMORY || mapping.image->kind == WP_IMAGE_DUMP) {
		wp_walk_jit_map(&feed->jit, maps, pid, mapping.start, mapping.len);
		return true;
	}
	uint32_t table = walk_table_of(feed, mapping.image);
	wp_bpf_maps_add_range(maps, pid, mapping.start, mapping.len, table,
			      mapping.delta + mapping.image->unwind.base);
	return true;
}

static bool is_mapping_fed(const struct wp_walk_feed *feed, uint32_t pid, struct wp_va start)
{
	wp_vec_each (struct wp_walk_feed_mapping, mapping, &feed->mapped)
		if (mapping->pid == pid && mapping->start.v == start.v)
			return true;
	return false;
}

/* A walk has missed the mapping at an address. */
static void want_mapping(struct wp_walk_feed *feed, uint32_t pid, struct wp_va va)
{
	if (!show_mapping(feed, pid, va) && feed->mapped.n < DUE_MAX &&
	    !is_mapping_fed(feed, pid, va))
		wp_vec_push(&feed->mapped, (struct wp_walk_feed_mapping){pid, va});
}

static void take_mapping(struct wp_walk_feed *feed, const struct wp_record *record)
{
	struct wp_bpf_maps *maps = wp_bpf_walker_maps(feed->walker);
	struct wp_walk_feed_mapping mapping = {record->pid, record->map.start};
	bool wanted = wp_map_get(&feed->wanted, record->pid) != NULL;

	if (!feed->native && !wanted) {
		if (feed->kept.n < KEPT_MAX)
			wp_vec_push(&feed->kept, mapping);
		return;
	}
	/* What lay there before is gone. */
	wp_bpf_maps_add_range(maps, record->pid, record->map.start, record->map.len, WP_BPF_UNKNOWN,
			      0);
	if (feed->eager || wanted)
		wp_vec_push(&feed->mapped, mapping);
}

void wp_walk_feed_want(struct wp_walk_feed *feed, uint32_t pid)
{
	if (feed->native || wp_map_get(&feed->wanted, pid))
		return;
	*wp_map_put(&feed->wanted, pid) = 1;
	wp_vec_each (struct wp_walk_feed_mapping, mapping, &feed->kept)
		if (mapping->pid == pid)
			wp_vec_push(&feed->mapped, *mapping);
}

/* Nobody walks there any more. */
static void end_walked_process(struct wp_walk_feed *feed, struct wp_bpf_maps *maps, uint32_t pid)
{
	size_t n = 0;

	wp_vec_each (struct wp_walk_feed_mapping, mapping, &feed->mapped)
		if (mapping->pid != pid)
			feed->mapped.v[n++] = *mapping;
	feed->mapped.n = n;
	wp_map_remove(&feed->wanted, pid);
	wp_walk_jit_drop(&feed->jit, maps, pid);
	wp_bpf_maps_drop(maps, pid);
}

void wp_walk_feed_changed(void *arg, const struct wp_process_change *change)
{
	struct wp_walk_feed *feed = arg;
	const struct wp_record *record = change->record;
	struct wp_bpf_maps *maps = feed->walker ? wp_bpf_walker_maps(feed->walker) : NULL;

	if (!maps)
		return;
	switch (change->kind) {
	case WP_PROCESS_MAPPED: take_mapping(feed, record); break;
	case WP_PROCESS_BEGAN: wp_bpf_maps_fork(maps, record->fork.parent_pid, record->pid); break;
	case WP_PROCESS_EXECED:
		wp_walk_jit_drop(&feed->jit, maps, record->pid);
		wp_bpf_maps_exec(maps, record->pid);
		break;
	case WP_PROCESS_ENDED: end_walked_process(feed, maps, record->pid); break;
	default: break;
	}
}

void wp_walk_feed_sample(struct wp_walk_feed *feed, const struct wp_record *sample,
			 const struct wp_stack *stack)
{
	const struct wp_stack_raw *raw = sample->sample.stack;

	if (!feed->walker || !raw || !raw->n_walked || raw->walked_end != WP_STACK_NO_MODULE)
		return;
	for (size_t i = 0; i < stack->n_user; i++)
		want_mapping(feed, sample->pid,
			     (struct wp_va){stack->frames[stack->n_kernel + i].ip.v - (i > 0)});
}

static void show_mapped(struct wp_walk_feed *feed)
{
	size_t kept = 0;

	for (size_t i = 0; i < feed->mapped.n; i++) {
		struct wp_walk_feed_mapping mapping = feed->mapped.v[i];

		if (!show_mapping(feed, mapping.pid, mapping.start))
			feed->mapped.v[kept++] = mapping;
	}
	feed->mapped.n = kept;
}

void wp_walk_feed_commit(struct wp_walk_feed *feed)
{
	struct wp_bpf_maps *maps = feed->walker ? wp_bpf_walker_maps(feed->walker) : NULL;

	if (!maps)
		return;
	show_mapped(feed);
	wp_walk_jit_refresh(&feed->jit, maps, feed->resolver);
	wp_bpf_maps_commit(maps);
}
