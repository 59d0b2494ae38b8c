/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * resolver_data: addresses of data in processes to objects (variables), and to the areas that they
 * lie in where they are no object's: heap, stacks, anonymous memory, files.
 */
#ifndef WP_RESOLVER_DATA_H
#define WP_RESOLVER_DATA_H

#include "resolve/resolver.h"

/*
 * What a MAP record of a process says of data: of mappings of data, which listeners of the table of
 * processes are not told of, and of those of code, which take their place.
 */
void wp_resolver_map_data(struct wp_resolver *resolver, const struct wp_record *record);
/* True when a record of data has come: then an address without a name was mapped by nothing. */
bool wp_resolver_has_areas(const struct wp_resolver *resolver);

struct wp_data_query {
	const struct wp_record *sample;
	struct wp_va va;
	uint64_t sp;	    /* the thread's own stack pointer at that time; 0: not known */
	const char *thread; /* what it is called; NULL: not known */
};

/*
 * The object at an address of the sample's process: an id in wp_resolver_symbols(). Where it is no
 * object it is a symbol without a name: of a file that has none there, of an area with the reason
 * WP_SYMBOL_NO_MODULE, a module called "[heap]", "[stack]", "[stack of THREAD]", "[anon]",
 * "[anon:NAME]" or as a mapped file that is no program; its module is WP_NO_MODULE where nothing
 * says what is mapped. Never fails.
 */
uint32_t wp_resolver_data_symbol(struct wp_resolver *resolver, const struct wp_data_query *query);

#endif
