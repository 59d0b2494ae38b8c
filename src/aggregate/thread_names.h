/*
 * thread_names: what the threads of a run are called, as the kernel last said.
 *
 * Aggregate stage. In: COMM and FORK records. A new thread has the name of the one that made it
 * until it is given its own; CPython does that since 3.14.
 */
#ifndef WP_THREAD_NAMES_H
#define WP_THREAD_NAMES_H

#include "base/strpool.h"
#include "core/record.h"

/* All-zero is empty. */
struct wp_thread_names {
	struct wp_map name_of; /* tid -> string id + 1 */
	struct wp_strpool strings;
};

/* Other kinds of records are passed over. */
void wp_thread_names_record(struct wp_thread_names *names, const struct wp_record *record);
/* The last name of a thread; NULL when it is not known. Lives as long as the set. */
const char *wp_thread_names_get(const struct wp_thread_names *names, uint32_t tid);
void wp_thread_names_deinit(struct wp_thread_names *names);

#endif
