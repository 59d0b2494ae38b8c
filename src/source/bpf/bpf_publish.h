/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bpf_publish: maps that are put into maps of maps, several at once.
 *
 * Source stage. The kernel lets whoever puts a map into another one wait until all CPUs are past
 * programs that may still use what was there before: 5 to 15 ms each time. Those who ask at the
 * same time wait together.
 */
#ifndef WP_BPF_PUBLISH_H
#define WP_BPF_PUBLISH_H

#include "base/vec.h"

#include <stdint.h>

struct wp_bpf_entry {
	int outer, inner; /* maps; the inner one is ours and is closed when it is there */
	uint32_t index;
};

struct wp_bpf_publish {
	/* Puts one there; 0, or the kernel's refusal, negative. Called from several threads. */
	int (*put)(const struct wp_bpf_entry *entry);
	WP_VEC(struct wp_bpf_entry) entries;
};

/* Puts it there at the next wp_bpf_publish_all(). */
void wp_bpf_publish_add(struct wp_bpf_publish *publish, struct wp_bpf_entry entry);
/* Returns 0 when all are there, else the kernel's refusal of one, negative. Empty afterwards. */
int wp_bpf_publish_all(struct wp_bpf_publish *publish);
void wp_bpf_publish_deinit(struct wp_bpf_publish *publish);

#endif
