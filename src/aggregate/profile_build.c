/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_build: see profile_build.h. */
#include "aggregate/profile_build.h"

#include "aggregate/profile_paths.h"
#include "base/invariant.h"
#include "base/keyed.h"

#include <stdlib.h>
#include <string.h>

uint32_t wp_profile_add_frame(struct wp_profile_builder *b, const struct wp_profile_frame *frame)
{
	wp_vec_push(&b->profile.frames, *frame);
	return (uint32_t)(b->profile.frames.n - 1);
}

uint32_t wp_profile_add_stack(struct wp_profile_builder *b, uint32_t caller, uint32_t frame)
{
	size_t max = b->stacks_max ? b->stacks_max : WP_PROFILE_STACKS;
	uint64_t key = (uint64_t)caller << 32 | frame;
	const uint64_t *known = wp_map_get(&b->stack_of, key);

	wp_assert(caller == WP_NO_STACK || caller < b->profile.stacks.n);
	if (known)
		return (uint32_t)(*known - 1);
	if (b->profile.stacks.n >= max)
		return WP_NO_STACK;
	wp_vec_push(&b->profile.stacks, (struct wp_profile_stack){caller, frame});
	*wp_map_put(&b->stack_of, key) = b->profile.stacks.n;
	return (uint32_t)(b->profile.stacks.n - 1);
}

static const char *keep_profile_name(struct wp_profile_builder *b, const char *name)
{
	return wp_strpool_get(&b->names, wp_strpool_id(&b->names, name ? name : ""));
}

uint32_t wp_profile_add_thread(struct wp_profile_builder *b, uint32_t pid, uint32_t tid,
			       const char *name, const char *process)
{
	struct wp_profile_thread *thread = wp_keyed_put(
		&b->profile.threads, &b->thread_of, (uint64_t)pid << 32 | tid,
		(struct wp_profile_thread){.pid = pid, .tid = tid, .first_ns = UINT64_MAX});

	thread->name = keep_profile_name(b, name);
	thread->process = keep_profile_name(b, process);
	return (uint32_t)(thread - b->profile.threads.v);
}

void wp_profile_add_sample(struct wp_profile_builder *b, const struct wp_profile_sample *sample)
{
	struct wp_profile_thread *thread = &b->profile.threads.v[sample->thread];

	wp_assert(sample->thread < b->profile.threads.n);
	if (b->profile.samples.n >= (b->samples_max ? b->samples_max : WP_PROFILE_SAMPLES)) {
		b->left_out++;
		return;
	}
	wp_vec_push(&b->profile.samples, *sample);
	if (sample->time_ns < thread->first_ns)
		thread->first_ns = sample->time_ns;
	if (sample->time_ns > thread->last_ns)
		thread->last_ns = sample->time_ns;
}

/* Equal ones by what else there is, so that the order does not depend on the sort. */
static int by_time(const void *a, const void *b)
{
	const struct wp_profile_sample *x = a, *y = b;

	if (x->time_ns != y->time_ns)
		return x->time_ns < y->time_ns ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	if (x->event != y->event)
		return x->event < y->event ? -1 : 1;
	return x->stack < y->stack ? -1 : x->stack > y->stack;
}

static bool is_ordered(const struct wp_profile *profile)
{
	for (size_t i = 1; i < profile->samples.n; i++)
		if (profile->samples.v[i].time_ns < profile->samples.v[i - 1].time_ns)
			return false;
	return true;
}

/* A recording may have records that came too late to be put in order. The first one's time. */
static uint64_t order_samples(struct wp_profile *profile)
{
	uint64_t first_ns;

	if (!is_ordered(profile))
		qsort(profile->samples.v, profile->samples.n, sizeof(*profile->samples.v), by_time);
	first_ns = profile->samples.n ? profile->samples.v[0].time_ns : 0;
	wp_vec_each (struct wp_profile_sample, sample, &profile->samples)
		sample->time_ns -= first_ns;
	wp_vec_each (struct wp_profile_thread, thread, &profile->threads) {
		if (thread->first_ns > thread->last_ns) /* none of its samples found room */
			thread->first_ns = thread->last_ns = first_ns;
		thread->first_ns -= first_ns;
		thread->last_ns -= first_ns;
	}
	return first_ns;
}

static uint32_t add_profile_module(struct wp_profile_builder *b, const struct wp_symbol_set *set,
				   uint32_t module)
{
	uint64_t *at;

	if (module == WP_NO_MODULE)
		return WP_NO_MODULE;
	at = wp_map_put(&b->module_of, module);
	if (!*at) {
		wp_vec_push(&b->profile.modules, (struct wp_profile_module){
							 .name = set->modules.v[module].name,
							 .path = set->modules.v[module].path,
							 .build_id = "",
						 });
		wp_vec_push(&b->set_modules, module);
		*at = b->profile.modules.n;
	}
	return (uint32_t)(*at - 1);
}

void wp_profile_finish(struct wp_profile_builder *b, const struct wp_symbol_set *set)
{
	wp_vec_each (struct wp_profile_frame, frame, &b->profile.frames) {
		const struct wp_symbol *symbol = &set->symbols.v[frame->symbol];
		bool known = symbol->name && symbol->reason == WP_SYMBOL_KNOWN;

		frame->name = known ? symbol->name : "unknown";
		frame->kind = symbol->kind;
		frame->reason = symbol->reason;
		frame->start = symbol->start;
		frame->size = symbol->size;
		frame->module = add_profile_module(b, set, symbol->module);
	}
	wp_profile_tell_files_apart(&b->profile);
	b->first_ns = order_samples(&b->profile);
}

void wp_profile_builder_deinit(struct wp_profile_builder *b)
{
	wp_vec_deinit(&b->profile.modules);
	wp_vec_deinit(&b->profile.frames);
	wp_vec_deinit(&b->profile.stacks);
	wp_vec_deinit(&b->profile.threads);
	wp_vec_deinit(&b->profile.events);
	wp_vec_deinit(&b->profile.measures);
	wp_vec_deinit(&b->profile.samples);
	wp_map_deinit(&b->stack_of);
	wp_map_deinit(&b->thread_of);
	wp_map_deinit(&b->module_of);
	wp_vec_deinit(&b->set_modules);
	wp_strpool_deinit(&b->names);
}
