/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * undname: C++ names as Microsoft's compiler decorates them, as people write them.
 *
 * Format stage: "?f@?$Box@H@shop@@QEAAHXZ" becomes "shop::Box<int>::f", spelled as in PDBs: without
 * parameters, return type and access. Source: the grammar that Agner Fog ("Calling conventions",
 * chapter 8) and LLVM's MicrosoftDemangle.cpp describe. Bounds: length, nesting, output.
 */
#ifndef WP_UNDNAME_H
#define WP_UNDNAME_H

/* NULL when the name is not decorated so, or not in a way that is known. The caller frees. */
char *wp_undname(const char *decorated);

#endif
