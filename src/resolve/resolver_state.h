/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolver_state: what a resolver keeps; for its own files only (resolver.c, resolver_*.c).
 */
#ifndef WP_RESOLVER_STATE_H
#define WP_RESOLVER_STATE_H

#include "base/hash.h"
#include "base/str.h"
#include "core/process.h"
#include "resolve/symbols/image.h"
#include "resolve/lines/inline_symbols.h"
#include "resolve/lines/line_asker.h"
#include "resolve/jit/jit.h"
#include "resolve/symbols/kernel_symbols.h"
#include "resolve/symbols/python_symbols.h"
#include "resolve/resolver_mapping.h"
#include "resolve/resolver_options.h"
#include "resolve/lines/srclines.h"
#include "resolve/unwind/unwind_exit.h"

#define HOT_SLOTS   1024
#define KNOWN_SETS  (1u << 15) /* with their ways 2 MiB: one huge page */
#define KNOWN_WAYS  4
#define GENERATIONS 256
#define MAX_JITS    8192
#define MAX_PENDING 65536

#define KNOWN_KERNEL UINT32_MAX

/* A mapping that was hit; valid while its generation is that of its process's mappings. */
struct hot {
	uint32_t pid, generation;
	uint32_t owner; /* of its known addresses */
	uint64_t start, len, delta;
	struct wp_image *image;
};

/* An address whose symbol was found: of a module (linked addresses) or of the kernel. */
struct known {
	uint64_t addr;
	uint32_t owner; /* module + 1, or KNOWN_KERNEL; 0: none */
	uint32_t symbol;
};

/* Addresses whose hashes are alike, the latest first: one line of the cache. */
struct known_set {
	struct known ways[KNOWN_WAYS];
};

/* A sample in JIT code whose name was not published yet; its symbol is completed later. */
struct pending {
	uint32_t jit, inherited_jit; /* as in struct wp_process */
	uint32_t symbol;
	struct wp_va va;
	uint64_t time_ns;
};

struct wp_resolver {
	struct wp_resolver_options options;
	struct wp_symbol_ids ids;
	struct wp_images images;
	struct wp_processes *processes;	   /* borrowed */
	uint32_t generations[GENERATIONS]; /* of mappings, by pid, which some share */
	struct hot hot[HOT_SLOTS];
	struct known_set *known; /* KNOWN_SETS */

	WP_VEC(struct wp_jit *) jits; /* a process's `jit` is the index + 1 */
	struct wp_jit_budget jit_budget;
	uint32_t jit_module;
	struct wp_map pending_at; /* jit and address, mixed -> index in pending + 1 */
	WP_VEC(struct pending) pending;
	uint64_t settled; /* pieces of code that were known when pending ones were last tried */
	size_t unsettled; /* how many were left pending then */

	bool kernel_loaded, kernel_scripted;
	struct wp_kernel_symbols kernel;
	uint64_t kernel_then;  /* where a recording says that _text was; 0: it does not */
	uint64_t kernel_moved; /* by how much it lies higher than where the samples say */
	uint64_t kernel_text, kernel_bytes; /* if it was moved: what moved with it */
	struct wp_map kernel_modules;	    /* name id -> module + 1 */
	struct wp_map image_of_module;	    /* module -> index in images + 1 */
	struct wp_map functions;	    /* of PDBs: start and module, mixed -> symbol + 1 */

	struct wp_strpool area_names; /* of what is mapped and no image's */
	struct wp_map areas;	      /* id of a name -> symbol + 1 */
	bool has_areas;		      /* a recording says what is data */

	struct wp_line_asker asker;
	struct wp_inline_symbols inlines;
	struct wp_python_symbols python;
	struct wp_unwind_exits exits;
};

/* The id of the symbol that the piece of a table belongs to. */
uint32_t wp_resolver_table_symbol(struct wp_resolver *resolver, struct wp_symtab *table, size_t at,
				  uint32_t module, enum wp_symbol_kind kind);
/* The set in which the symbol of an owner's address is noted, if it is. */
static inline struct known_set *wp_resolver_known_set(struct wp_resolver *resolver, uint32_t owner,
						      uint64_t addr)
{
	uint64_t mixed = wp_hash_spread(addr ^ (uint64_t)owner << 40);

	return &resolver->known[mixed >> 32 & (KNOWN_SETS - 1)];
}
/* What is noted of an owner's address; with owner 0 nothing is, and the caller fills it in. */
struct known *wp_resolver_known(struct wp_resolver *resolver, uint32_t owner, uint64_t addr);
/* Forgets all that is noted. */
void wp_resolver_forget_known(struct wp_resolver *resolver);
/* The symbol of an address in the kernel. */
uint32_t wp_resolver_kernel_symbol(struct wp_resolver *resolver, struct wp_va ip);
/* The process's own JIT code, made when it has none; NULL when there are too many. */
struct wp_jit *wp_resolver_own_jit(struct wp_resolver *resolver, struct wp_process *process);
/* The symbol of an address outside of files: in memory that is mapped (module) or in none
 * (WP_NO_MODULE). */
uint32_t wp_resolver_jit_symbol(struct wp_resolver *resolver, const struct wp_record *sample,
				struct wp_va ip, uint32_t module);
/* Gives JIT code that was published since its samples came its name. */
void wp_resolver_settle_jit(struct wp_resolver *resolver);

#endif
