/* SPDX-License-Identifier: BSD-3-Clause */
/* frame_text: see frame_text.h. */
#include "view/frame_text.h"

void wp_frame_text(const struct wp_profile *profile, const struct wp_profile_frame *frame,
		   struct wp_str *ret)
{
	const struct wp_profile_module *module =
		frame->module == WP_NO_MODULE ? NULL : &profile->modules.v[frame->module];

	if (frame->reason != WP_SYMBOL_KNOWN && module && *module->name != '[')
		wp_str_printf(ret, "[%s]", module->name);
	else if (frame->reason != WP_SYMBOL_KNOWN)
		wp_str_puts(ret, module ? module->name : "[unknown]");
	else if (frame->kind == WP_SYMBOL_PYTHON && module && frame->first_line)
		wp_str_printf(ret, "%s (%s:%u)", frame->name, module->name, frame->first_line);
	else if (profile->by_line && frame->file && frame->line)
		wp_str_printf(ret, "%s (%s:%u)", frame->name, wp_str_basename(frame->file),
			      frame->line);
	else
		wp_str_puts(ret, frame->name);
}
