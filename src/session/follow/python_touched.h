/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_touched: what of Python's memory samples touched: the block of pymalloc at the address of
 * their data, and the type of the object in it.
 *
 * Session stage. In: samples with an address, of processes whose interpreters are known. Memory is
 * read when the sample comes here, which is later than it was taken: how much later is kept. Out:
 * blocks, each as it was seen from one sample to another.
 */
#ifndef WP_PYTHON_TOUCHED_H
#define WP_PYTHON_TOUCHED_H

#include "base/log.h"
#include "base/strpool.h"
#include "core/budget.h"
#include "core/record.h"
#include "format/perf/perfdata_notes.h"
#include "runtime/python_block.h"
#include "session/follow/python_processes.h"

/* A block from its first to its last sample; another one when it had another object meanwhile. */
struct wp_python_touch {
	uint32_t pid, bytes;
	enum wp_python_block_kind kind;
	uint32_t type; /* index of type_names, or WP_PERFDATA_NO_TYPE */
	uint64_t start, first_ns, last_ns;
	uint64_t late_ns; /* the longest time between a sample and the reading */
};

struct wp_python_touched_types {
	uint32_t life, plan;
	struct wp_python_block_types types;
};

/* All-zero does nothing. */
struct wp_python_touched {
	bool on;
	struct wp_budget *budget; /* borrowed; what is kept is taken from it */
	WP_VEC(struct wp_python_touch) all;
	struct wp_map last_of; /* process and start, mixed -> index in all + 1 of the last one */
	struct wp_strpool type_names;
	struct wp_map types_of; /* life and plan -> index in types + 1 */
	WP_VEC(struct wp_python_touched_types) types;
	uint64_t too_late; /* samples of processes that had ended */
};

void wp_python_touched_see(struct wp_python_touched *touched,
			   const struct wp_python_process *process, const struct wp_record *sample);
/* What is missing. */
void wp_python_touched_tell(const struct wp_python_touched *touched, const struct wp_log *log);
void wp_python_touched_deinit(struct wp_python_touched *touched);

#endif
