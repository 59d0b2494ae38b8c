/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_version: CPython's version numbers, as they are written and where a file has them.
 *
 * Runtime stage, private to python_*.c. Py_Version (3.11 and newer) is the number itself; older
 * builds have it only as text, PY_VERSION, which the code of Py_GetVersion() mentions.
 */
#ifndef WP_PYTHON_VERSION_H
#define WP_PYTHON_VERSION_H

#include "runtime/python_elf.h"

#define WP_PYTHON_VERSION_MAX 24

/* A release or a release candidate: with these a minor version's structures no longer change. */
bool wp_python_version_is_final(uint32_t version);
/* "3.11.2", "3.15.0b1"; into and returning ret. */
const char *wp_python_version_print(uint32_t version, char ret[WP_PYTHON_VERSION_MAX]);
/* The whole of a text like "3.8.18", "2.7.18+", "3.9.0rc1"; false for any other. */
bool wp_python_version_parse(const char *text, uint32_t *ret);
/*
 * The version of the CPython in a file without _Py_DebugOffsets; 0 when it cannot be told.
 * number: Py_Version; get: Py_GetVersion (addr 0: the file has none). path: what it is called.
 */
uint32_t wp_python_version_of(const struct wp_python_elf *elf,
			      const struct wp_python_symbol *number,
			      const struct wp_python_symbol *get, const char *path);

#endif
