/*
 * thread_names: what each thread is called, as COMM and FORK records tell.
 */
#ifndef WP_THREAD_NAMES_H
#define WP_THREAD_NAMES_H

#include "base/strpool.h"
#include "core/record.h"

/* All-zero is empty. */
struct wp_thread_names {
	struct wp_strpool names;
	struct wp_map name_of; /* tid -> id + 1 */
};

/* COMM and FORK; others are ignored. */
void wp_thread_names_record(struct wp_thread_names *threads, const struct wp_record *record);
/* The last name of a thread, or NULL. Lives as long as the set. */
const char *wp_thread_names_get(const struct wp_thread_names *threads, uint32_t tid);
void wp_thread_names_deinit(struct wp_thread_names *threads);

#endif
