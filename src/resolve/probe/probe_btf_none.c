/* SPDX-License-Identifier: BSD-3-Clause */
/* probe_btf_none: in place of probe_btf.c where libbpf was missing when wperf was built. */
#include "resolve/probe/probe_btf.h"

struct wp_err *wp_probe_btf_find(const char *event, const char *module, const char *function,
				 const struct wp_probe_arg *arg, struct wp_variable *ret)
{
	(void)module, (void)ret;
	return wp_err_new(
		WP_ERR_UNSUPPORTED,
		"event '%s': names of the arguments of %s are read with libbpf, which this "
		"wperf was built without: say arg1 ... instead of %s",
		event, function, arg->word);
}
