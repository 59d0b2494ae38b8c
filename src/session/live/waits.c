/* SPDX-License-Identifier: BSD-3-Clause */
/* waits: see waits.h. */
#include "session/live/waits.h"

#include "core/record_keep.h"
#include "core/wait_kind.h"

#include <inttypes.h>
#include <stdio.h>

static struct wp_waits_thread *find_waiting_thread(struct wp_waits *waits,
						   const struct wp_record *record, bool makes)
{
	uint64_t key = (uint64_t)record->pid << 32 | record->tid;
	uint64_t *place = wp_map_get(&waits->by_id, key);

	if (!place && !makes)
		return NULL;
	if (!place) {
		wp_vec_push(&waits->threads, (struct wp_waits_thread){.key = key});
		place = wp_map_put(&waits->by_id, key);
		*place = waits->threads.n;
	}
	return &waits->threads.v[*place - 1];
}

/* The idle tasks are no threads that could wait. */
static bool is_idle_task(const struct wp_record *record)
{
	return !record->pid && !record->tid;
}

/* As the walker saw it: at a futex of the GIL's. */
static bool awaits_gil(const struct wp_stack_raw *stack)
{
	for (size_t i = 0; stack && i < stack->n_python; i++)
		if (stack->python[i].lasti == WP_PYTHON_THREAD &&
		    stack->python[i].id & WP_PYTHON_GIL_AWAITED)
			return true;
	return false;
}

/* What is told of a wait besides its length. */
static void fill_wait(const struct wp_waits *waits, const struct wp_waits_thread *thread,
		      struct wp_wait_payload *ret)
{
	if (waits->arch)
		wp_wait_kind_fill(waits->arch, thread->state, &thread->call, ret);
}

/* Who ended it; NULL: nobody is known, or it could have run. */
static const struct wp_record *end_by(struct wp_waits *waits, const struct wp_waits_thread *thread,
				      bool lasts)
{
	if (!waits->wakers.event || thread->state == WP_WAIT_PREEMPTED)
		return NULL;
	if (!lasts)
		return wp_wakers_end(&waits->wakers, thread->number, thread->since_ns,
				     &waits->given, &waits->payload);
	snprintf(waits->payload.waker, sizeof(waits->payload.waker), WP_WAIT_LASTING);
	return NULL;
}

/* A descriptor is looked at while the thread waits, mostly: afterwards it may be another one. */
static void look_at_call(struct wp_waits *waits, struct wp_waits_thread *thread,
			 const struct wp_record *record)
{
	static const struct wp_stack_call none;
	struct wp_wait_payload payload;

	thread->call = record->sample.stack ? record->sample.stack->call : none;
	wp_wait_kind_restart(waits->arch, &thread->last, &thread->call);
	if (thread->call.known && thread->call.number >= 0)
		thread->last = thread->call;
	thread->name = 0;
	if (!waits->names.on)
		return;
	wp_wait_fill(thread->state, 1, 0, &payload);
	fill_wait(waits, thread, &payload);
	if (payload.inode)
		thread->name = wp_wait_names_find(&waits->names, record, &thread->call);
}

/* False: the thread stops for good. */
static bool hold_stop(struct wp_waits *waits, const struct wp_field *field,
		      const struct wp_record *record)
{
	struct wp_waits_thread *thread;
	int64_t prev_state = 0, number = 0;
	enum wp_wait_state state;

	if (is_idle_task(record) || !field ||
	    !wp_field_number(field, record->sample.payload, record->sample.payload_bytes,
			     &prev_state))
		return true;
	thread = find_waiting_thread(waits, record, true);
	thread->switched = true;
	if (waits->number && wp_field_number(waits->number, record->sample.payload,
					     record->sample.payload_bytes, &number))
		thread->number = (uint32_t)number;
	waits->lost += thread->waits; /* when it ran again was lost */
	thread->waits = false;
	state = wp_wait_state_of(prev_state);
	if (state == WP_WAIT_NONE)
		return false;
	if (record->pid == waits->followed && wp_wait_is_traced(prev_state))
		return true;
	wp_arena_deinit(&thread->arena);
	thread->sample = *record;
	thread->sample.sample.payload = NULL;
	thread->sample.sample.payload_bytes = 0;
	wp_record_keep(&thread->arena, &thread->sample);
	thread->waits = true;
	thread->since_ns = thread->got_cpu_ns;
	thread->left = false;
	thread->state = state == WP_WAIT_INTERRUPTIBLE && awaits_gil(record->sample.stack)
				? WP_WAIT_GIL
				: state;
	look_at_call(waits, thread, record);
	thread->event = record->sample.event;
	thread->python |= record->sample.stack && record->sample.stack->n_python;
	return true;
}

static const struct wp_record *give_wait(struct wp_waits *waits, uint64_t ns)
{
	struct wp_record *given = &waits->given;

	given->sample.payload = (const uint8_t *)&waits->payload;
	given->sample.payload_bytes = wp_wait_bytes(&waits->payload);
	given->sample.period = given->sample.waited_ns = ns;
	return given;
}

static const struct wp_record *end_wait(struct wp_waits *waits, const struct wp_event *event,
					struct wp_waits_thread *thread, uint64_t now_ns)
{
	uint64_t began_ns = thread->sample.time_ns, ns = now_ns > began_ns ? now_ns - began_ns : 0;

	thread->waits = false;
	waits->waker = NULL;
	if (event && ns < event->min_ns) {
		thread->short_waits++;
		thread->short_ns += ns;
		return NULL;
	}
	waits->given = thread->sample;
	waits->given.time_ns = began_ns + ns;
	wp_wait_fill(thread->state, 1, ns, &waits->payload);
	fill_wait(waits, thread, &waits->payload);
	if (thread->name)
		wp_wait_name(wp_wait_names_get(&waits->names, thread->name), &waits->payload);
	waits->waker = end_by(waits, thread, !event);
	return give_wait(waits, ns);
}

void wp_waits_expect(struct wp_waits *waits, const struct wp_record *record)
{
	if (!is_idle_task(record))
		find_waiting_thread(waits, record, true)->was_there = true;
}

static void leave_cpu(struct wp_waits_thread *thread, uint64_t now_ns)
{
	thread->left = true;
	thread->sample.time_ns = now_ns;
}

/* No place is told, and nothing is missing. */
static const struct wp_stack_raw *empty_stack(bool python)
{
	static const struct wp_stack_frame nowhere[1];
	static const struct wp_python_slot none[] = {
		{.lasti = WP_PYTHON_THREAD, .id = WP_PYTHON_THREAD_ID(0, WP_PYTHON_NO_THREAD)}};
	static const struct wp_stack_raw plain = {
		.walked = nowhere, .n_walked = 1, .walked_end = WP_STACK_COMPLETE};
	static const struct wp_stack_raw with_python = {.walked = nowhere,
							.n_walked = 1,
							.walked_end = WP_STACK_COMPLETE,
							.python = none,
							.n_python = 1};

	return python ? &with_python : &plain;
}

static const struct wp_record *give_short(struct wp_waits *waits, struct wp_waits_thread *thread,
					  uint64_t end_ns)
{
	uint64_t n = thread->short_waits, ns = thread->short_ns;

	waits->waker = NULL;
	waits->short_waits += n;
	waits->short_ns += ns;
	waits->short_threads++;
	thread->short_waits = thread->short_ns = 0;
	waits->given = thread->sample;
	waits->given.time_ns = end_ns;
	waits->given.sample = (struct wp_record_sample){
		.event = thread->event,
		.mode = WP_MODE_USER,
		.stack = empty_stack(thread->python),
	};
	wp_wait_fill(WP_WAIT_SHORT, n > UINT32_MAX ? UINT32_MAX : (uint32_t)n, ns, &waits->payload);
	wp_wait_kind_fill("", WP_WAIT_SHORT, &(struct wp_stack_call){0}, &waits->payload);
	give_wait(waits, ns);
	waits->given.sample.waited_ns = 0;
	return &waits->given;
}

/* Its place goes to the last one: threads come and go. */
static const struct wp_record *forget_waiting_thread(struct wp_waits *waits,
						     const struct wp_record *record)
{
	struct wp_waits_thread *thread = find_waiting_thread(waits, record, false);
	const struct wp_record *ret = NULL;
	struct wp_waits_thread *last;

	if (!thread)
		return NULL;
	last = &waits->threads.v[waits->threads.n - 1];
	if (thread->short_waits)
		ret = give_short(waits, thread, record->time_ns);
	wp_arena_deinit(&thread->arena);
	*wp_map_get(&waits->by_id, last->key) = *wp_map_get(&waits->by_id, thread->key);
	wp_map_remove(&waits->by_id, thread->key);
	*thread = *last;
	waits->threads.n--;
	return ret;
}

static void follow_run(struct wp_waits_thread *thread, const struct wp_record *change)
{
	uint64_t now_ns = change->time_ns;

	if (!change->switched.out)
		thread->got_cpu_ns = now_ns;
	if (change->switched.out && thread->ran_from_ns && now_ns > thread->ran_from_ns)
		thread->ran_ns += now_ns - thread->ran_from_ns;
	thread->ran_from_ns = change->switched.out ? 0 : now_ns;
}

/* NULL: nobody ran. Since when the thread's first time on a CPU lasts is not known. */
static const struct wp_record *weigh_run(struct wp_waits *waits, const struct wp_record *sample)
{
	uint64_t now_ns = sample->time_ns;
	struct wp_waits_thread *thread;

	if (is_idle_task(sample))
		return NULL;
	thread = find_waiting_thread(waits, sample, true);
	waits->given = *sample;
	if (thread->ran_from_ns && now_ns >= thread->ran_from_ns)
		waits->given.sample.period = now_ns - thread->ran_from_ns;
	waits->given.sample.period += thread->ran_ns;
	thread->ran_from_ns = now_ns;
	thread->ran_ns = 0;
	thread->switched = true;
	return &waits->given;
}

/* A new thread has the number of one whose end nobody saw: what that one ran is not its own. */
static void begin_life(struct wp_waits *waits, const struct wp_record *fork)
{
	struct wp_waits_thread *thread = find_waiting_thread(waits, fork, false);

	if (thread)
		thread->ran_from_ns = thread->ran_ns = 0;
}

bool wp_waits_take(struct wp_waits *waits, const struct wp_event_set *events,
		   const struct wp_field *state, const struct wp_record *record,
		   const struct wp_record **ret)
{
	struct wp_waits_thread *thread;

	*ret = waits->waker = NULL;
	if (wp_wakers_take(&waits->wakers, record))
		return true;
	if (record->kind == WP_RECORD_SAMPLE && waits->clock == record->sample.event + 1) {
		*ret = weigh_run(waits, record);
		return true;
	}
	if (record->kind == WP_RECORD_SAMPLE && events->events.v[record->sample.event].switch_id) {
		if (!hold_stop(waits, state, record))
			*ret = forget_waiting_thread(waits, record);
		return true;
	}
	if (record->kind == WP_RECORD_FORK)
		begin_life(waits, record);
	if (record->kind != WP_RECORD_SWITCH)
		return false;
	thread = find_waiting_thread(waits, record, false);
	if (!thread)
		return true;
	waits->before += !thread->switched && !record->switched.out;
	thread->switched = true;
	follow_run(thread, record);
	if (!thread->waits)
		return true;
	if (!record->switched.out)
		*ret = end_wait(waits, &events->events.v[thread->event], thread, record->time_ns);
	else if (!thread->left)
		leave_cpu(thread, record->time_ns);
	return true;
}

const struct wp_record *wp_waits_finish(struct wp_waits *waits, uint64_t end_ns, size_t *i)
{
	const struct wp_record *given = NULL;

	for (; !given && *i < 2 * waits->threads.n; (*i)++) {
		struct wp_waits_thread *thread = &waits->threads.v[*i % waits->threads.n];

		if (*i >= waits->threads.n && thread->short_waits) {
			given = give_short(waits, thread, end_ns);
		} else if (thread->waits) {
			given = end_wait(waits, NULL, thread, end_ns);
			waits->lasting++;
			waits->lasting_ns += given->sample.period;
		}
	}
	return given;
}

void wp_waits_tell(const struct wp_waits *waits, const struct wp_log *log)
{
	uint64_t still = 0;

	wp_vec_each (const struct wp_waits_thread, thread, &waits->threads)
		still += thread->was_there && !thread->switched;
	if (waits->before || still)
		wp_log(log, WP_LOG_NOTE,
		       "off-cpu: waits that had begun before are not counted: %" PRIu64
		       " ended meanwhile, %" PRIu64 " threads did not run at all",
		       waits->before, still);
	if (waits->lasting)
		wp_log(log, WP_LOG_NOTE,
		       "off-cpu: %" PRIu64 " waits still lasted at the end: counted up to it (%.3f "
		       "s together)",
		       waits->lasting, (double)waits->lasting_ns / 1e9);
	if (waits->short_waits)
		wp_log(log, WP_LOG_NOTE,
		       "off-cpu: %" PRIu64 " waits below min_us, %.3f ms together, are summed for "
		       "each of %" PRIu64 " threads (state short)",
		       waits->short_waits, (double)waits->short_ns / 1e6, waits->short_threads);
	if (waits->wakers.unseen)
		wp_log(log, WP_LOG_NOTE,
		       "off-cpu: who ended %" PRIu64 " of %" PRIu64 " waits was not seen",
		       waits->wakers.unseen, waits->wakers.unseen + waits->wakers.wakes);
	if (waits->lost)
		wp_log(log, WP_LOG_WARNING,
		       "off-cpu: the ends of %" PRIu64 " waits were lost, so that these are not "
		       "counted",
		       waits->lost);
}

void wp_waits_deinit(struct wp_waits *waits)
{
	wp_vec_each (struct wp_waits_thread, thread, &waits->threads)
		wp_arena_deinit(&thread->arena);
	wp_vec_deinit(&waits->threads);
	wp_map_deinit(&waits->by_id);
	wp_wait_names_deinit(&waits->names);
	wp_wakers_deinit(&waits->wakers);
}
