/* SPDX-License-Identifier: BSD-3-Clause */
/* profile_frames: see profile_frames.h. */
#include "aggregate/profile_frames.h"

#include "base/map.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

/* What is known of a stack, and what becomes of it. */
struct fate {
	bool begins;	 /* no frame of it is the program's: it may be a start-up */
	bool has_native; /* so far: a start-up that has native frames has the interpreter's main */
	bool has_main;
	bool cut; /* callers are a start-up, and left out */
	bool kept, used;
	uint32_t above; /* the next of its callers that is kept, or WP_NO_STACK */
	uint32_t id;	/* of the new stack */
};

static bool is_python_frame(const struct wp_profile_frame *frame)
{
	return frame->kind == WP_SYMBOL_PYTHON;
}

/* CPython's own program, whatever it is linked to: main() and what runs the script. */
static bool is_interpreter_main(const struct wp_profile_frame *frame)
{
	static const char *const names[] = {"Py_BytesMain", "Py_Main",	    "Py_RunMain",
					    "pymain_main",  "_Py_UnixMain", "pymain_run_python"};
	size_t len = strcspn(frame->name, "."); /* "pymain_main.lto_priv.0" */

	for (size_t i = 0; i < WP_ARRAY_LEN(names); i++)
		if (strlen(names[i]) == len && memcmp(frame->name, names[i], len) == 0)
			return true;
	return false;
}

/* runpy and importlib: `python -m NAME` runs NAME's <module> by them. */
static bool is_loader(const struct wp_profile *profile, const struct wp_profile_frame *frame)
{
	static const char *const frozen[] = {"<frozen runpy", "<frozen importlib.",
					     "<frozen zipimport"};
	static const char *const files[] = {"/runpy.py", "/importlib/_bootstrap.py",
					    "/importlib/_bootstrap_external.py", "/zipimport.py"};
	const char *path =
		frame->module == WP_NO_MODULE ? "" : profile->modules.v[frame->module].path;

	for (size_t i = 0; i < WP_ARRAY_LEN(frozen); i++)
		if (wp_str_has_prefix(path, frozen[i]))
			return true;
	for (size_t i = 0; i < WP_ARRAY_LEN(files); i++)
		if (wp_str_has_suffix(path, files[i]))
			return true;
	return false;
}

static bool is_module_code(const struct wp_profile_frame *frame)
{
	return is_python_frame(frame) && strcmp(frame->name, "<module>") == 0;
}

static bool is_kept(const struct wp_profile_frame *frame, enum wp_keep_frames keep)
{
	if (keep == WP_KEEP_PYTHON)
		return is_python_frame(frame);
	return keep != WP_KEEP_NATIVE || !is_python_frame(frame);
}

/* Of a stack whose callers' fates are known. */
static struct fate fate_of(const struct wp_profile *profile, const struct fate *fates,
			   const struct wp_profile_stack *stack, enum wp_keep_frames keep)
{
	const struct wp_profile_frame *frame = &profile->frames.v[stack->frame];
	struct fate fate = {.begins = true, .above = WP_NO_STACK};

	if (stack->caller != WP_NO_STACK) {
		fate = fates[stack->caller];
		fate.above = fate.kept ? stack->caller : fate.above;
	}
	fate.kept = is_kept(frame, keep);
	fate.cut = keep != WP_KEEP_NATIVE && stack->caller != WP_NO_STACK && fate.begins &&
		   is_module_code(frame) && (fate.has_main || !fate.has_native);
	if (fate.cut)
		fate.above = WP_NO_STACK;
	if (is_python_frame(frame))
		fate.begins = fate.begins && !is_module_code(frame) && is_loader(profile, frame);
	fate.has_native |= !is_python_frame(frame);
	fate.has_main |= is_interpreter_main(frame);
	return fate;
}

/* The old stack that is a sample's new one. */
static uint32_t kept_stack(const struct fate *fates, uint32_t stack)
{
	return stack == WP_NO_STACK || fates[stack].kept ? stack : fates[stack].above;
}

static void mark_used(const struct wp_profile *profile, struct fate *fates)
{
	wp_vec_each (struct wp_profile_sample, sample, &profile->samples) {
		uint32_t stack = kept_stack(fates, sample->stack);

		if (stack != WP_NO_STACK)
			fates[stack].used = true;
	}
	for (size_t i = profile->stacks.n; i-- > 0;)
		if (fates[i].used && fates[i].above != WP_NO_STACK)
			fates[fates[i].above].used = true;
}

/* Puts the used stacks in the place of all; those that have become the same are one. */
static void rebuild_stacks(struct wp_profile *profile, struct fate *fates)
{
	struct wp_map ids = {0};
	size_t n = 0;

	for (size_t i = 0; i < profile->stacks.n; i++) {
		struct wp_profile_stack stack = {fates[i].above, profile->stacks.v[i].frame};

		if (!fates[i].used)
			continue;
		profile->start_is_cut |= fates[i].cut;
		if (stack.caller != WP_NO_STACK)
			stack.caller = fates[stack.caller].id;
		uint64_t *at = wp_map_put(&ids, (uint64_t)stack.caller << 32 | stack.frame);

		if (!*at) {
			profile->stacks.v[n++] = stack; /* n is at most i */
			*at = n;
		}
		fates[i].id = (uint32_t)(*at - 1);
	}
	profile->stacks.n = n;
	wp_map_deinit(&ids);
}

static void drop_unused_frames(struct wp_profile *profile)
{
	wp_autofree uint32_t *ids = wp_calloc(profile->frames.n + 1, sizeof(*ids));
	size_t n = 0;

	wp_vec_each (struct wp_profile_stack, stack, &profile->stacks)
		ids[stack->frame] = 1;
	for (size_t i = 0; i < profile->frames.n; i++) {
		if (!ids[i])
			continue;
		profile->frames.v[n] = profile->frames.v[i];
		ids[i] = (uint32_t)n++;
	}
	profile->frames.n = n;
	wp_vec_each (struct wp_profile_stack, stack, &profile->stacks)
		stack->frame = ids[stack->frame];
}

void wp_profile_keep_frames(struct wp_profile *profile, enum wp_keep_frames keep)
{
	wp_autofree struct fate *fates = wp_calloc(profile->stacks.n + 1, sizeof(*fates));

	if (keep == WP_KEEP_ALL)
		return;
	for (size_t i = 0; i < profile->stacks.n; i++)
		fates[i] = fate_of(profile, fates, &profile->stacks.v[i], keep);
	mark_used(profile, fates);
	rebuild_stacks(profile, fates);
	wp_vec_each (struct wp_profile_sample, sample, &profile->samples) {
		uint32_t stack = kept_stack(fates, sample->stack);

		sample->stack = stack == WP_NO_STACK ? stack : fates[stack].id;
	}
	drop_unused_frames(profile);
}

void wp_profile_split_lines(struct wp_profile *profile)
{
	struct wp_map ids = {0};

	wp_vec_each (struct wp_profile_frame, frame, &profile->frames) {
		uint64_t *at = wp_map_put(&ids, (uint64_t)frame->symbol << 32 | frame->line);

		if (!*at)
			*at = ids.n;
		frame->symbol = (uint32_t)*at;
		if (frame->line)
			frame->first_line = frame->line;
	}
	profile->by_line = true;
	wp_map_deinit(&ids);
}
