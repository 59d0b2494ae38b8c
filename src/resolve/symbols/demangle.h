/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * demangle: C++ and Rust names as people write them.
 *
 * libiberty does the work, for names of Microsoft's compiler format/pdb/undname.h; output is cut at
 * a limit, because a short hostile name can describe one of any length.
 */
#ifndef WP_DEMANGLE_H
#define WP_DEMANGLE_H

/*
 * "ns::f<int>" of "_ZN2ns1fIiEEvv": without parameters and return type, with " [clone .cold]"
 * behind it where the compiler split a function. NULL when the name is not mangled. The caller
 * frees.
 */
char *wp_demangle(const char *raw);
/* What a report shows: demangled where possible, without a "@VERSION" suffix (but with "@plt"). */
char *wp_demangle_display(const char *raw);

#endif
