/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * addr: three kinds of address that must not be mixed up.
 *
 * A `va` is an address in a running process, an `rva` one in a module's own linked address space
 * (st_value of an ELF symbol; RVA of a PE image), an `off` a position in a file. Each is a struct
 * of its own, so that passing one for another does not compile.
 */
#ifndef WP_ADDR_H
#define WP_ADDR_H

#include <stdint.h>

struct wp_va {
	uint64_t v;
};

struct wp_rva {
	uint64_t v;
};

struct wp_off {
	uint64_t v;
};

#endif
