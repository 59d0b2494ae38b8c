/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolver: addresses in processes to symbols.
 *
 * It is told of every MAP, COMM, FORK and EXIT in order, keeps a module map per process, opens a
 * module when the first sample hits it (while its process lives) and loads its symbols once into a
 * compact sorted table. With a worker, whoever cannot wait for that asks whether it is loaded:
 * resolver_mapping.h, resolver_stack.h.
 */
#ifndef WP_RESOLVER_H
#define WP_RESOLVER_H

#include "core/record.h"
#include "core/symbol.h"
#include "resolve/resolver_line.h"
#include "resolve/resolver_options.h"

/* The module that the kernel's own functions are in. */
#define WP_KERNEL_PATH "[kernel]"

struct wp_resolver;

struct wp_resolver *wp_resolver_new(const struct wp_resolver_options *options);
void wp_resolver_free(struct wp_resolver *resolver);

/*
 * Of a recording: its kernel is ours, but may have lain elsewhere: its symbol _text at `then`, its
 * text at start, len bytes. If it was moved since, what is outside of that has no names. How far
 * shows when its symbols are read, at the first sample in it.
 */
void wp_resolver_kernel_was_at(struct wp_resolver *resolver, uint64_t then, struct wp_va start,
			       uint64_t len);
/* It is another one: nothing of it has names, the vdso neither. */
void wp_resolver_kernel_other(struct wp_resolver *resolver);
/* Reads the kernel's symbols, which takes its time, now and not at the first sample in it. */
void wp_resolver_kernel_load(struct wp_resolver *resolver);

/*
 * With a worker: a MAP record that will be told in its turn names a module that will be needed,
 * with its unwind rules if `rules`.
 */
void wp_resolver_expect(struct wp_resolver *resolver, const struct wp_record *record, bool rules);
/* Takes over what the worker has loaded; true when it has nothing more to do. */
bool wp_resolver_refresh(struct wp_resolver *resolver);
/*
 * True when a thread is at a stranger's file that nobody waits for any more: what it has not read
 * is left out. Its job is not over, so that neither resolver nor worker nor budget may be freed.
 */
bool wp_resolver_is_stuck(struct wp_resolver *resolver);
/* The symbol a SAMPLE record hit: an id in wp_resolver_symbols(). Never fails: unknowns are symbols
 * too. */
uint32_t wp_resolver_symbol(struct wp_resolver *resolver, const struct wp_record *sample);
/* It will be asked for this one in a moment: what it looks at first is fetched from memory. */
void wp_resolver_soon(struct wp_resolver *resolver, const struct wp_record *sample);
/*
 * The symbol of another address of the sample's thread (a caller's), at the sample's time; *ret_rva
 * is its module-relative address, {0} when no module is mapped there.
 */
uint32_t wp_resolver_symbol_at(struct wp_resolver *resolver, const struct wp_record *sample,
			       struct wp_va ip, enum wp_cpumode mode, struct wp_rva *ret_rva);
/* The symbol of an address in a module that a sample was in. */
uint32_t wp_resolver_symbol_in(struct wp_resolver *resolver, uint32_t module, struct wp_rva rva);
/*
 * The symbol of a Python function: the same for the same name, file and first line. filename may be
 * "". Strings are copied.
 */
uint32_t wp_resolver_python_symbol(struct wp_resolver *resolver, const char *name,
				   const char *filename, uint32_t first_line);
/* The symbol of all Python frames whose code object is not known. */
uint32_t wp_resolver_python_unknown(struct wp_resolver *resolver);
/* True when the symbol stands for an address in no file that nobody has named so far. */
bool wp_resolver_is_outside(const struct wp_resolver *resolver, uint32_t symbol);
/* Also gives JIT code that was published after its samples its name: symbols that were unknown may
 * be known at the next call. Looks at files: for reports, not for each sample. */
const struct wp_symbol_set *wp_resolver_symbols(struct wp_resolver *resolver);
/* A symbol as it is known so far. */
const struct wp_symbol *wp_resolver_symbol_of(const struct wp_resolver *resolver, uint32_t id);

/* Supplies one symbol of the module with that path beforehand (replay, tests). */
void wp_resolver_add_symbol(struct wp_resolver *resolver, const char *path, struct wp_rva start,
			    uint64_t size, const char *name);

/* One module of a process as mapped now, for "base address of" and -v. */
struct wp_resolver_image {
	uint32_t module;    /* index in the symbol set's modules */
	struct wp_va start; /* lowest mapped address */
	uint64_t delta;	    /* run-time address minus linked address (rva) */
};

/*
 * Lists the modules mapped by a process (living or ended) in address order, each once. The caller
 * frees *ret with free(). Returns how many.
 */
size_t wp_resolver_images(struct wp_resolver *resolver, uint32_t pid,
			  struct wp_resolver_image **ret);
/* True when that would wait for nothing; what is missing is to be loaded next. */
bool wp_resolver_has_images(struct wp_resolver *resolver, uint32_t pid);

/* A descriptor of the file that a module was mapped from, for the caller to close; -1: it is not
 * to be had, or another one by now. */
int wp_resolver_file(struct wp_resolver *resolver, uint32_t module);
/* The PDB that a module's symbols come from; NULL: none. Belongs to the resolver. */
const char *wp_resolver_pdb(struct wp_resolver *resolver, uint32_t module);
/* Id and path of the PDB that a module names, found or not; NULL: none. They belong to the
 * resolver. */
const char *wp_resolver_pdb_id(struct wp_resolver *resolver, uint32_t module,
			       const char **ret_path);

/* False when the module has no line table that covers the address. */
bool wp_resolver_line(struct wp_resolver *resolver, uint32_t module, struct wp_rva rva,
		      struct wp_resolver_line *ret);
/*
 * The functions inlined at a module's address, outermost first, as symbols of kind INLINE; at most
 * WP_RESOLVER_INLINES. Returns how many. New symbols may move the symbol set's.
 */
size_t wp_resolver_inlines(struct wp_resolver *resolver, uint32_t module, struct wp_rva rva,
			   struct wp_resolver_inline ret[WP_RESOLVER_INLINES]);
/* The symbols of the inlined functions alone, which is less work. */
size_t wp_resolver_inlined(struct wp_resolver *resolver, uint32_t module, struct wp_rva rva,
			   uint32_t ret[WP_RESOLVER_INLINES]);
/* As wp_resolver_line() and wp_resolver_inlined() say of each of n addresses, in far less time. */
void wp_resolver_places(struct wp_resolver *resolver, uint32_t module, const struct wp_rva *rvas,
			size_t n, struct wp_resolver_place *ret);
/* The first line of the function that they were inlined into; 0: not known. */
uint32_t wp_resolver_function_line(struct wp_resolver *resolver, uint32_t module,
				   struct wp_rva rva);
/* Notes how many of these questions were not answered, because nobody waits any longer. */
void wp_resolver_tell_lines(const struct wp_resolver *resolver, const struct wp_log *log);
/* A module's build-id, of ret's bytes; 0: not known. Never one of the kernel's. */
#define WP_RESOLVER_BUILD_ID 64
size_t wp_resolver_build_id(struct wp_resolver *resolver, uint32_t module,
			    uint8_t ret[WP_RESOLVER_BUILD_ID]);
/* The module-relative address of a sample's ip, as its symbol's start is; of the kernel, where it
 * lies now; {0} when no module is mapped there. */
struct wp_rva wp_resolver_rva(struct wp_resolver *resolver, const struct wp_record *sample);

#endif
