/* SPDX-License-Identifier: BSD-3-Clause */
/* export_funcs: see export_funcs.h. */
#include "view/export/export_funcs.h"

#include "base/map.h"
#include "view/frame_text.h"

#include <inttypes.h>

#define UNKNOWN "unknown"

static const char *unknown_name(struct wp_arena *arena, const struct wp_profile *profile,
				const struct wp_profile_frame *frame)
{
	if (frame->module == WP_NO_MODULE)
		return UNKNOWN;
	return wp_arena_printf(arena, "%s+0x%" PRIx64, profile->modules.v[frame->module].name,
			       frame->rva.v);
}

/* Consumers show and add up functions by name: what differs by its line alone needs another one. */
static const char *name_with_line(struct wp_arena *arena, const struct wp_profile *profile,
				  const struct wp_profile_frame *frame)
{
	wp_autostr struct wp_str text = {0};

	wp_frame_text(profile, frame, &text);
	return wp_arena_printf(arena, "%s", text.s ? text.s : "");
}

static bool has_known_name(const struct wp_profile_frame *frame)
{
	return frame->reason == WP_SYMBOL_KNOWN;
}

/* Of code that lies nowhere there is one function for each reason: its symbol. */
static uint64_t *func_slot_of(struct wp_map *named, struct wp_map *places,
			      const struct wp_profile_frame *frame)
{
	if (has_known_name(frame) || frame->module == WP_NO_MODULE)
		return wp_map_put(named, frame->symbol);
	return wp_map_put(&places[frame->module], frame->rva.v);
}

static void add_func(struct wp_export_funcs *funcs, const struct wp_profile *profile,
		     const struct wp_profile_frame *frame)
{
	const char *name = frame->name;

	if (!has_known_name(frame))
		name = unknown_name(&funcs->arena, profile, frame);
	else if (profile->by_line)
		name = name_with_line(&funcs->arena, profile, frame);
	wp_vec_push(&funcs->funcs, (struct wp_export_func){
					   .name = name,
					   .kind = frame->kind,
					   .module = frame->module,
					   .file = frame->file,
					   .line = frame->first_line,
					   .start = frame->start,
					   .size = has_known_name(frame) ? frame->size : 0,
				   });
}

/* What one frame of a function does not know, another one may. */
static void learn(struct wp_export_func *func, const struct wp_profile_frame *frame)
{
	if (!func->file)
		func->file = frame->file;
	if (!func->line)
		func->line = frame->first_line;
}

static void find_libs(struct wp_export_funcs *funcs, const struct wp_profile *profile)
{
	funcs->lib_of = wp_calloc(profile->modules.n + 1, sizeof(*funcs->lib_of));
	for (size_t i = 0; i < profile->modules.n; i++)
		funcs->lib_of[i] = WP_NO_MODULE;
	wp_vec_each (struct wp_export_func, func, &funcs->funcs) {
		if (func->kind == WP_SYMBOL_PYTHON || func->module == WP_NO_MODULE ||
		    funcs->lib_of[func->module] != WP_NO_MODULE)
			continue;
		funcs->lib_of[func->module] = (uint32_t)funcs->libs.n;
		wp_vec_push(&funcs->libs, func->module);
	}
}

static void find_funcs(struct wp_export_funcs *funcs, const struct wp_profile *profile)
{
	struct wp_map named = {0};
	struct wp_map *places = wp_calloc(profile->modules.n + 1, sizeof(*places));

	funcs->of_frame = wp_calloc(profile->frames.n + 1, sizeof(*funcs->of_frame));
	for (size_t i = 0; i < profile->frames.n; i++) {
		const struct wp_profile_frame *frame = &profile->frames.v[i];
		uint64_t *at = func_slot_of(&named, places, frame);

		if (!*at) {
			add_func(funcs, profile, frame);
			*at = funcs->funcs.n;
		}
		learn(&funcs->funcs.v[*at - 1], frame);
		funcs->of_frame[i] = (uint32_t)(*at - 1);
	}
	for (size_t i = 0; i < profile->modules.n; i++)
		wp_map_deinit(&places[i]);
	free(places);
	wp_map_deinit(&named);
}

void wp_export_funcs_init(struct wp_export_funcs *funcs, const struct wp_profile *profile)
{
	*funcs = (struct wp_export_funcs){0};
	find_funcs(funcs, profile);
	find_libs(funcs, profile);
}

void wp_export_funcs_deinit(struct wp_export_funcs *funcs)
{
	wp_arena_deinit(&funcs->arena);
	wp_vec_deinit(&funcs->funcs);
	wp_vec_deinit(&funcs->libs);
	free(funcs->of_frame);
	free(funcs->lib_of);
}

const char *wp_export_kind_name(enum wp_symbol_kind kind)
{
	switch (kind) {
	case WP_SYMBOL_KERNEL: return "kernel";
	case WP_SYMBOL_JIT: return "jit";
	case WP_SYMBOL_PYTHON: return "python";
	case WP_SYMBOL_INLINE: return "inlined";
	case WP_SYMBOL_NATIVE: break;
	}
	return "native";
}
