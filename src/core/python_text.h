/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_text: a captured code object in bytes: names, file and line table as they lay in memory.
 *
 * Core noun, shared with BPF: made by walk/python_capture.inc.h, read by format/perf/bpf_walk.c.
 */
#ifndef WP_CORE_PYTHON_TEXT_H
#define WP_CORE_PYTHON_TEXT_H

#include <linux/types.h>

/* Bytes that are copied at most: one less than a power of two, as masks. */
#define WP_PYTHON_NAME_MASK	0x3ffu
#define WP_PYTHON_FILENAME_MASK 0xfffu
#define WP_PYTHON_LINES_MASK	0x7fffu
#define WP_PYTHON_TEXTS_MASK	0x1fffu /* the three texts */

struct wp_python_captured_text {
	__u32 width;  /* bytes per character; 0: could not be read */
	__u32 bytes;  /* copied; whole characters */
	__u64 length; /* characters */
};

struct wp_python_captured_head {
	__u64 addr;
	__u64 lines_len; /* bytes of the line table */
	__u32 id, generation, first_line;
	__u32 lines_bytes; /* of them copied */
	struct wp_python_captured_text name, qualname, filename;
};

struct wp_python_captured {
	struct wp_python_captured_head head;
	/* name, qualname, filename, line table, without gaps */
	__u8 data[WP_PYTHON_TEXTS_MASK + 1 + WP_PYTHON_LINES_MASK];
};

_Static_assert(2 * WP_PYTHON_NAME_MASK + WP_PYTHON_FILENAME_MASK <= WP_PYTHON_TEXTS_MASK,
	       "room for all texts");

#endif
