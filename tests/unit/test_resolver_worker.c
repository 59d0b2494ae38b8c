/* SPDX-License-Identifier: BSD-3-Clause */
/* test_resolver_worker: a resolver whose worker has not come to a module yet, then has; the stack
 * is this program's. */
#include "base/file.h"
#include "base/worker.h"
#include "check.h"
#include "format/maps/proc_maps.h"
#include "resolve/resolver_mapping.h"
#include "resolve/resolver.h"
#include "resolve/resolver_stack.h"

#include <pthread.h>
#include <unistd.h>

static struct wp_processes processes;

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static struct wp_job blocker;

static void wait_at_gate(struct wp_job *job)
{
	(void)job;
	pthread_mutex_lock(&gate);
	pthread_mutex_unlock(&gate);
}

__attribute__((noinline)) int worker_landmark(int x);
int worker_landmark(int x)
{
	return x * 3;
}

static void map_self(struct wp_resolver *resolver, bool expect)
{
	wp_autofree char *text = NULL;
	struct wp_record r = {.kind = WP_RECORD_MAP, .pid = (uint32_t)getpid()};

	CHECK_OK(wp_file_read("/proc/self/maps", 64 << 20, &text, NULL));
	for (char *at = text; wp_proc_maps_next(&at, &r.map);) {
		if (expect)
			wp_resolver_expect(resolver, &r, true);
		wp_processes_take(&processes, &r);
	}
}

static struct wp_record sample_here(void)
{
	struct wp_record r = {.kind = WP_RECORD_SAMPLE, .pid = (uint32_t)getpid()};

	r.sample.ip.v = (uintptr_t)worker_landmark;
	return r;
}

static const char *name_of(struct wp_resolver *resolver, const struct wp_record *sample)
{
	uint32_t id = wp_resolver_symbol(resolver, sample);
	const char *name = wp_resolver_symbols(resolver)->symbols.v[id].name;

	return name ? name : "";
}

/* The name of a sample's place, without waiting; NULL: not yet. */
static const char *try_name(struct wp_resolver *resolver, const struct wp_record *sample)
{
	return wp_resolver_try_sample(resolver, sample) ? name_of(resolver, sample) : NULL;
}

/* True when the rules of the sample's module are there. */
static bool try_rows(struct wp_resolver *resolver, const struct wp_record *sample, size_t *ret)
{
	struct wp_image_mapping mapping;
	const struct wp_unwind_rows *rows;
	enum wp_resolver_answer answer = wp_resolver_mapping(
		resolver, sample->pid, sample->sample.ip, WP_IMAGE_LEAVE, &mapping);

	if (answer == WP_RESOLVER_FOUND)
		answer = wp_resolver_rows(resolver, mapping.image, WP_IMAGE_LEAVE, &rows);
	if (answer == WP_RESOLVER_FOUND)
		*ret = rows->rows.n;
	return answer != WP_RESOLVER_LATER;
}

static struct wp_resolver *begin(struct wp_worker *worker, bool expect)
{
	struct wp_resolver_options options = {.processes = &processes, .worker = worker};
	struct wp_resolver *resolver = wp_resolver_new(&options);

	pthread_mutex_lock(&gate);
	blocker = (struct wp_job){.run = wait_at_gate};
	wp_worker_add(worker, &blocker);
	usleep(50000); /* so that it has begun, and nothing can be put before it */
	map_self(resolver, expect);
	return resolver;
}

static void test_expected(void)
{
	struct wp_worker *worker = wp_worker_new();
	struct wp_resolver *resolver = begin(worker, true);
	struct wp_record sample = sample_here();
	size_t rows = 0;

	CHECK(!try_name(resolver, &sample));
	CHECK(!try_rows(resolver, &sample, &rows));
	CHECK(!wp_resolver_refresh(resolver));
	pthread_mutex_unlock(&gate);
	while (!wp_resolver_refresh(resolver))
		usleep(1000);
	CHECK(try_rows(resolver, &sample, &rows));
	CHECK(rows > 10);
	CHECK_STR(try_name(resolver, &sample), "worker_landmark");
	wp_resolver_free(resolver);
	wp_processes_deinit(&processes);
	wp_worker_free(worker);
}

/* Nothing was expected: the first question starts the loading. */
static void test_asked(void)
{
	struct wp_worker *worker = wp_worker_new();
	struct wp_resolver *resolver = begin(worker, false);
	struct wp_record sample = sample_here();
	const char *name;
	size_t rows = 0;

	CHECK(wp_resolver_refresh(resolver)); /* nobody has asked for anything */
	CHECK(!try_name(resolver, &sample));
	pthread_mutex_unlock(&gate);
	while (!(name = try_name(resolver, &sample)))
		usleep(1000);
	CHECK_STR(name, "worker_landmark");
	while (!try_rows(resolver, &sample, &rows))
		usleep(1000);
	CHECK(rows > 10);
	wp_resolver_free(resolver);
	wp_processes_deinit(&processes);
	wp_worker_free(worker);
}

/* Whoever does not try waits, and has the same. */
static void test_waits(void)
{
	struct wp_worker *worker = wp_worker_new();
	struct wp_resolver *resolver = begin(worker, true);
	struct wp_record sample = sample_here();

	pthread_mutex_unlock(&gate);
	CHECK_STR(name_of(resolver, &sample), "worker_landmark");
	wp_resolver_free(resolver); /* amid the loading of others */
	wp_processes_deinit(&processes);
	wp_worker_free(worker);
}

int main(void)
{
	RUN(test_expected);
	RUN(test_asked);
	RUN(test_waits);
	return check_done() + worker_landmark(0);
}
