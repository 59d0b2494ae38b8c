/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * python_guess: will a command run a CPython? Asked before it starts, where reading its frames has
 * a price.
 */
#ifndef WP_PYTHON_GUESS_H
#define WP_PYTHON_GUESS_H

#include <stdbool.h>

/*
 * True when the program (looked for in PATH unless it has a '/'), or the interpreter that its "#!"
 * line names, is called python or contains or needs a CPython. A guess: a shell script that starts
 * one is not seen through.
 */
bool wp_python_guess(const char *program);
/* Opens a program, which is looked for in PATH unless it has a '/'; -1: it is not there. */
int wp_python_guess_open(const char *program);
/* Is a file called as a CPython is? */
bool wp_python_guess_by_name(const char *path);
/*
 * May a command (it ends with NULL) run a CPython soon? Any word may name one; shells, make and
 * scripts may run one without a word.
 */
bool wp_python_guess_command(char *const *command);

/*
 * May it become another program by an exec of its own: a shell, a script, or one that is there to
 * start others (env, nice ...)?
 */
bool wp_python_guess_starts_others(const char *program);
/*
 * As wp_python_guess(), and neither the program nor an interpreter that a "#!" line names gets
 * other rights by an exec (setuid, setgid, file capabilities).
 */
bool wp_python_guess_is_plain(const char *program);

#endif
