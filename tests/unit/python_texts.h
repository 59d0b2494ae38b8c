/* SPDX-License-Identifier: BSD-3-Clause */
/* python_texts: members of a plan that say where texts are in 3.12's strings and bytes. */
#ifndef WP_PYTHON_TEXTS_H
#define WP_PYTHON_TEXTS_H

#define PYTHON_312_TEXTS                                                                     \
	.str_length = 16, .str_state = 32, .str_ascii = 40, .str_compact = 56,               \
	.str_kind_shift = 2, .str_compact_shift = 5, .str_ascii_shift = 6, .bytes_size = 16, \
	.bytes_data = 32

#endif
