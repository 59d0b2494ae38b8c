/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf_publish: see bpf_publish.h. */
#include "source/bpf/bpf_publish.h"

#include <pthread.h>
#include <stddef.h>
#include <unistd.h>

/* Threads that wait together; machines have up to hundreds of CPUs, each with a map. */
#define THREADS_MAX 32

/* Every THREADS_MAX-th of the entries. */
struct share {
	pthread_t thread;
	const struct wp_bpf_publish *publish;
	size_t first;
	int status;
};

void wp_bpf_publish_add(struct wp_bpf_publish *publish, struct wp_bpf_entry entry)
{
	wp_vec_push(&publish->entries, entry);
}

static void *publish_share(void *arg)
{
	struct share *share = arg;

	for (size_t i = share->first; i < share->publish->entries.n; i += THREADS_MAX) {
		int status = share->publish->put(&share->publish->entries.v[i]);

		share->status = status ? status : share->status;
	}
	return NULL;
}

int wp_bpf_publish_all(struct wp_bpf_publish *publish)
{
	size_t n = publish->entries.n < THREADS_MAX ? publish->entries.n : THREADS_MAX;
	struct share shares[THREADS_MAX] = {0};
	int status = 0;

	for (size_t i = 0; i < n; i++)
		shares[i] = (struct share){.publish = publish, .first = i};
	for (size_t i = 1; i < n; i++)
		if (pthread_create(&shares[i].thread, NULL, publish_share, &shares[i]) != 0) {
			publish_share(&shares[i]);
			shares[i].publish = NULL; /* nobody to wait for */
		}
	if (n)
		publish_share(&shares[0]);
	for (size_t i = 0; i < n; i++) {
		if (i && shares[i].publish)
			pthread_join(shares[i].thread, NULL);
		status = shares[i].status ? shares[i].status : status;
	}
	wp_vec_each (struct wp_bpf_entry, entry, &publish->entries)
		close(entry->inner);
	publish->entries.n = 0;
	return status;
}

void wp_bpf_publish_deinit(struct wp_bpf_publish *publish)
{
	wp_vec_each (struct wp_bpf_entry, entry, &publish->entries)
		close(entry->inner);
	wp_vec_deinit(&publish->entries);
}
