/* SPDX-License-Identifier: BSD-3-Clause */
/* python_own: whether Python code is the user's own, as far as its file's name tells. */
#ifndef WP_PYTHON_OWN_H
#define WP_PYTHON_OWN_H

#include <stdbool.h>
#include <stddef.h>

/*
 * False for the standard library (lib/pythonX.Y, also zipped, and what is frozen), for installed
 * packages (site-packages, dist-packages), for code that packages make at run time, and for no name
 * at all. What is typed (<string>, <stdin>, a notebook's cells) is the user's own; <string> is also
 * what libraries exec(), which the caller must tell apart.
 */
bool wp_python_own(const char *file);
/*
 * The installed package that a file is of: so many bytes of the path, up to the end of its name in
 * site-packages or dist-packages, begin the paths of all its files. 0: of none.
 */
size_t wp_python_own_package(const char *file);
/* A script without a suffix in a folder of programs (bin, Scripts): it only calls a package's
 * main(). */
bool wp_python_own_is_starter(const char *file);

#endif
