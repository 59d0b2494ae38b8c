/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * probe_btf: which argument of a kernel's function has a name, by the types that the kernel brings
 * of itself (BTF: Documentation/bpf/btf.rst).
 *
 * Resolve stage. Functions whose parameters the compiler changed are not in there (pahole leaves
 * them out), so that a name is never the wrong register's.
 */
#ifndef WP_PROBE_BTF_H
#define WP_PROBE_BTF_H

#include "core/probe.h"
#include "resolve/lines/variables.h"

/*
 * Sets ret's nth, size and sign of its operand, is_text. module: whose function it is; NULL: the
 * kernel's own. Fails with one line that says what the function has.
 */
struct wp_err *wp_probe_btf_find(const char *event, const char *module, const char *function,
				 const struct wp_probe_arg *arg,
				 struct wp_variable *ret) WP_MUST_CHECK;

#endif
