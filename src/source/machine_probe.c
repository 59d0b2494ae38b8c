/*
 * machine_probe: see machine_probe.h. Files first, then (on the real machine only) trials, because
 * what can be opened is not what files say.
 */
#include "source/machine_probe.h"

#include "base/str.h"
#include "source/machine_parts.h"

char *wp_machine_path(const struct wp_machine *machine, const char *fmt, ...)
{
	struct wp_str path = {0};
	va_list ap;

	wp_str_puts(&path, machine->root);
	va_start(ap, fmt);
	wp_str_vprintf(&path, fmt, ap);
	va_end(ap);
	return path.s;
}

void wp_machine_probe(const char *root, struct wp_machine *ret)
{
	*ret = (struct wp_machine){0};
	ret->root = wp_arena_strdup(&ret->arena, root);
	wp_machine_probe_cpu(ret);
	wp_machine_probe_pmus(ret);
	wp_machine_probe_limits(ret);
	wp_machine_assume_counters(ret);
	if (!*root)
		wp_machine_probe_trial(ret);
}
