/* SPDX-License-Identifier: BSD-3-Clause */
/* resolver_data: addresses of data in processes to objects (variables) and modules. */
#ifndef WP_RESOLVER_DATA_H
#define WP_RESOLVER_DATA_H

#include "resolve/resolver.h"

/*
 * The object at an address of the sample's process: an id in wp_resolver_symbols(), whose module is
 * WP_NO_MODULE where no file's data is (heap, stacks, the kernel). Never fails: unknowns are
 * symbols too.
 */
uint32_t wp_resolver_data_symbol(struct wp_resolver *resolver, const struct wp_record *sample,
				 struct wp_va va);

#endif
