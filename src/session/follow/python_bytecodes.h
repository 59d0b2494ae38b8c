/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_bytecodes: numbers the code objects that samples are in, and keeps their bytecode.
 *
 * Session stage. In: the innermost Python frames of samples. It is read from the process when a
 * code object's first sample has come, and again at growing intervals while more come, since 3.11
 * and newer give the instructions other forms while they run; and once more at the end of a run, if
 * the process lives. The last reading counts. Nothing is read per sample.
 */
#ifndef WP_PYTHON_BYTECODES_H
#define WP_PYTHON_BYTECODES_H

#include "base/str.h"
#include "core/budget.h"
#include "format/python/python_bytecode.h"
#include "runtime/python_code.h"
#include "session/follow/python_processes.h"

struct wp_python_bytecode_kept {
	uint32_t pid, life, plan; /* plan: which of the process's interpreters */
	uint32_t version;
	uint64_t addr;
	uint32_t id;
	struct wp_str code;	      /* as it was read last; empty: not yet */
	struct wp_str table;	      /* of lines */
	struct wp_python_lines lines; /* whose bytes are the table's */
	uint64_t at;		      /* where its bytecode lies; 0: it was not read */
	uint64_t first_ns, last_ns; /* when it was met, and seen to be there, last; 0: it was not */
	uint32_t symbol;	    /* its function's; if it was met */
	uint64_t sampled_ns;	    /* its last sample */
	uint64_t read_ns;	    /* the last one when it was read last; 0: it was not */
	uint64_t due_ns;	    /* samples from then on ask for it */
	uint64_t wait_ns;	    /* until the next time; 0: it was never asked for */
	bool asked;
};

/* All-zero does nothing. */
struct wp_python_bytecodes {
	bool on;
	bool places;				    /* callers' code objects are kept, too */
	struct wp_budget *budget;		    /* borrowed; what is kept is taken from it */
	WP_VEC(struct wp_python_bytecode_kept) all; /* by number - 1 */
	WP_VEC(uint32_t) asked;			    /* indexes of those that are asked for */
	uint64_t due_ns;			    /* when processes may be read again */
};

/*
 * The number of the code object that a sample is in, as in struct wp_stack_instruction; 0: it is
 * none that is kept. code is what is known of it, in the interpreter `plan` of the process.
 */
uint32_t wp_python_bytecodes_meet(struct wp_python_bytecodes *bytecodes,
				  const struct wp_python_process *process, uint32_t plan,
				  uint32_t version, struct wp_python_code *code,
				  uint64_t sampled_ns);
/* A walker saw that code object in a frame of a sample of this process; the number as above. */
void wp_python_bytecodes_see(struct wp_python_bytecodes *bytecodes,
			     const struct wp_python_process *process, uint32_t number,
			     uint32_t symbol, uint64_t sampled_ns);
/* What a script says that the code is, and where (0: nowhere); the number as above. */
void wp_python_bytecodes_tell(struct wp_python_bytecodes *bytecodes, uint32_t number,
			      const struct wp_record_code *told);
/* Reads what is due, or, at the end of a run, `all` that can still be read. */
void wp_python_bytecodes_read(struct wp_python_bytecodes *bytecodes,
			      struct wp_python_processes *processes, bool all);
/* By number; false: it was never read. Bytes are valid until the next read. */
bool wp_python_bytecodes_get(const struct wp_python_bytecodes *bytecodes, uint32_t number,
			     struct wp_python_bytecode *ret);
void wp_python_bytecodes_deinit(struct wp_python_bytecodes *bytecodes);

#endif
