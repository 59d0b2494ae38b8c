/* SPDX-License-Identifier: BSD-3-Clause */
/* flow_input: a function's code, and whom to ask for what is around it; see code_flow.h. */
#ifndef WP_FLOW_INPUT_H
#define WP_FLOW_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct wp_code_flow_of {
	const char *arch; /* as in struct wp_machine */
	uint64_t start;	  /* rva */
	const uint8_t *bytes;
	size_t n;
	/* Copies up to n bytes that are loaded at an rva; returns how many there are. */
	size_t (*read)(void *arg, uint64_t rva, void *ret, size_t n);
	/* The rva that a pointer at an rva has when the program runs; false: it is none. */
	bool (*pointer)(void *arg, uint64_t rva, uint64_t *ret);
	/* True for a called function that does not return; NULL: not known of any. */
	bool (*no_return)(void *arg, uint64_t rva);
	void *arg;
};

#endif
