/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_id: the identity of a Python code object: a hash of what is never written again.
 *
 * Walk, shared with BPF. Code objects are freed and their addresses used again, so that an
 * address alone names nothing. Nor do the addresses of its name, file and line table, which are
 * freed and used again with it: what they hold counts as well (walk/python_content.inc.h).
 */
#ifndef WP_PYTHON_ID_H
#define WP_PYTHON_ID_H

#include <linux/types.h>

static inline __u64 wp_python_id_mix_(__u64 hash, __u64 value)
{
	hash = (hash ^ value) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 29;
}

/*
 * Of the pointers co_name, co_filename and the line table, co_firstlineno, and the content; 0 where
 * that could not be read.
 */
static inline __u64 wp_python_identity(__u64 name, __u64 filename, __u64 lines, __u32 first_line,
				       __u64 content)
{
	__u64 hash = wp_python_id_mix_(first_line, name);

	hash = wp_python_id_mix_(hash, filename);
	hash = wp_python_id_mix_(hash, lines);
	return wp_python_id_mix_(hash, content);
}

/* What fits into a slot of it. */
static inline __u32 wp_python_id(__u64 name, __u64 filename, __u64 lines, __u32 first_line,
				 __u64 content)
{
	__u64 identity = wp_python_identity(name, filename, lines, first_line, content);

	return (__u32)(identity >> 32 ^ identity);
}

#endif
