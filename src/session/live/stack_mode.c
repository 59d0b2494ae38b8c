/* SPDX-License-Identifier: BSD-3-Clause */
/* stack_mode: see stack_mode.h. */
#include "session/live/stack_mode.h"

#include "base/choice.h"
#include "base/str.h"

#include <string.h>

static const struct {
	const char *word;
	enum wp_stacks stacks;
	bool copies; /* takes a size */
} modes[] = {
	{"auto", WP_STACKS_BPF, true},
	{"bpf", WP_STACKS_BPF, false},
	{"dwarf", WP_STACKS_DUMP, true},
	{"fp", WP_STACKS_FP, false},
};

static struct wp_err *find_mode(const char *word, size_t *ret)
{
	wp_autochoice struct wp_choice choice = wp_choice_of(word);

	for (size_t i = 0; i < WP_ARRAY_LEN(modes); i++) {
		if (strcmp(modes[i].word, word) == 0) {
			*ret = i;
			return NULL;
		}
		wp_choice_add(&choice, modes[i].word);
	}
	return wp_choice_refuse(&choice, "--call-graph");
}

struct wp_err *wp_stack_mode_parse(bool wanted, const char *text, struct wp_stack_mode *ret)
{
	struct wp_stack_mode mode = {.bytes = WP_STACK_BYTES};
	wp_autofree char *word = wp_strdup(text ? text : "auto");
	char *comma = strchr(word, ',');
	size_t at = 0;

	if (comma)
		*comma++ = '\0';
	TRY(find_mode(word, &at));
	if (comma && (!modes[at].copies ||
		      !wp_str_to_u64(comma, 0, WP_STACK_BYTES_MAX, &mode.bytes) || !mode.bytes))
		return wp_err_new(
			WP_ERR_USAGE,
			"--call-graph %s: only auto and dwarf may be followed by the bytes"
			" of stack to copy, 1 to %u (dwarf,16384)",
			text, WP_STACK_BYTES_MAX);
	mode.bytes = (mode.bytes + 7) & ~(uint64_t)7;
	mode.chosen = strcmp(word, "auto") == 0;
	mode.stacks = wanted || text ? modes[at].stacks : WP_STACKS_NONE;
	*ret = mode;
	return NULL;
}

const char *wp_stack_mode_name(enum wp_stacks stacks)
{
	switch (stacks) {
	case WP_STACKS_BPF: return "bpf";
	case WP_STACKS_FP: return "fp";
	case WP_STACKS_DUMP: return "dwarf";
	default: return "none";
	}
}
